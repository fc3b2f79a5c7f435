"""The round: from window to window until the fight is over.

A fight rests only while a window waits for choices. `match.at` says where in the round it is; `advance` carries on from
there through everything that needs no choice, and stops at the next window that does, or at the end.
"""

from __future__ import annotations

from heartrush_env.core.rule import compiled, rule
from heartrush_env.heart_rush.engine.declarations import (
    GOES,
    RISES,
    answer_opening,
    carry_out,
    finish_dash,
    finish_rising,
    line_up,
    talk,
)
from heartrush_env.heart_rush.engine.endings import find_ending, teams_standing
from heartrush_env.heart_rush.engine.engagement import (
    end_phase,
    end_what_strikes_end,
    reveal_all,
    roll_after_steps,
    roll_follow_ups,
    roll_maneuvers,
    roll_phase,
)
from heartrush_env.heart_rush.engine.events import END, ROUND_EVENT, tell, tell_conditions
from heartrush_env.heart_rush.engine.hits import (
    add_hit,
    answer_yield,
    hits_left,
    judge_batch,
    land_hits,
    number_hits,
    start_batch,
    take_out_together,
)
from heartrush_env.heart_rush.engine.legal_on_map import plays_on_map
from heartrush_env.heart_rush.engine.moving import (
    answer_trips,
    follow_in_turn,
    goes_on,
    is_dashing,
    make_step,
    opens_itself,
    step_in_turn,
    step_last,
)
from heartrush_env.heart_rush.engine.pushing import find_squeezes, note_squeezes
from heartrush_env.heart_rush.engine.state import (
    ACTION,
    ATTACK_WINDOW,
    FOLLOW_UP,
    FOLLOW_WINDOW,
    GOES_ON,
    OPPORTUNITY_WINDOW,
    OVER,
    SHRUG_WINDOW,
    STANCE,
    STEP_WINDOW,
    TALK,
    YIELD_WINDOW,
)
from heartrush_env.heart_rush.engine.windows import open_window, set_deeds_aside, take_deeds_up
from heartrush_env.heart_rush.rules.conditions import drench, fade
from heartrush_env.heart_rush.rules.dice import add_die, clear_pool, roll
from heartrush_env.heart_rush.rules.rush_points import gain_rush
from heartrush_env.heart_rush.rules.space import on_map
from heartrush_env.heart_rush.rules.taking_damage import tire
from heartrush_env.heart_rush.rules.terms import (
    AGILITY,
    BURNING,
    CUNNING,
    DEAD,
    DEFEATED,
    FROM_BURNING,
    FROM_SUFFOCATING,
    MIGHT,
    NO_STANCE,
    NOBODY,
    PASS,
    STANDING,
    SUFFOCATING,
    UNCONSCIOUS,
)
from heartrush_env.heart_rush.rules.timing import base_order

# Where in the round a fight may be. An "answered" place comes after its window.
PLACES = (
    "round start", "talk answered", "action window", "action answered", "declarations", "opening answered", "risen",
    "stance", "stance answered", "phase", "phase answered", "follow-ups answered", "hits", "hits answered", "judge",
    "yield answered", "phase end", "round end", "round judged", "over", "way", "step", "trips answered",
    "steps", "steppers answered", "last steps", "last steps answered", "follows answered", "phase over",
    "squeezes answered",
)  # fmt: skip
(
    AT_ROUND_START, AT_TALK_ANSWERED, AT_ACTION, AT_ACTION_ANSWERED, AT_DECLARATIONS, AT_OPENING_ANSWERED, AT_RISEN,
    AT_STANCE, AT_STANCE_ANSWERED, AT_PHASE, AT_PHASE_ANSWERED, AT_FOLLOW_UPS_ANSWERED, AT_HITS, AT_HITS_ANSWERED,
    AT_JUDGE, AT_YIELD_ANSWERED, AT_PHASE_END, AT_ROUND_END, AT_ROUND_JUDGED, AT_OVER,
    AT_WAY, AT_STEP, AT_TRIPS_ANSWERED, AT_STEPS, AT_STEPPERS_ANSWERED, AT_LAST_STEPS, AT_LAST_STEPS_ANSWERED,
    AT_FOLLOWS_ANSWERED, AT_PHASE_OVER, AT_SQUEEZES_ANSWERED,
) = range(30)  # fmt: skip

BURNING_DIE = 6


@compiled
def prepare(match, log):
    """Before the first round: who is quicker than whom, and soaking puts out fire."""
    base_order(match)
    log.seen[:] = 0
    for i in range(match.n):
        drench(match.fighters[i])


@compiled
def advance(match, log):
    """Carry the fight on to its next open window, or to its end.

    Each stretch of the round plays from where the fight is to the stretch's end, and says whether a window waits.
    """
    waits = match.at == AT_OVER
    while not waits:
        waits = (
            begin_round(match, log)
            or action_phase(match, log)
            or dash(match, log)
            or engagement(match, log)
            or agility_steps(match, log)
            or take_hits(match, log)
            or end_of_phase(match, log)
            or finish(match, log)
        )


@rule("Combat > Understanding Combat Flow", "R-30")
def start_round(match, log):
    """Fading conditions lose a level; action, free dash and free interaction are there again, and rush points come."""
    match.round_number += 1
    match.windows_used = 0
    tell(match, log, ROUND_EVENT, NOBODY, NOBODY, 0, match.round_number)
    for i in range(match.n):
        fighter = match.fighters[i]
        fighter.action = True
        fighter.interaction = True
        fighter.dash = True
        fighter.moved = False
        fighter.acted = False
        fighter.shrugs = 0
        fighter.stance = NO_STANCE
        fighter.said = NO_STANCE
        if match.round_number > 1 and fighter.afflicted:
            fade(fighter, match.rules.fading_uniform)
        gain_rush(match, i)
        start_round_on_map(match, i)
    tell_conditions(match, log)


@on_map(None)
@compiled
def start_round_on_map(match, i):
    """Nobody has moved or tripped anybody yet."""
    fighter = match.fighters[i]
    fighter.dashed = False
    fighter.stood = False
    fighter.shot = False
    fighter.lunged = False
    fighter.stepped = False
    fighter.squares_moved = 0
    fighter.tripped_at = 0
    fighter.went_within = 0


@compiled
def begin_round(match, log):
    """Round start and talk."""
    if match.at == AT_ROUND_START:
        start_round(match, log)
        match.at = AT_ACTION
        if match.rules.talk > 0:
            match.at = AT_TALK_ANSWERED
            if open_window(match, TALK):
                return True
    if match.at == AT_TALK_ANSWERED:
        talk(match, log)
        match.at = AT_ACTION
    return False


@rule("Combat > The Action Phase", "R-2")
def action_phase(match, log):
    """Window after window, until all pass or the round's windows are used up."""
    if match.at == AT_ACTION:
        match.at = AT_STANCE
        if match.windows_used < windows_allowed(match):
            match.windows_used += 1
            match.at = AT_ACTION_ANSWERED
            if open_window(match, ACTION):
                return True
    if match.at == AT_ACTION_ANSWERED:
        match.at = AT_DECLARATIONS if line_up(match, log) else AT_STANCE
    if match.at == AT_DECLARATIONS:
        next_declaration(match, log)
        if match.at == AT_OPENING_ANSWERED and open_window(match, OPPORTUNITY_WINDOW):
            return True
    if match.at == AT_OPENING_ANSWERED:
        answer_opening(match, log)
        take_deeds_up(match)
        take_batch(match, AT_RISEN)
    if match.at == AT_RISEN:
        end_what_strikes_end(match)
        tell_conditions(match, log)
        if is_dashing(match):
            match.at = AT_STEP
        else:
            finish_rising(match, log, match.mover)
            take_batch(match, AT_DECLARATIONS)
    return False


@compiled
def windows_allowed(match):
    """How many action windows a round has; where only stances are asked, those of the default way to the enemy."""
    return match.rules.windows_per_round if match.full_decisions or plays_on_map(match) else 0


@compiled
def next_declaration(match, log):
    """The next declaration in timing order; its hits come before the one after it."""
    end_what_strikes_end(match)
    tell_conditions(match, log)
    match.window = ACTION
    while match.cursor < match.n:
        i = match.order[match.cursor]
        match.cursor += 1
        if match.fighters[i].deed != PASS:
            comes = carry_out(match, log, i)
            if comes == RISES:
                match.mover = i
                set_deeds_aside(match)
                match.at = AT_OPENING_ANSWERED
            elif comes == GOES:
                match.mover = i
                match.at = AT_WAY
            else:
                take_batch(match, AT_DECLARATIONS)
            return
    match.at = AT_ACTION


@on_map(False)
@rule("Combat > The Action Phase > Actions You Can Take > Dash")
def dash(match, log):
    """Square by square: openings before a step, the step, those who trip after it; then the way's end."""
    while match.at == AT_WAY or match.at == AT_STEP or match.at == AT_TRIPS_ANSWERED:
        if match.at == AT_TRIPS_ANSWERED:
            answer_trips(match, log)
            take_deeds_up(match)
            match.at = AT_WAY
        if not goes_on(match):
            finish_dash(match, log, match.mover)
            take_batch(match, AT_DECLARATIONS)
        elif match.at == AT_WAY and opens_itself(match) and match.full_decisions:
            set_deeds_aside(match)
            match.at = AT_OPENING_ANSWERED
            return open_window(match, OPPORTUNITY_WINDOW)
        elif make_step(match, log) and match.full_decisions:
            set_deeds_aside(match)
            match.at = AT_TRIPS_ANSWERED
            if open_window(match, OPPORTUNITY_WINDOW):
                return True
        else:
            match.at = AT_WAY
    return False


@compiled
def engagement(match, log):
    """Stances, then the three phases: attacks, follow-ups, maneuvers."""
    if match.at == AT_STANCE:
        match.at = AT_ROUND_END
        if teams_standing(match) > 1:
            match.at = AT_STANCE_ANSWERED
            if open_window(match, STANCE):
                return True
    if match.at == AT_STANCE_ANSWERED:
        reveal_all(match, log)
        match.phase = CUNNING
        match.at = AT_PHASE
    while match.at == AT_PHASE and not anyone_took(match, match.phase):
        next_phase(match)
    if match.at == AT_PHASE:
        match.at = AT_PHASE_ANSWERED
        if open_window(match, ATTACK_WINDOW):
            return True
    if match.at == AT_PHASE_ANSWERED:
        match.at = AT_FOLLOW_UPS_ANSWERED
        if roll_phase(match, log):
            set_deeds_aside(match)
            if open_window(match, FOLLOW_UP):
                return True
        if plays_on_map(match) and match.phase == AGILITY:
            match.at = AT_STEPS
    if match.at == AT_FOLLOW_UPS_ANSWERED:
        if match.window == FOLLOW_UP:
            roll_follow_ups(match, log)
            take_deeds_up(match)
        if match.rules.maneuvers:
            roll_maneuvers(match, log)
        take_batch(match, AT_PHASE_END)
    return False


@on_map(False)
@rule("Combat > The Engagement > Choosing Your Stance > Agility Stance", "R-5", "R-25")
def agility_steps(match, log):
    """Those who step first step and then strike; those who struck first step last."""
    if match.at == AT_STEPS:
        match.at = AT_LAST_STEPS
        if step_in_turn(match, log):
            set_deeds_aside(match)
            match.at = AT_STEPPERS_ANSWERED
            if open_window(match, ATTACK_WINDOW):
                return True
    if match.at == AT_STEPPERS_ANSWERED:
        roll_after_steps(match, log)
        match.at = AT_LAST_STEPS
    if match.at == AT_LAST_STEPS:
        set_deeds_aside(match)
        match.at = AT_LAST_STEPS_ANSWERED
        if open_window(match, STEP_WINDOW):
            return True
    if match.at == AT_LAST_STEPS_ANSWERED:
        step_last(match, log)
        take_deeds_up(match)
        match.at = AT_FOLLOW_UPS_ANSWERED
    return False


@compiled
def anyone_took(match, stance):
    """Whether anybody who stands has shown this stance; without it the phase is over before it begins."""
    for i in range(match.n):
        if match.fighters[i].stance == stance and match.fighters[i].status == STANDING:
            return True
    return False


@rule("Combat > The Engagement > Attack Resolution Process > Resolution Phases")
def next_phase(match):
    """Cunning, then agility, then might, then the round's end."""
    match.at = AT_PHASE
    if match.phase == CUNNING:
        match.phase = AGILITY
    elif match.phase == AGILITY:
        match.phase = MIGHT
    else:
        match.at = AT_ROUND_END


@compiled
def take_batch(match, then):
    """Let the gathered hits come to those they hurt; the round goes on at `then`."""
    match.then = then
    match.at = AT_HITS if match.hit_count > 0 else then
    if match.hit_count > 0:
        number_hits(match)
        set_deeds_aside(match)


@compiled
def take_hits(match, log):
    """Hits one number at a time, then the judgement, then those who may yield."""
    while match.at == AT_HITS or match.at == AT_HITS_ANSWERED:
        if match.at == AT_HITS_ANSWERED:
            land_hits(match, log)
        match.at = AT_JUDGE
        if hits_left(match):
            match.at = AT_HITS_ANSWERED
            if open_window(match, SHRUG_WINDOW):
                return True
    if match.at == AT_JUDGE:
        match.at = AT_YIELD_ANSWERED
        if judge_batch(match, log) and open_window(match, YIELD_WINDOW):
            return True
    if match.at == AT_YIELD_ANSWERED:
        if match.window == YIELD_WINDOW:
            answer_yield(match, log)
        take_deeds_up(match)
        match.at = match.then
    return False


@compiled
def end_of_phase(match, log):
    """What the phase has done takes hold, pushes or squeezes with it; who pushed may follow; then their hits come."""
    if match.at == AT_PHASE_END:
        match.at = AT_SQUEEZES_ANSWERED
        if find_squeezes(match):
            set_deeds_aside(match)
            if open_window(match, FOLLOW_WINDOW):
                return True
    if match.at == AT_SQUEEZES_ANSWERED:
        if match.window == FOLLOW_WINDOW:
            note_squeezes(match)
            take_deeds_up(match)
        end_phase(match, log)
        match.at = AT_PHASE_OVER
        if plays_on_map(match):
            match.at = AT_FOLLOWS_ANSWERED
            if open_window(match, FOLLOW_WINDOW):
                return True
    if match.at == AT_FOLLOWS_ANSWERED:
        follow_in_turn(match, log)
        take_batch(match, AT_PHASE_OVER)
    if match.at == AT_PHASE_OVER:
        tell_conditions(match, log)
        next_phase(match)
    return False


@compiled
def finish(match, log):
    """The end of the round, and of the fight."""
    if match.at == AT_ROUND_END:
        match.engaged = False
        start_batch(match)
        burn_and_suffocate(match)
        take_batch(match, AT_ROUND_JUDGED)
    if match.at == AT_ROUND_JUDGED:
        end_round(match, log)
        find_ending(match)
        match.at = AT_ROUND_START if match.ending == GOES_ON else AT_OVER
        if match.ending != GOES_ON:
            match.window = OVER
            tell(match, log, END, NOBODY, match.winner, match.ending, 0)
    return match.at == AT_OVER


@rule("Conditions > Burning and Suffocating", "R-49")
def burn_and_suffocate(match):
    """At the round's end fire deals 1d6 for each level, and want of breath 1d6."""
    for i in range(match.n):
        fighter = match.fighters[i]
        if not fighter.afflicted or fighter.status == DEAD or fighter.status == DEFEATED:
            continue
        for condition, cause in ((BURNING, FROM_BURNING), (SUFFOCATING, FROM_SUFFOCATING)):
            levels = fighter.levels[condition]
            if levels > 0:
                clear_pool(match.pool)
                for _ in range(levels):
                    add_die(match.pool, BURNING_DIE)
                add_hit(match, i, NOBODY, cause, roll(match.pool, match, match.attack_roll), cause)


@rule("Combat > Understanding Combat Flow", "R-11", "R-45")
def end_round(match, log):
    """Help that was not used lapses; who has fought on at zero for too long falls."""
    out = 0
    for i in range(match.n):
        fighter = match.fighters[i]
        fighter.helped = 0
        if tire(match, fighter):
            fighter.status = UNCONSCIOUS
            out |= 1 << i
    take_out_together(match, log, out)

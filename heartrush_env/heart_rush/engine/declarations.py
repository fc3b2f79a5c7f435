"""The action phase: what was declared in a window is carried out, one fighter after another."""

from __future__ import annotations

from heartrush_env.core.rule import compiled, rule
from heartrush_env.heart_rush.engine.events import (
    CHECK_EVENT,
    DECLARE,
    FIZZLE,
    STAND_EVENT,
    TALK_EVENT,
    YIELD_EVENT,
    tell,
    tell_abilities,
    tell_attack_roll,
    tell_conditions,
    tell_defense_roll,
    tell_timing,
)
from heartrush_env.heart_rush.engine.hits import add_hit, start_batch, take_out
from heartrush_env.heart_rush.engine.legal import is_legal
from heartrush_env.heart_rush.engine.moving import (
    act_on_map,
    begin_dash,
    begin_rising,
    note_strikes_at_mover,
    pay_aside,
    pay_rush,
    step_back,
    tell_door,
)
from heartrush_env.heart_rush.engine.places import square_of, tell_coming_off
from heartrush_env.heart_rush.engine.strikes import strike_outside
from heartrush_env.heart_rush.rules.action_phase import (
    cut_free,
    get_up,
    hangs_on,
    help_ally,
    overcome,
    pick_up,
    put_out_fire,
    roll_to_break_free,
    roll_to_keep_hold,
    shake_off_roll,
    spend_action,
    spend_dash,
    tear_free,
    wriggle_free,
)
from heartrush_env.heart_rush.rules.conditions import lose
from heartrush_env.heart_rush.rules.dice import add_die, clear_pool, roll
from heartrush_env.heart_rush.rules.maneuvers import wins_contest
from heartrush_env.heart_rush.rules.rush_points import RISE_BY_RUSH, be_active, is_paid_by_rush
from heartrush_env.heart_rush.rules.sheet import bit, has
from heartrush_env.heart_rush.rules.special_circumstances import is_helpless
from heartrush_env.heart_rush.rules.taking_damage import climb_down, let_go
from heartrush_env.heart_rush.rules.terms import (
    ATTACKING_STANCES,
    BREAK_FREE,
    CUT_FREE,
    CUT_LOOSE,
    DASH,
    DEAD,
    DOUSE,
    ENTANGLED,
    FROM_SUFFOCATING,
    GRAPPLED,
    HELP_ALLY,
    HOP_OFF,
    LET_GO,
    NO_STANCE,
    NOBODY,
    OPPORTUNITY,
    OVERCOME,
    PASS,
    PICK_UP,
    PUT_OUT_FIRE,
    RISE,
    SAY,
    SHAKE_OFF,
    STAND,
    STANDING,
    SUFFOCATING,
    TEAR_FREE,
    UNCONSCIOUS,
    WRIGGLE_FREE,
    YIELD,
)
from heartrush_env.heart_rush.rules.timing import settle_timing

TO_ALL = 2  # of the setting `talk`; 1 is to one's own side
SUFFOCATION_DIE = 6
LAST_RANK = 1000

DONE, RISES, GOES = range(3)  # what comes of a declaration


@rule("Combat > The Engagement > Choosing Your Stance > Strategic Discussion", "R-50")
def talk(match, log):
    """What was said stands from now on, until the next round's talk."""
    for i in range(match.n):
        fighter = match.fighters[i]
        if fighter.deed == SAY:
            fighter.said = fighter.detail
            heard_by_all = match.rules.talk == TO_ALL
            tell(match, log, TALK_EVENT, i, NOBODY, fighter.detail if heard_by_all else NO_STANCE, 0)


@rule("Combat > The Action Phase > Chaining Abilities", "R-2", "R-31")
def line_up(match, log):
    """Put the window's declarations in timing order; returns whether there is any."""
    anything = False
    for i in range(match.n):
        fighter = match.fighters[i]
        fighter.contends = 0 if fighter.deed != PASS else NOBODY
        fighter.phase_heart = fighter.heart
        anything = anything or fighter.deed != PASS
    if anything:
        settle_timing(match)
        tell_timing(match, log)
    return anything


@rule("Combat > The Action Phase > Chaining Abilities", "R-4")
def carry_out(match, log, i):
    """One declaration, if it is still possible; returns what comes of it: nothing more, a rising, a way to go."""
    fighter = match.fighters[i]
    start_batch(match)
    if not is_legal(match, i, fighter.deed, fighter.target, fighter.detail):
        tell_door(match, log, tell(match, log, FIZZLE, i, fighter.target, fighter.deed, 0), i)
        return DONE
    tell_door(match, log, tell(match, log, DECLARE, i, fighter.target, fighter.deed, 0), i)
    if fighter.deed == STAND:
        if not begin_rising(match, i):
            spend_dash(fighter)
        return RISES
    if fighter.deed == DASH:
        begin_dash(match, i)
        return GOES
    if fighter.deed >= DASH:
        suffocate_if(match, i, act_on_map(match, log, i))
    elif fighter.deed <= HOP_OFF:
        act_on_itself(match, log, i)
    else:
        act_on_another(match, log, i)
    tell_conditions(match, log)
    return DONE


@compiled
def act_on_itself(match, log, i):
    """Declarations without a target."""
    fighter = match.fighters[i]
    deed = fighter.deed
    if deed == YIELD:
        tell(match, log, YIELD_EVENT, i, NOBODY, 0, 0)
        take_out(match, log, i, UNCONSCIOUS)
    elif deed == PICK_UP:
        had_action = fighter.action
        pick_up(fighter)
        suffocate_if(match, i, had_action and not fighter.action)
    elif deed == LET_GO:
        let_go(match, i)
    elif deed == HOP_OFF:
        square = square_of(match, i)
        spend_dash(fighter)
        climb_down(match, i)
        tell_coming_off(match, log, i, square)
        suffocate_if(match, i, True)
    elif deed == RISE and fighter.detail >= RISE_BY_RUSH:
        pay_aside(match, log, i, True)
        rise(match, log, i)
        suffocate_if(match, i, True)
    else:
        spend_action(fighter)
        struggle(match, log, i, deed)
        suffocate_if(match, i, True)


@compiled
def struggle(match, log, i, deed):
    """What costs the action and is done to oneself."""
    fighter = match.fighters[i]
    if deed == RISE:
        rise(match, log, i)
    elif deed == PUT_OUT_FIRE:
        put_out_fire(fighter)
    elif deed == SHAKE_OFF:
        shake_off(match, log, i)
    elif deed == BREAK_FREE:
        break_free(match, log, i)
    elif deed == WRIGGLE_FREE:
        tell_check(match, log, i, deed, wriggle_free(match, i))
    elif deed == TEAR_FREE:
        tell_check(match, log, i, deed, tear_free(match, i))
    elif deed == CUT_FREE:
        tell_check(match, log, i, deed, cut_free(match, i))
    elif deed == OVERCOME:
        tell_check(match, log, i, deed, overcome(match, i, fighter.detail))


@compiled
def rise(match, log, i):
    """Prone no more, and everyone sees it."""
    get_up(match.fighters[i])
    tell(match, log, STAND_EVENT, i, NOBODY, 0, 0)


@compiled
def tell_check(match, log, i, deed, success):
    """An event for a check against a number that was just made."""
    number = tell(match, log, CHECK_EVENT, i, NOBODY, deed, 0)
    tell_attack_roll(match, log, number)
    tell_abilities(match, log, number, i, NOBODY)
    if number != NOBODY:
        log.events[number].flag = success


@compiled
def tell_resistance(match, log, number, i, opponent, success):
    """Complete the event of a contested check by the roll that was just made against it, and who won."""
    tell_defense_roll(match, log, number)
    tell_abilities(match, log, number, i, opponent)
    if number != NOBODY:
        log.events[number].flag = success


@rule("Conditions > Grappled > Breaking Free", "R-1")
def break_free(match, log, i):
    """Whoever rolls higher than the one who holds it is free."""
    holder = match.fighters[i].source[GRAPPLED]
    number = tell(match, log, CHECK_EVENT, i, holder, BREAK_FREE, 0)
    own = roll_to_break_free(match, i)
    tell_attack_roll(match, log, number)
    free = wins_contest(own, roll_to_keep_hold(match, i))
    tell_resistance(match, log, number, i, holder, free)
    if free:
        let_go(match, holder)


@compiled
def shake_off(match, log, i):
    """One roll of the bearer's against one of each climber."""
    total = shake_off_roll(match, i, first_climber(match, i))
    if match.recording:
        match.attack_causes[:] = match.causes
    for climber in range(match.n):
        if match.fighters[climber].climbing == i:
            number = tell(match, log, CHECK_EVENT, i, climber, SHAKE_OFF, 0)
            if match.recording:
                match.causes[:] = match.attack_causes
            tell_attack_roll(match, log, number)
            square = square_of(match, climber)
            held = hangs_on(match, climber, i, total)
            tell_resistance(match, log, number, i, climber, not held)
            tell_coming_off(match, log, climber, square)


@compiled
def first_climber(match, bearer):
    """The first in agent order who rides the bearer."""
    for climber in range(match.n):
        if match.fighters[climber].climbing == bearer:
            return climber
    return NOBODY


@compiled
def act_on_another(match, log, i):
    """Declarations with a target: all cost the action, but a strike that a rush point pays."""
    fighter = match.fighters[i]
    other = match.fighters[fighter.target]
    exerted = fighter.deed != OPPORTUNITY or not is_paid_by_rush(fighter)
    if fighter.deed != OPPORTUNITY:
        spend_action(fighter)
    if fighter.deed == HELP_ALLY:
        help_ally(fighter, other)
    elif fighter.deed == DOUSE:
        put_out_fire(other)
    elif fighter.deed == CUT_LOOSE:
        lose(other, ENTANGLED)
    elif fighter.deed == OPPORTUNITY:
        strike_opening(match, log, i, 0)
    suffocate_if(match, i, exerted)


@rule("Combat > Special Circumstances > Attacking the Helpless", "R-37")
def strike_opening(match, log, i, rank):
    """An opportunity attack for the action, or a rush point; the settings may let the helpless simply die."""
    fighter = match.fighters[i]
    if is_paid_by_rush(fighter):
        pay_rush(match, log, i)
    else:
        spend_action(fighter)
    be_active(match, i, fighter.target)
    fighter.struck_at |= bit(fighter.target)
    if match.rules.helpless_dies and is_helpless(match.fighters[fighter.target]):
        take_out(match, log, fighter.target, DEAD)
    else:
        strike_outside(match, log, i, fighter.target, fighter.detail % ATTACKING_STANCES, rank)


@rule("Conditions > Suffocating", "R-49")
def suffocate_if(match, i, exerted):
    """Whoever moves or acts without breath takes 1d6."""
    if exerted and has(match.fighters[i], SUFFOCATING) and match.fighters[i].status == STANDING:
        clear_pool(match.pool)
        add_die(match.pool, SUFFOCATION_DIE)
        add_hit(match, i, NOBODY, FROM_SUFFOCATING, roll(match.pool, match, match.attack_roll), LAST_RANK)


@rule("Combat > The Action Phase > Opportunity Attacks", "R-15", "R-40")
def answer_opening(match, log):
    """All who strike at the one who rises do so at once, rolled in timing order."""
    start_batch(match)
    for i in range(match.n):
        fighter = match.fighters[i]
        fighter.contends = match.mover if fighter.deed == OPPORTUNITY else NOBODY
    remember_order(match)
    settle_timing(match)
    tell_timing(match, log)
    for spot in range(match.n):
        i = match.order[spot]
        if match.fighters[i].deed == OPPORTUNITY:
            strike_opening(match, log, i, 2 * spot)
    for spot in range(match.n):
        i = match.order[spot]
        fighter = match.fighters[i]
        suffocate_if(match, i, fighter.deed == OPPORTUNITY and not is_paid_by_rush(fighter))
    note_strikes_at_mover(match)
    recall_order(match)


@compiled
def remember_order(match):
    """Set the window's timing order aside."""
    for spot in range(match.n):
        match.window_order[spot] = match.order[spot]


@compiled
def recall_order(match):
    """Take the window's timing order up again."""
    for spot in range(match.n):
        match.order[spot] = match.window_order[spot]


@compiled
def finish_dash(match, log, i):
    """The way is gone, or has ended early; going it without breath hurts."""
    start_batch(match)
    step_back(match, log, i)
    suffocate_if(match, i, True)
    tell_conditions(match, log)


@compiled
def finish_rising(match, log, i):
    """Whoever is still standing after the strikes is up."""
    fighter = match.fighters[i]
    start_batch(match)
    if fighter.status == STANDING:
        rise(match, log, i)
        suffocate_if(match, i, True)
    tell_conditions(match, log)

"""The engagement: reveal, then cunning, agility and might; each phase gathers, then lands all at its end."""

from __future__ import annotations

from heartrush_env.core.rule import compiled, inlined, rule
from heartrush_env.heart_rush.engine.events import (
    MANEUVER,
    REVEAL,
    tell,
    tell_abilities,
    tell_attack_roll,
    tell_conditions,
    tell_defense_roll,
    tell_timing,
)
from heartrush_env.heart_rush.engine.hits import add_hit, start_batch
from heartrush_env.heart_rush.engine.kept import outer_choice
from heartrush_env.heart_rush.engine.moving import aim_for_squares
from heartrush_env.heart_rush.engine.pushing import begin_pushes, forget_squeezes, move_by_effect, push_by_effect
from heartrush_env.heart_rush.engine.state import MAX_HITS
from heartrush_env.heart_rush.engine.strikes import strike_in_engagement
from heartrush_env.heart_rush.engine.windows import choose
from heartrush_env.heart_rush.rules.action_phase import spend_action
from heartrush_env.heart_rush.rules.dice import add_die, clear_pool, roll
from heartrush_env.heart_rush.rules.maneuvers import (
    DIRTY_STRIKE_DIE,
    apply_cunning_levels,
    apply_maneuver,
    needs_contest,
    roll_opposing,
    roll_own,
    wins_contest,
)
from heartrush_env.heart_rush.rules.rush_points import be_active
from heartrush_env.heart_rush.rules.space import next_to, on_map
from heartrush_env.heart_rush.rules.special_circumstances import end_by_striking, vent_rage
from heartrush_env.heart_rush.rules.stances import is_able_to_attack, reveal
from heartrush_env.heart_rush.rules.terms import (
    CLIMB_ON,
    DIRTY_STRIKE,
    FROM_ATTACK,
    FROM_DIRTY_STRIKE,
    FROM_FOLLOW_UP,
    GRAPPLE,
    NO_STANCE,
    NOBODY,
    OPPORTUNITY,
    PASS,
    STANDING,
    STRIKE,
    TAKE_STANCE,
)
from heartrush_env.heart_rush.rules.timing import settle_timing

DIRTY_STRIKE_RANK = 2 * MAX_HITS  # after every attack of the phase


@rule("Combat > The Engagement > How Engagements Work")
def reveal_all(match, log):
    """All choices are shown at once."""
    match.engaged = True
    for i in range(match.n):
        fighter = match.fighters[i]
        stance = fighter.detail if fighter.deed == TAKE_STANCE else NO_STANCE
        reveal(match, i, stance)
        tell(match, log, REVEAL, i, NOBODY, stance, 0)


@rule("Combat > The Engagement > Attack Resolution Process > Resolution Phases")
def roll_phase(match, log):
    """The attacks of a phase, in timing order; returns whether anybody has earned another throw."""
    start_batch(match)
    for i in range(match.n):
        fighter = match.fighters[i]
        fighter.contends = fighter.target if fighter.deed != PASS else NOBODY
        fighter.able = is_able_to_attack(match, i)
        fighter.rolled = False
        fighter.follow_up = False
        fighter.succeeded = False
        fighter.struck_at = 0
        fighter.answered_at = 0
    aim_for_squares(match)
    settle_timing(match)
    tell_timing(match, log)
    return roll_strikes(match, log)


@compiled
def roll_strikes(match, log):
    """The attacks that were chosen, in timing order; returns whether anybody has earned another throw."""
    more = False
    for spot in range(match.n):
        i = match.order[spot]
        fighter = match.fighters[i]
        if fighter.deed == STRIKE and not fighter.rolled:
            fighter.rolled = True
            strike_in_engagement(match, log, i, fighter.target, FROM_ATTACK)
            more = more or fighter.follow_up
    pay_for_attacks(match)
    return more


@on_map(None)
@rule("Combat > The Engagement > Choosing Your Stance > Agility Stance", "R-25")
def recall_others(match):
    """Only those who have stepped choose again; what the others chose before stands."""
    for i in range(match.n):
        if not match.fighters[i].stepped:
            first = outer_choice(match, i)
            choose(match, i, first.deed, first.target, first.detail)
    match.kept_count -= 1


@inlined
def goes_for_somebody(fighter):
    """Whether the fighter attacks or maneuvers in this phase."""
    return STRIKE <= fighter.deed < OPPORTUNITY


@rule("Combat > The Engagement")
def pay_for_attacks(match):
    """Where the settings ask it, an attack or maneuver costs the action."""
    if match.rules.attack_costs_action:
        for i in range(match.n):
            if goes_for_somebody(match.fighters[i]):
                spend_action(match.fighters[i])


@compiled
def roll_follow_ups(match, log):
    """Another throw each for those who earned one and use it, in timing order."""
    for i in range(match.n):
        match.fighters[i].rolled = False
    for spot in range(match.n):
        fighter = match.fighters[match.order[spot]]
        if fighter.deed == STRIKE and not fighter.rolled:
            fighter.rolled = True
            strike_in_engagement(match, log, match.order[spot], fighter.target, FROM_FOLLOW_UP)


@rule("Combat > Other Offensive Actions > Executing Special Maneuvers")
def roll_maneuvers(match, log):
    """Maneuvers come after all attack and defense rolls of their phase, in timing order; dirty strikes roll last."""
    for spot in range(match.n):
        i = match.order[spot]
        if goes_for_somebody(match.fighters[i]) and match.fighters[i].deed != STRIKE:
            roll_maneuver(match, log, i)
    for spot in range(match.n):
        i = match.order[spot]
        fighter = match.fighters[i]
        if fighter.deed == DIRTY_STRIKE:
            clear_pool(match.pool)
            add_die(match.pool, DIRTY_STRIKE_DIE)
            damage = roll(match.pool, match, match.attack_roll)
            add_hit(match, fighter.target, i, FROM_DIRTY_STRIKE, damage, DIRTY_STRIKE_RANK + spot)


@compiled
def roll_maneuver(match, log, i):
    """One maneuver: its contest, if it has one, the earlier fighter rolling first."""
    fighter = match.fighters[i]
    deed, target = fighter.deed, fighter.target
    be_active(match, i, target)
    number = tell(match, log, MANEUVER, i, target, deed, 0)
    fighter.succeeded = True
    if needs_contest(deed):
        if fighter.turn < match.fighters[target].turn:
            own = roll_own(match, i, deed, target)
            tell_attack_roll(match, log, number)
            opposing = roll_opposing(match, target, deed, i)
            tell_defense_roll(match, log, number)
        else:
            opposing = roll_opposing(match, target, deed, i)
            tell_defense_roll(match, log, number)
            own = roll_own(match, i, deed, target)
            tell_attack_roll(match, log, number)
        fighter.succeeded = wins_contest(own, opposing)
        tell_abilities(match, log, number, i, target)
        if number != NOBODY:
            log.events[number].attack_total = own  # a one-handed grapple counts half
    if number != NOBODY:
        log.events[number].flag = fighter.succeeded


@rule("Combat > The Engagement > Attack Resolution Process > Resolution Phases", "R-33")
def end_phase(match, log):
    """Effects take hold, in timing order, on those who are still in the fight; a push before what comes with it."""
    begin_pushes(match)
    for spot in range(match.n):
        i = match.order[spot]
        if has_effect(match, i):
            push_by_effect(match, log, i)
        if has_effect(match, i):
            apply_effect(match, i)
            move_by_effect(match, log, i)
    forget_squeezes(match)
    end_what_strikes_end(match)
    tell_conditions(match, log)


@compiled
def has_effect(match, i):
    """Whether fighter i went for somebody who is still in the fight."""
    fighter = match.fighters[i]
    return goes_for_somebody(fighter) and match.fighters[fighter.target].status == STANDING


@compiled
def apply_effect(match, i):
    """Cunning levels of an attack, or what the maneuver does; who is out takes hold of nobody."""
    fighter = match.fighters[i]
    if fighter.deed == STRIKE:
        apply_cunning_levels(match.fighters[fighter.target], fighter.detail)
    elif fighter.succeeded and (takes_hold(match, i) or fighter.deed not in (GRAPPLE, CLIMB_ON)):
        apply_maneuver(match, i, fighter.deed, fighter.target, fighter.detail)


@rule("Combat > Other Offensive Actions > Grappling", "R-33")
def takes_hold(match, i):
    """Who is out takes hold of nobody, nor does who is no longer beside its target."""
    return match.fighters[i].status == STANDING and next_to(match, i, match.fighters[i].target)


@compiled
def end_what_strikes_end(match):
    """What the attack rolls of this batch bring to an end."""
    for i in range(match.n):
        fighter = match.fighters[i]
        if fighter.struck_at == 0 and fighter.answered_at == 0:
            continue
        for target in range(match.n):
            if fighter.struck_at >> target & 1:
                end_by_striking(match, i, target)
            if fighter.answered_at >> target & 1:
                vent_rage(match, i, target)
        fighter.struck_at = 0
        fighter.answered_at = 0

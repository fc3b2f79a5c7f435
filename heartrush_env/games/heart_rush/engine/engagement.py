"""The engagement: reveal, then cunning, agility and might; all effects of a phase apply at its end."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.engine.events import (
    MANEUVER,
    REVEAL,
    tell,
    tell_abilities,
    tell_attack_roll,
    tell_conditions,
    tell_defense_roll,
    tell_timing,
)
from heartrush_env.games.heart_rush.engine.offers import (
    ADVANTAGE,
    AGAINST,
    DAMAGE_DIE,
    IS_CONTEST,
    IS_MANEUVER,
    OWN,
    SIZE_COUNTS,
    advantage_of,
    do_choice,
    total_of,
)
from heartrush_env.games.heart_rush.engine.state import MAX_HITS
from heartrush_env.games.heart_rush.engine.strikes import begin_strike, finish_strike
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.actions.say import disclose_talk
from heartrush_env.games.heart_rush.rules.agility import aim_for_squares
from heartrush_env.games.heart_rush.rules.checks import might_or_agility, roll_check
from heartrush_env.games.heart_rush.rules.contests import wins_contest
from heartrush_env.games.heart_rush.rules.costs import spend_action
from heartrush_env.games.heart_rush.rules.cunning import inflict_cunning_levels
from heartrush_env.games.heart_rush.rules.dice import add_die, clear_pool, roll
from heartrush_env.games.heart_rush.rules.engaging import takes_part
from heartrush_env.games.heart_rush.rules.hits import add_hit, start_batch
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.maneuvers.core import MIGHT_OR_AGILITY
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import size_advantage
from heartrush_env.games.heart_rush.rules.might_push import forget_squeezes, push_by_effect
from heartrush_env.games.heart_rush.rules.rush_points import be_active
from heartrush_env.games.heart_rush.rules.space import square_of
from heartrush_env.games.heart_rush.rules.special_circumstances import end_by_striking, vent_rage
from heartrush_env.games.heart_rush.rules.stances import is_able_to_attack, reveal
from heartrush_env.games.heart_rush.rules.terms import (
    CHECK,
    FROM_ATTACK,
    FROM_DIRTY_STRIKE,
    FROM_FOLLOW_UP,
    NO_STANCE,
    NOBODY,
    OF_DAMAGE,
    PASS,
    SIZE_DIFFERENCE,
    STANDING,
    STRIKE,
    SWING_PAST,
    TAKE_STANCE,
)
from heartrush_env.games.heart_rush.rules.timing import settle_timing
from heartrush_env.games.heart_rush.rules.trip import steps_past
from heartrush_env.tabletop.rule import compiled, inlined, rule, unfolded

DIRTY_STRIKE_RANK = 2 * MAX_HITS  # after every attack of the phase


@rule("Combat > The Engagement > How Engagements Work")
def reveal_all(match, log):
    """Reveal all stances at once, and disclose the talk about them."""
    disclose_talk(match, log)
    for i in range(match.n):
        fighter = match.fighters[i]
        if takes_part(match, i):
            stance = fighter.detail if fighter.deed == TAKE_STANCE else NO_STANCE
            reveal(match, i, stance)
            tell(match, log, REVEAL, i, NOBODY, stance, 0)


@rule("Combat > The Engagement > Attack Resolution Process > Resolution Phases")
def begin_phase(match, log):
    """Put the attacks and maneuvers of a phase in timing order."""
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


@compiled
def roll_strikes(match, log):
    """Roll the chosen attacks in timing order; return whether any fighter has earned another throw."""
    roll_each(match, log, FROM_ATTACK)
    pay_for_attacks(match)
    return anyone_follows_up(match)


@unfolded
def roll_each(match, log, cause):
    """Roll the chosen attacks that are not rolled yet, in timing order."""
    while begin_next(match, log, cause):
        finish_strike(match, log)


@inlined
def begin_next(match, log, cause):
    """Begin the next chosen attack in timing order; return whether there is one."""
    for spot in range(match.n):
        i = match.order[spot]
        fighter = match.fighters[i]
        if fighter.deed == STRIKE and not fighter.rolled:
            fighter.rolled = True
            begin_strike(match, log, i, fighter.target, cause)
            return True
    return False


@inlined
def anyone_follows_up(match):
    """Return whether any fighter has earned another throw."""
    for i in range(match.n):
        if match.fighters[i].follow_up:
            return True
    return False


@inlined
def maneuvers(match, i):
    """Return whether fighter i attempts a maneuver in this phase; fighters that only choose stances never do."""
    return match.full_decisions and IS_MANEUVER[match.fighters[i].deed]


@inlined
def goes_for_somebody(match, i):
    """Return whether fighter i attacks or maneuvers in this phase."""
    return match.fighters[i].deed == STRIKE or maneuvers(match, i)


@rule("Combat > The Engagement")
def pay_for_attacks(match):
    """Spend the action on an attack or maneuver, if the settings require it."""
    if match.rules.attack_costs_action:
        for i in range(match.n):
            if goes_for_somebody(match, i):
                spend_action(match.fighters[i])


@compiled
def roll_follow_ups(match, log):
    """Roll one more throw for each fighter that earned one and uses it, in timing order."""
    roll_each(match, log, FROM_FOLLOW_UP)


@compiled
def begin_follow_ups(match):
    """Mark as still to be rolled the throws that fighters have earned and chosen to use."""
    for i in range(match.n):
        match.fighters[i].rolled = False
    forget_follow_ups(match)


@with_abilities(None)
@compiled
def forget_follow_ups(match):
    """Clear all earned throws, so that abilities may earn their owners yet another attack."""
    for i in range(match.n):
        match.fighters[i].follow_up = False


@rule("Combat > Other Offensive Actions > Executing Special Maneuvers")
def roll_maneuvers(match, log):
    """Roll maneuvers in timing order, after all attack and defense rolls of their phase; dirty strikes roll last."""
    for spot in range(match.n):
        i = match.order[spot]
        if maneuvers(match, i):
            roll_maneuver(match, log, i)
    for spot in range(match.n):
        i = match.order[spot]
        fighter = match.fighters[i]
        if maneuvers(match, i) and DAMAGE_DIE[fighter.deed] > 0:
            clear_pool(match.pool)
            add_die(match.pool, OF_DAMAGE, DAMAGE_DIE[fighter.deed])
            damage = roll(match.pool, match, match.attack_roll)
            add_hit(match, fighter.target, i, FROM_DIRTY_STRIKE, damage, DIRTY_STRIKE_RANK + spot)


@compiled
def roll_maneuver(match, log, i):
    """Carry out one maneuver, and roll its contest if it has one; the fighter that acts earlier rolls first."""
    fighter = match.fighters[i]
    deed, target = fighter.deed, fighter.target
    be_active(match, i, target)
    number = tell(match, log, MANEUVER, i, target, deed, 0)
    fighter.succeeded = True
    if IS_CONTEST[deed]:
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


@compiled
def roll_own(match, i, deed, target):
    """Roll the check of the fighter that attempts a maneuver."""
    extra = size_advantage(match, i, target) if SIZE_COUNTS[deed] else advantage_of(match, deed, i, target)
    ability = contest_ability(match, OWN[deed], i, target, extra)
    total = roll_check(match, i, CHECK, ability, target, extra, match.attack_roll)
    if match.recording and extra > 0:
        match.causes[SIZE_DIFFERENCE if SIZE_COUNTS[deed] else ADVANTAGE[deed]] += extra
    return total_of(match, deed, i, total)


@compiled
def roll_opposing(match, target, deed, i):
    """Roll the check of the fighter that resists a maneuver."""
    extra = size_advantage(match, target, i) if SIZE_COUNTS[deed] else 0
    ability = contest_ability(match, AGAINST[deed], target, i, extra)
    total = roll_check(match, target, CHECK, ability, i, extra, match.defense_roll)
    if match.recording and extra > 0:
        match.causes[SIZE_DIFFERENCE] += extra
    return total


@compiled
def contest_ability(match, ability, i, opponent, extra):
    """Return the ability to roll in a contest; where might or agility will do, the one expected to roll higher."""
    return might_or_agility(match, i, CHECK, opponent, extra) if ability == MIGHT_OR_AGILITY else ability


@rule("Combat > The Engagement > Attack Resolution Process > Resolution Phases", "R-33")
def apply_effects(match, log, first):
    """Apply effects in timing order, from index `first`, to fighters that are still in the fight.

    A push precedes its side effects. Stops at a fighter that has swung past another and may be tripped there, and
    returns its index in timing order; returns the number of fighters once all effects are applied.
    """
    for spot in range(first, match.n):
        i = match.order[spot]
        square = square_of(match, i)
        if has_effect(match, i):
            push_by_effect(match, log, i)
        if has_effect(match, i):
            apply_effect(match, log, i)
        if match.fighters[i].deed == SWING_PAST and square_of(match, i) != square and steps_past(match, i):
            return spot
    return np.int64(match.n)


@compiled
def end_phase(match, log):
    """End the squeezes, and the conditions that the phase's attacks and effects bring to an end; log the changes."""
    forget_squeezes(match)
    end_what_strikes_end(match, log)
    tell_conditions(match, log)


@inlined
def has_effect(match, i):
    """Return whether fighter i attacked or maneuvered against a fighter that is still in the fight."""
    return goes_for_somebody(match, i) and match.fighters[match.fighters[i].target].status == STANDING


@unfolded
def apply_effect(match, log, i):
    """Apply the cunning levels of an attack, or the effect of a successful maneuver."""
    fighter = match.fighters[i]
    if fighter.deed == STRIKE:
        inflict_cunning_levels(match, i, fighter.target, fighter.detail)
    elif maneuvers(match, i) and fighter.succeeded:
        do_choice(match, fighter.deed, log, i, fighter.target, fighter.detail)


@unfolded
def end_what_strikes_end(match, log):
    """End the conditions that this batch's attack rolls end, then let abilities add their effects."""
    for i in range(match.n):
        fighter = match.fighters[i]
        if fighter.struck_at == 0 and fighter.answered_at == 0:
            continue
        for target in range(match.n):
            if fighter.struck_at >> target & 1:
                end_by_striking(match, i, target)
            if fighter.answered_at >> target & 1:
                vent_rage(match, i, target)
    add_effects(match, log)
    for i in range(match.n):
        match.fighters[i].struck_at = match.fighters[i].answered_at = 0


@with_abilities(None)
@compiled
def add_effects(match, log):
    """Let the abilities of strikers and of their targets act, in the strikers' timing order."""
    for spot in range(match.n):
        i = match.order[spot]
        for target in range(match.n):
            if match.fighters[i].struck_at >> target & 1:
                if match.fighters[target].status == STANDING:
                    hooks.effect(match, i, log, target)
                hooks.struck(match, target, log, i)

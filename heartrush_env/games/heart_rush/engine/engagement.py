"""The engagement: reveal, then cunning, agility and might; all effects of a phase apply at its end."""

from __future__ import annotations

import numpy as np

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
from heartrush_env.games.heart_rush.engine.strikes import begin_strike, finish_strike
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.actions.say import disclose_talk
from heartrush_env.games.heart_rush.rules.agility import aim_for_squares
from heartrush_env.games.heart_rush.rules.contests import roll_side, wins_contest
from heartrush_env.games.heart_rush.rules.costs import spend_action
from heartrush_env.games.heart_rush.rules.cunning import inflict_cunning_levels
from heartrush_env.games.heart_rush.rules.dice import add_die, clear_pool, roll
from heartrush_env.games.heart_rush.rules.engaging import takes_part
from heartrush_env.games.heart_rush.rules.hits import add_hit, start_batch
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import size_advantage
from heartrush_env.games.heart_rush.rules.might_push import forget_squeezes, push_by_effect
from heartrush_env.games.heart_rush.rules.rush_points import mark_active
from heartrush_env.games.heart_rush.rules.space import square_of
from heartrush_env.games.heart_rush.rules.special_circumstances import end_by_striking, vent_rage
from heartrush_env.games.heart_rush.rules.stances import is_able_to_attack, reveal
from heartrush_env.games.heart_rush.rules.terms import (
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
from heartrush_env.games.heart_rush.state.events import (
    MANEUVER,
    REVEAL,
    tell,
    tell_abilities,
    tell_attack_roll,
    tell_conditions,
    tell_defense_roll,
    tell_timing,
)
from heartrush_env.games.heart_rush.state.record import MAX_HITS
from heartrush_env.tabletop.rule import compiled, inlined, rule, unfolded

DIRTY_STRIKE_RANK = 2 * MAX_HITS  # after every attack of the phase


@rule("Combat > The Engagement > How Engagements Work")
def reveal_all(fight, log):
    """Reveal all stances at once, and disclose the talk about them."""
    disclose_talk(fight, log)
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if takes_part(fight, i):
            stance = fighter.detail if fighter.deed == TAKE_STANCE else NO_STANCE
            reveal(fight, i, stance)
            tell(fight, log, REVEAL, i, NOBODY, stance, 0)


@rule("Combat > The Engagement > Attack Resolution Process > Resolution Phases")
def begin_phase(fight, log):
    """Put the attacks and maneuvers of a phase in timing order."""
    start_batch(fight)
    for i in range(fight.n):
        fighter = fight.fighters[i]
        fighter.contends = fighter.target if fighter.deed != PASS else NOBODY
        fighter.able = is_able_to_attack(fight, i)
        fighter.rolled = False
        fighter.follow_up = False
        fighter.succeeded = False
        fighter.struck_at = 0
        fighter.answered_at = 0
    aim_for_squares(fight)
    settle_timing(fight)
    tell_timing(fight, log)


@compiled
def roll_strikes(fight, log):
    """Roll the chosen attacks in timing order; return whether any fighter has earned another throw."""
    roll_each(fight, log, FROM_ATTACK)
    pay_for_attacks(fight)
    return anyone_follows_up(fight)


@unfolded
def roll_each(fight, log, cause):
    """Roll the chosen attacks that are not rolled yet, in timing order."""
    while begin_next(fight, log, cause):
        finish_strike(fight, log)


@inlined
def begin_next(fight, log, cause):
    """Begin the next chosen attack in timing order; return whether there is one."""
    for spot in range(fight.n):
        i = fight.order[spot]
        fighter = fight.fighters[i]
        if fighter.deed == STRIKE and not fighter.rolled:
            fighter.rolled = True
            begin_strike(fight, log, i, fighter.target, cause)
            return True
    return False


@inlined
def anyone_follows_up(fight):
    """Return whether any fighter has earned another throw."""
    for i in range(fight.n):
        if fight.fighters[i].follow_up:
            return True
    return False


@inlined
def attempts_maneuver(fight, i):
    """Return whether fighter i attempts a maneuver in this phase; fighters that only choose stances never do."""
    return fight.full_decisions and IS_MANEUVER[fight.fighters[i].deed]


@inlined
def acts_on_target(fight, i):
    """Return whether fighter i attacks or maneuvers in this phase."""
    return fight.fighters[i].deed == STRIKE or attempts_maneuver(fight, i)


@rule("Combat > The Engagement")
def pay_for_attacks(fight):
    """Spend the action on an attack or maneuver, if the settings require it."""
    if fight.rules.attack_costs_action:
        for i in range(fight.n):
            if acts_on_target(fight, i):
                spend_action(fight.fighters[i])


@compiled
def roll_follow_ups(fight, log):
    """Roll one more throw for each fighter that has earned one and chosen to use it, in timing order."""
    roll_each(fight, log, FROM_FOLLOW_UP)


@compiled
def begin_follow_ups(fight):
    """Mark as not yet rolled each throw that a fighter has earned and chosen to use."""
    for i in range(fight.n):
        fight.fighters[i].rolled = False
    forget_follow_ups(fight)


@with_abilities(None)
@compiled
def forget_follow_ups(fight):
    """Clear all earned throws, so that abilities can grant their owners another attack."""
    for i in range(fight.n):
        fight.fighters[i].follow_up = False


@with_abilities(None)
@compiled
def end_first_attacks(fight):
    """Mark the attacks made before any step as rolled again, because follow-ups have cleared the marks."""
    for i in range(fight.n):
        fight.fighters[i].rolled = fight.fighters[i].deed == STRIKE


@rule("Combat > Other Offensive Actions > Executing Special Maneuvers")
def roll_maneuvers(fight, log):
    """Roll maneuvers in timing order, after all attack and defense rolls of their phase; dirty strikes roll last."""
    for spot in range(fight.n):
        i = fight.order[spot]
        if attempts_maneuver(fight, i):
            roll_maneuver(fight, log, i)
    for spot in range(fight.n):
        i = fight.order[spot]
        fighter = fight.fighters[i]
        if attempts_maneuver(fight, i) and DAMAGE_DIE[fighter.deed] > 0:
            clear_pool(fight.pool)
            add_die(fight.pool, OF_DAMAGE, DAMAGE_DIE[fighter.deed])
            damage = roll(fight.pool, fight, fight.attack_roll)
            add_hit(fight, fighter.target, i, FROM_DIRTY_STRIKE, damage, DIRTY_STRIKE_RANK + spot)


@compiled
def roll_maneuver(fight, log, i):
    """Carry out one maneuver, and roll its contest if it has one; the fighter that acts earlier rolls first."""
    fighter = fight.fighters[i]
    deed, target = fighter.deed, fighter.target
    mark_active(fight, i, target)
    number = tell(fight, log, MANEUVER, i, target, deed, 0)
    fighter.succeeded = True
    if IS_CONTEST[deed]:
        if fighter.turn < fight.fighters[target].turn:
            own = roll_own(fight, i, deed, target)
            tell_attack_roll(fight, log, number)
            opposing = roll_opposing(fight, target, deed, i)
            tell_defense_roll(fight, log, number)
        else:
            opposing = roll_opposing(fight, target, deed, i)
            tell_defense_roll(fight, log, number)
            own = roll_own(fight, i, deed, target)
            tell_attack_roll(fight, log, number)
        fighter.succeeded = wins_contest(own, opposing)
        tell_abilities(fight, log, number, i, target)
        if number != NOBODY:
            log.events[number].attack_total = own  # a one-handed grapple counts half
    if number != NOBODY:
        log.events[number].flag = fighter.succeeded


@compiled
def roll_own(fight, i, deed, target):
    """Roll the check of the fighter that attempts a maneuver."""
    extra = size_advantage(fight, i, target) if SIZE_COUNTS[deed] else advantage_of(fight, deed, i, target)
    more = hooks.contest_of(fight, i, target, deed, True)
    cause = np.int64(SIZE_DIFFERENCE if SIZE_COUNTS[deed] else ADVANTAGE[deed])
    total = roll_side(fight, i, target, OWN[deed], extra, cause, more, fight.attack_roll)
    return total_of(fight, deed, i, total)


@compiled
def roll_opposing(fight, target, deed, i):
    """Roll the check of the fighter that resists a maneuver."""
    extra = size_advantage(fight, target, i) if SIZE_COUNTS[deed] else 0
    more = hooks.contest_of(fight, target, i, deed, False)
    return roll_side(fight, target, i, AGAINST[deed], extra, SIZE_DIFFERENCE, more, fight.defense_roll)


@rule("Combat > The Engagement > Attack Resolution Process > Resolution Phases", "R-33")
def apply_effects(fight, log, first):
    """Apply effects in timing order, from index `first`, to fighters that are still in the fight.

    A push precedes its side effects. If a fighter has swung past another and may now be tripped, stop and return that
    fighter's index in timing order. Return the number of fighters once all effects are applied.
    """
    for spot in range(first, fight.n):
        i = fight.order[spot]
        square = square_of(fight, i)
        if has_effect(fight, i):
            push_by_effect(fight, log, i)
        if has_effect(fight, i):
            apply_effect(fight, log, i)
        hooks.applies(fight, i, log)
        if fight.fighters[i].deed == SWING_PAST and square_of(fight, i) != square and steps_past(fight, i):
            return spot
    return np.int64(fight.n)


@compiled
def end_phase(fight, log):
    """Clear the squeezes, end the conditions that the phase's attacks and effects end, and log the changes."""
    forget_squeezes(fight)
    end_what_strikes_end(fight, log)
    tell_conditions(fight, log)


@inlined
def has_effect(fight, i):
    """Return whether fighter i attacked or maneuvered against a fighter that is still in the fight."""
    return acts_on_target(fight, i) and fight.fighters[fight.fighters[i].target].status == STANDING


@unfolded
def apply_effect(fight, log, i):
    """Apply the cunning levels of an attack, or the effect of a successful maneuver."""
    fighter = fight.fighters[i]
    if fighter.deed == STRIKE:
        inflict_cunning_levels(fight, i, fighter.target, fighter.detail)
    elif attempts_maneuver(fight, i) and fighter.succeeded:
        do_choice(fight, fighter.deed, log, i, fighter.target, fighter.detail)


@unfolded
def end_what_strikes_end(fight, log):
    """End the conditions that this batch's attack rolls end, then let abilities add their effects."""
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if fighter.struck_at == 0 and fighter.answered_at == 0:
            continue
        for target in range(fight.n):
            if fighter.struck_at >> target & 1:
                end_by_striking(fight, i, target)
            if fighter.answered_at >> target & 1:
                vent_rage(fight, i, target)
    add_effects(fight, log)
    for i in range(fight.n):
        fight.fighters[i].struck_at = fight.fighters[i].answered_at = 0


@with_abilities(None)
@compiled
def add_effects(fight, log):
    """Let the abilities of strikers and of their targets act, in the strikers' timing order."""
    for spot in range(fight.n):
        i = fight.order[spot]
        for target in range(fight.n):
            if fight.fighters[i].struck_at >> target & 1:
                if fight.fighters[target].status == STANDING:
                    hooks.effect(fight, i, log, target)
                hooks.struck(fight, target, log, i)
        if fight.fighters[i].struck_at != 0:
            hooks.has_struck(fight, log, i)

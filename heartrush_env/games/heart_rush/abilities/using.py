"""Using an ability: permission, cost and execution. The abilities themselves are in `abilities/`."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.all import (
    AIM,
    AT_ANY_MOMENT,
    COSTS_ACTION,
    COSTS_INTERACTION,
    FIRST_MADE,
    INSTANT,
    OCCASIONS,
    ON_FALLEN,
    PER_ROUND,
    be_used,
    may_be_used,
)
from heartrush_env.games.heart_rush.abilities.homebrew import row_of
from heartrush_env.games.heart_rush.engine.picks import tell_answers
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import (
    FREQUENCY,
    LETTERS,
    ON_ACTION,
    ON_ENGAGEMENT,
    ON_PHASE,
    SLOTS,
    Aim,
    Frequency,
    show_ability,
    version,
)
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.choices import Cost, Target, action
from heartrush_env.games.heart_rush.rules.costs import may_interact, spend_action, spend_interaction, spend_points
from heartrush_env.games.heart_rush.rules.engaging import by_turns, has_priority, takes_part
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD, MADE_FIELD
from heartrush_env.games.heart_rush.rules.stances import has_action_left
from heartrush_env.games.heart_rush.rules.terms import NOBODY, STANDING, UNCONSCIOUS
from heartrush_env.games.heart_rush.state.events import USE_EVENT, tell
from heartrush_env.tabletop.rule import compiled, only_with, rule

DETAILS = dict(enumerate(LETTERS[:SLOTS]))
USING = "Abilities > Using Abilities"
WINDOWS = ("action", "instant")


@action(
    "use", words="use {detail}", tells="{fighter} means to use {ability}", cost=Cost.NOTHING, details=DETAILS,
    needs=ABILITY_FIELD, windows=WINDOWS,
)  # fmt: skip
class Use:
    """A fighter uses an ability that has no target."""

    def may(fight, i, target, detail):
        return may_use(fight, i, detail, NOBODY, Aim.NOBODY)

    def any_of(fight, i):
        """Return whether any ability may be used now, on any target or none."""
        return may_use_any(fight, i)

    def do(fight, log, i, target, detail):
        use(fight, log, i, detail, NOBODY)

    def note(fight, log, number, i, detail):
        name_ability(fight, log, number, i, detail)


@action(
    "use_at", words="use {detail} on {target}", tells="{fighter} means to use {ability} on {target}", cost=Cost.NOTHING,
    details=DETAILS, target=Target.ENEMY, needs=ABILITY_FIELD, windows=WINDOWS,
)  # fmt: skip
class UseAt:
    """A fighter uses an ability that targets an enemy."""

    def may(fight, i, target, detail):
        return may_use(fight, i, detail, target, Aim.ENEMY)

    def any_of(fight, i):
        """Return False, because `Use.any_of` covers all targets."""
        return False

    def do(fight, log, i, target, detail):
        use(fight, log, i, detail, target)

    def note(fight, log, number, i, detail):
        name_ability(fight, log, number, i, detail)


@action(
    "use_for", words="use {detail} for {target}", tells="{fighter} means to use {ability} for {target}",
    cost=Cost.NOTHING, details=DETAILS, target=Target.COMPANION, needs=ABILITY_FIELD, windows=WINDOWS,
)  # fmt: skip
class UseFor:
    """A fighter uses an ability that targets an ally, at any distance that the ability allows."""

    def may(fight, i, target, detail):
        return may_use(fight, i, detail, target, Aim.ALLY)

    def any_of(fight, i):
        """Return False, because `Use.any_of` covers all targets."""
        return False

    def do(fight, log, i, target, detail):
        use(fight, log, i, detail, target)

    def note(fight, log, number, i, detail):
        name_ability(fight, log, number, i, detail)


@compiled
def name_ability(fight, log, number, i, slot):
    """Write the number of the declared ability into the declaration's event."""
    log.events[number].amount = fight.fighters[i].loadout[slot]


@rule(USING, "R-18", "R-94")
def may_use(fight, i, slot, target, aim):
    """Return whether a fighter may use an ability on this occasion; an instant answers an event only once."""
    if slot >= fight.fighters[i].slots or has_answered(fight, i, slot):
        return False
    return still_may_use(fight, i, slot, target, aim)


@rule(USING, "R-18")
def still_may_use(fight, i, slot, target, aim):
    """Return whether the ability's occasion, aim, cost and frequency let the fighter use it on this target."""
    return is_able(fight, i) and is_usable(fight, i, slot) and may_use_on(fight, i, slot, target, aim)


@rule(USING, "R-94")
def has_answered(fight, i, slot):
    """Return whether fighter i has answered the current event with the instant in this slot."""
    return fight.occasion != ON_ACTION and fight.fighters[i].answered >> slot & 1 == 1


@compiled
def usable_slots(fight, i):
    """Return a bit for each ability of fighter i whose use the occasion, the cost and the frequency allow now."""
    usable = np.int64(0)
    if is_able(fight, i):
        for slot in range(fight.fighters[i].slots):
            if is_usable(fight, i, slot) and not has_answered(fight, i, slot):
                usable |= np.int64(1) << slot
    return usable


@rule(USING, "R-18")
def is_usable(fight, i, slot):
    """Return whether the occasion, cost and frequency of the ability in a slot allow fighter i to use it, if able."""
    number = fight.fighters[i].loadout[slot]
    if number < 0:  # not lent now
        return False
    if OCCASIONS[version(fight, i, slot), number] >> fight.occasion & 1 == 0:
        return False
    return is_its_moment(fight, i, number) and can_afford(fight, i, slot)


@rule(USING, "R-18")
def may_use_on(fight, i, slot, target, aim):
    """Return whether fighter i may use a usable ability on this target, or on none."""
    number = fight.fighters[i].loadout[slot]
    if AIM[number] != aim or (target != NOBODY and not may_be_aimed_at(number, fight.fighters[target])):
        return False
    return may_be_used(fight, number, i, slot, target)


@by_turns(True)
@rule("Classic > Minor Abilities", "R-255", "R-257")
def is_its_moment(fight, i, number):
    """Return whether the turns of the sides and the engagement leave fighter i this moment for an ability.

    A side's turn is for its own fighters, and the moments of an engagement are for those in it. Instants that answer no
    event are free of both.
    """
    if fight.occasion == ON_ACTION:
        return INSTANT[number] or has_priority(fight, i)
    is_of_engagement = ON_ENGAGEMENT <= fight.occasion <= ON_PHASE
    return not is_of_engagement or AT_ANY_MOMENT[number] or takes_part(fight, i)


@rule(USING, "R-124")
def may_be_aimed_at(number, target):
    """Return whether an ability may target a fighter in its state: standing or, for some abilities, unconscious."""
    return target.status == STANDING or (ON_FALLEN[number] and target.status == UNCONSCIOUS)


@rule(USING, "R-18")
def can_afford(fight, i, slot):
    """Return whether fighter i can pay for a use of the ability in this slot.

    Use number k of a minor ability costs k rush points. An ability that is neither minor nor passive works once.
    """
    fighter = fight.fighters[i]
    number = fighter.loadout[slot]
    frequency = FREQUENCY[version(fight, i, slot), number]
    if 0 < PER_ROUND[version(fight, i, slot), number] <= fighter.uses_now[slot]:
        return False
    if COSTS_ACTION[version(fight, i, slot), number] and not has_action_left(fighter):
        return False
    if COSTS_INTERACTION[number] and not may_interact(fight, i):
        return False
    if frequency == Frequency.MINOR:
        return fighter.rush >= price_of(fight, i, slot)
    return frequency == Frequency.PASSIVE or is_unused(fight, i, slot)


@rule("Classic > Major Abilities", "R-261")
def is_unused(fight, i, slot):
    """Return whether fighter i has not used the ability in this slot in this fight, and so has not in this day."""
    return fight.fighters[i].uses[slot] == 0


@rule("Classic > Minor Abilities", "R-256")
def price_of(fight, i, slot):
    """Return the rush points for the next use of the minor ability in this slot."""
    fixed = fixed_price(fight, i, slot)
    return fixed if fixed > 0 else np.int64(hooks.price(fight, i, slot, np.int64(fight.fighters[i].uses[slot]) + 1))


@only_with(MADE_FIELD, np.int64(0))
@compiled
def fixed_price(fight, i, slot):
    """Return the rush points for each use of a homebrew ability that has a fixed price, or 0."""
    return np.int64(row_of(fight, i, slot).rush) if fight.fighters[i].loadout[slot] >= FIRST_MADE else np.int64(0)


@compiled
def may_use_any(fight, i):
    """Return whether fighter i may use any of its abilities now, on any target or none."""
    fighter, usable = fight.fighters[i], usable_slots(fight, i)
    for slot in range(fighter.slots):
        if usable >> slot & 1 == 0:
            continue
        if may_use_on(fight, i, slot, NOBODY, Aim.NOBODY):
            return True
        for place in range(fighter.enemy_count):
            if may_use_on(fight, i, slot, fighter.enemies[place], Aim.ENEMY):
                return True
        for place in range(fighter.ally_count):
            if may_use_on(fight, i, slot, fighter.allies[place], Aim.ALLY):
                return True
    return False


@rule(USING, "R-18")
def use(fight, log, i, slot, target):
    """Pay for an ability, reveal it to all fighters and apply its effect."""
    fighter = fight.fighters[i]
    number = fighter.loadout[slot]
    price = np.int64(0)
    if FREQUENCY[version(fight, i, slot), number] == Frequency.MINOR:
        price = price_of(fight, i, slot)
        if price > 0:
            spend_points(fight, log, i, price)
    if COSTS_ACTION[version(fight, i, slot), number]:
        spend_action(fighter)
    if COSTS_INTERACTION[number]:
        spend_interaction(fight, i)
    fighter.uses[slot] = min(255, fighter.uses[slot] + 1)
    fighter.uses_now[slot] = min(255, fighter.uses_now[slot] + 1)
    hooks.has_used(fight, i, log, slot, price if fixed_price(fight, i, slot) == 0 else np.int64(0))
    show_ability(fight, i, slot)
    tell(fight, log, USE_EVENT, i, target, slot, number)
    tell_answers(fight, log, i, slot)
    be_used(fight, number, log, i, slot, target)

"""Frenzy."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.abilities import (
    FREQUENCY,
    MINUTE,
    ON_ACTION,
    WITH_ROUND,
    Frequency,
    is_destined,
    memo,
    remember,
    show_ability,
    version,
)
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.healing import heal
from heartrush_env.games.heart_rush.rules.terms import DAZED, OFF_BALANCED, STANDING, WEAKENED
from heartrush_env.tabletop.rng import roll_sum
from heartrush_env.tabletop.rule import compiled


@ability(
    "frenzy", on=[ON_ACTION], rulings=["R-120", "R-237"],
    left_out="copies that cost no less than the ability itself",
)  # fmt: skip
class Frenzy:
    """For a minute, the owner has a minor ability more, which has a price of its own and copies another one.

    After the minute the owner is dazed, off-balanced and weakened by one level for each copy, until a long rest. In the
    destiny version each copy also heals a roll of its heart die. The memo is the round of the use and the copies made.
    """

    def may(fight, i, slot, target):
        """Return whether the owner has a minor ability to copy."""
        fighter = fight.fighters[i]
        for other in range(fighter.slots):
            number = fighter.loadout[other]  # below 0 if it is not lent now
            if number >= 0 and FREQUENCY[version(fight, i, other), number] == Frequency.MINOR:
                return True
        return False

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, WITH_ROUND * np.int64(fight.round_number))

    def price(fight, i, slot, used, points):
        return min(points, next_price(fight, i, slot)) if is_frenzied(fight, i, slot) else points

    def has_used(fight, i, slot, log, used, price):
        fighter = fight.fighters[i]
        own_price = np.int64(fighter.uses[used])  # this use counts already
        if is_frenzied(fight, i, slot) and price == next_price(fight, i, slot) and price < own_price:
            fighter.uses[used] = own_price - 1
            remember(fight, i, slot, memo(fight, i, slot) + 1)
            show_ability(fight, i, slot)
            if is_destined(fight, i, slot):
                heal(fight, log, i, i, roll_sum(fight, 1, fighter.heart))

    def round_starts(fight, i, slot, log):
        copies = memo(fight, i, slot) % WITH_ROUND
        if copies > 0 and rounds_since(fight, i, slot) == MINUTE and fight.fighters[i].status == STANDING:
            inflict(fight, i, i, DAZED, copies)
            inflict(fight, i, i, OFF_BALANCED, copies)
            inflict(fight, i, i, WEAKENED, copies)

    def holds(fight, i, slot, victim, condition):
        is_after = victim == i and rounds_since(fight, i, slot) > MINUTE
        is_held = condition == DAZED or condition == OFF_BALANCED or condition == WEAKENED
        return memo(fight, i, slot) % WITH_ROUND if is_after and is_held else 0


@compiled
def is_frenzied(fight, i, slot):
    """Return whether the minute of fighter i's frenzy is not over."""
    return memo(fight, i, slot) > 0 and rounds_since(fight, i, slot) < MINUTE


@compiled
def rounds_since(fight, i, slot):
    """Return the number of rounds since the use of the ability."""
    return np.int64(fight.round_number) - memo(fight, i, slot) // WITH_ROUND


@compiled
def next_price(fight, i, slot):
    """Return the price of the next copy: one point more than copies have been made."""
    return memo(fight, i, slot) % WITH_ROUND + 1

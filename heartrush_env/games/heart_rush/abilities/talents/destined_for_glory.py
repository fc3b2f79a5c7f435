"""Destined for Glory."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, dice
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.dice import kept_dice, throw_further
from heartrush_env.tabletop.rule import compiled

DICE = dice("destined_for_glory", "dice")


@ability("destined_for_glory", rulings=["R-114"])
class DestinedForGlory:
    """Two matching dice in the owner's attack or defense roll earn extra dice, once per roll."""

    def rolled(fight, i, slot, kind, other, roll):
        if has_match(roll):
            throw_further(fight, roll, DICE[version(fight, i, slot), 0], DICE[version(fight, i, slot), 1])


@compiled
def has_match(roll):
    """Return whether two of the dice that count show the same number."""
    kept = kept_dice(roll)
    for k in range(roll.count):
        for earlier in range(k):
            if kept >> k & 1 and kept >> earlier & 1 and roll.results[k] == roll.results[earlier]:
                return True
    return False

"""Crescendo of Blows."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, dice
from heartrush_env.games.heart_rush.engine.strikes import is_own_attack
from heartrush_env.games.heart_rush.rules.abilities import note, notes, remember
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice
from heartrush_env.tabletop.rule import compiled

DICE = dice("crescendo_of_blows", "die")[0]


@ability("crescendo_of_blows", rulings=["R-176"])
class CrescendoOfBlows:
    """The owner's attacks have an extra die for each creature that it has attacked this round, the target included.

    The memo is the set of these creatures.
    """

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)

    def attack(fight, i, slot, target, stance):
        if is_own_attack(fight, i):
            add_bonus_dice(fight.pool, DICE[0] * (1 + others_attacked(fight, i, slot, target)), DICE[1])
        return 0

    def attacked(fight, i, slot, striker, target, cause, damage):
        if striker == i:
            note(fight, i, slot, target, True)


@compiled
def others_attacked(fight, i, slot, target):
    """Return how many creatures besides the target the owner has attacked this round."""
    found = 0
    for j in range(fight.n):
        found += j != target and notes(fight, i, slot, j)
    return found

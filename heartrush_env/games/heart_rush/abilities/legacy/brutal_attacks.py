"""Brutal Attacks."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.dice import kept_dice, sides_of, throw_further
from heartrush_env.games.heart_rush.rules.terms import ATTACK

MOST = 20  # the most dice that the ability adds to a roll


@ability("brutal_attacks", rulings=["R-136"])
class BrutalAttacks:
    """Each die of an attack roll that shows its maximum adds a die of its size; the part about spells is not played."""

    def rolled(fight, i, slot, kind, other, roll):
        if kind != ATTACK:
            return
        thrown, kept = roll.count, kept_dice(roll)
        k, further = 0, 0
        while k < roll.count and further < MOST:  # the roll grows
            sides = sides_of(roll, k)
            adds = hooks.explodes(fight, i, sides, sides) <= roll.results[k] <= sides
            if adds and (k >= thrown or kept >> k & 1):
                throw_further(fight, roll, 1, sides)
                further += 1
            k += 1

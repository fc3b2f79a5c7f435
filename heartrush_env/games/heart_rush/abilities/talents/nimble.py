"""Nimble."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.talents.still_fresh import is_enemy
from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.abilities import is_destined
from heartrush_env.games.heart_rush.rules.terms import OFF_BALANCED


@ability("nimble", rulings=["R-203"])
class Nimble:
    """The owner passes enemies, may move within their reach, and gains no levels of off-balanced from them.

    In the destiny version, it may also dash out of their reach.
    """

    def passes(fight, i, slot, other):
        return True

    def escapes(fight, i, slot, mover, enemy, leaves):
        return mover == i and (not leaves or is_destined(fight, i, slot))

    def suffers(fight, i, slot, condition, source, given):
        return -given if condition == OFF_BALANCED and is_enemy(fight, i, source) else 0

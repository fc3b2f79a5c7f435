"""Dice that an ability adds to the pool of the current roll."""

from __future__ import annotations

from typing import Any

from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice
from heartrush_env.tabletop.rule import compiled


@compiled
def add_own_dice(fight: Any, i: Any, slot: Any, figures: Any) -> None:
    """Add the dice of the owner's version of an ability to the pool; `figures` is the result of `unit.dice`."""
    row = version(fight, i, slot)
    add_bonus_dice(fight.pool, figures[row, 0], figures[row, 1])

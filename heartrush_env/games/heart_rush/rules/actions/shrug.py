"""Taking Damage: shrugging off a hit or taking it."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.choices import choice
from heartrush_env.games.heart_rush.rules.taking_damage import may_shrug, pending_hit
from heartrush_env.games.heart_rush.rules.terms import NOBODY


@choice("shrug", windows=("shrug",), words="shrug it off")
class Shrug:
    """A fighter shrugs off its pending hit."""

    def may(fight, i, target, detail):
        return pending_hit(fight, i) != NOBODY and may_shrug(fight, fight.fighters[i])


@choice("take", windows=("shrug",), words="take it", fallback=0)
class Take:
    """A fighter takes its pending hit, which is always allowed."""

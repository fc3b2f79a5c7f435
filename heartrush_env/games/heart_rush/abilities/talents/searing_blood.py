"""Searing Blood."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, parts
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.healing import pay_in_blood
from heartrush_env.games.heart_rush.rules.terms import NOBODY

PARTS = parts("searing_blood", "fraction")


@ability("searing_blood", rulings=["R-105"])
class SearingBlood:
    """A fighter that wounds the owner loses hit points; this loss is not damage."""

    def wounded(fight, i, slot, log, victim, striker, rank):
        if victim == i and striker != NOBODY and striker != i:
            pay_in_blood(fight, striker, fight.fighters[i].hp_max // PARTS[version(fight, i, slot)])

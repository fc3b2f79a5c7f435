"""The ability of the Orc Warrior: Savage."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.stances import beats_target
from heartrush_env.games.heart_rush.rules.terms import WEAKENED

LEVELS = figure("orc_warrior.savage", "weakened")


@ability("orc_warrior.savage")
class Savage:
    """A target whose stance the owner's attack beats is weakened, whatever the damage (R-6)."""

    def effect(fight, i, slot, log, target):
        if beats_target(fight, i, target):
            inflict(fight, i, target, WEAKENED, LEVELS)

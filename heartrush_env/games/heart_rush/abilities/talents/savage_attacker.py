"""Savage Attacker."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.held import HEAVY_DIE
from heartrush_env.games.heart_rush.abilities.unit import ability, dice
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.attack_rolls import weapon_die
from heartrush_env.games.heart_rush.rules.terms import MIGHT, NOBODY, STRIKE

DIE = dice("savage_attacker", "die")


@ability("savage_attacker", rulings=["R-210"])
class SavageAttacker:
    """The collisions of the owner's pushes by might with a heavy weapon deal larger dice."""

    def collides(fight, i, slot, die):
        fighter = fight.fighters[i]
        by_might = fighter.deed == STRIKE and fighter.stance == MIGHT and weapon_die(fight, i, NOBODY) == HEAVY_DIE
        return np.int64(DIE[version(fight, i, slot), 1]) if by_might else die

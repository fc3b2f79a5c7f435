"""The ability of the Faceless Servant: Vanish."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.taking_damage import deadly_depth


@ability("faceless_servant.vanish", rulings=["R-190"])
class Vanish:
    """Any damage puts the owner out of the fight for good, whatever its hit points."""

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        if victim == i and damage > 0:
            fighter = fight.fighters[i]
            fighter.hp = min(fighter.hp, -max(np.int64(fighter.hp_max), deadly_depth(fight, fighter)))

"""An ability of the Hex Priest: Grasping Ground."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, Aim
from heartrush_env.games.heart_rush.rules.actions.scenario_objects import change_ground
from heartrush_env.games.heart_rush.rules.cover import is_within
from heartrush_env.games.heart_rush.rules.space import FLOOR, ROUGH, cell_at
from heartrush_env.games.heart_rush.rules.terms import FEET

RANGE, SIDE = figure("hex_priest.grasping_ground", "range_ft"), figure("hex_priest.grasping_ground", "side_ft") // FEET


@ability(
    "hex_priest.grasping_ground", on=[ON_ACTION], aim=Aim.ENEMY, per_round=(1, 1), needs="cells",
    left_out="squares that do not begin where an enemy does",
)  # fmt: skip
class GraspingGround:
    """Floor becomes difficult ground in a square of 10 feet that begins at an enemy's north-western square."""

    def may(fight, i, slot, target):
        """Return whether the enemy is within range and there is any floor to change."""
        other = fight.fighters[target]
        if not is_within(fight, i, target, RANGE):
            return False
        for place in range(SIDE * SIDE):
            if cell_at(fight, np.int64(other.x) + place % SIDE, np.int64(other.y) + place // SIDE) == FLOOR:
                return True
        return False

    def do(fight, log, i, slot, target):
        other = fight.fighters[target]
        for place in range(SIDE * SIDE):
            x, y = np.int64(other.x) + place % SIDE, np.int64(other.y) + place // SIDE
            if cell_at(fight, x, y) == FLOOR:
                change_ground(fight, log, x, y, ROUGH)

"""Push Off."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import DIRECTION, ability, figures, later, options
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, memo, open_pick, remember
from heartrush_env.games.heart_rush.rules.actions.sidestep import step_out_of_turn, steps_out_of_turn
from heartrush_env.games.heart_rush.rules.paths import dash_budget
from heartrush_env.games.heart_rush.rules.space import is_beside_wall, square_of
from heartrush_env.games.heart_rush.rules.terms import FEET
from heartrush_env.tabletop.rule import compiled

ADVANTAGE = int(figures("push_off", "advantage")[0])
MOST = int(figures("push_off", "max_ft")[0]) // FEET  # squares
TIMES = figures("push_off", "per_round")
STEP, FURTHER = range(2)  # the parts
# The parts of the memo: how many values each has, and what it is multiplied by.
TRADED, WAY, READY = 16, 16, 2
WAYS = TRADED
WAITS = WAYS * WAY
SQUARES = WAITS * READY


@ability(
    "push_off", on=[ON_ACTION], needs="cells", per_round=(int(TIMES[0]), int(TIMES[1])), rulings=["R-207"],
    picks=[later(DIRECTION), later(options("another square"), optional=True)],
)  # fmt: skip
class PushOff:
    """Beside a wall, the owner trades some of its dash for a straight sidestep of that length.

    Its next attack or defense roll of the round has advantage if it is still where it has landed. The memo holds the
    squares traded, the direction, whether the advantage waits, and the square where the owner has landed.
    """

    def may(fight, i, slot, target):
        able = fight.fighters[i].dash and dash_budget(fight, i) > 0 and is_beside_wall(fight, i)
        return able and steps_out_of_turn(fight, i) != 0

    def do(fight, log, i, slot, target):
        open_pick(fight, i, i, slot, STEP)

    def may_pick(fight, i, slot, who, part, picked):
        way = picked if part == STEP else memo(fight, i, slot) // WAYS % WAY
        return steps_out_of_turn(fight, i) >> way & 1 == 1

    def picked(fight, log, i, slot, who, part, picked):
        before = memo(fight, i, slot)
        way = np.int64(picked) if part == STEP else before // WAYS % WAY
        step_out_of_turn(fight, log, i, way)
        traded = before % TRADED + 1
        remember(fight, i, slot, square_of(fight, i) * SQUARES + WAITS + way * WAYS + traded)
        goes_on = part == STEP and MOST > 1 and dash_budget(fight, i) > 0
        if goes_on and steps_out_of_turn(fight, i) >> way & 1 == 1:
            open_pick(fight, i, i, slot, FURTHER)

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)

    def speed_of(fight, i, slot, mover, holding, squares):
        if mover != i or holding or not fight.fighters[i].dash:
            return squares
        return max(np.int64(0), squares - memo(fight, i, slot) % TRADED)

    def attack(fight, i, slot, target, stance):
        return ADVANTAGE if has_landed(fight, i, slot) else 0

    def defense(fight, i, slot, striker, stance):
        return ADVANTAGE if has_landed(fight, i, slot) else 0

    def rolled(fight, i, slot, kind, other, roll):
        if has_landed(fight, i, slot):
            remember(fight, i, slot, memo(fight, i, slot) % WAITS)


@compiled
def has_landed(fight, i, slot):
    """Return whether the owner's next roll has the advantage: it is unspent, and the owner is where it landed."""
    kept = memo(fight, i, slot)
    return kept // WAITS % READY == 1 and kept // SQUARES == square_of(fight, i)

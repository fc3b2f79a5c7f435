"""Double Shot."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, memo_for, remember_now, version
from heartrush_env.games.heart_rush.rules.terms import RANGED
from heartrush_env.games.heart_rush.rules.weapons import type_against

MORE = figures("double_shot", "extra_targets")


@ability("double_shot", on=[ON_ACTION], rulings=["R-35", "R-126"])
class DoubleShot:
    """This round's attack with a ranged weapon is followed by an attack on a second target.

    In the destiny version, an attack on a third target follows.
    """

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, MORE[version(fight, i, slot)])

    def follows_up(fight, i, slot, target):
        left = memo_for(fight, i, slot, 1)
        if left == 0 or type_against(fight, i, target) != RANGED:
            return False
        remember_now(fight, i, slot, left - 1)
        return True

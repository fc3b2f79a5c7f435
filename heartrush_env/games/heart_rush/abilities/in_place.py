"""Deeds of abilities in place of an attack: chosen as the owner's phase begins, and done with the phase's effects.

The memory of such an ability names the deed of the round: the creature, and a number that says what is to be done. The
lowest bits are left for a set of creatures.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules.abilities import fighter_named, memo, remember
from heartrush_env.games.heart_rush.rules.actions.attack import is_attacker
from heartrush_env.games.heart_rush.rules.rush_points import mark_active
from heartrush_env.games.heart_rush.rules.stances import may_attack
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS, NOBODY, STANDING
from heartrush_env.tabletop.rule import compiled

SET = 1 << MOST_FIGHTERS  # the deed is the part of the memo above this
CREATURES = 2 * MOST_FIGHTERS  # the lowest part of a deed: one more than the creature, or 0 once the deed is done
DETAILS = 256  # the part above: what is to be done, below this; the highest part is the round


@compiled
def may_give_up_attack(fight: Any, i: Any, target: Any) -> Any:
    """Return whether fighter i may do something else now in place of an attack on this target."""
    return is_attacker(fight, i) and may_attack(fight, i, target)


@compiled
def plan_deed(fight: Any, i: Any, slot: Any, target: Any, detail: Any) -> None:
    """Choose what fighter i does to the target in place of its attack."""
    deed = (np.int64(fight.round_number) * DETAILS + detail) * CREATURES + 1 + target
    remember(fight, i, slot, deed * SET + memo(fight, i, slot) % SET)
    mark_active(fight, i, target)


@compiled
def has_planned(fight: Any, i: Any, slot: Any) -> Any:
    """Return whether fighter i has chosen such a deed in this round."""
    return memo(fight, i, slot) // (SET * CREATURES * DETAILS) == fight.round_number


@compiled
def detail_of(fight: Any, i: Any, slot: Any) -> Any:
    """Return what fighter i's deed of the round does."""
    return memo(fight, i, slot) // (SET * CREATURES) % DETAILS


@compiled
def forget_deed(fight: Any, i: Any, slot: Any) -> None:
    """Forget the deed of an engagement that is over; the lowest part of the memory stays."""
    remember(fight, i, slot, memo(fight, i, slot) % SET)


@compiled
def take_target(fight: Any, i: Any, slot: Any) -> Any:
    """Return the target of a deed that is to be done now, and forget it; NOBODY if there is none that stands."""
    number = memo(fight, i, slot) // SET
    target = fighter_named(fight, number % CREATURES)
    if target == NOBODY:
        return target
    remember(fight, i, slot, memo(fight, i, slot) - number % CREATURES * SET)
    return target if fight.fighters[target].status == STANDING else np.int64(NOBODY)

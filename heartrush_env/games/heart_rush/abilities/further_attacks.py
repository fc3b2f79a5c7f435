"""Further attacks that an ability lets its owner choose after the first: their levels and their pushes.

The memory of such an ability has four bits for each fighter: one more than the levels that the owner's further attack
on it names, or 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import memo, remember
from heartrush_env.games.heart_rush.rules.cunning import CUNNING_LEVELS, inflict_cunning_levels
from heartrush_env.games.heart_rush.rules.forced_movement import push_away
from heartrush_env.games.heart_rush.rules.might_push import feet_of_push
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.stances import beats_target, may_attack
from heartrush_env.games.heart_rush.rules.terms import ATTACK, FROM_FOLLOW_UP, MELEE, MIGHT, NOBODY
from heartrush_env.games.heart_rush.rules.weapons import type_against
from heartrush_env.tabletop.rule import compiled

BITS = 4


@compiled
def note_levels(fight: Any, i: Any, slot: Any, kind: Any, other: Any) -> None:
    """Record the levels that fighter i's further attack on another names, as its dice are rolled."""
    exchange = fight.exchange
    first = hooks.names_levels(fight, i, np.int64(NOBODY)) == slot
    if kind == ATTACK and first and exchange.cause == FROM_FOLLOW_UP and exchange.striker == i:
        place = np.int64(BITS) * other
        others = memo(fight, i, slot) & ~(np.int64(15) << place)
        remember(fight, i, slot, others | np.int64(fight.fighters[i].detail + 1) << place)


@compiled
def give_levels(fight: Any, log: Any, i: Any, slot: Any, target: Any) -> None:
    """Give the target of a further attack the levels that it names, or push it if the attack is one of might."""
    place = np.int64(BITS) * target
    noted = memo(fight, i, slot) >> place & 15
    if 0 < noted <= len(CUNNING_LEVELS):
        remember(fight, i, slot, memo(fight, i, slot) & ~(np.int64(15) << place))
        inflict_cunning_levels(fight, i, target, noted - 1)
        shove(fight, log, i, target)


@on_map(None)
@compiled
def shove(fight: Any, log: Any, i: Any, target: Any) -> None:
    """Push the target if fighter i attacks in melee with might that beats it."""
    by_might = fight.fighters[i].stance == MIGHT and beats_target(fight, i, target)
    if by_might and type_against(fight, i, target) == MELEE:
        push_away(fight, log, i, target, feet_of_push(fight, i, target))


@compiled
def has_another_target(fight: Any, i: Any) -> Any:
    """Return whether there is a creature that fighter i may attack and has not attacked in this phase."""
    fighter = fight.fighters[i]
    for place in range(fighter.enemy_count):
        target = fighter.enemies[place]
        if fighter.struck_at >> target & 1 or hooks.spares(fight, i, target):
            continue
        if may_attack(fight, i, target):
            return True
    return False

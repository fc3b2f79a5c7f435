"""Everywhere at Once."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.further_attacks import give_levels, note_levels
from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.games.heart_rush.rules.weapons import shoots
from heartrush_env.tabletop.rule import compiled


@ability(
    "everywhere_at_once", rulings=["R-222"],
    left_out="weapons and shields that come to hand for free, and following those whom further attacks push",
)  # fmt: skip
class EverywhereAtOnce:
    """The owner attacks as many legal targets as it likes, one after another.

    Targets of a ranged or thrown weapon must each stand next to one that the owner has attacked.
    """

    def follows_up(fight, i, slot, target):
        return True

    def names_levels(fight, i, slot, slot_before):
        return np.int64(slot) if slot_before == NOBODY else slot_before

    def spares(fight, i, slot, target):
        """Return whether a further target of the owner's missiles stands apart from all earlier ones."""
        return shoots(fight, i, target) and stands_apart(fight, i, target)

    def rolled(fight, i, slot, kind, other, roll):
        note_levels(fight, i, slot, kind, other)

    def effect(fight, i, slot, log, target):
        give_levels(fight, log, i, slot, target)


@compiled
def stands_apart(fight, i, target):
    """Return whether the target is next to no creature that fighter i has attacked in this phase."""
    for j in range(fight.n):
        if fight.fighters[i].struck_at >> j & 1 and j != target and next_to(fight, j, target):
            return False
    return True

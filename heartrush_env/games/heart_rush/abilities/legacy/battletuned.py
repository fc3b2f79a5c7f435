"""Battletuned."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.further_attacks import give_levels, has_another_target, note_levels
from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.terms import NOBODY

MORE = figure("battletuned", "extra_targets")


@ability("battletuned", rulings=["R-222"], left_out="following those whom further attacks push")
class Battletuned:
    """The owner may attack one more target in every engagement."""

    def follows_up(fight, i, slot, target):
        """Return whether the owner may attack one more; the count of this round's uses keeps what it has taken."""
        if fight.fighters[i].uses_now[slot] >= MORE or not has_another_target(fight, i):
            return False
        fight.fighters[i].uses_now[slot] += 1
        return True

    def names_levels(fight, i, slot, slot_before):
        return np.int64(slot) if slot_before == NOBODY else slot_before

    def rolled(fight, i, slot, kind, other, roll):
        note_levels(fight, i, slot, kind, other)

    def effect(fight, i, slot, log, target):
        give_levels(fight, log, i, slot, target)

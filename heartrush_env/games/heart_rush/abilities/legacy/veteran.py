"""Veteran."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figure, options
from heartrush_env.games.heart_rush.rules.abilities import (
    FREQUENCY,
    IS_MASTERY,
    LETTERS,
    ON_ACTION,
    SLOTS,
    Frequency,
    answer,
    version,
)
from heartrush_env.tabletop.rule import compiled

TIMES = figure("veteran", "extra_uses")
WORDS = [f"the mastery in slot {letter}" for letter in LETTERS[:SLOTS]]


@ability("veteran", on=[ON_ACTION], rulings=["R-236"], picks=[options(*WORDS)])
class Veteran:
    """The owner may use its mastery once more."""

    def may(fight, i, slot, target):
        for used in range(fight.fighters[i].slots):
            if is_used_up(fight, i, used):
                return True
        return False

    def may_pick(fight, i, slot, target, part, picked):
        return picked < fight.fighters[i].slots and is_used_up(fight, i, picked)

    def do(fight, log, i, slot, target):
        uses, used = fight.fighters[i].uses, answer(fight, i, 0)
        uses[used] = np.int64(uses[used]) - TIMES


@compiled
def is_used_up(fight, i, used):
    """Return whether fighter i has spent the use of a mastery in this slot."""
    fighter = fight.fighters[i]
    number = fighter.loadout[used]
    is_major = FREQUENCY[version(fight, i, used), number] == Frequency.MAJOR
    return IS_MASTERY[number] and is_major and fighter.uses[used] >= TIMES

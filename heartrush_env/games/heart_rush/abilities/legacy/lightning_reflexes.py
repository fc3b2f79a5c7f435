"""Lightning Reflexes."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.abilities import ANY_MOMENT, memo_for, remember_now
from heartrush_env.games.heart_rush.rules.timing import base_order

DIE = figure("lightning_reflexes", "timing_die")
QUICK = 1  # the memo in the round of a use


@ability(
    "lightning_reflexes", on=ANY_MOMENT, rulings=["R-235"],
    left_out="what others declare between two abilities of its owner",
)  # fmt: skip
class LightningReflexes:
    """Until the round ends, the owner's agility counts as a d20 for timing, and no other fighter answers its uses."""

    def may(fight, i, slot, target):
        return memo_for(fight, i, slot, 1) != QUICK

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, QUICK)
        base_order(fight)

    def round_starts(fight, i, slot, log):
        base_order(fight)

    def timing_die(fight, i, slot, die):
        return max(die, np.int64(DIE)) if memo_for(fight, i, slot, 1) == QUICK else die

    def unanswered(fight, i, slot):
        return memo_for(fight, i, slot, 1) == QUICK

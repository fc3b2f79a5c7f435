"""Last Bastion."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, dice
from heartrush_env.games.heart_rush.rules.abilities import BANKED_DIE

DIE = int(dice("last_bastion", "die")[0, 1])


@ability("last_bastion")
class LastBastion:
    """The dice of the owner's Eternal Fortitude are larger."""

    def improves(fight, i, slot, what, amount):
        return np.int64(DIE) if what == BANKED_DIE else amount

"""The complete choices in the open window, as they are shown to a seat that decides for several fighters."""

from __future__ import annotations

import numpy as np

from heartrush_env.tabletop.choosing.units import NOBODY
from heartrush_env.tabletop.rule import compiled


@compiled
def chosen_deed(fight, i):
    """Return a fighter's complete choice in this window, or NOBODY; always NOBODY under control by fighter."""
    fighter = fight.fighters[i]
    shown = fight.team_control and fight.ending == 0 and not fighter.pending
    return np.int64(fighter.deed) if shown else np.int64(NOBODY)


@compiled
def times_targeted(fight, i, viewer):
    """Return how many complete choices of the viewer's seat are aimed at a fighter."""
    count = 0
    for j in range(fight.n):
        same = fight.fighters[j].team == fight.fighters[viewer].team
        if same and j != viewer and fight.fighters[j].target == i and chosen_deed(fight, j) >= 0:
            count += 1
    return count

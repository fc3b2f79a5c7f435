"""The complete choices in the open window, as they are shown to those who decide for their side.

A seat that decides for several fighters sees what it has chosen for the others. If choices are `shared`, every fighter
sees those of its allies.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.tabletop.choosing.units import NOBODY
from heartrush_env.tabletop.rule import compiled


@compiled
def chosen_deed(fight, i, shared):
    """Return a fighter's complete choice in this window if its side sees it, else NOBODY."""
    fighter = fight.fighters[i]
    shown = (fight.team_control or shared) and fight.ending == 0 and not (fighter.pending or fighter.waits)
    return np.int64(fighter.deed) if shown else np.int64(NOBODY)


@compiled
def times_aimed_at(fight, i, viewer, shared):
    """Return how many choices of the viewer's allies, of those that the viewer sees, are aimed at a fighter."""
    count = 0
    for j in range(fight.n if fight.team_control or shared else 0):
        same = fight.fighters[j].team == fight.fighters[viewer].team
        count += same and j != viewer and fight.fighters[j].target == i and chosen_deed(fight, j, shared) >= 0
    return count

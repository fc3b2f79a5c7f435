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

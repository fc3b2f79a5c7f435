"""Fighters that are aggravated at the owner of an ability."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.terms import AGGRAVATED
from heartrush_env.tabletop.rule import compiled


@compiled
def levels_toward(fight, i, other):
    """Return the levels of aggravated that another fighter has toward fighter i."""
    fighter = fight.fighters[other]
    return np.int64(fighter.levels[AGGRAVATED]) if fighter.source[AGGRAVATED] == i else np.int64(0)

"""Grappler."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.contests import sizes_larger
from heartrush_env.games.heart_rush.rules.terms import BREAK_FREE, FEET, GRAPPLE
from heartrush_env.tabletop.rule import compiled

SIZES = figure("grappler", "size_steps")
ADVANTAGE = figure("grappler", "advantage")
SQUARES = figure("grappler", "speed_ft") // FEET


@ability("grappler", rulings=["R-209"])
class Grappler:
    """The owner grapples targets in any stance that it may attack, with advantage, and moves with its captive.

    It counts as larger in the contest of its grapple, and when its captive tries to break free.
    """

    def needs_no_win(fight, i, slot, target, deed):
        return deed == GRAPPLE

    def contest_of(fight, i, slot, roller, other, deed, tries):
        grapples = deed == GRAPPLE and (roller == i) == tries
        keeps = deed == BREAK_FREE and (roller == i) != tries
        if (roller != i and other != i) or not (grapples or keeps):
            return 0
        if roller != i:
            return advantage_of_size(fight, roller, i, -SIZES)
        return advantage_of_size(fight, i, other, SIZES) + (ADVANTAGE if grapples else 0)

    def speed_of(fight, i, slot, mover, holding, squares):
        return np.int64(SQUARES) if mover == i and holding else squares


@compiled
def advantage_of_size(fight, i, other, sizes):
    """Return by how much fighter i's levels for being larger than another change if i were this many sizes larger."""
    larger = -np.int64(sizes_larger(fight, i, other))
    return max(0, larger + sizes) - max(0, larger)

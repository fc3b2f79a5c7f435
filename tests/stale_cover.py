"""Check whether the cover that a fight on a map has stored is what its rules find now."""

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules.cover import find_cover
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS, NOBODY
from heartrush_env.tabletop.kernels import kernel


def stale_cover(fight: Any) -> list[tuple[int, int]]:
    """Return the last pair of fighters whose stored cover differs from a fresh computation, if there is one."""
    pair = np.full(1, NOBODY)
    find_stale_cover(np.array([fight]), pair)
    return [] if pair[0] == NOBODY else [(int(pair[0]) // MOST_FIGHTERS, int(pair[0]) % MOST_FIGHTERS)]


@kernel
def find_stale_cover(fights: Any, found: Any) -> None:
    """Write into `found` the last pair of fighters whose stored cover is out of date, if there is one."""
    fight = fights[0]
    for i in range(fight.n):
        for j in range(fight.n):
            pair = i * MOST_FIGHTERS + j
            known = fight.cover[pair]
            if i != j and known != NOBODY and known != find_cover(fight, i, j):
                found[0] = pair

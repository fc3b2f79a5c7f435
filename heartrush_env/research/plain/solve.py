"""Solves a duel without levels, layer by layer: the value of every state and the mixes of both sides."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.research.duel import Duel, N
from heartrush_env.research.plain.kernel import solve_layer, stance_game
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.research.zero_sum import Floats

Part = tuple[tuple[int, ...], list[Any]]  # its key, and the arrays that it fills


def plain_parts(table: Tablebase) -> list[Part]:
    """Return the parts of a solution, one per layer, with the arrays that they fill."""
    first = 0 if table.rounds is None else 1
    return [
        ((left,), [table.values[left], *(side[left] for side in (*table.mixes, *table.backs))])
        for left in range(first, len(table.values))
    ]


def solve_plain_part(table: Tablebase, left: int) -> float:
    """Solve all states with this many rounds left (or without a cap); return the largest certificate gap."""
    capped, here = table.rounds is not None, table.values[left]
    after = table.values[left - 1] if capped else here
    mixes, backs = (tuple(side[left] for side in sides) for sides in (table.mixes, table.backs))
    return float(solve_layer(here, after, not capped, table.duel.arrays, *mixes, *backs))


def plain_game(duel: Duel, after: Floats, place: tuple[int, ...]) -> Floats:
    """Return the stance game of one state; `after` holds the values of states after this round."""
    game = np.zeros((N, N))
    stance_game(game, np.ascontiguousarray(after, np.float64), np.array(place), after[place], duel.arrays)
    return game

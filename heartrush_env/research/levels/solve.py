"""Solves duels with levels in parts; a part is all states in which the first fighter has the same hit points."""

from __future__ import annotations

from typing import Any

from heartrush_env.research.levels.kernel import solve_cell
from heartrush_env.research.levels.table import LevelsTablebase

Part = tuple[tuple[int, ...], list[Any]]


def levels_parts(table: LevelsTablebase) -> list[Part]:
    """Return the parts: each one's layer and hit points of the first fighter, with the array that it fills."""
    first = 0 if table.rounds is None else 1
    layers, hp = range(first, len(table.values)), range(1, table.duel.shape[0])
    return [((layer, h0), [table.values[layer, h0]]) for layer in layers for h0 in hp]


def solve_levels_part(table: LevelsTablebase, layer: int, h0: int) -> float:
    """Solve one part and return the largest error of any value."""
    duel, capped = table.levels, table.rounds is not None
    here = table.values[layer]
    after, at_cap, worst = table.values[layer - 1] if capped else here, duel.cap_worth, 0.0
    for h1 in range(1, duel.shape[1]):
        out = solve_cell(here, after, not capped, h0, h1, duel.tools, max(duel.strong), at_cap(h0, h1))
        worst = max(worst, float(out))
    return worst

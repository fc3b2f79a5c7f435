"""Zero-sum matrix games: the optimal mixes, the value, and a certificate of both.

The row side maximises, the column side minimises. A solution carries its own proof: no deviation gains either side more
than the gap reported with its mix. Games with more than two players and general-sum games are not supported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.rule import compiled

Floats = NDArray[np.float64]

EPSILON = 1e-13  # reduced costs above -EPSILON count as 0; all entries are scaled to the range 1 to 2


class SolverError(HeartRushError):
    """A problem cannot be solved, or a file does not hold its solution; the message gives the reason."""


@dataclass(frozen=True)
class Solution:
    """An equilibrium of a matrix game with its certificate."""

    value: float  # expected payoff of the row side
    row: Floats  # (rows,), the row side's mix
    column: Floats  # (columns,)
    row_gap: float  # the maximum gain of the row side by a deviation
    column_gap: float  # the maximum gain of the column side by a deviation


def solve_matrix(payoffs: ArrayLike) -> Solution:
    """Return an equilibrium of the game in which the column side pays `payoffs`, (rows, columns), to the row side."""
    game = np.ascontiguousarray(payoffs, np.float64)
    if game.ndim != 2 or 0 in game.shape:
        raise SolverError(f"A matrix game needs at least one row and one column; got an array of shape {game.shape}.")
    for i, j in np.argwhere(~np.isfinite(game))[:1]:
        raise SolverError(f"A matrix game needs finite payoffs; got {game[i, j]} in row {i}, column {j}.")
    row, column = np.zeros(game.shape[0]), np.zeros(game.shape[1])
    value = float(mix_both(game, row, column, *workspace(*game.shape)))
    return Solution(value, row, column, float((game @ column).max() - value), float(value - (row @ game).min()))


def workspace(rows: int, columns: int) -> tuple[Floats, NDArray[np.int64]]:
    """Return buffers for a game of at most this size: a tableau and a basis."""
    return np.zeros((rows + 1, rows + columns + 1)), np.zeros(rows, np.int64)


@entry_point
def mix_both(game: Any, row: Any, column: Any, tableau: Any, basis: Any) -> Any:
    """Write both optimal mixes and return the value."""
    return mix(game, row, column, tableau, basis)


@compiled
def mix(game: Any, row: Any, column: Any, tableau: Any, basis: Any) -> Any:
    """Write both optimal mixes by the simplex method and return the value.

    Both plans come from one linear program: the primal solution is the column side's plan, and the dual solution is
    the row side's plan. With all payoffs positive, the column side maximises the sum of y subject to game @ y <= 1,
    y >= 0; the value is the inverse of that sum. Bland's pivoting rule never cycles, even in degenerate games.
    """
    rows, columns = game.shape
    least, most = game[0, 0], game[0, 0]
    for i in range(rows):
        for j in range(columns):
            least = min(least, game[i, j])
            most = max(most, game[i, j])
    scale = most - least if most > least else 1.0
    width = columns + rows
    for i in range(rows + 1):
        for j in range(width + 1):
            tableau[i, j] = 0.0
    for i in range(rows):
        for j in range(columns):
            tableau[i, j] = 1.0 + (game[i, j] - least) / scale
        tableau[i, columns + i] = 1.0
        tableau[i, width] = 1.0
        basis[i] = columns + i
    for j in range(columns):
        tableau[rows, j] = -1.0
    while True:
        enters = -1
        for j in range(width):
            if tableau[rows, j] < -EPSILON:
                enters = j
                break
        if enters < 0:
            break
        pivot(tableau, basis, rows, width, enters)
    total = tableau[rows, width]
    for j in range(columns):
        column[j] = 0.0
    for i in range(rows):
        if basis[i] < columns:
            column[basis[i]] = max(0.0, tableau[i, width]) / total
        row[i] = max(0.0, tableau[rows, columns + i]) / total
    return least + scale * (1.0 / total - 1.0)


@compiled
def mix_two(a: Any, b: Any, c: Any, d: Any, firsts: Any, k: Any) -> Any:
    """Solve [[a, b], [c, d]]: return its value, and write both sides' probabilities of their first choice to column k.

    A saddle point is preferred to a mix.
    """
    low = max(min(a, b), min(c, d))
    high = min(max(a, c), max(b, d))
    if low >= high:
        firsts[0, k] = 1.0 if min(a, b) >= min(c, d) else 0.0
        firsts[1, k] = 1.0 if max(a, c) <= max(b, d) else 0.0
        return low
    across = a - b - c + d
    firsts[0, k] = (d - c) / across
    firsts[1, k] = (d - b) / across
    return (a * d - b * c) / across


@compiled
def pivot(tableau: Any, basis: Any, rows: Any, width: Any, enters: Any) -> None:
    """Bring a variable into the basis in place of the first variable to reach zero; ties go to the lowest index."""
    leaves = -1
    best = np.inf
    for i in range(rows):
        if tableau[i, enters] > EPSILON:
            ratio = tableau[i, width] / tableau[i, enters]
            if ratio < best or (ratio == best and basis[i] < basis[leaves]):
                best, leaves = ratio, i
    basis[leaves] = enters
    factor = 1.0 / tableau[leaves, enters]
    for j in range(width + 1):
        tableau[leaves, j] *= factor
    for i in range(rows + 1):
        if i != leaves and tableau[i, enters] != 0.0:
            factor = tableau[i, enters]
            for j in range(width + 1):
                tableau[i, j] -= factor * tableau[leaves, j]


@compiled
def gap(game: Any, row: Any, column: Any, value: Any) -> Any:
    """Return the maximum gain of either side by a deviation."""
    worst = 0.0
    for i in range(len(row)):
        by_row = 0.0
        for j in range(len(column)):
            by_row += game[i, j] * column[j]
        worst = max(worst, by_row - value)
    for j in range(len(column)):
        by_column = 0.0
        for i in range(len(row)):
            by_column += game[i, j] * row[i]
        worst = max(worst, value - by_column)
    return worst

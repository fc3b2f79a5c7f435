"""Safe answers to what enemies are expected to do: exploit them, but risk no more than has been won from them.

The round is a matrix game against each enemy. An answer is the equilibrium of a modified game: each enemy plays as
expected with a probability, the trust, and freely otherwise (a restricted Nash response). Against an enemy that knows
the answer, it is worth less than the equilibrium. This loss must not exceed the credit: the player's winnings so far
beyond the value of the game, plus an initial stake. So the expected loss over a match, against any enemy, never
exceeds the stake, as far as one round's odds can show (Ganzfried and Sandholm, Safe Opponent Exploitation, 2015).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.kernels import kernel

STEPS: Final = 400  # of regret matching; enough for about 0.001 of what is at stake
TRUSTS: Final = (1.0, 0.9, 0.75, 0.6, 0.45, 0.3, 0.15, 0.0)

Floats = NDArray[np.float64]


@kernel
def balance(games: Any, mine: Any, its: Any, regrets: Any) -> None:
    """Write the player's optimal mix into mine[0], by the algorithm "regret matching plus" with linear averaging.

    Args:
        games: (enemies, own choices, the enemy's choices), worth to the player; it meets all enemies at once.
        mine: (2, own choices): the average mix, and a work buffer.
        its: (enemies, choices), a work buffer.
        regrets: (1 + enemies, choices), a work buffer: the player's regrets, then each enemy's.
    """
    enemies, rows, columns = games.shape
    for i in range(rows):
        mine[0, i], regrets[0, i] = 0.0, 0.0
    for e in range(enemies):
        for j in range(columns):
            regrets[1 + e, j] = 0.0
    for step in range(STEPS):
        total = 0.0
        for i in range(rows):
            total += regrets[0, i]
        for i in range(rows):
            mine[1, i] = regrets[0, i] / total if total > 0.0 else 1.0 / rows
            mine[0, i] += (step + 1.0) * mine[1, i]
        for e in range(enemies):  # each enemy answers the mix of this step
            average = 0.0
            total = 0.0
            for j in range(columns):
                total += regrets[1 + e, j]
            for j in range(columns):
                its[e, j] = regrets[1 + e, j] / total if total > 0.0 else 1.0 / columns
            for j in range(columns):
                for i in range(rows):
                    average -= its[e, j] * mine[1, i] * games[e, i, j]
            for j in range(columns):
                worth = 0.0
                for i in range(rows):
                    worth -= mine[1, i] * games[e, i, j]
                regrets[1 + e, j] = max(0.0, regrets[1 + e, j] + worth - average)
        for e in range(enemies):  # the player answers what the enemies will do next
            total = 0.0
            for j in range(columns):
                total += regrets[1 + e, j]
            for j in range(columns):
                its[e, j] = regrets[1 + e, j] / total if total > 0.0 else 1.0 / columns
        average = 0.0
        for e in range(enemies):
            for i in range(rows):
                for j in range(columns):
                    average += mine[1, i] * its[e, j] * games[e, i, j]
        for i in range(rows):
            worth = 0.0
            for e in range(enemies):
                for j in range(columns):
                    worth += its[e, j] * games[e, i, j]
            regrets[0, i] = max(0.0, regrets[0, i] + worth - average)
    total = 0.0
    for i in range(rows):
        total += mine[0, i]
    for i in range(rows):
        mine[0, i] /= total


def balanced(games: Floats) -> Floats:
    """Return the player's equilibrium mix, (own choices,), in the sum of its games with all enemies at once."""
    enemies, rows, columns = games.shape
    mine, its = np.zeros((2, rows)), np.zeros((enemies, columns))
    balance(np.ascontiguousarray(games), mine, its, np.zeros((1 + enemies, max(rows, columns))))
    mix: Floats = mine[0]
    return mix


def guaranteed(mix: Floats, games: Floats) -> float:
    """Return the worth of a mix against enemies that know it."""
    return float(np.einsum("i,eij->ej", mix, games).min(axis=1).sum())


def answer(games: Floats, expected: Floats, trust: float | Floats, credit: float) -> tuple[Floats, float]:
    """Return the mix that best exploits the expected stances within the credit, and the value of the games.

    Args:
        games: (enemies, own choices, the enemy's choices), worth to the player.
        expected: (enemies, the enemy's choices), probabilities.
        trust: The upper limit of the trust in `expected`, from 0 to 1, for all enemies or for each.
        credit: How much less than the value of the games the mix may be worth at worst.
    """
    safe = balanced(games)
    value = guaranteed(safe, games)
    against = np.einsum("eij,ej->ei", games, expected)
    most = np.broadcast_to(trust, len(games))
    for share in TRUSTS:
        if share > most.max():
            continue
        if share == 0:
            break
        shares = np.minimum(share, most)[:, None, None]
        if (shares == 1).all():
            mix = np.eye(len(safe))[against.sum(axis=0).argmax()]
        else:
            mix = balanced(shares * against[:, :, None] + (1 - shares) * games)
        if guaranteed(mix, games) >= value - credit:
            return mix, value
    return safe, value

"""The view of a duel's state for a network that plays all duels: the probabilities of the next hits, from the rules.

The dice, weapons and armor of two fighters affect a duel only through the probabilities of hits. So the view of a
state describes each way to hurt a fighter in a round by five numbers. The first is the probability of the hit. The
next two are the mean fraction of the fighter's hit points that the hit takes and the probability that it defeats the
fighter, if the fighter takes it. The last two are the same quantities if the fighter shrugs the hit off. The rules
give these numbers for every pair of heart dice. The view ends with the solution of a small game: one round in which
each lost fraction of hit points has the same value. Equilibria are near it, and the network learns the difference.
Nothing else of the sheets is read: networks that also read dice and armor played worse in unseen duels.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, DEFENSIVE
from heartrush_env.research.duel import ATTACKS, EXCHANGE, EXCHANGES, Duel, N
from heartrush_env.research.zero_sum import mix_both, workspace

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]

OWN, OTHER = range(2)
# Exchanges in which both attack if they may, each with a side that it may hurt; a shared stance may hurt either side.
BLOWS = [
    (int(EXCHANGE[own, other, ATTACKS, ATTACKS]), hurt)
    for hurt in (OWN, OTHER)
    for own, other in product(range(N), repeat=2)
    if (MAY_ATTACK[other, own] if hurt == OWN else MAY_ATTACK[own, other])
]
KINDS = 5  # numbers for each blow
STATE = 9  # numbers of the state as a whole
ROUND = 2 * N + 1  # numbers of the solved round: both mixes and its value
COLUMNS = KINDS * len(BLOWS) + STATE + ROUND
MOST_SHRUGS = 4  # for the dice used in training; scales the number of shrugs left
TAKEN = 1  # index among a blow's numbers: the mean fraction of hit points taken
RARELY = 1e-6  # lower bound on the mean fraction of hit points taken

# Might, agility and cunning beat each other in a circle. So shifting a duel's hit probabilities by one or two stances
# gives another duel, and its mixes shift by the same steps. For each number of steps, this lists the source of each
# stance, and TURNED_COLUMNS the columns of a view.
TURNED_STANCES = [[*((stance - step) % ATTACKING_STANCES for stance in range(ATTACKING_STANCES)), DEFENSIVE]
                  for step in range(ATTACKING_STANCES)]  # fmt: skip


def _turned(stances: list[int]) -> Whole:
    """Return the column order of a view after replacing each stance by the one that `stances` lists for it."""
    pairs = [EXCHANGES[exchange][:2] for exchange, _ in BLOWS]
    places = [
        BLOWS.index((int(EXCHANGE[stances[own], stances[other], ATTACKS, ATTACKS]), hurt))
        for (own, other), (_, hurt) in zip(pairs, BLOWS, strict=True)
    ]
    blows = np.arange(KINDS * len(BLOWS)).reshape(len(BLOWS), KINDS)[places].ravel()
    mixes = np.arange(COLUMNS - ROUND, COLUMNS - 1).reshape(2, N)[:, stances].ravel()
    state = np.arange(KINDS * len(BLOWS), COLUMNS - ROUND)
    return np.concatenate([blows, state, mixes, [COLUMNS - 1]])


# By blow and pair of stances, the blow's payoff in the game of a round: positive if it hurts the other side.
COUNTS = np.zeros((len(BLOWS), N, N))
for _place, (_exchange, _hurt) in enumerate(BLOWS):
    COUNTS[_place, *EXCHANGES[_exchange][:2]] = 1.0 if _hurt == OTHER else -1.0

TURNED_COLUMNS = [_turned(stances) for stances in TURNED_STANCES]


class DuelView:
    """The views of a plain duel's states from the point of view of its first fighter."""

    def __init__(self, duel: Duel) -> None:
        """Compute the numbers of all blows, by hit points and heart dice."""
        self.duel = duel
        self.blows = [self._of_side(side) for side in (OWN, OTHER)]

    def rows(self, states: Whole) -> Floats:
        """Return the views (n, COLUMNS) of states (n, 4): hit points and heart die indices, own values first."""
        own, other, heart, other_heart = states.T
        first, second = self.blows[OWN][heart, other_heart, own], self.blows[OTHER][heart, other_heart, other]
        # The logarithm of the number of rounds that each fighter lasts.
        lasts = [-np.log(np.maximum(blows[:, :, 1].mean(axis=1), RARELY)) for blows in (first, second)]
        both = (heart > 0) & (other_heart > 0)
        state = [np.log(own), np.log(other), np.log(own / other), *lasts, lasts[0] - lasts[1]]
        state += [both, heart / MOST_SHRUGS, other_heart / MOST_SHRUGS]
        n = len(states)
        numbers = KINDS * first.shape[1]
        whole = [first.reshape(n, numbers), second.reshape(n, numbers), np.column_stack(state)]
        whole.append(solved_rounds(first, second))
        rows: Floats = np.concatenate(whole, axis=1, dtype=np.float32)
        return rows

    def _of_side(self, side: int) -> Floats:
        """Return the numbers of blows against a side, (own heart, other heart, the side's hit points, blow, number)."""
        duel, hits = self.duel, np.arange(len(self.duel.halves))
        hp = np.arange(duel.shape[side])[:, None]
        chances = duel.chances[:, :, [exchange for exchange, hurt in BLOWS if hurt == side], side]
        heart = np.arange(len(duel.hearts[side]))
        may = (heart > 0)[:, None] if side == OWN else (heart > 0)[None]
        measures = [np.ones((len(hp), len(hits)))]  # of each hit, by hit points
        for left in (hits, duel.halves):
            measures += [np.minimum(left, hp) / np.maximum(hp, 1), (left >= hp).astype(np.float64)]
        numbers = np.einsum("kmed,qhd->kmheq", chances, np.array(measures))
        # A hit that cannot be shrugged off is taken.
        numbers[..., 3:] = np.where(may[:, :, None, None, None], numbers[..., 3:], numbers[..., 1:3])
        written: Floats = numbers.astype(np.float32)
        return written


def solved_rounds(first: Floats, second: Floats) -> Floats:
    """Return the solution of each round, with lost hit point fractions as payoffs: own mix, other mix and value.

    Args:
        first: The numbers of the blows that hurt the own side, (n, blows, KINDS).
        second: The numbers of the blows that hurt the other side, (n, blows, KINDS).

    Returns:
        (n, ROUND)
    """
    shares = np.concatenate([first[:, :, TAKEN], second[:, :, TAKEN]], axis=1)
    games = np.tensordot(shares.astype(np.float64), COUNTS, 1)
    solved = np.zeros((len(games), ROUND))
    tableau, basis = workspace(N, N)
    for game, row in zip(games, solved, strict=True):
        row[-1] = mix_both(game, row[:N], row[N:-1], tableau, basis)
    return solved.astype(np.float32)

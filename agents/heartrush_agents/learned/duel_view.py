"""The view of a duel's state that a network for all duels reads: the chances of the next hits, from the rules.

The dice, weapons and armor of two fighters decide a duel through the chances of hits alone. So the view of a state
describes each way in which a fighter may be hurt in a round by five numbers: how likely it is; which share of the
fighter's hit points it takes in the mean and how likely it defeats the fighter, if it takes the hit; and the same two,
if it shrugs the hit off. The rules give them for every pair of heart dice. At the end stands the solution of a small
game, the round in which each share of hit points lost counts alike: equilibria lie near it, and the network learns by
how far they differ. Nothing else of the sheets is read: networks that read dice and armor as well played duels that
they had not seen worse.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from heartrush_env.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.heart_rush.rules.terms import ATTACKING_STANCES, DEFENSIVE
from heartrush_env.heart_rush.solver.duel import ATTACKS, EXCHANGE, EXCHANGES, Duel, N
from heartrush_env.solver.zero_sum import mix_both, workspace

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]

OWN, OTHER = range(2)
# The exchanges in which both attack if they may, with whom they may hurt: in a shared stance either, else the attacked.
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
MOST_SHRUGS = 4  # of the dice that training knows; scales the number of shrugs left
TAKEN = 1  # among the numbers of a blow, the mean share of hit points that it takes
RARELY = 1e-6  # in the mean, the least share of hit points that counts

# Might, agility and cunning beat each other in a circle. So a duel whose chances are moved on by one or two stances is
# a duel as well, whose mixes are moved on alike. By the number of steps: the stances in whose place each comes, and the
# columns of a view.
TURNED_STANCES = [[*((stance - step) % ATTACKING_STANCES for stance in range(ATTACKING_STANCES)), DEFENSIVE]
                  for step in range(ATTACKING_STANCES)]  # fmt: skip


def _turned(stances: list[int]) -> Whole:
    """The columns of a view whose stances come in the place of these."""
    pairs = [EXCHANGES[exchange][:2] for exchange, _ in BLOWS]
    places = [
        BLOWS.index((int(EXCHANGE[stances[own], stances[other], ATTACKS, ATTACKS]), hurt))
        for (own, other), (_, hurt) in zip(pairs, BLOWS, strict=True)
    ]
    blows = np.arange(KINDS * len(BLOWS)).reshape(len(BLOWS), KINDS)[places].ravel()
    mixes = np.arange(COLUMNS - ROUND, COLUMNS - 1).reshape(2, N)[:, stances].ravel()
    state = np.arange(KINDS * len(BLOWS), COLUMNS - ROUND)
    return np.concatenate([blows, state, mixes, [COLUMNS - 1]])


# By blow and pair of stances, what the blow counts in the game of a round: for its attacker, against whom it hurts.
COUNTS = np.zeros((len(BLOWS), N, N))
for _place, (_exchange, _hurt) in enumerate(BLOWS):
    COUNTS[_place, *EXCHANGES[_exchange][:2]] = 1.0 if _hurt == OTHER else -1.0

TURNED_COLUMNS = [_turned(stances) for stances in TURNED_STANCES]


class DuelView:
    """The views of a plain duel's states from the side of its first fighter."""

    def __init__(self, duel: Duel) -> None:
        """Compute the numbers of all blows, by hit points and heart dice."""
        self.duel = duel
        self.blows = [self._of_side(side) for side in (OWN, OTHER)]

    def rows(self, states: Whole) -> Floats:
        """The views (n, COLUMNS) of states (n, 4): hit points and places of heart dice, the own first."""
        own, other, heart, other_heart = states.T
        first, second = self.blows[OWN][heart, other_heart, own], self.blows[OTHER][heart, other_heart, other]
        # The logarithm of the rounds that each lasts.
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
        """The numbers of blows against one side, (own heart, other's heart, its hit points, blow, number)."""
        duel, hits = self.duel, np.arange(len(self.duel.halves))
        hp = np.arange(duel.shape[side])[:, None]
        chances = duel.chances[:, :, [exchange for exchange, hurt in BLOWS if hurt == side], side]
        heart = np.arange(len(duel.hearts[side]))
        may = (heart > 0)[:, None] if side == OWN else (heart > 0)[None]
        measures = [np.ones((len(hp), len(hits)))]  # of each hit, by hit points
        for left in (hits, duel.halves):
            measures += [np.minimum(left, hp) / np.maximum(hp, 1), (left >= hp).astype(np.float64)]
        numbers = np.einsum("kmed,qhd->kmheq", chances, np.array(measures))
        # What cannot be shrugged off is taken.
        numbers[..., 3:] = np.where(may[:, :, None, None, None], numbers[..., 3:], numbers[..., 1:3])
        written: Floats = numbers.astype(np.float32)
        return written


def solved_rounds(first: Floats, second: Floats) -> Floats:
    """The solution of one round that counts the shares of hit points lost: the own mix, the other's, the value.

    Args:
        first: The numbers of the blows that hurt the own side, (n, blows, KINDS).
        second: The numbers of those that hurt the other, alike.

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

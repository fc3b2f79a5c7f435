"""Predictions of an enemy's next stance from its reveals in a match: a mixture of predictors weighted by their records.

Some predictors count the enemy's past stances in the same situation: after its own latest stances, after the player's,
after both, or in the same round of earlier fights. The others treat the enemy as a reasoner that answers a belief about
the player, sharply or softly, by the odds of the dice or by which stance beats which. Every reveal multiplies a
predictor's weight by the probability that it gave to the revealed stance. A small fraction of all weight is
redistributed, so that the mixture follows an enemy that changes its ways (a fixed-share Bayesian mixture).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.tactics.opponent_model import GAP, Memory, Round
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, NO_STANCE, STANCES

Shares = NDArray[np.float64]  # (stances,)
Matrix = NDArray[np.float64]  # (the enemy's attacking stances, the player's attacking stances), worth to the enemy

HANDED_OUT: Final = 0.02  # fraction of the predictors' weight that is redistributed after each reveal
EARLY: Final = 0.3  # pseudo-counts of each stance, spread like the enemy's stances in general
SURPRISE: Final = 0.03  # fraction of each prediction that allows for any stance
SHARP: Final = 0.01  # temperatures of reasoners, as fractions of what is at stake
SOFT: Final = 0.2
LAST_ROUND: Final = 12  # later rounds of a fight count as this one
ANYTHING: Final[Shares] = np.array([0.31, 0.31, 0.31, 0.07])
EVENLY: Final[Shares] = np.append(np.full(ATTACKING_STANCES, 1 / ATTACKING_STANCES), 0.0)


def situations(memory: Memory) -> list[tuple[Any, ...]]:
    """Return the keys of the enemy's current situation, from general to particular."""
    last = memory.rounds[-3:]
    past = [Round(NO_STANCE, NO_STANCE)] * (3 - len(last)) + last
    (_, other_3), (own_2, other_2), (own_1, other_1) = past
    fight = next((k for k, seen in enumerate(reversed(memory.rounds)) if seen == GAP), len(memory.rounds))
    return [
        ("all",),
        ("its last", other_1),
        ("its last two", other_2, other_1),
        ("its last three", other_3, other_2, other_1),
        ("two ago", other_2),
        ("mine", own_1),
        ("mine two ago", own_2),
        ("my last two", own_2, own_1),
        ("both", own_1, other_1),
        ("both twice", own_2, other_2, own_1, other_1),
        ("round", min(fight, LAST_ROUND)),
        ("round and last", min(fight, LAST_ROUND), other_1),
    ]


class Reader:
    """The predictors of one enemy's next stance, with their weights."""

    def __init__(self) -> None:
        """Start without any knowledge."""
        self._counts: dict[tuple[Any, ...], Shares] = {}
        self._weights: Shares | None = None
        self._asked: tuple[list[tuple[Any, ...]], NDArray[np.float64]] | None = None
        self._rounds = 0

    def new_fight(self) -> None:
        """Forget the last prediction, because the last reveal of a fight is never seen."""
        self._asked = None

    def learn(self, memory: Memory) -> None:
        """Reweight the predictors by the memory's latest reveal, and count that reveal."""
        seen = memory.rounds[-1].other
        if self._asked is None or seen == NO_STANCE:
            return
        situations, predictions = self._asked
        self._asked = None
        for situation in situations:
            self._counts.setdefault(situation, np.zeros(len(STANCES)))[seen] += 1
        if self._weights is not None:
            weights = self._weights * predictions[:, seen]
            self._weights = (1 - HANDED_OUT) * weights / weights.sum() + HANDED_OUT / len(weights)

    def expected_stances(self, memory: Memory, odds: Matrix, edges: Matrix) -> Shares:
        """Return the probability of each of the enemy's stances now.

        Args:
            memory: The stances of both sides in the match.
            odds: The worth of the enemy's stances against the player's, by the odds of the dice.
            edges: The worth of the enemy's stances against the player's, by which stance beats which.
        """
        now = situations(memory)
        predictions = np.concatenate([self._habits(now, memory), reasoners(memory, odds, edges), EVENLY[None]])
        predictions = (1 - SURPRISE) * predictions + SURPRISE * ANYTHING
        if self._weights is None:
            self._weights = np.full(len(predictions), 1 / len(predictions))
        self._asked = now, predictions
        found: Shares = self._weights @ predictions
        return found

    def _habits(self, now: list[tuple[Any, ...]], memory: Memory) -> NDArray[np.float64]:
        """Return the predictions by counts: one for each situation, then one by recent reveals."""
        nothing = np.zeros(len(STANCES))
        counts = np.stack([self._counts.get(situation, nothing) for situation in now] + [memory.recent[1]])
        general = (memory.counts[1] + ANYTHING) / (memory.counts[1].sum() + 1)
        counts += 4 * EARLY * general
        shares: NDArray[np.float64] = counts / counts.sum(axis=1, keepdims=True)
        return shares


def reasoners(memory: Memory, odds: Matrix, edges: Matrix) -> NDArray[np.float64]:
    """Return predictions for an enemy that answers what it believes about the player, (reasoners, stances)."""
    attacks = slice(ATTACKING_STANCES)
    own = np.stack([memory.counts[0] + EVENLY, memory.recent[0], memory.habit(1)[0], memory.habit(2)[0]])[:, attacks]
    last = memory.rounds[-1].own if memory.rounds else NO_STANCE
    latest = np.eye(len(STANCES))[[last]][:, attacks] if last != NO_STANCE else np.zeros((1, ATTACKING_STANCES))
    predicted = np.stack([memory.counts[1], memory.recent[1], memory.habit(1)[1]])[:, attacks]
    found = []
    for worth in (odds, edges):
        answers = (predicted @ -worth) / np.maximum(predicted.sum(axis=1, keepdims=True), 1)  # the player's own answers
        sure = (answers >= answers.max(axis=1, keepdims=True) - 1e-9) * (predicted.any(axis=1, keepdims=True))
        beliefs = np.concatenate([EVENLY[None, attacks], own, latest, sure])
        sums = beliefs.sum(axis=1, keepdims=True)
        beliefs = np.where(sums > 0, beliefs / np.maximum(sums, 1e-9), 1 / ATTACKING_STANCES)
        values = beliefs @ worth.T
        span = max(1e-9, float(worth.max() - worth.min()))
        found += [_logit(values, SHARP * span), _logit(values[:2], SOFT * span)]
    shares = np.concatenate(found)
    return np.hstack([shares, np.zeros((len(shares), 1))])


def _logit(values: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    """Return the logit response to each row of values."""
    powers = np.exp((values - values.max(axis=1, keepdims=True)) / temperature)
    shares: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return shares

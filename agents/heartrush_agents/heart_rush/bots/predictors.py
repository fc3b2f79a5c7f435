"""Agents that exploit an enemy's habits: by imitation, by counters to the last stance, or by predictions.

They target the enemy that the default policy attacks: the standing enemy with the fewest hit points. They leave all
windows except the choice of stance to the default policy. Before the first reveal they take the attacking stances
equally often.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Probabilities
from heartrush_agents.heart_rush.bots.scripted import Shares, StancePlayer, uniform
from heartrush_agents.heart_rush.tables import Features, edge, scenario_of
from heartrush_agents.heart_rush.tactics.opponent_model import History, Memory, Weights
from heartrush_env.games.heart_rush.rules.stances import table_of_beats
from heartrush_env.tabletop.game import Game

Edge = NDArray[np.int64]  # (attacking stances, stances), 1 where an own stance wins, -1 where it loses


class RepeatingPlayer(StancePlayer):
    """A player that repeats its own last stance."""

    memory = 1

    def shares(self, features: Features) -> Shares:
        """Return the player's last stance; before the first reveal, the attacking stances equally often."""
        last = features[self._layout.own_last]
        return last.astype(np.float64) if last.any() else uniform()


class AnsweringPlayer(StancePlayer):
    """A player that knows the best counter to a stance or to a mixture of stances."""

    def __init__(self, game: Game) -> None:
        """Bind the player to a game."""
        super().__init__(game)
        self._edge = edge(scenario_of(game).settings)

    def answer(self, stances: NDArray[Any], features: Features) -> Shares:
        """Return the attacking stance with the most net wins against `stances`; the largest die breaks ties."""
        if not stances.any():
            return uniform()
        scores = self._edge @ stances
        best = scores == scores.max()
        dice = features[self._layout.dice]
        best &= dice == dice[best].max()
        return np.append(best / best.sum(), 0.0)

    def last_of_enemy(self, features: Features) -> Features:
        """Return the enemy's last revealed stance, one-hot."""
        last: Features = features[self._layout.enemy_reveals[self._layout.weakest_enemy(features), 0]]
        return last


class CounteringPlayer(AnsweringPlayer):
    """A player that counters the enemy's last stance."""

    memory = 1

    def shares(self, features: Features) -> Shares:
        """Return the stance that beats the enemy's last stance."""
        return self.answer(self.last_of_enemy(features), features)


class ShiftingPlayer(AnsweringPlayer):
    """A player that keeps a stance that beat the enemy's, and otherwise takes the stance that beats its own."""

    memory = 1

    def __init__(self, game: Game) -> None:
        """Bind the player to a game."""
        super().__init__(game)
        self._beats = table_of_beats(scenario_of(game).settings)

    def shares(self, features: Features) -> Shares:
        """Return the player's last stance after a win; after a loss or a tie, the stance that beats it."""
        own, other = features[self._layout.own_last], self.last_of_enemy(features)
        if own.any() and other.any() and self._beats[own.argmax(), other.argmax()]:
            return own.astype(np.float64)
        return self.answer(own, features)


class RememberingPlayer(AnsweringPlayer):
    """A player that keeps the history of the match."""

    memory: int | Literal["match"] = "match"

    def __init__(self, game: Game, *, matches: bool = False) -> None:
        """Bind the player to a game; with `matches`, its memories find repeats of the latest rounds."""
        super().__init__(game)
        self._history = History(self._layout, matches=matches)

    def together(
        self, players: Sequence[RememberingPlayer], features: Features, masks: NDArray[np.int8]
    ) -> Probabilities:
        """Return the policies of `players`, (n, actions): only their stances depend on what each remembers."""
        probabilities = np.zeros(masks.shape)
        asked = masks[:, self._layout.stances[0]] != 0
        for row in np.flatnonzero(asked).tolist():
            probabilities[row, self._layout.stances] = players[row].shares(features[row])
        rest = np.flatnonzero(~asked)
        probabilities[rest, self._layout.defaults(features[rest], masks[rest])] = 1.0
        return probabilities

    def new_match(self) -> None:
        """Forget the enemies."""
        self._history.new_match()

    def new_fight(self) -> None:
        """Keep the history."""
        self._history.new_fight()


class ExpectingPlayer(RememberingPlayer):
    """A player that counters the stances that it expects of the enemy, given the memory of the match."""

    def __init__(self, game: Game, expected: Callable[[Memory, Edge], Weights], *, matches: bool = False) -> None:
        """Bind the player to a game; `expected` returns the weights of the enemy's next stances, (stances,)."""
        super().__init__(game, matches=matches)
        self._expected = expected

    def shares(self, features: Features) -> Shares:
        """Return the best counter to the enemy's expected stances."""
        self._history.look(features)
        memory = self._history.memories[self._layout.weakest_enemy(features)]
        return self.answer(self._expected(memory, self._edge), features)


class HalfPlayer(ExpectingPlayer):
    """A player that, in a random half of its choices, takes attacking stances equally often instead of predicting."""

    def shares(self, features: Features) -> Shares:
        """Return the equal mixture of the predicting policy and the uniform policy."""
        shares: Shares = (super().shares(features) + uniform()) / 2
        return shares


def after_latest(memory: Memory, edge: Edge, *, longest: int) -> Weights:
    """Return what has followed the enemy's latest stances: the last `longest`, or fewer if these are new."""
    return memory.next_stances(longest)


def lately(memory: Memory, edge: Edge) -> Weights:
    """Return the decayed counts of the enemy's stances."""
    weights: Weights = memory.recent[1]
    return weights


def as_before(memory: Memory, edge: Edge, *, kind: str) -> Weights:
    """Return the stance after the longest earlier sequence like the latest rounds; if there is none, all counts.

    `kind` selects the stances of the sequence: "own", "other" or "both".
    """
    found: Weights = memory.after_repeat(kind)[1]
    return found if found.any() else memory.counts[1]


def second_guess(memory: Memory, edge: Edge) -> Weights:
    """Return the counter to the player's own stances so far, as if the enemy counted them."""
    own: Weights = memory.counts[0]
    if not own.any():
        return own
    scores = edge @ own
    return np.append((scores == scores.max()).astype(float), 0.0)

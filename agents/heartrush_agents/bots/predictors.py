"""Agents that play the stances against an enemy's habits: imitation, answers to the last stance, predictions.

They are about the enemy whom the default attacks, the standing one with the fewest hit points, and leave all windows
but the choice of stance to the default. Where nothing has been revealed they take the attacking stances equally often.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.bots.scripted import Shares, StancePlayer, uniform
from heartrush_agents.tables import Features, edge, scenario_of
from heartrush_agents.tactics.opponent_model import OpponentModel
from heartrush_env.core.game import Game
from heartrush_env.heart_rush.rules.stances import who_beats_whom


class RepeatingPlayer(StancePlayer):
    """Takes the stance again that it took last."""

    memory = 1

    def shares(self, features: Features) -> Shares:
        """All on its last stance."""
        last = features[self._layout.own_last]
        return last.astype(np.float64) if last.any() else uniform()


class AnsweringPlayer(StancePlayer):
    """Knows the answer to a stance, or to a mixture of them."""

    def __init__(self, game: Game) -> None:
        """Sit down at a game."""
        super().__init__(game)
        self._edge = edge(scenario_of(game).settings)

    def answer(self, stances: NDArray[Any], features: Features) -> Shares:
        """The attacking stance that beats most, less by what it is beaten; among equals the one of its largest die."""
        if not stances.any():
            return uniform()
        scores = self._edge @ stances
        best = scores == scores.max()
        dice = features[self._layout.dice]
        best &= dice == dice[best].max()
        return np.append(best / best.sum(), 0.0)

    def last_of_enemy(self, features: Features) -> Features:
        """The stance that the enemy revealed last, a 1 among zeros."""
        last: Features = features[self._layout.enemy_reveals[self._layout.weakest_enemy(features), 0]]
        return last


class CounteringPlayer(AnsweringPlayer):
    """Answers the enemy's last stance."""

    memory = 1

    def shares(self, features: Features) -> Shares:
        """All on what beats it."""
        return self.answer(self.last_of_enemy(features), features)


class ShiftingPlayer(AnsweringPlayer):
    """Keeps a stance that beat the enemy's, else takes the one that beats its own."""

    memory = 1

    def __init__(self, game: Game) -> None:
        """Sit down at a game."""
        super().__init__(game)
        self._beats = who_beats_whom(scenario_of(game).settings)

    def shares(self, features: Features) -> Shares:
        """All on its last stance if it has won; after a loss or a tie on the answer to it."""
        own, other = features[self._layout.own_last], self.last_of_enemy(features)
        if own.any() and other.any() and self._beats[own.argmax(), other.argmax()]:
            return own.astype(np.float64)
        return self.answer(own, features)


class PredictingPlayer(AnsweringPlayer):
    """Counts over a match what the enemy takes after its latest stances, and answers what it is to take next."""

    memory: int | Literal["match"] = "match"

    def __init__(self, game: Game, longest: int) -> None:
        """Sit down; predicts from so many stances, or from fewer if it has not seen those followed."""
        super().__init__(game)
        self._model = OpponentModel(self._layout, longest)

    def new_match(self) -> None:
        """Forget the enemy."""
        self._model.new_match()

    def new_fight(self) -> None:
        """Keep the counts."""
        self._model.new_fight()

    def shares(self, features: Features) -> Shares:
        """All on the answer to what has followed so far."""
        self._model.look(features)
        return self.answer(self._model.next_stances(self._layout.weakest_enemy(features)), features)

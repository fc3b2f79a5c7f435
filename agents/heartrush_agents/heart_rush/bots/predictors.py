"""Agents that exploit an enemy's habits: by imitation, by counters to the last stance, or by predictions.

They target the enemy that the default policy attacks: the standing enemy with the fewest hit points. They leave all
windows except the choice of stance to the default policy. Before the first reveal they take the attacking stances
equally often.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.bots.scripted import Shares, StancePlayer, uniform
from heartrush_agents.heart_rush.tables import Features, edge, scenario_of
from heartrush_agents.heart_rush.tactics.opponent_model import OpponentModel
from heartrush_env.games.heart_rush.rules.stances import table_of_beats
from heartrush_env.tabletop.game import Game


class RepeatingPlayer(StancePlayer):
    """Repeats its own last stance."""

    memory = 1

    def shares(self, features: Features) -> Shares:
        """Return the player's last stance; before the first reveal, the attacking stances equally often."""
        last = features[self._layout.own_last]
        return last.astype(np.float64) if last.any() else uniform()


class AnsweringPlayer(StancePlayer):
    """Knows the best counter to a stance or to a mixture of stances."""

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
    """Counters the enemy's last stance."""

    memory = 1

    def shares(self, features: Features) -> Shares:
        """Return the stance that beats the enemy's last stance."""
        return self.answer(self.last_of_enemy(features), features)


class ShiftingPlayer(AnsweringPlayer):
    """Keeps a stance that beat the enemy's; otherwise takes the stance that beats its own."""

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


class PredictingPlayer(AnsweringPlayer):
    """Counts what the enemy takes after its latest stances in a match, and counters its expected next stance."""

    memory: int | Literal["match"] = "match"

    def __init__(self, game: Game, longest: int) -> None:
        """Bind the player to a game; it predicts from the last `longest` stances, or fewer if these are new to it."""
        super().__init__(game)
        self._model = OpponentModel(self._layout, longest)

    def new_match(self) -> None:
        """Forget the enemy."""
        self._model.new_match()

    def new_fight(self) -> None:
        """Keep the counts."""
        self._model.new_fight()

    def shares(self, features: Features) -> Shares:
        """Return the best counter to the stances that have followed the enemy's latest stances so far."""
        self._model.look(features)
        return self.answer(self._model.next_stances(self._layout.weakest_enemy(features)), features)

"""Bots with patterns for others to find: preferences, cycles, delayed copies, fixed reactions, bad shrugs.

They have no memory and react only to the observation, so that one player serves a batch. Most leave every window
except the choice of stance to the default policy. The bad shruggers also decide about hits, and the ladder of quantal
responses uses the tactician's odds in the other windows. If no reveal is available yet, and after a defensive stance,
the reacting bots take the attacking stances equally often.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Probabilities
from heartrush_agents.heart_rush.bots.scripted import FixedPlayer, PatternPlayer, Shares, uniform
from heartrush_agents.heart_rush.tables import Features, edge, scenario_of
from heartrush_agents.heart_rush.tactics.tactician import OddsPlayer
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, STANCES
from heartrush_env.tabletop.game import Game, Observation

Turns = NDArray[np.float64]  # (stances, stances): maps one stance to another; defensive maps to nothing


def one_higher(game: Game) -> Turns:
    """Return a matrix that maps each attacking stance to the stance that beats it, (stances, stances)."""
    turns = np.zeros((len(STANCES), len(STANCES)))
    turns[:ATTACKING_STANCES, :ATTACKING_STANCES] = edge(scenario_of(game).settings)[:, :ATTACKING_STANCES].T > 0
    return turns


class CyclingPlayer(PatternPlayer):
    """A player that takes stances in a fixed order, starting over in every fight."""

    def __init__(self, game: Game, cycle: str) -> None:
        """Bind the player to a game; `cycle` lists stances by their first letters."""
        super().__init__(game)
        letters = [stance[0] for stance in STANCES]
        self.period = len(cycle)  # in rounds; needed to compute the policy exactly
        self._cycle = np.eye(len(STANCES))[[letters.index(letter) for letter in cycle]]

    def many(self, features: Features) -> Shares:
        """Return the stance of the current round in the cycle, for each observation."""
        rounds = self._layout.round.of(features)
        shares: Shares = self._cycle[(rounds - 1) % len(self._cycle)]
        return shares


class ReactingPlayer(PatternPlayer):
    """A player that takes the stance `higher` steps up the circle from the stance revealed `delay` rounds ago."""

    def __init__(self, game: Game, *, own: bool = False, delay: int = 1, higher: int = 0) -> None:
        """Bind the player to a game.

        Args:
            game: The game.
            own: Whether the player reacts to its own stance instead of the enemy's.
            delay: The number of rounds ago; 1 is the last round.
            higher: 0 to copy the stance, 1 for the stance that beats it, 2 for the stance that beats that one.
        """
        super().__init__(game)
        self._own, self._delay = own, delay
        self._turns = np.linalg.matrix_power(one_higher(game), higher)
        self._turns[ATTACKING_STANCES:] = 0.0
        self.memory = delay

    def many(self, features: Features) -> Shares:
        """Return the stance that answers the revealed one, for each observation."""
        return or_evenly(self._shown(features) @ self._turns)

    def _shown(self, features: Features) -> Features:
        """Return the stances that the player reacts to, one-hot, (n, stances)."""
        ago = self._delay - 1
        if self._own:
            shown: Features = features[:, self._layout.own_reveals[ago]]
            return shown
        hp = np.where(features[:, self._layout.enemy_standing] > 0, features[:, self._layout.enemy_hp], np.inf)
        places = self._layout.enemy_reveals[hp.argmin(axis=1), ago]  # (n, stances)
        return np.take_along_axis(features, places, axis=1)


class ShiftingByRulePlayer(ReactingPlayer):
    """A player that keeps or changes its last stance, depending on whether this stance beat the enemy's."""

    memory = 1

    def __init__(self, game: Game, *, after_win: int, else_: int) -> None:
        """Bind the player to a game; the arguments are steps up the circle after a win, and after a loss or tie."""
        super().__init__(game)
        higher = one_higher(game)
        self._beaten_by = higher
        self._after = [np.linalg.matrix_power(higher, places) for places in (after_win, else_)]
        for turns in self._after:
            turns[ATTACKING_STANCES:] = 0.0

    def many(self, features: Features) -> Shares:
        """Return the last stance, kept or changed, for each observation."""
        own, other = features[:, self._layout.own_reveals[0]], self._shown(features)
        has_won = ((other @ self._beaten_by) * own).sum(axis=1, keepdims=True) > 0
        return or_evenly(np.where(has_won, own @ self._after[0], own @ self._after[1]))


def or_evenly(shares: Shares) -> Shares:
    """Return the rows, with empty rows replaced by equal probabilities of the three attacking stances."""
    return np.where(shares.any(axis=1, keepdims=True), shares, uniform())


class BadShrugger(FixedPlayer):
    """A player that takes the attacking stances equally often, and shrugs off every hit or no hit."""

    def __init__(self, game: Game, *, shrugs: bool) -> None:
        """Bind the player to a game; it shrugs off every hit if `shrugs`, otherwise none."""
        super().__init__(game, **dict.fromkeys(STANCES[:ATTACKING_STANCES], 1 / ATTACKING_STANCES))
        self._answer = self._layout.shrug if shrugs else self._layout.take

    def policy(self, observation: Observation) -> Probabilities:
        """Return the policy for one observation, with a fixed answer to hits."""
        one: Probabilities = self.policies(observation["observation"][None], observation["action_mask"][None])[0]
        return one

    def policies(self, features: Features, masks: NDArray[np.int8]) -> Probabilities:
        """Return the policies for many observations, with a fixed answer to hits, (n, actions)."""
        probabilities = super().policies(features, masks)
        hit = masks[:, self._layout.shrug] != 0
        probabilities[hit] = 0.0
        probabilities[hit, self._answer] = 1.0
        return probabilities


class QuantalPlayer(OddsPlayer):
    """A player with logit probabilities of stances, by their stakes against an enemy that mixes its attacks equally."""

    def __init__(self, game: Game, precision: float) -> None:
        """Bind the player to a game; precision 0 is uniform, and a large precision approaches the tactician."""
        super().__init__(game)
        self._precision = precision

    def policy(self, observation: Observation) -> Probabilities:
        """Return the logit probabilities of the stances in a stance window, and the tactician's policy otherwise."""
        if not observation["action_mask"][self._layout.stances[0]]:
            return super().policy(observation)
        worth = self._stance_worth(observation["observation"][None])[0]
        weights = np.exp(self._precision * (worth - worth.max()))
        probabilities = np.zeros(len(observation["action_mask"]))
        probabilities[self._layout.stances[:ATTACKING_STANCES]] = weights / weights.sum()
        return probabilities

"""Agents with simple fixed rules: a single stance, even and weighted mixes, the default, caution, random play."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Player, Probabilities
from heartrush_agents.heart_rush.tables import HEART_RUSH, Features, scenario_of
from heartrush_agents.heart_rush.tactics.default_policy import layout_of
from heartrush_agents.learned.network import Layers
from heartrush_agents.learned.plain import table
from heartrush_env.games.heart_rush.encoding.view import Columns
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, DEFENSIVE, STANCES
from heartrush_env.tabletop.game import Game, Observation

Shares = NDArray[np.float64]  # (..., stances), sums to 1

CAUTION = 0.5  # probability that a threatened turtle hides


class RandomPlayer(Player):
    """A player that chooses each legal action equally often."""

    @property
    def layers(self) -> Layers:
        """The policy as a table, which devices can play."""
        return table(self.game, np.ones(len(self.game.action_names)))

    def policy(self, observation: Observation) -> Probabilities:
        """Return equal probabilities for all legal actions."""
        legal = observation["action_mask"].astype(np.float64)
        probabilities: Probabilities = legal / legal.sum()
        return probabilities

    def policies(self, features: Features, masks: NDArray[np.int8]) -> Probabilities:
        """Return equal probabilities for all legal actions of many observations, (n, actions)."""
        probabilities: Probabilities = masks / masks.sum(axis=1, keepdims=True, dtype=np.float64)
        return probabilities

    def act(self, observation: Observation, rng: np.random.Generator) -> int:
        """Return a random legal action."""
        legal = observation["action_mask"].nonzero()[0]
        return int(legal[rng.integers(len(legal))])


class StancePlayer(Player):
    """A player that chooses stances by its own rule, and leaves every other window to the default policy."""

    def __init__(self, game: Game) -> None:
        """Bind the player to a game."""
        super().__init__(game)
        self._layout = layout_of(game)

    @abstractmethod
    def shares(self, features: Features) -> Shares:
        """Return the probability of each stance."""

    def policy(self, observation: Observation) -> Probabilities:
        """Return the stance probabilities in a stance window, and the default action otherwise."""
        mask = observation["action_mask"]
        probabilities = np.zeros(len(mask))
        if mask[self._layout.stances[0]]:  # all four are legal together
            probabilities[self._layout.stances] = self.shares(observation["observation"])
        else:
            probabilities[self._layout.default(observation)] = 1.0
        return probabilities


class PatternPlayer(StancePlayer):
    """A player that chooses stances from observations alone, for many seats at once."""

    @abstractmethod
    def many(self, features: Features) -> Shares:
        """Return the probability of each stance for each observation; (n, features) to (n, stances)."""

    def shares(self, features: Features) -> Shares:
        """Return the probability of each stance for one observation."""
        one: Shares = self.many(features[None])[0]
        return one

    def considered(self, features: Features, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        """Return the legal actions that the player considers, (n, actions)."""
        return masks

    def policy(self, observation: Observation) -> Probabilities:
        """Return the policy for one observation."""
        features, mask = observation["observation"], observation["action_mask"]
        return super().policy({"observation": features, "action_mask": self.considered(features[None], mask[None])[0]})

    def policies(self, features: Features, masks: NDArray[np.int8]) -> Probabilities:
        """Return the policies for many observations, (n, actions)."""
        masks = self.considered(features, masks)
        probabilities = np.zeros(masks.shape)
        asked = masks[:, self._layout.stances[0]] != 0
        if asked.any():
            probabilities[np.ix_(asked, self._layout.stances)] = self.many(features[asked])
        rest = np.flatnonzero(~asked)
        if len(rest):
            probabilities[rest, self._layout.defaults(features[rest], masks[rest])] = 1.0
        return probabilities


class FixedPlayer(PatternPlayer):
    """A player that mixes stances with fixed probabilities."""

    def __init__(self, game: Game, **shares: float) -> None:
        """Bind the player to a game; `shares` are the probabilities of stances by name."""
        super().__init__(game)
        self._shares = np.array([shares.get(stance, 0.0) for stance in STANCES])

    @property
    def layers(self) -> Layers | None:
        """The policy as a table, which devices can play; None where the default policy decides, too."""
        if type(self) is not FixedPlayer or self.game.options.get("decisions") != "stance":
            return None
        weights = np.zeros(len(self.game.action_names))
        weights[self._layout.stances] = self._shares
        return table(self.game, weights)

    def many(self, features: Features) -> Shares:
        """Return the fixed probabilities for each observation."""
        return np.tile(self._shares, (len(features), 1))


class PeacefulPlayer(FixedPlayer):
    """A player that neither begins nor enters an engagement, in games where sides take turns."""

    def considered(self, features: Features, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        """Return all legal actions except those that begin or enter an engagement."""
        return self._layout.without_engaging(masks)


class ChargingPlayer(FixedPlayer):
    """A player that engages the nearest enemy, in games where sides take turns."""

    def __init__(self, game: Game, **shares: float) -> None:
        """Bind the player to a game on a map; `shares` are the probabilities of stances by name."""
        super().__init__(game, **shares)
        self._distance = [self._layout.feature[f"enemy {place} distance"] for place in self._layout.places]

    def considered(self, features: Features, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        """Return all legal actions except those that engage an enemy other than the nearest."""
        engages = self._layout.engages
        if not len(engages):
            return masks
        masks, legal = masks.copy(), masks[:, engages] != 0
        far = np.where(legal, features[:, self._distance], np.inf)
        masks[:, engages] = legal & (np.arange(len(engages)) == far.argmin(axis=1)[:, None])
        return masks


class WeightedPlayer(StancePlayer):
    """A player that takes each attacking stance in proportion to the fighter's die for it."""

    def shares(self, features: Features) -> Shares:
        """Return probabilities in the ratio of the might, agility and cunning dice."""
        dice = features[self._layout.dice].astype(np.float64)
        return np.append(dice / dice.sum(), 0.0)


class TurtlePlayer(WeightedPlayer):
    """A player that hides when it is hurt or its enemy hits harder, and attacks fighters that hide.

    Even when it would hide, it sometimes attacks, so that fights end.
    """

    def __init__(self, game: Game) -> None:
        """Bind the player to a game."""
        super().__init__(game)
        feature = self._layout.feature
        self._hp_share = feature["self hp_share"]
        blow = ("heart", "might", "agility", "cunning", "weapon_die", "attack_bonus")
        whose = ["self", *(f"enemy {place}" for place in self._layout.places)]
        self._blows = Columns(game.feature_names, [[f"{who} {word}" for word in blow] for who in whose])

    def shares(self, features: Features) -> Shares:
        """Return the attacking stances by the dice, mixed with hiding if the fighter is threatened.

        A fighter is threatened if it is hurt or its enemy hits harder, unless that enemy has just hidden.
        """
        strikes = super().shares(features)
        enemy = self._layout.weakest_enemy(features)
        hides = features[self._layout.enemy_reveals[enemy, 0, DEFENSIVE]] > 0
        blows = self._blows.of(features).tolist()
        harder = _blow(blows[1 + enemy]) > _blow(blows[0])
        if hides or not (harder or features[self._hp_share] < 0.5):
            return strikes
        strikes *= 1 - CAUTION
        strikes[DEFENSIVE] = CAUTION
        return strikes


def _blow(numbers: list[int]) -> int:
    """Return the highest total of an attack roll: heart die, best ability die, weapon die and bonus."""
    heart, *dice, weapon, bonus = numbers
    return heart + max(dice) + weapon + bonus


def even_player(game: Game) -> Player:
    """Return a player that mixes evenly: the attacking stances in Heart Rush, all legal actions in another game."""
    if game.name not in HEART_RUSH:
        return RandomPlayer(game)
    return FixedPlayer(game, might=1 / 3, agility=1 / 3, cunning=1 / 3)


def why_no_map(game: Game) -> str | None:
    """Return why an agent that walks cannot play a game without a map, or None if the game has a map."""
    return None if scenario_of(game).battlefield else "it walks, but there is no map"


def uniform() -> Shares:
    """Return equal probabilities for the three attacking stances and 0 for the defensive stance."""
    return np.append(np.full(ATTACKING_STANCES, 1 / ATTACKING_STANCES), 0.0)

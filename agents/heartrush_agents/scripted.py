"""Agents that follow a few fixed rules: one for each stance, the even mix, the windows' default, and pure chance."""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Agent, Player, Probabilities
from heartrush_env.core.game import Game, Observation

HP_UNIT = 40  # hit points and damage in observations are fractions of so many
SHRUG_FROM = 10  # damage to shrug off in any case

# What hinders each die, in the order that settles ties between dice.
HINDRANCE = {"might": "weakened", "agility": "off_balanced", "cunning": "dazed"}

Places = NDArray[np.intp]


class RandomPlayer(Player):
    """Chooses each legal action as often as any other."""

    def policy(self, observation: Observation) -> Probabilities:
        """The same probability for each legal action."""
        legal = observation["action_mask"].astype(np.float64)
        probabilities: Probabilities = legal / legal.sum()
        return probabilities

    def act(self, observation: Observation, rng: np.random.Generator) -> int:
        """One legal action."""
        legal = observation["action_mask"].nonzero()[0]
        return int(legal[rng.integers(len(legal))])


class Layout:
    """Where the tables of a game hold what the default asks for; read once from the names."""

    def __init__(self, action_names: tuple[str, ...], feature_names: tuple[str, ...]) -> None:
        action = {name: number for number, name in enumerate(action_names)}
        feature = {name: number for number, name in enumerate(feature_names)}
        enemies = sum(name.startswith("attack ") and name.count(" ") == 1 for name in action)
        places = range(1, enemies + 1)
        self.passes, self.shrug, self.take = action["pass"], action["shrug"], action["take"]
        self.stances = {name: action[f"stance {name}"] for name in ("might", "agility", "cunning", "defensive")}
        self.attacks: Places = np.array([action[f"attack {place}"] for place in places])  # (enemies,)
        self.hindering: Places = np.array(  # (enemies, dice)
            [[action[f"attack {place} {name}+{name}"] for name in HINDRANCE.values()] for place in places]
        )
        self.hp, self.hit = feature["self hp"], feature["self hit"]
        self.enemy_hp: Places = np.array([feature[f"enemy {place} hp"] for place in places])
        self.enemy_dice: Places = np.array([[feature[f"enemy {place} {die}"] for die in HINDRANCE] for place in places])

    def default(self, observation: Observation) -> int:
        """The action that the default of the window chooses."""
        mask, features = observation["action_mask"], observation["observation"]
        if mask[self.shrug]:
            damage, hp = round(float(features[self.hit]) * HP_UNIT), round(float(features[self.hp]) * HP_UNIT)
            return self.shrug if damage >= SHRUG_FROM or damage >= hp else self.take
        legal = mask[self.attacks].nonzero()[0]
        if len(legal):
            target = legal[features[self.enemy_hp[legal]].argmin()]
            hindering = self.hindering[target, features[self.enemy_dice[target]].argmax()]
            return int(hindering if mask[hindering] else self.attacks[target])
        for choice in (self.passes, self.take, self.stances["defensive"]):
            if mask[choice]:
                return choice
        return int(mask.argmax())


@lru_cache(maxsize=16)
def layout(action_names: tuple[str, ...], feature_names: tuple[str, ...]) -> Layout:
    """The layout of a game's tables, the same for all who play by them."""
    return Layout(action_names, feature_names)


class DefaultPlayer(Player):
    """Mixes stances in fixed shares and leaves every other window to its default."""

    def __init__(self, game: Game, **shares: float) -> None:
        """Sit down; `shares` are the probabilities of stances by name."""
        super().__init__(game)
        self._layout = layout(game.action_names, game.feature_names)
        self._stances = np.zeros(len(game.action_names))
        for stance, share in shares.items():
            self._stances[self._layout.stances[stance]] = share

    def policy(self, observation: Observation) -> Probabilities:
        """The shares in a stance window, else all on the default."""
        mask = observation["action_mask"]
        if mask[self._layout.stances["might"]]:
            return np.where(mask, self._stances, 0.0)
        probabilities = np.zeros(len(mask))
        probabilities[self._layout.default(observation)] = 1.0
        return probabilities


AGENTS = (
    Agent("random", "Chooses each legal action as often as any other.", RandomPlayer, games=()),
    Agent("might", "Always the might stance; all else by the default.", partial(DefaultPlayer, might=1.0)),
    Agent("agility", "Always the agility stance; all else by the default.", partial(DefaultPlayer, agility=1.0)),
    Agent("cunning", "Always the cunning stance; all else by the default.", partial(DefaultPlayer, cunning=1.0)),
    Agent("defensive", "Always the defensive stance; all else by the default.", partial(DefaultPlayer, defensive=1.0)),
    Agent(
        "uniform",
        "The three attacking stances equally often; all else by the default.",
        partial(DefaultPlayer, might=1 / 3, agility=1 / 3, cunning=1 / 3),
    ),
    Agent(
        "default",
        "What windows do that are left to themselves: the defensive stance, the weakest target, shrugs off heavy hits.",
        partial(DefaultPlayer, defensive=1.0),
    ),
)

"""Agents, the players that they make for the seats of a game, and difficulty levels.

The simplest bot is a player that only defines a policy:

    class Coward(Player):
        def policy(self, observation):
            legal = observation["action_mask"]
            return legal / legal.sum()

    register(Agent("coward", "Does anything.", Coward))
"""

from __future__ import annotations

import inspect
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, Union

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.errors import HeartRushError, ScenarioWarning
from heartrush_env.tabletop.files import parse_json, read_file
from heartrush_env.tabletop.game import ByteArray, Event, Game, Observation, policy_of
from heartrush_env.tabletop.text import show

Probabilities = NDArray[np.floating[Any]]  # (actions,)
Flags = NDArray[np.bool_]

MOST_TEMPERATURE: Final = 5.0


class AgentError(HeartRushError):
    """An agent is unknown, cannot be registered, cannot take a seat, or gives no legal action."""


def read_object(path: Path, most: int, needed: str) -> dict[str, Any]:
    """Return the JSON object in a file of at most `most` bytes; AgentError names the file and what is `needed`."""
    try:
        found = parse_json(read_file(path, most, AgentError, needed))
    except ValueError as problem:
        raise AgentError(f"{path}: expected {needed}, got invalid JSON ({problem}).") from None
    if not isinstance(found, dict):
        raise AgentError(f"{path}: expected {needed}, got JSON that is not an object.")
    return found


class Player(ABC):
    """A player that decides for one seat. Your own subclass only needs to implement `policy`."""

    memory: int | Literal["match"] = 0  # 0, a number of reveals, or everything since new_match()

    def __init__(self, game: Game) -> None:
        """Bind the player to a game."""
        self.game = game

    def new_match(self) -> None:  # noqa: B027  # most players have nothing to forget
        """Forget everything: the opponents may change."""

    def new_fight(self) -> None:  # noqa: B027  # most players have nothing to prepare
        """Prepare for a new fight against the same opponents."""

    def observe(self, events: Sequence[Event]) -> None:  # noqa: B027  # most players read observations alone
        """Receive the public events."""

    @abstractmethod
    def policy(self, observation: Observation) -> Probabilities:
        """Return the probability of each action, 0 where masked."""

    def reason(self, observation: Observation) -> str:
        """Return the reason for the player's choice in a few words; "" if it has none to give."""
        return ""

    def act(self, observation: Observation, rng: np.random.Generator) -> int:
        """Draw one legal action from the policy, so that a mixed policy plays mixed actions."""
        legal = observation["action_mask"].nonzero()[0]
        if len(legal) == 1:
            return int(legal[0])
        steps = policy_of(self, observation)[legal].cumsum(dtype=np.float64)
        if not steps[-1] > 0:
            names = ", ".join(self.game.action_names[action] for action in legal)
            raise AgentError(
                f"{type(self).__name__} gives no legal action a probability above 0; the legal actions are {names}."
            )
        place = int(steps.searchsorted(rng.random() * steps[-1], side="right"))
        return int(legal[min(place, int(steps.searchsorted(steps[-1])))])  # rounding may reach past the end


@dataclass(frozen=True)
class Difficulty:
    """A reduction of an agent's strength: a rate of mistakes and a temperature."""

    mistakes: float = 0.0  # fraction of decisions that are mistakes, from 0 to 1
    temperature: float = 1.0  # from 0 to 5

    def __post_init__(self) -> None:
        for name, most in (("mistakes", 1.0), ("temperature", MOST_TEMPERATURE)):
            value = getattr(self, name)
            sound = isinstance(value, int | float) and not isinstance(value, bool)
            if not (sound and 0 <= value <= most):
                raise AgentError(f"{name}: expected a number from 0 to {most:g}, got {show(value)}.")

    @property
    def words(self) -> str:
        """The difficulty as it is written in ids, as in "mistakes=0.2"; "" at full strength."""
        usual = Difficulty()
        given = [(name, getattr(self, name)) for name in ("mistakes", "temperature")]
        return ",".join(f"{name}={value:g}" for name, value in given if value != getattr(usual, name))

    def applied(self, policies: Probabilities, masks: ByteArray, mistaken: Flags) -> Probabilities:
        """Return the weakened policies, (n, actions).

        Args:
            policies: Probabilities (n, actions); masked entries are ignored.
            masks: (n, actions), 1 for legal actions.
            mistaken: (actions,), True for actions that can be mistakes.
        """
        shares: Probabilities = np.where(masks != 0, policies, 0.0).astype(np.float64)
        if self.temperature != 1:
            shares = self._tempered(shares)
        sums = shares.sum(axis=1, keepdims=True)
        shares = np.divide(shares, sums, out=np.zeros_like(shares), where=sums > 0)
        if self.mistakes:
            may = (masks != 0) & mistaken
            counts = may.sum(axis=1, keepdims=True)
            erring = np.where((counts > 0) & (sums > 0), self.mistakes, 0.0)
            shares = (1 - erring) * shares + erring * may / np.maximum(counts, 1)
        return shares

    def _tempered(self, shares: Probabilities) -> Probabilities:
        largest = shares.max(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # tiny probabilities underflow to 0
            steps = np.log(shares) - np.log(largest)
            powers = np.exp(steps / self.temperature) if self.temperature else (steps == 0).astype(np.float64)
        tempered: Probabilities = np.where(shares > 0, powers, 0.0)
        return tempered


@dataclass(frozen=True)
class Argument:
    """A number that an agent takes by name, as in `berserker@aggression=0.9`; its `make` receives it as a keyword."""

    low: float
    high: float
    usual: float
    meaning: str  # a sentence

    def checked(self, name: str, value: Any) -> float:
        """Return the value as a float; raise AgentError if it is not a number or is out of bounds."""
        sound = isinstance(value, int | float) and not isinstance(value, bool)
        if not (sound and self.low <= value <= self.high):
            raise AgentError(f"{name}: expected a number from {self.low:g} to {self.high:g}, got {show(value)}.")
        return float(value)


@dataclass(frozen=True)
class Level:
    """A calibrated level of an agent, with its measured scores."""

    difficulty: Difficulty
    arguments: Mapping[str, float] = field(default_factory=dict)  # the agent's arguments that differ at this level
    against: Mapping[str, tuple[float, float, float]] = field(default_factory=dict, compare=False)
    """Percentage of fights won against other agents, by id, with the ends of the 95 % interval."""


def _no_reason(game: Game) -> str | None:
    """Return None for every game: by default, an agent can play it."""
    return None


@dataclass(frozen=True)
class Agent:
    """A named way to play. It makes players for the seats of games."""

    id: str
    description: str  # one sentence
    make: Callable[..., Player]  # takes a game, and arguments by name: a Player class, or a function that makes one
    games: tuple[str, ...] = ()  # names of the only games that the agent can play; empty if it plays any game
    why_unsupported: Callable[[Game], str | None] = _no_reason  # why it cannot play a game, as a clause
    caution: Callable[[Game], str | None] = _no_reason  # why it may play a game badly, as a clause
    levels: Mapping[str, Level] = field(default_factory=dict, compare=False)  # calibrated difficulties, easiest first
    arguments: Mapping[str, Argument] = field(default_factory=dict, compare=False)  # accepted numbers, by name

    @property
    def takes_time(self) -> bool:
        """Whether the agent thinks by the clock or reads its enemies, so that many fights take a long time."""
        return not {"think_ms", "guile"}.isdisjoint(self.arguments)

    def plays(self, game: Game) -> str | None:
        """Return why the agent cannot play this game, as a clause, or None if it can."""
        if self.games and game.name not in self.games:
            return f"it plays {' and '.join(self.games)}, not {game.name}"
        return self.why_unsupported(game)

    def seat(self, game: Game) -> Player:
        """Make a player for one seat of the game.

        Issues a ScenarioWarning if the agent was not made for this game.

        Raises:
            AgentError: The agent cannot play this game.
        """
        reason = self.plays(game)
        if reason is not None:
            raise AgentError(f"The agent {self.id!r} cannot take a seat at {game.scenario_name!r}: {reason}.")
        doubt = self.caution(game)
        if doubt is not None:
            what = f"The agent {self.id!r} plays {game.scenario_name!r}, but {doubt}."
            warnings.warn(what, ScenarioWarning, stacklevel=2)
        return self.make(game)


AgentLike: TypeAlias = Union[Agent, "type[Player]", str, "PathLike[str]"]  # anything that `load` accepts


def as_agent(given: Any) -> Agent:
    """Return the given agent, or make an agent from a Player class, with the class name as its id."""
    if isinstance(given, Agent):
        return given
    if not (isinstance(given, type) and issubclass(given, Player)):
        what = f"the class {given.__name__}" if isinstance(given, type) else repr(given)[:60]
        raise AgentError(f"Expected an agent, its id, or a subclass of Player, got {what}.")
    if inspect.isabstract(given):
        missing = ", ".join(sorted(given.__abstractmethods__))
        raise AgentError(f"The class {given.__name__} is not a complete player: it lacks {missing}.")
    said = (given.__doc__ or "").strip().split("\n")[0].rstrip(".") or f"Players of the class {given.__name__}"
    return Agent(given.__name__, f"{said}.", given)

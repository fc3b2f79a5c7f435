"""What an agent is: a description that can take a seat at a game, and the player that then decides there.

The simplest bot is a player with a policy and nothing else:

    class Coward(Player):
        def policy(self, observation):
            legal = observation["action_mask"]
            return legal / legal.sum()

    register(Agent("coward", "Does anything.", Coward))
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from heartrush_env.core.errors import HeartRushError, ScenarioWarning
from heartrush_env.core.game import Event, Game, Observation

Probabilities = NDArray[np.floating[Any]]  # (actions,)


class AgentError(HeartRushError):
    """An agent is unknown, may not be registered, cannot take a seat, or has no legal action to offer."""


class Player(ABC):
    """Whoever decides for one seat. A player of your own writes `policy`; the rest is here."""

    memory: int | Literal["match"] = 0  # nothing, a number of reveals, or all since new_match()

    def __init__(self, game: Game) -> None:
        """Sit down at a game."""
        self.game = game

    def new_match(self) -> None:  # noqa: B027  # most players have nothing to forget
        """Forget everything: other opponents may sit at the table."""

    def new_fight(self) -> None:  # noqa: B027  # most players have nothing to prepare
        """A fight begins, against the same opponents."""

    def observe(self, events: Sequence[Event]) -> None:  # noqa: B027  # most players read observations alone
        """See what everyone saw happen."""

    @abstractmethod
    def policy(self, observation: Observation) -> Probabilities:
        """The probability of each action, 0 where masked."""

    def act(self, observation: Observation, rng: np.random.Generator) -> int:
        """One legal action, drawn from the policy; a mixed policy is played mixed."""
        legal = observation["action_mask"].nonzero()[0]
        if len(legal) == 1:
            return int(legal[0])
        steps = np.cumsum(self.policy(observation)[legal], dtype=np.float64)
        if not steps[-1] > 0:
            names = ", ".join(self.game.action_names[action] for action in legal)
            raise AgentError(f"{type(self).__name__} gives no legal action a probability above 0; legal: {names}.")
        place = int(np.searchsorted(steps, rng.random() * steps[-1], side="right"))
        return int(legal[min(place, int(np.searchsorted(steps, steps[-1])))])  # rounding may reach the end


def _no_objection(game: Game) -> str | None:
    """What an agent that plays everything has against a game."""
    return None


@dataclass(frozen=True)
class Agent:
    """A way to play that has a name, and seats where it is asked to."""

    id: str
    description: str  # in one sentence
    make: Callable[[Game], Player]  # a Player class, or a function that makes a player
    games: tuple[str, ...] = ("heart_rush",)  # by name; empty for any game
    objection: Callable[[Game], str | None] = _no_objection  # why not such a game of these, as the end of a sentence
    caution: Callable[[Game], str | None] = _no_objection  # why it may play such a game badly, as the end of a sentence

    def plays(self, game: Game) -> str | None:
        """Why the agent does not play this game, as the end of a sentence, or None if it does."""
        if self.games and game.name not in self.games:
            return f"it plays {' and '.join(self.games)}, not {game.name}"
        return self.objection(game)

    def seat(self, game: Game) -> Player:
        """A new player for one seat of the game; AgentError says why there is none.

        A ScenarioWarning says if the agent was not made for this game.
        """
        reason = self.plays(game)
        if reason is not None:
            raise AgentError(f"The agent {self.id!r} cannot take a seat at {game.scenario_name!r}: {reason}.")
        doubt = self.caution(game)
        if doubt is not None:
            what = f"The agent {self.id!r} plays {game.scenario_name!r}, but {doubt}."
            warnings.warn(what, ScenarioWarning, stacklevel=2)
        return self.make(game)

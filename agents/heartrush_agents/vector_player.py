"""One agent in many seats of a batch of fights, for ratings and training.

A player without memory may offer, in addition to `policy`, a version for many seats at once:

    def policies(self, features, masks):  # (n, features) float32, (n, actions) int8
        ...                               # -> (n, actions) probabilities, 0 where masked

Then one player serves all seats. If its policies are not random, it may also offer its choices, so that none is drawn:

    def choices(self, features, masks):  # -> (n,) actions that its policies choose

Any other agent has a separate player, with its own memory, in each seat. Such players may decide together, so that only
the parts that depend on their memories are computed one by one:

    def together(self, players, features, masks):  # n players of this kind, (n, features), (n, actions)
        ...                                        # -> (n, actions) probabilities
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Agent, AgentError, Player, Probabilities, as_agent
from heartrush_agents.learned.plain import PlainPolicy, plain_policy
from heartrush_env.tabletop.game import ActionArray, ByteArray, FlagArray, FloatArray, Game, policies_of

Places = NDArray[np.intp]


@runtime_checkable
class BatchPolicy(Protocol):
    """A player without memory that decides for many seats at once."""

    def policies(self, features: FloatArray, masks: ByteArray) -> Probabilities:
        """Return the probability of each action in each row, 0 where masked, (n, actions)."""


@runtime_checkable
class BatchChoice(BatchPolicy, Protocol):
    """A player that gives one action probability 1 in each row."""

    def choices(self, features: FloatArray, masks: ByteArray) -> Places:
        """Return the action with probability 1 in each row, (n,)."""


@runtime_checkable
class Together(Protocol):
    """A player with a memory that decides together with other players of its agent."""

    def together(self, players: Sequence[Any], features: FloatArray, masks: ByteArray) -> Probabilities:
        """Return the probability of each action for each of `players`, given its row of features, (n, actions)."""


class VectorPlayer:
    """An agent in many seats of a batch. Its players read observations only and receive no events."""

    def __init__(
        self, agent: Agent | type[Player], game: Game, rows: Sequence[tuple[int, int]], rng: np.random.Generator
    ) -> None:
        """Take over the seats of `rows` in a batch of fights.

        Args:
            agent: The agent, or the class of its players.
            game: The game of the batch.
            rows: The slot and the seat of each row.
            rng: The generator for all choices.

        Raises:
            AgentError: The agent cannot play this game.
        """
        self.agent = agent = as_agent(agent)
        self.game, self.rng = game, rng
        self.slots, self.seats = np.array(rows, dtype=np.intp).reshape(-1, 2).T
        first = agent.seat(game)
        self._for_all = first if isinstance(first, BatchPolicy) else None
        self._players = [] if self._for_all else [first, *(agent.seat(game) for _ in rows[1:])][: len(rows)]

    @property
    def plain(self) -> PlainPolicy | None:
        """The policy of all seats if it is a network or a table; otherwise None."""
        return plain_policy(cast("Player", self._for_all)) if self._for_all else None

    def new_match(self, slots: Sequence[int] | Places | None = None) -> None:
        """Start a new match, with possibly different opponents, in these slots; by default in all."""
        for player in self._at(slots):
            player.new_match()

    def new_fight(self, slots: Sequence[int] | Places | None = None) -> None:
        """Start a new fight against the same opponents in these slots; by default in all."""
        for player in self._at(slots):
            player.new_fight()

    def _at(self, slots: Sequence[int] | Places | None) -> list[Player]:
        """Return the players in these slots; none if a single player without memory serves all."""
        if slots is None or not self._players:
            return self._players
        return [self._players[row] for row in np.flatnonzero(np.isin(self.slots, slots))]

    def act(self, observations: Mapping[str, Any], actions: ActionArray, asked: FlagArray | None = None) -> None:
        """Write an action for each of the agent's seats; players choose only where several actions are legal.

        Args:
            observations: "observation" (slots, seats, features) and "action_mask" (slots, seats, actions).
            actions: (slots, seats), written in place; the entries of other seats do not change.
            asked: (slots,), True where players choose; elsewhere the first legal action is written. By default all
                players choose.
        """
        masks = observations["action_mask"][self.slots, self.seats]
        chosen = masks.argmax(axis=1)
        choosing = np.count_nonzero(masks, axis=1) > 1
        if asked is not None:
            choosing &= asked[self.slots]
        rows = np.flatnonzero(choosing)
        if len(rows):
            features = observations["observation"][self.slots[rows], self.seats[rows]]
            chosen[rows] = self._choose(rows, features, masks[rows])
        actions[self.slots, self.seats] = chosen

    def _choose(self, rows: Places, features: FloatArray, masks: ByteArray) -> Places:
        """Return an action for each of these rows, chosen together or one by one."""
        if isinstance(self._for_all, BatchChoice):
            return self._checked(self._for_all.choices(features, masks), masks)
        if self._for_all:
            return self._draw(policies_of(self._for_all, features, masks), masks)
        first = self._players[0]
        if isinstance(first, Together):
            return self._draw(first.together([self._players[row] for row in rows], features, masks), masks)
        chosen = np.array(
            [
                self._players[row].act({"observation": seen, "action_mask": mask}, self.rng)
                for row, seen, mask in zip(rows, features, masks, strict=True)
            ]
        )
        return self._checked(chosen, masks)

    def _checked(self, chosen: Any, masks: ByteArray) -> Places:
        """Return `chosen` as it is; raise AgentError if one of its actions is not legal."""
        legal = (chosen >= 0) & (chosen < masks.shape[1])
        legal[legal] = masks[legal, chosen[legal]] != 0
        if not legal.all():
            first = int((~legal).argmax())
            raise AgentError(
                f"{self._who()} chose action {chosen[first]}; the legal actions are {self._legal(masks[first])}."
            )
        return cast("Places", chosen)

    def _draw(self, probabilities: Probabilities, masks: ByteArray) -> Places:
        """Draw one legal action for each row, as Player.act draws it."""
        steps = np.cumsum(np.where(masks, probabilities, 0.0), axis=1, dtype=np.float64)
        last = steps[:, -1:]
        nothing = ~(last[:, 0] > 0)
        if nothing.any():
            legal = self._legal(masks[nothing.argmax()])
            raise AgentError(
                f"{self._who()} gives no legal action a probability above 0; the legal actions are {legal}."
            )
        places = (steps <= self.rng.random(last.shape) * last).sum(axis=1)
        chosen: Places = np.minimum(places, (steps < last).sum(axis=1))  # rounding may reach the end
        return chosen

    def _who(self) -> str:
        return f"The agent {self.agent.id!r}"

    def _legal(self, mask: ByteArray) -> str:
        return ", ".join(f"{action} {self.game.action_names[action]}" for action in np.flatnonzero(mask))

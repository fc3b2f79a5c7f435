"""Players at the seats of a game, and the loop that plays their fights: act, step, observe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.tabletop.game import MISSING, Event, Game, Observation


class Chooser(Protocol):
    """A player as the loop uses it; every Player has these methods."""

    def new_match(self) -> None:
        """Forget everything: the opponents may change."""

    def new_fight(self) -> None:
        """Prepare for the next fight, against the same opponents."""

    def observe(self, events: Sequence[Event]) -> None:
        """Receive the public events since the last call."""

    def act(self, observation: Observation, rng: np.random.Generator) -> int:
        """Return the chosen action; MISSING for no choice, so that the game's fallback is played."""


class Players:
    """The players of some seats; a player may have several. In each fight, each seat has its own random generator."""

    def __init__(self, game: Game, at: Mapping[str, Chooser]) -> None:
        """Seat the players.

        Args:
            game: The game that they play.
            at: The player of each seat.
        """
        self.game, self.at = game, dict(at)
        self._each = list({id(player): player for player in self.at.values()}.values())
        self._generators: dict[str, np.random.Generator] = {}

    def new_match(self) -> None:
        """Begin a match: the players forget what they have learned about their opponents."""
        for player in self._each:
            player.new_match()

    def new_fight(self, key: tuple[int, int]) -> None:
        """Begin the fight with this seed and number."""
        self._generators = {
            seat: np.random.default_rng([*key, place]) for place, seat in enumerate(self.game.agents) if seat in self.at
        }
        for player in self._each:
            player.new_fight()

    def observe(self, events: Sequence[Event]) -> None:
        """Pass the public events to every player."""
        for player in self._each:
            player.observe(events)

    def act(self, seat: str, observation: Observation) -> int:
        """Return the action that a seat's player chooses; the player is not asked if only one action is legal."""
        legal = np.flatnonzero(observation["action_mask"])
        return int(legal[0]) if len(legal) == 1 else self.at[seat].act(observation, self._generators[seat])


class Window(NamedTuple):
    """A window that was played, or the beginning of a fight."""

    chosen: Mapping[str, int]  # the action of each seat that had several; MISSING for no choice
    events: list[Event]
    rewards: Mapping[str, float]


def play_fight(env: ParallelFights, players: Players, seed: int, number: int) -> Iterator[Window]:
    """Play a fight with the seed to its end; yield its beginning and each window once the players have seen it.

    Args:
        env: The environment; it stays at a window until the caller requests the next one.
        players: The players of all seats, in a match that has begun.
        seed: The seed of the dice and of the players' choices.
        number: The number of the fight under the seed.
    """
    observations, _ = env.reset(seed=seed, options={"fight": number})
    players.new_fight((seed, number))
    players.observe(env.events)
    yield Window({}, env.events, dict.fromkeys(env.possible_agents, 0.0))
    while env.agents:
        actions = {seat: players.act(seat, observations[seat]) for seat in env.asked}
        chosen = {seat: action for seat, action in actions.items() if observations[seat]["action_mask"].sum() > 1}
        observations, rewards, *_ = env.step({seat: act for seat, act in actions.items() if act != MISSING})
        players.observe(env.events)
        yield Window(chosen, env.events, rewards)

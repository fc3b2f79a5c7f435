"""A Gymnasium Env over any Game: you decide for one seat, players decide for the others.

Windows in which your seat has nothing to decide are played without your input.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from heartrush_env.envs.arguments import Illegal
from heartrush_env.envs.base import GameEnv
from heartrush_env.envs.match_runner import Players
from heartrush_env.envs.parallel import RENDER_FPS, RENDER_MODES, ParallelFights, copied
from heartrush_env.envs.rewards import RewardFunction
from heartrush_env.envs.spaces import flattens
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Event, FloatArray, Game, Observation, Picture, Player

OnePlayer = str | Player | type[Player]  # an agent's id, a player, or a class of players
Opponent = OnePlayer | Mapping[str, OnePlayer]  # one for all seats, or one for each seat


class SingleAgentEnv(GameEnv, gymnasium.Env[Observation | FloatArray, int]):
    """One seat of a game; players take all other seats."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012  # typed in Gymnasium

    def __init__(
        self,
        game: Game,
        *,
        seat: str | None = None,
        opponent: Opponent = "random",
        allies: Opponent | None = None,
        flatten: bool = False,
        illegal: Illegal = "fallback",
        render_mode: str | None = None,
        name: str | None = None,
        reward: RewardFunction | None = None,
        observations: str = "vector",
    ) -> None:
        """Make an environment for one seat of a game.

        Args:
            game: The game to play.
            seat: The seat that you decide for; by default the first.
            opponent: The players of the other teams: an agent's id, a player, or a mapping from seats to these.
            allies: The players of your own team, in the forms that `opponent` takes; `opponent` by default.
            flatten: Observe the features alone, as a Box, instead of a Dict with the action mask.
            illegal: How a masked action is handled: "fallback" plays the game's fallback, "raise" raises.
            render_mode: "rgb_array" returns an RGB array, "ansi" returns a string, "human" opens a window; None renders
                nothing.
            name: The environment's name; by default the game's name with its version.
            reward: A function that replaces the game's rewards, called with the events of each window.
            observations: The kind of your observations, one of the game's `observation_kinds`; players read vectors.
        """
        self.fights = ParallelFights(
            game, render_mode=render_mode, illegal=illegal, name=name, reward=reward, observations=observations
        )
        self.game = game
        self.render_mode = render_mode
        self.seat = game.agents[0] if seat is None else seat
        if self.seat not in game.agents:
            raise HeartRushError(f"There is no seat {self.seat!r}: the seats are {', '.join(game.agents)}.")
        self.flatten = flattens(flatten, observations, game)
        others = seat_players(game, self.seat, opponent, opponent if allies is None else allies)
        self._players = Players(game, others)
        whole: Any = self.fights.observation_space(self.seat)
        self.observation_space = cast("spaces.Space[Any]", whole["observation"] if self.flatten else whole)
        self.action_space = cast("spaces.Space[Any]", self.fights.action_space(self.seat))
        self._seen: dict[str, Observation] = {}
        self._told: dict[str, dict[str, Any]] = {}
        self._events: list[Event] = []
        self._reward = 0.0
        self._ending = (False, False)  # terminated, truncated
        self._over = True  # whether the fight has ended or none has begun
        self._new_match = True

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation | FloatArray, dict[str, Any]]:
        """Start a fight: fight 0 of the seed and a new match, or without a seed the next fight.

        Args:
            seed: From 0 to 2**63 - 1; the players' random choices depend on it too.
            options: "dice" lists the results of the first rolls, "fight" is the fight's number; others are ignored.
        """
        super().reset(seed=seed)
        if seed is None and self.fights.key is None:
            seed = int(self.np_random.integers(2**63 - 1))
        self._new_match = self._new_match or seed is not None
        self._seen, self._told = self.fights.reset(seed=seed, options=options)
        self._greet_players()
        self._events, self._reward, self._ending, self._over = [], 0.0, (False, False), False
        self._hear()
        self._play_until_asked()
        return self._view(), self._info()

    def _greet_players(self) -> None:
        """Notify the players of a new fight, and give each seat its own random generator for it."""
        if self._new_match:
            self._players.new_match()
        self._new_match = False
        key = self.fights.key
        assert key is not None
        self._players.new_fight(key)

    def step(self, action: int) -> tuple[Observation | FloatArray, float, bool, bool, dict[str, Any]]:
        """Play your action, then all windows until the next one in which you have a choice."""
        if self._over:
            self.fights.refuse_step()
        self.fights.check_action(self.seat, action)
        illegal = False
        self._events = []
        if self.fights.agents:
            self._play_window(action)
            illegal = "illegal" in self._told[self.seat]
            self._play_until_asked()
        reward, self._reward = self._reward, 0.0
        terminated, truncated = self._ending
        self._over = terminated or truncated
        info = self._info()
        if illegal:
            info["illegal"] = True
        return self._view(), reward, terminated, truncated, info

    def give_details(self, details: Mapping[str, Any]) -> int:
        """Set details of your next choice that an action number cannot express; return the action with them."""
        return self.fights.give_details(self.seat, details)

    def give_route(self, squares: Sequence[Sequence[int]]) -> int:
        """Call give_details({"route": squares}), with each square as [column, row]."""
        return self.give_details({"route": squares})

    def _play_until_asked(self) -> None:
        """Play windows while the seat has a single legal action."""
        while self.fights.agents:
            legal = np.flatnonzero(self._seen[self.seat]["action_mask"])
            if len(legal) > 1:
                return
            self._play_window(int(legal[0]))

    def _play_window(self, action: Any) -> None:
        """Play one window with the seat's action and the players' own actions."""
        read = self._seen.__getitem__ if self.fights.observation_kind == "vector" else self.fights.vector
        actions = {agent: self._players.act(agent, read(agent)) for agent in self._players.at}
        actions[self.seat] = action
        self._seen, rewards, terminations, truncations, self._told = self.fights.step(actions)
        self._reward += rewards[self.seat]
        self._ending = terminations[self.seat], truncations[self.seat]
        self._hear()

    def _hear(self) -> None:
        """Store the events, and pass them to every player."""
        events = self.fights.events
        self._events.extend(events)
        self._players.observe(events)

    # -- looking -------------------------------------------------------------------------------------------------------

    def _view(self) -> Observation | FloatArray:
        """Return a copy of the seat's observation, which the caller may modify."""
        seen = self._seen[self.seat]
        return seen["observation"].copy() if self.flatten else copied(seen)

    def _info(self) -> dict[str, Any]:
        """Return the info of the step without "illegal", which step() sets for the action just played."""
        told = {name: value for name, value in self._told[self.seat].items() if name != "illegal"}
        told["action_mask"] = told["action_mask"].copy()
        key = self.fights.key
        assert key is not None
        told["seed"], told["fight"] = key
        return told

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now, (actions,), under the name that sb3-contrib expects."""
        if not self._seen:
            raise HeartRushError("action_masks() was called before reset().")
        return self._seen[self.seat]["action_mask"].astype(np.bool_)

    @property
    def events(self) -> list[Event]:
        """The public events since the last action or reset, over all windows in between, in order."""
        return self._events

    def render(self) -> str | Picture | None:
        """Render the fight: text for "ansi", an RGB array for "rgb_array", a window for "human"."""
        return self.fights.render()

    def close(self) -> None:
        """Close the parallel environment."""
        self.fights.close()


class UniformPlayer:
    """Chooses all legal actions with equal probability."""

    memory = 0

    def new_match(self) -> None:
        """Do nothing: there is nothing to forget."""

    def new_fight(self) -> None:
        """Do nothing: there is nothing to prepare."""

    def observe(self, events: Sequence[Event]) -> None:
        """Do nothing: there is nothing to learn."""

    def policy(self, observation: Observation) -> NDArray[np.float64]:
        """Return equal probabilities for all legal actions."""
        legal = observation["action_mask"].astype(np.float64)
        probabilities: NDArray[np.float64] = legal / legal.sum()
        return probabilities

    def act(self, observation: Observation, rng: np.random.Generator) -> int:
        """Return a random legal action."""
        return int(rng.choice(np.flatnonzero(observation["action_mask"])))


# -- who sits where ------------------------------------------------------------------------------------------------


def seat_players(game: Game, seat: str, opponent: Opponent, allies: Opponent) -> dict[str, Player]:
    """Return a player for every other seat; an id makes a separate player for each seat."""
    for given in (opponent, allies):
        if isinstance(given, Mapping):
            check_seats(game, seat, given)
    return dict(_seated(game, seat, opponent, allies))


def _seated(game: Game, seat: str, opponent: Opponent, allies: Opponent) -> Iterator[tuple[str, Player]]:
    own_team = game.teams[game.agents.index(seat)]
    for agent, team in zip(game.agents, game.teams, strict=True):
        if agent == seat:
            continue
        given = allies if team == own_team else opponent
        if isinstance(given, Mapping):
            if agent not in given:
                what = "allies" if team == own_team else "opponent"
                raise HeartRushError(f"No player decides for {agent}: `{what}` names {', '.join(given) or 'none'}.")
            yield agent, seated_player(game, given[agent])
        else:
            yield agent, seated_player(game, given)


def check_seats(game: Game, seat: str, given: Mapping[str, Any]) -> None:
    """Raise an error if a mapping of players names an unknown seat or the user's own seat."""
    others = [agent for agent in game.agents if agent != seat]
    for agent in given:
        if agent not in others:
            raise HeartRushError(f"No player can sit at {agent!r}: the other seats are {', '.join(others)}.")


def seated_player(game: Game, given: Any) -> Player:
    """Return the player itself, or make one from a class, an agent or an agent's id."""
    if isinstance(given, type) and hasattr(given, "act"):
        return cast("Player", given(game))
    if hasattr(given, "act"):
        return cast("Player", given)
    if given == "random":
        return UniformPlayer()
    if isinstance(given, str):
        from heartrush_agents import load  # only an id requires the agents

        given = load(given)
    if hasattr(given, "seat"):
        return cast("Player", given.seat(game))
    raise HeartRushError(f"A player must be given as such, by its class or by an agent's id, but this is {given!r}.")

"""A Gymnasium Env for any Game: you decide for one seat, players decide for the others.

Windows in which your seat has nothing to decide are played without your input.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from heartrush_env.envs.base import GameEnv
from heartrush_env.envs.match_runner import Players
from heartrush_env.envs.opponents import Opponent, assign_players, seat_player
from heartrush_env.envs.parallel import RENDER_FPS, RENDER_MODES, ParallelFights, copied
from heartrush_env.envs.spaces import flattens
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Event, FloatArray, Game, Observation, Picture


class SingleAgentEnv(GameEnv, gymnasium.Env[Observation | FloatArray, int]):
    """An environment for one seat of a game; players take all other seats."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012  # typed in Gymnasium

    def __init__(
        self,
        game: Game,
        *,
        opponent: Opponent,
        seat: str | None = None,
        allies: Opponent | None = None,
        flatten: bool = False,
        **options: Any,
    ) -> None:
        """Make an environment for one seat of a game.

        Args:
            game: The game to play.
            seat: The seat that you decide for; by default the first.
            opponent: The players of the other teams: an agent, its id, a class of players, a player, or a mapping
                from seats to these.
            allies: The players of your own team, in the forms that `opponent` takes; `opponent` by default.
            flatten: Observe the features alone, as a Box, instead of a Dict with the action mask.
            options: The other options of `ParallelFights`. Players read vectors, whatever kind you observe.
        """
        self.fights = ParallelFights(game, **options)
        self.game = game
        self.render_mode = self.fights.render_mode
        self.seat = game.agents[0] if seat is None else seat
        self.flatten = flattens(flatten, self.fights.observation_kind, game)
        others = assign_players(game, self.seat, opponent, allies)
        self._players = Players(game, {agent: seat_player(game, given) for agent, given in others.items()})
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
        """Start a fight: with a seed, its fight 0 and a new match; without one, the next fight of the match.

        Args:
            seed: From 0 to 2**63 - 1; the players' random choices depend on it too.
            options: "dice" lists the results of the first rolls, "fight" is the fight's number; others are ignored.
        """
        super().reset(seed=seed)
        if seed is None and self.fights.key is None:
            seed = int(self.np_random.integers(2**63 - 1))
        self._new_match = self._new_match or seed is not None
        self._seen, self._told = self.fights.reset(seed=seed, options=options)
        self._begin_fight()
        self._events, self._reward, self._ending, self._over = [], 0.0, (False, False), False
        self._pass_on_events()
        self._play_until_asked()
        return self._view(), self._info()

    def _begin_fight(self) -> None:
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
        actions = {agent: self._players.act(agent, read(agent)) for agent in self.fights.asked if agent != self.seat}
        actions[self.seat] = action
        self._seen, rewards, terminations, truncations, self._told = self.fights.step(actions)
        self._reward += rewards[self.seat]
        self._ending = terminations[self.seat], truncations[self.seat]
        self._pass_on_events()

    def _pass_on_events(self) -> None:
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

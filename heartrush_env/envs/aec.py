"""A PettingZoo AECEnv for any Game: the agents that are asked choose in turn, and the last choice plays the window.

No agent sees anything new before all have chosen, so the order reveals nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from heartrush_env.envs.base import CopiedWhole, GameEnv
from heartrush_env.envs.parallel import Infos, ParallelFights, copied
from heartrush_env.tabletop.errors import IllegalAction, SnapshotError
from heartrush_env.tabletop.game import Event, FloatArray, Observation, Picture, Snapshot


class AECFights(GameEnv, AECEnv[str, Any, Any]):  # type: ignore[misc]  # PettingZoo has no type information
    """An AEC environment that steps a parallel environment one agent at a time.

    PettingZoo's own conversion is not used because its `unwrapped` is the parallel environment, whose snapshot would
    forget the choices already made.
    """

    def __init__(self, fights: ParallelFights) -> None:
        """Wrap a parallel environment."""
        self.fights = fights
        self.game = fights.game
        self.illegal, self.flatten = fights.illegal, fights.flatten
        self.observation_kind = fights.observation_kind
        # PettingZoo's conversion to a parallel environment needs a turn of every agent in each window.
        self.metadata = {**fights.metadata, "is_parallelizable": False}
        self.render_mode = fights.render_mode
        self.possible_agents = fights.possible_agents
        self.state_space = fights.state_space
        self.agents: list[str] = []

    @property
    def np_random(self) -> np.random.Generator:
        """The random generator for wrappers; the dice of fights do not use it."""
        return self.fights.np_random

    @property
    def key(self) -> tuple[int, int] | None:
        """The seed and the number of the fight, or None before the first reset."""
        return self.fights.key

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's observation space, the same object on every call."""
        return self.fights.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the agent's action space, the same object on every call."""
        return self.fights.action_space(agent)

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a fight: fight 0 of the given seed or, if none is given, the next fight of the current seed."""
        self._take_over(*self.fights.reset(seed=seed, options=options))

    def _take_over(self, observations: dict[str, Observation], infos: Infos) -> None:
        """Take over the results of a reset or restore, without rewards, and select the first agent that is asked."""
        self.agents = self.fights.agents[:]
        self._observations, self.infos = observations, infos
        self._choices: dict[str, Any] = {}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select_first()

    def _select_first(self) -> None:
        """Give the turn to the first agent that is asked; if none is asked, as after the end, all have a turn."""
        self._turns = self.fights.asked or self.agents[:]
        self.agent_selection = (self._turns or self.possible_agents)[0]

    def step(self, action: int | None) -> None:
        """Record the choice of the agent whose turn it is; the last choice of a window plays the window."""
        if not self.agents:
            self.fights.refuse_step()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._remove(agent, action)
            return
        self.fights.check_action(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._choices[agent] = action
        if len(self._choices) == len(self._turns):
            self._play_window()
        else:
            self.agent_selection = self._turns[len(self._choices)]

    def _remove(self, agent: str, action: int | None) -> None:
        """Remove an agent whose fight has ended, and select the next one."""
        if action is not None:
            raise IllegalAction(f"The fight has ended, so {agent} can only step with None, not with {action!r}.")
        self.agents.remove(agent)
        for values in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del values[agent]
        self._clear_rewards()
        if self.agents:
            self.agent_selection = self.agents[0]

    def _play_window(self) -> None:
        choices, self._choices = self._choices, {}
        results = self.fights.step(choices)
        self._observations, self.rewards, self.terminations, self.truncations, self.infos = results
        self._accumulate_rewards()
        self._select_first()

    def observe(self, agent: str) -> Observation | FloatArray:
        """Return a copy of the agent's observation from the start of the window."""
        seen: Any = self._observations[agent]
        return seen.copy() if self.flatten else copied(seen)

    def vector(self, agent: str) -> Observation:
        """Return the agent's observation as a vector, as players read it, even if the environment gives other kinds."""
        return self.fights.vector(agent)

    @property
    def asked(self) -> list[str]:
        """The agents that decide in this window, each in its turn."""
        return self.fights.asked

    @property
    def events(self) -> list[Event]:
        """The public events of the last window, in order."""
        return self.fights.events

    @property
    def public(self) -> dict[str, Any]:
        """The facts that all agents see: the round, the window, the fighters, the ground; JSON-able."""
        return self.fights.public

    def state(self) -> FloatArray:
        """Return everything revealed so far, from no agent's point of view, for a central critic."""
        return self.fights.state()

    def render(self) -> str | Picture | None:
        """Render the fight: text for "ansi", an RGB array for "rgb_array", a window for "human"."""
        return self.fights.render()

    def frames(self) -> list[Picture]:
        """Return the film frames since the last call, as the parallel environment does."""
        return self.fights.frames()

    def close(self) -> None:
        """Close the parallel environment."""
        self.fights.close()

    def snapshot(self) -> Snapshot:
        """Return the whole fight as JSON-able data; refuse while only some agents of a window have chosen."""
        if self.agents and self._choices:
            chosen = ", ".join(self._choices)
            raise SnapshotError(f"A snapshot cannot be taken within a window: {chosen} has already chosen in this one.")
        return self.fights.snapshot()

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Restore a snapshot of the same scenario exactly; choices already made in the open window are dropped."""
        self._take_over(*self.fights.restore(snapshot))


def wrapped(env: AECFights) -> AECEnv[str, Any, Any]:
    """Apply PettingZoo's standard wrappers, which check actions against the space and the order of calls."""
    return InOrder(AssertOutOfBoundsWrapper(env))


class InOrder(CopiedWhole, OrderEnforcingWrapper):  # type: ignore[misc]  # PettingZoo has no type information
    """PettingZoo's wrapper that enforces the order of calls, copied together with the environment that it wraps."""

    def __str__(self) -> str:
        """Return the name of the environment, as PettingZoo's own wrapper does."""
        return str(self.env)

"""A PettingZoo AECEnv over any Game: the agents are asked in turn, and the last one's choice plays the window.

Nobody sees anything new before all have chosen, so the order of asking gives nothing away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from heartrush_env.core.errors import IllegalAction, SnapshotError
from heartrush_env.core.game import Event, FloatArray, Game, Observation, Picture, Snapshot
from heartrush_env.envs.parallel import Illegal, Infos, ParallelFights


class TurnByTurnFights(AECEnv[str, Any, Any]):  # type: ignore[misc]  # PettingZoo has no type information
    """The fights of a parallel environment, asked agent by agent.

    PettingZoo's own conversion is not used because its `unwrapped` is the parallel environment, whose snapshot would
    forget the choices already made.
    """

    def __init__(self, fights: ParallelFights) -> None:
        """Ask for a parallel environment's actions one by one."""
        self.fights = fights
        self.metadata = dict(fights.metadata)
        self.render_mode = fights.render_mode
        self.possible_agents = fights.possible_agents
        self.state_space = fights.state_space
        self.agents: list[str] = []

    @property
    def game(self) -> Game:
        """What is played."""
        return self.fights.game

    @property
    def illegal(self) -> Illegal:
        """What a masked or missing action does."""
        return self.fights.illegal

    @property
    def key(self) -> tuple[int, int] | None:
        """The seed and the number of the fight, or None before the first reset."""
        return self.fights.key

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what the agent sees, the same object each time."""
        return self.fights.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of what the agent may choose, the same object each time."""
        return self.fights.action_space(agent)

    def get_action_meanings(self) -> list[str]:
        """A stable name for each action."""
        return self.fights.get_action_meanings()

    def get_feature_names(self) -> list[str]:
        """A stable name for each number of an observation."""
        return self.fights.get_feature_names()

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a fight: number 0 of the seed, or without a seed the next one of the last seed."""
        self._sit_down(*self.fights.reset(seed=seed, options=options))

    def _sit_down(self, observations: dict[str, Observation], infos: Infos) -> None:
        """Begin asking at the first agent, with no reward yet."""
        self.agents = self.fights.agents[:]
        self._observations, self.infos = observations, infos
        self._choices: dict[str, Any] = {}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.possible_agents[0]

    def step(self, action: int | None) -> None:
        """Take the choice of the agent whose turn it is; the last choice of a window plays it."""
        if not self.agents:
            self.fights.refuse_step()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(agent, action)
            return
        self.fights.check_action(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._choices[agent] = action
        if len(self._choices) == len(self.agents):
            self._play_window()
        self.agent_selection = self.agents[len(self._choices)]

    def give_route(self, agent: str, squares: Sequence[Sequence[int]]) -> int:
        """Name the squares of the agent's next dash, and get the action that goes there; before it has chosen."""
        if self.agents and agent in list(self._choices):
            raise IllegalAction(f"route: {agent} has chosen already, allowed: before its choice.")
        return self.fights.give_route(agent, squares)

    def _leave(self, agent: str, action: int | None) -> None:
        """Take an agent whose fight has ended off the lists, and turn to the next one."""
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

    def observe(self, agent: str) -> Observation:
        """What the agent saw when the window began."""
        return self._observations[agent]

    @property
    def events(self) -> list[Event]:
        """What everyone saw happen in the last window, in order."""
        return self.fights.events

    def state(self) -> FloatArray:
        """All that has been revealed, from nobody's point of view, for a central critic."""
        return self.fights.state()

    def render(self) -> str | Picture | None:
        """The picture of the fight as text ("ansi") or in dots ("rgb_array"), or show it ("human")."""
        return self.fights.render()

    def frames(self) -> list[Picture]:
        """The pictures of a film that lead from the moment asked for last to this one, as of the parallel door."""
        return self.fights.frames()

    def close(self) -> None:
        """Close the parallel environment."""
        self.fights.close()

    def snapshot(self) -> Snapshot:
        """The whole fight, JSON-able; refused while some agents of a window have chosen and others have not."""
        if self.agents and self._choices:
            chosen = ", ".join(self._choices)
            raise SnapshotError(
                f"A snapshot can be taken only between windows, and in this one {chosen} already chose."
            )
        return self.fights.snapshot()

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take a snapshot of the same scenario back exactly, forgetting the choices of a window under way."""
        self._sit_down(*self.fights.restore(snapshot))


def wrapped(env: TurnByTurnFights) -> AECEnv[str, Any, Any]:
    """The environment as PettingZoo expects it: actions are checked against the space, calls against their order."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(env))

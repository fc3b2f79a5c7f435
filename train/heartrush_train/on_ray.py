"""Fights on several machines with Ray: pairings as tasks, and RLlib runners with compiled fights inside.

`in_tasks` plays the pairings of a tournament as Ray tasks:

    tournament(["duelist", "uniform"], ["duel"], executor=in_tasks)

`FightRunner` gathers samples for RLlib's new API stack. RLlib's own runner steps its environments row by row in Python.
This one steps all rows at once through `gymnasium.make_vec`, and cuts the arrays into RLlib's episodes. It needs the
extra `ray` in a separate environment, because RLlib pins Gymnasium.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any
from uuid import uuid4

import gymnasium
import numpy as np
import ray
from gymnasium import spaces
from gymnasium.vector.utils import batch_space
from ray.rllib.core.columns import Columns
from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer

import heartrush_env  # noqa: F401  # registers its environments


def in_tasks(
    job: Callable[..., Any], work: Sequence[tuple[Any, ...]], processes: int
) -> Generator[tuple[int, Any], None, None]:
    """Yield the argument index and the result of each call of a module-level function, in order of completion.

    At most `processes` tasks run at a time. A task whose worker is killed is repeated.
    """
    task = ray.remote(num_cpus=1, max_retries=3)(job)
    todo = iter(enumerate(work))
    running: dict[Any, int] = {}
    while True:
        while len(running) < processes and (following := next(todo, None)) is not None:
            place, arguments = following
            running[task.remote(*arguments)] = place
        if not running:
            return
        done, _ = ray.wait(list(running))
        for found in done:
            yield running.pop(found), ray.get(found)


def fight_spaces(**options: Any) -> tuple[spaces.Dict, spaces.Discrete]:
    """Return one seat's spaces for RLlib's masked modules: "observations", and "action_mask" as floats."""
    envs: Any = gymnasium.make_vec("heartrush_env/HeartRush-v0", 1, "vector_entry_point", **options)
    seen, actions = envs.single_observation_space, envs.single_action_space
    mask = spaces.Box(0.0, 1.0, (int(actions.n),), np.float32)
    return spaces.Dict({"observations": seen["observation"], "action_mask": mask}), actions


class FightRunner(SingleAgentEnvRunner):  # type: ignore[misc]
    """An RLlib runner whose rows are seats of many compiled fights.

    `env_config` holds the options of `gymnasium.make_vec`, such as the scenario. By default every seat is a row, for
    self-play. `num_envs_per_env_runner` counts rows.
    """

    def make_env(self) -> None:
        """Create the fights of this runner, with its own dice."""
        options = {"seat": "all", **self.config.env_config}
        rows = self.config.num_envs_per_env_runner
        one: Any = gymnasium.make_vec("heartrush_env/HeartRush-v0", 1, "vector_entry_point", **options)
        fights = rows // one.num_envs
        if fights * one.num_envs != rows:
            raise ValueError(f"num_envs_per_env_runner: expected a multiple of {one.num_envs}, got {rows}.")
        self.fights: Any = gymnasium.make_vec("heartrush_env/HeartRush-v0", fights, "vector_entry_point", **options)
        self.env, self.num_envs = self.fights.unwrapped, rows
        self.env.single_observation_space, self.env.single_action_space = fight_spaces(**options)
        self.env.observation_space = batch_space(self.env.single_observation_space, rows)
        self._begin()  # compiles the fights now if no machine code matches, before sampling begins

    def _begin(self) -> None:
        seed = (self.config.seed or 0) + 1_000_003 * (self.worker_index or 0)
        self._seen, _ = self.env.reset(seed=seed)
        self._ids, self._begun = [uuid4().hex for _ in range(self.num_envs)], np.zeros(self.num_envs, np.int64)

    def _sample(
        self,
        *,
        num_timesteps: int | None = None,
        num_episodes: int | None = None,
        explore: bool = True,
        random_actions: bool = False,
        force_reset: bool = False,
    ) -> list[Any]:
        """Play all rows, and cut their observations and actions into episodes."""
        if force_reset:
            self._begin()
        found: list[Any] = []
        wanted = num_timesteps if num_timesteps is not None else self.num_envs
        while True:
            found += self._play(-(-wanted // self.num_envs))
            ended = sum(episode.is_done for episode in found)
            if num_episodes is None or ended >= num_episodes:
                return found

    def _play(self, steps: int) -> list[Any]:
        """Play this number of steps in every row, and return the episode chunks."""
        rows, count = np.arange(self.num_envs), self._seen["action_mask"].shape[1]
        shape = (steps, self.num_envs)
        seen = np.zeros((steps + 1, self.num_envs, *self._seen["observation"].shape[1:]), np.float32)
        masks = np.zeros((steps + 1, self.num_envs, count), np.float32)
        actions, chances = np.zeros(shape, np.int64), np.zeros(shape, np.float32)
        logits, rewards = np.zeros((*shape, count), np.float32), np.zeros(shape, np.float32)
        ended, cut = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
        last: dict[tuple[int, int], Any] = {}  # last observations of ended fights, by step and row
        seen[0], masks[0] = self._seen["observation"], self._seen["action_mask"]
        draw = self.module.get_exploration_action_dist_cls()
        for step in range(steps):
            shown = {
                "observations": self._convert_to_tensor(seen[step]),
                "action_mask": self._convert_to_tensor(masks[step]),
            }
            out = self.module.forward_exploration({Columns.OBS: shown})[Columns.ACTION_DIST_INPUTS]
            drawn = draw.from_logits(out)
            chosen = drawn.sample()
            logits[step], actions[step] = out.detach().numpy(), chosen.numpy()
            chances[step] = drawn.logp(chosen).detach().numpy()
            self._seen, rewards[step], over, truncated, infos = self.env.step(actions[step])
            seen[step + 1], masks[step + 1] = self._seen["observation"], self._seen["action_mask"]
            ended[step], cut[step] = over | truncated, truncated
            for row in np.flatnonzero(ended[step]):
                last[step, int(row)] = infos["final_obs"][row]
        episodes = []
        for row in rows:
            first = 0
            for end in [*np.flatnonzero(ended[:, row]), steps - 1]:
                if end < first:  # a fight ended at the last step
                    continue
                part, whole = slice(first, end + 1), {"observations": seen, "action_mask": masks}
                views = {name: array[first : end + 2, row].copy() for name, array in whole.items()}
                if ended[end, row]:
                    final = last[int(end), int(row)]
                    views["observations"][-1], views["action_mask"][-1] = final["observation"], final["action_mask"]
                outputs = {Columns.ACTION_LOGP: chances[part, row], Columns.ACTION_DIST_INPUTS: logits[part, row]}
                over = bool(ended[end, row] & ~cut[end, row]), bool(cut[end, row])
                episodes.append(self._episode(row, views, actions[part, row], rewards[part, row], outputs, over))
                first = end + 1
        done = [episode for episode in episodes if episode.is_done]
        self._done_episodes_for_metrics.extend(done)
        for episode in episodes:
            if not episode.is_done:
                self._ongoing_episodes_for_metrics[episode.id_].append(episode)
        self._log_env_steps(metric=self._metrics_num_env_steps_sampled, num_steps=steps * self.num_envs)
        self._increase_sampled_metrics(steps * self.num_envs, len(done))
        return episodes

    def _episode(self, row: int, views: Any, actions: Any, rewards: Any, outputs: Any, over: tuple[bool, bool]) -> Any:
        """Return a chunk of a row's episode in RLlib's format; if the episode is over, start a new one in the row."""
        env = self.env
        episode = SingleAgentEpisode(
            self._ids[row],
            observations=InfiniteLookbackBuffer(views, 0, env.single_observation_space),
            actions=InfiniteLookbackBuffer(actions, 0, env.single_action_space),
            rewards=InfiniteLookbackBuffer(rewards, 0),
            infos=[{} for _ in range(len(actions) + 1)],
            extra_model_outputs={name: InfiniteLookbackBuffer(array, 0) for name, array in outputs.items()},
            observation_space=env.single_observation_space,
            action_space=env.single_action_space,
            terminated=over[0],
            truncated=over[1],
            t_started=int(self._begun[row]),
            len_lookback_buffer=0,
        )
        self._begun[row] += len(actions)
        if episode.is_done:
            self._ids[row], self._begun[row] = uuid4().hex, 0
        return episode

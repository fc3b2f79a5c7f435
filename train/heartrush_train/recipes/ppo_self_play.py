"""Self-play with a magnet: the recipe of the shipped agents.

The learner plays all seats against itself, except for some fights against past selves and some against sparring
partners. In a game of hidden choices, plain self-play cycles: might, then its counter, then the counter to that. Two
terms of the objective prevent it: the policy's entropy, whose weight falls during training, and the Kullback-Leibler
divergence from a magnet, a copy of the policy that stays fixed for some updates and then moves to the current policy.
The result is a moving average of policies. Sources: magnetic mirror descent (Sokota et al., ICLR 2023); R-NaD (Perolat
et al., Science 2022); for entropy weights, Rudolph et al. (ICLR 2026).

The exploitability of the policy is measured during training. If best responses can be computed, its exact NashConv is
measured at every checkpoint. Otherwise, with `--exploiters N`, N exploiters are trained against it in turn. Their
winnings are a lower bound, and they are comparable because all exploiters train on the same number of samples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import numpy as np
import torch
from heartrush_agents.learned.network import Network
from threadpoolctl import threadpool_limits

from heartrush_env.envs.vector import BatchEnv
from heartrush_train import checkpoint
from heartrush_train.config import ENTITIES, ExploiterConfig, SelfPlayConfig
from heartrush_train.export import write_agent
from heartrush_train.heart_rush.exact import ExactNashConv, why_not_exact
from heartrush_train.lean_run import LeanRun
from heartrush_train.lower_bound import lower_bound
from heartrush_train.opponents import PAST_SELVES_AT_ONCE, self_play, sparring_partners
from heartrush_train.recipes.exploiter import exploiter_run
from heartrush_train.run import Run
from heartrush_train.sb3.policy import MagnetPolicy, network_of
from heartrush_train.sb3.ppo import PPORun
from heartrush_train.sb3.vec_env import SeatVecEnv
from heartrush_train.schedules import geometric

EXPLOITERS_FIGHTS = 2000  # fights that measure an exploiter's lower bound


def self_play_run(config: SelfPlayConfig, folder: Path) -> SelfPlayRun | LeanSelfPlayRun:
    """Return a run of the learner that the configuration names."""
    return (LeanSelfPlayRun if config.lean else SelfPlayRun)(config, folder)


class MeasuredRun(Run):
    """A run that measures the exploitability of its policy; the other base class supplies the learner."""

    config: SelfPlayConfig
    record: Callable[[str, float], None]  # writes a value to TensorBoard

    @cached_property
    def why_not_exact(self) -> str | None:
        """The reason why NashConv cannot be computed, or None if it can."""
        return "its network reads entities" if self.config.observations == ENTITIES else why_not_exact(self.game)

    def plan(self) -> str:
        """Return sentences about the training ahead, and about how exploitability is measured."""
        if self.why_not_exact is None:
            return f"{super().plan()} NashConv is computed exactly at every checkpoint."
        how = "a lower bound on exploitability is measured by exploiters" if self.config.exploiters else "not measured"
        return f"{super().plan()} NashConv is not computed: {self.why_not_exact}; {how}."

    def begin(self, logs: Path) -> None:
        """Prepare to measure NashConv, and open the TensorBoard log."""
        self.exact = ExactNashConv(self.game) if self.why_not_exact is None else None
        super().begin(logs)  # type: ignore[safe-super]

    def take_results(self) -> tuple[dict[str, float], dict[str, float]]:
        """Measure exploitability; return the scores by opponent, and the losses, since the last call."""
        found = super().take_results()  # type: ignore[safe-super]
        if self.exact is not None:
            with threadpool_limits(1):
                self.nash_conv = self.exact(cast("Network", self.network()))
        shares = (self.done, self.saved_share)
        due, before = (int(round(self.config.exploiters * share, 9)) for share in shares)
        if due > before:
            self.lower_bound = self.exploit()
        return found

    def exploit(self) -> dict[str, Any]:
        """Train an exploiter against the current policy, and return its lower bound in the format of a card."""
        config = self.config
        with TemporaryDirectory() as folder:
            write_agent(Path(folder), "policy", "The policy so far.", self.network(), self.game, {}, self.fits())
            exploiter = ExploiterConfig(
                config.scenario, config.rules, config.memory, config.seed, config.exploiter_samples,
                opponent=folder, net_arch=config.net_arch, game_name=config.game_name, learner=config.learner,
                device=config.device, observations=config.observations,
            )  # fmt: skip
            run = exploiter_run(exploiter, Path(folder) / "exploiter")
            return lower_bound(run, fights=EXPLOITERS_FIGHTS, processes=1).as_dict()

    def log(self, scores: Mapping[str, float]) -> None:
        """Write the last interval's exploitability, scores and losses to TensorBoard."""
        if self.nash_conv is not None:
            self.record("exploitability/nash_conv", self.nash_conv)
        if self.lower_bound is not None:
            self.record("exploitability/lower_bound", self.lower_bound["exploitability"]["value"])
        super().log(scores)  # type: ignore[safe-super]


class SelfPlayRun(MeasuredRun, PPORun):
    """A run of self-play with a magnet by MaskablePPO."""

    config: SelfPlayConfig
    policy: MagnetPolicy
    record = PPORun.record

    def __init__(self, config: SelfPlayConfig, folder: Path) -> None:
        """Seat past selves and sparring partners in the last fights of the batch, and the learner everywhere else."""
        fights = BatchEnv(config.game(), config.n_envs)
        self.past_selves, partners = self_play(config, fights)
        env = SeatVecEnv(fights, [*self.past_selves, *partners])
        super().__init__(config, folder, env, MagnetPolicy, ent_coef=1.0)
        self.policy.record = lambda name, value: self.model.logger.record_mean(name, value)
        self.pool: list[Network] = []

    def before_update(self, rng: np.random.Generator) -> None:
        """Lower the entropy coefficient, move the magnet when it is due, and draw the past selves for this update."""
        super().before_update(rng)
        self.policy.ent_coef = geometric(self.config.ent_coef, self.config.final_ent_coef, self.done)
        self.policy.magnet_coef = self.config.magnet_coef
        if self.update % self.config.magnet_period == 0:
            self.policy.move_magnet()
            self.pool.append(network_of(self.policy))
            if len(self.pool) > self.config.pool_size:
                del self.pool[rng.integers(len(self.pool) - 1)]  # never the newest
        for past_self in self.past_selves:
            past_self.become(self.pool[rng.integers(len(self.pool))])

    def recipe_state(self) -> checkpoint.Tensors:
        """Return the tensors of the past selves; the magnet is saved with the policy."""
        return {
            f"{place}.{name}": torch.from_numpy(array)
            for place, network in enumerate(self.pool)
            for name, array in network.arrays().items()
        }

    def restore_recipe(self, state: checkpoint.Tensors) -> None:
        """Restore the pool of past selves."""
        arrays = {name: tensor.numpy() for name, tensor in state.items()}
        self.pool = []
        while own := checkpoint.part(arrays, str(len(self.pool))):
            self.pool.append(Network.from_arrays(own))


class LeanSelfPlayRun(MeasuredRun, LeanRun):
    """A run of self-play with a magnet by the lean learner."""

    config: SelfPlayConfig
    record = LeanRun.record

    def __init__(self, config: SelfPlayConfig, folder: Path) -> None:
        """Seat sparring partners in the last fights, past selves before them, and the learner everywhere else."""
        super().__init__(
            config,
            folder,
            sparring_partners(config, config.game(), range(round(config.n_envs * config.sparring_share))),
            magnet_coef=config.magnet_coef,
            past_self_share=config.past_self_share,
            past_selves_at_once=PAST_SELVES_AT_ONCE,
            pool_size=config.pool_size,
        )

    def before_update(self, rng: np.random.Generator) -> None:
        """Move the magnet when it is due, and keep the policy as a past self."""
        super().before_update(rng)
        if self.update % self.config.magnet_period == 0:
            self.learner.move_magnet()
            self.learner.remember()

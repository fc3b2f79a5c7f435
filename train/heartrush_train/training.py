"""A training run: stretches of learning, each ended by a checkpoint from which it goes on as if nothing had happened.

All chance of a stretch (dice, choices, minibatches) comes from the run's seed and the stretch's number, and all fights
begin anew with it. So a run that was killed and taken up again gives the weights that it would have given.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from heartrush_agents.learned import claims
from heartrush_agents.network import Layers, Network
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from threadpoolctl import threadpool_limits
from torch.optim.swa_utils import AveragedModel

from heartrush_train import checkpoint
from heartrush_train.knobs import Knobs, TrainingError
from heartrush_train.rows import SeatRows

CHECKPOINT, LOGS = "checkpoint.safetensors", "tensorboard"


class Stopped(Exception):
    """Training was asked to stop, and its checkpoint is written."""


@dataclass(frozen=True)
class Progress:
    """How far training has come, for people."""

    rows: int
    budget: int
    rows_per_second: float
    numbers: Mapping[str, float]

    @property
    def seconds_left(self) -> float:
        """At the present speed."""
        return (self.budget - self.rows) / max(self.rows_per_second, 1e-9)


class Training:
    """One run in a folder; each recipe is a kind of its own, which says what happens between updates."""

    def __init__(self, knobs: Knobs, folder: Path, model: MaskablePPO, rows: SeatRows) -> None:
        self.knobs, self.folder, self.model, self.rows = knobs, folder, model, rows
        self.policy: Any = model.policy
        self.game = knobs.game()
        self.average = AveragedModel(model.policy, avg_fn=_Average(knobs.average))
        self.rows_of_update = rows.num_envs * knobs.window
        self.updates = -(-knobs.budget // self.rows_of_update)  # rounded up
        self.update = 0  # the next one
        self.seconds = 0.0  # of training, over all sessions

    @property
    def path(self) -> Path:
        """Where the checkpoint is."""
        return self.folder / CHECKPOINT

    @property
    def done(self) -> float:
        """The share of all updates that lies behind."""
        return self.update / self.updates

    # -- what recipes fill in ------------------------------------------------------------------------------------------

    def before_update(self, chance: np.random.Generator) -> None:
        """Prepare for the next update."""
        rate = falling(self.knobs.learning_rate, self.knobs.final_learning_rate, self.done)
        self.model.lr_schedule = lambda _: rate
        self.average.update_parameters(self.policy)
        for crowd in self.rows.crowds:
            crowd.rng = chance.spawn(1)[0]

    def kept(self) -> checkpoint.Tensors:
        """What a checkpoint keeps beside the model."""
        return {}

    def take_back(self, kept: checkpoint.Tensors) -> None:
        """Go on from what a checkpoint kept."""

    # -- running -------------------------------------------------------------------------------------------------------

    def run(self, tell: Callable[[Progress], None]) -> Network:
        """Train to the end of the budget; Stopped when Ctrl-C asks for it, with a checkpoint to go on from.

        Returns:
            The average of the policies of the last updates.
        """
        self.model.set_logger(configure(str(self.folder / LOGS), ["tensorboard"]))
        with _interrupts() as asked_to_stop, threadpool_limits(1):  # past selves think in NumPy
            while self.update < self.updates:
                if asked_to_stop.is_set():
                    raise Stopped
                tell(self._stretch())
        return network_of(self.average.module)

    def _stretch(self) -> Progress:
        """Learn up to the next checkpoint and write it."""
        begun, updates = time.perf_counter(), min(self.knobs.stretch, self.updates - self.update)
        self.learn(updates)
        took = time.perf_counter() - begun
        self.seconds += took
        self._save()
        speed, scores = updates * self.rows_of_update / took, self.rows.take_scores()
        for id, score in scores.items():
            self.model.logger.record(f"score/{id}", score)
        self.model.logger.dump(self.model.num_timesteps)
        return Progress(self.model.num_timesteps, self.updates * self.rows_of_update, speed, scores)

    def learn(self, updates: int) -> None:
        """So many updates on new fights, all chance in them from the seed and the number of the first."""
        chance = np.random.default_rng([self.knobs.seed, self.update])
        self.model.set_random_seed(int(chance.integers(2**31)))  # the rows', too
        self.model.set_env(self.rows)
        self.model.learn(updates * self.rows_of_update, callback=_EachUpdate(self, chance), reset_num_timesteps=False)

    # -- telling -------------------------------------------------------------------------------------------------------

    def plan(self) -> str:
        """What will be done, for people."""
        rows = f"{self.updates * self.rows_of_update:,} rows, {self.knobs.fights} fights side by side"
        goes_on = f"Going on at {self.done:.0%} of" if self.update else "Training on"
        return f"{goes_on} {rows}; checkpoints and TensorBoard's files in {self.folder}."

    def facts(self) -> dict[str, Any]:
        """How the result came about, for its card."""
        return {
            "recipe": self.knobs.recipe,
            "knobs": self.knobs.as_dict(),
            "scenario_digest": self.game.scenario.digest,
            "rows": self.model.num_timesteps,
            "seconds": round(self.seconds),
        }

    # -- checkpoints ---------------------------------------------------------------------------------------------------

    def _must_agree(self) -> dict[str, Any]:
        """What a checkpoint must agree with."""
        facts = self.facts()
        return {**{name: facts[name] for name in ("recipe", "knobs", "scenario_digest")}, "fits": claims(self.game)}

    def _save(self) -> None:
        optimizer = self.model.policy.optimizer.state_dict()["state"]
        tensors = {
            **checkpoint.prefixed("policy", self.model.policy.state_dict()),
            **checkpoint.prefixed("average", self.average.state_dict()),
            **checkpoint.prefixed("recipe", self.kept()),
            **{
                f"optimizer.{place}.{name}": value
                for place, state in optimizer.items()
                for name, value in state.items()
            },
        }
        facts = {"update": self.update, "rows": self.model.num_timesteps, "seconds": self.seconds}
        checkpoint.write(self.path, tensors, {**self._must_agree(), **facts})

    def go_on(self) -> None:
        """Go on from the checkpoint in the folder; TrainingError says in a sentence why it does not fit."""
        tensors, facts = checkpoint.read(self.path)
        for name, here in self._must_agree().items():
            if facts.get(name) != here:
                raise TrainingError(
                    f"{self.path}: {_difference(name, facts.get(name), here)}; begin anew with --fresh."
                )
        try:
            self._take_back(tensors)
            self.update, self.seconds = int(facts["update"]), float(facts["seconds"])
            self.model.num_timesteps = int(facts["rows"])
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise TrainingError(f"{self.path}: its content does not fit ({error}); begin anew with --fresh.") from None

    def _take_back(self, tensors: checkpoint.Tensors) -> None:
        self.model.policy.load_state_dict(checkpoint.part(tensors, "policy"))
        self.average.load_state_dict(checkpoint.part(tensors, "average"))
        self.take_back(checkpoint.part(tensors, "recipe"))
        optimizer = self.model.policy.optimizer
        state: dict[int, dict[str, torch.Tensor]] = {}
        for name, value in checkpoint.part(tensors, "optimizer").items():
            place, what = name.split(".")
            state.setdefault(int(place), {})[what] = value
        optimizer.load_state_dict({**optimizer.state_dict(), "state": state})


class _EachUpdate(BaseCallback):
    """Tells a training where Stable-Baselines3 begins an update."""

    def __init__(self, training: Training, chance: np.random.Generator) -> None:
        super().__init__()
        self.training_run, self.chance = training, chance

    def _on_rollout_start(self) -> None:
        self.training_run.before_update(self.chance)
        self.training_run.update += 1

    def _on_step(self) -> bool:
        return True


class Decisions(MaskableRolloutBuffer):
    """A rollout of which only the rows with a choice are learned from: many windows leave somebody none."""

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:  # type: ignore[override]
        """Minibatches of about that size in random order."""
        if not self.generator_ready:
            for name in ("observations", "actions", "values", "log_probs", "advantages", "returns", "action_masks"):
                setattr(self, name, self.swap_and_flatten(getattr(self, name)))
            self.generator_ready = True
        rows = np.random.permutation(np.flatnonzero(self.action_masks.sum(axis=1) > 1))
        for batch in np.array_split(rows, max(1, round(len(rows) / (batch_size or len(rows) or 1)))):
            if len(batch) > 1:  # advantages are normalised over a minibatch
                yield self._get_samples(batch)


def make_model(knobs: Knobs, rows: SeatRows, policy: Any = "MlpPolicy", **more: Any) -> MaskablePPO:
    """MaskablePPO as the knobs say; on the processor and in one thread, which is fastest for small networks."""
    torch.set_num_threads(1)
    return MaskablePPO(
        policy,
        rows,
        n_steps=knobs.window,
        batch_size=knobs.minibatch,
        n_epochs=knobs.epochs,
        gamma=knobs.discount,
        gae_lambda=knobs.trace,
        clip_range=knobs.clip,
        rollout_buffer_class=Decisions,
        policy_kwargs={"net_arch": list(knobs.layers)},
        seed=knobs.seed,
        device="cpu",
        **more,
    )


def network_of(policy: Any) -> Network:
    """The arrays of a policy of Stable-Baselines3 whose hidden layers are its own for policy and value."""
    extractor = policy.mlp_extractor
    return Network(_layers(extractor.policy_net, policy.action_net), _layers(extractor.value_net, policy.value_net))


def _layers(hidden: torch.nn.Sequential, last: torch.nn.Linear) -> Layers:
    linear = [*(module for module in hidden if isinstance(module, torch.nn.Linear)), last]
    return Layers(
        tuple(module.weight.detach().numpy().T.copy() for module in linear),
        tuple(module.bias.detach().numpy().copy() for module in linear),
    )


class _Average:
    """How the average takes in a policy: by its share, by more while there have been few."""

    def __init__(self, leaves: float) -> None:
        self.least = 1.0 - leaves

    def __call__(self, average: torch.Tensor, new: torch.Tensor, number: torch.Tensor | int) -> torch.Tensor:
        return torch.lerp(average, new, max(self.least, 2.0 / (float(number) + 2.0)))


def falling(first: float, last: float, done: float) -> float:
    """Evenly from the first value to the last."""
    return first + (last - first) * done


def fading(first: float, last: float, done: float) -> float:
    """From the first value to the last, by the same share in the same time."""
    return float(first * (last / first) ** done) if first > 0 else 0.0


def _difference(name: str, there: Any, here: Any) -> str:
    """The first thing in which a checkpoint differs from what is to be trained."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in here:
            if there.get(key) != here[key]:
                return f"it was trained with {key} = {there.get(key)!r}, and here it is {here[key]!r}"
    return f"it was trained with {name} = {there!r}, and here it is {here!r}"


@contextmanager
def _interrupts() -> Iterator[threading.Event]:
    """Ctrl-C asks to stop at the next checkpoint; pressed again it interrupts at once."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return

    def ask(*_: Any) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()
        print("\nStopping at the next checkpoint; Ctrl-C again stops at once, back at the last one.", file=sys.stderr)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)

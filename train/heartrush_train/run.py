"""A training run: stretches of learning, each ended by a checkpoint from which it goes on as if nothing had happened.

All chance of a stretch (dice, choices, minibatches) comes from the run's seed and the stretch's number, and all fights
begin anew with it. So a run that was killed and taken up again gives the weights that it would have given.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from heartrush_agents.learned.agent import claims
from heartrush_agents.learned.network import Layers, Network
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from threadpoolctl import threadpool_limits
from torch.optim.swa_utils import AveragedModel

from heartrush_env.core.writing import make_folder, reason, sole_writer
from heartrush_train import checkpoint
from heartrush_train.config import Knobs, TrainingError
from heartrush_train.journal import Journal
from heartrush_train.sb3.vec_env import SeatRows

CHECKPOINT, LOGS, JOURNAL = "checkpoint.safetensors", "tensorboard", "progress.jsonl"


@dataclass(frozen=True)
class Progress:
    """How far training has come, for people."""

    rows: int
    budget: int
    rows_per_second: float
    numbers: Mapping[str, float]  # the learner's scores in the last stretch by opponent; none in the first

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
        self.saved = 0  # the next one when the last checkpoint was written
        self.seconds = 0.0  # of training, over all sessions
        self.journal = Journal(folder / JOURNAL)
        self.scores: dict[str, float] = {}  # of the last stretch

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
        """Train to the end of the budget.

        Ctrl-C ends it at once: what was learned since the last checkpoint is lost, and a run that goes on from there
        comes to the same weights.

        Args:
            tell: Called after each update but the first of a session, in which speed cannot be measured yet.

        Returns:
            The average of the policies of the last updates.

        Raises:
            TrainingError: another process trains in the folder, or it cannot be written to.
        """
        try:
            folder = make_folder(self.folder, TrainingError)
            with sole_writer(folder, TrainingError), _quiet_writers(), threadpool_limits(1):  # past selves use NumPy
                self.model.set_logger(configure(str(self.folder / LOGS), ["tensorboard"]))
                self.game.batch(1).start([0], 0, [0])  # compiles what is to be compiled before the clock starts
                speed = _Speed(self.rows_of_update)
                while self.update < self.updates:
                    self._stretch(speed, tell)
        except OSError as problem:
            raise TrainingError(f"{self.folder}: training cannot be written there ({reason(problem)}).") from None
        return network_of(self.average.module)

    def _stretch(self, speed: _Speed, tell: Callable[[Progress], None]) -> None:
        """Learn up to the next checkpoint and write it."""
        begun, updates = time.perf_counter(), min(self.knobs.stretch, self.updates - self.update)

        def told() -> None:
            if speed.measured:
                total = self.updates * self.rows_of_update
                tell(Progress(self.model.num_timesteps, total, speed.rows_per_second, self.scores))

        def after_update() -> None:
            speed.count()
            told()

        self.learn(updates, after_update)
        took = time.perf_counter() - begun
        self.seconds += took
        self.scores = self.rows.take_scores()
        logger = self.model.logger
        losses = {
            name.removeprefix("train/"): float(value)
            for name, value in logger.name_to_value.items()
            if name.startswith("train/")
        }
        for id, score in self.scores.items():
            logger.record(f"score/{id}", score)
        self.journal.add(
            self.model.num_timesteps,
            {
                "seconds": round(self.seconds, 1),
                "rows_per_second": round(updates * self.rows_of_update / took),
                "scores": self.scores,
                "losses": losses,
            },
        )
        self._save()
        logger.dump(self.model.num_timesteps)
        speed.count()
        told()

    def learn(self, updates: int, after_update: Callable[[], None] = lambda: None) -> None:
        """So many updates on new fights, all chance in them from the seed and the number of the first.

        `after_update` is called after each of them but the last.
        """
        chance = np.random.default_rng([self.knobs.seed, self.update])
        self.model.set_random_seed(int(chance.integers(2**31)))  # the rows', too
        self.model.set_env(self.rows)
        each = _EachUpdate(self, chance, after_update)
        self.model.learn(updates * self.rows_of_update, callback=each, reset_num_timesteps=False)

    # -- telling -------------------------------------------------------------------------------------------------------

    def plan(self) -> str:
        """What will be done, for people."""
        rows = f"{self.updates * self.rows_of_update:,} rows, {self.knobs.fights} fights side by side"
        goes_on = f"Going on at {self.done:.0%} of" if self.update else "Training on"
        return f"{goes_on} {rows}; checkpoints and TensorBoard's files in {self.folder}."

    def loss(self) -> str:
        """What stopping now loses, for people."""
        lost = self.update - self.saved
        kept = f"The same command goes on at {self.saved / self.updates:.0%}, where the last checkpoint is"
        return f"{kept}; {lost} update{'s' * (lost != 1)} since then will be repeated." if lost else f"{kept}."

    def facts(self) -> dict[str, Any]:
        """How the result came about, for its card."""
        return {
            "recipe": self.knobs.recipe,
            "knobs": self.knobs.as_dict(),
            "scenario": self.game.scenario_name,
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
        self.saved = self.update

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
            self.update = self.saved = int(facts["update"])
            self.seconds = float(facts["seconds"])
            self.model.num_timesteps = int(facts["rows"])
            self.model._n_updates = self.update * self.knobs.epochs  # noqa: SLF001  # which is logged
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise TrainingError(f"{self.path}: its content does not fit ({error}); begin anew with --fresh.") from None
        self.journal.cut(self.model.num_timesteps)

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


@contextmanager
def _quiet_writers() -> Iterator[None]:
    """Print no traceback where TensorBoard's thread cannot write: its writer raises the same error here."""
    usual = threading.excepthook

    def hook(found: threading.ExceptHookArgs) -> None:
        if not issubclass(found.exc_type, OSError):
            usual(found)

    threading.excepthook = hook
    try:
        yield
    finally:
        threading.excepthook = usual


class _Speed:
    """How fast a session trains; its first update also loads and compiles, so it only starts the clock."""

    def __init__(self, rows_of_update: int) -> None:
        self.rows_of_update = rows_of_update
        self.updates = -1  # that were timed
        self.begun = 0.0

    def count(self) -> None:
        """An update is done."""
        self.updates += 1
        if self.updates == 0:
            self.begun = time.perf_counter()

    @property
    def measured(self) -> bool:
        """Whether there is a speed yet."""
        return self.updates > 0

    @property
    def rows_per_second(self) -> float:
        """The mean over the session."""
        return self.updates * self.rows_of_update / (time.perf_counter() - self.begun)


class _EachUpdate(BaseCallback):
    """Tells a training where Stable-Baselines3 begins an update."""

    def __init__(self, training: Training, chance: np.random.Generator, after_update: Callable[[], None]) -> None:
        super().__init__()
        self.training_run, self.chance, self.after_update = training, chance, after_update
        self.first = training.update

    def _on_rollout_start(self) -> None:
        if self.training_run.update > self.first:
            self.after_update()
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

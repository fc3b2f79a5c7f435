"""A training run in a folder: its budget, seed, checkpoints, progress and interruption, for any learner.

Each checkpoint interval draws everything random (dice, choices, minibatches) from the run's seed and the number of its
first update, and starts all fights again. So a run that was killed and resumed gives the weights that it would have
given. What learns is filled in by a subclass, as sb3/ppo.py does for Stable-Baselines3.
"""

from __future__ import annotations

import json
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from heartrush_agents.learned.agent import claims
from heartrush_agents.learned.network import Network

from heartrush_env.core.writing import make_folder, reason, replace_file, sole_writer
from heartrush_train import checkpoint
from heartrush_train.config import Config, TrainingError
from heartrush_train.journal import Journal

CHECKPOINT, LOGS, JOURNAL, RUN = "checkpoint.safetensors", "tensorboard", "progress.jsonl", "run.json"


@dataclass(frozen=True)
class Progress:
    """How far training has come, for people."""

    samples: int
    total_samples: int
    samples_per_second: float
    scores: Mapping[str, float]  # the learner's in the last interval, by opponent; none in the first

    @property
    def seconds_left(self) -> float:
        """At the present speed."""
        return (self.total_samples - self.samples) / max(self.samples_per_second, 1e-9)


class Run(ABC):
    """One run in a folder."""

    def __init__(self, config: Config, folder: Path, samples_per_update: int) -> None:
        self.config, self.folder, self.samples_per_update = config, folder, samples_per_update
        self.game = config.game()
        self.updates = -(-config.total_samples // samples_per_update)  # rounded up
        self.update = 0  # the next one
        self.saved = 0  # the next one when the last checkpoint was written
        self.seconds = 0.0  # of training, over all sessions
        self.journal = Journal(folder / JOURNAL)
        self.scores: dict[str, float] = {}  # of the last interval

    # -- what a learner fills in ---------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def samples(self) -> int:
        """Samples learned from so far."""

    @abstractmethod
    def begin(self, logs: Path) -> None:
        """Get ready to learn, and log to a folder."""

    @abstractmethod
    def learn_with(self, rng: np.random.Generator, updates: int, after_update: Callable[[], None]) -> None:
        """Make some updates on new fights, with all randomness from `rng`.

        Counts `update` up as each begins, and calls `after_update` after each but the last.
        """

    @abstractmethod
    def take_results(self) -> tuple[dict[str, float], dict[str, float]]:
        """The scores by opponent and the losses of the updates since the last call."""

    @abstractmethod
    def log(self, scores: Mapping[str, float]) -> None:
        """Log the interval that a checkpoint has just ended."""

    @abstractmethod
    def network(self) -> Network:
        """The result so far."""

    @abstractmethod
    def state(self) -> checkpoint.Tensors:
        """Everything that a checkpoint keeps of the learner."""

    @abstractmethod
    def restore(self, state: checkpoint.Tensors, samples: int) -> None:
        """Go on from what a checkpoint kept, after so many samples."""

    # -- running -------------------------------------------------------------------------------------------------------

    @property
    def path(self) -> Path:
        """The checkpoint's file."""
        return self.folder / CHECKPOINT

    @property
    def done(self) -> float:
        """The share of all updates that is over."""
        return self.update / self.updates

    def train(self, tell: Callable[[Progress], None]) -> Network:
        """Train until all samples are used.

        Ctrl-C ends it at once: progress since the last checkpoint is lost, and a run that goes on from there comes to
        the same weights.

        Args:
            tell: Called after each update but the first of a session, in which speed cannot be measured yet.

        Returns:
            The average of the policies of the last updates.

        Raises:
            TrainingError: Another process trains in the folder, or it cannot be written to.
        """
        try:
            folder = make_folder(self.folder, TrainingError)
            with sole_writer(folder, TrainingError), _quiet_writers():
                replace_file(folder / RUN, (json.dumps(self._identity(), indent=2) + "\n").encode(), TrainingError)
                self.begin(folder / LOGS)
                self.game.batch(1).start([0], 0, [0])  # compiles what is to be compiled before the clock starts
                speed = _Speed(self.samples_per_update)
                while self.update < self.updates:
                    self._interval(speed, tell)
        except OSError as problem:
            raise TrainingError(f"{self.folder}: training cannot be written there ({reason(problem)}).") from None
        return self.network()

    def _interval(self, speed: _Speed, tell: Callable[[Progress], None]) -> None:
        """Learn up to the next checkpoint and write it."""
        begun, updates = time.perf_counter(), min(self.config.checkpoint_every, self.updates - self.update)

        def tell_progress() -> None:
            if speed.measured:
                total = self.updates * self.samples_per_update
                tell(Progress(self.samples, total, speed.samples_per_second, self.scores))

        def after_update() -> None:
            speed.count()
            tell_progress()

        self.learn(updates, after_update)
        took = time.perf_counter() - begun
        self.seconds += took
        self.scores, losses = self.take_results()
        self.journal.add(
            self.samples,
            {
                "seconds": round(self.seconds, 1),
                "samples_per_second": round(updates * self.samples_per_update / took),
                "scores": self.scores,
                "losses": losses,
            },
        )
        self._save()
        self.log(self.scores)
        speed.count()
        tell_progress()

    def learn(self, updates: int, after_update: Callable[[], None] = lambda: None) -> None:
        """Make some updates on new fights, with all randomness from the seed and the number of the first update."""
        self.learn_with(np.random.default_rng([self.config.seed, self.update]), updates, after_update)

    # -- telling -------------------------------------------------------------------------------------------------------

    def plan(self) -> str:
        """What will be done, for people."""
        samples = f"{self.updates * self.samples_per_update:,} samples, {self.config.n_envs} fights side by side"
        goes_on = f"Going on at {self.done:.0%} of" if self.update else "Training on"
        return f"{goes_on} {samples}; checkpoints and TensorBoard's files in {self.folder}."

    def loss(self) -> str:
        """What stopping now loses, for people."""
        lost = self.update - self.saved
        kept = f"The same command goes on at {self.saved / self.updates:.0%}, where the last checkpoint is"
        return f"{kept}; {lost} update{'s' * (lost != 1)} since then will be repeated." if lost else f"{kept}."

    def facts(self) -> dict[str, Any]:
        """How the result came about, for its card."""
        return {
            **self._identity(),
            "scenario": self.game.scenario_name,
            "samples": self.samples,
            "seconds": round(self.seconds),
        }

    def _identity(self) -> dict[str, Any]:
        return {
            "recipe": self.config.recipe,
            "config": self.config.as_dict(),
            "scenario_digest": self.game.scenario.digest,
        }

    # -- checkpoints ---------------------------------------------------------------------------------------------------

    def _must_agree(self) -> dict[str, Any]:
        """What a checkpoint must agree with."""
        return {**self._identity(), "fits": claims(self.game)}

    def _save(self) -> None:
        facts = {"update": self.update, "samples": self.samples, "seconds": self.seconds}
        checkpoint.write(self.path, self.state(), {**self._must_agree(), **facts})
        self.saved = self.update

    def go_on(self) -> None:
        """Go on from the checkpoint in the folder; TrainingError says in a sentence why it does not fit."""
        state, facts = checkpoint.read(self.path)
        for name, here in self._must_agree().items():
            if facts.get(name) != here:
                raise TrainingError(
                    f"{self.path}: {_difference(name, facts.get(name), here)}; begin anew with --fresh."
                )
        try:
            self.update = self.saved = int(facts["update"])
            self.seconds = float(facts["seconds"])
            self.restore(state, int(facts["samples"]))
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise TrainingError(f"{self.path}: its content does not fit ({error}); begin anew with --fresh.") from None
        self.journal.cut(self.samples)


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

    def __init__(self, samples_per_update: int) -> None:
        self.samples_per_update = samples_per_update
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
    def samples_per_second(self) -> float:
        """The mean over the session."""
        return self.updates * self.samples_per_update / (time.perf_counter() - self.begun)


def _difference(name: str, there: Any, here: Any) -> str:
    """The first thing in which a checkpoint differs from what is to be trained."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in here:
            if there.get(key) != here[key]:
                return f"it was trained with {key} = {there.get(key)!r}, and here it is {here[key]!r}"
    return f"it was trained with {name} = {there!r}, and here it is {here!r}"

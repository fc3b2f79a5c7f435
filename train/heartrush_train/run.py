"""A training run in a folder: budget, seed, checkpoints, progress and interruption, for any learner.

Each checkpoint interval derives all its randomness (dice, choices, minibatches) from the run's seed and the number of
the interval's first update, and restarts all fights. So a run that was killed and resumed produces the weights of an
uninterrupted run. A subclass supplies the learner, as sb3/ppo.py does for Stable-Baselines3.
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
from heartrush_agents.heart_rush.learned.entity_network import EntityNetwork
from heartrush_agents.learned.agent import claims
from heartrush_agents.learned.network import Network

from heartrush_env.tabletop.writing import make_folder, reason, replace_file, sole_writer
from heartrush_train import checkpoint
from heartrush_train.config import Config, TrainingError
from heartrush_train.journal import Journal

CHECKPOINT, LOGS, JOURNAL, RUN = "checkpoint.safetensors", "tensorboard", "progress.jsonl", "run.json"


@dataclass(frozen=True)
class Progress:
    """The progress of training, for display."""

    samples: int
    total_samples: int
    samples_per_second: float
    scores: Mapping[str, float]  # the learner's scores in the last interval, by opponent; empty during the first
    nash_conv: float | None = None  # NashConv of the last checkpoint's policy, if measured
    lower_bound: float | None = None  # lower bound on the exploitability of the last policy that faced an exploiter

    @property
    def seconds_left(self) -> float:
        """The estimated time left, in seconds, at the current speed."""
        return (self.total_samples - self.samples) / max(self.samples_per_second, 1e-9)


class Run(ABC):
    """One training run in a folder."""

    def __init__(self, config: Config, folder: Path, samples_per_update: int) -> None:
        self.config, self.folder, self.samples_per_update = config, folder, samples_per_update
        self.game = config.game()
        self.updates = -(-config.total_samples // samples_per_update)  # rounded up
        self.update = 0  # the number of the next update
        self.saved = 0  # the number of the next update when the last checkpoint was written
        self.saved_share = 0.0  # the fraction of the training done when the last checkpoint was written
        self.seconds = 0.0  # training time over all sessions, up to the last checkpoint
        self.begun: float | None = None  # when training went on after the last checkpoint
        self.journal = Journal(folder / JOURNAL)
        self.scores: dict[str, float] = {}  # scores in the last interval
        self.nash_conv: float | None = None  # NashConv of the last checkpoint's policy, if the recipe measures it
        self.lower_bound: dict[str, Any] | None = None  # lower bound on exploitability, if the recipe trains exploiters

    # -- to be supplied by a subclass ----------------------------------------------------------------------------------

    @property
    @abstractmethod
    def samples(self) -> int:
        """The number of samples learned from so far."""

    @abstractmethod
    def begin(self, logs: Path) -> None:
        """Prepare to learn, logging to a folder."""

    @abstractmethod
    def learn_with(self, rng: np.random.Generator, updates: int, after_update: Callable[[], None]) -> None:
        """Make this number of updates on new fights, with all randomness from `rng`.

        Increments `update` as each one begins, and calls `after_update` after each except the last.
        """

    @abstractmethod
    def take_results(self) -> tuple[dict[str, float], dict[str, float]]:
        """Return the scores by opponent, and the losses, of the updates since the last call."""

    @abstractmethod
    def log(self, scores: Mapping[str, float]) -> None:
        """Log the results of the interval that has just ended with a checkpoint."""

    @abstractmethod
    def network(self) -> Network | EntityNetwork:
        """Return the network to export, as trained so far."""

    @abstractmethod
    def state(self) -> checkpoint.Tensors:
        """Return the learner's part of a checkpoint."""

    @abstractmethod
    def restore(self, state: checkpoint.Tensors, samples: int) -> None:
        """Resume from the learner's part of a checkpoint, written after this number of samples."""

    # -- running -------------------------------------------------------------------------------------------------------

    @property
    def path(self) -> Path:
        """The path of the checkpoint."""
        return self.folder / CHECKPOINT

    @property
    def done(self) -> float:
        """The fraction of the training done, 0 to 1."""
        return self.update / self.updates

    @property
    def total_samples(self) -> int:
        """The number of samples of the whole training, as far as it is known."""
        return self.updates * self.samples_per_update

    @property
    def spent(self) -> float:
        """The training time so far, in seconds, over all sessions."""
        return self.seconds + (0.0 if self.begun is None else time.perf_counter() - self.begun)

    def train(self, report: Callable[[Progress], None]) -> Network | EntityNetwork:
        """Train until all samples are used.

        Ctrl-C stops at once and loses progress since the last checkpoint. A run resumed from there ends with the same
        weights.

        Args:
            report: Called after each update of a session except the first, when there is no speed to report yet.

        Returns:
            The network that `network()` exports at the end.

        Raises:
            TrainingError: Another process is training in the folder, or the folder is not writable.
        """
        try:
            folder = make_folder(self.folder, TrainingError)
            with sole_writer(folder, TrainingError), _quiet_writers():
                replace_file(folder / RUN, (json.dumps(self._identity(), indent=2) + "\n").encode(), TrainingError)
                self.begin(folder / LOGS)
                self.game.batch(1).start([0], 0, [0])  # compiles before the clock starts
                speed = _Speed(self.samples_per_update)
                while self.done < 1:
                    self._interval(speed, report)
        except OSError as problem:
            raise TrainingError(f"{self.folder}: training cannot write there ({reason(problem)}).") from None
        return self.network()

    def _interval(self, speed: _Speed, report: Callable[[Progress], None]) -> None:
        """Learn up to the next checkpoint and write it."""
        first, spent = self.update, self.seconds
        self.begun = time.perf_counter()

        def report_progress() -> None:
            if speed.measured:
                found = None if self.lower_bound is None else self.lower_bound["exploitability"]["value"]
                numbers = self.samples, self.total_samples, speed.samples_per_second
                report(Progress(*numbers, self.scores, self.nash_conv, found))

        def after_update() -> None:
            speed.count()
            report_progress()

        self.learn(self.next_updates(), after_update)
        self.seconds, self.begun = self.spent, None
        self.scores, losses = self.take_results()
        self.journal.add(
            self.samples,
            {
                "seconds": round(self.seconds, 1),
                "samples_per_second": round((self.update - first) * self.samples_per_update / (self.seconds - spent)),
                "scores": self.scores,
                "losses": losses,
                **self._measured(),
            },
        )
        self._save()
        self.log(self.scores)
        speed.count()
        report_progress()

    def next_updates(self) -> int:
        """Return the number of updates up to the next checkpoint."""
        return min(self.config.checkpoint_every, self.updates - self.update)

    def learn(self, updates: int, after_update: Callable[[], None] = lambda: None) -> None:
        """Make this number of updates on new fights, with randomness from the seed and the first update's number."""
        self.learn_with(np.random.default_rng([self.config.seed, self.update]), updates, after_update)

    # -- reporting -----------------------------------------------------------------------------------------------------

    def plan(self) -> str:
        """Return one sentence about the training ahead, for display."""
        begins = f"Resuming at {self.done:.0%} of" if self.update else "Training on"
        return f"{begins} {self.work()}; checkpoints and TensorBoard logs in {self.folder}."

    def work(self) -> str:
        """Return the amount of training, as a phrase."""
        return f"{self.total_samples:,} samples"

    def resuming(self) -> str:
        """Return a sentence about where the run would resume if it stopped now, for display."""
        lost = self.update - self.saved
        kept = f"The same command resumes from the last checkpoint, at {self.saved_share:.0%}"
        return f"{kept}; {lost} update{'s' * (lost != 1)} since then will be repeated." if lost else f"{kept}."

    def facts(self) -> dict[str, Any]:
        """Return facts about the training run, for the agent's card."""
        return {
            **self._identity(),
            "scenario": self.game.scenario_name,
            "samples": self.samples,
            "seconds": round(self.seconds),
            **self._measured(),
        }

    def fits(self) -> dict[str, Any]:
        """Return the facts in which a game must match the training for the network to play it, for the agent's card."""
        return claims(self.game)

    def _measured(self) -> dict[str, Any]:
        found = {"nash_conv": self.nash_conv, "lower_bound": self.lower_bound}
        return {name: value for name, value in found.items() if value is not None}

    def _identity(self) -> dict[str, Any]:
        return {
            "recipe": self.config.recipe,
            "config": self.config.as_dict(),
            "scenario_digest": self.game.scenario_digest,
        }

    # -- checkpoints ---------------------------------------------------------------------------------------------------

    def _must_agree(self) -> dict[str, Any]:
        """Return the facts in which a checkpoint must agree with this run."""
        return {**self._identity(), "fits": self.fits()}

    def _save(self) -> None:
        facts = {"update": self.update, "samples": self.samples, "seconds": self.seconds, **self._measured()}
        checkpoint.write(self.path, self.state(), {**self._must_agree(), **facts})
        self.saved, self.saved_share = self.update, self.done

    def resume(self) -> None:
        """Resume from the checkpoint in the folder.

        Raises:
            TrainingError: The checkpoint is damaged or belongs to another configuration.
        """
        state, facts = checkpoint.read(self.path)
        for name, here in self._must_agree().items():
            if facts.get(name) != here:
                raise TrainingError(
                    f"{self.path}: {_difference(name, facts.get(name), here)}; start over with --fresh."
                )
        try:
            self.update = self.saved = int(facts["update"])
            self.seconds = float(facts["seconds"])
            self.nash_conv = None if facts.get("nash_conv") is None else float(facts["nash_conv"])
            self.lower_bound = facts.get("lower_bound")
            self.saved_share = self.done
            self.restore(state, int(facts["samples"]))
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise TrainingError(f"{self.path}: this run cannot load it ({error}); start over with --fresh.") from None
        self.journal.cut(self.samples)


@contextmanager
def _quiet_writers() -> Iterator[None]:
    """Suppress the traceback of TensorBoard's thread if it cannot write; this thread raises its own error."""
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
    """The speed of a session. The first update also loads and compiles, so it only starts the clock."""

    def __init__(self, samples_per_update: int) -> None:
        self.samples_per_update = samples_per_update
        self.updates = -1  # updates timed so far
        self.begun = 0.0

    def count(self) -> None:
        """Count a finished update."""
        self.updates += 1
        if self.updates == 0:
            self.begun = time.perf_counter()

    @property
    def measured(self) -> bool:
        """Whether any update has been timed yet."""
        return self.updates > 0

    @property
    def samples_per_second(self) -> float:
        """The mean speed of the session, in samples per second."""
        return self.updates * self.samples_per_update / (time.perf_counter() - self.begun)


def _difference(name: str, there: Any, here: Any) -> str:
    """Return the first difference between a checkpoint and this run, as a clause."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in here:
            if there.get(key) != here[key]:
                return f"it was trained with {key} = {there.get(key)!r}, but here it is {here[key]!r}"
    return f"it was trained with {name} = {there!r}, but here it is {here!r}"

"""The recipes by name. Each is a file that reads from top to bottom; importing them needs the `train` extra."""

from __future__ import annotations

from pathlib import Path

from heartrush_env.core.writing import sole_writer
from heartrush_train.config import RECIPES, Against, Knobs, SelfPlay, TrainingError
from heartrush_train.recipes.ppo_self_play import SelfPlayTraining
from heartrush_train.recipes.ppo_vs_agent import AgainstTraining
from heartrush_train.run import Training


def prepare(knobs: Knobs, folder: Path, *, fresh: bool = False) -> Training:
    """A run by the recipe of these knobs in a folder, where it goes on from the checkpoint unless it is to be fresh."""
    training: Training
    match knobs:
        case SelfPlay():
            training = SelfPlayTraining(knobs, folder)
        case Against():
            training = AgainstTraining(knobs, folder)
        case _:
            raise TrainingError(f"There is no recipe for {type(knobs).__name__}, allowed: {', '.join(RECIPES)}.")
    if not folder.exists():
        return training
    with sole_writer(folder, TrainingError):
        if fresh:
            training.path.unlink(missing_ok=True)
        if training.path.exists():
            training.go_on()
        else:
            training.journal.cut(0)
    return training

"""What tests of training share: a small duel, and a run that is stopped and goes on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

BOAR, FOX = (
    "".join(f"{name} = {die}\n" for name, die in zip(("might", "agility", "cunning"), dice, strict=True))
    + 'presence = 4\nheart = 6\nweapon = "dagger"\n'
    for dice in ((8, 4, 4), (4, 6, 8))
)


def boar_and_fox(folder: Path, *, hp: tuple[int, int] = (7, 5), boar: str = "", **rules: object) -> str:
    """Write a duel of few states, with more fields of the boar and with rules, and return the path of its file."""
    said = "".join(f"{name} = {value if isinstance(value, int) else repr(value)}\n" for name, value in rules.items())
    path = folder / "duel.toml"
    path.write_text(
        f'name = "boar_and_fox"\nvictory = "first_down"\n[rules]\n{said.replace("False", "false")}'
        f'[[fighter]]\nid = "boar"\nteam = "blue"\nhp = {hp[0]}\n{boar}{BOAR}'
        f'[[fighter]]\nid = "fox"\nteam = "red"\nhp = {hp[1]}\n{FOX}'
    )
    return str(path)


def nothing(_: Any) -> None:
    """Ignore the progress."""


def check_that_a_stopped_run_ends_alike(
    make: Callable[[Path], Any], folder: Path, stop_at: Callable[[Any, Any], bool], resumed_at: int
) -> tuple[Any, Any]:
    """Check that a run that is stopped and goes on ends with the weights of one that is not.

    Args:
        make: Makes the run of a folder.
        folder: Where both runs have their folders.
        stop_at: Whether the run is stopped, from the run and its progress.
        resumed_at: The update of the checkpoint from which the stopped run goes on.

    Returns:
        The resumed run after its end, and the arrays of the weights of both.
    """
    whole = make(folder / "whole").train(nothing).arrays()
    stopped = make(folder / "stopped")

    def stop(progress: Any) -> None:
        if stop_at(stopped, progress):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped.train(stop)
    resumed = make(folder / "stopped")
    assert resumed.update == resumed_at
    again = resumed.train(nothing).arrays()
    assert all(np.array_equal(again[name], array) for name, array in whole.items())
    return resumed, whole

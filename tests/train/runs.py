"""Helpers of training tests: a small duel, a check of its observations, and a check that a stopped run resumes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents.heart_rush.learned.duel_rows import read_windows

from heartrush_env.envs.vector import BatchEnv
from heartrush_env.research.duel import EXCHANGES
from heartrush_env.research.query import show, window_of

BOAR, FOX = (
    "".join(f"{name} = {die}\n" for name, die in zip(("might", "agility", "cunning"), dice, strict=True))
    + 'presence = 4\nheart = 6\nweapon = "dagger"\n'
    for dice in ((8, 4, 4), (4, 6, 8))
)


def boar_and_fox(folder: Path, *, hp: tuple[int, int] = (7, 5), boar: str = "", **rules: object) -> str:
    """Write a duel of few states, with `boar` as further fields of the boar and these rules; return the file's path."""
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


def check_rows(duel: Any, side: int) -> None:
    """Check that a duel's observations, as sums of parts, equal those of the kernel, in all windows of a side."""
    duel = duel if side == 0 else duel.turned()
    seat, rng = read_windows(duel), np.random.default_rng(3)
    states = np.column_stack([rng.integers(1 if axis < 2 else 0, size, 200) for axis, size in enumerate(duel.shape)])
    hits = rng.integers(1, len(duel.halves), 200)
    struck = np.column_stack([states, hits])
    seen: list[Any] = [(seat.stance, 0, None, states)]
    seen += [(seat.attack, k, pair, states) for k, pair in enumerate(seat.pairs)]
    shrugs = [(int(window), EXCHANGES[k]) for k, window in enumerate(seat.shrug_of) if window >= 0]
    seen += [(seat.shrug, window, exchange, struck) for window, exchange in shrugs]
    assert (len(seat.pairs), len(seen)) == (9, 1 + 9 + 15)
    for windows, which, moment, numbers in seen:
        shown, _ = show(duel, window_of(duel.game, side, moment), states, hits if numbers is struck else None)
        assert np.abs(windows.rows(np.full(200, which), numbers) - shown).max() < 1e-6, moment


def check_that_a_stopped_run_ends_alike(
    make: Callable[[Path], Any], folder: Path, stop_at: Callable[[Any, Any], bool], resumed_at: int
) -> tuple[Any, Any]:
    """Check that a run that is stopped and resumed ends with the weights of an uninterrupted run.

    Args:
        make: Makes the run in a given folder.
        folder: The folder that contains the folders of both runs.
        stop_at: Whether to stop now, given the run and its progress.
        resumed_at: The update of the checkpoint from which the stopped run resumes.

    Returns:
        The resumed run after its end, and the weights of the uninterrupted run by name.
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


def decisions(game: Any, fights: int) -> tuple[Any, Any]:
    """Return the features and the legal actions of the seats that have a choice, after a few windows."""
    env = BatchEnv(game, fights)
    seen, _ = env.reset(3)
    for _ in range(5):
        seen = env.step(seen["action_mask"].argmax(axis=-1))[0]
    chooses = seen["action_mask"].sum(axis=-1) > 1
    return seen["observation"][chooses], seen["action_mask"][chooses]

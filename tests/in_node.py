"""Fights in Node by the WebAssembly module, compared with the same fights in Python, byte for byte."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from heartrush_env.tabletop.game import Game, asked_of
from heartrush_env.tabletop.kernels import PLAIN
from heartrush_env.tabletop.portable.files import engine_files

NODE = shutil.which("node")
PROGRAM = Path(__file__).with_suffix(".mjs")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed here")
needs_compiled_kernels = pytest.mark.skipif(PLAIN, reason="modules are made of compiled kernels")


class Played(NamedTuple):
    """A fight to play: the choice of each agent in every window, by name."""

    game: Game
    choices: Sequence[Mapping[str, str]]
    dice: tuple[int, ...] = ()


def compare(fights: Mapping[str, Played], seed: int, folder: Path) -> None:
    """Check that Node shows what Python shows in every window of these fights."""
    for file, content in engine_files({name: fight.game for name, fight in fights.items()}).items():
        (folder / file).write_bytes(content)
    asked = [
        {"name": name, "seed": seed, "dice": fight.dice, "choices": fight.choices} for name, fight in fights.items()
    ]
    command = [str(NODE), str(PROGRAM), str(folder)]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for (name, fight), line in zip(fights.items(), done.stdout.splitlines(), strict=True):
        windows = zip(_windows(fight, seed), json.loads(line), strict=True)
        for number, (there, here) in enumerate(windows):
            wrong = [key for key in there if there[key] != here[key]]
            assert not wrong, f"{name}, window {number}: {wrong} differ: {there['events']} and {here['events']}"


def _windows(fight: Played, seed: int) -> list[dict[str, Any]]:
    """Return what every window of a fight shows in Python."""
    game, batch = fight.game, fight.game.batch(1, record=True)
    batch.start([0], seed, [0], fight.dice or None)
    windows = [_shown(batch, game)]
    for chosen in fight.choices:
        actions = [game.action_names.index(chosen[agent]) for agent in game.agents]
        batch.step(np.array([actions], np.int64))
        windows.append(_shown(batch, game))
    return windows


def _shown(batch: Any, game: Game) -> dict[str, Any]:
    """Return what a window shows, as in_node.mjs prints it."""
    asked = [] if batch.ended[0] else np.flatnonzero(asked_of(batch)[0])
    return {
        "events": json.loads(json.dumps(batch.events(0))),
        "over": bool(batch.ended[0]),
        "asked": [game.agents[seat] for seat in asked],
        "observations": _digest(batch.observations),
        "masks": _digest(batch.masks),
        "rewards": _digest(batch.rewards),
        "illegal": _digest(batch.illegal),
        "fight": _digest(batch.records),
    }


def _digest(array: Any) -> str:
    return hashlib.sha256(array.tobytes()).hexdigest()

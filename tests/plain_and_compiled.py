"""Random fights of any game, as a digest of every byte that they show, played compiled and in plain Python.

Machine code and plain Python must play equal fights. Each game that is opened by a table gets this check:

    table = game.as_table()
    assert digest_of_fights(table, 50) == digest_of_fights_elsewhere(table, 50)
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from heartrush_env.tabletop.kernels import PLAIN
from heartrush_env.tabletop.registry import open_game

ROOT = Path(__file__).parents[1]
SHOWN = ("observations", "masks", "rewards", "illegal", "terminated", "truncated", "out", "numbers")


def digest_of_fights(table: Mapping[str, Any], steps: int) -> str:
    """Return the digest of random legal play in two slots, which may begin new fights."""
    batch, rng, digest = open_game(table).batch(2), np.random.default_rng(1), hashlib.sha256()
    batch.start([0, 1], 3, [0, 1])
    for _ in range(steps):
        for name in SHOWN:
            digest.update(getattr(batch, name).tobytes())
        digest.update(repr([batch.snapshot(slot) for slot in range(2)]).encode())
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(-1), autoreset=True)
    return digest.hexdigest()


def digest_of_fights_elsewhere(table: Mapping[str, Any], steps: int) -> str:
    """Return the digest from a new process, which compiles if this one does not and vice versa."""
    command = [sys.executable, "-W", "ignore", __file__, json.dumps(table), str(steps)]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0" if PLAIN else "1", "PYTHONPATH": path}
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.split()[-1]


if __name__ == "__main__":
    print(digest_of_fights(json.loads(sys.argv[1]), int(sys.argv[2])))

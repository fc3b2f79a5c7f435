"""Measurements of separate processes: starts, imports, memory, and the size of the download."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from time import perf_counter

from heartrush_env.app.heart_rush.commands.bench import START
from heartrush_env.games.heart_rush.game import HeartRush

ROOT = Path(__file__).resolve().parent.parent
WHEELS = ROOT / "dist"
MEGABYTE = 1e6
HEAVY = ("torch", "numba", "pygame", "scipy", "matplotlib")
CROWD = 4096  # fights
IMPORT = f"""
from time import perf_counter
begun = perf_counter()
import heartrush_env
spent = perf_counter() - begun
import sys
print(spent, *[name for name in {HEAVY!r} if name in sys.modules])
"""
MEMORY = """
from pathlib import Path
from heartrush_env import heart_rush_v0
vec = heart_rush_v0.make_vec({fights}, "duel", seed=7)
mask = vec.reset()[0]["action_mask"]
for step in range(20):
    mask = vec.step(mask.argmax(axis=2))[0]["action_mask"]
lines = Path("/proc/self/status").read_text().splitlines()
print(*[int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")])
"""


def run(program: str, **environment: str) -> str:
    """Run a program with this Python and this checkout, and return its output."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    settings = {**os.environ, "PYTHONPATH": path, **environment}
    return subprocess.run(
        [sys.executable, "-c", program], env=settings, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE
    ).stdout


def start(**environment: str) -> tuple[float, float]:
    """Run a process that imports, makes an environment, resets and steps; return its wall-clock and processor time."""
    before, begun = os.times(), perf_counter()
    run(START, **environment)
    spent, after = perf_counter() - begun, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return spent, used


def first_start() -> tuple[float, float]:
    """Measure a start with nothing compiled, as on a fresh machine."""
    with tempfile.TemporaryDirectory() as empty:
        return start(HEARTRUSH_CACHE_DIR=empty)


def import_time() -> tuple[float, list[str]]:
    """Return the seconds that `import heartrush_env` takes, and the heavy modules that it loads."""
    seconds, *heavy = run(IMPORT).split()
    return float(seconds), heavy


def peak_memory(fights: int) -> int | None:
    """Return the peak memory of a process with this many duels, in bytes; None on systems other than Linux."""
    if not sys.platform.startswith("linux"):
        return None  # the usual figure, ru_maxrss, includes the memory of the parent process
    return int(run(MEMORY.format(fights=fights)))


def bytes_per_fight() -> int:
    """Return the bytes that a duel takes in a batch, as the game reports them."""
    return HeartRush("duel").bytes_per_fight()


def core_download() -> dict[str, float] | None:
    """Return the megabytes of each package that a plain installation downloads, or None if the download fails.

    The project's own wheel counts if `make wheel` or `make wheels` has written it to dist/.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-cache-dir", "--dest", folder]
        constraints = ["--constraint", str(ROOT / "constraints.txt")]
        own = ["--find-links", str(WHEELS), project["name"]] if any(WHEELS.glob("*.whl")) else project["dependencies"]
        done = subprocess.run([*command, *constraints, *own], capture_output=True)
        if done.returncode:
            return None
        return {path.name.split("-")[0]: path.stat().st_size / MEGABYTE for path in sorted(Path(folder).iterdir())}

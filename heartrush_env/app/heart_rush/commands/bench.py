"""`heartrush machine bench`: measures the speed of the installed package, through its public environments.

Each figure is the median of a few repeats on one thread. The time to draw random legal actions is not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from heartrush_env import __version__
from heartrush_env.app.cli.arguments import add_number

if TYPE_CHECKING:
    from heartrush_env.envs.vector import BatchEnv

Counts = dict[str, int]
Step = Callable[[], tuple[float, Counts]]  # returns the measured seconds, and how many of each unit were done

REPEATS = 5
SEED = 7
JUNE, CLASSIC = EDITIONS = ("june2025", "classic")  # one for each kind of round
LONGEST_MIXING = 500  # steps
START = """
from time import perf_counter
begun = perf_counter()
from heartrush_env import heart_rush_v0
env = heart_rush_v0.parallel_env(scenario="duel")
observations, infos = env.reset(seed=7)
env.step({agent: int(infos[agent]["action_mask"].argmax()) for agent in env.agents})
print(perf_counter() - begun)
"""

ABOUT = (
    "Measures the speed of the installed package: medians of a few repeats on one thread; drawing random legal actions "
    "is not timed. The full suite is in benchmarks/ in the source tree."
)
EXAMPLES = """examples:
  heartrush machine bench
  heartrush machine bench --seconds 1 --json
  heartrush machine bench --cold              with a first start, which compiles everything"""


@dataclass(frozen=True)
class Figure:
    """One measurement."""

    name: str
    value: float
    unit: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--seconds", type=_seconds, default=2.0, metavar="S", help="time for each figure (default: 2)")
    add_number(parser, "--envs", "parallel fights", 4096)
    parser.add_argument("--cold", action="store_true", help="also measure a first start, which compiles everything")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _seconds(text: str) -> float:
    """Parse a positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return value


def run(arguments: argparse.Namespace) -> int:
    """Measure all figures and print them."""
    figures: list[Figure] = []
    for figure in measured(arguments):
        figures.append(figure)
        if not arguments.json:
            print(f"{figure.name:<56} {_short(figure.value):>10} {figure.unit}", flush=True)
    if arguments.json:
        settings = {"version": __version__, "envs": arguments.envs, "seconds": arguments.seconds, "repeats": REPEATS}
        print(json.dumps({**settings, "figures": [asdict(figure) for figure in figures]}))
    return 0


def measured(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Yield all figures one by one."""
    yield from vectorised("stance", arguments.envs, arguments.seconds)
    for edition in EDITIONS:
        yield from vectorised("full", arguments.envs, arguments.seconds, edition)
    for edition in EDITIONS:
        yield from one_environment(arguments.seconds, edition)
    yield from starts(arguments.cold)


def vectorised(decisions: str, envs: int, seconds: float, edition: str = JUNE) -> list[Figure]:
    """Measure many duels that run at once, with observations, masks and autoreset."""
    units = ("agent-steps",) if decisions == "stance" else ("decisions", "fights")
    name = f"vectorised {duel_of(edition)}, {envs} fights, decisions={decisions!r}"
    step = vector_step("duel", decisions, envs, edition)
    return [Figure(name, rate, f"{unit}/s") for unit, rate in median_rates(step, seconds, units).items()]


def one_environment(seconds: float, edition: str = JUNE) -> list[Figure]:
    """Measure the speed of one PettingZoo parallel environment."""
    rates = median_rates(environment_step("duel", edition), seconds, ("env-steps",))
    return [Figure(f"parallel {duel_of(edition)}, one environment", rates["env-steps"], "env-steps/s")]


def duel_of(edition: str) -> str:
    """Return the display name of an edition's duel."""
    return "duel" if edition == JUNE else f"{edition} duel"


def vector_step(
    scenario: str,
    decisions: str,
    envs: int,
    edition: str = JUNE,
    *,
    observations: str = "vector",
    num_threads: int = 1,
) -> Step:
    """Return a function that steps many fights of Heart Rush at once."""
    from heartrush_env import heart_rush_v0

    options = {"decisions": decisions, "observations": observations, "rules": {"edition": edition}}
    return batch_step(heart_rush_v0.make_vec(envs, scenario, seed=SEED, num_threads=num_threads, **options))


def batch_step(vec: BatchEnv) -> Step:
    """Return a function that steps a batch of fights; they are first played until they no longer end together."""
    draw = np.random.default_rng(SEED)
    mask = vec.reset()[0]["action_mask"]

    def step() -> tuple[float, Counts]:
        choices = int((mask.sum(axis=2) > 1).sum())
        actions = (draw.random(mask.shape, dtype=np.float32) * mask).argmax(axis=2)
        begun = perf_counter()
        infos = vec.step(actions)[4]
        spent = perf_counter() - begun
        return spent, {"agent-steps": actions.size, "decisions": choices, "fights": int(infos["ended"].sum())}

    ended = 0
    for _ in range(LONGEST_MIXING):
        ended += step()[1]["fights"]
        if ended >= 2 * vec.num_envs:
            break
    return step


def environment_step(scenario: str, edition: str = JUNE) -> Step:
    """Return a function that steps one PettingZoo parallel environment and resets it after each fight."""
    from heartrush_env import heart_rush_v0

    env = heart_rush_v0.parallel_env(scenario, rules={"edition": edition})
    draw = np.random.default_rng(SEED)
    infos = env.reset(seed=SEED)[1]

    def step() -> tuple[float, Counts]:
        nonlocal infos
        spent = 0.0
        if not env.agents:
            begun = perf_counter()
            infos = env.reset()[1]
            spent = perf_counter() - begun
        actions = {agent: int(draw.choice(np.flatnonzero(infos[agent]["action_mask"]))) for agent in env.agents}
        begun = perf_counter()
        infos = env.step(actions)[4]
        return spent + perf_counter() - begun, {"env-steps": 1, "agent-steps": len(actions)}

    return step


def median_rates(step: Step, seconds: float, units: tuple[str, ...]) -> dict[str, float]:
    """Return each unit's rate per second: the median of a few repeats, which take `seconds` in total."""
    step()
    repeats = [rates(step, seconds / REPEATS) for _ in range(REPEATS)]
    return {unit: median(repeat[unit] for repeat in repeats) for unit in units}


def rates(step: Step, seconds: float) -> dict[str, float]:
    """Return each unit's rate per second of measured time; `seconds` also includes drawing the actions."""
    spent, counts = 0.0, Counter[str]()
    end = perf_counter() + seconds
    while perf_counter() < end or not spent:
        time, done = step()
        spent += time
        counts.update(done)
    return {unit: count / spent for unit, count in counts.items()}


def starts(cold: bool) -> list[Figure]:
    """Measure the time from the import to the end of the first step, in a new process."""
    figures = []
    if cold:
        with tempfile.TemporaryDirectory() as empty:
            figures.append(Figure("first start, with nothing compiled yet", _start(empty), "s"))
    warm = median(_start(None) for _ in range(3))
    return [*figures, Figure("later start: import, environment, first step", warm, "s")]


def _start(cache: str | None) -> float:
    environment = os.environ if cache is None else {**os.environ, "HEARTRUSH_CACHE_DIR": cache}
    done = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, check=True, env=environment)
    return float(done.stdout)


def _short(value: float) -> str:
    """Format a number with two decimals and a suffix for thousands or millions."""
    for size, unit in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.2f}{unit}"
    return f"{value:.2f}"

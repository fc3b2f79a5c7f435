"""Fights on a GPU: digests that must equal the processor's, and the speed with random legal actions drawn on the GPU.

`python -m benchmarks.gpu digests FILE` plays on the processor and writes digests: of the four rows that are measured,
and of a corpus of all shipped scenarios. On a machine with a GPU, `python -m benchmarks.gpu check FILE` plays the same
fights there and measures, all within `--limit` seconds; what there was no time for is named. `compare FILE` and `speed`
are the two parts alone, without a limit. The speed of JaxMARL's SMAX is measured beside ours if it is installed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.scenario.load import shipped_scenarios
from heartrush_env.tabletop.batch.extras import extras_of, keys_of_draws

SEED: Final = 20
ROWS: Final[dict[str, dict[str, Any]]] = {
    "stance": {"scenario": "duel", "decisions": "stance"},
    "full": {"scenario": "duel"},
    "melee": {"scenario": "melee"},
    "map": {"scenario": "skirmish"},
}
CORPUS: Final = {f"corpus_{name}": {"scenario": name} for name in shipped_scenarios()}
COMPARED: Final = {"stance": 10_000, "full": 10_000, "melee": 2_000, "map": 500, **dict.fromkeys(CORPUS, 64)}  # fights
WINDOWS, EVERY = 200, 20  # windows played, and how often the arrays are added to the digest
SIZES: Final = {
    "stance": (8_192, 131_072, 524_288),
    "full": (8_192, 131_072, 524_288),
    "melee": (8_192, 131_072),
    "map": (4_096, 65_536),
}
PEERS: Final = (16_384, 131_072)  # fights of JaxMARL's SMAX
LIMIT: Final = 240.0  # seconds
DIFFERENT: Final = "DIFFERENT"


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=("digests", "check", "compare", "speed"))
    parser.add_argument("file", nargs="?", type=Path, help="a JSON file of digests")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--rows", nargs="*", choices=tuple(COMPARED), default=tuple(COMPARED))
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for all of `check`, 240 by default")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds for each figure of speed")
    given = parser.parse_args()
    if given.task != "speed" and given.file is None:
        parser.error("expected a file of digests")
    return given


def digest(row: str, device: str) -> str:
    """Return a digest of all that a batch of fights shows, with legal actions drawn at random."""
    env = heart_rush_v0.make_vec(num_envs=COMPARED[row], seed=SEED, device=device, **{**ROWS, **CORPUS}[row])
    draw = drawer(env, device)
    found = hashlib.sha256()
    seen, told = env.reset()
    for window in range(WINDOWS):
        seen, *results, told = env.step(draw())
        if window % EVERY == EVERY - 1:
            named = (*(array for _, array in sorted(seen.items())), *(array for _, array in sorted(told.items())))
            for array in (*named, *results, env.asked):
                found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def drawer(env: Any, device: str) -> Any:
    """Return a function that draws a legal action for each agent: on each device the same actions."""
    if device != "cpu":
        seeds = chain((SEED,), repeat(None))
        return lambda: env.draw_actions(next(seeds))
    actions = np.zeros((env.num_envs, env.num_agents), np.int64)
    keys = keys_of_draws(SEED, env.num_envs)
    batch: Any = env._batch  # noqa: SLF001
    kernel = extras_of(batch.playing(np.zeros(1, np.int64)).kernel.sources).draw_actions.kernel
    draw = kernel.prepare(np.arange(env.num_envs), batch.masks, actions, keys)

    def on_processor() -> Any:
        draw()
        return actions

    return on_processor


def speed(row: str, fights: int, device: str, seconds: float) -> dict[str, float]:
    """Return the agent-steps and the decisions that a device plays per second, drawing of actions included."""
    env = heart_rush_v0.make_vec(num_envs=fights, seed=SEED, device=device, **ROWS[row])
    env.reset()
    for _ in range(40):
        env.step(env.draw_actions())
    env.synchronize()
    asked, steps, begun = 0, 0, perf_counter()
    while perf_counter() - begun < seconds:
        for _ in range(10):
            env.step(env.draw_actions())
        env.synchronize()
        steps += 10
    took = perf_counter() - begun
    for _ in range(20):
        asked += int(env.asked.numpy().sum())
        env.step(env.draw_actions())
    return {"agent-steps": fights * env.num_agents * steps / took, "decisions": asked / 20 * steps / took}


def peer_speed(fights: int, seconds: float) -> float | None:
    """Return the agent-steps per second of JaxMARL's SMAX with three marines, drawing included; None without it."""
    try:
        from benchmarks.contests import smax

        step = smax("3m", fights)
    except ImportError:
        return None
    steps, begun = 0, perf_counter()
    while perf_counter() - begun < seconds:
        steps += step()[1]["agent-steps"]
    return steps / (perf_counter() - begun)


def comparisons(given: argparse.Namespace) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the comparisons by name; each returns a finding that begins with DIFFERENT if the bytes differ."""
    wanted = json.loads(given.file.read_text())
    for row in given.rows:

        def compared(row: str = row) -> str:
            begun = perf_counter()
            found = "equal" if digest(row, given.device) == wanted[row] else DIFFERENT
            return f"{found}, {perf_counter() - begun:.1f} s"

        yield f"{row}, {COMPARED[row]} fights compared", compared


def measurements(given: argparse.Namespace) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the measurements by name; each returns its figures."""
    for row in [row for row in given.rows if row in ROWS]:
        for fights in SIZES[row]:

            def measured(row: str = row, fights: int = fights) -> str:
                found = speed(row, fights, given.device, given.seconds)
                return ", ".join(f"{number / 1e6:.2f} M {unit}/s" for unit, number in found.items())

            yield f"{row}, {fights} fights", measured
    for fights in PEERS:

        def peer(fights: int = fights) -> str:
            found = peer_speed(fights, given.seconds)
            return "not installed" if found is None else f"{found / 1e6:.2f} M agent-steps/s"

        yield f"JaxMARL SMAX 3m, {fights} fights", peer


def main() -> None:
    """Run the task that the command line names."""
    given, begun = arguments(), perf_counter()
    if given.task == "digests":
        given.file.write_text(json.dumps({row: digest(row, "cpu") for row in given.rows}, indent=1) + "\n")
        return
    parts = [] if given.task == "speed" else [*comparisons(given)]
    parts += [] if given.task == "compare" else [*measurements(given)]
    different = []
    for name, part in parts:
        late = given.task == "check" and perf_counter() - begun > given.limit
        found = "no time left" if late else part()
        print(f"{name}: {found}", flush=True)
        if found.startswith(DIFFERENT):
            different.append(name)
    if different:
        raise SystemExit(f"different from the processor: {'; '.join(different)}")


if __name__ == "__main__":
    main()

"""Fights on a GPU: digests that must equal the processor's, and the speed with random legal actions drawn on the GPU.

`python -m benchmarks.gpu digests FILE` plays on the processor and writes digests. On a machine with a GPU,
`python -m benchmarks.gpu compare FILE` plays the same fights there, and `python -m benchmarks.gpu speed` measures.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from itertools import chain, repeat
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np

from heartrush_env import heart_rush_v0
from heartrush_env.tabletop.batch.extras import extras_of, keys_of_draws

SEED: Final = 20
ROWS: Final[dict[str, dict[str, Any]]] = {
    "stance": {"scenario": "duel", "decisions": "stance"},
    "full": {"scenario": "duel"},
    "melee": {"scenario": "melee"},
    "map": {"scenario": "skirmish"},
}
COMPARED: Final = {"stance": 10_000, "full": 10_000, "melee": 2_000, "map": 500}  # fights
WINDOWS, EVERY = 200, 20  # windows played, and how often the arrays are added to the digest
SIZES: Final = {
    "stance": (8_192, 131_072, 524_288),
    "full": (8_192, 131_072, 524_288),
    "melee": (8_192, 131_072),
    "map": (4_096, 65_536),
}


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=("digests", "compare", "speed"))
    parser.add_argument("file", nargs="?", type=Path, help="a JSON file of digests")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--rows", nargs="*", choices=tuple(ROWS), default=tuple(ROWS))
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds for each figure of speed")
    given = parser.parse_args()
    if given.task != "speed" and given.file is None:
        parser.error("expected a file of digests")
    return given


def digest(row: str, device: str) -> str:
    """Return a digest of all that a batch of fights shows, with legal actions drawn at random."""
    env = heart_rush_v0.make_vec(num_envs=COMPARED[row], seed=SEED, device=device, **ROWS[row])
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


def main() -> None:
    """Run the task that the command line names."""
    given = arguments()
    if given.task == "digests":
        given.file.write_text(json.dumps({row: digest(row, "cpu") for row in given.rows}, indent=1) + "\n")
        return
    if given.task == "compare":
        wanted, different = json.loads(given.file.read_text()), []
        for row in given.rows:
            begun = perf_counter()
            if digest(row, given.device) != wanted[row]:
                different.append(row)
            print(f"{row}: {'DIFFERENT' if row in different else 'equal'}, {perf_counter() - begun:.1f} s", flush=True)
        if different:
            raise SystemExit(f"different from the processor: {', '.join(different)}")
        return
    for row in given.rows:
        for fights in SIZES[row]:
            found = speed(row, fights, given.device, given.seconds)
            figures = ", ".join(f"{number / 1e6:.2f} M {unit}/s" for unit, number in found.items())
            print(f"{row}, {fights} fights: {figures}", flush=True)


if __name__ == "__main__":
    main()

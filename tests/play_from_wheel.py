"""Play every shipped scenario with an installed wheel, in an environment without Numba: python play_from_wheel.py

It imports nothing from the tests or the checkout, and prints the seconds to a first step and what is installed.
"""

import importlib.util
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

import numpy as np

FIRST_STEP = """
import time
begun = time.perf_counter()
from heartrush_env import heart_rush_v0
env = heart_rush_v0.parallel_env({scenario!r})
observations, _ = env.reset(seed=7)
env.step({{agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}})
print(time.perf_counter() - begun, time.process_time())
"""


def play(scenario: str, edition: str) -> int:
    """Play random fights, one alone and many with each kind of observations; return the steps of the first."""
    from heartrush_env import heart_rush_v0

    options = {"rules": {"edition": edition}, "max_cycles": 300}
    env = heart_rush_v0.parallel_env(scenario, **options)
    observations, _ = env.reset(seed=7)
    rng, steps = np.random.default_rng(7), 0
    while env.agents:
        actions = {agent: int(rng.choice(np.flatnonzero(seen["action_mask"]))) for agent, seen in observations.items()}
        observations, *_ = env.step(actions)
        steps += 1
    env.restore(env.snapshot())
    env.state()
    for kind in env.unwrapped.game.observation_kinds:
        for fights, decisions in ((8, "full"), (64, "stance")):  # many duels of stances have machine code of their own
            options |= {"decisions": decisions}
            vec = heart_rush_v0.make_vec(fights, scenario, seed=7, num_threads=2, observations=kind, **options)
            observations, _ = vec.reset()
            for _ in range(20):
                masks = observations["action_mask"]
                observations, *_ = vec.step((masks * rng.random(masks.shape)).argmax(axis=2))
    return steps


def main() -> None:
    """Play every shipped scenario, and print the results."""
    for missing in ("numba", "llvmlite"):
        if importlib.util.find_spec(missing) is not None:
            raise SystemExit(f"play_from_wheel: expected an environment without {missing}.")
    from heartrush_env.games.heart_rush.scenario.load import shipped_scenarios

    for scenario in shipped_scenarios():
        told = ", ".join(f"{edition} {play(scenario, edition)} steps" for edition in ("june2025", "classic"))
        print(f"{scenario}: {told}", flush=True)
    for scenario in ("duel", "skirmish"):
        command = [sys.executable, "-c", FIRST_STEP.format(scenario=scenario)]
        said = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(5)]
        elapsed, work = (sorted(map(float, times))[2] for times in zip(*said, strict=True))
        print(f"first step of {scenario}: {elapsed:.2f} s, {work:.2f} of one core; the middle of 5 processes")
    for found in sorted(distributions(), key=lambda found: found.name):
        size = sum(Path(file.locate()).stat().st_size for file in found.files or () if Path(file.locate()).is_file())
        print(f"{found.name} {found.version}: {size / 1e6:.1f} MB on disk")


if __name__ == "__main__":
    main()

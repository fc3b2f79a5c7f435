"""How strong agents become in minutes on a GPU: trained, rated and exploited within a limit of seconds, 360 by default.

    python -m benchmarks.gpu_strength runs/gpu
    python -m benchmarks.gpu_strength runs/here --device cpu --limit 120 --fights 256 --batch-size 4096

trains a duelist by self-play, rates it beside the shipped `duelist`, exploits both for as long, and trains an agent
under the profile `plain`, whose exact NashConv is measured. Each step prints its seconds; the last line is JSON.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter
from typing import Any

from heartrush_env.app.cli.main import main as heartrush

# The share of the limit that each step may train for; the rest is for compiling, rating and measuring.
TRAINED, EXPLOITED, PLAIN = 0.33, 0.08, 0.2
AGAINST = "uniform,weighted,counter_last,win_stay_lose_shift,tactician,duelist"
USUAL = "--net-arch 128,128 --policy-ema 0.97 --magnet-period 8"


def arguments(words: list[str] | None) -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the agents are written")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--limit", type=float, default=360.0, help="seconds for everything, about")
    parser.add_argument("--fights", type=int, default=65_536, help="fights played at once")
    parser.add_argument("--batch-size", type=int, default=65_536)
    parser.add_argument("--rate-fights", type=int, default=1000, help="fights of each rating")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    """Run all steps, and print what was found."""
    given, begun = arguments(words), perf_counter()
    duelist, plain = given.folder / "gpu_duelist", given.folder / "gpu_plain"
    sizes = f"--device {given.device} --n-envs {given.fights} --batch-size {given.batch_size} {USUAL}"

    def step(command: str) -> None:
        started = perf_counter()
        print(f"$ heartrush {command}", flush=True)
        if heartrush([word.strip("'") for word in command.split()]) != 0:
            raise SystemExit(f"heartrush {command}: it failed.")
        print(f"{perf_counter() - started:.0f} s, {perf_counter() - begun:.0f} s in all", flush=True)

    def train(scenario: str, folder: Path, share: float) -> None:
        options = f"--recipe ppo_self_play --sparring '' --rate-fights 0 --id {folder.name} --out {folder} --fresh"
        step(f"train {scenario} {options} --seconds {share * given.limit:g} {sizes}")

    train("duel", duelist, TRAINED)
    step(f"rate duel --agents {duelist},duelist --against {AGAINST} --fights {given.rate_fights}")
    for agent in (duelist, "duelist"):
        budget = f"--seconds {max(1, round(EXPLOITED * given.limit))} --device {given.device}"
        step(f"exploit {agent} {budget} --fights {given.rate_fights}")
    train("duel --rule profile=plain --memory 0", plain, PLAIN)
    training: dict[str, Any] = json.loads((plain / "card.json").read_text())["training"]
    trained = json.loads((duelist / "card.json").read_text())["training"]
    found = {
        "rows_per_second": round(trained["samples"] / trained["seconds"]),
        "plain_nash_conv": training["nash_conv"],
    }
    print(json.dumps({**found, "plain_seconds": training["seconds"], "all_seconds": round(perf_counter() - begun)}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

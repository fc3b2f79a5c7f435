"""Timing of self-play PPO on whole duels, on a GPU or on the CPU, with everything that training needs.

    python -m benchmarks.gpu_training --device cuda --seconds 120 --out runs/gpu_duelist
    python -m benchmarks.gpu_training --device cpu --fights 256 --seconds 20 --batch-size 4096

prints the speed after every few updates and over the whole run, and writes the policy as an agent that `heartrush rate`
plays. Rates count rows, which are agents' windows, and decisions, which are the rows that are learned from. The
coefficients follow the time: at the end of `--seconds` they have reached their last values.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from heartrush_train.export import write_agent
from heartrush_train.ppo import PPO, Fights, Hyperparameters
from heartrush_train.schedules import geometric, linear

from heartrush_env import heart_rush_v0

TOLD_EVERY = 5.0  # seconds
PROFILED = 25  # rows of the profile


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--device", default="cuda")
    words.add_argument("--scenario", default="duel")
    words.add_argument("--fights", type=int, default=65_536, help="fights played at once")
    words.add_argument("--seconds", type=float, default=60.0, help="seconds of training")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--n-steps", type=int, default=16)
    words.add_argument("--n-epochs", type=int, default=2)
    words.add_argument("--batch-size", type=int, default=65_536)
    words.add_argument("--net-arch", default="128,128")
    words.add_argument("--learning-rate", type=float, default=1e-3)
    words.add_argument("--final-learning-rate", type=float, default=1e-4)
    words.add_argument("--ent-coef", type=float, default=0.05)
    words.add_argument("--final-ent-coef", type=float, default=0.005)
    words.add_argument("--magnet-coef", type=float, default=0.3)
    words.add_argument("--magnet-period", type=int, default=8, help="updates between moves of the magnet")
    words.add_argument("--past-self-share", type=float, default=0.25)
    words.add_argument("--policy-ema", type=float, default=0.97)
    words.add_argument("--out", type=Path, help="the folder of the trained agent")
    words.add_argument("--profile", action="store_true", help="print where the time of one update goes")
    return words


def main(words: list[str] | None = None) -> None:
    """Train for the given time, print the speed, and write the agent."""
    given = make_parser().parse_args(words)
    torch.set_float32_matmul_precision("high")  # TF32 on a GPU
    torch.set_num_threads(1)  # of the CPU, as in the recipes
    begun = perf_counter()
    env = heart_rush_v0.make_vec(given.fights, given.scenario, device=given.device)
    config = hyperparameters(given)
    learner = PPO([Fights(env, config)], config, seed=given.seed)
    learner.begin(given.seed)
    wait(learner)
    ready = perf_counter()
    tell(f"{where(learner)}; torch {torch.__version__}; {given.fights} fights of {given.scenario}")
    tell(f"made and started in {ready - begun:.1f} s")
    learner.remember()
    learner.update()  # loads and prepares everything that is loaded late
    learner.take_losses(), learner.take_scores()
    wait(learner)
    tell(f"first update in {perf_counter() - ready:.2f} s")
    train(learner, given)
    if given.profile:
        profile(learner)
    if given.out:
        facts = {"recipe": "gpu_training", "scenario": given.scenario, "scenario_digest": env.game.scenario_digest}
        facts |= {"samples": learner.updates * learner.rows, "command": "python -m benchmarks.gpu_training"}
        name = "".join(letter if letter.isalnum() else "_" for letter in given.out.name)
        write_agent(given.out, name, "Trained by self-play PPO.", learner.network(), env.game, facts)
        tell(f"written to {given.out}: heartrush rate {given.scenario} --agents {given.out} --against uniform,duelist")


def hyperparameters(given: argparse.Namespace) -> Hyperparameters:
    """Return the hyperparameters that the command line gives."""
    return Hyperparameters(
        n_steps=given.n_steps,
        n_epochs=given.n_epochs,
        batch_size=given.batch_size,
        learning_rate=given.learning_rate,
        ent_coef=given.ent_coef,
        magnet_coef=given.magnet_coef,
        past_self_share=given.past_self_share,
        policy_ema=given.policy_ema,
        net_arch=tuple(int(size) for size in given.net_arch.split(",")),
    )


def train(learner: PPO, given: argparse.Namespace) -> None:
    """Train until the time is over, and print the speed of the run and of its parts."""
    first, decisions, playing = learner.updates, learner.decisions, 0.0
    begun = told = perf_counter()
    while (spent := perf_counter() - begun) < given.seconds:
        done = spent / given.seconds
        learner.learning_rate = linear(given.learning_rate, given.final_learning_rate, done)
        learner.ent_coef = geometric(given.ent_coef, given.final_ent_coef, done)
        if learner.updates % given.magnet_period == 0:
            learner.move_magnet()
            learner.remember()
        started = perf_counter()
        learner.rollout()
        wait(learner)
        playing += perf_counter() - started
        learner.learn()
        wait(learner)
        if perf_counter() - told > TOLD_EVERY:
            told = perf_counter()
            tell(speed(learner, first, decisions, told - begun, playing) + f"; {learner.take_losses()}")
    tell("all in: " + speed(learner, first, decisions, perf_counter() - begun, playing))
    tell(f"scores: {learner.take_scores()}")


def speed(learner: PPO, first: int, decisions: int, seconds: float, playing: float) -> str:
    """Return the speed since these numbers of updates and decisions, as a phrase."""
    updates = learner.updates - first
    rows, learned = updates * learner.rows / seconds, (learner.decisions - decisions) / seconds
    return (
        f"{updates} updates in {seconds:.1f} s, {rows:,.0f} rows/s, {learned:,.0f} decisions learned from/s, "
        f"{playing / seconds:.0%} of the time playing"
    )


def profile(learner: PPO) -> None:
    """Print the slowest operations of one update."""
    from torch.profiler import ProfilerActivity, profile

    on_cpu = learner.device.type == "cpu"
    kinds = [ProfilerActivity.CPU, *([] if on_cpu else [ProfilerActivity.CUDA])]
    with profile(activities=kinds) as found:
        learner.update()
        wait(learner)
    order = "self_cpu_time_total" if on_cpu else "self_device_time_total"
    tell(found.key_averages().table(sort_by=order, row_limit=PROFILED, max_name_column_width=40))


def wait(learner: PPO) -> None:
    """Wait until the learner's device has finished."""
    if learner.device.type != "cpu":
        torch.cuda.synchronize()


def where(learner: PPO) -> str:
    """Return the name of the learner's device."""
    return "CPU, one thread" if learner.device.type == "cpu" else torch.cuda.get_device_name()


def tell(line: Any) -> None:
    """Print a line at once."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())

"""Stable-Baselines3 on a Gymnasium environment: learn to fight in one seat against an agent of the package.

python examples/gymnasium_sb3.py --steps 50000
"""

import argparse

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.env_util import make_vec_env

import heartrush_env  # noqa: F401  # registers the environment with Gymnasium


def make():
    """Make an environment for the knight's seat; flatten=True provides the mask by action_masks(), for MaskablePPO."""
    return gymnasium.make(
        "heartrush_env/HeartRush-v0", scenario="duel", seat="knight_0", opponent="uniform", flatten=True
    )


def main(steps: int, fights: int) -> float:
    """Train a policy, and return its mean reward: 1 if it wins every fight, -1 if it loses every fight."""
    torch.set_num_threads(1)  # more threads are slower for small networks
    envs, test_envs = make_vec_env(make, n_envs=8, seed=1), make_vec_env(make, seed=2)
    model = MaskablePPO("MlpPolicy", envs, n_steps=128, gamma=1.0, ent_coef=0.02, seed=1)
    # Actions are sampled: an opponent could predict a policy that always takes its most likely action.
    before, _ = evaluate_policy(model, test_envs, n_eval_episodes=fights, deterministic=False, warn=False)
    model.learn(steps)
    after, _ = evaluate_policy(model, test_envs, n_eval_episodes=fights, deterministic=False, warn=False)
    print(f"mean reward against uniform: {before:+.2f} before, {after:+.2f} after {steps} steps")
    return after


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=50_000)
    parser.add_argument("--fights", type=int, default=200)
    main(**vars(parser.parse_args()))

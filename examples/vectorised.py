"""Policy gradients in NumPy on a vectorised environment: a thousand duels at once, both sides learning.

Each fighter has one mix of stances for the whole fight; the default policy makes all other choices
(decisions="stance"). The logits follow the rewards (REINFORCE). A pull toward equal shares keeps the two fighters from
cycling.

    python examples/vectorised.py --steps 3000
"""

import argparse
import time

import numpy as np

from heartrush_env import heart_rush_v0

STANCES = ("might", "agility", "cunning")
RATE, PULL = 0.5, 0.02


def main(steps: int, num_envs: int = 1024, seed: int = 1) -> np.ndarray:
    """Learn for some steps; return the average mixes, (fighters, stances)."""
    vec = heart_rush_v0.make_vec(num_envs, scenario="duel", decisions="stance", seed=seed)
    numbers = np.array([vec.get_action_meanings().index(f"stance {stance}") for stance in STANCES])
    chance = np.random.default_rng(seed)
    logits = np.zeros((vec.num_agents, len(STANCES)))
    taken = np.zeros((num_envs, vec.num_agents, len(STANCES)))  # how often each was taken in the current fight
    mixes = []

    vec.reset()
    begun = time.perf_counter()
    for _ in range(steps):
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        mixes.append(shares)
        drawn = (chance.random((num_envs, vec.num_agents, 1)) > shares.cumsum(axis=1)[:, :-1]).sum(axis=2)
        taken += np.eye(len(STANCES))[drawn]
        _, rewards, _, _, infos = vec.step(numbers[drawn])  # the game's fallback replaces illegal stances
        ended = infos["ended"]
        if ended.any():
            rounds = taken[ended].sum(axis=2, keepdims=True)
            direction = rewards[ended][..., None] * (taken[ended] - rounds * shares)  # d log probability / d logits
            logits += RATE * (direction.mean(axis=0) / rounds.mean() - PULL * logits)
            taken[ended] = 0
    seconds = time.perf_counter() - begun
    average = np.mean(mixes, axis=0)
    for agent, mix in zip(vec.agents, average, strict=True):
        print(agent, ", ".join(f"{stance} {share:.2f}" for stance, share in zip(STANCES, mix, strict=True)))
    print(f"{steps * num_envs * vec.num_agents / seconds:,.0f} agent-steps per second")
    return average


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=3000)
    main(**vars(parser.parse_args()))

"""A learner of your own on a PettingZoo parallel environment: each fighter learns which stances win.

Both fighters choose stances by weights that grow with every win (multiplicative weights, Exp3); an agent of the package
plays all other windows for them. The averages of their mixes approach an equilibrium.

    python examples/pettingzoo_parallel.py --fights 2000
"""

import argparse

import numpy as np
from heartrush_agents import load

from heartrush_env import heart_rush_v0

STANCES = ("might", "agility", "cunning")
RATE, EXPLORE = 0.05, 0.1


def main(fights: int, seed: int = 1) -> dict[str, np.ndarray]:
    """Play fights, learn from each result, and return each fighter's average mix of might, agility and cunning."""
    env = heart_rush_v0.parallel_env(scenario="duel")
    numbers = [env.get_action_meanings().index(f"stance {stance}") for stance in STANCES]
    rest = load("uniform").seat(env.game)
    chance = np.random.default_rng(seed)
    worth = {agent: np.zeros(len(STANCES)) for agent in env.possible_agents}
    total = {agent: np.zeros(len(STANCES)) for agent in env.possible_agents}

    env.reset(seed=seed)
    for _ in range(fights):
        observations, _ = env.reset()
        mix = {agent: mixed(worth[agent]) for agent in env.agents}
        taken = {agent: np.zeros(len(STANCES)) for agent in env.agents}
        while env.agents:
            actions = {}
            for agent in env.agents:
                if observations[agent]["action_mask"][numbers[0]]:
                    stance = chance.choice(len(STANCES), p=mix[agent])
                    taken[agent][stance] += 1
                    actions[agent] = numbers[stance]
                else:
                    actions[agent] = rest.act(observations[agent], chance)
            observations, rewards, *_ = env.step(actions)
        for agent, reward in rewards.items():
            share = taken[agent] / taken[agent].sum()
            worth[agent] += RATE * reward * (share - mix[agent]) / mix[agent]
            total[agent] += mix[agent]
    for agent, mixes in total.items():
        named = zip(STANCES, mixes / fights, strict=True)
        print(agent, ", ".join(f"{stance} {share:.2f}" for stance, share in named))
    return {agent: mixes / fights for agent, mixes in total.items()}


def mixed(worth: np.ndarray) -> np.ndarray:
    """Return probabilities of the stances that grow with their worth so far, and never reach 0."""
    shares = np.exp(worth - worth.max())
    return (1 - EXPLORE) * shares / shares.sum() + EXPLORE / len(worth)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fights", type=int, default=2000)
    main(**vars(parser.parse_args()))

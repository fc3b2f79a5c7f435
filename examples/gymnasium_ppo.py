"""PPO in one file, in the style of CleanRL, on a Gymnasium vector environment: masks, same-step autoreset.

With `--seat all` the learner plays every seat of each fight, and each seat is a row. Otherwise the learner plays one
seat, and an agent of the package plays the other.

    python examples/gymnasium_ppo.py --seat all --updates 200
"""

import argparse

import gymnasium
import numpy as np
import torch
from torch import nn

import heartrush_env  # noqa: F401  # registers the environment with Gymnasium

STEPS, EPOCHS, MINIBATCHES = 32, 4, 4
GAE, CLIP, ENTROPY = 0.95, 0.2, 0.01  # rewards come at the end of a fight and are not discounted


class Agent(nn.Module):
    """A policy network with masked logits, and a value network."""

    def __init__(self, features: int, actions: int) -> None:
        super().__init__()
        self.policy = nn.Sequential(nn.Linear(features, 64), nn.Tanh(), nn.Linear(64, actions))
        self.critic = nn.Sequential(nn.Linear(features, 64), nn.Tanh(), nn.Linear(64, 1))

    def value(self, seen):
        """Return the value of each row."""
        return self.critic(seen).squeeze(-1)

    def choices(self, seen, masks):
        """Return the distribution over each row's legal actions."""
        return torch.distributions.Categorical(logits=self.policy(seen).masked_fill(~masks, -1e9))


def main(updates: int, seat: str, opponent: str, num_envs: int = 64, seed: int = 1) -> float:
    """Train an agent; return the mean reward of the fights that ended in the last quarter of the updates."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # more threads are slower for small networks
    envs = gymnasium.make_vec(
        "heartrush_env/HeartRush-v0", num_envs, "vector_entry_point",
        scenario="duel", decisions="stance", seat=seat, opponent=opponent,
    )  # fmt: skip
    rows = envs.num_envs  # with "all", more than num_envs: one for each seat of each fight
    features, actions = envs.single_observation_space["observation"].shape[0], envs.single_action_space.n
    agent = Agent(features, actions)
    optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3, eps=1e-5)
    seen = torch.zeros(STEPS, rows, features)
    masks = torch.zeros(STEPS, rows, actions, dtype=torch.bool)
    taken = torch.zeros(STEPS, rows, dtype=torch.long)
    log_probs, values, targets, deltas, goes_on = (torch.zeros(STEPS, rows) for _ in range(5))
    scores = []

    shown, _ = envs.reset(seed=seed)
    for update in range(updates):
        for step in range(STEPS):
            seen[step] = torch.from_numpy(shown["observation"])
            masks[step] = torch.from_numpy(shown["action_mask"]) == 1
            with torch.no_grad():
                choices, values[step] = agent.choices(seen[step], masks[step]), agent.value(seen[step])
                taken[step] = choices.sample()
                log_probs[step] = choices.log_prob(taken[step])
            shown, rewards, terminated, truncated, infos = envs.step(taken[step].numpy())
            # Once a fight ends, the observation is the next fight's; if it was cut off, its own last one has the value.
            following = shown["observation"].copy()
            for row in np.flatnonzero(truncated):
                following[row] = infos["final_obs"][row]["observation"]
            with torch.no_grad():
                ahead = agent.value(torch.from_numpy(following)) * torch.from_numpy(~terminated)
            deltas[step] = torch.from_numpy(rewards) + ahead - values[step]
            goes_on[step] = torch.from_numpy(~(terminated | truncated)).float()
            if update >= updates * 3 // 4:
                scores += rewards[terminated | truncated].tolist()
        advantage = torch.zeros(rows)
        for step in reversed(range(STEPS)):
            advantage = deltas[step] + GAE * goes_on[step] * advantage
            targets[step] = advantage + values[step]
        learn(agent, optimizer, *(part.flatten(0, 1) for part in (seen, masks, taken, log_probs, values, targets)))
    envs.close()
    score = float(np.mean(scores))
    print(f"{updates} updates of {STEPS * rows} rows: mean reward of the last {len(scores)} fights {score:+.2f}")
    return score


def learn(agent, optimizer, seen, masks, taken, log_probs, values, targets) -> None:
    """Make one PPO update from the rows in which the seat had a choice."""
    asked = torch.nonzero(masks.sum(-1) > 1).squeeze(-1)
    for _ in range(EPOCHS):
        for part in asked[torch.randperm(len(asked))].chunk(MINIBATCHES):
            choices = agent.choices(seen[part], masks[part])
            gain = (targets - values)[part]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            ratio = (choices.log_prob(taken[part]) - log_probs[part]).exp()
            policy_loss = -torch.min(gain * ratio, gain * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            value_loss = (agent.value(seen[part]) - targets[part]).square().mean()
            loss = policy_loss + 0.5 * value_loss - ENTROPY * choices.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--seat", default="knight_0")
    parser.add_argument("--opponent", default="might")
    main(**vars(parser.parse_args()))

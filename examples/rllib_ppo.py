"""RLlib on a PettingZoo parallel environment: PPO against itself, with one policy for every seat.

RLlib's masking module expects the features and the mask under other names, which `Fights` supplies.

    pip install -r examples/requirements-ray.txt && python examples/rllib_ppo.py --iterations 10
"""

import argparse

import numpy as np
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from heartrush_env import heart_rush_v0


class Fights(MultiAgentEnv):
    """The parallel environment with the observation that RLlib expects: "observations", and a mask of floats."""

    def __init__(self, config: dict) -> None:
        super().__init__()
        self.fights = heart_rush_v0.parallel_env(**config)
        self.possible_agents, self.agents = list(self.fights.possible_agents), list(self.fights.possible_agents)
        space = self.fights.observation_space(self.agents[0])
        mask = spaces.Box(0.0, 1.0, space["action_mask"].shape, np.float32)
        renamed = spaces.Dict({"observations": space["observation"], "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.agents, renamed)
        self.action_spaces = {agent: self.fights.action_space(agent) for agent in self.agents}

    def reset(self, *, seed=None, options=None):
        """Start a fight."""
        return self._renamed(self.fights.reset(seed=seed, options=options)[0]), {}

    def step(self, actions):
        """Play one window."""
        seen, rewards, terminated, truncated, _ = self.fights.step(actions)
        terminated["__all__"] = all(terminated.values())
        truncated["__all__"] = all(truncated.values())
        return self._renamed(seen), rewards, terminated, truncated, {}

    def _renamed(self, seen):
        return {
            agent: {"observations": each["observation"], "action_mask": each["action_mask"].astype(np.float32)}
            for agent, each in seen.items()
        }


def main(iterations: int, rows: int = 2000) -> float:
    """Train the knight and the duelist with one policy; return the mean length of the last fights, in windows."""
    config = (
        PPOConfig()
        .environment(Fights, env_config={"scenario": "duel", "decisions": "stance"})
        .env_runners(num_env_runners=0)
        .multi_agent(policies={"fighter"}, policy_mapping_fn=lambda agent, *_, **__: "fighter")
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
        .training(train_batch_size=rows, minibatch_size=500, num_epochs=4, gamma=1.0, entropy_coeff=0.02)
    )
    algorithm = config.build_algo()
    for iteration in range(iterations):
        result = algorithm.train()["env_runners"]
        length = result["episode_len_mean"]
        print(f"iteration {iteration + 1}: {result['num_episodes']} fights of {length:.1f} windows")
    algorithm.stop()
    return float(length)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=10)
    main(**vars(parser.parse_args()))

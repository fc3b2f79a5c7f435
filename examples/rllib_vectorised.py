"""Self-play on a Ray cluster: masked PPO of RLlib's new API stack, with compiled fights in every runner.

Two runners play the fights. If a runner is killed, Ray restarts it, and training continues.

    pip install 'heartrush-env[ray]' && python examples/rllib_vectorised.py --iterations 20
"""

import argparse

from heartrush_train.on_ray import FightRunner, fight_spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule


def config(runners: int = 2, rows: int = 64, steps: int = 16, **options) -> PPOConfig:
    """Return a configuration in which each runner plays `rows` seats, `steps` windows of each per iteration."""
    options = {"scenario": "duel", "decisions": "stance", **options}
    observations, actions = fight_spaces(**options)
    batch = max(1, runners) * rows * steps
    return (
        PPOConfig()
        .environment(observation_space=observations, action_space=actions, env_config=options)
        .env_runners(
            env_runner_cls=FightRunner,
            num_env_runners=runners,
            num_envs_per_env_runner=rows,
            rollout_fragment_length=steps,
            sample_timeout_s=600,
        )
        .fault_tolerance(restart_failed_env_runners=True, delay_between_env_runner_restarts_s=1.0)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
        .training(train_batch_size=batch, minibatch_size=min(512, batch), num_epochs=2, gamma=1.0, entropy_coeff=0.02)
        .debugging(seed=1)
    )


def main(iterations: int) -> float:
    """Train a policy; return the mean length of the last fights, in windows."""
    algorithm = config().build_algo()
    for iteration in range(iterations):
        result = algorithm.train()["env_runners"]
        length = result["episode_len_mean"]
        print(f"iteration {iteration + 1}: {result['num_episodes']} rows ended after {length:.1f} windows on average")
    algorithm.stop()
    return float(length)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=20)
    main(**vars(parser.parse_args()))

"""TorchRL on a PettingZoo parallel environment: PPO against itself, with one masked policy for every fighter.

pip install -r examples/requirements-torchrl.txt && python examples/torchrl_ppo.py --batches 10
"""

import argparse

import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss

from heartrush_env import heart_rush_v0

GROUP = "fighters"


def make_env() -> PettingZooWrapper:
    """Make an environment with all fighters in one group, whose action mask has the key (GROUP, "action_mask")."""
    fights = heart_rush_v0.parallel_env(scenario="duel", decisions="stance")
    return PettingZooWrapper(
        fights, group_map={GROUP: fights.possible_agents}, use_mask=False, categorical_actions=True, done_on_any=False
    )


def main(batches: int, rows: int = 1000) -> float:
    """Train the knight and the duelist with one policy; return the mean entropy of its last batch, in nats."""
    torch.set_num_threads(1)  # more threads are slower for small networks
    torch.manual_seed(1)
    env = make_env()
    features = env.observation_spec[GROUP, "observation", "observation"].shape[-1]
    actions = env.full_action_spec[GROUP, "action"].space.n
    logits = MLP(features, actions, depth=2, num_cells=64, activation_class=torch.nn.Tanh)
    seen = (GROUP, "observation", "observation")
    actor = ProbabilisticActor(
        TensorDictModule(logits, in_keys=[seen], out_keys=[(GROUP, "logits")]),
        in_keys={"logits": (GROUP, "logits"), "mask": (GROUP, "action_mask")},
        out_keys=[(GROUP, "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=(GROUP, "action_log_prob"),
    )
    critic = ValueOperator(
        MLP(features, 1, depth=2, num_cells=64, activation_class=torch.nn.Tanh),
        in_keys=[seen],
        out_keys=[(GROUP, "state_value")],
    )
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.02)
    keys = {"reward": (GROUP, "reward"), "done": (GROUP, "done"), "terminated": (GROUP, "terminated")}
    loss.set_keys(
        action=(GROUP, "action"),
        sample_log_prob=(GROUP, "action_log_prob"),
        value=(GROUP, "state_value"),
        **keys,
    )
    loss.make_value_estimator(loss.default_value_estimator, gamma=1.0, lmbda=0.95)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    collector = Collector(
        env, actor, frames_per_batch=rows, total_frames=batches * rows, auto_register_policy_transforms=False
    )
    for number, batch in enumerate(collector, 1):
        for _ in range(4):
            with torch.no_grad():  # advantages by the current critic
                parameters = loss.critic_network_params, loss.target_critic_network_params
                loss.value_estimator(batch, params=parameters[0], target_params=parameters[1])
            losses = loss(batch)
            total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
            optimizer.zero_grad()
            total.backward()
            optimizer.step()
        entropy = losses["entropy"].item()
        print(f"batch {number}: loss {total.item():+.3f}, entropy {entropy:.2f} nats")
    collector.shutdown()
    return entropy


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batches", type=int, default=10)
    main(**vars(parser.parse_args()))

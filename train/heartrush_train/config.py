"""Training configuration, with the values that the shipped agents were trained with. Needs no torch.

Hyper-parameters have the names that Stable-Baselines3 and the papers give them. A sample is one seat at one window.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from heartrush_env.core.errors import HeartRushError

if TYPE_CHECKING:
    from heartrush_env.heart_rush.game import HeartRush


UNBOUNDED = float("inf")

# What options and recipes were called in earlier versions.
RENAMED = {
    "budget": "total_samples",
    "fights": "n_envs",
    "window": "n_steps",
    "epochs": "n_epochs",
    "minibatch": "batch_size",
    "entropy": "ent_coef",
    "final_entropy": "final_ent_coef",
    "clip": "clip_range",
    "discount": "gamma",
    "trace": "gae_lambda",
    "layers": "net_arch",
    "average": "policy_ema",
    "stretch": "checkpoint_every",
    "magnet": "magnet_coef",
    "past": "past_self_share",
    "pool": "pool_size",
}
RENAMED_RECIPES = {"self_play": "ppo_self_play", "against": "ppo_vs_agent"}


class TrainingError(HeartRushError):
    """Training cannot begin or go on: an option, a folder or a checkpoint does not fit."""


def option(default: Any, says: str, least: float = 0, most: float = UNBOUNDED) -> Any:
    """A field with its default, a description for people, and its bounds if it is a number."""
    return dataclasses.field(default=default, metadata={"says": says, "bounds": {"least": least, "most": most}})


def check_bounds(name: str, value: float, least: float, most: float) -> None:
    """Raise unless a value lies within its bounds."""
    if not least <= value <= most:
        allowed = f"at least {least}" if most == UNBOUNDED else f"{least} to {most}"
        raise TrainingError(f"{name}: found {value}, allowed: {allowed}.")


@dataclass(frozen=True)
class Config:
    """The options of every recipe."""

    scenario: str = option("duel", "a shipped scenario, or the path of a TOML file")
    rules: Mapping[str, Any] = dataclasses.field(default_factory=dict, metadata={"says": "a setting of the rules"})
    memory: int | None = option(
        None,
        "past reveals in the observation, 0 to 8; all of them, and how often each stance was taken, unless given",
        0,
        8,
    )
    seed: int = option(1, "the seed of everything: the same seed, machine and versions give the same weights")
    total_samples: int = option(16_000_000, "samples to train on: one sample is one seat at one window", 1)
    n_envs: int = option(1024, "fights side by side", 2, 2**16)
    n_steps: int = option(16, "windows of each fight in a rollout", 2, 2**12)
    n_epochs: int = option(2, "passes of each update over its samples", 1, 100)
    batch_size: int = option(4096, "samples in a step of the optimizer", 2)
    learning_rate: float = option(1e-3, "at the start", 0, 1)
    final_learning_rate: float = option(1e-4, "at the end; linear in between", 0, 1)
    ent_coef: float = option(0.05, "entropy coefficient at the start", 0, 10)
    final_ent_coef: float = option(0.005, "entropy coefficient at the end; geometric in between", 1e-6, 10)
    clip_range: float = option(0.2, "PPO's clip range", 1e-3, 1)
    gamma: float = option(1.0, "discount factor: 1, as fights end and are paid at the end", 0, 1)
    gae_lambda: float = option(0.9, "lambda of generalised advantage estimation", 0, 1)
    net_arch: tuple[int, ...] = option((64, 64), "sizes of the hidden layers, of the policy and of the value", 1, 4096)
    policy_ema: float = option(
        0.99, "decay of the exponential moving average of policies, which is exported; 0 exports the last policy", 0, 1
    )
    checkpoint_every: int = option(60, "updates between two checkpoints; all fights start again at each", 1)

    recipe: ClassVar[str]
    summary: ClassVar[str]

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            values = getattr(self, field.name)
            for value in values if isinstance(values, tuple) else (values,):
                if isinstance(value, int | float):
                    check_bounds(field.name, value, **field.metadata["bounds"])

    def as_dict(self) -> dict[str, Any]:
        """The options as JSON would give them back."""
        plain: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(self)))
        return plain

    def game(self) -> HeartRush:
        """The game that is trained on."""
        from heartrush_env.heart_rush.game import HeartRush  # with compiled code, which is loaded when it is needed

        return HeartRush(self.scenario, rules=self.rules, memory=self.memory)


@dataclass(frozen=True)
class SelfPlayConfig(Config):
    """PPO against itself, past selves and sparring partners."""

    recipe = "ppo_self_play"
    summary = "against itself, past selves and sparring partners, held by a magnet so that it does not run in circles"

    magnet_coef: float = option(
        0.3, "coefficient of the divergence from the magnet, an earlier policy; keeps self-play from cycling", 0, 10
    )
    magnet_period: int = option(20, "updates after which the magnet moves to the present policy", 1)
    past_self_share: float = option(0.25, "share of the fights in which a past self takes the other side", 0, 0.9)
    pool_size: int = option(20, "past selves that are kept", 1, 1000)
    sparring: tuple[str, ...] = option(
        ("might", "agility", "cunning", "uniform", "tactician", "frequency"),
        "agents that take the other side in some fights, so that habits are punished; with --memory 0 not frequency",
    )
    sparring_share: float = option(0.2, "share of the fights with a sparring partner, if there are any", 0, 0.9)


@dataclass(frozen=True)
class VsAgentConfig(Config):
    """PPO against an agent that does not learn."""

    recipe = "ppo_vs_agent"
    summary = "against one agent that does not learn"

    total_samples: int = option(5_000_000, "samples to train on: one sample is one seat at one window", 1)
    opponent: str = option("uniform", "the agent that takes the other side in every fight")


RECIPES: dict[str, type[Config]] = {config.recipe: config for config in (SelfPlayConfig, VsAgentConfig)}

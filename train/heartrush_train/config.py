"""Training configuration; the defaults are the values that the shipped agents were trained with. Needs no torch.

Hyperparameters have the names that Stable-Baselines3 and the papers use. A sample is one seat's decision in one window.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.registry import DEFAULT_GAME, open_game

UNBOUNDED = float("inf")
LEAN, SB3 = LEARNERS = ("ppo", "sb3")
VECTOR, ENTITIES = "vector", "entities"  # what a network reads
WINDOWS, DECISIONS = "windows", "decisions"  # what lambda is counted by
# Options that checkpoints and cards of earlier versions lack, with what these versions did.
ADDED = {
    "game_name": DEFAULT_GAME,
    "learner": SB3,
    "device": "cpu",
    "seconds": 0.0,
    "observations": VECTOR,
    "control": "",
    "lambda_by": WINDOWS,
}
FIRST_GENERATED = 1000  # the first training seed of generated scenarios; lower seeds are held out


class TrainingError(HeartRushError):
    """Training cannot start or resume: an option, a folder or a checkpoint is unsuitable."""


def option(default: Any, says: str, least: float = 0, most: float = UNBOUNDED) -> Any:
    """Return a field with its default, its help text, and bounds if it is a number."""
    return dataclasses.field(default=default, metadata={"says": says, "bounds": {"least": least, "most": most}})


def check_bounds(name: str, value: float, least: float, most: float) -> None:
    """Raise TrainingError unless a value lies within its bounds."""
    if not least <= value <= most:
        allowed = f"at least {least}" if most == UNBOUNDED else f"{least} to {most}"
        raise TrainingError(f"{name}: expected {allowed}, got {value}.")


@dataclass(frozen=True)
class Config:
    """The options of every recipe."""

    game_name: str = dataclasses.field(default=DEFAULT_GAME, kw_only=True, metadata={"says": "the game, by name"})
    scenario: str = option("duel", "a shipped scenario, or the path of a TOML file")
    rules: Mapping[str, Any] = dataclasses.field(default_factory=dict, metadata={"says": "a setting of the rules"})
    memory: int | None = option(
        None,
        "past reveals in the observation, 0 to 8; by default all 8, and counts of each stance",
        0,
        8,
    )
    seed: int = option(1, "seed of everything: the same seed, machine and versions give the same weights")
    total_samples: int = option(16_000_000, "samples to train on; a sample is one seat's decision in one window", 1)
    batch_size: int = option(4096, "samples in each optimizer step", 2)
    learning_rate: float = option(1e-3, "learning rate at the start", 0, 1)
    final_learning_rate: float = option(1e-4, "learning rate at the end; linear in between", 0, 1)
    net_arch: tuple[int, ...] = option((64, 64), "sizes of the hidden layers of the policy and value networks", 1, 4096)
    policy_ema: float = option(
        0.99, "decay of the exponential moving average of policies that is exported; 0 exports the last policy", 0, 1
    )
    checkpoint_every: int = option(60, "updates between checkpoints; every checkpoint restarts all fights", 1)

    recipe: ClassVar[str]
    summary: ClassVar[str]

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            values = getattr(self, field.name)
            for value in values if isinstance(values, tuple) else (values,):
                if isinstance(value, int | float):
                    check_bounds(field.name, value, **field.metadata["bounds"])

    def as_dict(self) -> dict[str, Any]:
        """Return the options as JSON-able data."""
        plain: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(self)))
        return {name: value for name, value in plain.items() if name not in ADDED or value != ADDED[name]}

    def game(self, scenario: str | None = None) -> Game:
        """Return the game to train on, or the same game on another scenario."""
        control = getattr(self, "control", "")
        asked: dict[str, Any] = {"rules": self.rules, "memory": self.memory, "control": control}
        options = {name: value for name, value in asked.items() if value}
        if self.memory == 0:
            options["memory"] = 0
        return open_game({"game": self.game_name, "scenario": scenario or self.scenario, **options}, "")


@dataclass(frozen=True)
class PPOConfig(Config):
    """The options of the recipes that play fights and learn by PPO."""

    n_envs: int = option(1024, "fights played in parallel", 2, 2**16)
    n_steps: int = option(16, "windows per fight in each rollout", 2, 2**12)
    n_epochs: int = option(2, "passes over the samples in each update", 1, 100)
    ent_coef: float = option(0.05, "entropy coefficient at the start", 0, 10)
    final_ent_coef: float = option(0.005, "entropy coefficient at the end; geometric in between", 1e-6, 10)
    clip_range: float = option(0.2, "PPO's clip range", 1e-3, 1)
    gamma: float = option(1.0, "discount factor; 1 by default, since only the end of a fight is rewarded", 0, 1)
    gae_lambda: float = option(0.9, "lambda of generalised advantage estimation", 0, 1)
    seconds: float = option(0.0, "seconds to train, in place of total_samples; the lean learner keeps to them", 0)
    learner: str = option(
        LEAN, "ppo, the package's lean learner, or sb3, Stable-Baselines3, which trained the shipped agents"
    )
    observations: str = option(
        "vector", "what the network reads: vector, or entities, which the lean learner reads in fights of any size"
    )
    device: str = option("cpu", "cpu, or a GPU such as cuda, on which the lean learner and its fights stay")
    lambda_by: str = option(
        WINDOWS, "what gae_lambda is counted by: windows, or an agent's decisions, which suits games of turns"
    )
    control: str = option("", "fighter, or team for one learner that decides for all fighters of its side in turn")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.learner not in LEARNERS:
            raise TrainingError(f"learner: expected {' or '.join(LEARNERS)}, got {self.learner!r}.")
        if self.observations not in (VECTOR, ENTITIES):
            raise TrainingError(f"observations: expected {VECTOR} or {ENTITIES}, got {self.observations!r}.")
        if self.lambda_by not in (WINDOWS, DECISIONS):
            raise TrainingError(f"lambda_by: expected {WINDOWS} or {DECISIONS}, got {self.lambda_by!r}.")
        for asked, what in (
            (self.lambda_by == DECISIONS, "for lambda by decisions"),
            (self.device != "cpu", f"on the device {self.device!r}"),
            (self.seconds, "for a budget in seconds"),
            (self.observations == ENTITIES, "for observations as entities"),
        ):
            if asked and not self.lean:
                raise TrainingError(f"learner: expected {LEAN} {what}, got {SB3}.")

    @property
    def lean(self) -> bool:
        """Whether the lean learner trains, in place of Stable-Baselines3."""
        return self.learner == LEAN


@dataclass(frozen=True)
class SelfPlayConfig(PPOConfig):
    """The options of PPO against itself, past selves and sparring partners."""

    recipe = "ppo_self_play"
    summary = "self-play with past selves and sparring partners; a magnet prevents cycling"

    magnet_coef: float = option(
        0.3, "coefficient of the divergence from an earlier policy, the magnet; prevents cycling", 0, 10
    )
    magnet_period: int = option(20, "updates after which the magnet moves to the current policy", 1)
    past_self_share: float = option(0.25, "share of fights in which a past self plays the other side", 0, 0.9)
    pool_size: int = option(20, "number of past selves to keep", 1, 1000)
    sparring: tuple[str, ...] = option(
        ("might", "agility", "cunning", "uniform", "tactician", "frequency"),
        "agents that play the other side in some fights, to punish habits; frequency needs --memory above 0",
    )
    sparring_share: float = option(0.2, "share of fights against sparring partners, if any are given", 0, 0.9)
    exploiters: int = option(
        0, "exploiters to train during the run, each for a lower bound on the exploitability of the policy so far", 0
    )
    exploiter_samples: int = option(500_000, "samples that each exploiter trains on, beside total_samples", 1)


@dataclass(frozen=True)
class ExploiterConfig(PPOConfig):
    """The options of PPO against a fixed agent."""

    recipe = "exploiter"
    summary = "a best response to one fixed agent, as good as it gets; a lower bound on its exploitability"

    total_samples: int = option(5_000_000, "samples to train on; a sample is one seat's decision in one window", 1)
    n_envs: int = option(256, "fights played in parallel", 2, 2**16)
    policy_ema: float = option(0.9, "decay of the moving average of policies that is exported", 0, 1)
    checkpoint_every: int = option(120, "updates between checkpoints; every checkpoint restarts all fights", 1)
    opponent: str = option("uniform", "the agent that plays the other side in every fight")
    match: int = option(20, "fights after which the opponent forgets the learner, in training and measured", 1)


@dataclass(frozen=True)
class ShapleyConfig(Config):
    """The options of fitted Shapley iteration on one duel."""

    recipe = "shapley"
    summary = "a plain duel solved by networks, state by state; measures the exact exploitability"

    total_samples: int = option(20_000_000, "samples to train on; a sample is one state whose stance game is solved", 1)
    batch_size: int = option(1024, "states in each optimizer step; each counts for both seats", 2)
    learning_rate: float = option(8e-3, "learning rate at the start", 1e-8, 1)
    final_learning_rate: float = option(1e-4, "learning rate at the end; geometric in between", 1e-8, 1)
    policy_ema: float = option(0.98, "decay of the moving average of networks that is exported", 0, 1)
    checkpoint_every: int = option(100, "updates between checkpoints, each with a measurement of NashConv", 1)
    n_states: int = option(20_480, "states solved in each update, drawn at random", 2, 2**24)
    kl_coef: float = option(0.03, "coefficient of the divergence from the solved mixes, beside the regret", 0, 10)


@dataclass(frozen=True)
class AllDuelsConfig(ShapleyConfig):
    """The options of training one network for all plain duels by the exact solutions of random duels."""

    recipe = "all_duels"
    summary = "one network for all plain duels, taught by exact solutions of random ones; measures exploitability"

    total_samples: int = option(24_576_000, "samples to train on; a sample is one state of a solved duel", 1)
    learning_rate: float = option(3e-3, "learning rate at the start", 1e-8, 1)
    net_arch: tuple[int, ...] = option((192, 192), "sizes of the hidden layers of both networks", 1, 4096)
    checkpoint_every: int = option(300, "updates between checkpoints, each with a measurement of NashConv", 1)
    n_states: int = option(16_384, "states in each update, drawn at random from the duels of the pool", 2, 2**24)
    n_duels: int = option(256, "solved duels in the pool", 1, 2**12)
    new_duels: int = option(2, "duels of the pool that each update replaces by new ones", 0, 2**12)
    measured_duels: int = option(12, "duels of each kind whose NashConv is measured at a checkpoint", 1, 1000)


@dataclass(frozen=True)
class BeatsConfig(ShapleyConfig):
    """The options of training a network for duels in beats by their exact solutions."""

    recipe = "beats"
    summary = "duels in secret beats, taught by their exact solutions; measures the exact exploitability"

    total_samples: int = option(8_192_000, "samples to train on; a sample is one state of a solved duel", 1)
    learning_rate: float = option(3e-3, "learning rate at the start", 1e-8, 1)
    net_arch: tuple[int, ...] = option((128, 128), "sizes of the hidden layers of both networks", 1, 4096)
    n_states: int = option(8_192, "states in each update, drawn at random from the duels", 64, 2**24)
    checkpoint_every: int = option(250, "updates between checkpoints, each with a measurement of NashConv", 1)
    also: tuple[str, ...] = option((), "further duels to train on, by name or path")


@dataclass(frozen=True)
class EntityConfig(Config):
    """The options of the recipes whose network reads entities and learns on many scenarios at once."""

    also: tuple[str, ...] = option((), "further scenarios to train on, by name or path")
    generated: int = option(0, "generated scenarios to train on, random:1000 and those that follow", 0, 10_000)
    n_envs: int = option(8, "fights of each scenario played in parallel", 2, 2**12)
    net_arch: tuple[int, ...] = option(
        (64, 16), "sizes of the hidden layers, and of those that compare squares and fighters; multiples of 4", 4, 1024
    )
    side: str = option("", "the only team that is trained and rated, in every scenario; by default all teams in turn")
    only_stances: int = option(0, "1: the network decides only stances; the tactician decides all else", 0, 1)
    batch_size: int = option(256, "samples in each optimizer step", 2)
    policy_ema: float = option(0.0, "not used: the last policy is exported", 0, 0)
    checkpoint_every: int = option(10, "updates between checkpoints; every checkpoint restarts all fights", 1)

    def games(self) -> list[Game]:
        """Return the games to train on; the game of `scenario` is the first."""
        generated = [f"random:{FIRST_GENERATED + k}" for k in range(self.generated)]
        return [self.game(), *map(self.game, (*self.also, *generated))]


@dataclass(frozen=True)
class ImitateConfig(EntityConfig):
    """The options of imitating an agent, or recorded fights."""

    recipe = "imitate"
    summary = "a policy for any fight, from the decisions of an agent or from recorded fights"

    total_samples: int = option(200_000, "samples to train on; a sample is one decision with the teacher's policy", 1)
    final_learning_rate: float = option(1e-4, "learning rate at the end; linear in between", 0, 1)
    n_samples: int = option(2048, "samples gathered for each update, at least", 2, 2**20)
    n_epochs: int = option(4, "how often each update learns from a number of samples equal to n_samples", 1, 100)
    memory_updates: int = option(10, "updates whose samples are learned from, back to the last checkpoint", 2, 1000)
    teacher: str = option("tactician", "the agent that is imitated")
    opponents: tuple[str, ...] = option(
        ("itself", "tactician"), "agents on the other side, in turn; itself is the learner"
    )
    foresight: int = option(0, "1: the teacher takes the best stance against those that the enemies are taking", 0, 1)
    move_share: float = option(1.0, "share of the decisions with moves on a map that the teacher is asked for", 0, 1)
    records: tuple[str, ...] = option((), "recorded fights to learn from, in place of a teacher")
    player: str = option("", "the agent in the records that is imitated; by default all of them")


@dataclass(frozen=True)
class LeagueConfig(EntityConfig, PPOConfig):
    """The options of PPO against bots, past selves and itself."""

    recipe = "league"
    summary = "maps and teams: PPO against bots, past selves and itself, from an imitated policy"

    total_samples: int = option(500_000, "samples to train on; a sample is one seat's decision in one window", 1)
    learning_rate: float = option(3e-4, "learning rate at the start", 0, 1)
    final_learning_rate: float = option(1e-4, "learning rate at the end; linear in between", 0, 1)
    init: str = option(
        "", "the agent whose policy training begins with, such as runs/imitated; by default a random one"
    )
    n_steps: int = option(64, "windows per fight in each rollout", 2, 2**12)
    opponents: tuple[str, ...] = option(
        ("tactician", "past", "itself", "past"),
        "on the other side, in turn: agents, past selves, or the learner itself",
    )
    pool_size: int = option(12, "number of past selves to keep", 2, 1000)
    past_period: int = option(10, "updates after which the policy joins the past selves", 1)
    kl_coef: float = option(0.1, "coefficient of the divergence from the first policy, at the start", 1e-6, 10)
    final_kl_coef: float = option(0.01, "the same at the end; geometric in between", 1e-6, 10)
    ent_coef: float = option(0.005, "entropy coefficient at the start", 0, 10)
    gae_lambda: float = option(0.99, "lambda of generalised advantage estimation", 0, 1)
    observations: str = option(ENTITIES, "what the network reads: entities")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.observations != ENTITIES:
            raise TrainingError(f"observations: expected {ENTITIES}, which {self.recipe} reads, got {VECTOR}.")


@dataclass(frozen=True)
class ImproveConfig(PPOConfig):
    """The options of PPO that begins as another agent, and learns where this agent errs."""

    recipe = "improve"
    summary = "a network that corrects an agent, by PPO against agents and past selves; any game, many scenarios"

    total_samples: int = option(2_000_000, "samples to train on; a sample is one seat's decision in one window", 1)
    advisor: str = option("uniform", "the agent that is corrected; its policy should leave no good action out")
    also: tuple[str, ...] = option((), "further scenarios to train on, by name or path")
    opponents: tuple[str, ...] = option(
        ("uniform", "past"), "on the other side, in turn: agents, past selves, or the learner itself"
    )
    n_envs: int = option(16, "fights of each scenario played in parallel", 2, 2**12)
    n_steps: int = option(64, "windows per fight in each rollout", 2, 2**12)
    n_epochs: int = option(3, "passes over the samples in each update", 1, 100)
    batch_size: int = option(512, "samples in each optimizer step", 2)
    net_arch: tuple[int, ...] = option((128, 64), "sizes of the hidden layers of both networks", 1, 4096)
    ent_coef: float = option(1e-4, "entropy coefficient at the start", 0, 10)
    final_ent_coef: float = option(1e-5, "entropy coefficient at the end; geometric in between", 1e-6, 10)
    kl_coef: float = option(1e-3, "coefficient of the divergence from the advisor, at the start", 1e-6, 10)
    final_kl_coef: float = option(1e-4, "the same at the end; geometric in between", 1e-6, 10)
    pool_size: int = option(12, "number of past selves to keep", 2, 1000)
    past_period: int = option(10, "updates after which the policy joins the past selves", 1)
    temperature: float = option(
        1.0,
        "temperature of the exported policy; near 0, it takes its likeliest action, which suits open games",
        1e-3,
        5,
    )
    policy_ema: float = option(0.9, "decay of the moving average of policies that is exported", 0, 1)
    checkpoint_every: int = option(12, "updates between checkpoints; every checkpoint restarts all fights", 1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.lean or self.device != "cpu" or self.observations != VECTOR:
            raise TrainingError(f"{self.recipe}: expected the learner {LEAN}, on the device cpu, with vectors.")

    def games(self) -> list[Game]:
        """Return the games to train on; the game of `scenario` is the first."""
        return [self.game(), *map(self.game, self.also)]


RECIPES: dict[str, type[Config]] = {
    config.recipe: config
    for config in (
        SelfPlayConfig,
        ExploiterConfig,
        ShapleyConfig,
        AllDuelsConfig,
        BeatsConfig,
        ImitateConfig,
        LeagueConfig,
        ImproveConfig,
    )
}

"""What can be turned in training, with the values that the shipped agents were trained with. Needs no torch."""

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


class TrainingError(HeartRushError):
    """Training cannot begin or go on: a knob, a folder or a checkpoint does not fit."""


def knob(default: Any, says: str, least: float = 0, most: float = UNBOUNDED) -> Any:
    """A field with its default, a description for people, and its bounds if it is a number."""
    return dataclasses.field(default=default, metadata={"says": says, "bounds": {"least": least, "most": most}})


def check_bounds(name: str, value: float, least: float, most: float) -> None:
    """Raise unless a value lies within its bounds."""
    if not least <= value <= most:
        allowed = f"at least {least}" if most == UNBOUNDED else f"{least} to {most}"
        raise TrainingError(f"{name}: found {value}, allowed: {allowed}.")


@dataclass(frozen=True)
class Knobs:
    """What every recipe has."""

    scenario: str = knob("duel", "a shipped scenario, or the path of a TOML file")
    rules: Mapping[str, Any] = dataclasses.field(default_factory=dict, metadata={"says": "a setting of the rules"})
    memory: int | None = knob(
        None,
        "reveals of the past that the agent sees, 0 to 8; unless given all, and how often each stance was taken",
        0,
        8,
    )
    seed: int = knob(1, "the seed of everything: the same seed, machine and versions give the same weights")
    budget: int = knob(16_000_000, "rows to train on: a row is one seat in one window", 1)
    fights: int = knob(1024, "fights side by side", 2, 2**16)
    window: int = knob(16, "windows of each fight between two updates", 2, 2**12)
    epochs: int = knob(2, "times that each update goes over its rows", 1, 100)
    minibatch: int = knob(4096, "rows in a step of the optimizer", 2)
    learning_rate: float = knob(1e-3, "at the start", 0, 1)
    final_learning_rate: float = knob(1e-4, "at the end; in between it falls evenly", 0, 1)
    entropy: float = knob(0.05, "weight of the policy's entropy at the start", 0, 10)
    final_entropy: float = knob(0.005, "at the end; in between it falls by the same share in the same time", 1e-6, 10)
    clip: float = knob(0.2, "how far an update may move the chance of an action: PPO's clip range", 1e-3, 1)
    discount: float = knob(1.0, "PPO's gamma: 1 as fights end and are paid at the end", 0, 1)
    trace: float = knob(0.9, "lambda of the generalised advantage estimate", 0, 1)
    layers: tuple[int, ...] = knob((64, 64), "sizes of the hidden layers, of the policy and of the value", 1, 4096)
    average: float = knob(0.99, "what a new policy leaves of the average that is kept as the result; 0 for none", 0, 1)
    stretch: int = knob(60, "updates between two checkpoints, at each of which all fights begin anew", 1)

    recipe: ClassVar[str]
    summary: ClassVar[str]

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            values = getattr(self, field.name)
            for value in values if isinstance(values, tuple) else (values,):
                if isinstance(value, int | float):
                    check_bounds(field.name, value, **field.metadata["bounds"])

    def as_dict(self) -> dict[str, Any]:
        """The knobs as JSON would give them back."""
        plain: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(self)))
        return plain

    def game(self) -> HeartRush:
        """What is trained on."""
        from heartrush_env.heart_rush.game import HeartRush  # with compiled code, which is loaded when it is needed

        return HeartRush(self.scenario, rules=self.rules, memory=self.memory)


@dataclass(frozen=True)
class SelfPlay(Knobs):
    """Against itself, past selves and sparring partners."""

    recipe = "self_play"
    summary = "against itself, past selves and sparring partners, held by a magnet so that it does not run in circles"

    magnet: float = knob(
        0.3, "weight of the pull toward the magnet, a policy of a while ago, which keeps from cycling", 0, 10
    )
    magnet_period: int = knob(20, "updates after which the magnet moves to the present policy", 1)
    past: float = knob(0.25, "share of the fights in which a past self takes the other side", 0, 0.9)
    pool: int = knob(20, "how many past selves are kept", 1, 1000)
    sparring: tuple[str, ...] = knob(
        ("might", "agility", "cunning", "uniform", "tactician", "frequency"),
        "agents that take the other side in some fights, so that habits are punished; with --memory 0 not frequency",
    )
    sparring_share: float = knob(0.2, "share of the fights with a sparring partner, if there are any", 0, 0.9)


@dataclass(frozen=True)
class Against(Knobs):
    """Against an agent that does not learn."""

    recipe = "against"
    summary = "against one agent that does not learn"

    budget: int = knob(5_000_000, "rows to train on: a row is one seat in one window", 1)
    opponent: str = knob("uniform", "the agent that takes the other side in every fight")


RECIPES: dict[str, type[Knobs]] = {knobs.recipe: knobs for knobs in (SelfPlay, Against)}

"""A fight played by the engine and by the reference, with the same dice and the same choices.

The reference plays a random fight and records every die. Before each step the engine is given the dice of that step;
it must offer the same choices, come to the same state, and use exactly these dice.
"""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from tests.narrated import NarratedFight
from tests.reference.classic import fight_of

LINKS = ("grappling", "climbing")
ON_MAPS = ("at", "side", "weapon")
MOST_AT_ONCE = 512  # the most dice that the engine takes
COMPARED = (
    "hp", "heart", "status", "wounds", "conditions", "sources", "stance", "action", "interaction", "dash", "armed",
    "rush", "helped", "shrugs", "grappling", "climbing", "hits",
)  # fmt: skip

Chooser = Callable[[random.Random, list[str]], str]


def normal(state: dict[str, Any], window: str) -> dict[str, Any]:
    """Return the part of the state that both must agree on; for example, not the links before a yield (R-52)."""
    fighters = {}
    for agent, fighter in state["fighters"].items():
        kept = {key: value for key, value in fighter.items() if key in COMPARED}
        conditions = {name: levels for name, levels in fighter["conditions"].items() if name != "surprised"}
        if window == "yield":
            for name in (*LINKS, "conditions"):
                kept.pop(name, None)
        else:
            kept["conditions"] = conditions
        if window not in ("shrug", "yield"):
            kept["hits"] = []
        if window in ("instant", "pick"):  # attacks that are being answered have already cost the action, or will
            kept.pop("action", None)
        fighters[agent] = kept
    moment = {key: state[key] for key in ("round", "window", "phase", "cause", "winners")}
    turns = state.get("turns") if window != "over" else None
    return {**moment, "turns": turns, "fighters": fighters}


def normal_on_map(state: dict[str, Any]) -> dict[str, Any]:
    """Return the part of the state that both must agree on, with the fields of a map if there is one."""
    kept = normal(state, state["window"])
    if "battlefield" not in state:
        return kept
    for agent, fighter in state["fighters"].items():
        kept["fighters"][agent].update({key: fighter[key] for key in ON_MAPS})
    kept["map"] = list(state["battlefield"]["map"])
    return kept


class Both:
    """A fight in the engine and in the reference."""

    def __init__(
        self, scenario: dict[str, Any], rng: random.Random, label: str, chooser: Chooser, *, narrates: bool = True
    ) -> None:
        """Begin the fight; `rng` rolls the dice and makes the choices."""
        self.rng, self.label, self.chooser, self.narrates = rng, label, chooser, narrates
        self.dice: list[int] = []
        self.reference = fight_of(scenario, self.roll)
        self.game = HeartRush(scenario)
        self.names = list(self.game.action_names)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.fights: Fights = self.game.batch(1, record=True)
        self.fights.start([0], 1, [0], self.dice or [1])
        self.seen: Counter[str] = Counter()
        self.steps = 0
        self.compare("the start")
        self.narrated = NarratedFight(self.game.scenario)
        self.tell()

    def roll(self, sides: int) -> int:
        self.dice.append(self.rng.randint(1, sides))
        return self.dice[-1]

    def hand_over(self) -> None:
        """Give the engine the dice of this step."""
        match = self.fights._fights[0]
        assert len(self.dice) <= MOST_AT_ONCE
        match.given[: len(self.dice)] = self.dice
        match.given_used, match.given_count = 0, len(self.dice)

    def step(self) -> None:
        chosen = {agent: self.chooser(self.rng, options) for agent, options in self.reference.choices().items()}
        window = self.reference.window
        self.seen[f"{window} window"] += 1
        self.seen.update(f"chosen {name.split()[0]}" for name in chosen.values() if window != "action")
        self.dice = []
        self.reference.step(chosen)
        self.hand_over()
        draws = int(self.fights._fights[0].draw)
        self.fights.step(np.array([[self.numbers[chosen[agent]] for agent in self.game.agents]], np.int64))
        self.steps += 1
        told = {agent: name for agent, name in chosen.items() if name != "pass"}
        self.compare(f"step {self.steps}, {window} {told}")
        self.tell()
        for event in self.fights.events(0):
            self.seen[" ".join(str(event[key]) for key in ("type", "how", "maneuver", "cause") if key in event)] += 1
        match = self.fights._fights[0]
        more = int(match.draw) - draws
        assert (int(match.given_used), more) == (len(self.dice), 0), f"{self.where}: dice used"
        assert self.fights.faults(0) == [], self.where

    def play(self, most_steps: int) -> Counter[str]:
        """Play to the end or for this many steps; return how often each window, choice and kind of event was seen."""
        while self.reference.window != "over" and self.steps < most_steps:
            self.step()
        return self.seen

    def tell(self) -> None:
        """Check the sums in the events of this step."""
        if self.narrates:  # the check does not know bonuses by abilities
            self.narrated.check(self.fights.events(0), self.where)

    def compare(self, where: str) -> None:
        """Check that the engine's state and choices are those of the reference."""
        self.where = f"{self.label}, {where}"
        state = self.reference.state()
        expected, own = normal_on_map(state), normal_on_map(self.fights.describe(0))
        assert own == expected, f"{self.where}: {differences(own, expected)}"
        choices = self.reference.choices()
        for seat, agent in enumerate(self.game.agents):
            legal = {self.names[action] for action in self.fights.legal(0, seat)}
            more, less = sorted(legal - set(choices[agent])), sorted(set(choices[agent]) - legal)
            assert not more and not less, f"{self.where}: {agent} only engine {more}, only reference {less}"


def differences(own: Any, expected: Any, path: str = "") -> list[str]:
    """Return the differences of two states, the engine's value before the reference's."""
    if isinstance(own, dict) and isinstance(expected, dict):
        return [
            line
            for key in sorted(set(own) | set(expected))
            for line in differences(own.get(key), expected.get(key), f"{path} {key}")
        ]
    return [] if own == expected else [f"{path}: engine {own}, reference {expected}"]

"""A position in an environment with its dice laid out, played window by window with the names of actions."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from heartrush_env import heart_rush_v0

# Natural claws of a d8 without a damage type: an attack rolls heart d8, ability d6 and weapon d8; a defense two dice.
CLAWS = {"size": "light", "attack_type": "melee", "damage_type": "none", "natural": True}
PLAIN = {
    "might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40, "weapon": CLAWS, "speed": 60,
}  # fmt: skip
NOTHING = ("pass", "take", "stance defensive")


class Position:
    """A fight of fighters by id, with heroes in blue; fields that a fighter leaves out come from PLAIN."""

    def __init__(
        self,
        blue: Mapping[str, Mapping[str, Any]],
        red: Mapping[str, Mapping[str, Any]],
        dice: Sequence[int] = (),
        rules: Mapping[str, Any] | None = None,
        **scenario: Any,
    ) -> None:
        sides = {"blue": blue, "red": red}
        fighters = [
            {**PLAIN, "id": id, "team": team, **own} for team, side in sides.items() for id, own in side.items()
        ]
        table = {"name": "position", "victory": "last_standing", "heroes": ["blue"], "fighter": fighters, **scenario}
        self.env = heart_rush_v0.parallel_env(scenario=table, rules=dict(rules or {}), illegal="raise")
        self.observations, _ = self.env.reset(seed=1, options={"dice": list(dice)} if dice else None)
        self.dice = len(dice)
        self.events: list[dict[str, Any]] = list(self.env.unwrapped.events)

    def play(self, **choices: str) -> None:
        """Play one window; fighters that are not named pass, take their hit, or choose defensive."""
        names = self.env.unwrapped.get_action_meanings()
        chosen = {agent: choices.get(agent.removesuffix("_0")) or self._nothing(agent) for agent in self.env.agents}
        self.observations, *_ = self.env.step({agent: names.index(name) for agent, name in chosen.items()})
        self.events += self.env.unwrapped.events

    def pass_to(self, window: str, phase: str | None = None) -> None:
        """Let all fighters pass, take and defend until this window is open (in this phase of the engagement)."""
        while self.window != window or phase not in (None, self.env.unwrapped.public["phase"]):
            assert self.env.agents, f"the fight is over, and no window {window!r} has come"
            self.play()

    def engage(self, **stances: str) -> None:
        """Pass through the action phase, and take these stances."""
        self.pass_to("stance")
        self.play(**{name: f"stance {stance}" for name, stance in stances.items()})

    def _nothing(self, agent: str) -> str:
        return next(name for name in self.legal(agent) if name in NOTHING)

    @property
    def window(self) -> str:
        """The name of the open window."""
        return str(self.env.unwrapped.public["window"])

    def legal(self, name: str) -> list[str]:
        """Return the names of a fighter's legal actions."""
        agent = name if name.endswith("_0") else f"{name}_0"
        names = self.env.unwrapped.get_action_meanings()
        return [names[k] for k in np.flatnonzero(self.observations[agent]["action_mask"])]

    def fighter(self, name: str) -> dict[str, Any]:
        """Return the public facts about a fighter."""
        return dict(self.env.unwrapped.public["fighters"][f"{name}_0"])

    def sees(self, name: str, feature: str) -> float:
        """Return a feature of a fighter's observation."""
        names = self.env.unwrapped.get_feature_names()
        return float(self.observations[f"{name}_0"]["observation"][names.index(feature)])

    def told(self, kind: str) -> list[dict[str, Any]]:
        """Return the events of a kind since the start."""
        return [event for event in self.events if event["type"] == kind]

    def has_used_its_dice(self) -> bool:
        """Return whether exactly the dice that were laid out have been rolled; others would count as draws."""
        fight = self.env.unwrapped.snapshot()["position"]["position"]
        return bool(fight["given_used"] == self.dice and fight["draw"] == 0)

"""A table to play at: a fight described in a few words, with its dice laid out, played with the names of actions.

    table = Table({"knight": {"might": 8}, "rogue": {"armor": "light"}}, dice=[5, 3, 8, 4, 2])
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.hp("rogue") == 30

Methods that play windows return the table, so that calls can be chained. Fighters go by their id. By default the first
is on team "blue" and all others are on team "red"; other fields that a fighter leaves out come from `PLAIN`. Dice may
be laid out in groups, [(5, 3, 8), (4, 2)]. A table is strict: an action that is not legal, a die that was not laid out
and (by a fixture in conftest.py) a die that is not rolled fail the test.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from heartrush_env.games.heart_rush.game import HeartRush

Dice = Sequence[int | Sequence[int]]
Fields = dict[str, Any]  # of a fighter, of its conditions or of a scenario, by name

# The weapon is a d8 that favors no stance: an attack rolls heart d8, ability d6 and weapon d8, a defense the first two.
BLADE = {"size": "light", "attack_type": "melee", "damage_type": "none"}
PLAIN = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40, "weapon": BLADE}
# Choices of fighters that a call does not name; the first legal one is taken.
NOTHING = ("pass", "take", "stance defensive")


def weapon(size: str = "light", attack_type: str = "melee", damage_type: str = "none") -> dict[str, str]:
    """Return a composed weapon: heavy is a d12, light a d8, ultralight a d4."""
    return {"size": size, "attack_type": attack_type, "damage_type": damage_type}


class Table:
    """One fight, with everything that a test asks about it."""

    laid: ClassVar[list[Table]] = []  # in the running test

    def __init__(
        self,
        fighters: Mapping[str, Mapping[str, Any]],
        dice: Dice = (),
        rules: Mapping[str, Any] | None = None,
        **scenario: Any,
    ) -> None:
        """Begin a fight of these fighters by id; `scenario` takes heroes, victory, max_rounds and round_cap."""
        sheets = [
            {**PLAIN, "id": name, "team": "red" if number else "blue", **_with_agents(fighter)}
            for number, (name, fighter) in enumerate(fighters.items())
        ]
        game = HeartRush({"name": "table", "fighter": sheets, "rules": dict(rules or {}), **scenario})
        self.names = tuple(fighters)
        self.events: list[dict[str, Any]] = []  # since the start
        self.rewards = dict.fromkeys(self.names, 0.0)  # of the last step
        self._actions = game.action_names
        laid_out = _flat(dice)
        self._dice = len(laid_out)
        self._fights = game.batch(1, record=True)
        self._fights.start([0], 1, [0], laid_out)
        self._look()
        Table.laid.append(self)

    # ---- playing

    def play(self, **choices: str) -> Table:
        """Play one window; fighters that are not named pass, take their hit, or choose defensive."""
        for name, choice in choices.items():
            assert choice in self.legal(name), f"{name} may not {choice!r} now; legal: {self.legal(name)}"
        chosen = [choices.get(name) or self._nothing(name) for name in self.names]
        self._fights.step(np.array([[self._actions.index(choice) for choice in chosen]], np.int64))
        self.rewards = dict(zip(self.names, map(float, self._fights.rewards[0]), strict=True))
        self._look()
        return self

    def pass_to(self, window: str, phase: str | None = None) -> Table:
        """Let all fighters pass, take and defend until this window is open (in this phase of the engagement)."""
        while self.window != window or phase not in (None, self.phase):
            assert self.window != "over", f"the fight is over, and no {window} window came"
            self.play()
        return self

    def engage(self, **fighters: str) -> Table:
        """Pass through the action phase, and take stances: "cunning", or "might: attack 1" to attack in its phase."""
        stances = {name: words.partition(": ")[0] for name, words in fighters.items()}
        choices = {name: choice for name, words in fighters.items() if (choice := words.partition(": ")[2])}
        if self.window != "stance":
            self.pass_to("stance")
        self.play(**{name: f"stance {stance}" for name, stance in stances.items()})
        if choices:
            (phase,) = {stances[name] for name in choices}
            self.pass_to("attack", phase).play(**choices)
        return self

    def finish_round(self) -> Table:
        """Let all fighters pass, take and defend until the next round, or the end."""
        this = self.round
        while self.window != "over" and self.round == this:
            self.play()
        return self

    def restore(self) -> Table:
        """Continue from a snapshot of the fight."""
        self._fights.restore(0, self._fights.snapshot(0))
        return self

    # ---- looking

    @property
    def window(self) -> str:
        """The open window: talk, action, opportunity, stance, attack, follow_up, shrug, yield or over."""
        return str(self._seen["window"])

    @property
    def round(self) -> int:
        """The number of the round."""
        return int(self._seen["round"])

    @property
    def phase(self) -> str | None:
        """The stance whose phase of the engagement is being resolved, or None outside the phases."""
        return self._seen["phase"]

    @property
    def ending(self) -> tuple[str | None, list[str]]:
        """The cause of the fight's end, and the winning team."""
        return self._seen["cause"], self._seen["winners"]

    @property
    def dice_used(self) -> int:
        """The number of laid-out dice that have been rolled."""
        return int(self._fights._fights[0].given_used)

    @property
    def dice_left(self) -> int:
        """The number of laid-out dice that have not been rolled."""
        return self._dice - self.dice_used

    def fighter(self, name: str) -> dict[str, Any]:
        """Return the public facts about a fighter."""
        seen: dict[str, Any] = self._seen["fighters"][name]
        return seen

    def facts(self, name: str, keys: Iterable[str]) -> dict[str, Any]:
        """Return some of the public facts about a fighter."""
        return {key: self.fighter(name)[key] for key in keys}

    def hp(self, name: str) -> int:
        """Return a fighter's hit points."""
        return int(self.fighter(name)["hp"])

    def heart(self, name: str) -> int:
        """Return the sides of a fighter's heart die."""
        return int(self.fighter(name)["heart"])

    def status(self, name: str) -> str:
        """Return a fighter's status: standing, unconscious, dead or defeated."""
        return str(self.fighter(name)["status"])

    def conditions(self, name: str) -> dict[str, int]:
        """Return a fighter's conditions with their levels."""
        return dict(self.fighter(name)["conditions"])

    def legal(self, name: str) -> list[str]:
        """Return a fighter's legal actions."""
        return [self._actions[action] for action in self._fights.legal(0, self.names.index(name))]

    def sees(self, name: str) -> dict[str, float]:
        """Return a fighter's observation, by the names of its features."""
        seen = self._fights.observations[0, self.names.index(name)]
        return dict(zip(self._fights.game.feature_names, map(float, seen), strict=True))

    def choosers(self) -> set[str]:
        """Return the fighters with more than one legal action in the open window."""
        return {name for name in self.names if len(self.legal(name)) > 1}

    def events_of(self, kind: str) -> list[dict[str, Any]]:
        """Return all events of a kind since the start."""
        return [event for event in self.events if event["type"] == kind]

    def history(self, name: str, condition: str) -> list[int]:
        """Return the levels of a fighter's condition after each change."""
        changes = [event for event in self.events_of("condition") if event["fighter"] == name]
        return [event["levels"] for event in changes if event["condition"] == condition]

    def last(self, kind: str) -> dict[str, Any]:
        """Return the latest event of a kind."""
        return self.events_of(kind)[-1]

    def faults(self) -> list[str]:
        """Return all that is wrong with the position, a sentence each."""
        return self._fights.faults(0)

    def rolls(self, kind: str = "attack") -> tuple[int, int]:
        """Return the two totals of the latest attack, maneuver or check."""
        event = self.last(kind)
        return event["attack_roll"], event["defense_roll"]

    # ---- inside

    def _nothing(self, name: str) -> str:
        legal = self.legal(name)
        return next((choice for choice in NOTHING if choice in legal), "pass")  # a part of a choice is left out

    def _look(self) -> None:
        self._seen = _with_ids(self._fights.describe(0))
        self.events += _with_ids(self._fights.events(0))
        assert int(self._fights._fights[0].draw) == 0, f"a die was rolled beyond the {self._dice} that were laid out"


def strike(
    attacker: Mapping[str, Any] | None = None,
    target: Mapping[str, Any] | None = None,
    *,
    stance: str = "might",
    against: str = "cunning",
    dice: Dice,
    choice: str = "attack 1",
    answer: str = "take",
    **scenario: Any,
) -> Table:
    """Play one engagement of two: the knight attacks in its stance; the rogue takes its own and only answers hits."""
    table = Table({"knight": attacker or {}, "rogue": target or {}}, dice, **scenario)
    table.engage(knight=f"{stance}: {choice}", rogue=against)
    while table.window == "shrug":
        table.play(**{name: answer for name in table.choosers() if name == "rogue"})
    return table


def _flat(dice: Dice) -> list[int]:
    """Return the dice in one list."""
    return [die for group in dice for die in (group if isinstance(group, Sequence) else [group])]


def _with_agents(fighter: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fighter as scenarios describe it, with agents instead of ids as the sources of conditions."""
    conditions = {
        name: {**levels, "source": f"{levels['source']}_0"} if isinstance(levels, Mapping) else levels
        for name, levels in fighter.get("conditions", {}).items()
    }
    return {**fighter, "conditions": conditions}


def _with_ids(told: Any) -> Any:
    """Return the data with every agent replaced by its id."""
    if isinstance(told, dict):
        return {_with_ids(key): _with_ids(value) for key, value in told.items()}
    if isinstance(told, list):
        return [_with_ids(value) for value in told]
    return told.removesuffix("_0") if isinstance(told, str) else told

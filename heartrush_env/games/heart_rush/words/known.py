"""The knowledge that a reader of a fight's events has of its fighters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, Scenario, Spare
from heartrush_env.games.heart_rush.words.words import with_levels
from heartrush_env.tabletop.game import Event

MOST_HANDS = 2


@dataclass
class Known:
    """The state of a fighter, as known to a reader of the events."""

    sheet: FighterSheet
    hp: int
    heart: int  # sides, now
    armed: bool = True
    stance: str | None = None
    status: str = "standing"
    wounds: int = 0  # sum of ranks
    conditions: dict[str, int] = field(default_factory=dict)

    @classmethod
    def at_start(cls, sheet: FighterSheet) -> Known:
        """Return the state of a fighter as the scenario describes it."""
        conditions = {condition.name: condition.levels for condition in sheet.conditions}
        known = cls(sheet, sheet.hp_now, sheet.heart_now, wounds=sum(sheet.wounds), conditions=conditions)
        known.status = "defeated" if sheet.to_grow else "standing"
        return known

    @property
    def weapon(self) -> str:
        """The display name of the weapon in hand."""
        return self.sheet.weapon.name.lower()

    def condition(self) -> str:
        """Return the state in words, after the fighter's name."""
        if self.status not in ("standing", "unconscious"):
            return f"{self.sheet.name} {self.status}"
        parts = [f"{self.hp} hp", f"heart d{self.heart}"]
        if self.status == "unconscious":
            parts.append("unconscious")
        if self.wounds:
            parts.append(f"wounds {self.wounds}")
        if not self.armed:
            parts.append("weapon on the floor")
        parts += [with_levels(condition, levels) for condition, levels in self.conditions.items()]
        return f"{self.sheet.name} {', '.join(parts)}"


class Reader:
    """A reader of the events of one fight, which knows every fighter's state."""

    def __init__(self, scenario: Scenario) -> None:
        """Set up the fighters as the scenario describes them."""
        self.scenario = scenario
        self.known = {sheet.agent: Known.at_start(sheet) for sheet in scenario.fighters}

    def standing(self) -> str:
        """Return every fighter's state in one line."""
        return "; ".join([known.condition() for known in self.known.values()])

    def follow(self, events: Iterable[Event]) -> None:
        """Take note of what these events change."""
        for event in events:
            change = self._CHANGES.get(event["type"])
            if change is not None:
                change(self, event)

    def _forget_stances(self, event: Event) -> None:
        for known in self.known.values():
            known.stance = None

    def _reveal(self, event: Event) -> None:
        for agent, stance in event["stances"].items():
            self.known[agent].stance = stance

    def _declare(self, event: Event) -> None:
        if event["action"] == "pick_up":
            self.known[event["fighter"]].armed = True

    def _maneuver(self, event: Event) -> None:
        if event["maneuver"] == "disarm" and event["success"]:
            self.known[event["target"]].armed = False

    def _shrug(self, event: Event) -> None:
        self.known[event["fighter"]].heart = event["heart_to"]

    def _hp(self, event: Event) -> None:
        self.known[event["fighter"]].hp = event["hp"]

    def _wound(self, event: Event) -> None:
        self.known[event["fighter"]].wounds += event["rank"]

    def _condition(self, event: Event) -> None:
        conditions = self.known[event["fighter"]].conditions
        if event["levels"]:
            conditions[event["condition"]] = event["levels"]
        else:
            conditions.pop(event["condition"], None)

    def _down(self, event: Event) -> None:
        self.known[event["fighter"]].status = event["status"]

    def _death(self, event: Event) -> None:
        self.known[event["fighter"]].status = "dead"

    def _grow(self, event: Event) -> None:
        known = self.known[event["fighter"]]
        known.status, known.hp, known.heart, known.wounds = "standing", event["hp"], known.sheet.heart, 0

    def _object(self, event: Event) -> None:
        if event["effect"] == "take":
            thing, known = self.scenario.objects[event["object"] - 1], self.known[event["fighter"]]
            assert thing.item is not None, "an item is taken only where there is one"
            sheet, hands = known.sheet, thing.item.hands + known.sheet.shield_hands
            shield = (sheet.shield, sheet.shield_hands) if hands <= MOST_HANDS else (0, 0)
            known.sheet = replace(sheet, spare=Spare(thing.item, *shield, sheet.speed))

    def _swap(self, event: Event) -> None:
        known = self.known[event["fighter"]]
        sheet, spare = known.sheet, known.sheet.spare
        if spare is not None:
            old = Spare(sheet.weapon, sheet.shield, sheet.shield_hands, sheet.speed)
            known.sheet = replace(
                sheet,
                weapon=spare.weapon,
                shield=spare.shield,
                shield_hands=spare.shield_hands,
                speed=spare.speed,
                spare=old if known.armed else None,
            )
            known.armed = True

    _CHANGES: ClassVar[Mapping[str, Callable[[Any, Event], None]]] = {
        "round": _forget_stances,
        "engagement": _forget_stances,
        "reveal": _reveal,
        "declare": _declare,
        "maneuver": _maneuver,
        "shrug": _shrug,
        "damage": _hp,
        "heal": _hp,
        "wound": _wound,
        "condition": _condition,
        "down": _down,
        "death": _death,
        "grow": _grow,
        "object": _object,
        "swap": _swap,
    }

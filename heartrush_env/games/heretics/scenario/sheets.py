"""A scenario as it is read: fighters, settings, objective and map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

BODIES: Final = {"none": 0, "cloth": 1, "brigandine": 2, "mail": 3}  # added to 10 and dex
PLATES: Final = {"half_plate": 15, "full_plate": 16}  # in place of that sum
ROLES: Final = ("hero", "npc")
USUAL_SPEED: Final = 40  # feet
HERO_HP: Final = 9


@dataclass(frozen=True)
class Sheet:
    """One fighter of a scenario; speeds are in feet."""

    id: str
    agent: str
    team: str
    role: str = "npc"
    abilities: tuple[int, int, int, int] = (0, 0, 0, 0)  # str, dex, int, wil
    hp: int = HERO_HP
    max_hp: int = HERO_HP
    body: str = "none"
    shield: bool = False
    helmet: bool = False
    held: str | None = None
    inventory: tuple[str, ...] = ()
    to_hit: int | None = None
    hd: int = 1
    speed: int = USUAL_SPEED
    natural: int = 0  # sides of the natural weapon's die
    on_hit: tuple[str, int, str] | None = None  # ability of the save, number, condition
    fearless: bool = False
    steady: bool = False
    fearsome: str | None = None
    fears: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    at: tuple[int, int] | None = None

    @property
    def armor(self) -> int:
        """AD without the shield."""
        worn = PLATES[self.body] if self.body in PLATES else 10 + self.abilities[1] + BODIES[self.body]
        return worn + self.helmet


@dataclass(frozen=True)
class Battlefield:
    """A map: rows from north to south, and the squares from which fighters leave."""

    rows: tuple[str, ...]
    exits: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Scenario:
    """A scenario."""

    name: str
    table: Mapping[str, Any]  # as it was read, without the rules
    fighters: tuple[Sheet, ...]
    sides: tuple[str, str]
    heroes: str | None
    surprise: str  # roll, none, or the side that is surprised without a die
    objective: tuple[str, str, int] | None  # kind, side, count
    rules: Mapping[str, Any]  # all settings by name
    battlefield: Battlefield | None

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that fighters fear, a bit each."""
        return tuple(sorted({tag for sheet in self.fighters for tag in (*sheet.fears, sheet.fearsome) if tag}))

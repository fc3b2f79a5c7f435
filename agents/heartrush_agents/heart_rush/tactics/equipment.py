"""Equipment of a scenario's fighters: the reach of the weapon in hand, and the spare equipment.

Observations show the weapon in hand, but neither its reach nor the spare. The scenario, which all players know, holds
both. An observed fighter is identified in the scenario by its dice and its weapon.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from heartrush_env.games.heart_rush.rules.terms import ATTACK_TYPES, FASTEST, FEET
from heartrush_env.games.heart_rush.scenario.catalog import Weapon, carries
from heartrush_env.games.heart_rush.scenario.sheets import Scenario

Look = tuple[int, ...]  # might, agility, cunning, weapon die; ranged, thrown and whip as 0 or 1


class Kit(NamedTuple):
    """A weapon and a shield in hand, and the resulting speed."""

    weapon: Weapon
    shield: int  # added to defense rolls
    speed: int  # squares per dash


class Equipment:
    """The equipment of a scenario's fighters, found by how a fighter looks in an observation."""

    def __init__(self, scenario: Scenario) -> None:
        """Read the sheets.

        Fighters that look alike all count as having reach if one of them has it, and share the first one's spare.
        """
        self._reaching: set[Look] = set()
        self._ranges: dict[Look, int] = {}
        self._other: dict[Look, Kit] = {}
        for look, kit, other in _carried(scenario):
            if kit.weapon.reach:
                self._reaching.add(look)
            self._ranges.setdefault(look, carries(kit.weapon))
            if other:
                self._other.setdefault(look, other)

    def reach(self, look: Look) -> int:
        """Return the additional reach of the weapon in hand in squares, for a fighter that has not dashed."""
        return int(look in self._reaching)

    def range(self, look: Look) -> int | None:
        """Return the range of the weapon in hand in squares, without the additional reach; None if it is unknown."""
        return self._ranges.get(look)

    def other(self, look: Look) -> Kit | None:
        """Return the equipment in hand after a change of weapons, or None without spare equipment."""
        return self._other.get(look)


def _carried(scenario: Scenario) -> Iterator[tuple[Look, Kit, Kit | None]]:
    """Yield the look of each fighter with each set of its equipment, that set, and its other set or None."""
    for sheet in scenario.fighters:
        dice, first = (sheet.might, sheet.agility, sheet.cunning), _kit(sheet.weapon, sheet.shield, sheet.speed)
        spare = _kit(sheet.spare.weapon, sheet.spare.shield, sheet.spare.speed) if sheet.spare else None
        yield (*dice, *_look(first.weapon)), first, spare
        if spare:
            yield (*dice, *_look(spare.weapon)), spare, first


def _kit(weapon: Weapon, shield: int, speed: int) -> Kit:
    return Kit(weapon, shield, min(FASTEST, speed // FEET))


def _look(weapon: Weapon) -> Look:
    return weapon.die, *(int(weapon.attack_type == kind) for kind in ATTACK_TYPES[1:])

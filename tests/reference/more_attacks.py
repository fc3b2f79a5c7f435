"""Abilities that bring further attacks, strike areas, or frighten, one class each (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability, Asked

if TYPE_CHECKING:
    from .sheet import Fighter
    from .table import Table


class FavoredAttacker(Ability):
    """Attacks have a further heart die."""

    id = "favored_attacker"
    kind = "attack"

    def adds(self, table: Table, roll: Asked) -> list[int]:
        return [table.heart_die(self.owner)] if roll.kind == self.kind else []


class FavoredDefender(FavoredAttacker):
    """Defences have a further heart die."""

    id = "favored_defender"
    kind = "defence"


class DraconicPresence(Ability):
    """The presence die is a d20."""

    id = "draconic_presence"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        owner.dice["presence"] = 20

"""Creatures of several parts, and the abilities of their bodies (R-146 to R-148)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .conditions import Conditions
from .dice import half
from .moments import BLOWS, Damage

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table

CUT_OFF = ("defeated", "dead")


def parts_of(table: Table, body: Fighter) -> list[Fighter]:
    """Return the body's parts in agent order, including those that may still grow."""
    return [fighter for fighter in table.fighters if fighter.part_of == body.agent]


def fall_with_bodies(table: Table) -> None:
    """Put out the parts of a body that is out, at no more than 0 hit points (R-146)."""
    for part in table.fighters:
        if part.part_of and part.status in ("standing", "unconscious") and not table[part.part_of].standing:
            part.status, part.hp = "defeated", min(0, part.hp)


def grow(part: Fighter) -> None:
    """Make a part that has grown as good as new (R-147)."""
    part.status, part.hp, part.heart = "standing", part.hp_max, part.heart_max
    part.wounds = part.wounds_carried = part.rush = part.rounds_active = part.helped = 0
    part.conditions, part.surprised, part.armed = Conditions(), False, True
    part.action = part.interaction = part.dash = True
    for owned in part.abilities:
        owned.uses = 0


class ManyHeads(Ability):
    """While a head stands, damage to the body is halved: that of attacks when dealt, any other when it lands."""

    id = "hydra.many_heads"

    def _shields(self, fight: Fight) -> bool:
        return any(head.standing for head in parts_of(fight.table, self.owner))

    def halves(self, fight: Fight, damage: Damage) -> bool:
        return damage.cause in BLOWS and self._shields(fight)

    def cuts(self, fight: Fight, damage: Damage) -> int:
        return half(damage.amount) if damage.cause not in BLOWS and self._shields(fight) else damage.amount


class Regrowth(Ability):
    """Two heads grow for each that was cut off in the round before the last."""

    id = "hydra.regrowth"
    there: tuple[Fighter, ...] = ()
    cut_before = 0

    def at_round_start(self, fight: Fight) -> None:
        heads = parts_of(fight.table, self.owner)
        cut = sum(head.status in CUT_OFF for head in self.there)
        if self.owner.standing:
            for head in [head for head in heads if head.status in CUT_OFF][: 2 * self.cut_before]:
                grow(head)
        self.there = tuple(head for head in heads if head.status not in CUT_OFF)
        self.cut_before = cut

"""Fighters on ground that does not hold still (R-265)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .sheet import Fighter
    from .table import Table


def tread(table: Table, fighter: Fighter) -> bool:
    """Let a fighter on its feet save against the ground beneath it, once; return whether it had to."""
    on_its_feet = fighter.standing and "prone" not in fighter.conditions
    if not on_its_feet or fighter.climbing is not None or fighter.part_of is not None:
        return False
    shaking = [owned for owned in table.abilities if owned.unsettles(fighter)]
    for owned in shaking[:1]:
        owned.shake(fighter)
    return bool(shaking)

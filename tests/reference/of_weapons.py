"""The hooks by which abilities change weapons (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .sheet import Fighter, Weapon
    from .table import Table


class ChangesWeapons:
    """Hooks that change weapons; `target` is None outside an attack on a fighter."""

    def wields(self, table: Table, weapon: Weapon, target: Fighter | None) -> Weapon:
        """Return what the owner's weapon is as it is used against the target."""
        return weapon

    def fits(self, stance: str) -> bool:
        """Return whether the owner's attacks have the die of a fitting damage type in this stance."""
        return False

    def more_weapon_dice(self, weapon: Weapon, target: Fighter | None) -> tuple[int, ...]:
        """Return the weapon dice that the owner's attack on the target has in addition."""
        return ()

    def range_of(self, table: Table, squares: int, target: Fighter | None) -> int:
        """Return the range of the owner's weapon, given the range without the ability."""
        return squares

    def ignores_cover(self, table: Table, target: Fighter) -> bool:
        """Return whether the owner's ranged and thrown attacks ignore the target's cover."""
        return False

    def replaces_might_bonus(self) -> bool:
        """Return whether what the owner wields has a might bonus of its own in place of that of its attack type."""
        return False

    def push_feet(self) -> int:
        """Return how many feet further the owner's might pushes."""
        return 0

    def share_in_defense(self) -> int:
        """Return what part of the damage the owner takes in defensive stance: one in how many."""
        return 2

    def net_number(self) -> int:
        """Return by how much the owner's nets are harder to leave."""
        return 0

    def net_levels(self) -> int:
        """Return how many more levels the owner's nets restrain."""
        return 0

    def attacks_no_more(self) -> bool:
        """Return whether the owner has given up its attack of the round."""
        return False

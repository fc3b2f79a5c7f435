"""Companions: fighters that obey another fighter of their team, which has a talent for each of them (R-273)."""

from collections.abc import Sequence
from typing import Final

from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or

TALENT: Final = "beast_companion"


def check_companion(where: str, sheet: FighterSheet, sheets: Sequence[FighterSheet]) -> None:
    """Check that a companion is not a part, and that the fighter it obeys has the talent and is not a companion."""
    if sheet.companion_of is None:
        return
    if sheet.part_of is not None:
        raise ScenarioError(
            f"{where}: companion_of: expected none for a part of a creature, got {show(sheet.companion_of)}."
        )
    free = [other for other in sheets if other.team == sheet.team and other.companion_of is None]
    owners = [other.agent for other in free if picks(other)]
    if sheet.companion_of not in owners:
        raise ScenarioError(
            f"{where}: companion_of: expected a fighter of its team that has {TALENT!r} and is not a companion itself "
            f"({join_or(owners)}), got {show(sheet.companion_of)}."
        )


def check_companions_of(where: str, sheet: FighterSheet, sheets: Sequence[FighterSheet]) -> None:
    """Raise ScenarioError if more companions obey a fighter than it has picks of the talent."""
    found = sum(other.companion_of == sheet.agent for other in sheets)
    if 0 < picks(sheet) < found:
        raise ScenarioError(
            f"{where}: expected {TALENT!r} once for each companion of {sheet.agent}, got it {picks(sheet)} times for "
            f"{found} companions."
        )


def picks(sheet: FighterSheet) -> int:
    """Return how often a fighter has the talent."""
    return sum(owned.name == TALENT for owned in sheet.abilities)

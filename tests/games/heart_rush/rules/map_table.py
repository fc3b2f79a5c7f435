"""A table with a drawn map: each fighter is where the capital letter of its name is."""

from collections.abc import Mapping
from textwrap import dedent
from typing import Any

from tests.games.heart_rush.rules.table import Dice, Table


def on_map(
    drawing: str,
    fighters: Mapping[str, Mapping[str, Any]],
    dice: Dice = (),
    rules: Mapping[str, Any] | None = None,
    *,
    drop: int = 10,
    light: str = "bright",
    under: str = ".",
    **scenario: Any,
) -> Table:
    """Return a table with these fighters on this map, on terrain `under`; a large one fills several squares."""
    rows = dedent(drawing).split()
    placed = {}
    for name, fighter in fighters.items():
        letter = name[0].upper()
        squares = [(x, y) for y, row in enumerate(rows) for x, glyph in enumerate(row) if glyph == letter]
        at = [min(x for x, _ in squares), min(y for _, y in squares)] if squares else None
        placed[name] = {**fighter, "at": at} if at else dict(fighter)
    ground = ["".join(under if glyph.isupper() else glyph for glyph in row) for row in rows]
    battlefield = {"map": ground, "drop": drop, "light": light}
    return Table(placed, dice, rules, battlefield=battlefield, **scenario)


def at(table: Table, name: str) -> tuple[int, int]:
    """Return the fighter's square."""
    x, y = table.fighter(name)["at"]
    return x, y


def told_ways(table: Table, how: str) -> list[tuple[str, list[list[int]]]]:
    """Return the moves of this kind in order, each with its fighter and its squares."""
    return [(event["fighter"], event["path"]) for event in table.events_of("move") if event["how"] == how]

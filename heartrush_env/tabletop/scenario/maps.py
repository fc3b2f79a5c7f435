"""Maps of squares, drawn in a scenario as rows of text with one glyph per square."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import Faults, join_or


def check_map(
    rows: Sequence[str], glyphs: Mapping[str, str], width: int, height: int, where: str, faults: Faults
) -> None:
    """Find the faults of a map, and add them to `faults`.

    Args:
        rows: The map from north to south.
        glyphs: The name of the ground that each glyph stands for.
        width: The most squares from west to east.
        height: The most squares from north to south.
        where: The source of the map, for error messages.
        faults: Collects one ScenarioError for each fault.
    """
    with faults.caught():
        _check_shape(rows, width, height, where, faults)
    squares = [(glyph, (x, y)) for y, row in enumerate(rows) for x, glyph in enumerate(row[: len(rows[0])])]
    known = join_or(f"{glyph!r} {name}" for glyph, name in glyphs.items())
    for glyph, (x, y) in sorted(dict(reversed(squares)).items(), key=lambda item: item[1][::-1]):
        with faults.caught():
            if glyph not in glyphs:
                raise ScenarioError(
                    f"{where}: map: expected {known}, got {show(glyph)} in row {y}, column {x} (counted from 0)."
                )


def _check_shape(rows: Sequence[str], width: int, height: int, where: str, faults: Faults) -> None:
    """Check that a map is a rectangle that is not too large."""
    if not rows or not rows[0]:
        found = "the map has no rows" if not rows else "row 0 of the map has no squares"
        raise ScenarioError(f"{where}: map: expected 1 to {height} rows of 1 to {width} squares, but {found}.")
    own = len(rows[0])
    for y, row in enumerate(rows):
        if len(row) == own:
            continue
        with faults.caught():
            ends = f"it ends before column {len(row)}" if len(row) < own else f"it continues in column {own}"
            raise ScenarioError(
                f"{where}: map: expected {own} squares in row {y} as in row 0 (counted from 0), got {len(row)}: {ends}."
            )
    if own > width or len(rows) > height:
        raise ScenarioError(
            f"{where}: map: expected at most {height} rows of {width} squares, got {len(rows)} rows of {own}; "
            f"the last row is {height - 1} and the last column {width - 1}, counted from 0."
        )


def exits_of(rows: Sequence[str], given: Sequence[tuple[int, int]] | None, blocked: str) -> list[tuple[int, int]]:
    """Return the open squares from which fighters leave a map: of the given ones or, without any, of its edge."""
    bottom, right = len(rows) - 1, len(rows[0]) - 1 if rows else -1
    squares = [(x, y) for y in range(bottom + 1) for x in range(right + 1)]
    edge = [(x, y) for x, y in squares if x in (0, right) or y in (0, bottom)]
    return [(x, y) for x, y in (edge if given is None else given) if rows[y][x] not in blocked]

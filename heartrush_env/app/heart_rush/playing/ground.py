"""The map of a fight in play: all fighters' squares, and reading typed dashes.

Squares are shown and typed as column and row, counted from 0 at the top left. The map knows only narrated events, so
nothing is drawn before it has happened at the table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from heartrush_env.games.heart_rush.board.ansi import LETTERS
from heartrush_env.games.heart_rush.rules.terms import NEAR
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.words.offers import OPEN
from heartrush_env.tabletop.game import Event
from heartrush_env.tabletop.menus import Unclear

Square = tuple[int, int]

YOU, FALLEN, REACHED = "@", "x", "*"
CLOSED = "+"
TYPED = re.compile(r"(?:da|das|dash)?\s*(?:to\b)?\s*\(?\s*([+-]?\d{1,4})\s*[, ]\s*([+-]?\d{1,4})\s*\)?", re.IGNORECASE)
SAY_WHERE = "Type dash and a square of the map, its column and its row, as in dash 7,4."


def written(square: Sequence[int]) -> str:
    """Format a square in the form in which it is typed."""
    return f"{square[0]},{square[1]}"


class Ground:
    """The map and the fighters' squares as narrated so far, from the point of view of `seat`."""

    def __init__(self, scenario: Scenario, seat: str) -> None:
        """Set up the ground at the beginning of the fight."""
        assert scenario.battlefield is not None
        self.scenario, self.seat = scenario, seat
        self.rows = [list(row) for row in scenario.battlefield.rows]
        self.at: dict[str, Square] = {sheet.agent: sheet.at or (0, 0) for sheet in scenario.fighters}
        self.side = {sheet.agent: sheet.side for sheet in scenario.fighters}
        self.letters = dict(zip(self.at, LETTERS, strict=False))
        self.letters[seat] = YOU

    @property
    def here(self) -> Square:
        """Your square, or the top-left one of a larger space."""
        return self.at[self.seat]

    def apply(self, event: Event) -> None:
        """Apply an event: a movement, a push, a door that opens or closes, or changed terrain."""
        if event["type"] in ("move", "push") and event["path"]:
            column, row = event["path"][-1]
            self.at[event["fighter"]] = (column, row)
        elif event["type"] == "door":
            column, row = event["at"]
            self.rows[row][column] = OPEN if event["open"] else CLOSED
        elif event["type"] == "ground":
            column, row = event["at"]
            self.rows[row][column] = next(
                glyph for glyph, kind in catalog.terrain().items() if kind.id == event["terrain"]
            )

    def space(self, agent: str, at: Square | None = None) -> list[Square]:
        """Return the squares that a fighter fills, or would fill with its top-left square at `at`."""
        x, y = self.at[agent] if at is None else at
        return [(x + east, y + south) for south in range(self.side[agent]) for east in range(self.side[agent])]

    def signs(self, status: Mapping[str, str]) -> dict[Square, tuple[str, str]]:
        """Return the fighter and the sign to draw on each square.

        Standing fighters cover fallen ones, bodies cover parts of bodies, and small fighters cover large ones.
        """
        parts = {sheet.agent for sheet in self.scenario.fighters if sheet.part_of} - {self.seat}
        order = sorted(
            self.at,
            key=lambda agent: (status[agent] == "standing", agent not in parts, -self.side[agent], agent == self.seat),
        )
        return {
            square: (agent, self.letters[agent] if status[agent] == "standing" else FALLEN)
            for agent in order
            for square in self.space(agent)
        }

    def legend(self) -> str:
        """Describe the signs on this map."""
        field = self.scenario.battlefield
        assert field is not None
        known = catalog.terrain()
        found = {glyph for row in self.rows for glyph in row}
        found |= {OPEN, CLOSED} if found & {OPEN, CLOSED} else set()
        signs = "; ".join(f"{glyph} {terrain.name}" for glyph, terrain in known.items() if glyph in found)
        return f"The map, in {field.light} light: {signs}. Squares are column,row; 0,0 is at the top left."

    # -- choices ----------------------------------------------------------------------------------------------------

    def dashes(self, legal: Mapping[int, str], start: Sequence[int]) -> dict[Square, int]:
        """Return the legal dashes, keyed by the square where each dash ends; their names count from `start`."""
        found = {}
        for action, name in legal.items():
            if name.startswith("dash "):
                east, south = map(int, name.split()[1].split(","))
                found[start[0] + east, start[1] + south] = action
        return found

    def read_dash(
        self, typed: str, dashes: Mapping[Square, int], names: Mapping[str, str], start: Sequence[int]
    ) -> int | None:
        """Return the dash that a line requests, or None if the line is not about a dash.

        Args:
            typed: `dash 7,4` for a square of the map, or a dash's own name with signs, as in `dash -3,+1`.
            dashes: The legal dashes by their squares.
            names: Display names of the standing fighters.
            start: The square from which signed numbers count.
        """
        line = " ".join(typed.split())
        found = TYPED.fullmatch(line)
        if found is None:
            if line and line.split()[0].lower() in ("da", "das", "dash"):
                raise Unclear(SAY_WHERE if dashes else "You cannot dash now.")
            return None
        column, row = int(found[1]), int(found[2])
        if any(number[0] in "+-" for number in found.groups()):
            column, row = start[0] + column, start[1] + row
        action = dashes.get((column, row))
        if action is None:
            raise Unclear(
                f"You cannot dash to column {column}, row {row}: {self._why_not((column, row), dashes, names)}."
            )
        return action

    def _why_not(self, goal: Square, dashes: Mapping[Square, int], names: Mapping[str, str]) -> str:
        if not dashes:
            return "you have no dash now"
        if goal == self.here:
            return "you are there"
        space, width, height = self.space(self.seat, goal), len(self.rows[0]), len(self.rows)
        if not all(0 <= x < width and 0 <= y < height for x, y in space):
            return f"columns go from 0 to {width - 1} and rows from 0 to {height - 1}"
        standing = [name for agent, name in names.items() if agent != self.seat and {*space} & {*self.space(agent)}]
        if standing:
            return f"{standing[0]} is there"
        barred = [terrain for x, y in space if not (terrain := catalog.terrain()[self.rows[y][x]]).may_stand]
        if barred:
            return f"a {barred[0].name} is there"
        if self._squares_to(goal) > NEAR and any(self._squares_to(square) == NEAR for square in dashes):
            return (
                f"it is more than {NEAR} squares away; dash to a square {NEAR} away, and you are asked if you can go on"
            )
        return f"this dash reaches only the squares marked {REACHED}"

    def _squares_to(self, goal: Square) -> int:
        """Return how many squares away from you a square is, to the east or to the south, whichever is more."""
        return max(abs(goal[0] - self.here[0]), abs(goal[1] - self.here[1]))


def on_map(scenario: Scenario, seat: str) -> Ground | None:
    """Return the ground of a fight, or None if the fight has no map."""
    return None if scenario.battlefield is None else Ground(scenario, seat)


def placed(lines: Sequence[str], name: str, at: Any) -> list[str]:
    """Return the lines, with a fighter's square added after the first mention of its name."""
    called, found = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)"), False
    told = []
    for line in lines:
        named = None if found else called.search(line)
        found = found or named is not None
        told.append(line if named is None else f"{line[: named.end()]} at ({at[0]}, {at[1]}){line[named.end() :]}")
    return told

"""The map of a fight in play: all fighters' squares, the wording of choices on the map, and reading typed dashes.

Squares are shown and typed as column and row, counted from 0 at the top left. The map knows only narrated events, so
nothing is drawn before it has happened at the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from heartrush_env.games.heart_rush.board.ansi import LETTERS
from heartrush_env.games.heart_rush.rules.movement import COMPASS, STEP_X, STEP_Y
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.words.menu import BY_RUSH, Wording, worded
from heartrush_env.games.heart_rush.words.words import object_in_words
from heartrush_env.tabletop.game import Event
from heartrush_env.tabletop.menus import Unclear

Square = tuple[int, int]

STEPS: Mapping[str, Square] = dict(zip(COMPASS, zip(STEP_X.tolist(), STEP_Y.tolist(), strict=True), strict=True))
YOU, FALLEN, REACHED = "@", "x", "*"
OPEN, CLOSED = "/", "+"
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
        self.used = [False for _ in scenario.objects]
        self.letters = dict(zip(self.at, LETTERS, strict=False))
        self.letters[seat] = YOU

    @property
    def here(self) -> Square:
        """Your square, or the top-left one of a larger space."""
        return self.at[self.seat]

    def apply(self, event: Event) -> None:
        """Apply an event: a movement, a push, a door that opens or closes, changed terrain, or the use of an object."""
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
        elif event["type"] == "object":
            self.used[event["object"] - 1] = True

    def objects(self) -> list[str]:
        """Describe in words the current effect of using each object."""
        return [object_in_words(*thing) for thing in zip(self.scenario.objects, self.used, strict=True)]

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

    def dashes(self, legal: Mapping[int, str]) -> dict[Square, int]:
        """Return the legal dashes, keyed by the square where each dash ends."""
        return {self._end(name): action for action, name in legal.items() if name.startswith("dash ")}

    def _end(self, dash: str) -> Square:
        east, south = map(int, dash.split()[1].split(","))
        return self.here[0] + east, self.here[1] + south

    def _beside(self, direction: str) -> Square:
        """Return the square next to yours in a direction, where a step ends or a door is."""
        return self.here[0] + STEPS[direction][0], self.here[1] + STEPS[direction][1]

    def wording(self, rush: int, pays_step: str, *, grips: bool) -> Callable[[str], Wording | None]:
        """Return a function that gives the words for a map action by its name, or None if the action needs no map.

        Args:
            rush: Your rush points.
            pays_step: The payment for a sidestep without a rush point.
            grips: Whether you choose between a push and a squeeze.
        """
        points = f"{BY_RUSH} of your {rush}" if rush > 1 else f"{BY_RUSH}, your last"

        def word(name: str) -> Wording | None:
            match name.split():
                case ["pass"] if grips:
                    return Wording("push it away")
                case ["grapple", _] if grips:
                    return Wording("squeeze it in your grip")
                case ["dash", _]:
                    return Wording(worded(name, square=written(self._end(name))))
                case ["sidestep", direction, *by_rush]:
                    square = written(self._beside(direction))
                    paid, rush = (points, " rush") if by_rush else (pays_step, "")
                    where = f"{direction} {square}"
                    words = worded(name, square=square, paid=paid)
                    return Wording(words, (f"step DIRECTION{rush}", paid), where)
                case ["door", direction]:
                    column, row = self._beside(direction)
                    verb = "close" if self.rows[row][column] == OPEN else "open"
                    return Wording(worded(name, verb=verb, square=f"{column},{row}"))
            return None

        return word

    def read_dash(self, typed: str, dashes: Mapping[Square, int], names: Mapping[str, str]) -> int | None:
        """Return the dash that a line requests, or None if the line is not about a dash.

        Args:
            typed: `dash 7,4` for a square of the map, or a dash's own name with signs, as in `dash -3,+1`.
            dashes: The legal dashes by their squares.
            names: Display names of the standing fighters.
        """
        line = " ".join(typed.split())
        found = TYPED.fullmatch(line)
        if found is None:
            if line and line.split()[0].lower() in ("da", "das", "dash"):
                raise Unclear(SAY_WHERE if dashes else "You cannot dash now.")
            return None
        column, row = int(found[1]), int(found[2])
        if any(number[0] in "+-" for number in found.groups()):
            column, row = self.here[0] + column, self.here[1] + row
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
        return f"this dash reaches only the squares marked {REACHED}"


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

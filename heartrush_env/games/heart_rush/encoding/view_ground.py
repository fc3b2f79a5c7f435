"""The map in a view, read and written: fighters' positions, contacts between fighters, doors and objects.

Columns and rows count from 0, from the top left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.encoding.features import SELF, Row
from heartrush_env.games.heart_rush.encoding.ground import AROUND, GROUND, SHOWN, VIEW, VIEW_SIDE, VIEW_SQUARES
from heartrush_env.games.heart_rush.encoding.place import MOST_MOVED, OTHER, OWN, TERRAINS, WAY
from heartrush_env.games.heart_rush.encoding.things import OBJECT
from heartrush_env.games.heart_rush.encoding.view_start import Fields, Numbers, Owners
from heartrush_env.games.heart_rush.rules.space import WALL
from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield, distance
from heartrush_env.games.heart_rush.scenario.catalog import Terrain, terrain
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, ObjectSheet
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.views import ViewError

Square = tuple[int, int]  # column and row

UNSEEN = "?"
DOORS = ("+", "/")
OPENED, RUBBLE = ".", ":"  # what opened walls and collapsed squares become
CONTACTS = ("in_sight", "in_my_range", "in_its_range", "in_my_threat", "in_its_threat")
COVERS = ("cover_from_me", "cover_from_it")
OF_ITS_OWN = ("speed", "budget", "moved", "dashed", "stood", "spare", "height")
WATERS = ("in shallow water", "in deep water")
ALLOWED_GLYPHS = "what the scenario has there, what doors and objects make of it, or '?'"


class GroundView:
    """A reader and writer of the ground in the views of one fight on a map."""

    def __init__(self, field: Battlefield, objects: Sequence[ObjectSheet], row: Row) -> None:
        """Lay out a battlefield with its objects."""
        self._field, self._objects, self._row = field, objects, row
        self._glyphs = glyphs_by_square(field, objects)

    # -- from an observation to named fields ---------------------------------------------------------------------------

    def read(
        self, seen: Numbers, fighters: Mapping[str, dict[str, Any]], owners: Owners, sheets: Mapping[str, FighterSheet]
    ) -> dict[str, Any]:
        """Return the fields of the map, and add each fighter's position to its fields."""
        own = self._row.read(seen, OWN, SELF)
        here = own["x"], own["y"]
        depths = [depth for depth, name in enumerate(WATERS, 1) if own[name]]
        for agent, fields in fighters.items():
            side = sheets[agent].side
            if owners[agent] == SELF:
                fields |= {"at": list(here), "side": side, **{name: own[name] for name in OF_ITS_OWN}}
                fields |= {"water": max(depths, default=0)}
                continue
            block = self._row.read(seen, OTHER, owners[agent])
            fields |= {"at": [here[0] + block["dx"], here[1] + block["dy"]], "side": side}
            fields |= {name: block[name] for name in ("speed", "height", "distance")}
            fields |= {"contact": [name for name in CONTACTS if block[name]]}
            fields |= {name: block[name] for name in COVERS}
        rows = [
            "".join(
                self._seen_glyph(seen, (column, row), column - here[0], row - here[1], glyph)
                for column, glyph in enumerate(line)
            )
            for row, line in enumerate(self._field.rows)
        ]
        told = {"rows": rows, "light": self._field.light, "drop": self._field.drop}
        way = self._row.read(seen, WAY)
        if way["walks"]:
            told["way"] = {"to": [here[0] + way["way dx"], here[1] + way["way dy"]], "left": way["way left"]}
        if self._objects:
            told["objects"] = [self._read_object(seen, k) for k in range(len(self._objects))]
        return told

    def _read_object(self, seen: Numbers, k: int) -> dict[str, Any]:
        """Return an object's facts from the scenario, whether it has been used, and whether it has an item."""
        block = self._row.read(seen, OBJECT, f"object {k + 1}")
        return {**told_of(self._objects[k], k), "used": block["used"], "item": block["item"]}

    def _seen_glyph(self, seen: Numbers, at: Square, dx: int, dy: int, glyph: str) -> str:
        """Return a square's glyph as the viewer sees it; a square that may change is seen only nearby."""
        known = self._glyphs.get(at, ())
        if not known:
            return glyph
        if max(abs(dx), abs(dy)) > VIEW:
            return UNSEEN
        k = (dy + VIEW) * VIEW_SIDE + dx + VIEW
        first = self._row.first(AROUND) + k
        shown = [seen[first + channel * VIEW_SQUARES] for channel in range(len(SHOWN))]
        return min(known, key=lambda one: float(np.abs(SHOWN[:, terrain()[one].code] - shown).sum()))

    # -- and back ------------------------------------------------------------------------------------------------------

    def write(
        self, view: Fields, fighters: Sequence[tuple[FighterSheet, Fields]], owners: Owners, seen: Numbers
    ) -> None:
        """Write the features of the map; raise ViewError if a fighter's position is missing.

        `fighters` has the fields of each fighter in the view, the viewer first.
        """
        rows, field = self._told_rows(view), self._field
        ground = {"drop": field.drop, "map width": field.width, "map height": field.height}
        ground |= {f"light {light}": field.light == light for light in ("dim", "dark")}
        self._row.show(ground, seen, GROUND)
        sheet, fields = fighters[0]
        here = self._place(sheet, fields)
        if way := (view.get("map") or {}).get("way"):
            east, south = way["to"][0] - here[0], way["to"][1] - here[1]
            said = {"walks": True, "way dx": east, "way dy": south, "way left": min(way["left"], MOST_MOVED)}
            self._row.show(said, seen, WAY)
        self._row.show(self._told_own(sheet, fields, here, rows), seen, OWN, SELF)
        for other, about in fighters[1:]:
            there = self._place(other, about)
            apart = distance(here, sheet.side, there, other.side)
            said = self._told_other(other, about, (here, there, apart), rows)
            self._row.show(said, seen, OTHER, owners[other.agent])
        around = self._row.first(AROUND)
        for k in range(VIEW_SQUARES):
            code = _code(rows, here[0] - VIEW + k % VIEW_SIDE, here[1] - VIEW + k // VIEW_SIDE)
            for channel, value in enumerate(SHOWN[:, code].tolist()):
                seen[around + channel * VIEW_SQUARES + k] = value
        told = (view.get("map") or {}).get("objects") or [{} for _ in self._objects]
        if len(told) != len(self._objects):
            raise ViewError(f"map: objects: expected {len(self._objects)}, as in the scenario, got {len(told)}")
        for k, one in enumerate(told):
            self._write_object(one, k, here, seen)

    def _write_object(self, told: Fields, k: int, here: Square, seen: Numbers) -> None:
        """Write the features of an object; raise ViewError if the view contradicts the scenario."""
        sheet = self._objects[k]
        for name, known in told_of(sheet, k).items():
            if told.get(name) not in (None, known):
                raise ViewError(
                    f"map: object {k + 1}: {name}: expected {known!r}, as in the scenario, got {show(told[name])}"
                )
        item = told.get("item")
        said = {
            "effect": f"{sheet.effect}s",
            "used": bool(told.get("used")),
            "item": sheet.item is not None if item is None else item,
            "costs action": sheet.cost == "action",
            "check": sheet.check,
            "number": sheet.number,
            "save": sheet.save,
            "dx": sheet.at[0] - here[0],
            "dy": sheet.at[1] - here[1],
        }
        self._row.show(said, seen, OBJECT, f"object {k + 1}")

    def _told_rows(self, view: Fields) -> Sequence[str]:
        """Return the map's rows in the view; only doors and objects may have changed the scenario's rows."""
        field, told = self._field, view.get("map")
        if told is None:
            return field.rows
        for name in ("light", "drop"):
            given, known = told.get(name), getattr(field, name)
            if given is not None and given != known:
                raise ViewError(f"map: {name}: expected {known!r}, as in the scenario, got {show(given)}")
        rows = field.rows if told.get("rows") is None else told["rows"]
        if len(rows) != field.height:
            raise ViewError(f"map: rows: expected {field.height}, as in the scenario, got {len(rows)}")
        return [self._told_row(y, row) for y, row in enumerate(rows)]

    def _told_row(self, y: int, row: str) -> str:
        rows = self._field.rows[y]
        if len(row) != len(rows):
            raise ViewError(
                f"map: expected {len(rows)} squares in row {y} (counted from 0), as in the scenario, got {len(row)}"
            )
        for x, (found, glyph) in enumerate(zip(row, rows, strict=True)):
            known = self._glyphs.get((x, y), ())
            if found != glyph and not (known and found in (*known, UNSEEN)):
                where = f"row {y}, column {x} (counted from 0)"
                raise ViewError(f"map: expected {ALLOWED_GLYPHS}, got {show(found)} in {where}")
        return "".join(glyph if found == UNSEEN else found for found, glyph in zip(row, rows, strict=True))

    def _place(self, sheet: FighterSheet, fields: Fields) -> Square:
        """Return a fighter's square according to the view."""
        if fields.get("at") is None:
            raise _missing(sheet, "at")
        x, y = fields["at"]
        side, field = sheet.side, self._field
        _agree(sheet, fields, "side", side)
        if x + side > field.width or y + side > field.height:
            where = f"row {y}, column {x} (counted from 0)"
            size = f"{field.width} by {field.height}"
            raise ViewError(f"{sheet.agent}: at: expected a place on the map of {size} squares, got {where}")
        return x, y

    def _told_own(self, sheet: FighterSheet, fields: Fields, here: Square, rows: Sequence[str]) -> dict[str, Any]:
        """Return the lines of the viewer's own block."""
        side = sheet.side
        began = {"moved": 0, "dashed": False, "stood": False, "spare": sheet.spare is not None}
        height, depth = _height(rows, here, side), max(kind.depth for kind in _kinds(rows, here, side))
        said = {name: _told(sheet, fields, name, began.get(name)) for name in OF_ITS_OWN if name != "height"}
        said |= {name: min(said[name], MOST_MOVED) for name in ("moved", "speed", "budget")}
        _agree(sheet, fields, "height", height)
        _agree(sheet, fields, "water", depth)
        said |= {"x": here[0], "y": here[1], "side": side, "height": height, "on": TERRAINS[_code(rows, *here)]}
        return said | {name: depth == k for k, name in enumerate(WATERS, 1)}

    def _told_other(
        self, sheet: FighterSheet, fields: Fields, places: tuple[Square, Square, int], rows: Sequence[str]
    ) -> dict[str, Any]:
        """Return the lines of another fighter's block; `places` are the viewer's, the other's, and the distance."""
        here, there, apart = places
        side = sheet.side
        height = _height(rows, there, side)
        _agree(sheet, fields, "height", height)
        _agree(sheet, fields, "distance", apart)
        contact = _told(sheet, fields, "contact")
        for name in contact:
            if name not in CONTACTS:
                raise ViewError(f"{sheet.agent}: contact: expected {', '.join(CONTACTS)}, got {show(name)}")
        said = {name: _told(sheet, fields, name) for name in (*COVERS, "speed")}
        said["speed"] = min(said["speed"], MOST_MOVED)
        said |= {name: name in contact for name in CONTACTS}
        said |= {"dx": there[0] - here[0], "dy": there[1] - here[1], "distance": apart, "side": side, "height": height}
        return said


def glyphs_by_square(field: Battlefield, objects: Sequence[ObjectSheet]) -> dict[Square, tuple[str, ...]]:
    """Return, for each square that may change, the glyphs that doors and objects may give it."""
    found: dict[Square, tuple[str, ...]] = {}
    for y, row in enumerate(field.rows):
        for x, glyph in enumerate(row):
            made = [*(DOORS if glyph in DOORS else (glyph,))]
            for thing in objects:
                east, south = x - thing.at[0], y - thing.at[1]
                away, straight = max(abs(east), abs(south)), not east or not south or abs(east) == abs(south)
                if thing.effect == "open" and not away and field.terrain(x, y).blocks_way and glyph not in DOORS:
                    made.append(OPENED)
                if thing.effect == "collapse" and straight and away <= thing.squares:
                    made.append(RUBBLE)
            if len(set(made)) > 1:
                found[x, y] = tuple(dict.fromkeys(made))
    return found


def told_of(sheet: ObjectSheet, k: int) -> dict[str, Any]:
    """Return the facts of a scenario's object in the form used in views."""
    facts = ("name", "cost", "effect", "check", "number")
    return {"object": k + 1, "at": list(sheet.at), **{name: getattr(sheet, name) for name in facts}}


def _kinds(rows: Sequence[str], here: Square, side: int) -> list[Terrain]:
    """Return the terrain of each square of a fighter's space."""
    x, y = here
    return [terrain()[rows[row][column]] for row in range(y, y + side) for column in range(x, x + side)]


def _height(rows: Sequence[str], here: Square, side: int) -> int:
    """Return the height of a fighter: the height of the highest square in its space."""
    return max(kind.height for kind in _kinds(rows, here, side))


def _code(rows: Sequence[str], x: int, y: int) -> int:
    """Return the code of a square's terrain; squares outside the map are walls."""
    return terrain()[rows[y][x]].code if 0 <= y < len(rows) and 0 <= x < len(rows[0]) else int(WALL)


def _told(sheet: FighterSheet, fields: Fields, name: str, began: Any = None) -> Any:
    """Return a fighter's field in the view or its value at the start; raise ViewError if both are missing."""
    given = fields.get(name)
    if given is None and began is None:
        raise _missing(sheet, name)
    return began if given is None else given


def _agree(sheet: FighterSheet, fields: Fields, name: str, known: int) -> None:
    """Raise ViewError if a given field differs from `known`, the value that scenario and position imply."""
    given = fields.get(name)
    if given not in (None, known):
        follows = "which follows from the scenario and the fighter's position"
        raise ViewError(f"{sheet.agent}: {name}: expected {known}, {follows}, got {given}")


def _missing(sheet: FighterSheet, name: str) -> ViewError:
    return ViewError(f"{sheet.agent}: {name} is missing; expected it on a map if observation is left out")

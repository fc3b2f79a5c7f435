"""What a view of a fight on a map tells beside: the ground, where everyone stands, who reaches whom; and back.

Columns and rows count from 0, from the top left. Not here: what fights without a map have too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heartrush_env.core.text import show
from heartrush_env.heart_rush.encoding.features_on_map import (
    DROP_SCALE,
    FURTHEST,
    GROUND,
    N_GROUND,
    N_OTHER,
    N_OWN,
    OTHER,
    OWN,
    SHOWN,
    SIDE_SCALE,
    SPEED_SCALE,
    TERRAIN_AT,
    VIEW,
    VIEW_SIDE,
    VIEW_SQUARES,
)
from heartrush_env.heart_rush.encoding.shapes import Shape
from heartrush_env.heart_rush.rules.cover import NO_LINE
from heartrush_env.heart_rush.rules.space import WALL
from heartrush_env.heart_rush.rules.terms import MAP_SIDE
from heartrush_env.heart_rush.scenario.battlefield import Battlefield, distance
from heartrush_env.heart_rush.scenario.catalog import Terrain, terrain
from heartrush_env.heart_rush.scenario.load import FighterSheet
from heartrush_env.protocol.messages import FighterFields, ProtocolError, View

Numbers = list[float]
Square = tuple[int, int]  # column and row

UNSEEN_DOOR = "?"
DOORS = {True: "+", False: "/"}  # by whether it blocks
CONTACTS = ("in_sight", "in_my_range", "in_its_range", "in_my_threat", "in_its_threat")
COVERS = ("cover_from_me", "cover_from_it")
OWN_FLAGS = ("dashed", "stood", "spare")
SCALES = {"speed": SPEED_SCALE, "budget": SPEED_SCALE, "moved": SPEED_SCALE}
CAPPED = "moved"  # more than its scale is shown as that much
LIGHTS = ("dim", "dark")  # bright has no feature
IN_GROUND = {feature.name: k for k, feature in enumerate(GROUND)}
IN_OWN = {feature.name: k for k, feature in enumerate(OWN)}
IN_OTHER = {feature.name: k for k, feature in enumerate(OTHER)}
WATERS = ("in shallow water", "in deep water")
ALLOWED_GLYPHS = "what the scenario has there, but for doors '+', '/' or '?'"


class Ground:
    """Reads and writes what the views of one fight on a map tell beside."""

    def __init__(self, field: Battlefield, shape: Shape, first: int) -> None:
        """A battlefield, and where the features of maps begin."""
        self._field = field
        self._first, self._own_at = first, first + N_GROUND
        others = self._own_at + N_OWN
        self._enemy_at = [others + k * N_OTHER for k in range(shape.enemies)]
        self._ally_at = [others + (shape.enemies + k) * N_OTHER for k in range(shape.allies)]
        self._window_at = others + (shape.enemies + shape.allies) * N_OTHER

    # -- from an observation to named fields ---------------------------------------------------------------------------

    def map_fields(self, seen: Numbers) -> dict[str, Any]:
        """The ground: doors as they are within the window of squares, unknown beyond it."""
        x, y = self._own_square(seen)
        rows = [
            "".join(self._seen_glyph(seen, column - x, row - y, glyph) for column, glyph in enumerate(glyphs))
            for row, glyphs in enumerate(self._field.rows)
        ]
        return {"rows": rows, "light": self._field.light, "drop": self._field.drop}

    def own_fields(self, seen: Numbers, sheet: FighterSheet) -> dict[str, Any]:
        """Where the viewer is, and its means of moving."""
        block = seen[self._own_at : self._own_at + N_OWN]
        depths = [depth for depth, name in enumerate(WATERS, 1) if block[IN_OWN[name]]]
        fields: dict[str, Any] = {"at": list(self._own_square(seen)), "side": body_side(sheet)}
        fields |= {name: round(block[IN_OWN[name]] * scale) for name, scale in SCALES.items()}
        fields |= {name: block[IN_OWN[name]] > 0 for name in OWN_FLAGS}
        return fields | {"height": round(block[IN_OWN["height"]]), "water": max(depths, default=0)}

    def other_fields(self, seen: Numbers, sheet: FighterSheet, kind: str, place: int) -> dict[str, Any]:
        """Where another is, and what lies between it and the viewer."""
        at = self._block_at(kind, place)
        block = seen[at : at + N_OTHER]
        x, y = self._own_square(seen)
        dx, dy = (round(block[IN_OTHER[name]] * FURTHEST) for name in ("dx", "dy"))
        fields: dict[str, Any] = {"at": [x + dx, y + dy], "side": body_side(sheet)}
        fields |= {"speed": round(block[IN_OTHER["speed"]] * SPEED_SCALE)}
        fields |= {"height": round(block[IN_OTHER["height"]])}
        fields |= {"distance": round(block[IN_OTHER["distance"]] * FURTHEST)}
        fields |= {"contact": [name for name in CONTACTS if block[IN_OTHER[name]]]}
        return fields | {name: round(block[IN_OTHER[name]] * NO_LINE) for name in COVERS}

    def _own_square(self, seen: Numbers) -> Square:
        x, y = (round(seen[self._own_at + IN_OWN[name]] * FURTHEST) for name in ("x", "y"))
        return x, y

    def _block_at(self, kind: str, place: int) -> int:
        return (self._enemy_at if kind == "enemies" else self._ally_at)[place - 1]

    def _seen_glyph(self, seen: Numbers, dx: int, dy: int, glyph: str) -> str:
        """A square as the viewer sees it: only doors change, and only near ones are seen."""
        if glyph not in DOORS.values():
            return glyph
        if max(abs(dx), abs(dy)) > VIEW:
            return UNSEEN_DOOR
        return DOORS[seen[self._window_at + (dy + VIEW) * VIEW_SIDE + dx + VIEW] > 0]

    # -- and back ------------------------------------------------------------------------------------------------------

    def write(
        self,
        view: View,
        viewer: tuple[FighterSheet, FighterFields],
        others: Mapping[str, Sequence[tuple[FighterSheet, FighterFields]]],
        seen: Numbers,
    ) -> None:
        """The features of the map; where the view leaves out who stands where, it is refused."""
        rows = self._told_rows(view)
        self._write_ground(view, seen)
        sheet, fields = viewer
        here = self._place(sheet, fields)
        self._write_own(sheet, fields, here, rows, seen)
        for kind, told in others.items():
            for place, (other, about) in enumerate(told, 1):
                there = self._place(other, about)
                apart = distance(here, body_side(sheet), there, body_side(other))
                self._write_other(other, about, (here, there, apart), rows, seen, self._block_at(kind, place))
        for k in range(VIEW_SQUARES):
            code = _code(rows, here[0] - VIEW + k % VIEW_SIDE, here[1] - VIEW + k // VIEW_SIDE)
            for channel, value in enumerate(SHOWN[:, code].tolist()):
                seen[self._window_at + channel * VIEW_SQUARES + k] = value

    def _told_rows(self, view: View) -> Sequence[str]:
        """The ground as the view tells it: the scenario's, but for its doors."""
        field, told = self._field, view.map
        if told is None:
            return field.rows
        for name in ("light", "drop"):
            given, known = getattr(told, name), getattr(field, name)
            if given is not None and given != known:
                raise _bad(f"map: {name}: found {show(given)}, but the scenario says {known!r}")
        rows = field.rows if told.rows is None else told.rows
        if len(rows) != field.height:
            raise _bad(f"map: rows: found {len(rows)}, but the scenario has {field.height}")
        return [self._told_row(y, row) for y, row in enumerate(rows)]

    def _told_row(self, y: int, row: str) -> str:
        known = self._field.rows[y]
        if len(row) != len(known):
            raise _bad(f"map: row {y} (counted from 0) has {len(row)} squares, but the scenario's have {len(known)}")
        for x, (found, glyph) in enumerate(zip(row, known, strict=True)):
            if found != glyph and not (glyph in DOORS.values() and found in (*DOORS.values(), UNSEEN_DOOR)):
                where = f"row {y}, column {x} (counted from 0)"
                raise _bad(f"map: found {show(found)} in {where}, allowed: {ALLOWED_GLYPHS}")
        return "".join(glyph if found == UNSEEN_DOOR else found for found, glyph in zip(row, known, strict=True))

    def _place(self, sheet: FighterSheet, fields: FighterFields) -> Square:
        """Where a fighter stands, by what the view says."""
        if fields.at is None:
            raise _missing(sheet, "at")
        x, y = fields.at
        side, field = body_side(sheet), self._field
        _agree(sheet, "side", fields.side, side)
        if x + side > field.width or y + side > field.height:
            where = f"row {y}, column {x} (counted from 0)"
            raise _bad(f"{sheet.agent}: at: found {where}, outside the map of {field.width} by {field.height} squares")
        return x, y

    def _write_ground(self, view: View, seen: Numbers) -> None:
        """The window, where only maps have it, and what is the same all over the map."""
        features = {"drop": self._field.drop / DROP_SCALE}
        features |= {"map width": self._field.width / MAP_SIDE, "map height": self._field.height / MAP_SIDE}
        features |= {f"light {light}": float(self._field.light == light) for light in LIGHTS}
        features |= {f"window {name}": float(view.window == name) for name in ("step", "follow")}
        for name, value in features.items():
            seen[self._first + IN_GROUND[name]] = value

    def _write_own(
        self, sheet: FighterSheet, fields: FighterFields, here: Square, rows: Sequence[str], seen: Numbers
    ) -> None:
        began = {"moved": 0, "dashed": False, "stood": False, "spare": sheet.spare is not None}
        told = {name: _told(sheet, fields, name, began.get(name)) for name in (*SCALES, *OWN_FLAGS)}
        side = body_side(sheet)
        features = {"x": here[0] / FURTHEST, "y": here[1] / FURTHEST, "side": side / SIDE_SCALE}
        features |= {name: told[name] / scale for name, scale in SCALES.items()}
        features[CAPPED] = min(1.0, features[CAPPED])
        features |= {name: float(told[name]) for name in OWN_FLAGS}
        features["height"] = height = _height(rows, here, side)
        _agree(sheet, "height", fields.height, height)
        depth = max(kind.depth for kind in _kinds(rows, here, side))
        _agree(sheet, "water", fields.water, depth)
        features |= {name: float(depth == k) for k, name in enumerate(WATERS, 1)}
        for name, value in features.items():
            seen[self._own_at + IN_OWN[name]] = value
        seen[self._own_at + TERRAIN_AT + _code(rows, *here)] = 1.0

    def _write_other(
        self,
        sheet: FighterSheet,
        fields: FighterFields,
        places: tuple[Square, Square, int],
        rows: Sequence[str],
        seen: Numbers,
        at: int,
    ) -> None:
        here, there, apart = places
        side = body_side(sheet)
        height = _height(rows, there, side)
        _agree(sheet, "height", fields.height, height)
        _agree(sheet, "distance", fields.distance, apart)
        contact = _told(sheet, fields, "contact")
        for name in contact:
            if name not in CONTACTS:
                raise _bad(f"{sheet.agent}: contact: found {show(name)}, allowed: {', '.join(CONTACTS)}")
        features = {"dx": (there[0] - here[0]) / FURTHEST, "dy": (there[1] - here[1]) / FURTHEST}
        features |= {"distance": apart / FURTHEST, "side": side / SIDE_SCALE, "height": height}
        features |= {name: float(name in contact) for name in CONTACTS}
        features |= {name: _told(sheet, fields, name) / NO_LINE for name in COVERS}
        features["speed"] = _told(sheet, fields, "speed") / SPEED_SCALE
        for name, value in features.items():
            seen[at + IN_OTHER[name]] = value


def body_side(sheet: FighterSheet) -> int:
    """Squares that a fighter's space is wide."""
    return max(1, sheet.size_rank)


def _kinds(rows: Sequence[str], here: Square, side: int) -> list[Terrain]:
    """The terrain of each square of a space."""
    x, y = here
    return [terrain()[rows[row][column]] for row in range(y, y + side) for column in range(x, x + side)]


def _height(rows: Sequence[str], here: Square, side: int) -> int:
    """How high one stands: by the highest square of its space."""
    return max(kind.height for kind in _kinds(rows, here, side))


def _code(rows: Sequence[str], x: int, y: int) -> int:
    """The number of a square's terrain; what lies outside the map is wall."""
    return terrain()[rows[y][x]].code if 0 <= y < len(rows) and 0 <= x < len(rows[0]) else int(WALL)


def _told(sheet: FighterSheet, fields: FighterFields, name: str, began: Any = None) -> Any:
    """What a view says of a fighter, or how it began; refused where neither is known."""
    given = getattr(fields, name)
    if given is None and began is None:
        raise _missing(sheet, name)
    return began if given is None else given


def _agree(sheet: FighterSheet, name: str, given: int | None, known: int) -> None:
    """What follows from scenario and place may be told, but not otherwise."""
    if given not in (None, known):
        raise _bad(f"{sheet.agent}: {name}: found {given}, but by scenario and place it is {known}")


def _missing(sheet: FighterSheet, name: str) -> ProtocolError:
    return _bad(f"{sheet.agent}: {name} is missing, needed on a map where observation is left out")


def _bad(what: str) -> ProtocolError:
    return ProtocolError("bad_view", f"view: {what}.")

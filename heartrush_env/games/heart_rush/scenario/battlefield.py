"""The ground of a fight: a map of squares, and the positions of the fighters at the start.

Rows and columns are counted from 0, from the top and from the left, in scenarios and in messages. Movement is handled
elsewhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from heartrush_env.games.heart_rush.rules.terms import MAP_SIDE
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.catalog import Terrain
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.scenario.maps import check_map
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import Faults, Field, join_or, list_of, named, read_table, whole

__all__ = ["LIGHTS", "Battlefield", "Body", "place_bodies", "read_battlefield", "square"]

SIDES: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))  # offsets of the four squares that share a side with a square
LIGHTS: Final = ("bright", "dim", "dark")
LARGEST_RANK: Final = 4  # L4: larger creatures do not fit on maps
SMALLEST_BULKY_RANK: Final = -1  # small: smaller fighters share squares with any fighter


@dataclass(frozen=True)
class Battlefield:
    """The ground of a fight: one glyph per square of 5 feet, as defined in data/terrain.toml."""

    rows: tuple[str, ...]  # from north to south, all of the same length
    drop: int  # depth of drops in feet
    light: str  # bright, dim or dark

    @property
    def width(self) -> int:
        """The number of squares from west to east."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """The number of squares from north to south."""
        return len(self.rows)

    def terrain(self, x: int, y: int) -> Terrain:
        """Return the terrain of the square in this column and row."""
        return catalog.terrain()[self.rows[y][x]]


@dataclass(frozen=True)
class Body:
    """The facts about a fighter that determine where it can be placed."""

    where: str  # for messages
    agent: str
    size: str
    at: tuple[int, int] | None  # as given in the scenario
    bearer: str | None  # the agent that it climbs on
    holder: str | None  # the agent that grapples it

    @property
    def rank(self) -> int:
        """The rank of the body's size."""
        return catalog.sizes()[self.size]

    @property
    def side(self) -> int:
        """The width of the body's space in squares: 1 up to size large, 2 for L2, 3 for L3, and so on."""
        return max(1, self.rank)

    @property
    def bulky(self) -> bool:
        """Whether the body's space must not overlap that of another bulky body."""
        return self.rank >= SMALLEST_BULKY_RANK


# ------------------------------------------------------------------------------------------------------- the map


def square() -> Field:
    """Return a field for a map square: column and row."""
    whole_numbers = list_of(whole(0, MAP_SIDE - 1), "")
    return Field(
        lambda value: whole_numbers.fits(value) and len(value) == 2,  # type: ignore[arg-type]  # a list by then
        f"[column, row], whole numbers from 0 to {MAP_SIDE - 1}",
    )


@cache
def battlefield_fields() -> dict[str, Field]:
    """Return the fields of a battlefield by key."""
    row = Field(lambda value: isinstance(value, str), "a text")
    return {
        "map": list_of(row, "a list of rows, each a text with one glyph per square").about(
            f"the ground from north to south, {MAP_SIDE} by {MAP_SIDE} squares at most", usually="required"
        ),
        "drop": whole(5, 200, "feet").about("depth of drops", 10),
        "light": named(LIGHTS).about("light on the whole map", "bright"),
    }


def read_battlefield(given: Mapping[str, Any], where: str) -> Battlefield:
    """Read the battlefield of a scenario; raise ScenarioError for a map that cannot be played on."""
    for y, row in enumerate(given["map"] if isinstance(given.get("map"), list) else ()):
        if not isinstance(row, str):
            raise ScenarioError(f"{where}: map: expected a text of glyphs, one per square, got {show(row)} in row {y}.")
    known, faults = battlefield_fields(), Faults()
    fields = read_table(given, known, where, ScenarioError, faults=faults)
    with faults.caught():
        if "map" not in given:
            raise ScenarioError(f"{where}: map is missing; expected {known['map'].allowed}.")
    rows = tuple(fields.get("map", (".",)))
    glyphs = {kind.glyph: kind.name for kind in catalog.terrain().values()}
    check_map(rows, glyphs, MAP_SIDE, MAP_SIDE, where, faults)
    faults.settle(where)
    return Battlefield(rows, *(fields.get(key, known[key].usual) for key in ("drop", "light")))


# ------------------------------------------------------------------------------------------------------ the bodies


def place_bodies(field: Battlefield, bodies: Sequence[Body]) -> dict[str, tuple[int, int]]:
    """Return the top-left square of each body's space by agent; raise ScenarioError if a body cannot be there."""
    places: dict[str, tuple[int, int]] = {}
    by_agent, faults = {body.agent: body for body in bodies}, Faults()
    for body in sorted(bodies, key=lambda body: -body.rank):  # bearers before their climbers
        with faults.caught():
            _check_size(body)
            if body.bearer is None:
                places[body.agent] = _place_on_ground(field, body)
            elif body.bearer in places:
                places[body.agent] = _place_on(by_agent[body.bearer], places[body.bearer], body)
    standing = [body for body in bodies if body.bulky and body.bearer is None and body.agent in places]
    _check_nobody_stands_on_another(standing, places, faults)
    for body in bodies:
        with faults.caught():
            if body.holder is not None and {body.agent, body.holder} <= places.keys():
                _check_in_grip(body, by_agent[body.holder], places)
    faults.settle("The battlefield")
    return places


def distance(a: tuple[int, int], a_side: int, b: tuple[int, int], b_side: int) -> int:
    """Return the distance in squares between two spaces; a diagonal step counts as 1, and an overlap is 0 (R-14)."""
    gaps = (max(b[k] - (a[k] + a_side - 1), a[k] - (b[k] + b_side - 1), 0) for k in (0, 1))
    return max(gaps)


def _check_size(body: Body) -> None:
    """Refuse creatures that are too large for maps."""
    if body.rank > LARGEST_RANK:
        allowed = join_or(size for size, rank in catalog.sizes().items() if rank <= LARGEST_RANK)
        raise ScenarioError(f"{body.where}: size: expected {allowed} on a map, got {body.size!r}.")


def _place_on(bearer: Body, place: tuple[int, int], body: Body) -> tuple[int, int]:
    """Return a climber's square within its bearer's space; by default the top-left square of that space."""
    at = place if body.at is None else body.at
    spare = bearer.side - body.side
    if not all(place[k] <= at[k] <= place[k] + spare for k in (0, 1)):
        columns, rows = (f"{start} to {start + bearer.side - 1}" for start in place)
        allowed = "one of these squares"
        if body.side > 1:
            allowed = f"column {place[0]} to {place[0] + spare} and row {place[1]} to {place[1] + spare}"
            allowed += f", where its space of {body.side} by {body.side} squares begins"
        raise ScenarioError(
            f"{body.where}: at: expected no at, or {allowed}, since it climbs on {bearer.agent!r} in columns "
            f"{columns} and rows {rows} (counted from 0), got {show(list(at))}."
        )
    return at


def _place_on_ground(field: Battlefield, body: Body) -> tuple[int, int]:
    """Return the square of a body on the ground, after checking that it can stand on its whole space."""
    if body.at is None:
        raise ScenarioError(f"{body.where}: at is missing; expected at = [column, row], counted from 0, on a map.")
    x, y = body.at
    last_x, last_y = field.width - body.side, field.height - body.side
    space = "" if body.side == 1 else f", where its space of {body.side} by {body.side} squares begins"
    if x > last_x or y > last_y:
        allowed = f"column 0 to {last_x} and row 0 to {last_y}" if min(last_x, last_y) >= 0 else "a larger map"
        raise ScenarioError(
            f"{body.where}: at: expected {allowed} on the map of {field.width} columns and {field.height} rows, "
            f"got column {x}, row {y} (counted from 0){space}."
        )
    for row, column in ((row, column) for row in range(y, y + body.side) for column in range(x, x + body.side)):
        ground = field.terrain(column, row)
        if not ground.may_stand:
            raise ScenarioError(
                f"{body.where}: at: expected squares to stand on, got column {x}, row {y}{space}, but row "
                f"{row}, column {column} (counted from 0) is {ground.name}."
            )
    return x, y


def _check_nobody_stands_on_another(
    bodies: Sequence[Body], places: Mapping[str, tuple[int, int]], faults: Faults
) -> None:
    """Refuse overlapping bodies of size small or larger (R-60)."""
    for number, body in enumerate(bodies):
        with faults.caught():
            for other in bodies[:number]:
                if distance(places[body.agent], body.side, places[other.agent], other.side) == 0:
                    column, row = (max(places[body.agent][k], places[other.agent][k]) for k in (0, 1))
                    raise ScenarioError(
                        f"{body.where}: at: expected free squares, got {show(list(places[body.agent]))}, but "
                        f"{other.agent!r} is already in row {row}, column {column} (counted from 0)."
                    )


def _check_in_grip(body: Body, holder: Body, places: Mapping[str, tuple[int, int]]) -> None:
    """Refuse a grappled fighter that is not next to its grappler."""
    here, there = places[body.agent], places[holder.agent]
    if distance(here, body.side, there, holder.side) > 1:
        raise ScenarioError(
            f"{body.where}: conditions: grappled: source: expected an adjacent enemy, got {holder.agent!r} in "
            f"row {there[1]}, column {there[0]}, too far from row {here[1]}, column {here[0]} (counted from 0)."
        )

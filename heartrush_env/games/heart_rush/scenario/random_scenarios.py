"""Random fair scenarios on maps, for training that should generalise; a seed gives the same scenario on every machine.

`random_scenario(7)` returns a dict with the structure of a scenario file; `load_scenario("random:7")` loads it. Fair
means two teams of the same fighters, on ground that looks the same from either side.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.battlefield import SIDES
from heartrush_env.tabletop.errors import ScenarioError

__all__ = ["random_scenario"]

FIGHTERS: Final = (1, 4)  # of a team: the fewest and the most
SIDE: Final = (10, 24)  # squares of the width and of the height: the fewest and the most
SQUARES_PER_FEATURE: Final = 36  # squares of map area per feature and its twin
LIGHTS: Final = ("bright", "bright", "bright", "dim")
DROPS: Final = (10, 20, 40)  # feet

# The fighters: all sample fighters of 15 experience points; archers carry a blade as well.
LINES: Final[tuple[dict[str, Any], ...]] = (
    {"from": "knight"},
    {"from": "barbarian"},
    {"from": "duelist"},
    {"from": "rogue"},
    {"from": "healer"},
    {"id": "guard", "from": "spear_guard"},
    {"id": "pikeman", "from": "spear_guard", "weapon": "pike", "shield": "none"},
    {"id": "thrower", "from": "rogue", "weapon": "javelin", "spare_weapon": "dagger"},
    {"from": "archer", "spare_weapon": "rapier", "spare_shield": "light_shield"},
)


class Feature(NamedTuple):
    """A patch of terrain that grows from one square; its inner squares may differ from its edge."""

    edge: str  # glyph
    inside: str
    least: int  # squares
    most: int


FEATURES: Final = (
    Feature(",", ",", 3, 9),  # rough ground
    Feature(",", "l", 4, 8),  # thicket
    Feature("l", "o", 3, 6),  # wood
    Feature("h", "h", 1, 2),  # boulders
    Feature("o", "o", 1, 1),  # pillar
    Feature("^", "^", 2, 7),  # hillock
    Feature("~", "w", 4, 12),  # pond
    Feature("v", "v", 1, 4),  # pit
    Feature("s", "s", 1, 2),  # battlement
)
LONGEST_WALL: Final = 7  # squares
MAPS_PER_ROOMS: Final = 5  # one map in this many has rooms behind closed doors, one for each side


def random_scenario(seed: int) -> dict[str, Any]:
    """Make a random fair scenario of two teams of heroes on a map, as a dict for `load_scenario`.

    Args:
        seed: A whole number of at least 0; the same seed gives the same scenario on every machine.

    Raises:
        ScenarioError: The seed is below 0.
    """
    if seed < 0:
        raise ScenarioError(f"random scenario: seed: expected 0 or more, got {seed}.")
    rng = np.random.Generator(np.random.PCG64(seed))
    lines = [_pick(rng, LINES) for _ in range(_draw(rng, *FIGHTERS))]
    ground = _Ground(_draw(rng, *SIDE), _draw(rng, *SIDE), turned=_draw(rng, 0, 1) == 1)
    starts = _starts(rng, ground, len(lines))
    _cover(rng, ground, starts)
    places = [*starts, *(ground.twin(x, y) for x, y in starts)]
    drop, light = _pick(rng, DROPS), _pick(rng, LIGHTS)
    if _draw(rng, 1, MAPS_PER_ROOMS) == 1:
        _wall_in(rng, ground, places)
    who = [(team, line) for team in ("blue", "red") for line in lines]
    return {
        "name": f"random:{seed}",
        "victory": "last_standing",
        "heroes": ["blue", "red"],
        "max_rounds": 100,
        "battlefield": {"map": ground.rows(), "drop": drop, "light": light},
        "fighter": [{**line, "team": team, "at": list(at)} for (team, line), at in zip(who, places, strict=True)],
    }


class _Ground:
    """A map under construction: every change to a square is also made to its twin."""

    def __init__(self, width: int, height: int, turned: bool) -> None:
        self.width, self.height, self.turned = width, height, turned
        self.glyphs = {(x, y): "." for y in range(height) for x in range(width)}

    def twin(self, x: int, y: int) -> tuple[int, int]:
        """Return the corresponding square for the other team: the map rotated by 180 degrees, or mirrored."""
        return self.width - 1 - x, self.height - 1 - y if self.turned else y

    def draw(self, x: int, y: int, glyph: str) -> None:
        """Change a square and its twin."""
        self.glyphs[x, y] = self.glyphs[self.twin(x, y)] = glyph

    def beside(self, x: int, y: int) -> Iterator[tuple[int, int]]:
        """Return the squares on the map that share an edge with this one."""
        return ((x + dx, y + dy) for dx, dy in SIDES if (x + dx, y + dy) in self.glyphs)

    def connects(self, squares: list[tuple[int, int]], *, through: str = "") -> bool:
        """Return whether a walker can move between all these squares; glyphs in `through` count as passable."""
        seen, edge = {squares[0]}, [squares[0]]
        while edge:
            for square in self.beside(*edge.pop()):
                glyph = self.glyphs[square]
                if square not in seen and (glyph in through or catalog.terrain()[glyph].may_stand):
                    seen.add(square)
                    edge.append(square)
        return seen.issuperset(squares)

    def rows(self) -> list[str]:
        """Return the map as a scenario's rows."""
        return ["".join(self.glyphs[x, y] for x in range(self.width)) for y in range(self.height)]


def _starts(rng: np.random.Generator, ground: _Ground, count: int) -> list[tuple[int, int]]:
    """Return the starting squares of the western team, in the westernmost columns."""
    free = [(x, y) for x in range(_start_columns(ground)) for y in range(1, ground.height - 1)]
    return [free.pop(_draw(rng, 0, len(free) - 1)) for _ in range(count)]


def _start_columns(ground: _Ground) -> int:
    """Return the number of westernmost columns in which the western team starts."""
    return max(2, ground.width // 6)


def _wall_in(rng: np.random.Generator, ground: _Ground, places: list[tuple[int, int]]) -> None:
    """Draw a north-south wall with a closed door as its only passage, and its twin, unless they cut fighters off."""
    before = dict(ground.glyphs)
    x, door = _draw(rng, _start_columns(ground), (ground.width - 1) // 2), _draw(rng, 0, ground.height - 1)
    for y in range(ground.height):
        ground.draw(x, y, "#")
    ground.draw(x, door, "+")
    if not ground.connects(places, through="+"):
        ground.glyphs = before


def _cover(rng: np.random.Generator, ground: _Ground, starts: list[tuple[int, int]]) -> None:
    """Draw terrain features, skipping any that would separate the fighters."""
    kept = {*starts, *(ground.twin(x, y) for x, y in starts)}
    for _ in range(ground.width * ground.height // SQUARES_PER_FEATURE):
        before = dict(ground.glyphs)
        shape = _wall(rng, ground) if _draw(rng, 0, len(FEATURES)) == 0 else _patch(rng, ground, _pick(rng, FEATURES))
        for (x, y), glyph in shape.items():
            if (x, y) not in kept:
                ground.draw(x, y, glyph)
        if not ground.connects(sorted(kept)):
            ground.glyphs = before


def _patch(rng: np.random.Generator, ground: _Ground, feature: Feature) -> dict[tuple[int, int], str]:
    """Return the squares of a feature, grown from a random square."""
    squares = [(_draw(rng, 0, ground.width - 1), _draw(rng, 0, ground.height - 1))]
    for _ in range(_draw(rng, feature.least, feature.most) - 1):
        edge = sorted({beside for square in squares for beside in ground.beside(*square)} - {*squares})
        squares.append(_pick(rng, edge))
    inside = {square for square in squares if {*ground.beside(*square)} <= {*squares}} or {squares[0]}
    return {square: feature.inside if square in inside else feature.edge for square in squares}


def _wall(rng: np.random.Generator, ground: _Ground) -> dict[tuple[int, int], str]:
    """Return the squares of a straight wall with a gap or a door in its middle."""
    x, y = _draw(rng, 0, ground.width - 1), _draw(rng, 0, ground.height - 1)
    dx, dy = _pick(rng, ((1, 0), (0, 1)))
    length = _draw(rng, 3, LONGEST_WALL)
    opening = _pick(rng, "./+")
    line = [(x + step * dx, y + step * dy) for step in range(length)]
    return {at: opening if step == length // 2 else "#" for step, at in enumerate(line) if at in ground.glyphs}


def _draw(rng: np.random.Generator, low: int, high: int) -> int:
    """Return a random integer from low to high, both inclusive."""
    return int(rng.integers(low, high, endpoint=True))


def _pick(rng: np.random.Generator, choices: Any) -> Any:
    """Return a random element of `choices`."""
    return choices[_draw(rng, 0, len(choices) - 1)]

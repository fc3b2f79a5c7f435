"""A battle map from the agents' point of view: the cost of walking, lines of sight, and positions in observations.

The map is the scenario's, which all players know; the positions of fighters come only from observations. Doors count as
they were at the start of the fight: a closed door blocks sight, and costs a few squares of movement to open.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.tables import Features, Places
from heartrush_agents.heart_rush.tactics.equipment import Equipment, Kit, Look
from heartrush_agents.heart_rush.tactics.walking import MELEE_RANGE, TILE, find_risks, push_damage, spread
from heartrush_env.games.heart_rush.encoding.view import Columns
from heartrush_env.games.heart_rush.engine.outlook import ONE, OTHER, cover_around
from heartrush_env.games.heart_rush.rules.environment import WATER_LEVELS
from heartrush_env.games.heart_rush.rules.movement import COMPASS, STEP_X, STEP_Y
from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield
from heartrush_env.games.heart_rush.scenario.reachability import areas

DOOR_COST = 3  # squares of movement that a closed door counts as
HEAVY_DIE = 12  # the weapon die of heavy bows, which shoot twice as far
THROWN_RANGE, SHORT_RANGE, LONG_RANGE = 4, 6, 12  # squares

Grid = NDArray[np.float64]  # (rows, columns)
Squares = NDArray[np.int64]  # (n,)
Levels = NDArray[np.int64]
Cover = NDArray[np.int8]  # levels


def gap(first: Any, first_side: Any, second: Any, second_side: Any) -> Any:
    """Return the squares between two intervals on one axis: 0 where they overlap, 1 where they touch."""
    return np.maximum(0, np.maximum(second - first - first_side + 1, first - second - second_side + 1))


class Body(NamedTuple):
    """One fighter on the map."""

    x: int  # of its top-left square
    y: int
    side: int
    speed: int  # squares per dash
    rush: int  # points
    weapon: str  # "melee", "ranged", "thrown" or "whip", in hand
    range: int  # squares, without disadvantage
    action: bool
    dash: bool  # whether the free dash is left
    reach: int = 0  # additional squares until it dashes

    @property
    def shoots(self) -> bool:
        """Whether the fighter attacks from range, where cover and distance count."""
        return self.weapon in ("ranged", "thrown")

    @property
    def furthest(self) -> int:
        """The maximum range, in squares, of the fighter's attacks."""
        return 2 * self.range if self.shoots else self.range + self.reach

    @property
    def threat(self) -> int:
        """The distance in squares within which the fighter threatens moving fighters, if it guards."""
        return (self.range if self.weapon == "melee" else MELEE_RANGE) + self.reach

    @property
    def guards(self) -> bool:
        """Whether the fighter can make and pay an opportunity attack, which is impossible with ranged weapons."""
        return not self.shoots and (self.action or self.rush > 0)

    def aim(self, distance: Any, cover: Any) -> Any:
        """Return the levels of disadvantage on the fighter's attacks at this distance, on a target with this cover."""
        if not self.shoots:
            return 0 * distance
        beyond = np.maximum(0, distance - self.range)
        return cover + ((beyond + 1) // 2 if self.weapon == "ranged" else beyond)

    def distance(self, other: Body) -> int:
        """Return the distance, in squares, between the two fighters."""
        return max(
            0,
            other.x - self.x - self.side + 1,
            self.x - other.x - other.side + 1,
            other.y - self.y - self.side + 1,
            self.y - other.y - other.side + 1,
        )

    def distances(self, xs: Any, ys: Any, side: int) -> Any:
        """Return the distances in squares between this fighter and spaces of width `side` at these positions."""
        return np.maximum(gap(self.x, self.side, xs, side), gap(self.y, self.side, ys, side))


class Ground:
    """A battlefield, with derived maps computed on demand."""

    def __init__(self, battlefield: Battlefield) -> None:
        """Read the map."""
        tiles = [[battlefield.terrain(x, y) for x in range(battlefield.width)] for y in range(battlefield.height)]
        self.shape = battlefield.height, battlefield.width
        self.drop = battlefield.drop
        self.light = {"bright": 0, "dim": 1, "dark": 5}[battlefield.light]  # levels of disadvantage
        cost = [[self._cost(tile) for tile in row] for row in tiles]
        self._costs = {
            1: np.pad(np.array(cost, np.float64), 1, constant_values=np.inf)
        }  # by side, with a margin of walls
        self.tiles: Any = np.zeros(self.shape, TILE)
        for y, row in enumerate(tiles):
            for x, tile in enumerate(row):
                self.tiles[y, x] = tile.height, tile.depth, tile.blocks_way, tile.fall, 0.0
        find_risks(self.tiles, self._costs[1], self.drop)
        self._shut = np.array([[tile.id == "closed_door" for tile in row] for row in tiles])
        self.has_cover = any(tile.blocks_line or tile.cover for row in tiles for tile in row)
        self._battlefield = battlefield
        self._no_cover = np.zeros((2, *self.shape), np.int8)
        self._walks: dict[tuple[int, int, int, int], Grid] = {}
        self._covers: dict[tuple[int, int, int, int], Cover] = {}

    @staticmethod
    def _cost(tile: Any) -> float:
        if tile.id == "closed_door":
            return DOOR_COST
        return np.inf if tile.blocks_way or tile.fall else tile.cost

    def cost_of(self, side: int) -> Grid:
        """Return the cost of entering each square for a space of this width; infinite where it does not fit."""
        if side not in self._costs:
            cost = self._costs[1]
            rows, columns = (length - side + 1 for length in cost.shape)
            whole = np.full(cost.shape, np.inf)
            whole[:rows, :columns] = np.max(
                [cost[dy : dy + rows, dx : dx + columns] for dy in range(side) for dx in range(side)], axis=0
            )
            self._costs[side] = whole
        return self._costs[side]

    def water_at(self, body: Body) -> int:
        """Return the levels that the deepest water in a fighter's space takes from its rolls."""
        depth = self.tiles["depth"][body.y : body.y + body.side, body.x : body.x + body.side].max()
        return int(WATER_LEVELS[depth])

    def walk(self, side: int, x: int, y: int, target_side: int) -> Grid:
        """Return the walking cost from each square to one next to the target, for a walker of width `side`.

        Other fighters do not block the path.
        """
        key = side, x, y, target_side
        if key not in self._walks:
            self._walks[key] = self._measure(*key)
        return self._walks[key]

    def _measure(self, side: int, x: int, y: int, target_side: int) -> Grid:
        cost = self.cost_of(side)
        ys, xs = np.mgrid[-1 : self.shape[0] + 1, -1 : self.shape[1] + 1]
        near = np.maximum(gap(xs, side, x, target_side), gap(ys, side, y, target_side)) <= 1
        spent = np.where(near & np.isfinite(cost), 0.0, np.inf)
        spread(cost, spent)
        return spent[1:-1, 1:-1].copy()

    @cached_property
    def rooms(self) -> Levels:
        """The areas that are connected without opening a door, by number; -1 where no fighter can enter."""
        walks = np.isfinite(self._costs[1][1:-1, 1:-1]) & ~self._shut
        return areas(walks, walks)

    def is_shut_off(self, own: Body, enemy: Body) -> bool:
        """Return whether every path between the two fighters leads through a door that was closed at the start."""
        here, there = self.rooms[own.y, own.x], self.rooms[enemy.y, enemy.x]
        return bool(self._shut.any() and here >= 0 and there >= 0 and here != there)

    def push_damage(self, x: int, y: int, dx: int, dy: int, squares: int) -> float:
        """Return the hit points that a push out of this square costs; infinite if it leads over a deadly edge."""
        return float(push_damage(self.tiles, self.drop, x, y, dx, dy, squares))

    def cover(self, body: Body, side: int, *, attacks: bool) -> Cover:
        """Return the levels of cover between this fighter and one of width `side` on each square, by the game's rules.

        The array has the map's shape and is indexed by the other fighter's top-left square; 4 means out of sight. With
        `attacks` it is the other's cover against this fighter, otherwise this fighter's cover against the other.
        """
        levels: Cover = self.covers(body, side)[OTHER if attacks else ONE]
        return levels

    def covers(self, body: Body, side: int) -> Cover:
        """Return the levels of cover in both directions, (2, rows, columns): OTHER, then ONE."""
        if not self.has_cover:
            return self._no_cover
        key = body.x, body.y, body.side, side
        if key not in self._covers:
            self._covers[key] = cover_around(self._battlefield, *key)
        return self._covers[key]


@lru_cache(maxsize=64)
def ground_of(battlefield: Battlefield) -> Ground:
    """Return the ground of a battlefield, computed once for all players."""
    return Ground(battlefield)


class Bodies:
    """A reader of the positions, movement and reach of all fighters from observations."""

    DICE = ("might", "agility", "cunning")
    WORDS = (
        *DICE, "weapon_die", "weapon ranged", "weapon thrown", "weapon whip", "armed", "action", "dash", "standing",
    )  # fmt: skip

    def __init__(self, feature_names: tuple[str, ...], enemies: int, kits: Equipment) -> None:
        """Look up the indices of all features; there is one slot fewer for allies than for enemies."""
        self._kits = kits
        own = ("x", "y", "side", "speed", "rush")
        other = ("dx", "dy", "side", "speed", "rush")
        self._own = Columns(feature_names, [f"self {word}" for word in (*own, *self.WORDS)])
        self._way = Columns(feature_names, ["way dx", "way dy"])
        self._enemies, self._allies = (
            Columns(
                feature_names,
                [[f"{kind} {place} {word}" for word in (*other, *self.WORDS)] for place in range(1, places + 1)],
            )
            for kind, places in (("enemy", enemies), ("ally", enemies - 1))
        )

    def own(self, features: Features) -> Body:
        """Return the fighter whose observation this is, where the way of its dash has got to."""
        east, south = self._way.of(features).tolist()
        return self._body(self._own.of(features).tolist(), east, south)

    def other_kit(self, features: Features) -> Kit | None:
        """Return the equipment in the fighter's hands after a change of weapons, or None if it has no other."""
        return self._kits.other(_look_of(self._own.of(features).tolist()))

    def enemy(self, features: Features, place: int) -> Body:
        """Return the enemy at index `place`, standing or not."""
        x, y = self._here(features)
        return self._body(self._enemies.of(features)[place].tolist(), x, y)

    def enemies(self, features: Features) -> dict[int, Body]:
        """Return the standing enemies by index, counted from 0."""
        return self._others(features, self._enemies)

    def allies(self, features: Features) -> dict[int, Body]:
        """Return the standing allies by index, counted from 0."""
        return self._others(features, self._allies)

    def _others(self, features: Features, columns: Columns) -> dict[int, Body]:
        x, y = self._here(features)
        read = enumerate(columns.of(features).tolist())
        return {place: self._body(numbers, x, y) for place, numbers in read if numbers[-1]}

    def _here(self, features: Features) -> list[int]:
        here: list[int] = self._own.of(features)[:2].tolist()
        return here

    def _body(self, numbers: list[int], x: int, y: int) -> Body:
        """Return a fighter from its features, in which its position is relative to (x, y)."""
        dx, dy, side, speed, rush, *_, armed, action, dash, _ = numbers
        look = _look_of(numbers)
        weapon, carries = carried(*look[-4:]) if armed else ("melee", MELEE_RANGE)
        if armed:
            carries = self._kits.range(look) or carries
        reach = self._kits.reach(look) if armed and dash else 0
        return Body(x + dx, y + dy, side, speed, rush, weapon, carries, bool(action), bool(dash), reach)


def _look_of(numbers: list[int]) -> Look:
    return tuple(numbers[5:12])


def carried(die: int, ranged: int, thrown: int, whip: int) -> tuple[str, int]:
    """Return the weapon's kind, and its range in squares, within which it attacks without disadvantage."""
    if ranged:
        return "ranged", LONG_RANGE if die == HEAVY_DIE else SHORT_RANGE
    return ("thrown", THROWN_RANGE) if thrown else ("whip", THROWN_RANGE) if whip else ("melee", MELEE_RANGE)


class Moves:
    """The movement actions of a game's table, and the squares that they lead to."""

    def __init__(self, action: dict[str, int]) -> None:
        """Look up the movement actions."""
        dashes = [name for name in action if name.startswith("dash ")]
        offsets = [[int(number) for number in name.split()[1].split(",")] for name in dashes]
        self.first_dash = action[dashes[0]]
        self.dashes = slice(self.first_dash, self.first_dash + len(dashes))
        self.dash_x, self.dash_y = np.array(offsets).T
        self.steps: Places = np.array([action[f"sidestep {way}"] for way in COMPASS])
        self.rush_steps: Places = np.array([action[f"sidestep {way} rush"] for way in COMPASS])
        self.doors: Places = np.array([action[f"door {way}"] for way in COMPASS])
        self.step_x, self.step_y = STEP_X.astype(np.int64), STEP_Y.astype(np.int64)
        self.follow, self.swap = action["follow"], action["swap"]
        self.stand, self.rise_by_rush = action["stand"], action["rise rush"]

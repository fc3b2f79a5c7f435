"""The ground of a map: global features, the squares around the viewer, and every square for the state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from heartrush_env.games.heart_rush.encoding.place import TERRAINS
from heartrush_env.games.heart_rush.rules.space import (
    COVER_GIVEN,
    ENTRY_COST,
    HEIGHT_GIVEN,
    IS_WALL,
    WALL,
    cell_at,
    square_of,
)
from heartrush_env.games.heart_rush.rules.terms import MAP_SIDE, MOST_SQUARES
from heartrush_env.games.heart_rush.state.record import FOLLOW_WINDOW, STEP_WINDOW, has_map
from heartrush_env.tabletop.arrays import workspace
from heartrush_env.tabletop.memory import copy_numbers
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.tables import Block, Feature, Line, feature, flag, put

FEET, COST, COVER = 200, 4, 3  # scales of the features

# fmt: off
GROUND = Block(
    flag("window step", "the open window is that of the agility stance's last steps",
         lambda fight: fight.window == STEP_WINDOW),
    flag("window follow", "the open window is that of following whom one has pushed",
         lambda fight: fight.window == FOLLOW_WINDOW),
    flag("light dim", "light", lambda fight: fight.light == 1),
    flag("light dark", "light", lambda fight: fight.light == 2),
    feature("drop", 0, 1, "feet that a drop is deep / {scale}", lambda fight: fight.drop, scale=FEET),
    feature("map width", 0, 1, "squares / {scale}", lambda fight: fight.width, scale=MAP_SIDE),
    feature("map height", 0, 1, "squares / {scale}", lambda fight: fight.height, scale=MAP_SIDE),
)
# fmt: on
write_ground = GROUND.writer(
    "write_ground",
    "fight",
    compiles=compiled,
    summary="Write the window, if only maps have it, and the features that all squares of the map share.",
)


@dataclass(frozen=True)
class Channel:
    """One terrain property of the squares around the viewer."""

    name: str
    low: float
    meaning: str
    units: Any  # one value per terrain
    scale: int = 1


CHANNELS = (
    Channel("blocked", 0, "1 for walls, pillars, closed doors and what lies outside the map", IS_WALL),
    Channel("cost", 0, f"squares of movement for entering / {COST}", ENTRY_COST, COST),
    Channel("cover", 0, f"levels of cover that the terrain declares / {COVER}", COVER_GIVEN, COVER),
    Channel("height", -1, "1 for high ground, -1 for a drop", HEIGHT_GIVEN),
)
N_CHANNELS = len(CHANNELS)
SHOWN = np.array([channel.units / channel.scale for channel in CHANNELS], np.float32)  # (channels, terrains)

VIEW = 5  # squares shown in each direction from the viewer
VIEW_SIDE = 2 * VIEW + 1
VIEW_SQUARES = VIEW_SIDE * VIEW_SIDE
# The tables of a map as the scenario defines it. Every batch keeps one such record.
LAND = record(
    [
        ("cover", "u1", (MOST_SQUARES * MOST_SQUARES,)),  # between every two squares; see store_cover
        ("views", "f4", (MOST_SQUARES * N_CHANNELS * VIEW_SQUARES,)),  # around a viewer on each square
    ]
)
new_view = workspace((VIEW_SQUARES,), np.uint64)
NUMBERS = N_CHANNELS * VIEW_SQUARES  # of the squares around a viewer


def _around(channel: Channel) -> Line:
    """Return the line of a channel of the squares around the viewer, row by row from the north."""
    meaning = f"{channel.meaning}; east and south of the viewer"
    squares = [f"square {k % VIEW_SIDE - VIEW},{k // VIEW_SIDE - VIEW}" for k in range(VIEW_SQUARES)]
    features = (Feature(f"{square} {channel.name}", channel.low, 1.0, meaning, channel.scale) for square in squares)
    return Line(channel.name, tuple(features), cell_at)


AROUND = Block(*(_around(channel) for channel in CHANNELS))
_CELL = (Feature(channel.name, channel.low, 1.0, channel.meaning, channel.scale) for channel in CHANNELS)
CELL = Block(*(Line(feature.name, (feature,), cell_at) for feature in _CELL))  # one square, for entities


def new_land(fight: Any) -> Any:
    """Return the tables of a fight's map before the first window: one record on a map, and none without a map."""
    lands = np.zeros(int(has_map(fight)), LAND)
    if has_map(fight):
        height, width = int(fight.height), int(fight.width)
        terrains = np.full((height + 2 * VIEW, width + 2 * VIEW), WALL)
        terrains[VIEW:-VIEW, VIEW:-VIEW] = fight.cells.reshape(MAP_SIDE, MAP_SIDE)[:height, :width]
        views = sliding_window_view(SHOWN[:, terrains], (VIEW_SIDE, VIEW_SIDE), (1, 2)).transpose(1, 2, 0, 3, 4)
        lands[0].views.reshape(MAP_SIDE, MAP_SIDE, -1)[:height, :width] = views.reshape(height, width, -1)
    return lands


@compiled
def write_squares_around(fight, i, land, out, at):
    """Write the squares around the viewer by channel; read the map itself only after it has changed."""
    if fight.changes > 0:
        read_squares_around(fight, i, out, at)
        return
    copy_numbers(land.views, square_of(fight, i) * NUMBERS, out, at, NUMBERS)


@compiled
def read_squares_around(fight, i, out, at):
    """Write the squares around the viewer, channel by channel, from the map as it is now."""
    left, top = np.int64(fight.fighters[i].x) - VIEW, np.int64(fight.fighters[i].y) - VIEW
    terrains = new_view()
    for y in range(VIEW_SIDE):
        for x in range(VIEW_SIDE):
            terrains[np.uint64(y * VIEW_SIDE + x)] = cell_at(fight, left + x, top + y)
    for channel in range(N_CHANNELS):
        for k in range(VIEW_SQUARES):
            put(out, at, channel * VIEW_SQUARES + k, SHOWN[channel, terrains[np.uint64(k)]])


# All squares of the map for the state, row by row from the north.
_NUMBER = f"number of its terrain / {len(TERRAINS)}, 1 outside the map"
_SQUARES = (Feature(f"square {x},{y}", 0, 1, _NUMBER) for y in range(MAP_SIDE) for x in range(MAP_SIDE))
SQUARES = Block(Line("squares", tuple(_SQUARES), cell_at))


@compiled
def write_squares(fight, out, at):
    """Write the terrain of every square of the map, row by row from the north."""
    for k in range(MAP_SIDE * MAP_SIDE):
        x, y = k % MAP_SIDE, k // MAP_SIDE
        inside = x < fight.width and y < fight.height
        put(out, at, k, cell_at(fight, x, y) / len(TERRAINS) if inside else 1.0)

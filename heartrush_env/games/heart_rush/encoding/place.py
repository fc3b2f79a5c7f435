"""Positions of fighters on a map: the viewer's own, the others' relative to it, and all of them for the state."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.engine.ways import is_walking, place_to_go_on_from
from heartrush_env.games.heart_rush.rules.cover import NO_LINE, cover_levels, in_sight, is_sheltered
from heartrush_env.games.heart_rush.rules.destinations import steps_to
from heartrush_env.games.heart_rush.rules.environment import height, in_water
from heartrush_env.games.heart_rush.rules.far_dashes import squares_left
from heartrush_env.games.heart_rush.rules.opportunity_attacks import threat_reach
from heartrush_env.games.heart_rush.rules.paths import dash_budget, trace_way
from heartrush_env.games.heart_rush.rules.sheet import attack_type
from heartrush_env.games.heart_rush.rules.space import cell_at, distance, on_map
from heartrush_env.games.heart_rush.rules.speed import squares_per_dash
from heartrush_env.games.heart_rush.rules.terms import MAP_SIDE, NEAR, NOBODY, STANDING
from heartrush_env.games.heart_rush.rules.weapons import reaches, weapon_range
from heartrush_env.games.heart_rush.scenario.catalog import terrain
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.tables import Block, feature, flag, one_of

FURTHEST = MAP_SIDE - 1  # squares from one end of the largest map to the other
MOST_MOVED = NEAR  # the highest number shown of squares moved, and of squares of speed
WIDEST = 4  # side of the largest space in squares
COVER = "levels of cover that {} / {{scale}}, {{scale}} where there is no line"
TERRAINS = tuple(kind.id.replace("_", " ") for kind in terrain().values())


@compiled
def way_so_far(fight, i):
    """Return how far fighter i's way has led to the east and south, and the squares left to it; zeros without a way."""
    if not is_walking(fight, i):
        return np.int64(0), np.int64(0), np.int64(0)
    number = place_to_go_on_from(fight, i)
    if number != NOBODY:
        return *steps_to(number), squares_left(fight, i, number)
    x, y, left, _, _ = trace_way(fight, i)
    return x - fight.fighters[i].x, y - fight.fighters[i].y, left


# fmt: off
SQUARE = (
    feature("x", 0, 1, "column of the top-left square / {scale}", lambda fighter: fighter.x, scale=FURTHEST),
    feature("y", 0, 1, "row of the top-left square / {scale}", lambda fighter: fighter.y, scale=FURTHEST),
)
MOVED = (
    feature("moved", 0, 1, "squares moved this round / {scale}, at most 1", lambda fighter: fighter.squares_moved,
            scale=MOST_MOVED, clips=True),
    flag("dashed", "has dashed this round", lambda fighter: fighter.dashed),
    flag("stood", "has risen with half its dash this round", lambda fighter: fighter.stood),
    flag("spare", "carries another weapon and shield", lambda fighter: fighter.has_spare),
)
OWN = Block(
    *SQUARE,
    feature("side", 0, 1, "squares that the space is wide / {scale}", lambda fighter: fighter.side, scale=WIDEST),
    feature("speed", 0, 1, "squares a dash, conditions included / {scale}, at most 1",
            lambda fight, i: squares_per_dash(fight, i), scale=MOST_MOVED, clips=True),
    feature("budget", 0, 1, "squares of the next dash / {scale}, at most 1",
            lambda fight, i: dash_budget(fight, i), scale=MOST_MOVED, clips=True),
    *MOVED,
    feature("height", -1, 1, "1 on high ground, -1 in a drop", lambda fight, i: height(fight, i), scale=1),
    flag("in shallow water", "stands in it", lambda water: water == 1),
    flag("in deep water", "stands in it", lambda water: water == 2),
    one_of("on ", TERRAINS, "the terrain of the top-left square",
           lambda fight, fighter: cell_at(fight, fighter.x, fighter.y)),
)
BETWEEN = Block(
    feature("dx", -1, 1, "squares to the east of the viewer / {scale}",
            lambda fighter, other: np.int64(other.x) - fighter.x, scale=FURTHEST),
    feature("dy", -1, 1, "squares to the south of the viewer / {scale}",
            lambda fighter, other: np.int64(other.y) - fighter.y, scale=FURTHEST),
    feature("distance", 0, 1, "squares / {scale}, at most 1", lambda apart: apart, scale=FURTHEST, clips=True),
    flag("in_sight", "the viewer sees it", lambda fight, i, j: in_sight(fight, i, j)),
    flag("in_my_range", "the viewer's weapon reaches it, at long range too", lambda fight, i, j: reaches(fight, i, j)),
    flag("in_its_range", "its weapon reaches the viewer, at long range too",
         lambda fight, i, j, stands: stands and reaches(fight, j, i)),
    flag("in_my_threat", "it is within the viewer's reach against movement",
         lambda fight, i, apart: apart <= threat_reach(fight, i)),
    flag("in_its_threat", "the viewer is within its reach against movement",
         lambda fight, j, apart, stands: stands and apart <= threat_reach(fight, j)),
    feature("cover_from_me", 0, 1, COVER.format("it has against the viewer"),
            lambda fight, i, j: cover_levels(fight, i, j), scale=NO_LINE),
    feature("cover_from_it", 0, 1, COVER.format("the viewer has against it"),
            lambda fight, i, j: cover_levels(fight, j, i), scale=NO_LINE),
)
WAY = Block(
    flag("walks", "the viewer is choosing the way of its dash, step by step", lambda fight, i: is_walking(fight, i)),
    feature("way dx", -1, 1, "squares to the east that the way has got to / {scale}", lambda way: way[0],
            scale=NEAR),
    feature("way dy", -1, 1, "squares to the south that it has got to / {scale}", lambda way: way[1], scale=NEAR),
    feature("way left", 0, 1, "squares of the dash that are left there / {scale}, at most 1", lambda way: way[2],
            scale=NEAR, clips=True),
)
STAND = Block(
    feature("side", 0, 1, "squares that its space is wide / {scale}", lambda other: other.side, scale=WIDEST),
    feature("speed", 0, 1, "squares a dash, conditions included / {scale}, at most 1",
            lambda fight, j: squares_per_dash(fight, j), scale=MOST_MOVED, clips=True),
    feature("height", -1, 1, "1 on high ground, -1 in a drop", lambda fight, j: height(fight, j), scale=1),
)
# fmt: on
OTHER = BETWEEN + STAND
PLACE = Block(*SQUARE, *MOVED)

write_own = OWN.writer(
    "write_own",
    "fight, i",
    compiles=compiled,
    summary="Write the viewer's place and its means of moving.",
    fighter=lambda fight, i: fight.fighters[i],
    water=lambda fight, i: in_water(fight, i),
)
write_way = WAY.writer(
    "write_way",
    "fight, i",
    compiles=compiled,
    summary="Write the viewer's way so far, if it walks.",
    way=lambda fight, i: way_so_far(fight, i),
)
_BETWEEN: dict[str, Any] = {  # the inputs of the lines of OTHER
    "fighter": lambda fight, i: fight.fighters[i],
    "other": lambda fight, j: fight.fighters[j],
    "apart": lambda fight, i, j: distance(fight, i, j),
    "stands": lambda other: other.status == STANDING,
}
write_other = OTHER.writer(
    "write_other",
    "fight, i, j",
    compiles=compiled,
    summary="Write where fighter j is relative to the viewer, and what is between them.",
    **_BETWEEN,
)
write_between = BETWEEN.writer(
    "write_between",
    "fight, i, j",
    compiles=compiled,
    summary="Write what is between the viewer and fighter j, without the features of fighter j alone.",
    **_BETWEEN,
)
write_place = PLACE.writer(
    "write_place",
    "fight, i",
    compiles=compiled,
    summary="Write where fighter i is, for the state.",
    fighter=lambda fight, i: fight.fighters[i],
)


@on_map(None)
@compiled
def write_own_way(fight, i, out, at):
    """Write viewer i's way so far from index `at`, if the viewer walks or an earlier way must be erased."""
    if out[at] != 0 or is_walking(fight, i):
        write_way(fight, i, out, at)


@on_map(False)
@compiled
def has_moved(fight, i, view):
    """Return whether fighter i's position, status, range, speed or shelter has changed since the last call.

    Other fighters' rows show these facts. A change of the map counts as a change of every fighter.
    """
    fighter = fight.fighters[i]
    stand = np.int64(fighter.x) | np.int64(fighter.y) << 5 | np.int64(fighter.status) << 10
    stand |= np.int64(attack_type(fighter)) << 13 | weapon_range(fight, i, NOBODY) << 16
    stand |= squares_per_dash(fight, i) << 24
    stand |= (height(fight, i) + 1) << 29 | np.int64(is_sheltered(fight, i)) << 31
    stand |= np.int64(fight.changes) << 32
    moved = stand != view.stand[i]
    view.stand[i] = stand
    return moved


@on_map(False)
@compiled
def has_other_means(fight, i, view):
    """Return whether any fact of fighter i's movement that only its own block shows has changed since the last call."""
    fighter = fight.fighters[i]
    means = np.int64(fighter.squares_moved) | np.int64(fighter.dashed) << 16 | np.int64(fighter.stood) << 17
    means |= np.int64(fighter.has_spare) << 18 | np.int64(fighter.dash) << 19 | np.int64(fighter.shot) << 20
    means |= np.int64(fighter.lunged) << 21 | np.int64(fighter.climbing != NOBODY) << 22
    changed = means != view.means[i]
    view.means[i] = means
    return changed

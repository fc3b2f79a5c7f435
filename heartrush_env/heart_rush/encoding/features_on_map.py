"""What an observation of a fight on a map shows beside: where everyone is, who reaches whom, and the ground around.

These features come after all others: the ground's own, the viewer's, a block for each enemy and each ally by place in
the viewer's view, then a window of squares around the viewer, channel after channel, row by row from the north.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.core.borrow import workspace
from heartrush_env.core.rule import compiled, inlined
from heartrush_env.heart_rush.encoding.feature import Feature, flag, has_bit, one_of, put, renew
from heartrush_env.heart_rush.encoding.shapes import Shape
from heartrush_env.heart_rush.engine.state import FOLLOW_WINDOW, STEP_WINDOW
from heartrush_env.heart_rush.rules.cover import NO_LINE, cover_levels, in_sight, is_sheltered
from heartrush_env.heart_rush.rules.environment import height, in_water
from heartrush_env.heart_rush.rules.opportunity_attacks import threat_reach
from heartrush_env.heart_rush.rules.paths import dash_budget
from heartrush_env.heart_rush.rules.sheet import attack_type
from heartrush_env.heart_rush.rules.space import (
    COVER_GIVEN,
    ENTRY_COST,
    HEIGHT_GIVEN,
    IS_WALL,
    cell_at,
    distance,
    on_map,
)
from heartrush_env.heart_rush.rules.speed import squares_per_dash
from heartrush_env.heart_rush.rules.terms import (
    ATTACK_TYPES,
    MAP_SIDE,
    NO_DAMAGE_TYPE,
    STANDING,
)
from heartrush_env.heart_rush.rules.weapons import reaches, weapon_range

FURTHEST = MAP_SIDE - 1  # squares from one end of the largest map to the other
SPEED_SCALE, SIDE_SCALE, DROP_SCALE, COST_SCALE, DIE_SCALE = 12, 4, 200, 4, 20
TERRAINS = (
    "floor", "wall", "pillar", "rough", "light cover", "heavy cover", "superior cover", "height", "drop",
    "shallow water", "deep water", "closed door", "open door",
)  # fmt: skip
VIEW = 5  # squares that the viewer's window shows each way
VIEW_SIDE = 2 * VIEW + 1
VIEW_SQUARES = VIEW_SIDE * VIEW_SIDE
CHANNELS = ("blocked", "cost", "cover", "height")
N_CHANNELS = len(CHANNELS)
# What each channel shows of each terrain.
SHOWN = np.array([IS_WALL, ENTRY_COST / COST_SCALE, COVER_GIVEN / 3, HEIGHT_GIVEN], np.float32)
new_view = workspace((VIEW_SQUARES,), np.uint64)

GROUND = [
    flag("window step", "the open window is that of the agility stance's last steps"),
    flag("window follow", "the open window is that of following whom one has pushed"),
    flag("light dim", "light"),
    flag("light dark", "light"),
    Feature("drop", 0, 1, f"feet that a drop is deep / {DROP_SCALE}"),
    Feature("map width", 0, 1, f"squares / {MAP_SIDE}"),
    Feature("map height", 0, 1, f"squares / {MAP_SIDE}"),
]
OWN = [
    Feature("x", 0, 1, f"column of the top-left square / {FURTHEST}"),
    Feature("y", 0, 1, f"row of the top-left square / {FURTHEST}"),
    Feature("side", 0, 1, f"squares that the space is wide / {SIDE_SCALE}"),
    Feature("speed", 0, 1, f"squares a dash, conditions included / {SPEED_SCALE}"),
    Feature("budget", 0, 1, f"squares of the next dash / {SPEED_SCALE}"),
    Feature("moved", 0, 1, f"squares moved this round / {SPEED_SCALE}, at most 1"),
    flag("dashed", "has dashed this round"),
    flag("stood", "has risen with half its dash this round"),
    flag("spare", "carries another weapon and shield"),
    Feature("height", -1, 1, "1 on high ground, -1 in a drop"),
    flag("in shallow water", "stands in it"),
    flag("in deep water", "stands in it"),
    *one_of("on ", TERRAINS, "the terrain of the top-left square"),
]
OTHER = [
    Feature("dx", -1, 1, f"squares to the east of the viewer / {FURTHEST}"),
    Feature("dy", -1, 1, f"squares to the south of the viewer / {FURTHEST}"),
    Feature("distance", 0, 1, f"squares / {FURTHEST}, at most 1"),
    flag("in_sight", "the viewer sees it"),
    flag("in_my_range", "the viewer's weapon reaches it, at long range too"),
    flag("in_its_range", "its weapon reaches the viewer, at long range too"),
    flag("in_my_threat", "it is within the viewer's reach against movement"),
    flag("in_its_threat", "the viewer is within its reach against movement"),
    Feature("cover_from_me", 0, 1, "levels of cover that it has against the viewer / 4, 4 where there is no line"),
    Feature("cover_from_it", 0, 1, "levels of cover that the viewer has against it / 4, 4 where there is no line"),
    Feature("side", 0, 1, f"squares that its space is wide / {SIDE_SCALE}"),
    Feature("speed", 0, 1, f"squares a dash, conditions included / {SPEED_SCALE}"),
    Feature("height", -1, 1, "1 on high ground, -1 in a drop"),
]
_MEANINGS = (
    "1 for walls, pillars, closed doors and what lies outside the map",
    f"squares of movement for entering / {COST_SCALE}",
    "levels of cover that the terrain declares / 3",
    "1 for high ground, -1 for a drop",
)
# What everybody sees of a fighter, in the state.
PLACE = [
    Feature("x", 0, 1, f"column of the top-left square / {FURTHEST}"),
    Feature("y", 0, 1, f"row of the top-left square / {FURTHEST}"),
    Feature("moved", 0, 1, f"squares moved this round / {SPEED_SCALE}, at most 1"),
    flag("dashed", "has dashed this round"),
    flag("stood", "has risen with half its dash this round"),
    flag("spare", "carries another weapon and shield"),
]
N_GROUND, N_OWN, N_OTHER, N_PLACE = len(GROUND), len(OWN), len(OTHER), len(PLACE)
TERRAIN_AT = next(k for k, feature in enumerate(OWN) if feature.name == "on floor")


def features_on_map(shape: Shape) -> list[Feature]:
    """Every feature that a map adds to an observation, in order."""
    table = list(GROUND) + [_of("self", feature) for feature in OWN]
    for kind, places in (("enemy", shape.enemies), ("ally", shape.allies)):
        for place in range(1, places + 1):
            table += [_of(f"{kind} {place}", feature) for feature in OTHER]
    for channel, meaning in zip(CHANNELS, _MEANINGS, strict=True):
        low = -1.0 if channel == "height" else 0.0
        for dy in range(-VIEW, VIEW + 1):
            for dx in range(-VIEW, VIEW + 1):
                name = f"square {dx},{dy} {channel}"
                table.append(Feature(name, low, 1.0, f"{meaning}; east and south of the viewer"))
    return table


def state_features_on_map(shape: Shape) -> list[Feature]:
    """Every feature that a map adds to the state, in order: the ground, each fighter's place, and every square."""
    table = list(GROUND)
    for place in range(1, shape.fighters + 1):
        table += [_of(f"fighter {place}", feature) for feature in PLACE]
    for y in range(MAP_SIDE):
        for x in range(MAP_SIDE):
            meaning = f"number of its terrain / {len(TERRAINS)}, 1 outside the map"
            table.append(Feature(f"square {x},{y}", 0, 1, meaning))
    return table


def _of(whose: str, feature: Feature) -> Feature:
    return Feature(f"{whose} {feature.name}", feature.low, feature.high, feature.meaning)


@inlined
def share(value, scale):
    """The value in units of its scale, at most 1."""
    return min(1.0, value / scale)


@on_map(False)
@compiled
def has_moved(match, i, view):
    """Whether anything that write_other and write_view show of fighter i has changed since they were last asked."""
    fighter = match.fighters[i]
    stand = np.int64(fighter.x) | np.int64(fighter.y) << 5 | np.int64(fighter.status) << 10
    stand |= np.int64(attack_type(fighter)) << 13 | weapon_range(match, i) << 16 | squares_per_dash(match, i) << 24
    stand |= (height(match, i) + 1) << 28 | np.int64(is_sheltered(match, i)) << 30
    stand |= np.int64(match.doors_used) << 32
    moved = stand != view.stand[i]
    view.stand[i] = stand
    return moved


@on_map(None)
@compiled
def write_on_map(match, i, out, at, enemies, moved):
    """What fighter i sees of the map, from `at` on; blocks of absent fighters stay as they are.

    `moved` has a bit for each fighter whose place is to be written.
    """
    write_ground(match, out, at)
    write_own(match, i, out, at + N_GROUND)
    at += N_GROUND + N_OWN
    fighter = match.fighters[i]
    for place in range(fighter.enemy_count):
        j = fighter.enemies[place]
        if has_bit(moved, i) or has_bit(moved, j):
            write_other(match, i, j, out, at + place * N_OTHER)
    at += enemies * N_OTHER
    for place in range(fighter.ally_count):
        j = fighter.allies[place]
        if has_bit(moved, i) or has_bit(moved, j):
            write_other(match, i, j, out, at + place * N_OTHER)
    if has_bit(moved, i):
        write_view(match, i, out, at + (enemies - 1) * N_OTHER)


@compiled
def write_ground(match, out, at):
    """The window, where only maps have it, and what is the same all over the map."""
    put(out, at, 0, match.window == STEP_WINDOW)
    put(out, at, 1, match.window == FOLLOW_WINDOW)
    put(out, at, 2, match.light == 1)
    put(out, at, 3, match.light == 2)
    put(out, at, 4, match.drop / DROP_SCALE)
    put(out, at, 5, match.width / MAP_SIDE)
    put(out, at, 6, match.height / MAP_SIDE)


@compiled
def write_own(match, i, out, at):
    """The viewer's place and means of moving."""
    fighter = match.fighters[i]
    put(out, at, 0, fighter.x / FURTHEST)
    put(out, at, 1, fighter.y / FURTHEST)
    put(out, at, 2, fighter.side / SIDE_SCALE)
    put(out, at, 3, squares_per_dash(match, i) / SPEED_SCALE)
    put(out, at, 4, dash_budget(match, i) / SPEED_SCALE)
    put(out, at, 5, share(fighter.squares_moved, SPEED_SCALE))
    put(out, at, 6, fighter.dashed)
    put(out, at, 7, fighter.stood)
    put(out, at, 8, fighter.has_spare)
    put(out, at, 9, height(match, i))
    water = in_water(match, i)
    put(out, at, 10, water == 1)
    put(out, at, 11, water == 2)
    terrain = cell_at(match, fighter.x, fighter.y)
    for k in range(len(TERRAINS)):
        put(out, at, TERRAIN_AT + k, terrain == k)


@compiled
def write_other(match, i, j, out, at):
    """Where fighter j is to the viewer, and what lies between them."""
    fighter, other = match.fighters[i], match.fighters[j]
    apart = distance(match, i, j)
    stands = other.status == STANDING
    put(out, at, 0, (np.int64(other.x) - fighter.x) / FURTHEST)
    put(out, at, 1, (np.int64(other.y) - fighter.y) / FURTHEST)
    put(out, at, 2, share(apart, FURTHEST))
    put(out, at, 3, in_sight(match, i, j))
    put(out, at, 4, reaches(match, i, j))
    put(out, at, 5, stands and reaches(match, j, i))
    put(out, at, 6, apart <= threat_reach(match, i))
    put(out, at, 7, stands and apart <= threat_reach(match, j))
    put(out, at, 8, cover_levels(match, i, j) / NO_LINE)
    put(out, at, 9, cover_levels(match, j, i) / NO_LINE)
    put(out, at, 10, other.side / SIDE_SCALE)
    put(out, at, 11, squares_per_dash(match, j) / SPEED_SCALE)
    put(out, at, 12, height(match, j))


@compiled
def write_view(match, i, out, at):
    """The squares around the viewer's own, channel after channel."""
    left, top = np.int64(match.fighters[i].x) - VIEW, np.int64(match.fighters[i].y) - VIEW
    terrains = new_view()
    for y in range(VIEW_SIDE):
        for x in range(VIEW_SIDE):
            terrains[np.uint64(y * VIEW_SIDE + x)] = cell_at(match, left + x, top + y)
    for channel in range(N_CHANNELS):
        for k in range(VIEW_SQUARES):
            put(out, at, channel * VIEW_SQUARES + k, SHOWN[channel, terrains[np.uint64(k)]])


@on_map(None)
@compiled
def write_state_on_map(match, out, at, fighters):
    """The ground, each fighter's place, and every square, from nobody's point of view."""
    write_ground(match, out, at)
    at += N_GROUND
    for i in range(match.n):
        fighter = match.fighters[i]
        place = at + i * N_PLACE
        put(out, place, 0, fighter.x / FURTHEST)
        put(out, place, 1, fighter.y / FURTHEST)
        put(out, place, 2, share(fighter.squares_moved, SPEED_SCALE))
        put(out, place, 3, fighter.dashed)
        put(out, place, 4, fighter.stood)
        put(out, place, 5, fighter.has_spare)
    at += fighters * N_PLACE
    for k in range(MAP_SIDE * MAP_SIDE):
        x, y = k % MAP_SIDE, k // MAP_SIDE
        inside = x < match.width and y < match.height
        put(out, at, k, cell_at(match, x, y) / len(TERRAINS) if inside else 1.0)


@on_map(False)
@compiled
def write_weapon(match, i, blocks, block, die_at, type_at, damage_at, shield_at):
    """On a map the weapon and shield in hand may change; writes them into the fighter's block, and tells whether."""
    fighter = match.fighters[i]
    changed = renew(blocks, block, shield_at, fighter.shield / 2)
    changed |= renew(blocks, block, die_at, fighter.weapon_die / DIE_SCALE)
    for kind in range(len(ATTACK_TYPES)):
        changed |= renew(blocks, block, type_at + kind, fighter.attack_type == kind)
    for kind in range(NO_DAMAGE_TYPE):
        changed |= renew(blocks, block, damage_at + kind, fighter.damage_type == kind)
    return changed

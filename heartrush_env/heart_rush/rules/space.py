"""Space: squares, distance, lines and cover, reach and range, and what a place does to rolls.

A fighter's place is the top-left square of its space, which is `side` squares wide and high. Directions of the map are
x to the right and y downward. What this file offers to chapters that fights without a map share says `on_map`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from heartrush_env.core.rule import called, compiled, inlined, only_with, rule
from heartrush_env.heart_rush.rules.sheet import attack_type, count, has
from heartrush_env.heart_rush.rules.sight import fewest_hidden, hide, new_counts, new_gaps, open_gaps
from heartrush_env.heart_rush.rules.terms import (
    AGILITY,
    ATTACK,
    CHECK,
    COVER,
    CRIPPLED,
    DEFENSE,
    DIM_LIGHT,
    ENTANGLED,
    GRAPPLED,
    GRAPPLING,
    HIDDEN,
    HIGHGROUND,
    INCAPACITATED,
    LONG_RANGE,
    MAP_SIDE,
    MELEE,
    MIGHT,
    MOST_FIGHTERS,
    NOBODY,
    OBSCURED,
    PRONE,
    RANGED,
    RESTRAINED,
    ROWS,
    SLOWED,
    STANDING,
    STUNNED,
    THROWN,
    WATER,
    WHIP,
)

on_map = partial(only_with, "cells")

(
    FLOOR, WALL, PILLAR, ROUGH, LIGHT_COVER, HEAVY_COVER, SUPERIOR_COVER, HEIGHT, DROP, SHALLOW, DEEP, CLOSED_DOOR,
    OPEN_DOOR,
) = range(13)  # fmt: skip
# fmt: off
#                         .  #  o  ,  l  h  s  ^  v  ~  w  +  /
ENTRY_COST   = np.array([ 1, 0, 0, 2, 1, 2, 2, 1, 1, 1, 4, 0, 1])  # squares of movement
IS_WALL      = np.array([ 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0])  # no way in, and no line through
COVER_GIVEN  = np.array([ 0, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0])  # levels that the terrain declares
HEIGHT_GIVEN = np.array([ 0, 0, 0, 0, 0, 0, 0, 1,-1, 0, 0, 0, 0])
WATER_DEPTH  = np.array([ 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0])
# fmt: on

SHALLOW_WATER, DEEP_WATER = 1, 2
WATER_LEVELS = np.array([0, 1, 5])  # of disadvantage in none, shallow, deep
BRIGHT, DIM, DARK = range(3)
LIGHT_LEVELS = np.array([0, 1, 5])  # of disadvantage in bright, dim, dark

NO_LINE = 4  # blocked lines that leave nothing to aim at
FASTEST = 12  # squares a dash
SIZES_TO_SHELTER = 2  # of difference, between friends
REACH = 1  # squares of bare hands and melee weapons
UNKNOWN = -1  # cover that nobody has asked for
ROUGH_COST = 2  # squares of movement; only deep water costs more
WHOLE_ROW = (1 << MAP_SIDE + 4) - 1  # a row of bits, all of them set
SENSELESS = 1 << STUNNED | 1 << INCAPACITATED
MOTIONLESS = 1 << STUNNED | 1 << INCAPACITATED | 1 << RESTRAINED | 1 << GRAPPLED | 1 << ENTANGLED


@inlined
def cell_at(match, x, y):
    """The terrain of a square; all that lies outside the map is wall."""
    if x < 0 or y < 0 or x >= match.width or y >= match.height:
        return np.int64(WALL)
    return np.int64(match.cells[np.int64(y) * MAP_SIDE + x])


@compiled
def read_map(match):
    """Note the map, which is new or has changed, in rows of bits; no cover is known any more.

    A row is a whole number with a bit for each square, from the west. Row 0 lies to the north of the map, and what lies
    outside is wall.
    """
    outside = WHOLE_ROW & ~((1 << np.int64(match.width)) - 1)
    for row in range(ROWS):
        match.walls[row] = outside if 1 <= row <= match.height else WHOLE_ROW
        match.drops[row] = match.slow[row] = match.slowest[row] = match.covering[row] = 0
    for y in range(match.height):
        for x in range(match.width):
            terrain = match.cells[y * MAP_SIDE + x]
            square = np.int64(1) << x
            match.walls[y + 1] |= square * IS_WALL[terrain]
            match.drops[y + 1] |= square * (terrain == DROP)
            match.slow[y + 1] |= square * (ENTRY_COST[terrain] > 1)
            match.slowest[y + 1] |= square * (ENTRY_COST[terrain] > ROUGH_COST)
            match.covering[y + 1] |= square * (COVER_GIVEN[terrain] > 0)
    match.cover[:] = UNKNOWN


@inlined
def gap(first, first_side, second, second_side):
    """How far apart two stretches are on one axis: zero where they overlap, one where they touch."""
    return max(0, second - first - first_side + 1, first - second - second_side + 1)


@rule("Environment > Distance", "R-14")
def distance_from(match, i, x, y, j):
    """Squares between fighter j and the space that fighter i would have at this place; diagonals count as straight."""
    side, other = match.fighters[i].side, match.fighters[j]
    return max(gap(x, side, other.x, other.side), gap(y, side, other.y, other.side))


@compiled
def distance(match, i, j):
    """Squares between the nearest squares of two fighters."""
    return distance_from(match, i, match.fighters[i].x, match.fighters[i].y, j)


@compiled
def distance_to_square(match, i, x, y):
    """Squares between a fighter's nearest square and a square of the map."""
    fighter = match.fighters[i]
    return max(gap(fighter.x, fighter.side, x, 1), gap(fighter.y, fighter.side, y, 1))


@inlined
def covers_square(fighter, x, y):
    """Whether a square belongs to the fighter's space."""
    return fighter.x <= x < fighter.x + fighter.side and fighter.y <= y < fighter.y + fighter.side


@on_map(False)
@compiled
def plays_on_map(match):
    """Whether the fight has a map."""
    return True


@on_map(True)
@rule("Environment > Distance", "R-14")
def next_to(match, i, j):
    """Adjacent are those whose squares touch, corners included; without a map everyone is at hand."""
    return distance(match, i, j) <= 1


# Lines and cover. Points and corners are counted in half squares, so that centers have whole numbers too.


@compiled
def crosses(ax, ay, bx, by, x, y):
    """Whether the line from a to b (half squares) crosses the inside of square x, y; touching it is not crossing."""
    left, top = 2 * x, 2 * y
    if max(ax, bx) <= left or min(ax, bx) >= left + 2 or max(ay, by) <= top or min(ay, by) >= top + 2:
        return False
    dx, dy = bx - ax, by - ay
    lowest = highest = dx * (top - ay) - dy * (left - ax)  # on which side of the line the square's corners lie
    for corner in (lowest + 2 * dx, lowest - 2 * dy, lowest + 2 * dx - 2 * dy):
        lowest, highest = min(lowest, corner), max(highest, corner)
    return lowest < 0 < highest


@compiled
def blocks_line(match, i, j, x, y):
    """Walls, pillars and closed doors block lines; nothing does inside the two spaces that a line connects."""
    if not IS_WALL[cell_at(match, x, y)]:
        return False
    return not covers_square(match.fighters[i], x, y) and not covers_square(match.fighters[j], x, y)


@inlined
def center(fighter):
    """The middle of a fighter's space (half squares)."""
    return 2 * np.int64(fighter.x) + fighter.side, 2 * np.int64(fighter.y) + fighter.side


@inlined
def lies_between(fighter, target, x, y):
    """Whether a square reaches into the straight strip, as wide as the larger of two spaces, between their centers."""
    ax, ay = center(fighter)
    bx, by = center(target)
    dx, dy = bx - ax, by - ay
    off = dx * (2 * y + 1 - ay) - dy * (2 * x + 1 - ax)
    return abs(off) < (abs(dx) + abs(dy)) * (max(fighter.side, target.side) + 1)


@rule("Combat > Special Circumstances > Cover", "R-62")
def blocked_lines(match, i, j):
    """The lines from the attacker's best point to the corners of the target's space that are blocked, 0 to 4."""
    if distance(match, i, j) <= 1:
        return 0  # from a point of both spaces all lines run within the target's
    fighter, target = match.fighters[i], match.fighters[j]
    left, right = min(fighter.x, target.x), max(fighter.x + fighter.side, target.x + target.side) - 1
    for y in range(min(fighter.y, target.y), max(fighter.y + fighter.side, target.y + target.side)):
        walls = match.walls[y + 1]
        if has_bits(walls, left, right):
            for x in range(left, right + 1):
                if walls >> x & 1 and lies_between(fighter, target, x, y):
                    return lines_past_walls(match, i, j, y)
    return 0


@compiled
def lines_past_walls(match, i, j, first):
    """The same for two who are not adjacent, with walls from row `first` on: the map is turned for the geometry."""
    fighter, target = match.fighters[i], match.fighters[j]
    x, y, side = np.int64(fighter.x), np.int64(fighter.y), np.int64(fighter.side)
    width, east, south = np.int64(target.side), target.x - x, target.y - y
    turned = gap(0, side, south, width) > gap(0, side, east, width)  # it lies further north or south than east or west
    if turned:
        east, south = south, east
    mirrored = east < 0
    if mirrored:
        east = side - width - east
    across_x, across_y = (1, 0) if turned else (0, 1)
    gaps, counts = new_gaps(), new_counts()
    open_gaps(gaps, counts, side, east, south, width)
    cut = 0
    left, right = min(x, target.x), max(x + side, target.x + width)
    for row in range(first, max(y + side, target.y + width)):
        walls = match.walls[row + 1]
        if not has_bits(walls, left, right - 1):
            continue
        for column in range(left, right):
            if not (walls >> column & 1 and lies_between(fighter, target, column, row)):
                continue
            if not blocks_line(match, i, j, column, row):
                continue
            a, b = column - x, row - y
            if turned:
                a, b = b, a
            if mirrored:
                a = side - 1 - a
            above = blocks_line(match, i, j, column - across_x, row - across_y)
            below = blocks_line(match, i, j, column + across_x, row + across_y)
            cut |= hide(gaps, counts, side, east, south, width, a, b, above, below)
    return fewest_hidden(gaps, counts, cut, side, east, south, width)


@rule("Combat > Special Circumstances > Cover", "R-63")
def declared_cover(match, i, j):
    """The best cover that terrain declares in the target's space, or on the way to it but not right by the attacker."""
    fighter, target = match.fighters[i], match.fighters[j]
    ax, ay = center(fighter)
    bx, by = center(target)
    best = 0
    left, right = min(fighter.x, target.x), max(fighter.x + fighter.side, target.x + target.side) - 1
    for y in range(min(fighter.y, target.y), max(fighter.y + fighter.side, target.y + target.side)):
        if not has_bits(match.covering[y + 1], left, right):
            continue
        for x in range(left, right + 1):
            levels = COVER_GIVEN[cell_at(match, x, y)]
            if levels > best and (
                covers_square(target, x, y)
                or (distance_to_square(match, i, x, y) > 1 and crosses(ax, ay, bx, by, x, y))
            ):
                best = levels
    return best


@inlined
def has_bits(row, first, last):
    """Whether a row has any of the squares from the first to the last."""
    return (row >> np.int64(first)) & ((np.int64(2) << np.int64(last - first)) - 1) != 0


@inlined
def pair(i, j):
    """Where the cover of fighter j against fighter i is kept."""
    return np.int64(i) * MOST_FIGHTERS + j


@compiled
def cover_levels(match, i, j):
    """Cover of j against i: 0 to 3 levels, or 4 where no line is left."""
    return max(terrain_cover(match, i, j), np.int64(is_sheltered(match, j)))


@rule("Combat > Special Circumstances > Cover", "R-85")
def is_sheltered(match, j):
    """Who shares the space of a friend at least two sizes larger has a level of cover from it."""
    fighter = match.fighters[j]
    if fighter.bulky and fighter.climbing == NOBODY and fighter.status == STANDING:
        return False  # nobody else is where it stands
    for place in range(fighter.ally_count):
        other = match.fighters[fighter.allies[place]]
        larger = np.int64(other.size_rank) - fighter.size_rank >= SIZES_TO_SHELTER
        if larger and other.status == STANDING and distance(match, j, fighter.allies[place]) == 0:
            return True
    return False


@compiled
def is_open_between(match, i, j):
    """Whether nothing that gives cover is in the rectangle around two fighters."""
    fighter, target = match.fighters[i], match.fighters[j]
    left, right = min(fighter.x, target.x), max(fighter.x + fighter.side, target.x + target.side) - 1
    for y in range(min(fighter.y, target.y), max(fighter.y + fighter.side, target.y + target.side)):
        if has_bits(match.walls[y + 1] | match.covering[y + 1], left, right):
            return False
    return True


@compiled
def terrain_cover(match, i, j):
    """The cover that the map gives j against i. Kept until either of them moves."""
    k = pair(i, j)
    if match.cover[k] == UNKNOWN:
        if is_open_between(match, i, j):
            match.cover[k] = match.cover[pair(j, i)] = 0
        else:
            match.cover[k] = find_cover(match, i, j)
    return np.int64(match.cover[k])


@called
def find_cover(match, i, j):
    """The same, looked up on the map."""
    blocked = blocked_lines(match, i, j)
    return NO_LINE if blocked == NO_LINE else max(blocked, declared_cover(match, i, j))


@compiled
def forget_cover(match, i):
    """Fighter i has moved: its cover, and everyone's against it, must be looked up anew."""
    for j in range(MOST_FIGHTERS):
        match.cover[pair(i, j)] = UNKNOWN
        match.cover[pair(j, i)] = UNKNOWN


@on_map(True)
@rule("Combat > Special Circumstances > Cover", "R-62", hot=True)
def in_sight(match, i, j):
    """Total cover hides a target from everything."""
    return terrain_cover(match, i, j) < NO_LINE


# Reach and range.


@rule("Weapons > Range")
def weapon_range(match, i):
    """How far the weapon in hand carries, in squares; reach weapons one further for who has not dashed this round."""
    fighter = match.fighters[i]
    if attack_type(fighter) != MELEE:
        return np.int64(fighter.sets[0].range)
    return np.int64(REACH + (fighter.armed and fighter.sets[0].reach and not fighter.dashed))


@inlined
def shoots(fighter):
    """Whether the weapon in hand attacks from range: ranged or thrown."""
    return attack_type(fighter) == RANGED or attack_type(fighter) == THROWN


@rule("Weapons > Range")
def long_range_levels(match, i, j):
    """Beyond its range a ranged weapon loses a level for each two squares, a thrown one for each."""
    beyond = distance(match, i, j) - weapon_range(match, i)
    if beyond <= 0 or not shoots(match.fighters[i]):
        return 0
    return (beyond + 1) // 2 if attack_type(match.fighters[i]) == RANGED else beyond


@on_map(True)
@rule("Combat > The Engagement > Attack Resolution Process > Range and Positioning")
def reaches(match, i, j):
    """A target must be within weapon range, twice that for ranged and thrown weapons, and in sight."""
    furthest = weapon_range(match, i)
    if shoots(match.fighters[i]):
        furthest *= 2
    return distance(match, i, j) <= furthest and in_sight(match, i, j)


@on_map(0)
@rule("Combat > The Action Phase > Opportunity Attacks")
def threat_reach(match, i):
    """The squares that a fighter guards against movement: its melee reach, one with a whip, none with what shoots."""
    fighter = match.fighters[i]
    if shoots(fighter):
        return 0
    return REACH if attack_type(fighter) == WHIP else weapon_range(match, i)


@rule("Combat > The Action Phase > Actions You Can Take > Dash")
def squares_per_dash(match, i):
    """Speed with the equipment in hand, halved by slowed, one square when crippled or prone, none when held."""
    fighter = match.fighters[i]
    if has(fighter, GRAPPLING):
        return 0
    return unheld_speed(match, i)


@compiled
def unheld_speed(match, i):
    """The same for a fighter whose hands hold nobody back."""
    fighter = match.fighters[i]
    if fighter.afflicted & MOTIONLESS:
        return 0
    speed = np.int64(min(FASTEST, fighter.sets[0].speed))
    if has(fighter, SLOWED):
        speed //= 2
    if has(fighter, CRIPPLED) or has(fighter, PRONE):
        speed = min(1, speed)
    return speed


@on_map(False)
@rule("Weapons > Range")
def may_only_defend(match, i):
    """Whoever has moved more than half its speed this round does not get to shoot a ranged weapon."""
    fighter = match.fighters[i]
    return attack_type(fighter) == RANGED and fighter.squares_moved > squares_per_dash(match, i) // 2


@on_map(False)
@rule("Weapons > Range", "R-78")
def has_stepped_too_far(match, i):
    """The step of its agility took who shoots over half its speed: it attacks no more."""
    return match.fighters[i].stepped and may_only_defend(match, i)


@compiled
def is_awake(match, i):
    """Standing, with its wits about it: neither surprised nor stunned nor incapacitated."""
    fighter = match.fighters[i]
    if fighter.status != STANDING or fighter.afflicted & SENSELESS:
        return False
    return not (fighter.surprised and match.round_number <= 1)


# What a place does to rolls.


@rule("Conditions > High Ground", "R-64")
def height(match, i):
    """How high a fighter stands: by the highest square of its space."""
    fighter = match.fighters[i]
    highest = -1
    for y in range(fighter.y, fighter.y + fighter.side):
        for x in range(fighter.x, fighter.x + fighter.side):
            highest = max(highest, HEIGHT_GIVEN[cell_at(match, x, y)])
    return highest


@on_map(0)
@rule("Environment > Water")
def in_water(match, i):
    """The deepest water in a fighter's space: none, shallow or deep."""
    fighter = match.fighters[i]
    deepest = 0
    for y in range(fighter.y, fighter.y + fighter.side):
        for x in range(fighter.x, fighter.x + fighter.side):
            deepest = max(deepest, WATER_DEPTH[cell_at(match, x, y)])
    return deepest


@on_map(0)
@rule("Environment > Effects on Rolls")
def space_modifiers(match, i, kind, ability, o, weapon_of_attack):
    """Net advantage that the places of fighter i and of its opponent o (who may be nobody) give a roll of i's.

    `weapon_of_attack` is the attack type of the weapon that an attack roll is made with.
    """
    net = 0
    if kind == ATTACK and o != NOBODY:
        net += aim(match, i, o, weapon_of_attack)
    if kind <= DEFENSE:
        net += gloom(match, o)
    if kind <= DEFENSE or (kind == CHECK and (ability == MIGHT or ability == AGILITY)):
        depth = in_water(match, i)
        if depth > 0:
            net += count(match, WATER, -WATER_LEVELS[depth])
    return net


@rule("Combat > Special Circumstances > Cover", "R-64")
def aim(match, i, o, weapon_of_attack):
    """Cover and distance hinder what is shot or thrown; who stands higher than the target strikes better."""
    net = 0
    if weapon_of_attack == RANGED or weapon_of_attack == THROWN:
        cover, far = cover_levels(match, i, o), long_range_levels(match, i, o)
        if cover > 0:
            net += count(match, COVER, -cover)
        if far > 0:
            net += count(match, LONG_RANGE, -far)
    has_it_already = has(match.fighters[i], HIGHGROUND) and not has(match.fighters[o], HIGHGROUND)
    if not has_it_already and height(match, i) > height(match, o):
        net += count(match, HIGHGROUND, 1)
    return net


@rule("Environment > Light")
def gloom(match, o):
    """Dim light and darkness hinder attack and defense; against who is unseen anyway they make nothing worse."""
    if match.light == BRIGHT or (o != NOBODY and (has(match.fighters[o], OBSCURED) or has(match.fighters[o], HIDDEN))):
        return 0
    return count(match, DIM_LIGHT, -LIGHT_LEVELS[match.light])

"""Special Circumstances > Cover: lines to a target, cover declared by terrain, and shelter behind creatures.

Coordinates are in half squares, so that centers are integers too.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.space import (
    COVER_GIVEN,
    IS_WALL,
    UNKNOWN,
    cell_at,
    covers_square,
    distance,
    distance_to_square,
    gap,
    has_bits,
    on_map,
)
from heartrush_env.games.heart_rush.rules.terms import FEET, MOST_FIGHTERS, NOBODY, STANDING
from heartrush_env.tabletop.grids.visibility import View, fewest_hidden, hide, new_counts, new_gaps, open_gaps
from heartrush_env.tabletop.rule import compiled, inlined, rule

NO_LINE = 4  # the number of blocked lines that gives total cover
SIZES_TO_SHELTER = 2  # size difference at which an ally gives shelter


@on_map(True)
@rule("Combat > Special Circumstances > Cover", "R-62", hot=True)
def in_sight(fight, i, j):
    """Return whether fighter i sees fighter j: total cover from terrain hides a fighter. Always True without a map."""
    return terrain_cover(fight, i, j) < NO_LINE


@on_map(True)
@compiled
def is_within(fight, i, j, feet):
    """Return whether fighter j is in sight of fighter i and at most `feet` away; always True without a map."""
    return distance(fight, i, j) * FEET <= feet and in_sight(fight, i, j)


@compiled
def is_enemy_within(fight, i, j, feet):
    """Return whether fighter j is a standing enemy of fighter i, in its sight and at most `feet` away."""
    other = fight.fighters[j]
    return other.team != fight.fighters[i].team and other.status == STANDING and is_within(fight, i, j, feet)


@compiled
def is_ally_within(fight, i, j, feet):
    """Return whether fighter j is another standing fighter of i's side, in its sight and at most `feet` away."""
    other = fight.fighters[j]
    return j != i and other.team == fight.fighters[i].team and other.status == STANDING and is_within(fight, i, j, feet)


@compiled
def has_ally_within(fight, i, feet):
    """Return whether fighter i has a standing ally in sight at most `feet` away."""
    for j in range(fight.n):
        if is_ally_within(fight, i, j, feet):
            return True
    return False


@compiled
def has_enemy_within(fight, i, feet):
    """Return whether fighter i has a standing enemy in sight at most `feet` away."""
    for j in range(fight.n):
        if is_enemy_within(fight, i, j, feet):
            return True
    return False


@on_map(False)
@compiled
def is_in_cone(fight, i, target, j, feet):
    """Return whether i sees j in a cone from i's center toward the target's, `feet` long and as wide as it is long."""
    x, y = center(fight.fighters[i])
    tx, ty = center(fight.fighters[target])
    jx, jy = center(fight.fighters[j])
    along = (tx - x) * (jx - x) + (ty - y) * (jy - y)
    across = (tx - x) * (jy - y) - (ty - y) * (jx - x)
    return along > 0 and 2 * abs(across) <= along and is_within(fight, i, j, feet)


@on_map(False)
@compiled
def runs_through(fight, i, j, k):
    """Return whether a line from a corner of i's space to one of k's crosses j's space; touching does not count."""
    one, middle, other = fight.fighters[i], fight.fighters[j], fight.fighters[k]
    for corners in range(16):
        ax, ay = np.int64(one.x) + one.side * (corners & 1), np.int64(one.y) + one.side * (corners >> 1 & 1)
        bx, by = np.int64(other.x) + other.side * (corners >> 2 & 1), np.int64(other.y) + other.side * (corners >> 3)
        for x in range(middle.x, middle.x + middle.side):
            for y in range(middle.y, middle.y + middle.side):
                if crosses(2 * ax, 2 * ay, 2 * bx, 2 * by, x, y):
                    return True
    return False


@on_map(False)
@compiled
def is_flanked(fight, j, i):
    """Return whether fighter j is flanked by i: an ally of i beside j is on the other side of a line through j."""
    for k in range(fight.n):
        ally = fight.fighters[k]
        stands = k != i and ally.team == fight.fighters[i].team and ally.status == STANDING
        if stands and distance(fight, j, k) <= 1 and runs_through(fight, i, j, k):
            return True
    return False


@compiled
def cover_levels(fight, i, j):
    """Return the cover of j against i: 0 to 3 levels, or 4 for total cover."""
    return max(terrain_cover(fight, i, j), np.int64(is_sheltered(fight, j)))


@inlined
def terrain_cover(fight, i, j):
    """Return the cover that the map gives j against i, cached until either of them moves."""
    k = cover_index(i, j)
    if fight.cover[k] == UNKNOWN:
        store_terrain_cover(fight, i, j)
    return np.int64(fight.cover[k])


@compiled
def store_terrain_cover(fight, i, j):
    """Store the cover that the map gives j against i; where nothing is between them, i's against j as well."""
    if is_open_between(fight, i, j):
        fight.cover[cover_index(i, j)] = fight.cover[cover_index(j, i)] = 0
    else:
        fight.cover[cover_index(i, j)] = find_cover(fight, i, j)


@compiled
def find_cover(fight, i, j):
    """Compute the cover that the map gives j against i: 0 to 3 levels, or 4 for total cover."""
    blocked = blocked_lines(fight, i, j)
    return NO_LINE if blocked == NO_LINE else max(blocked, declared_cover(fight, i, j))


@rule("Combat > Special Circumstances > Cover", "R-62")
def blocked_lines(fight, i, j):
    """Return how many of the 4 lines from the attacker's best point to the target's corners are blocked."""
    if distance(fight, i, j) <= 1:
        return 0  # lines from a point that both spaces share stay inside the target's space
    fighter, target = fight.fighters[i], fight.fighters[j]
    left, right = min(fighter.x, target.x), max(fighter.x + fighter.side, target.x + target.side) - 1
    for y in range(min(fighter.y, target.y), max(fighter.y + fighter.side, target.y + target.side)):
        walls = fight.walls[y + 1]
        if has_bits(walls, left, right):
            for x in range(left, right + 1):
                if walls >> x & 1 and lies_between(fighter, target, x, y):
                    return lines_past_walls(fight, i, j, y)
    return 0


@compiled
def lines_past_walls(fight, i, j, first):
    """Return the number of blocked lines between nonadjacent fighters; row `first` has the first wall between them."""
    fighter, target = fight.fighters[i], fight.fighters[j]
    x, y, side = np.int64(fighter.x), np.int64(fighter.y), np.int64(fighter.side)
    width, east, south = np.int64(target.side), target.x - x, target.y - y
    turned = gap(0, side, south, width) > gap(0, side, east, width)  # further away north-south than east-west
    if turned:
        east, south = south, east
    mirrored = east < 0
    if mirrored:
        east = side - width - east
    across_x, across_y = (1, 0) if turned else (0, 1)
    gaps, counts = new_gaps(), new_counts()
    view = View(side, east, south, width)
    open_gaps(gaps, counts, view)
    cut = 0
    left, right = min(x, target.x), max(x + side, target.x + width)
    for row in range(first, max(y + side, target.y + width)):
        walls = fight.walls[row + 1]
        if not has_bits(walls, left, right - 1):
            continue
        for column in range(left, right):
            if not (walls >> column & 1 and lies_between(fighter, target, column, row)):
                continue
            if not blocks_line(fight, i, j, column, row):
                continue
            a, b = column - x, row - y
            if turned:
                a, b = b, a
            if mirrored:
                a = side - 1 - a
            above = blocks_line(fight, i, j, column - across_x, row - across_y)
            below = blocks_line(fight, i, j, column + across_x, row + across_y)
            cut |= hide(gaps, counts, view, a, b, above, below)
    return fewest_hidden(gaps, counts, cut, view)


@rule("Combat > Special Circumstances > Cover", "R-63")
def declared_cover(fight, i, j):
    """Return the best cover declared by terrain in the target's space, or on the way there but not next to i."""
    fighter, target = fight.fighters[i], fight.fighters[j]
    ax, ay = center(fighter)
    bx, by = center(target)
    best = 0
    left, right = min(fighter.x, target.x), max(fighter.x + fighter.side, target.x + target.side) - 1
    for y in range(min(fighter.y, target.y), max(fighter.y + fighter.side, target.y + target.side)):
        if not has_bits(fight.covering[y + 1], left, right):
            continue
        for x in range(left, right + 1):
            levels = COVER_GIVEN[cell_at(fight, x, y)]
            if levels > best and (
                covers_square(target, x, y)
                or (distance_to_square(fight, i, x, y) > 1 and crosses(ax, ay, bx, by, x, y))
            ):
                best = levels
    return best


@rule("Combat > Special Circumstances > Cover", "R-85")
def is_sheltered(fight, j):
    """Return whether the fighter shares the space of an ally two or more sizes larger, which gives a level of cover."""
    fighter = fight.fighters[j]
    if fighter.bulky and fighter.climbing == NOBODY and fighter.status == STANDING:
        return False  # no other fighter is in its space
    for place in range(fighter.ally_count):
        other = fight.fighters[fighter.allies[place]]
        larger = np.int64(other.size_rank) - fighter.size_rank >= SIZES_TO_SHELTER
        if larger and other.status == STANDING and distance(fight, j, fighter.allies[place]) == 0:
            return True
    return False


@compiled
def is_open_between(fight, i, j):
    """Return whether the rectangle around two fighters holds nothing that gives cover."""
    fighter, target = fight.fighters[i], fight.fighters[j]
    left, right = min(fighter.x, target.x), max(fighter.x + fighter.side, target.x + target.side) - 1
    for y in range(min(fighter.y, target.y), max(fighter.y + fighter.side, target.y + target.side)):
        if has_bits(fight.walls[y + 1] | fight.covering[y + 1], left, right):
            return False
    return True


@compiled
def forget_cover(fight, i):
    """Invalidate fighter i's cover after a move, in both directions."""
    for j in range(MOST_FIGHTERS):
        fight.cover[cover_index(i, j)] = UNKNOWN
        fight.cover[cover_index(j, i)] = UNKNOWN


@on_map(None)
@compiled
def store_cover(fight, moved, lands):
    """Store the cover between fighters after some have moved, from a cache of the cover between squares.

    Fights meet the same pairs of squares again and again, so the single record of `lands` caches level + 1 for each
    pair, and 0 for a pair that has not been computed yet. The cache is valid for the scenario's original map and for
    spaces of one square: large bodies and changed maps are left to terrain_cover. Squares are numbered within the map,
    so that the table of a small map stays in the processor's cache.
    """
    if moved == 0 or fight.changes > 0:
        return
    known, width = lands[0].cover, np.int64(fight.width)
    area = width * fight.height
    for i in range(fight.n):
        for j in range(fight.n if fight.fighters[i].side == 1 else 0):
            k = cover_index(i, j)
            if fight.cover[k] == UNKNOWN and i != j and fight.fighters[j].side == 1:
                first, second = fight.fighters[i], fight.fighters[j]
                squares = np.uint64((first.y * width + first.x) * area + second.y * width + second.x)
                if known[squares] == 0:
                    known[squares] = terrain_cover(fight, i, j) + 1
                fight.cover[k] = known[squares] - 1


@inlined
def cover_index(i, j):
    """Return the index at which the cover of fighter j against fighter i is stored."""
    return np.int64(i) * MOST_FIGHTERS + j


@compiled
def crosses(ax, ay, bx, by, x, y):
    """Return whether the line from a to b crosses the inside of square x, y; touching does not count.

    The coordinates of a and b are in half squares.
    """
    left, top = 2 * x, 2 * y
    if max(ax, bx) <= left or min(ax, bx) >= left + 2 or max(ay, by) <= top or min(ay, by) >= top + 2:
        return False
    dx, dy = bx - ax, by - ay
    lowest = highest = dx * (top - ay) - dy * (left - ax)  # signed offset of the square's corners from the line
    for corner in (lowest + 2 * dx, lowest - 2 * dy, lowest + 2 * dx - 2 * dy):
        lowest, highest = min(lowest, corner), max(highest, corner)
    return lowest < 0 < highest


@compiled
def blocks_line(fight, i, j, x, y):
    """Return whether a wall, pillar or closed door blocks lines at x, y; squares in the spaces of i and j never do."""
    if not IS_WALL[cell_at(fight, x, y)]:
        return False
    return not covers_square(fight.fighters[i], x, y) and not covers_square(fight.fighters[j], x, y)


@inlined
def center(fighter):
    """Return the center x, y, in half squares, of a fighter's space."""
    return 2 * np.int64(fighter.x) + fighter.side, 2 * np.int64(fighter.y) + fighter.side


@inlined
def lies_between(fighter, target, x, y):
    """Return whether a square overlaps the strip, as wide as the larger space, between two fighters' centers."""
    ax, ay = center(fighter)
    bx, by = center(target)
    dx, dy = bx - ax, by - ay
    off = dx * (2 * y + 1 - ay) - dy * (2 * x + 1 - ax)
    return abs(off) < (abs(dx) + abs(dy)) * (max(fighter.side, target.side) + 1)

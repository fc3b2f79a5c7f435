"""Visibility on a grid of squares: how many corners of one square space stay hidden from the best point of another.

    y = 0      +---------+                               0 +-----+ 1
               |  space  |          +---+                  |     |
               |         |          |###| wall             |     |
    y = side   +---------+          +---+                2 +-----+ 3
             x = 0    x = side                         x = east   x = east + width

The viewer may be at any point of its space, [0, side] by [0, side]. The target is at least one square further east, and
at least as far away east as it is north or south; the caller rotates and mirrors the map to fit. Walls are whole
squares. All numbers are integers and fractions of integers, so nothing is rounded.

1. Look west from a corner of the target. Each line from there has a slope, squares south per square west. The slopes
   of the lines that meet the space form a closed interval (`open_gaps`).
2. A wall hides the slopes strictly between those of the two lines that touch it. What remains of the interval are the
   corner's gaps, which are closed intervals too (`hide`):

       corner 2, looking west:   lowest [=====]     ( shadow )     [=========] highest     two gaps

3. A corner without a gap is hidden from every point. A corner with gaps is seen from the points of the space between
   the lowest and the highest line of one of them: a wedge. The points that see several corners at once are where their
   wedges overlap. Such an overlap is convex, so one of its vertices is in the space, and a vertex is the crossing of
   two lines: edges of wedges or of the space. The best point is therefore among those crossings (`fewest_hidden`).

Shadows as intervals of slopes are from recursive shadowcasting (B. Bergström, "FOV using recursive shadowcasting",
RogueBasin, 2001), here cast exactly and from the target. That the deepest point among wedges is a crossing of lines is
the usual argument on arrangements of lines (M. de Berg et al., "Computational Geometry", 3rd edition, chapter 8).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from heartrush_env.tabletop.arrays import workspace
from heartrush_env.tabletop.rule import compiled, inlined

CORNERS = 4
# The most gaps of a corner. Between two gaps is the whole shadow of a wall. For a corner d squares east of a space of
# this side, a shadow spans at least 1 / (d + side). All slopes to the space span side / d, and h * side / (d * (d +
# side)) more if the corner is h squares north or south of it. Sides are at most 4. The target is at least as far
# east as it is north or south, so h is at most d + 4. In total there is room for at most 40 shadows.
MOST_GAPS = 41
# Columns of a gap: the lowest slope and the highest, squares south and squares west of each.
LOW, LOW_WEST, HIGH, HIGH_WEST = range(4)
# Columns of a line a * x + b * y = c. Lines come in pairs, the lower and the upper bound of a strip: first two strips
# for the space, then one for each gap.
A, B, C = range(3)
SPACE_LINES = 4
LINES = SPACE_LINES + 2 * CORNERS * MOST_GAPS


class View(NamedTuple):
    """The two spaces, in squares: the side of the viewer's, and the northwest corner and width of the target's."""

    side: int
    east: int
    south: int
    width: int


new_gaps = workspace((CORNERS, MOST_GAPS, 4), np.int8)
new_counts = workspace((CORNERS,), np.int64)
new_lines = workspace((LINES, 3), np.int32)


@inlined
def is_less(south, west, other_south, other_west):
    """Return whether one slope is below another; one of the two may be vertical, with no squares west."""
    return south * other_west < other_south * west


@inlined
def corner_x(k, view):
    """Return the x of the target's corner k: northwest, northeast, southwest or southeast, for k from 0 to 3."""
    return view.east + (k & 1) * view.width


@inlined
def corner_y(k, view):
    """Return the y of the target's corner k: northwest, northeast, southwest or southeast, for k from 0 to 3."""
    return view.south + (k >> 1) * view.width


@inlined
def set_gap(gaps, k, place, low, low_west, high, high_west):
    """Write a gap of corner k."""
    gaps[k, place, LOW], gaps[k, place, LOW_WEST] = low, low_west
    gaps[k, place, HIGH], gaps[k, place, HIGH_WEST] = high, high_west


@inlined
def open_gaps(gaps, counts, view):
    """Give each corner one gap, with all slopes to the space, as if there were no walls."""
    for k in range(CORNERS):
        far = corner_x(k, view)
        near = far - view.side
        low = -corner_y(k, view)
        high = low + view.side
        set_gap(gaps, k, 0, low, far if low > 0 else near, high, near if high > 0 else far)
        counts[k] = 1


@inlined
def hide(gaps, counts, view, x, y, joined_north, joined_south):
    """Remove from the gaps the slopes that a wall hides, and return a bit for each corner that lost any.

    The wall is the square x, y. It is joined to the squares north and south of it if they block lines too: a line along
    the edge shared by two walls is blocked, so both count as one wall there.
    """
    cut = 0
    for k in range(CORNERS):
        corner = corner_y(k, view)
        far = corner_x(k, view) - x
        near = far - 1
        if counts[k] == 0 or near < 0:
            continue  # nothing is left to hide, or the wall is beyond the corner
        if x < view.side and not (y < 0 and corner < 0) and not (y >= view.side and corner > view.side):
            continue  # the wall is beside the space: lines from this corner pass it after the space or never
        top = y - corner
        bottom = top + 1
        if joined_north and top == 0:
            top -= 1
        if joined_south and bottom == 0:
            bottom += 1
        top_west = near if top < 0 else far
        bottom_west = near if bottom > 0 else far
        for place in range(counts[k] - 1, -1, -1):
            low, low_west = np.int64(gaps[k, place, LOW]), np.int64(gaps[k, place, LOW_WEST])
            high, high_west = np.int64(gaps[k, place, HIGH]), np.int64(gaps[k, place, HIGH_WEST])
            if not is_less(top, top_west, high, high_west) or not is_less(low, low_west, bottom, bottom_west):
                continue
            cut |= 1 << k
            leaves_low = not is_less(top, top_west, low, low_west)
            leaves_high = not is_less(high, high_west, bottom, bottom_west)
            if leaves_low:
                set_gap(gaps, k, place, low, low_west, top, top_west)
                if leaves_high:
                    set_gap(gaps, k, counts[k], bottom, bottom_west, high, high_west)
                    counts[k] += 1
            elif leaves_high:
                set_gap(gaps, k, place, bottom, bottom_west, high, high_west)
            else:
                counts[k] -= 1
                last = gaps[k, counts[k]]
                set_gap(gaps, k, place, last[LOW], last[LOW_WEST], last[HIGH], last[HIGH_WEST])
    return cut


@compiled
def fewest_hidden(gaps, counts, cut, view):
    """Return the fewest hidden corners over all viewpoints in the viewer's space.

    `cut` has a bit for each corner that is hidden from a part of the space or from all of it.
    """
    hidden = partly = 0
    for k in range(CORNERS):
        hidden += counts[k] == 0
        partly += counts[k] > 0 and cut >> k & 1
    if partly < 2:
        return hidden
    lines = new_lines()
    set_line(lines, 0, 1, 0, 0)
    set_line(lines, 1, 1, 0, view.side)
    set_line(lines, 2, 0, 1, 0)
    set_line(lines, 3, 0, 1, view.side)
    number = SPACE_LINES
    for k in range(CORNERS):
        if cut >> k & 1:
            x, y = corner_x(k, view), corner_y(k, view)
            for place in range(counts[k]):
                for end in (LOW, HIGH):
                    a, b = np.int64(gaps[k, place, end]), np.int64(gaps[k, place, end + 1])
                    set_line(lines, number, a, b, a * x + b * y)
                    number += 1
    most = 0
    for one in range(number):
        for other in range(one):
            most = max(most, seen_at_crossing(lines, one, other, counts, cut))
            if most == partly:
                return hidden
    return hidden + partly - most


@inlined
def set_line(lines, place, a, b, c):
    """Write the line a * x + b * y = c at an index."""
    lines[place, A], lines[place, B], lines[place, C] = a, b, c


@inlined
def seen_at_crossing(lines, one, other, counts, cut):
    """Return how many of the corners in `cut` are seen from the crossing of two lines; 0 if it is outside the space."""
    w = lines[one, A] * lines[other, B] - lines[other, A] * lines[one, B]
    if w == 0:
        return 0
    x = lines[one, C] * lines[other, B] - lines[other, C] * lines[one, B]
    y = lines[one, A] * lines[other, C] - lines[other, A] * lines[one, C]
    if w < 0:
        x, y, w = -x, -y, -w
    if not is_in_strip(lines, 0, x, y, w) or not is_in_strip(lines, 2, x, y, w):
        return 0
    seen = 0
    strip = SPACE_LINES
    for k in range(CORNERS):
        if cut >> k & 1:
            sees = False
            for _ in range(counts[k]):
                sees = sees or is_in_strip(lines, strip, x, y, w)
                strip += 2
            seen += sees
    return seen


@inlined
def is_in_strip(lines, strip, x, y, w):
    """Return whether the point x / w, y / w is between the two lines from index `strip` on, or on one of them."""
    low = lines[strip, A] * x + lines[strip, B] * y
    high = lines[strip + 1, A] * x + lines[strip + 1, B] * y
    return low >= lines[strip, C] * w and high <= lines[strip + 1, C] * w

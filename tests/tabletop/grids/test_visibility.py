"""Visible corners between two spaces of squares: cases worked out by hand, and the symmetry of the two axes."""

import pytest

from heartrush_env.tabletop.grids.visibility import View, fewest_hidden, hide, new_counts, new_gaps, open_gaps

Square = tuple[int, int]


def hidden(walls: list[Square], view: View, *, joined: bool = True) -> int:
    """Return the fewest hidden corners; walls that touch north and south count as one if they are `joined`."""
    gaps, counts, cut = new_gaps(), new_counts(), 0
    open_gaps(gaps, counts, view)
    for x, y in walls:
        north, south = joined and (x, y - 1) in walls, joined and (x, y + 1) in walls
        cut |= hide(gaps, counts, view, x, y, north, south)
    return int(fewest_hidden(gaps, counts, cut, view))


NEAR = View(side=1, east=3, south=0, width=1)  # a space of one square, and another one three squares to the east


@pytest.mark.parametrize(
    ("walls", "view", "expected"),
    [
        ([], NEAR, 0),
        # From (0, 0) the lines to the two northern corners run along the wall's edge. Every point of the space sees the
        # northern or the southern corners at most, because the wall is as wide as both spaces.
        ([(1, 0)], NEAR, 2),
        ([(2, 0)], NEAR, 2),
        # From (0, 0) and (1, 0) all lines pass south of this wall or along its edge.
        ([(1, -1)], NEAR, 0),
        ([(1, -1), (1, 0), (1, 1)], NEAR, 4),
        # Through the middle of the open column, all four corners are seen from (1, 0.5).
        ([(1, -1), (1, 1)], NEAR, 0),
        ([(1, 5)], NEAR, 0),
        ([(5, 0)], NEAR, 0),  # beyond the target
        # Spaces of four by four squares, and a wall in the middle. From (4, 0) the line to the far southern corner,
        # (12, 4), touches the wall's corner (6, 1), and the line to the near one, (8, 4), crosses the wall. To see both
        # near corners past the wall from (4, y), y would have to be 4/3 at most and 8/3 at least.
        ([(5, 1), (5, 2)], View(side=4, east=8, south=0, width=4), 1),
        ([(5, y) for y in range(4)], View(side=4, east=8, south=0, width=4), 2),
    ],
)
def test_hidden_corners_are_those_worked_out_by_hand(walls: list[Square], view: View, expected: int) -> None:
    assert hidden(walls, view) == expected


def test_a_line_along_the_edge_between_two_walls_is_blocked_only_if_they_are_joined() -> None:
    """Without joining, the lines from (0, 0) to the two northern corners run between the walls."""
    walls = [(1, -1), (1, 0)]
    assert hidden(walls, NEAR, joined=False) == 2
    assert hidden(walls, NEAR) == 2  # from (0, 1), the southern corners are still seen
    assert hidden([*walls, (1, 1)], NEAR, joined=False) == 2
    assert hidden([*walls, (1, 1)], NEAR) == 4


@pytest.mark.parametrize("wall", [(x, y) for x in range(1, 6) for y in range(-2, 5)])
def test_north_and_south_are_alike(wall: Square) -> None:
    view, mirrored = View(side=2, east=6, south=1, width=2), View(side=2, east=6, south=-1, width=2)
    x, y = wall
    assert hidden([wall], view) == hidden([(x, 1 - y)], mirrored)

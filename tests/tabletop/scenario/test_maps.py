"""The check of a map drawn in glyphs: every fault is reported with its row and column."""

import pytest

from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.scenario.maps import check_map, exits_of
from heartrush_env.tabletop.validate import Faults


def faults_of(*rows: str) -> str:
    """Return the message about a map, at most 4 by 2 squares; it is empty for a good map."""
    faults = Faults()
    check_map(rows, {".": "open", "#": "wall"}, 4, 2, "here", faults)
    try:
        faults.settle("here")
    except ScenarioError as fault:
        return str(fault)
    return ""


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ((), "here: map: expected 1 to 2 rows of 1 to 4 squares, but the map has no rows."),
        (
            ("....", "..."),
            "map: expected 4 squares in row 1 as in row 0 (counted from 0), got 3: it ends before column 3.",
        ),
        ((".....",), "expected at most 2 rows of 4 squares, got 1 rows of 5; the last row is 1 and the last column 3"),
        ((".?..", "...?"), "here: map: expected '.' open or '#' wall, got '?' in row 0, column 1 (counted from 0)."),
    ],
)
def test_a_bad_map_is_refused_in_a_sentence(rows: tuple[str, ...], why: str) -> None:
    assert why in faults_of(*rows)


def test_a_rectangle_of_known_glyphs_is_allowed() -> None:
    assert faults_of(".#..", "....") == ""


def test_all_faults_are_told_at_once() -> None:
    said = faults_of("?...", "!..")
    assert (
        "4 squares in row 1 as in row 0 (counted from 0), got 3" in said
        and "'?' in row 0" in said
        and "'!' in row 1" in said
    )


def test_fighters_leave_by_the_open_squares_of_the_edge_or_by_those_that_are_given() -> None:
    rows = ["..#", "...", "~.."]
    assert exits_of(rows, None, "#~") == [(0, 0), (1, 0), (0, 1), (2, 1), (1, 2), (2, 2)]
    assert exits_of(rows, [(1, 1), (2, 0)], "#~") == [(1, 1)]
    assert exits_of((), None, "#~") == []

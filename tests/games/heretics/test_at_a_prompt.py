"""A person at the prompt reads squares of the map and the items of an inventory, not numbers of the action table."""

import re

import pytest

from tests.app.cli.scripted import lines, played

GATE = ("gate", "--game", "heretics", "--seat", "sellsword_0", "--enemy", "heretics_captain", "--seed", "3")


@pytest.mark.parametrize("typed", ["12,9", "to 12 9"])
def test_a_square_is_typed_by_its_column_and_its_row(typed: str) -> None:
    """The sellsword is on 7,7 of the map of the gate; 12,9 is five squares away."""
    _, shown, person = played(lines("move", typed), *GATE)
    assert "Type a square marked +: its column and row, as in 7,4. Yours is 7,7.\n" in person.asked[1]
    assert "Sellsword moves 5 squares." in shown
    assert re.search(r"^ 9 \.{12}A\.{3}$", person.asked[2], re.MULTILINE)


def test_the_squares_that_a_move_can_reach_are_marked() -> None:
    """The two squares of the passage are free; allies and enemies hold theirs, and walls cannot be entered."""
    _, _, person = played(lines("move"), *GATE)
    rows = re.findall(r"^[ \d]\d (\S{16})$", person.asked[1], re.MULTILINE)
    assert len(rows) == 10 and rows[4] == rows[5] == "#######++#######"
    assert rows[7] == "+++++++AB+++++++" and rows[8] == "+++++++C++++++++" and rows[3][6:10] == "E+FG"


def test_a_square_out_of_reach_is_refused_and_asked_again() -> None:
    """No answer is completed: 1,1 is not the beginning of another square."""
    for typed in ("8,7", "1,1", "99,1"):
        _, _, person = played(lines("move", typed), *GATE)
        column, row = typed.split(",")
        assert f"You cannot end on column {column}, row {row}." in person.asked[2]


def test_a_move_is_taken_back_by_staying_on_ones_own_square() -> None:
    _, shown, person = played(lines("move", "7,7"), *GATE)
    assert "Sellsword moves" not in shown and "take what is in" in person.asked[2]


def test_a_slot_of_the_inventory_is_offered_with_the_item_in_it() -> None:
    """The sellsword carries a dagger and a sling."""
    _, _, person = played(lines("stay"), *GATE)
    assert "take what is in slot 1 (dagger)" in person.asked[1] and "take what is in slot 2 (sling)" in person.asked[1]

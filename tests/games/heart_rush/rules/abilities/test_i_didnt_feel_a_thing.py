"""I Didn't Feel A Thing: the next damage is halved."""

import pytest

from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("I Didn't Feel A Thing")


def struck(rogue: dict) -> Table:
    """Let the knight hit the rogue for 7, up to the window before the damage lands."""
    table = Table({"knight": {}, "rogue": rogue}, [(5, 3, 1), (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning")
    return table


@pytest.mark.parametrize(("answer", "left"), [("take", 40 - 3), ("shrug", 40 - 2)])
def test_damage_is_halved_and_rounded_down_before_it_is_shrugged_off(answer: str, left: int) -> None:
    table = struck({"abilities": ["i_didnt_feel_a_thing"]})
    assert (table.window, table.choosers()) == ("instant", {"rogue"})
    table.play(rogue="use a")
    assert table.window == "shrug"
    table.play(rogue=answer)
    assert (table.hp("rogue"), table.last("use")["fighter"]) == (left, "rogue")


def test_others_are_not_asked() -> None:
    table = Table({"knight": {"abilities": ["i_didnt_feel_a_thing"]}, "rogue": {}}, [(5, 3, 1), (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.window == "shrug"

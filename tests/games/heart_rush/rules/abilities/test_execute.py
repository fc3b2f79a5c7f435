"""Execute: a creature that has fallen to 0 dies."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Table

pytestmark = pytest.mark.heading("Execute")
OWNER = {"abilities": ["execute"]}
HIT: Dice = [(5, 3, 1), (1, 1)]  # 9 against 2: 7 damage


def struck(knight: dict, hp_now: int, dice: Dice) -> Table:
    """Let the knight attack the rogue, a hero with these hit points left."""
    table = Table({"knight": knight, "rogue": {"hp_now": hp_now}}, dice, heroes="red")
    table.engage(knight="might: attack 1", rogue="cunning")
    if table.window == "shrug":
        table.play()
    return table


def test_a_creature_that_its_damage_takes_to_0_dies() -> None:
    table = struck(OWNER, 7, HIT)
    assert table.window == "instant"
    table.play(knight="use_at 1 a")
    assert (table.status("rogue"), table.ending) == ("dead", ("victory", ["blue"]))


def test_left_alone_it_lives() -> None:
    table = struck(OWNER, 7, HIT)
    table.play()
    assert (table.window, table.status("rogue")) == ("yield", "standing")


@pytest.mark.parametrize("hp_now", [8, -3])
def test_one_that_still_stands_or_was_down_before_does_not(hp_now: int) -> None:
    table = struck(OWNER, hp_now, HIT)
    assert (table.hp("rogue"), table.window == "instant") == (hp_now - 7, False)


def test_neither_does_one_felled_by_another() -> None:
    fighters = {"knight": OWNER, "rogue": {"hp_now": 7}, "monk": {"team": "blue"}}
    table = Table(fighters, HIT, heroes="red")
    table.engage(monk="might: attack 1", rogue="cunning").play()
    assert table.window == "yield"


@pytest.mark.interplay("execute", "faceless_servant.vanish")
def test_one_that_vanishes_at_the_same_damage_has_fallen_too() -> None:
    table = Table(
        {"knight": OWNER, "rogue": {"hp_now": 7, "abilities": ["faceless_servant.vanish"]}}, HIT, heroes="red"
    )
    table.engage(knight="might: attack 1", rogue="cunning").play()
    assert (table.window, table.legal("knight")) == ("instant", ["pass", "use_at 1 a"])
    table.play()
    assert (table.status("rogue"), table.window) == ("dead", "over"), "it does not choose whether it yields"

"""Swap of the Queen Rat: it trades places with an ally, and the damage misses."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Swap", "Movement")
QUEEN: Fields = {"abilities": ["queen_rat.swap"]}
HURTS: Dice = [(5, 3, 1), (1, 1)]


def struck(ground: str = ".QK..\n.....\n...R.", dice: Dice = HURTS, queen: Fields = QUEEN, **rat: object) -> Table:
    """Return a table at which the knight's attack on the queen is about to land."""
    table = on_map(ground, {"queen": queen, "knight": {}, "rat": {"team": "blue", **rat}}, dice)
    return table.engage(knight="cunning: attack 1", queen="agility", rat="agility")


def test_the_damage_hurts_neither_of_them() -> None:
    table = struck()
    assert (table.window, table.legal("queen")) == ("instant", ["pass", "use_for 1 a"])
    table.restore().play(queen="use_for 1 a").pass_to("attack", "agility")
    assert (at(table, "queen"), at(table, "rat")) == ((3, 2), (1, 0))
    assert (table.hp("queen"), table.hp("rat"), table.faults()) == (40, 40, [])


def test_without_it_the_damage_lands() -> None:
    table = struck().play(queen="pass").play(queen="take")
    assert (table.hp("queen"), at(table, "queen")) == (33, (1, 0))


def test_once_a_round() -> None:
    fighters = {"queen": QUEEN, "knight": {}, "rat": {"team": "blue"}, "monk": {"agility": 4}}
    table = on_map("MQK..\n.....\n...R.", fighters, [*HURTS, *HURTS])
    table.pass_to("stance").play(
        knight="stance cunning", monk="stance cunning", queen="stance agility", rat="stance agility"
    )
    table.play(knight="attack 1", monk="attack 1").play(queen="use_for 1 a")
    assert table.window == "shrug" and table.choosers() == {"queen"}
    assert table.play(queen="take").hp("queen") == 40, "the knight's blow misses"
    assert table.play(queen="take").hp("queen") == 33, "the monk's does not"


@pytest.mark.parametrize(
    ("ground", "rat"),
    [
        ("QQK..\nQQ...\n####R", {}),  # the large queen does not fit into the corner
        (".QK..\n.....\n...R.", {"conditions": {"grappled": {"source": "knight"}}}),
    ],
)
def test_not_where_one_of_them_does_not_fit_or_is_held(ground: str, rat: Fields) -> None:
    queen = {**QUEEN, "size": "L2"} if "QQ" in ground else QUEEN
    if rat:
        ground = ".QKR.\n.....\n....."
    dice = [(5, 3, 1, 6), (1, 1)] if rat else HURTS  # a grappler has disadvantage
    assert struck(ground, dice, queen, **rat).window == "shrug"


def test_a_dead_ally_and_no_map_leave_nobody_to_trade_with() -> None:
    table = Table({"queen": QUEEN, "knight": {}, "rat": {"team": "blue"}}, HURTS)
    table.engage(knight="cunning: attack 1", queen="agility", rat="agility")
    assert table.window == "shrug"


@pytest.mark.heading("Opportunity Attacks")
def test_not_in_the_middle_of_a_dash() -> None:
    fighters = {"queen": QUEEN, "knight": {}, "rat": {"team": "blue"}}
    table = on_map(".QK..\n.....\n...R.", fighters, HURTS).play(queen="dash -1,0")
    table.play(knight="opportunity 1 cunning")
    assert table.window == "shrug"
    assert (table.play().hp("queen"), at(table, "queen")) == (33, (0, 0))

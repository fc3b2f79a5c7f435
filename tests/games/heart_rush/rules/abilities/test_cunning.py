"""Cunning: twice the levels of the cunning effect, and a further die for rounds in a row in cunning."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, strike

pytestmark = pytest.mark.heading("Cunning")


@pytest.mark.parametrize(("named", "levels"), [("dazed+dazed", 4), ("dazed", 2)])
def test_the_cunning_effect_gives_twice_the_levels(named: str, levels: int) -> None:
    table = strike(
        {"talents": ["cunning"]}, stance="cunning", against="agility", choice=f"attack 1 {named}",
        dice=[(1, 1, 1), (4, 4)],
    )  # fmt: skip
    assert max(table.history("rogue", "dazed")) == levels


def rounds(owner: Fields, stances: list[str], dice: Dice) -> Table:
    """Play rounds in these stances without attacks, then one in which the knight attacks the rogue in cunning."""
    table = Table({"knight": owner, "rogue": {}}, dice)
    for stance in stances:
        table.engage(knight=stance).finish_round()
    table.engage(knight="cunning", rogue="might")
    return table


@pytest.mark.parametrize(
    ("stances", "sides"),
    [(["cunning"], 6), (["cunning"] * 2, 8), (["cunning"] * 3, 10), (["cunning"] * 4, 12), (["cunning"] * 5, 20),
     (["cunning"] * 6, 20), (["cunning", "might", "cunning"], 6)],
)  # fmt: skip
def test_a_streak_adds_a_die_that_grows(stances: list[str], sides: int) -> None:
    table = rounds({"destiny_talents": ["cunning"]}, stances, [(1, 2, 3), (2, 2), 1])
    table.pass_to("attack", "might").play(rogue="attack 1")
    assert table.last("attack")["defense_pool"][2:] == [["bonus", sides, 1]]


@pytest.mark.parametrize(("field", "total"), [("talents", 6), ("destiny_talents", 11)])
def test_the_die_of_a_streak_is_for_attacks_of_the_destiny_version_as_well(field: str, total: int) -> None:
    dice = [(1, 2, 3), (5,) if field == "destiny_talents" else (), (1, 1)]
    table = Table({"knight": {field: ["cunning"]}, "rogue": {}}, dice).engage(knight="cunning")
    table.finish_round().engage(knight="cunning: attack 1", rogue="agility")
    assert table.rolls() == (total, 2)

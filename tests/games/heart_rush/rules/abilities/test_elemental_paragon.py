"""Elemental Paragon: bolts that carry 120 feet, and blasts of 10 feet at any number."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Elemental Paragon")

HIT: Dice = [(5, 4, 3), (2, 2)]
FOES: Fields = {"rogue": {}, "fox": {}, "owl": {}}


def paragon(cantrip: str, *more: str) -> Fields:
    return {"abilities": ["warcaster", "elemental_paragon", *more], "weapon": cantrip}


@pytest.mark.parametrize("held", [True, False])
def test_bolts_carry_120_feet(held: bool) -> None:
    fields = paragon("dark_bolt") if held else {**paragon("shortsword"), "spare_weapon": "dark_bolt"}
    for between, dice in ((23, HIT), (24, [(5, 4, 3, 8), (2, 2)])):  # a d8 of disadvantage beyond
        table = on_map(f"M{'.' * between}R", {"mage": fields, "rogue": {}}, dice)
        if not held:
            table.play(mage="swap")
        table.engage(mage="might: attack 1", rogue="cunning")
        assert table.rolls() == (12, 4)


@pytest.mark.interplay("elemental_paragon", "warcaster")
def test_blasts_reach_10_feet() -> None:
    table = on_map("M.R", {"mage": paragon("blast_of_darkness"), "rogue": {}}, HIT)
    table.engage(mage="agility: attack 1", rogue="might").finish_round()
    assert table.conditions("rogue") == {"weakened": 1}


def test_other_weapons_reach_no_farther() -> None:
    table = on_map("M.R", {"mage": paragon("shortsword"), "rogue": {}}).pass_to("stance")
    table.play(mage="stance might", rogue="stance cunning").finish_round()
    assert table.events_of("attack") == []


def test_blasts_strike_any_number() -> None:
    table = Table({"mage": paragon("blast_of_darkness"), **FOES}, [*HIT, *HIT, *HIT])
    table.engage(mage="agility: attack 1").play(mage="attack 2").play(mage="attack 3").finish_round()
    assert [event["target"] for event in table.events_of("attack")] == ["rogue", "fox", "owl"]
    assert [table.history(name, "weakened")[0] for name in FOES] == [2, 2, 2]


def test_bolts_and_weapons_strike_one() -> None:
    for weapon in ("dark_bolt", "dagger"):
        table = Table({"mage": paragon(weapon), **FOES}, HIT).engage(mage="agility: attack 1")
        assert table.window != "follow_up"

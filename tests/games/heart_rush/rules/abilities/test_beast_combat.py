"""Beast Combat: the animals attack in engagements, and help for free."""

import pytest

from tests.games.heart_rush.rules.abilities.test_beast_companion import DOG
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Beast Combat")
OWNER: Fields = {"talents": ["beast_companion"], "abilities": ["beast_combat"]}


def test_the_animal_attacks_in_engagements() -> None:
    """Heart 6, might 5 and weapon 8 against 1 and 1."""
    table = Table({"knight": OWNER, "dog": DOG, "rogue": {}}, [(6, 5, 8), (1, 1)])
    table.engage(dog="might: attack 1", rogue="cunning").finish_round()
    assert table.hp("rogue") == 40 - 17


def test_it_still_starts_none() -> None:
    fighters: dict[str, Fields] = {"knight": OWNER, "dog": DOG, "rogue": {"conditions": {"prone": 1}}}
    table = Table(fighters).play(rogue="stand")
    assert (table.window, table.choosers()) == ("opportunity", {"knight"})
    assert "engage 1" not in Table(fighters, [4], {"edition": "classic"}).legal("dog")


def test_once_a_round_it_helps_for_free() -> None:
    table = Table({"knight": OWNER, "dog": DOG, "rogue": {}}).play(dog="help 1")
    assert table.fighter("dog")["action"] and table.fighter("knight")["loadout"]["b"]["ability"] == "beast_combat"
    table.play(dog="help 1")
    assert not table.fighter("dog")["action"] and "help 1" not in table.legal("dog")
    table.finish_round().play(dog="help 1")
    assert table.fighter("dog")["action"], "it is free again in the next round"


def test_its_owner_and_other_deeds_are_not_free() -> None:
    spare = {**DOG, "spare_weapon": "dagger"}
    table = Table({"knight": OWNER, "dog": spare, "rogue": {}}).play(knight="help 1", dog="swap").play(dog="swap")
    assert (table.fighter("knight")["action"], table.fighter("dog")["action"]) == (False, False)
    assert "swap" not in table.legal("dog") and "help 1" in table.legal("dog")


def test_above_the_fray_gives_the_animal_one_more() -> None:
    table = Table({"knight": OWNER, "dog": {**DOG, "abilities": ["above_the_fray"]}, "rogue": {}})
    for left in (True, True, False):
        table.play(dog="help 1")
        assert table.fighter("dog")["action"] is left


@pytest.mark.heading("Beast Bond")
def test_an_animal_that_may_make_any_attack_is_not_held_to_engagements() -> None:
    owner = {**OWNER, "destiny_talents": ["beast_bond"]}
    table = Table({"knight": owner, "dog": DOG, "rogue": {"conditions": {"prone": 1}}}).play(knight="use_for 1 b")
    table.play(rogue="stand")
    assert (table.window, table.choosers()) == ("opportunity", {"dog"})

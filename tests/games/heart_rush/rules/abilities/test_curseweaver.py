"""Curseweaver: the cursed fighter is hurt when it attacks those whom the curse protects."""

import pytest

from heartrush_env.tabletop.errors import DiceError
from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Curseweaver")
OWNER = {"talents": ["curseweaver"]}


def cursed(fighters: Fields, dice: Dice, stances: dict[str, str], choices: dict[str, str]) -> Table:
    """Let the mage curse the rogue; then make these choices in the might phase."""
    table = Table(fighters, dice).play(mage="use_at 1 a").engage(**stances).pass_to("attack", "might")
    table.play(**choices)
    while table.window == "shrug":
        table.play()
    return table


@pytest.mark.parametrize(("field", "damage"), [("talents", 6), ("destiny_talents", 10)])
@pytest.mark.parametrize("choice", ["attack 1", "attack 2"])
def test_an_attack_on_the_owner_or_a_friend_hurts_the_cursed(field: str, damage: int, choice: str) -> None:
    fighters = {"mage": {field: ["curseweaver"]}, "rogue": {}, "page": {"team": "blue"}}
    stances = {"mage": "cunning", "page": "cunning", "rogue": "might"}
    table = cursed(fighters, [(1, 1, 1), (4, 4), damage], stances, {"rogue": choice})
    assert (table.hp("rogue"), table.last("damage")["cause"]) == (40 - damage, "ability")


def test_the_base_version_has_no_larger_die() -> None:
    stances = {"mage": "cunning", "rogue": "might"}
    with pytest.raises(DiceError, match="1 to 6 for a d6, got 10"):
        cursed({"mage": OWNER, "rogue": {}}, [(1, 1, 1), (4, 4), 10], stances, {"rogue": "attack 1"})
    Table.laid.clear()  # the fight is not played to its end


def test_another_enemy_is_not_cursed() -> None:
    fighters = {"mage": OWNER, "rogue": {}, "fox": {}}
    stances = {"mage": "cunning", "fox": "might"}
    assert cursed(fighters, [(1, 1, 1), (4, 4)], stances, {"fox": "attack 1"}).events_of("damage") == []


def test_in_a_contest_only_who_attacks_is_hurt() -> None:
    fighters, stances = {"mage": OWNER, "rogue": {}}, {"mage": "might", "rogue": "might"}
    table = cursed(fighters, [(1, 1, 1), (1, 1, 1)], stances, {"mage": "attack 1"})
    assert table.hp("rogue") == 40
    table = cursed(fighters, [(1, 1, 1), (1, 1, 1), 5], stances, {"mage": "attack 1", "rogue": "attack 1"})
    assert table.hp("rogue") == 40 - 5


@pytest.mark.parametrize(
    ("abilities", "further"),
    [
        ([], []),  # the rogue answers the mage's further attack
        (["several_attacks"], [4]),  # the further attack is that of both
    ],
)
@pytest.mark.interplay("curseweaver", "several_attacks")
def test_a_further_attack_in_a_contest_hurts_the_cursed_if_it_is_its_own(
    abilities: list[str], further: list[int]
) -> None:
    fighters = {"mage": {**OWNER, "abilities": ["several_attacks"]}, "rogue": {"abilities": abilities}}
    dice, stances = [(1, 1, 1), (1, 1, 1)], {"mage": "might", "rogue": "might"}
    table = cursed(fighters, [*dice, 5, *dice, *further], stances, {"mage": "attack 1", "rogue": "attack 1"})
    assert table.hp("rogue") == 40 - 5 - sum(further)


@pytest.mark.parametrize(("between", "offered"), [(8, True), (9, False)])
def test_on_a_map_the_cursed_is_within_45_feet(between: int, offered: bool) -> None:
    table = on_map("M" + "." * between + "R..", {"mage": OWNER, "rogue": {}})
    assert ("use_at 1 a" in table.legal("mage")) == offered


@pytest.mark.parametrize(("between", "hurt"), [(8, 6), (9, 0)])
def test_on_a_map_friends_are_named_within_45_feet(between: int, hurt: int) -> None:
    drawing = "M" + "." * between + "P\n" + ".........R".ljust(between + 2, ".")
    fighters = {"mage": OWNER, "rogue": {}, "page": {"team": "blue"}}
    table = on_map(drawing, fighters, [(1, 1, 1), (4, 4), *([6] if hurt else [])]).play(mage="use_at 1 a")
    table.engage(rogue="agility: attack 2", page="might").finish_round()
    assert table.hp("rogue") == 40 - hurt

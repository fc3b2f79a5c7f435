"""Body Shield: a captive that takes its share."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Body Shield")
ARMOR = {"armor": "light", "shield": "light_shield"}  # a defense bonus of 2 and 1
# The knight holds a creature, so it rolls one more d8 and drops the highest result.
BLOW: Dice = [(7, 6, 5), (1, 1, 8)]


def attacked(field: str, dice: Dice = BLOW, *, against: str = "agility", fox: Fields | None = None) -> Table:
    """Let the fox attack the knight, which holds the rogue, in agility; the knight rolls defense."""
    held = {"conditions": {"grappled": {"levels": 1, "source": "knight"}}, **ARMOR}
    knight = {field: ["body_shield"], "rush": 3, "team": "blue"}
    fighters = {"knight": knight, "rogue": {"team": "red", **held}, "fox": {"team": "red", **(fox or {})}}
    table = Table(fighters, dice, {"contested": "mutual"})
    return table.engage(fox="agility: attack 1", knight=against)


@pytest.mark.parametrize(
    ("field", "against", "knight", "rogue"),
    [
        # 18 against 1 + 1 and the captive's 3: 13 damage, of which both take half, rounded up.
        ("talents", "agility", 7, 7),
        # In defensive stance 7 are left of 13: the owner takes half of its share of 7, the captive all of its own.
        ("talents", "defensive", 4, 7),
        ("destiny_talents", "agility", 0, 13),
    ],
)
def test_the_captive_lends_its_defense_bonus_and_shares_the_damage(
    field: str, against: str, knight: int, rogue: int
) -> None:
    table = attacked(field, against=against)
    assert table.window == "instant"
    table.play(knight="use a")
    assert table.rolls() == (18, 5)
    table.finish_round()
    assert (table.hp("knight"), table.hp("rogue")) == (40 - knight, 40 - rogue)


def test_without_it_the_owner_takes_all() -> None:
    table = attacked("talents")
    table.play()
    assert table.rolls() == (18, 2)
    table.finish_round()
    assert (table.hp("knight"), table.hp("rogue")) == (40 - 16, 40)


@pytest.mark.interplay("body_shield", "several_attacks")
def test_it_is_for_one_attack() -> None:
    """The second of Several Attacks hurts the owner alone."""
    table = attacked("talents", [*BLOW, (7, 6, 5), (1, 1, 8)], fox={"abilities": ["several_attacks"]})
    table.play(knight="use a").pass_to("shrug").finish_round()
    assert (table.hp("knight"), table.hp("rogue")) == (40 - 7 - 16, 40 - 7)


@pytest.mark.parametrize(("fox", "against"), [({"weapon": weapon("light", "ranged")}, "agility"), ({}, "might")])
def test_missiles_and_stances_that_beat_the_owners_find_no_shield(fox: Fields, against: str) -> None:
    assert attacked("talents", against=against, fox=fox).window != "instant"


def test_it_takes_a_captive_that_is_not_the_attacker() -> None:
    table = Table({"knight": {"talents": ["body_shield"], "rush": 3}, "fox": {}}, [(7, 6, 5), (1, 1)])
    assert table.engage(fox="agility: attack 1", knight="defensive").window != "instant"

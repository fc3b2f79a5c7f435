"""Sundering Blows: armor that is worth less with each blow."""

import pytest

from tests.games.heart_rush.rules.table import Fields, Table, weapon

pytestmark = pytest.mark.heading("Sundering Blows")
HEAVY = {"weapon": weapon("heavy")}
ROUND = [(1, 1, 1), (1, 1)]


def rounds(
    field: str, number: int, target: Fields, owner: Fields = HEAVY, stance: str = "might", against: str = "cunning"
) -> list[int]:
    """Return the defense rolls of the rogue in this many rounds of attacks; its dice show 2."""
    table = Table({"knight": {field: ["sundering_blows"], **owner}, "rogue": target}, ROUND * number)
    for _ in range(number):
        table.engage(knight=f"{stance}: attack 1", rogue=against).finish_round()
    assert table.restore().faults() == []
    return [event["defense_roll"] for event in table.events_of("attack")]


@pytest.mark.parametrize(("field", "least"), [("talents", 2), ("destiny_talents", 0)])
def test_each_blow_takes_two_from_the_next_on(field: str, least: int) -> None:
    assert rounds(field, 4, {"armor": "medium"}) == [6, 4, 2, least]


def test_a_flat_defense_bonus_is_armor_and_a_shield_is_not() -> None:
    assert rounds("talents", 3, {"defense_bonus": 1, "shield": "heavy_shield"}) == [5, 4, 4]


@pytest.mark.parametrize(
    ("owner", "stance", "against"),
    [
        ({}, "might", "cunning"),
        ({"weapon": weapon("heavy", "whip")}, "might", "defensive"),
        (HEAVY, "might", "defensive"),
        (HEAVY, "agility", "might"),
    ],
)
def test_it_takes_might_with_a_heavy_melee_weapon_against_cunning(owner: Fields, stance: str, against: str) -> None:
    assert rounds("destiny_talents", 2, {"armor": "medium"}, owner, stance, against) == [6, 6]


def test_the_armor_is_worth_less_to_everybody_and_only_that_of_the_target() -> None:
    fighters: dict[str, Fields] = {
        "knight": {**HEAVY, "talents": ["sundering_blows"]},
        "page": {"team": "blue"},
        "rogue": {},
        "fox": {},
    }
    worn = {name: {**fighter, "armor": "medium"} for name, fighter in fighters.items()}
    table = Table(worn, ROUND * 3)
    table.engage(knight="might: attack 1", rogue="cunning", fox="cunning").finish_round()
    table.engage(page="might: attack 1", rogue="cunning").finish_round()
    table.engage(page="might: attack 2", fox="cunning").finish_round()
    assert [event["defense_roll"] for event in table.events_of("attack")] == [6, 4, 6]


def test_it_counts_where_the_loser_of_a_contest_wears_armor() -> None:
    knight, rogue = {**HEAVY, "talents": ["sundering_blows"]}, {"armor": "medium"}
    table = Table({"knight": knight, "rogue": rogue}, [*ROUND, (5, 5, 5), (3, 1, 1)], {"armor_in_contest": True})
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    table.engage(knight="might: attack 1", rogue="might")
    assert table.last("attack")["damage"] == 15 - 5 - 2


def test_sundered_armor_still_counts_as_worn_for_the_light_footed() -> None:
    assert rounds("talents", 2, {"armor": "light", "talents": ["light_footed"]}) == [4, 2]


def test_a_shot_that_ignores_armor_ignores_the_loss_too() -> None:
    archer = {"team": "blue", "weapon": weapon("heavy", "ranged")}
    fighters = {"knight": {**HEAVY, "destiny_talents": ["sundering_blows"]}, "archer": archer, "rogue": {}}
    table = Table(fighters, ROUND * 2)
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    table.engage(archer="might: attack 1", rogue="cunning")
    assert table.rolls() == (3, 2)

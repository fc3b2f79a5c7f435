"""Imperial Defenses: attackers that fail draw themselves into the duel."""

import pytest

from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Imperial Defenses")
DECEMBER = {"edition": "december2025"}
NOTHING, SCRATCH, WOUND = (1, 1, 1), (3, 2, 4), (8, 6, 8)  # against a defense of two or, for nothing, of 14


def attacked(field: str, blow: tuple[int, ...], *dice: tuple[int, ...]) -> Table:
    """Let the rogue attack the knight in agility; all other dice are those of the next rounds."""
    defense = (8, 6) if blow == NOTHING else (1, 1)
    table = Table({"knight": {field: ["imperial_defenses"]}, "rogue": {}, "fox": {}}, [blow, defense, *dice], DECEMBER)
    return table.engage(knight="might", rogue="agility: attack 1").finish_round()


@pytest.mark.parametrize(
    ("field", "blow", "levels"),
    [("talents", NOTHING, 1), ("talents", SCRATCH, 1), ("talents", WOUND, 0),
     ("destiny_talents", NOTHING, 5), ("destiny_talents", SCRATCH, 1), ("destiny_talents", WOUND, 0)],
)  # fmt: skip
def test_an_attacker_that_does_not_wound_is_aggravated(field: str, blow: tuple[int, ...], levels: int) -> None:
    assert attacked(field, blow).conditions("rogue") == ({"aggravated": levels} if levels else {})


@pytest.mark.parametrize(("field", "more", "total"), [("talents", (6,), 7), ("destiny_talents", (6, 5), 11)])
def test_it_defends_with_advantage_against_the_aggravated(field: str, more: tuple[int, ...], total: int) -> None:
    table = attacked(field, SCRATCH, WOUND, (1, 1, *more))
    table.engage(knight="might", rogue="agility: attack 1")
    assert (table.rolls(), table.last("attack")["defense_causes"]) == ((22, total), {"ability": len(more)})


def test_it_defends_as_ever_against_others() -> None:
    table = attacked("talents", SCRATCH, WOUND, (1, 1))
    table.engage(knight="might", fox="agility: attack 1")
    assert table.rolls() == (22, 2)


def test_a_wound_of_an_earlier_round_does_not_excuse_the_next_attack() -> None:
    table = attacked("talents", WOUND, NOTHING, (8, 6))
    table.engage(knight="might", rogue="agility: attack 1").finish_round()
    assert table.conditions("rogue") == {"aggravated": 1}


def test_shrugging_off_a_wound_makes_it_none() -> None:
    table = Table({"knight": {"talents": ["imperial_defenses"]}, "rogue": {}}, [(5, 3, 8), (1, 1)], DECEMBER)
    table.engage(knight="might", rogue="agility: attack 1").play(knight="shrug").finish_round()
    assert (table.hp("knight"), table.conditions("rogue")) == (40 - 7, {"aggravated": 1})


def test_several_attacks_count_together() -> None:
    fighters = {"knight": {"talents": ["imperial_defenses"]}, "rogue": {"abilities": ["several_attacks"]}}
    table = Table(fighters, [WOUND, (1, 1), NOTHING, (8, 6)], DECEMBER)
    table.engage(knight="might", rogue="agility: attack 1").finish_round()
    assert table.conditions("rogue") == {}


def test_nobody_is_aggravated_at_one_who_is_out() -> None:
    fighters: dict[str, Fields] = {
        "knight": {"destiny_talents": ["imperial_defenses"], "hp_now": 9},
        "page": {"team": "blue"},
    }
    rules = {**DECEMBER, "wounds": False}
    table = Table({**fighters, "rogue": {}}, [WOUND, (1, 1)], rules, heroes=["red"])
    table.engage(knight="might", rogue="agility: attack 1").finish_round()
    assert (table.status("knight"), table.conditions("rogue")) == ("defeated", {})

"""Searing Blood: a fighter that wounds its owner loses hit points."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Searing Blood")


def struck(rogue: Fields, weapon: int, **knight: Any) -> Table:
    """Let the knight hit the rogue for 12 and the given result of the weapon die, less 8."""
    table = Table({"knight": knight, "rogue": {"hp": 35, **rogue}}, [(8, 4, weapon), (7, 1)])
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    return table


@pytest.mark.parametrize(("field", "lost"), [("talents", 3), ("destiny_talents", 7)])
def test_a_wound_costs_a_tenth_or_a_fifth_of_the_maximum(field: str, lost: int) -> None:
    table = struck({field: ["searing_blood"], "hp_now": 30}, weapon=6)  # 35 / 10 and 35 / 5, rounded down
    assert (table.hp("rogue"), table.hp("knight")) == (20, 40 - lost)
    assert [event["fighter"] for event in table.events_of("damage")] == ["rogue"]  # the loss is not damage


def test_damage_that_does_not_wound_costs_nothing() -> None:
    assert struck({"talents": ["searing_blood"]}, weapon=5).hp("knight") == 40


def test_the_loss_may_take_its_last_hit_points() -> None:
    table = struck({"talents": ["searing_blood"]}, weapon=6, hp_now=3)
    assert (table.hp("knight"), table.status("knight")) == (0, "defeated")


def test_wounds_of_others_cost_nothing() -> None:
    fighters = {"knight": {"talents": ["searing_blood"]}, "rogue": {}}
    table = Table(fighters, [(8, 4, 6), (7, 1)]).engage(knight="might: attack 1", rogue="cunning")
    table.finish_round()
    assert (table.fighter("rogue")["wounds"], table.hp("knight")) == (10, 40)

"""Hottest Flames: fires of the owner burn with a d20."""

import pytest

from heartrush_env.games.heart_rush.rules.dice import sides_of
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Hottest Flames")
OWNER: Fields = {"abilities": ["young_dragon.breath", "hottest_flames"]}


def fire_die(table: Table) -> int:
    """Return the sides of the first die of the latest handful of dice, which is that of a fire."""
    return int(sides_of(table._fights._fights[0].attack_roll, 0))


@pytest.mark.interplay("hottest_flames", "young_dragon.breath")
def test_each_level_of_the_owners_fire_burns_with_a_d20() -> None:
    table = Table({"dragon": OWNER, "rogue": {"hp": 99}}, [(1, 1), (20, 19, 13), (11, 10), 17])
    table.play(dragon="use_at 1 a")
    for left in (99 - 52, 99 - 73, 99 - 90):
        assert table.finish_round().hp("rogue") == left


def test_fires_of_others_burn_with_a_d6() -> None:
    fighters: Fields = {"dragon": OWNER, "rogue": {"conditions": {"burning": 1}}}
    table = Table(fighters, [6]).finish_round()
    assert (table.hp("rogue"), fire_die(table)) == (34, 6)
    drake: Fields = {"abilities": ["young_dragon.breath"], "team": "blue"}
    table = Table({"dragon": OWNER, "rogue": {}, "drake": drake}, [(1, 1), (6, 6, 6)])
    table.play(drake="use_at 1 a").finish_round()
    assert (table.hp("rogue"), fire_die(table)) == (22, 6)


def test_a_fire_that_it_has_fed_burns_with_a_d20() -> None:
    fighters: Fields = {"dragon": OWNER, "rogue": {"hp": 99, "conditions": {"burning": 1}}}
    table = Table(fighters, [(1, 1), (15, 15, 15, 15)]).play(dragon="use_at 1 a")
    assert table.finish_round().hp("rogue") == 39


def test_a_later_fire_of_another_is_not_the_owners() -> None:
    drake: Fields = {"abilities": ["young_dragon.breath"], "team": "blue"}
    fighters: Fields = {"dragon": OWNER, "rogue": {"hp": 99}, "drake": drake}
    table = Table(fighters, [(1, 1), (1,) * 6, (1, 1), (6, 6, 6)]).play(dragon="use_at 1 a")
    table.finish_round().finish_round().finish_round()
    assert table.hp("rogue") == 99 - 6
    table.play(drake="use_at 1 a").finish_round()
    assert (table.hp("rogue"), fire_die(table)) == (93 - 18, 6)


def test_who_escapes_the_breath_does_not_burn() -> None:
    table = Table({"dragon": OWNER, "rogue": {"conditions": {"burning": 1}}}, [(8, 6), 3]).play(dragon="use_at 1 a")
    table.finish_round()
    assert (table.hp("rogue"), fire_die(table)) == (37, 6)

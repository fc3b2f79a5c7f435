"""Intimidating: dropping an enemy frightens others."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Intimidating")
# The elf is beside the rogue, the fox beside the knight, the imp beside neither.
FIELD = "..E... FKR..I"


def dropped(field: str = "talents", hp_now: int = 4, damage: int = 4, **knight: Any) -> Table:
    """Let the knight hit the rogue for this damage."""
    owner = {field: ["intimidating"], **knight}
    fighters = {"knight": owner, "rogue": {"hp_now": hp_now}, "elf": {}, "fox": {}, "imp": {}}
    table = on_map(FIELD, fighters, [(damage, 1, 1), (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning").pass_to("shrug").play()
    return table


@pytest.mark.parametrize("field", ["talents", "destiny_talents"])
def test_enemies_beside_either_are_frightened(field: str) -> None:
    table = dropped(field)
    assert (table.window, table.fighter("knight")["rush"]) == ("instant", 1)
    table.play(knight="use a")
    assert table.last("rush")["left"] == 0
    frightened = {name: table.conditions(name).get("frightened", 0) for name in ("elf", "fox", "imp")}
    assert frightened == {"elf": 1, "fox": 1, "imp": 0}
    table.finish_round()
    assert table.status("rogue") == "defeated"


@pytest.mark.heading("Many Bodies")
def test_a_swarm_is_frightened_like_the_others() -> None:
    fighters = {"knight": {"talents": ["intimidating"]}, "rogue": {"hp_now": 4}, "rats": {"abilities": ["many_bodies"]}}
    table = Table(fighters, [(4, 1, 1), (1, 1)]).engage(knight="might: attack 1", rogue="cunning")
    table.pass_to("shrug").play().play(knight="use a")
    assert table.conditions("rats").get("frightened") == 1


@pytest.mark.parametrize("more", [{"hp_now": 5}, {"rush": 0}])
def test_an_enemy_left_standing_or_a_lack_of_points_offers_nothing(more: dict[str, int]) -> None:
    assert dropped(**more).window != "instant"


def test_an_enemy_that_has_dropped_before_does_not_count() -> None:
    blow = [(4, 1, 1), (1, 1)]
    table = Table({"knight": {"talents": ["intimidating"]}, "rogue": {"hp_now": 4}}, [*blow, *blow], heroes=["red"])
    for window in ("instant", "action"):
        table.engage(knight="might: attack 1", rogue="cunning").pass_to("shrug").play()
        assert table.window == window
        table.pass_to("action")
    assert table.hp("rogue") == -4


def test_an_enemy_that_an_ally_drops_does_not_count() -> None:
    fighters = {"knight": {"talents": ["intimidating"]}, "elf": {"team": "blue"}, "rogue": {"hp_now": 4}, "fox": {}}
    table = Table(fighters, [(4, 1, 1), (1, 1)])
    table.engage(knight="might", elf="might: attack 1", rogue="cunning", fox="cunning").pass_to("shrug")
    table.play()
    assert table.window != "instant"
    assert table.conditions("fox") == {}


def test_it_is_not_offered_where_nobody_is_left_to_be_frightened() -> None:
    # Execute kills the only enemy (R-113).
    knight = {"talents": ["intimidating"], "abilities": ["execute"], "rush": 3}
    table = Table({"knight": knight, "rogue": {"hp_now": 4}}, [(4, 1, 1), (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning").pass_to("instant")
    assert table.legal("knight") == ["pass", "use a", "use_at 1 b"]
    table.play(knight="use_at 1 b").play()
    assert table.ending == ("victory", ["blue"])


def test_an_enemy_that_has_passed_out_with_hit_points_left_may_be_dropped() -> None:
    rogue = {"talents": ["overexert"], "heart": 4, "hp_now": 4}
    fighters = {"knight": {"talents": ["intimidating"]}, "rogue": rogue, "fox": {}}
    table = Table(fighters, [(4, 1, 1), (1, 1)], {"rush_mode": "round_number"}).play(rogue="use a")
    table.finish_round()
    assert (table.status("rogue"), table.hp("rogue")) == ("unconscious", 4)
    table.play(knight="opportunity 1 might")
    assert (table.window, table.hp("rogue")) == ("instant", 0)
    table.play(knight="use a").play()
    assert table.conditions("fox")["frightened"] == 1

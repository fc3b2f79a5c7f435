"""Intimidating: dropping an enemy frightens others."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.map_table import on_map
from tests.rules.table import Table

HEADING = "Talents > Intimidating"
# The elf is beside the rogue, the fox beside the knight, the imp beside neither.
FIELD = """
    ..E...
    FKR..I
"""


def dropped(field: str = "talents", hp_now: int = 4, damage: int = 4, **knight: Any) -> Table:
    """The knight hits the rogue for this damage."""
    fighters = {
        "knight": {field: ["intimidating"], **knight},
        "rogue": {"hp_now": hp_now},
        "elf": {},
        "fox": {},
        "imp": {},
    }
    table = on_map(FIELD, fighters, [(damage, 1, 1), (1, 1)])
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    table.pass_to("shrug")
    table.play()
    return table


@pytest.mark.heading(HEADING)
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


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize("more", [{"hp_now": 5}, {"rush": 0}])
def test_an_enemy_left_standing_or_a_lack_of_points_offers_nothing(more: dict[str, int]) -> None:
    assert dropped(**more).window != "instant"


@pytest.mark.heading(HEADING)
def test_an_enemy_that_has_dropped_before_does_not_count() -> None:
    blow = [(4, 1, 1), (1, 1)]
    fighters = {"knight": {"talents": ["intimidating"]}, "rogue": {"hp_now": 4}}
    table = Table(fighters, [*blow, *blow], heroes=["red"])
    for window in ("instant", "action"):
        table.engage(knight="might", rogue="cunning")
        table.pass_to("attack", "might")
        table.play(knight="attack 1")
        table.pass_to("shrug")
        table.play()
        assert table.window == window
        table.pass_to("action")
    assert table.hp("rogue") == -4


@pytest.mark.heading(HEADING)
def test_an_enemy_that_an_ally_drops_does_not_count() -> None:
    fighters = {"knight": {"talents": ["intimidating"]}, "elf": {"team": "blue"}, "rogue": {"hp_now": 4}, "fox": {}}
    table = Table(fighters, [(4, 1, 1), (1, 1)])
    table.engage(knight="might", elf="might", rogue="cunning", fox="cunning")
    table.pass_to("attack", "might")
    table.play(elf="attack 1")
    table.pass_to("shrug")
    table.play()
    assert table.window != "instant"
    assert table.conditions("fox") == {}

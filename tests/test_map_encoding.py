"""What learners see of a map: a drawn scene, and each of its numbers by hand."""

from __future__ import annotations

import pytest

from tests.rules.map_table import on_map
from tests.rules.table import weapon

MAP = """
K.,h....
.#.....R
~..v..^.
"""


def test_a_scene_is_seen_as_it_is_drawn() -> None:
    """The knight (speed 30, a bow) at 0,0; the rogue (speed 60, a blade) seven squares to the east and one south."""
    bow = {"weapon": weapon(attack_type="ranged"), "speed": 30, "rush": 2, "spare_weapon": weapon()}
    table = on_map(MAP, {"knight": bow, "rogue": {"speed": 60, "size": "small"}}, light="dim", drop=20)
    expected = {
        "light dim": 1, "light dark": 0, "drop": 20 / 200, "map width": 8 / 32, "map height": 3 / 32,
        "self x": 0, "self y": 0, "self side": 1 / 4, "self speed": 6 / 12, "self budget": 6 / 12,
        "self rush": 2 / 10, "self moved": 0, "self dashed": 0, "self stood": 0, "self spare": 1, "self height": 0,
        "self on floor": 1, "self on wall": 0,
        "enemy 1 dx": 7 / 31, "enemy 1 dy": 1 / 31, "enemy 1 distance": 7 / 31, "enemy 1 in_sight": 1,
        "enemy 1 in_my_range": 1, "enemy 1 in_its_range": 0, "enemy 1 in_my_threat": 0, "enemy 1 in_its_threat": 0,
        "enemy 1 side": 1 / 4, "enemy 1 speed": 12 / 12, "enemy 1 rush": 1 / 10, "enemy 1 height": 0,
        "square 0,0 blocked": 0, "square 1,1 blocked": 1, "square -1,0 blocked": 1, "square 2,0 cost": 2 / 4,
        "square 3,0 cover": 2 / 3, "square 3,2 height": -1, "square 5,5 blocked": 1, "square 3,0 cost": 2 / 4,
        "ally 1 dx": 0, "enemy 2 dx": 0,
    }  # fmt: skip
    seen = table.sees("knight")
    assert {name: seen[name] for name in expected} == pytest.approx(expected)
    table.play(knight="dash 1,0")
    table.play(rogue="dash -1,1")
    seen = table.sees("knight")
    assert (seen["self moved"], seen["self dashed"], seen["enemy 1 height"]) == pytest.approx((1 / 12, 1, 1))


def test_the_last_windows_of_a_map_are_shown() -> None:
    table = on_map("KR....", {"knight": {}, "rogue": {}}, [(1, 1, 1), (8, 6)])
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    seen = table.sees("knight")
    assert (table.window, seen["window follow"], seen["window step"]) == ("follow", 1, 0)

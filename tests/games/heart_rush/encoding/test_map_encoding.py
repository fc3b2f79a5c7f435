"""Observations of a map: a drawn scene, and each of its numbers worked out by hand."""

import re
from pathlib import Path

import numpy as np
import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.tabletop.errors import HeartRushError
from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import weapon

MAP = """
K.,h....
.#.....R
~..v..^.
"""


def test_a_scene_is_seen_as_it_is_drawn() -> None:
    """The knight (speed 30, a bow) is at 0,0; the rogue (speed 60, a blade) seven squares to the east and one south."""
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
    table.play(knight="dash 1,0").play(rogue="dash -1,1")
    seen = table.sees("knight")
    assert (seen["self moved"], seen["self dashed"], seen["enemy 1 height"]) == pytest.approx((1 / 12, 1, 1))


def test_the_last_windows_of_a_map_are_shown() -> None:
    table = on_map("KR....", {"knight": {}, "rogue": {}}, [(1, 1, 1), (8, 6)])
    table.engage(knight="might: attack 1", rogue="cunning")
    seen = table.sees("knight")
    assert (table.window, seen["window follow"], seen["window step"]) == ("follow", 1, 0)


def test_a_used_door_is_seen_at_once_and_so_is_who_stands_behind_it() -> None:
    """The tables of a map are made at its start, when the door was closed; after a change all is read from the map."""
    table = on_map("K+..R\n#####", {"knight": {}, "rogue": {}})
    shown = ("square 1,0 blocked", "square 1,0 cost", "enemy 1 in_sight", "enemy 1 cover_from_me")
    seen = table.sees("knight")
    assert [seen[name] for name in shown] == [1, 0, 0, 1]
    table.play(knight="door e")
    seen = table.sees("knight")
    assert ([seen[name] for name in shown], table.sees("rogue")["square -3,0 blocked"]) == ([0, 1 / 4, 1, 0], 0)


def test_planes_show_the_ground_and_who_stands_on_it() -> None:
    """Around the knight at 1, 1 are the wall beside it, the ogre and a friend; the rogue is out of view."""
    drawing = ".#OO........\n.KOO.......R\nS..........."
    fighters = {"knight": {}, "squire": {"team": "blue"}, "ogre": {"team": "red", "size": "L2"}, "rogue": {}}
    seen = np.array(list(on_map(drawing, fighters).sees("knight").values()))
    shown = heart_rush_v0.planes([[seen, seen]])
    assert shown.shape == (1, 2, 6, 11, 11) and shown.dtype == np.float32
    blocked, _, _, _, ally, enemy = shown[0, 1]

    def squares(plane: np.ndarray) -> set[tuple[int, int]]:
        """Return the map's squares that are marked on a plane whose middle is 1, 1."""
        return {(int(x) - 4, int(y) - 4) for y, x in np.argwhere(plane == 1)}

    assert (squares(enemy), squares(ally)) == ({(2, 0), (3, 0), (2, 1), (3, 1)}, {(0, 2)})
    inside = {(x, y) for x, y in squares(blocked) if x >= 0 and 0 <= y < 3}
    assert inside == {(1, 0)}


def test_planes_of_other_vectors_are_refused() -> None:
    for wrong in (np.zeros(7), np.zeros((2, 0)), 3.0):
        with pytest.raises(
            HeartRushError, match=r"expected observations of fights on maps, an array of shape \(\.\.\., "
        ):
            heart_rush_v0.planes(wrong)


def test_the_pages_example_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).resolve().parents[4] / "docs" / "battlefield.md").read_text(encoding="utf-8")
    example, *_ = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(compile(example, "battlefield.md", "exec"), {})
    assert "print(planes.shape)  # " + capsys.readouterr().out.strip() + ": fights" in example

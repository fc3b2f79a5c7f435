"""Grasping Ground of the Hex Priest: floor under an enemy becomes difficult."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Grasping Ground")
PRIEST: Fields = {"abilities": ["hex_priest.grasping_ground"]}


def used(drawing: str = "P......\n....K..\n.......") -> Table:
    return on_map(drawing, {"priest": PRIEST, "knight": {"speed": 20}}).play(priest="use_at 1 a")


def reaches(table: Table) -> int:
    """Return how far east the knight may dash."""
    dashes = [name.split()[1].split(",") for name in table.legal("knight") if name.startswith("dash")]
    return max(int(x) for x, y in dashes if y == "0")


def test_four_squares_from_the_enemy_on_become_difficult() -> None:
    table = used()
    changed = {(*event["at"], event["terrain"]) for event in table.events_of("ground")}
    assert changed == {(4, 1, "rough"), (5, 1, "rough"), (4, 2, "rough"), (5, 2, "rough")}
    assert table.fighter("priest")["action"] and table.faults() == []
    assert table.restore().faults() == []


def test_it_slows_whoever_leaves() -> None:
    drawing = "############\nP...K.......\n############"
    table = on_map(drawing, {"priest": PRIEST, "knight": {"speed": 20}})
    assert reaches(table) == 4
    assert reaches(table.play(priest="use_at 1 a")) == 3  # two of its four squares for the first one


def test_once_a_round_and_only_where_there_is_floor_to_change() -> None:
    table = used()
    assert "use_at 1 a" not in table.legal("priest")
    assert "use_at 1 a" not in table.finish_round().legal("priest"), "all of it is difficult already"
    table = on_map("P,,,\n,,K#\n,,##", {"priest": PRIEST, "knight": {}}, under=",")
    assert "use_at 1 a" not in table.legal("priest")


def test_other_ground_stays_as_it_is() -> None:
    table = used("P......\n....K^.\n....#h.")
    assert {tuple(event["at"]) for event in table.events_of("ground")} == {(4, 1)}


@pytest.mark.parametrize(("gap", "reached"), [(8, True), (9, False)])
def test_it_reaches_45_feet(gap: int, reached: bool) -> None:
    table = on_map(f"P{'.' * gap}K", {"priest": PRIEST, "knight": {}})
    assert ("use_at 1 a" in table.legal("priest")) == reached


@pytest.mark.interplay("hex_priest.grasping_ground", "phantom_knight.ghostly")
def test_the_phantom_knight_glides_over_it() -> None:
    fighters = {"priest": PRIEST, "knight": {"speed": 20, "abilities": ["phantom_knight.ghostly"]}}
    table = on_map("############\nP...K.......\n############", fighters).play(priest="use_at 1 a")
    assert reaches(table) == 4

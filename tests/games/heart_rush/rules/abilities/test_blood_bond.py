"""Blood Bond: hit points, and a condition, for a bonded ally."""

import pytest

from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Blood Bond")
BONDED = {"team": "blue", "talents": ["blood_bond"]}


def bonded(field: str = "talents", page: Fields | None = None, **knight: Fields) -> Table:
    """Return a table of two bonded fighters, of whom the page has 10 hit points left."""
    fighters = {
        "knight": {field: ["blood_bond"], **knight},
        "rogue": {},
        "page": {**BONDED, "hp_now": 10, **(page or {})},
    }
    return Table(fighters)


def test_hit_points_pass_at_no_cost_and_several_times() -> None:
    table = bonded(hp=60).play(knight="use_for 1 a")
    assert table.legal("knight") == ["pick 0", "pick 1", "pick 2", "pick 3"]  # 30 hit points are missing
    table.play(knight="pick 1").play(knight="pick 2").pass_to("action")  # the page may answer by passing some back
    assert (table.hp("knight"), table.hp("page"), table.fighter("knight")["action"]) == (48, 22, True)
    table.play(knight="use_for 1 a").play(knight="pick 0").play(knight="pick 1").pass_to("action")
    assert (table.hp("knight"), table.hp("page")) == (47, 23)


@pytest.mark.parametrize(("field", "most"), [("talents", 40), ("destiny_talents", 100)])
def test_there_are_so_many_a_day(field: str, most: int) -> None:
    table = bonded(field, {"hp": 200}, hp=200).play(knight="use_for 1 a").play(knight=f"pick {most // 10 - 1}")
    table.play(knight="pick 9").pass_to("action")
    table.play(knight="use_for 1 a").pass_to("action")  # one is left, so nothing is asked
    assert (table.hp("knight"), table.hp("page")) == (200 - most, 10 + most)
    assert "use_for 1 a" not in table.legal("knight")


def test_it_takes_a_bond_on_both_sides_and_room_for_healing() -> None:
    assert "use_for 1 a" not in bonded(page={"talents": []}).legal("knight")
    assert "use_for 1 a" not in bonded(page={"hp_now": 40}).legal("knight")
    assert "use_for 1 a" not in bonded(hp_now=1).legal("knight")


def test_in_the_destiny_version_a_condition_may_pass_along() -> None:
    table = bonded("destiny_talents", conditions={"dazed": 2, "weakened": 1, "prone": 1})
    table.play(knight="use_for 1 a").play(knight="pick 0").play(knight="pick 5")
    assert table.legal("knight") == ["pick 0", "pick 1", "pick 3"]
    table.play(knight="pick 1")
    assert table.conditions("knight") == {"weakened": 1, "prone": 1}
    assert (table.conditions("page"), table.hp("page")) == ({"dazed": 2}, 15)


def test_in_the_base_version_no_condition_is_asked_for() -> None:
    table = bonded(conditions={"dazed": 2}).play(knight="use_for 1 a").play(knight="pick 0").play(knight="pick 5")
    assert (table.hp("knight"), table.hp("page")) == (35, 15)


def test_a_condition_need_not_pass_and_an_immune_ally_does_not_get_it() -> None:
    table = bonded("destiny_talents", conditions={"dazed": 2}).play(knight="use_for 1 a").play(knight="pick 0")
    table.play(knight="pick 5").play(knight="pick 0")
    assert (table.conditions("knight"), table.conditions("page")) == ({"dazed": 2}, {})


@pytest.mark.interplay("blood_bond", "bloodknight")
def test_bloodknight_heals_more() -> None:
    table = bonded(page={"talents": ["blood_bond", "bloodknight"]}).play(knight="use_for 1 a")
    table.play(knight="pick 1").play(knight="pick 0")
    assert (table.hp("knight"), table.hp("page")) == (30, 22)


def test_a_player_that_does_not_answer_passes_one_hit_point() -> None:
    table = bonded().play(knight="use_for 1 a").play().play()
    assert (table.hp("knight"), table.hp("page")) == (39, 11)

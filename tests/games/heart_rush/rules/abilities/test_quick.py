"""Quick and Juggernaut: the speed that a fight begins with, and Juggernaut's firm stand."""

from typing import Any

import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import PLAIN, weapon

ROW = "KR..............\n................"


def speed_of(**sheet: Any) -> int:
    """Return the feet per round of a fighter with this sheet."""
    sheet = {**PLAIN, "id": "knight", "team": "blue", "at": [0, 0], **sheet}
    other = {**PLAIN, "id": "rogue", "team": "red", "at": [5, 0]}
    battlefield = {"map": ["......"]}
    return (
        HeartRush({"name": "speed", "fighter": [sheet, other], "battlefield": battlefield}).scenario.fighters[0].speed
    )


@pytest.mark.parametrize(
    ("sheet", "feet"),
    [
        ({"armor": "heavy"}, 45),  # 60 - 15
        ({"armor": "heavy", "talents": ["quick"]}, 65),  # 45 + 20
        ({"armor": "heavy", "weapon": weapon("heavy")}, 40),
        ({"armor": "heavy", "weapon": weapon("heavy"), "talents": ["quick"]}, 60),
        ({"speed": 30, "talents": ["quick"]}, 30),  # a given speed counts the talent in
        ({"armor": "heavy", "talents": ["juggernaut"]}, 60),
        ({"armor": "heavy", "talents": ["Juggernaut"]}, 60),  # in any spelling
        ({"armor": "medium", "shield": "heavy_shield"}, 45),
        ({"armor": "medium", "shield": "heavy_shield", "destiny_talents": ["juggernaut"]}, 60),
    ],
)
def test_the_speed_of_a_sheet_counts_the_talents_in(sheet: dict[str, Any], feet: int) -> None:
    assert speed_of(**sheet) == feet


@pytest.mark.interplay("quick", "juggernaut")
@pytest.mark.parametrize(
    ("talents", "feet"),
    [([], 60 - 15), (["quick"], 60 - 15 + 40), (["juggernaut"], 60), (["quick", "juggernaut"], 60 + 40)],
)
def test_without_a_map_the_speed_of_quick_has_no_limit(talents: list[str], feet: int) -> None:
    sheet = {**PLAIN, "id": "knight", "team": "blue", "destiny_talents": talents, "armor": "heavy"}
    game = HeartRush({"name": "speed", "fighter": [sheet, {**PLAIN, "id": "rogue", "team": "red"}]})
    assert game.scenario.fighters[0].speed == feet


@pytest.mark.heading("Dash")
def test_a_quick_fighter_in_armor_dashes_as_far_as_one_without() -> None:
    slow = {"armor": "heavy", "talents": ["light_footed"]}
    for talents, squares in (({"talents": ["quick"]}, 12), ({}, 9)):
        table = on_map("K...............\n...............R", {"knight": {**slow, **talents}, "rogue": {}})
        dashes = [name for name in table.legal("knight") if name.startswith("dash") and name.endswith(",0")]
        assert max(int(name.split()[1].split(",")[0]) for name in dashes) == squares


@pytest.mark.heading("Juggernaut")
@pytest.mark.parametrize(
    ("talents", "attacker", "squares"),
    [
        ({"talents": ["juggernaut"]}, [], 2),
        ({"destiny_talents": ["juggernaut"]}, [], 1),  # ten feet, less five
        ({"destiny_talents": ["juggernaut"]}, ["mighty"], 3),  # twenty feet are one push: five less
    ],
)
def test_juggernaut_of_destiny_is_pushed_a_square_less(
    talents: dict[str, Any], attacker: list[str], squares: int
) -> None:
    table = on_map(ROW, {"knight": {"talents": attacker}, "rogue": talents}, [(1, 1, 1), (8, 6)])
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert at(table, "rogue") == (1 + squares, 0)


@pytest.mark.heading("Juggernaut")
def test_a_push_of_five_feet_does_not_move_it() -> None:
    fighters = {"knight": {}, "rogue": {"destiny_talents": ["juggernaut"]}}
    table = on_map(ROW, fighters).engage(knight="might: shove 1", rogue="cunning")
    assert (at(table, "rogue"), table.last("maneuver")["maneuver"]) == ((1, 0), "shove")

"""Grasping Growth: enemies around a point are restrained until they tear loose."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Grasping Growth")
BASE: Fields = {"talents": ["grasping_growth"], "heart": 8}
DESTINY: Fields = {"destiny_talents": ["grasping_growth"], "heart": 8}
NEAR = "K....R.F....." + "\n" + "......P.M...."
# A check of d8 and d6 with two levels of disadvantage rolls two more d6 and drops the two highest dice.
FAILS, HITS = (3, 3, 4, 5), (4, 4, 5, 5)


def grown(owner: Fields = BASE, dice: Dice = (), larger: str | None = None, drawing: str = NEAR) -> Table:
    """Return a table at which the growth holds those around the rogue."""
    fighters = {"knight": owner, "rogue": {}, "fox": {}, "page": {"team": "blue"}, "monk": {}}
    table = on_map(drawing, fighters, dice).play(knight="use_at 1 a")
    return table.play(knight=larger) if larger else table


def caught(table: Table) -> dict[str, int]:
    """Return the levels of restrained of those who have any."""
    return {name: levels for name in table.names if (levels := table.conditions(name).get("restrained", 0))}


def test_it_holds_enemies_around_the_target_and_no_friends() -> None:
    table = grown(drawing="K....RF..M..." + "\n" + "......P......")
    assert caught(table) == {"rogue": 2, "fox": 2}
    assert (table.window, table.choosers()) == ("pick", {"rogue", "fox"})


def test_it_reaches_45_feet_and_is_used_once_a_day() -> None:
    table = on_map("K........R" + "....F", {"knight": BASE, "rogue": {}, "fox": {}})
    assert [name for name in table.legal("knight") if name.startswith("use")] == ["use_at 1 a"]
    table.play(knight="use_at 1 a").pass_to("action")
    assert table.fighter("knight")["action"] and "use_at 1 a" not in table.legal("knight")


@pytest.mark.parametrize(("roll", "left"), [(FAILS, {"rogue": 2}), (HITS, {})])
def test_a_check_of_might_against_the_heart_number_frees(roll: tuple[int, ...], left: dict[str, int]) -> None:
    table = grown(dice=roll).play(rogue="pick 0")
    assert caught(table) == left and not table.fighter("rogue")["action"]


def test_the_number_is_that_of_the_full_heart_die() -> None:
    table = grown({**BASE, "heart_now": 4}, FAILS).play(rogue="pick 0")
    assert caught(table) == {"rogue": 2}


def test_those_who_wait_are_asked_again_as_the_round_starts() -> None:
    table = grown(dice=HITS).play()
    assert caught(table) == {"rogue": 2} and table.fighter("rogue")["action"]
    table.finish_round()
    assert (table.window, table.choosers(), caught(table)) == ("pick", {"rogue"}, {"rogue": 2})
    table.play(rogue="pick 0")
    assert caught(table) == {} and not table.fighter("rogue")["action"]


def test_one_that_is_free_by_other_means_is_not_asked() -> None:
    fighters: dict[str, Fields] = {"knight": BASE, "rogue": {"abilities": ["cry_of_defiance"], "rush": 2}}
    table = Table(fighters).play(knight="use_at 1 a").pass_to("pick").play()
    table.play(rogue="use a").play(rogue="pick 0")
    assert caught(table) == {}
    assert table.finish_round().window != "pick"


def test_of_destiny_the_radius_the_condition_or_the_number_is_larger() -> None:
    assert caught(grown(DESTINY, larger="pick 0")) == {"rogue": 2, "fox": 2, "monk": 2}
    assert caught(grown(DESTINY, larger="pick 1")) == {"rogue": 3}
    table = grown(DESTINY, HITS, larger="pick 2").play(rogue="pick 0")
    assert caught(table) == {"rogue": 2}, "8 is enough against 8, not against 10"
    table = grown(DESTINY, (5, 5, 6, 6), larger="pick 2").play(rogue="pick 0")
    assert caught(table) == {}


def test_a_player_that_names_nothing_gets_one_more_level_and_captives_try() -> None:
    table = grown(DESTINY, larger=None).play()
    assert caught(table) == {"rogue": 3}


def test_for_an_answer_that_is_not_legal_a_captive_tries() -> None:
    table = grown(dice=HITS)
    table._fights.step(table._fights.actions * 0 + table._actions.index("shrug"))
    table._look()
    assert caught(table) == {}


def test_three_levels_are_lost_together() -> None:
    # Three levels: three more dice, of which the three highest are dropped.
    table = grown(DESTINY, (4, 4, 5, 5, 6), larger="pick 1").play(rogue="pick 0")
    assert caught(table) == {}


def test_without_a_map_it_holds_all_enemies_and_has_no_larger_radius() -> None:
    table = Table({"knight": DESTINY, "rogue": {}, "fox": {}}).play(knight="use_at 2 a")
    assert table.legal("knight") == ["pick 1", "pick 2"]
    table.play(knight="pick 2")
    assert caught(table) == {"rogue": 2, "fox": 2}


@pytest.mark.interplay("grasping_growth", "sand_serpent.ambusher")
def test_ambusher_has_advantage_against_those_in_it() -> None:
    owner = {**BASE, "abilities": ["sand_serpent.ambusher"]}
    table = Table({"knight": owner, "rogue": {}}, [(1,) * 5, (1,) * 4]).play(knight="use_at 1 a").play()
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.last("attack")["attack_causes"] == {"ability": 2}


def test_it_aims_at_each_creature_so_a_swarm_slips_through() -> None:
    swarm: Fields = {"abilities": ["many_bodies"]}
    table = Table({"knight": BASE, "rogue": swarm, "fox": {}}).play(knight="use_at 2 a")
    assert caught(table) == {"fox": 2}

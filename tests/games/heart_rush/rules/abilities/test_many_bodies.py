"""Many Bodies: conditions aimed at one creature do not take hold of a swarm."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Many Bodies", "Levels")
SWARM: Fields = {"abilities": ["many_bodies"]}


@pytest.mark.parametrize(("target", "dazed"), [(SWARM, []), ({}, [2, 1, 0])])
def test_the_levels_of_a_cunning_attack_do_not_take_hold(target: Fields, dazed: list[int]) -> None:
    table = Table({"knight": {}, "rogue": target}, [(1, 1, 1), (8, 6)])
    table.engage(knight="cunning: attack 1 dazed+dazed", rogue="agility")
    assert table.finish_round().history("rogue", "dazed") == dazed


@pytest.mark.parametrize(("choice", "given"), [("blind 1", {"blinded": 1}), ("trip 1", {"prone": 1})])
@pytest.mark.parametrize("swarm", [True, False])
def test_nor_do_those_of_maneuvers(choice: str, given: dict[str, int], swarm: bool) -> None:
    table = Table({"knight": {}, "rogue": SWARM if swarm else {}})
    table.engage(knight=f"cunning: {choice}", rogue="agility")
    assert table.conditions("rogue") == ({} if swarm else given)


def test_fear_of_one_that_is_named_does_not_take_hold_but_dread_of_all_does() -> None:
    table = Table({"dragon": {"abilities": ["young_dragon.dread"]}, "rogue": SWARM}, [(1, 1)])
    assert table.conditions("rogue") == {"frightened": 1}


@pytest.mark.interplay("queen_rat.plague", "young_dragon.breath")
def test_flames_and_plagues_take_hold() -> None:
    table = Table({"dragon": {"abilities": ["young_dragon.breath"]}, "rogue": SWARM}, [(1, 1)])
    assert table.play(dragon="use_at 1 a").conditions("rogue") == {"burning": 3}
    table = Table({"queen": {"abilities": ["queen_rat.plague"]}, "rogue": SWARM}, [1, (1, 1)]).engage().play()
    assert table.conditions("rogue") == {"poisoned": 1}


def test_who_trips_a_swarm_as_it_moves_does_not_make_it_fall() -> None:
    unsteady = {**SWARM, "conditions": {"off_balanced": 2}}
    table = on_map("......\n.K..R.\n......", {"knight": {}, "rogue": unsteady}).play(rogue="dash -2,0")
    table.play(knight="trip 1")
    assert table.conditions("rogue") == {"off_balanced": 2}

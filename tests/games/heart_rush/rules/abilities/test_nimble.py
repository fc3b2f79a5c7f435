"""Nimble: passing enemies, moving within their reach, and keeping one's balance."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Nimble")
BASE, DESTINY = {"talents": ["nimble"]}, {"destiny_talents": ["nimble"]}
LANE = "#######\nN.R...#\n#######"


def test_it_passes_an_enemy_but_does_not_stop_in_its_space() -> None:
    table = on_map(LANE, {"nimble": BASE, "rogue": {}})
    assert "dash 3,0" in table.legal("nimble") and "dash 2,0" not in table.legal("nimble")
    assert "dash 3,0" not in on_map(LANE, {"nimble": {}, "rogue": {}}).legal("nimble")
    assert "dash -2,0" not in table.legal("rogue")


@pytest.mark.heading("Dash")
def test_an_enemy_in_the_way_costs_a_further_square() -> None:
    # 25 feet are five squares: one to the enemy, two through it, and two more.
    table = on_map("########\nN.R....#\n########", {"nimble": {**BASE, "speed": 25}, "rogue": {}})
    assert "dash 4,0" in table.legal("nimble") and "dash 5,0" not in table.legal("nimble")


@pytest.mark.parametrize(("owner", "window"), [({}, "opportunity"), (BASE, "action"), (DESTINY, "action")])
def test_moving_within_reach_gives_no_opportunity(owner: dict[str, object], window: str) -> None:
    # From one side of the rogue to the other, around a corner: the second step within reach would be an opening.
    table = on_map("N..\n.R.\n#..\n...", {"nimble": owner, "rogue": {}}).play(nimble="dash 2,1")
    assert table.window == window


@pytest.mark.parametrize(("owner", "window"), [(BASE, "opportunity"), (DESTINY, "action")])
def test_leaving_reach_gives_one_but_not_to_destiny(owner: dict[str, object], window: str) -> None:
    table = on_map("NR....\n......", {"nimble": owner, "rogue": {}}).play(nimble="dash 0,1")
    assert at(table, "nimble") == (0, 1)
    table = on_map("RN....\n......", {"nimble": owner, "rogue": {}}).play(nimble="dash 3,0")
    assert table.window == window


def test_only_its_own_moves_are_free() -> None:
    table = on_map("NR....\n......", {"nimble": DESTINY, "rogue": {}}).play(rogue="dash 3,0")
    assert (table.window, table.choosers()) == ("opportunity", {"nimble"})


@pytest.mark.parametrize(("owner", "levels"), [({}, 2), (BASE, 0)])
def test_enemies_do_not_put_it_off_balance(owner: dict[str, object], levels: int) -> None:
    table = Table({"knight": {}, "nimble": {**owner, "team": "red"}}, [(1, 1, 1), (8, 6)])
    table.engage(knight="cunning: attack 1 off_balanced+off_balanced", nimble="agility")
    assert max([0, *table.history("nimble", "off_balanced")]) == levels


def test_other_conditions_and_its_own_side_do() -> None:
    table = Table({"knight": {}, "nimble": {**BASE, "team": "red"}}, [(1, 1, 1), (8, 6)])
    table.engage(knight="cunning: attack 1 dazed+dazed", nimble="agility")
    assert table.history("nimble", "dazed")[0] == 2

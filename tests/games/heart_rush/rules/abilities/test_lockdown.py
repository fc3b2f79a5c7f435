"""Lockdown: an opportunity attack that stops a creature."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Table

pytestmark = pytest.mark.heading("Lockdown")
HIT, MISS = [(4, 3, 5), (1, 1)], [(1, 1, 1), (8, 6)]  # 12 against 2: 10 damage
PRONE = [(4, 3, 5), (1, 1, 1)]  # the prone have a die of disadvantage
GROUND = "KR.......\n.........\n........."


def struck(dice: Dice, key: str = "talents", **rogue: object) -> Table:
    """Return a table at which the owner strikes at the rogue, which leaves its reach."""
    table = on_map(GROUND, {"knight": {key: ["lockdown"]}, "rogue": rogue}, dice).play(rogue="dash 4,0")
    return table.play(knight="opportunity 1 might")


@pytest.mark.parametrize(("key", "levels"), [("talents", 1), ("destiny_talents", 2)])
def test_a_hit_stops_the_creature_where_it_is_and_aggravates_it(key: str, levels: int) -> None:
    table = struck(HIT, key).play()
    assert (table.window, at(table, "rogue"), table.hp("rogue")) == ("action", (1, 0), 30)
    assert table.conditions("rogue")["aggravated"] == levels
    assert not [name for name in table.legal("rogue") if name.startswith(("dash", "sidestep"))]


@pytest.mark.parametrize("answer", ["take", "shrug"])
def test_a_hit_that_is_shrugged_off_is_still_a_hit(answer: str) -> None:
    table = struck(HIT).play(rogue=answer)
    assert (at(table, "rogue"), table.conditions("rogue")["aggravated"]) == ((1, 0), 1)


def test_a_miss_does_nothing() -> None:
    table = struck(MISS)
    assert (at(table, "rogue"), table.conditions("rogue")) == ((5, 0), {})


@pytest.mark.parametrize(("key", "steps"), [("talents", True), ("destiny_talents", False)])
def test_in_the_next_round_it_dashes_but_sidesteps_only_without_destiny(key: str, steps: bool) -> None:
    table = struck(HIT, key).play().finish_round()
    assert table.round == 2
    assert "dash 1,1" in table.legal("rogue")
    assert ("sidestep s" in table.legal("rogue")) is steps
    table.finish_round()
    assert table.round == 3 and "sidestep s" in table.legal("rogue")


def test_a_creature_that_may_not_sidestep_does_not_rise_by_it_either() -> None:
    table = struck(HIT, "destiny_talents", conditions={"off_balanced": 1}).play().play(knight="pass")
    assert "rise" not in table.legal("rogue")
    table = on_map(GROUND, {"knight": {}, "rogue": {"conditions": {"prone": 1}, "talents": ["nimble"]}})
    assert "rise" in table.legal("rogue")
    table = on_map(GROUND, {"knight": {"destiny_talents": ["lockdown"]}, "rogue": {"conditions": {"prone": 1}}}, PRONE)
    table.play(rogue="stand").play(knight="opportunity 1 might").play()
    assert "prone" not in table.conditions("rogue")


def test_other_attacks_do_not_stop() -> None:
    table = Table({"knight": {"talents": ["lockdown"]}, "rogue": {}}, HIT)
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert (table.hp("rogue"), table.conditions("rogue")) == (30, {})


def test_it_stops_a_nimble_creature_that_leaves() -> None:
    table = struck(HIT, talents=["nimble"]).play()
    assert at(table, "rogue") == (1, 0)

"""Savior: death comes later, and wounds bring rush points."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, strike

pytestmark = pytest.mark.heading("Savior")
# In might: heart 8, might 6, weapon 8 are 22; the rogue defends with 2, so 20 damage land on its 10 hit points.
BLOW: Dice = [(8, 6, 8), (1, 1)]
ALL_CHOOSE = {"rules": {"zero_hp": "all_choose"}}


@pytest.mark.parametrize(("hp", "status"), [(10, "standing"), (7, "standing"), (6, "dead")])
def test_death_comes_at_twice_the_usual_depth(hp: int, status: str) -> None:
    # Down to -10, -13 or -14: with 7 hit points, death waits until -14, with 6 until -12.
    table = strike({}, {"abilities": ["savior"], "hp": hp}, dice=BLOW, **ALL_CHOOSE)
    assert (table.hp("rogue"), table.status("rogue")) == (hp - 20, status)
    assert table.faults() == []


def test_without_it_the_same_blow_kills() -> None:
    assert strike({}, {"hp": 10}, dice=BLOW, **ALL_CHOOSE).status("rogue") == "dead"


def test_a_lower_death_counts_twice_as_well() -> None:
    """A wound of rank 20 lowers 40 hit points to 20, so death comes at -40 and not at -20."""
    rules = {"zero_hp": "all_choose", "death_at": "reduced_maximum"}
    rogue = {"abilities": ["savior"], "hp": 40, "hp_now": 1}
    table = strike({}, rogue, dice=BLOW, rules=rules)
    assert (table.hp("rogue"), table.status("rogue")) == (-19, "standing")
    table = strike({"attack_bonus": 5}, {**rogue, "abilities": []}, dice=BLOW, rules=rules)
    assert (table.hp("rogue"), table.status("rogue")) == (-24, "dead")


def after_a_blow(sheet: Fields, dice: Dice = BLOW) -> Table:
    """Return a table in the might phase, after the knight has hit the rogue in cunning for half of 20."""
    table = Table({"knight": {}, "rogue": sheet, "page": {"team": "blue", **sheet}}, dice)
    table.engage(knight="cunning: attack 1", rogue="defensive", page="might")
    return table.pass_to("attack", "might")


def test_each_wound_brings_rush_points_at_once() -> None:
    table = after_a_blow({"abilities": ["savior"]})
    assert (table.fighter("rogue")["wounds"], table.fighter("rogue")["rush"]) == (10, 1 + 3)
    assert table.fighter("page")["rush"] == 1, "the wound is not its own"


def test_a_scratch_brings_none() -> None:
    assert after_a_blow({"abilities": ["savior"]}, [(3, 3, 3), (1, 1)]).fighter("rogue")["rush"] == 1


@pytest.mark.interplay("last_stand", "savior")
def test_they_come_besides_those_of_last_stand() -> None:
    """Last Stand gives one in the next round, which starts with one for the active round before it."""
    table = after_a_blow({"abilities": ["savior"], "talents": ["last_stand"]})
    assert table.fighter("rogue")["rush"] == 1 + 3
    assert table.finish_round().fighter("rogue")["rush"] == 1 + 1


def test_a_faceless_servant_disappears_all_the_same() -> None:
    rogue = {"abilities": ["faceless_servant.vanish", "savior"], "hp": 30}
    assert strike({}, rogue, dice=[(3, 3, 3), (1, 1)]).status("rogue") == "dead"


def test_the_points_of_a_wound_are_told() -> None:
    table = strike({}, {"abilities": ["savior"], "hp": 40, "rush": 1}, dice=BLOW, **ALL_CHOOSE)
    assert [event["left"] for event in table.events_of("rush") if event["fighter"] == "rogue"] == [4]

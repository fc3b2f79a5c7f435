"""Feint: a sidestep given up for advantage."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Feint")
BASE, DESTINY = {"talents": ["feint"]}, {"destiny_talents": ["feint"]}
# With two levels, an attack of d8, d6 and d8 has two more d6, and a defense of d8 and d6 two more d6.
ATTACK, DEFENSE = (1, 1, 1, 6, 6), (1, 1, 6, 6)


def test_it_costs_the_action_or_a_rush_point_and_helps_the_next_attack_on_that_creature() -> None:
    table = Table({"knight": BASE, "rogue": {}, "fox": {}}, [ATTACK, (8, 6)]).play(knight="use_at 1 a")
    assert table.legal("knight") == ["pick 0", "pick 1"]
    table.play(knight="pick 1")
    assert (table.fighter("knight")["rush"], table.fighter("knight")["action"]) == (0, True)
    assert not [name for name in table.legal("knight") if name.startswith("use")], "once a round"
    table.engage(knight="agility: attack 1", rogue="might", fox="might")
    assert table.rolls() == (13, 14)


def test_it_helps_a_defense_and_only_the_first_roll() -> None:
    dice = [(1, 1, 1), DEFENSE, (1, 1, 1), (8, 6)]
    table = Table({"knight": {**BASE, "rush": 0}, "rogue": {}}, dice).play(knight="use_at 1 a")
    assert not table.fighter("knight")["action"], "without a point it costs the action at once"
    table.engage(knight="might", rogue="agility: attack 1")
    assert table.rolls() == (3, 12)
    table.finish_round().engage(knight="agility: attack 1", rogue="might")
    assert table.rolls() == (3, 14)


def test_another_creature_does_not_fall_for_it() -> None:
    table = Table({"knight": BASE, "rogue": {}, "fox": {}}, [(1, 1, 1), (8, 6)]).play(knight="use_at 1 a")
    table.play(knight="pick 0").engage(knight="agility: attack 2", rogue="might", fox="might")
    assert table.rolls() == (3, 14)


def test_it_takes_the_free_step_of_the_agility_stance() -> None:
    table = on_map(".....\n.KR..\n.....", {"knight": BASE, "rogue": {}}, [ATTACK, (8, 6)])
    table.engage(knight="agility", rogue="might").pass_to("instant").play(knight="use_at 1 a")
    assert (table.window, table.phase) == ("attack", "agility"), "neither the action nor a point pays for it"
    assert not [name for name in table.legal("knight") if name.startswith("sidestep")]
    table.play(knight="attack 1")
    assert (table.rolls(), at(table, "knight"), table.fighter("knight")["action"]) == ((13, 14), (1, 1), True)
    assert table.window != "step"


def test_without_a_feint_the_free_step_is_left() -> None:
    table = on_map(".....\n.KR..\n.....", {"knight": BASE, "rogue": {}})
    table.engage(knight="agility", rogue="might").pass_to("attack", "agility")
    assert "sidestep n" in table.legal("knight")


@pytest.mark.interplay("feint", "several_attacks")
def test_of_two_attacks_in_a_round_it_helps_the_first() -> None:
    owner = {**BASE, "abilities": ["several_attacks"]}
    dice = [ATTACK, (8, 6), (1, 1, 1), (8, 6)]
    table = Table({"knight": owner, "rogue": {}}, dice).play(knight="use_at 1 a").play(knight="pick 1")
    table.engage(knight="agility: attack 1", rogue="might")
    assert [event["attack_roll"] for event in table.events_of("attack")] == [13, 3]


def test_of_destiny_it_is_made_three_times_a_round_of_adjacent_creatures() -> None:
    table = on_map("KR...F", {"knight": {**DESTINY, "rush": 5}, "rogue": {}, "fox": {}})
    assert "use_at 2 a" not in table.legal("knight"), "the fox is too far away"
    for left in (4, 3, 2):
        table.play(knight="use_at 1 a").play(knight="pick 1")
        assert table.fighter("knight")["rush"] == left
    assert "use_at 1 a" not in table.legal("knight")


def test_it_is_no_step_for_dodge_and_weave() -> None:
    owner = {"talents": ["feint", "dodge_and_weave"]}
    table = Table({"knight": owner, "rogue": {}}, [(1, 1, 1), DEFENSE]).play(knight="use_at 1 a")
    table.play(knight="pick 0").engage(knight="might", rogue="agility: attack 1")
    assert table.rolls() == (3, 12)

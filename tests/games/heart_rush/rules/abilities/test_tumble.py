"""Tumble: the sidestep of the agility stance, right after the reveal."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Table

pytestmark = pytest.mark.heading("Tumble")
GROUND = "......\n.TR...\n......"


def tumbled(key: str = "talents", dice: Dice = (), **stances: str) -> Table:
    """Return a table at which the owner has stepped away to the west before the rogue's cunning attack."""
    table = on_map(GROUND, {"tumbler": {key: ["tumble"]}, "rogue": {}}, dice)
    table.engage(tumbler="agility", rogue="cunning")
    assert (table.window, table.legal("tumbler")) == ("instant", ["pass", "use a"])
    table.play(tumbler="use a").pass_to("pick")
    assert "sidestep e" not in table.legal("tumbler"), "the rogue is there"
    return table.play(tumbler="sidestep w")


def test_it_steps_out_of_reach_of_a_cunning_attack_and_has_no_further_step() -> None:
    table = tumbled()
    assert at(table, "tumbler") == (0, 1)
    assert (table.window, table.round) == ("action", 2), "the rogue reaches nobody, and no step is left"


def test_it_needs_the_agility_stance_and_is_used_once_a_fight() -> None:
    table = on_map(GROUND, {"tumbler": {"talents": ["tumble"]}, "rogue": {}}).engage(tumbler="might", rogue="might")
    assert table.window == "attack"
    table = tumbled().engage(tumbler="agility", rogue="agility")
    assert table.window != "instant"


@pytest.mark.parametrize(("key", "die"), [("talents", 0), ("destiny_talents", 8)])
def test_of_destiny_the_next_attack_has_a_die(key: str, die: int) -> None:
    table = on_map(GROUND, {"tumbler": {key: ["tumble"]}, "rogue": {}}, [(1, 1, 1, *[8] * (die > 0)), (8, 6)])
    table.engage(tumbler="agility", rogue="might").play(tumbler="use a").pass_to("pick")
    table.play(tumbler="sidestep n").play(tumbler="attack 1")
    assert table.rolls() == (3 + die, 14)


@pytest.mark.interplay("several_attacks", "tumble")
def test_of_two_attacks_the_first_has_the_die_of_destiny() -> None:
    owner = {"destiny_talents": ["tumble"], "abilities": ["several_attacks"]}
    table = on_map(GROUND, {"tumbler": owner, "rogue": {}}, [(1, 1, 1, 8), (8, 6), (1, 1, 1), (8, 6)])
    table.engage(tumbler="agility", rogue="might").play(tumbler="use a").pass_to("pick")
    table.play(tumbler="sidestep n").play(tumbler="attack 1")
    assert [event["attack_roll"] for event in table.events_of("attack")] == [11, 3]


@pytest.mark.interplay("dodge_and_weave", "tumble")
def test_the_step_counts_for_dodge_and_weave() -> None:
    owner = {"talents": ["tumble", "dodge_and_weave"]}
    table = on_map(GROUND, {"tumbler": owner, "rogue": {}}, [(1, 1, 1), (1, 1)])
    table.engage(tumbler="agility", rogue="cunning").play(tumbler="use a").pass_to("pick")
    table.play(tumbler="sidestep n").play(rogue="attack 1")
    assert table.rolls() == (3, 2 + 2)

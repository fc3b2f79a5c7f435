"""Lightning Reflexes: a d20 for timing, and uses that nobody answers."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Lightning Reflexes")
BURNS: Fields = {"conditions": {"burning": 2}}
SLOW: Fields = {**BURNS, "abilities": ["lightning_reflexes"], "agility": 4, "rush": 3}


def order_of(table: Table) -> list[str]:
    """Return the order in which fires were put out."""
    return [event["fighter"] for event in table.events_of("declare") if event["action"] == "put_out_fire"]


def quick(dice: Dice = (), **others: Fields) -> Table:
    """Return a table at which the knight has used its reflexes."""
    return Table({"knight": SLOW, **others}, dice).play(knight="use a").pass_to("action")


def test_its_owner_acts_before_larger_dice_for_a_round() -> None:
    fires = {"knight": "put_out_fire", "rogue": "put_out_fire"}
    table = Table({"knight": SLOW, "rogue": {**BURNS, "agility": 12}}).play(**fires).pass_to("stance")
    assert order_of(table) == ["rogue", "knight"]
    table = quick(rogue={**BURNS, "agility": 12}).play(**fires)
    assert (order_of(table), table.fighter("knight")["rush"]) == (["knight", "rogue"], 2)
    assert "use a" not in table.legal("knight"), "it holds already"


def test_in_the_next_round_it_is_over() -> None:
    table = Table({"knight": {**SLOW, "conditions": {}}, "rogue": {"agility": 12}}, [(1, 1, 1, 1, 1, 1)] * 2)
    table.play(knight="use a").engage(knight="might: attack 1", rogue="might: attack 1").finish_round()
    assert [event["attacker"] for event in table.events_of("attack")] == ["knight"], "one contest, the quicker first"
    table.engage(knight="might: attack 1", rogue="might: attack 1")
    assert table.last("attack")["attacker"] == "rogue"


def test_two_of_them_roll_a_d20_for_the_tie() -> None:
    table = Table({"knight": SLOW, "rogue": {**SLOW, "agility": 6}}, [(1, 19, 2, 20)])
    table.play(knight="use a").pass_to("action").play(rogue="use a").pass_to("action")
    table.play(knight="put_out_fire", rogue="put_out_fire")
    assert order_of(table) == ["rogue", "knight"]
    assert {event["fighter"]: event["roll"] for event in table.events_of("timing")} == {"knight": 20, "rogue": 22}


def test_a_natural_d20_ties_with_it() -> None:
    table = quick([(8, 20, 1, 1)], rogue={**BURNS, "agility": 20}).play(knight="put_out_fire", rogue="put_out_fire")
    assert order_of(table) == ["knight", "rogue"]


@pytest.mark.interplay("fast_friends", "lightning_reflexes", "tactics")
def test_nobody_else_answers_its_owners_uses_but_its_owner_does() -> None:
    owner = {**SLOW, "talents": ["fast_friends"]}  # in slot a, so its reflexes are in slot b
    planner: Fields = {"abilities": ["tactics"], "rush": 3}
    fighters: dict[str, Fields] = {"knight": owner, "rogue": planner, "fox": {}}
    table = Table(fighters).play(knight="use_at 1 a")
    assert (table.window, table.choosers()) == ("instant", {"knight", "rogue"})
    table = Table(fighters).play(knight="use b").pass_to("action").play(knight="use_at 1 a")
    assert (table.window, [event["fighter"] for event in table.events_of("use")]) == ("action", ["knight", "knight"])


def test_what_is_no_use_of_an_ability_may_be_answered() -> None:
    table = quick(rogue={"abilities": ["tactics"], "rush": 3}).play(knight="put_out_fire")
    assert (table.window, table.choosers()) == ("instant", {"rogue"})

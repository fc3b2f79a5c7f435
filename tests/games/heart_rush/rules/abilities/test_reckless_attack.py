"""Reckless Attack: a further die for the owner's attacks of the round, advantage for attacks on the owner."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Table

pytestmark = pytest.mark.heading("Reckless Attack")


def declared(field: str, dice: Dice, window: str) -> Table:
    """Let the knight declare a reckless attack in this window."""
    table = Table({"knight": {field: ["reckless_attack"]}, "rogue": {}}, dice).pass_to(window)
    table.play(knight="use a")
    return table


@pytest.mark.parametrize(("field", "die"), [("talents", 4), ("destiny_talents", 8)])
@pytest.mark.parametrize("window", ["action", "instant"])
def test_its_attacks_of_the_round_have_a_further_die(field: str, die: int, window: str) -> None:
    table = declared(field, [(1, 1, 1, die), (1, 1), (1, 1, 1), (1, 1)], window)
    for total in (3 + die, 3):  # and not those of the next round
        table.engage(knight="might: attack 1", rogue="cunning").finish_round()
        assert table.rolls() == (total, 2)
    assert table.events_of("attack")[0]["attack_pool"][3:] == [["bonus", die, die]]


def test_it_is_declared_once_a_round() -> None:
    table = declared("talents", [], "action")
    assert "use a" not in table.legal("knight")
    table.finish_round().pass_to("action")
    assert "use a" in table.legal("knight")


@pytest.mark.parametrize("field", ["talents", "destiny_talents"])
def test_attacks_on_it_have_advantage_in_that_round(field: str) -> None:
    dice = [(1, 1, 1, 6), (1, 1), (1, 1, 1), (1, 1)]  # a further d6, and no longer in the next round
    table = declared(field, dice, "action")
    for causes in ({"ability": 1}, {}):
        table.engage(knight="might", rogue="agility: attack 1").finish_round()
        assert table.last("attack")["attack_causes"] == causes


def test_undeclared_it_changes_nothing() -> None:
    table = Table({"knight": {"talents": ["reckless_attack"]}, "rogue": {}}, [(1, 1, 1), (8, 6), (1, 1, 1), (8, 6)])
    for stance, phase, striker in (("agility", "agility", "rogue"), ("cunning", "might", "knight")):
        attack = {striker: "attack 1"}
        table.engage(knight="might", rogue=stance).pass_to("attack", phase).play(**attack).finish_round()
        assert (table.rolls(), table.last("attack")["attack_causes"]) == ((3, 14), {})


def test_one_that_has_fallen_is_reckless_no_longer_in_the_next_round() -> None:
    # The rogue fells the reckless knight, a hero that yields, and strikes at it in the next round.
    dice = [(8, 1, 1, 6), (1, 1), (1, 1, 1), (1, 1)]
    fighters = {"knight": {"talents": ["reckless_attack"], "hp_now": 5}, "monk": {"team": "blue"}, "rogue": {}}
    table = Table(fighters, dice, heroes="blue").play(knight="use a")
    table.engage(knight="might", monk="defensive", rogue="agility: attack 1").pass_to("yield")
    table.play(knight="yield").pass_to("action").play(rogue="opportunity 1 might")
    assert table.last("attack")["attack_causes"] == {}

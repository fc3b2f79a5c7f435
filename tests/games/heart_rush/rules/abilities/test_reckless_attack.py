"""Reckless Attack: a further die for its attacks of the round, advantage for those against it."""

from __future__ import annotations

import pytest

from tests.games.heart_rush.rules.table import Table

HEADING = "Talents > Reckless Attack"


def declared(field: str, dice: list[tuple[int, ...]], window: str) -> Table:
    """The knight attacks recklessly, which it declares in this window."""
    table = Table({"knight": {field: ["reckless_attack"]}, "rogue": {}}, dice)
    table.pass_to(window)
    table.play(knight="use a")
    return table


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("field", "die"), [("talents", 4), ("destiny_talents", 8)])
@pytest.mark.parametrize("window", ["action", "instant"])
def test_its_attacks_of_the_round_have_a_further_die(field: str, die: int, window: str) -> None:
    dice = [(1, 1, 1, die), (1, 1), (1, 1, 1), (1, 1)]
    table = declared(field, dice, window)
    for total in (3 + die, 3):  # and not those of the next round
        table.engage(knight="might", rogue="cunning")
        table.pass_to("attack", "might")
        table.play(knight="attack 1")
        table.finish_round()
        assert table.rolls() == (total, 2)


@pytest.mark.heading(HEADING)
def test_it_is_declared_once_a_round() -> None:
    table = declared("talents", [], "action")
    assert "use a" not in table.legal("knight")
    table.finish_round()
    table.pass_to("action")
    assert "use a" in table.legal("knight")


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize("field", ["talents", "destiny_talents"])
def test_attacks_on_it_have_advantage_in_that_round(field: str) -> None:
    dice = [(1, 1, 1, 6), (1, 1), (1, 1, 1), (1, 1)]  # a further d6, and no longer in the next round
    table = declared(field, dice, "action")
    for causes in ({"ability": 1}, {}):
        table.engage(knight="might", rogue="agility")
        table.pass_to("attack", "agility")
        table.play(rogue="attack 1")
        table.finish_round()
        assert table.last("attack")["attack_causes"] == causes


@pytest.mark.heading(HEADING)
def test_undeclared_it_changes_nothing() -> None:
    table = Table({"knight": {"talents": ["reckless_attack"]}, "rogue": {}}, [(1, 1, 1), (8, 6), (1, 1, 1), (8, 6)])
    for stance, phase, attack in (
        ("agility", "agility", {"rogue": "attack 1"}),
        ("cunning", "might", {"knight": "attack 1"}),
    ):
        table.engage(knight="might", rogue=stance)
        table.pass_to("attack", phase)
        table.play(**attack)
        table.finish_round()
        assert (table.rolls(), table.last("attack")["attack_causes"]) == ((3, 14), {})


@pytest.mark.heading(HEADING)
def test_one_that_has_fallen_is_reckless_no_longer_in_the_next_round() -> None:
    # The rogue fells the reckless knight, a hero that yields, and strikes at it in the next round.
    dice = [(8, 1, 1, 6), (1, 1), (1, 1, 1), (1, 1)]
    fighters = {"knight": {"talents": ["reckless_attack"], "hp_now": 5}, "monk": {"team": "blue"}, "rogue": {}}
    table = Table(fighters, dice, heroes="blue")
    table.play(knight="use a")
    table.engage(knight="might", monk="defensive", rogue="agility")
    table.pass_to("attack", "agility")
    table.play(rogue="attack 1")
    table.pass_to("yield")
    table.play(knight="yield")
    table.pass_to("action")
    table.play(rogue="opportunity 1 might")
    assert table.last("attack")["attack_causes"] == {}

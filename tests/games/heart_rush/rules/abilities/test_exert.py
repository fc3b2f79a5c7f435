"""Exert: more dice at the expense of the heart die."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Exert")
VERSIONS = pytest.mark.parametrize(("field", "number", "heart"), [("talents", 2, 10), ("destiny_talents", 4, 8)])


def phase(owner: Fields, dice: Dice, **rogue: Any) -> Table:
    """Return a table at the start of the might phase, when the ability may still be used; the rogue is in cunning."""
    table = Table({"knight": owner, "rogue": rogue}, dice, {"options_on_rolls": True})
    table.engage(knight="might", rogue="cunning")
    return table


@VERSIONS
def test_the_attack_has_further_dice_and_then_the_heart_die_falls(field: str, number: int, heart: int) -> None:
    table = phase({field: ["exert"], "heart": 12}, [(1, 2, 3), (5,) * number, (1, 1)])
    assert (table.window, table.choosers()) == ("instant", {"knight"})
    table.play(knight="use a")
    assert table.window == "attack"  # once for an attack
    table.play(knight="attack 1")
    assert (table.rolls(), table.last("attack")["attack_pool"][0]) == ((6 + 5 * number, 2), ["heart", 12, 1])
    assert table.heart("knight") == heart


def test_used_in_the_action_phase_it_waits_for_the_attack_but_not_for_the_next_round() -> None:
    table = Table({"knight": {"talents": ["exert"]}, "rogue": {}}, [(1, 2, 3), (1, 1)]).play(knight="use a")
    assert "use a" not in table.legal("knight")
    table.finish_round().engage(knight="might: attack 1", rogue="cunning")
    assert (table.rolls(), table.heart("knight")) == ((6, 2), 8)


def test_it_is_spent_by_one_attack() -> None:
    table = Table({"knight": {"talents": ["exert"]}, "rogue": {}}, [(1, 2, 3), (5, 5), (1, 1), (1, 2, 3), (1, 1)])
    table.play(knight="use a")
    for _ in range(2):
        table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert ([event["attack_roll"] for event in table.events_of("attack")], table.heart("knight")) == ([16, 6], 6)


@pytest.mark.parametrize(
    ("field", "heart", "offered"),
    [("talents", 4, False), ("talents", 6, True), ("destiny_talents", 6, False), ("destiny_talents", 8, True)],
)
def test_the_heart_die_must_have_room_to_fall(field: str, heart: int, offered: bool) -> None:
    table = Table({"knight": {field: ["exert"], "heart": heart}, "rogue": {}})
    assert ("use a" in table.legal("knight")) == offered


def test_it_is_not_offered_in_the_phases_of_others() -> None:
    table = phase({"talents": ["exert"]}, [])
    table.play()
    assert (table.window, table.phase) == ("attack", "might")
    table = Table({"knight": {"talents": ["exert"]}, "rogue": {}}, rules={"options_on_rolls": True})
    table.engage(knight="defensive", rogue="might")
    assert (table.window, table.phase) == ("attack", "might")

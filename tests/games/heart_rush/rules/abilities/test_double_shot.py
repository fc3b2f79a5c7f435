"""Double Shot: one attack after another."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Table, weapon

HEADING = "Talents > Double Shot"
BOW = {"weapon": weapon(attack_type="ranged")}
FOES: dict[str, Any] = {"rogue": {}, "fox": {}, "owl": {}}


def shoots(owner: dict[str, Any], dice: list[Any]) -> Table:
    """The archer has declared it and attacks the rogue in might; two more enemies are there."""
    table = Table({"archer": owner, **FOES}, dice)
    table.play(archer="use a")
    table.engage(archer="might")
    table.pass_to("attack", "might")
    table.play(archer="attack 1")
    return table


@pytest.mark.heading(HEADING)
def test_a_second_target_is_attacked_but_not_a_third() -> None:
    table = shoots({"talents": ["double_shot"], **BOW}, [(1, 2, 3), (1, 1)] * 2)
    assert (table.window, table.choosers()) == ("follow_up", {"archer"})
    assert "attack 1" not in table.legal("archer")
    table.play(archer="attack 3")
    table.finish_round()
    assert [event["target"] for event in table.events_of("attack")] == ["rogue", "owl"]


@pytest.mark.heading(HEADING)
def test_as_destiny_a_third_as_well() -> None:
    table = shoots({"destiny_talents": ["double_shot"], **BOW}, [(1, 2, 3), (1, 1)] * 3)
    table.play(archer="attack 3")
    assert table.window == "follow_up"
    assert {"attack 1", "attack 2", "attack 3"} & set(table.legal("archer")) == {"attack 2"}
    table.play(archer="attack 2")
    table.finish_round()
    assert [event["target"] for event in table.events_of("attack")] == ["rogue", "owl", "fox"]


@pytest.mark.heading(HEADING)
def test_it_may_be_left_at_one() -> None:
    table = shoots({"destiny_talents": ["double_shot"], **BOW}, [(1, 2, 3), (1, 1)])
    table.play()
    table.finish_round()
    assert len(table.events_of("attack")) == 1


@pytest.mark.heading(HEADING)
def test_it_takes_a_ranged_weapon() -> None:
    table = shoots({"talents": ["double_shot"]}, [(1, 2, 3), (1, 1)])
    assert table.window == "shrug"


@pytest.mark.heading(HEADING)
def test_it_ends_with_the_round() -> None:
    table = Table({"archer": {"talents": ["double_shot"], **BOW}, **FOES}, [(1, 2, 3), (1, 1)])
    table.play(archer="use a")
    table.finish_round()
    table.engage(archer="might")
    table.pass_to("attack", "might")
    table.play(archer="attack 1")
    assert table.window == "shrug"

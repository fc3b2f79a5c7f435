"""Double Shot: one attack after another."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Double Shot")
BOW = {"weapon": weapon(attack_type="ranged")}
FOES: Fields = {"rogue": {}, "fox": {}, "owl": {}}


def shoots(owner: Fields, dice: Dice) -> Table:
    """Let the archer declare the ability and attack the rogue in might; two more enemies are there."""
    return Table({"archer": owner, **FOES}, dice).play(archer="use a").engage(archer="might: attack 1")


def test_a_second_target_is_attacked_but_not_a_third() -> None:
    table = shoots({"talents": ["double_shot"], **BOW}, [(1, 2, 3), (1, 1)] * 2)
    assert (table.window, table.choosers()) == ("follow_up", {"archer"})
    assert "attack 1" not in table.legal("archer")
    assert table.play(archer="attack 3").window == "shrug"
    assert [event["target"] for event in table.events_of("attack")] == ["rogue", "owl"]


def test_as_destiny_a_third_as_well() -> None:
    table = shoots({"destiny_talents": ["double_shot"], **BOW}, [(1, 2, 3), (1, 1)] * 3)
    table.play(archer="attack 3")
    assert table.window == "follow_up"
    assert {"attack 1", "attack 2", "attack 3"} & set(table.legal("archer")) == {"attack 2"}
    table.play(archer="attack 2").finish_round()
    assert [event["target"] for event in table.events_of("attack")] == ["rogue", "owl", "fox"]


def test_it_may_be_left_at_one() -> None:
    table = shoots({"destiny_talents": ["double_shot"], **BOW}, [(1, 2, 3), (1, 1)])
    table.play().finish_round()
    assert len(table.events_of("attack")) == 1


def test_it_takes_a_ranged_weapon_and_ends_with_the_round() -> None:
    assert shoots({"talents": ["double_shot"]}, [(1, 2, 3), (1, 1)]).window == "shrug"
    table = Table({"archer": {"talents": ["double_shot"], **BOW}, **FOES}, [(1, 2, 3), (1, 1)])
    table.play(archer="use a").finish_round().engage(archer="might: attack 1")
    assert table.window == "shrug"

"""Hulking Blows: its target dodges and gives up its attacks, or faces dice that count twice."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Hulking Blows")
MAUL = weapon("heavy")
OWNER = {"abilities": ["hulking_blows"], "weapon": MAUL, "rush": 3}


def revealed(
    dice: Dice = (), *, knight: str = "might", rogue: str = "cunning", owner: Fields | None = None, **more: Any
) -> Table:
    """Return a table at which the stances are revealed and the knight may use the ability."""
    table = Table({"knight": {**OWNER, **(owner or {})}, "rogue": {}, **more}, dice)
    table.engage(knight=knight, rogue=rogue)
    return table


def answered(answer: str, dice: Dice = (), **stances: str) -> Table:
    """Return a table at which the rogue has answered."""
    table = revealed(dice, **stances)
    table.play(knight="use_at 1 a").play(rogue=answer)
    return table


def test_the_target_is_asked_right_after_the_reveal() -> None:
    table = revealed(rogue="might")
    assert table.window == "instant"
    table.play(knight="use_at 1 a")
    assert (table.window, table.choosers(), table.phase) == ("pick", {"rogue"}, None)
    assert (table.legal("rogue"), table.legal("knight")) == (["pick 0", "pick 1"], ["pass"])
    assert table.fighter("knight")["rush"] == 2
    table.play(rogue="pick 0")
    assert table.last("pick") == {
        "type": "pick", "fighter": "rogue", "ability": "hulking_blows", "part": 0, "answer": "dodge", "by": "knight",
    }  # fmt: skip


def test_the_dice_of_an_attack_on_a_target_that_stands_count_twice() -> None:
    # Heart 5, might 3 and maul 10 are 18, twice 36; the bonus of 2 is no die.
    table = revealed([(5, 3, 10), (1, 2)], rogue="might", owner={"attack_bonus": 2}, fox={"team": "blue"})
    table.play(knight="use_at 1 a").play(rogue="pick 1").pass_to("attack", "might")
    assert "attack 1" in table.legal("rogue")
    table.finish_round()  # nobody attacks, so the dice wait
    table.engage(knight="might: attack 1", rogue="defensive")
    assert table.rolls()[0] == 20, "the answer was for the round before"


@pytest.mark.parametrize(
    ("owner", "attack", "rolls"),
    [
        ({"attack_bonus": 2}, (5, 3, 10), (38, 14)),
        # Prone, the knight rolls one more of the largest dice and drops the highest result, 12.
        ({"conditions": {"prone": 1}}, (5, 3, 10, 12), (2 * (5 + 3 + 10), 14)),
    ],
)
def test_the_dice_that_are_not_dropped_count_twice_in_the_round_of_the_answer(
    owner: Fields, attack: tuple[int, ...], rolls: tuple[int, int]
) -> None:
    table = revealed([attack, (4, 2, 8)], rogue="might", owner=owner)
    table.play(knight="use_at 1 a").play(rogue="pick 1").pass_to("attack", "might").play(knight="attack 1")
    assert table.rolls() == rolls


def test_to_answer_in_a_contest_is_no_attack_of_the_owner() -> None:
    table = answered("pick 1", [(5, 3, 10), (4, 2, 8)], rogue="might")
    table.pass_to("attack", "might").play(rogue="attack 1")
    assert sorted(table.rolls()) == [14, 18]


def test_attacks_on_others_are_as_always() -> None:
    table = revealed([(5, 3, 10), (4, 2)], rogue="might", fox={})
    table.play(knight="use_at 1 a").play(rogue="pick 1").pass_to("attack", "might").play(knight="attack 2")
    assert table.rolls()[0] == 18


def test_a_target_that_dodges_makes_no_attack_and_the_owner_cannot_attack_it() -> None:
    table = revealed(rogue="might", fox={}, page={"team": "blue"})
    table.play(knight="use_at 1 a").play(rogue="pick 0").pass_to("attack", "might")
    assert table.choosers() == {"knight"}
    assert {name.split()[1] for name in table.legal("knight") if name.startswith("attack")} == {"2"}
    table.finish_round().engage(knight="might", rogue="might", page="might").pass_to("attack", "might")
    assert {"attack 1", "attack 2"} <= set(table.legal("knight"))
    assert "attack 1" in table.legal("rogue")


def test_others_may_attack_a_target_that_dodges() -> None:
    table = Table({"knight": OWNER, "page": {"team": "blue"}, "rogue": {"team": "red"}}, [(1, 1, 1), (8, 6)])
    table.engage(knight="might", rogue="might", page="might").play(knight="use_at 1 a").play(rogue="pick 0")
    table.pass_to("attack", "might").play(page="attack 1")
    assert table.last("attack")["contested"] is False, "it rolls defense, since it makes no attack"


def test_a_target_without_an_attack_to_give_up_or_anybody_in_reach_stands_without_being_asked() -> None:
    spear = {**MAUL, "reach": True}
    far = on_map("....\n.K.R\n....", {"knight": {**OWNER, "weapon": spear}, "rogue": {}})
    for table in (revealed(rogue="defensive"), far.engage(knight="might", rogue="might")):
        table.play(knight="use_at 1 a")
        assert table.window != "pick" and table.last("pick")["answer"] == "stand"


@pytest.mark.parametrize(
    ("owner", "stance", "against", "may"),
    [
        ({}, "might", "cunning", True),
        ({"weapon": weapon("light")}, "might", "cunning", False),
        ({"weapon": weapon("heavy", "ranged")}, "might", "cunning", False),
        ({}, "might", "agility", False),
        ({}, "defensive", "cunning", False),
        ({"rush": 0}, "might", "cunning", False),
    ],
)
def test_it_takes_a_heavy_melee_weapon_and_a_creature_to_attack(
    owner: Fields, stance: str, against: str, may: bool
) -> None:
    table = revealed(owner={"rush": 3, **owner}, knight=stance, rogue=against)
    assert (table.window == "instant" and "use_at 1 a" in table.legal("knight")) is may


def test_an_answer_that_is_not_given_is_a_dodge() -> None:
    table = revealed(rogue="might")
    table.play(knight="use_at 1 a").play()  # a pass, which is not legal
    assert table.last("pick")["answer"] == "dodge"

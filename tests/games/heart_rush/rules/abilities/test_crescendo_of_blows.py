"""Crescendo of Blows: a die for each creature attacked."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Crescendo of Blows")
OWNER = {"abilities": ["crescendo_of_blows"]}
BLOW, DEFENSE = (1, 1, 1), (1, 1)


def attack_rolls(table: Table) -> list[int]:
    return [event["attack_roll"] for event in table.events_of("attack")]


@pytest.mark.interplay("crescendo_of_blows", "double_shot")
def test_the_second_creature_of_a_round_brings_a_second_die() -> None:
    archer = {**OWNER, "talents": ["double_shot"], "weapon": weapon("light", "ranged")}
    dice: Dice = [BLOW, 3, DEFENSE, BLOW, (3, 2), DEFENSE, BLOW, 4, DEFENSE]
    table = Table({"archer": archer, "rogue": {}, "fox": {}}, dice).play(archer="use a")
    table.engage(archer="might: attack 1", rogue="cunning", fox="cunning")
    table.pass_to("follow_up").play(archer="attack 2").finish_round()
    table.engage(archer="might: attack 1", rogue="cunning", fox="cunning").finish_round()
    assert attack_rolls(table) == [6, 8, 7]


def test_a_creature_attacked_twice_is_one_creature() -> None:
    knight = {"abilities": ["crescendo_of_blows", "several_attacks"]}
    table = Table({"knight": knight, "rogue": {}}, [BLOW, 3, DEFENSE, BLOW, 4, DEFENSE])
    table.engage(knight="might: attack 1", rogue="cunning")
    assert attack_rolls(table) == [6, 7]


def test_an_opportunity_attack_counts() -> None:
    fighters: dict[str, Fields] = {"knight": OWNER, "rogue": {"conditions": {"prone": 1}}, "fox": {}}
    # The prone rogue defends with another d8 and drops the highest.
    table = Table(fighters, [BLOW, 3, (1, 1, 1), BLOW, (3, 2), DEFENSE])
    table.play(rogue="stand").play(knight="opportunity 1 might")
    table.engage(knight="might: attack 2", fox="cunning")
    assert attack_rolls(table) == [6, 8]


def test_to_answer_in_a_contest_is_no_attack() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, [BLOW, BLOW])
    table.engage(knight="might", rogue="might: attack 1")
    assert table.rolls() == (3, 3)


def test_a_creature_that_was_only_answered_brings_no_die() -> None:
    fighters: dict[str, Fields] = {"knight": OWNER, "rogue": {"agility": 8}, "fox": {}}
    table = Table(fighters, [(8, 6, 8), (1, 1, 1), BLOW, 4, BLOW])
    table.engage(knight="might", rogue="might", fox="might").pass_to("attack", "might")
    table.play(rogue="attack 1", knight="attack 2")
    assert sorted(attack_rolls(table)) == [3 + 4, 22]

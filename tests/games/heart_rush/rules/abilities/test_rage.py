"""Rage: attacks on the owner enrage it, and it strikes harder at the object of its rage."""

import pytest

from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Rage")


@pytest.mark.parametrize(("field", "levels", "advantage"), [("talents", 1, 2), ("destiny_talents", 2, 3)])
def test_an_attack_enrages_the_owner_who_strikes_back_with_advantage(field: str, levels: int, advantage: int) -> None:
    # The rogue's agility beats the knight's might: d8, d6, d8 against d8, d6. Then the knight's d8, d6 and d8 with the
    # advantage's d6, of which the best three count: 6, 5 and 4, or three times 6.
    back = [(1, 5, 4), (6,) * advantage, (1, 1)]
    table = Table({"knight": {field: ["rage"]}, "rogue": {}}, [(1, 1, 1), (8, 6), *back])
    table.engage(knight="might", rogue="agility: attack 1").finish_round()
    assert table.conditions("knight") == {"enraged": levels}
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert table.last("attack")["attack_causes"] == {"ability": advantage}
    assert table.rolls() == (17 if advantage == 2 else 18, 2)
    assert table.conditions("knight") == {}  # the attack has vented it


def test_of_several_attackers_the_last_is_the_object_of_its_rage() -> None:
    fighters = {"knight": {"talents": ["rage"]}, "rogue": {}, "fox": {"agility": 8}}
    attack, defense = (1, 1, 1), (8, 6)
    # The quicker fox attacks first. In round 2 the knight attacks it with the disadvantage of being enraged at another:
    # a d8 more, of 8, 2, 3 and 1 the highest goes.
    table = Table(fighters, [attack, defense, attack, defense, (8, 2, 3, 1), (1, 1)])
    table.engage(knight="might", rogue="agility: attack 1", fox="agility: attack 1")
    table.engage(knight="might: attack 2", rogue="cunning", fox="cunning").finish_round()
    assert (table.last("attack")["attack_causes"], table.rolls()) == ({"enraged": -1}, (6, 2))


def test_of_several_that_strike_at_an_opening_it_is_the_last_of_them() -> None:
    owner = {"talents": ["rage"], "conditions": {"prone": 1}}
    blow, defense = (1, 1, 1), (8, 6, 8)
    # The rogue comes first in agent order, but its 2 against the fox's 14 makes it the last to strike.
    table = Table({"knight": owner, "rogue": {}, "fox": {}}, [(1, 1), (8, 6), blow, defense, blow, defense])
    table.play(knight="stand").play(rogue="opportunity 1 might", fox="opportunity 1 might")
    table.pass_to("stance")
    assert [event["attacker"] for event in table.events_of("attack")] == ["fox", "rogue"]
    assert table.conditions("knight") == {"enraged": 1}
    assert table.fighter("knight")["sources"] == {"enraged": "rogue"}


def test_an_owner_that_nobody_attacks_stays_calm() -> None:
    table = Table({"knight": {"talents": ["rage"]}, "rogue": {}}, [(1, 1, 1), (8, 6)])
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert (table.last("attack")["attack_causes"], table.history("knight", "enraged")) == ({}, [])


def test_in_december_the_owner_is_aggravated_and_an_attack_does_not_end_it() -> None:
    # The rogue's agility beats the knight's might: d8, d6, d8 against d8, d6. Then the knight's d8, d6 and d8 with two
    # d6 of advantage, of which the best three count: 6, 6 and 5.
    back = [(1, 5, 4, 6, 6), (1, 1)]
    december = {"edition": "december2025"}
    table = Table({"knight": {"talents": ["rage"]}, "rogue": {}}, [(1, 1, 1), (8, 6), *back], december)
    table.engage(knight="might", rogue="agility: attack 1").finish_round()
    assert table.conditions("knight") == {"aggravated": 1}
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert (table.rolls(), table.conditions("knight")) == ((17, 2), {"aggravated": 1})


@pytest.mark.heading("Many Bodies")
def test_a_swarm_rages_too_because_no_creature_gives_it_its_rage() -> None:
    rats = {"talents": ["rage"], "abilities": ["many_bodies"]}
    table = Table({"rats": rats, "rogue": {}}, [(1, 1, 1), (8, 6)]).engage(rats="might", rogue="agility: attack 1")
    assert table.finish_round().conditions("rats") == {"enraged": 1}

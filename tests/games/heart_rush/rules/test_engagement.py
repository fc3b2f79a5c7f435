"""The Engagement > Attack Resolution Process: phases, the order within them, and the chapter's long example."""

import pytest

from tests.games.heart_rush.rules.table import Table, weapon

pytestmark = pytest.mark.heading("Resolution Phases")

FREE_HANDS = {**weapon(), "natural": True}  # a part of the body of one d8


@pytest.mark.heading("Understanding Stances", "Cunning Stance", "How Engagements Work")
def test_the_long_example() -> None:
    """Orc might, wolf cunning, you and your archer agility.

    "The wolf's cunning beats your agility. It bites and triggers Hamstring, inflicting off-balanced. Both you and your
    archer chose agility, which beats the orc's might. Your archer goes first. The orc burns stamina to halve damage.
    The orc's might stance leaves him with no valid targets." Abilities are not played: off-balanced comes with cunning.
    """
    fighters = {
        "you": {"agility": 8, "weapon": "shortsword"},
        "archer": {"team": "blue", "agility": 10, "weapon": "longbow", "conditions": {"burning": 1}},
        "orc": {"team": "red", "might": 10, "weapon": "greataxe"},
        "wolf": {"team": "red", "weapon": "teeth", "conditions": {"burning": 1}},
    }
    wolf_bites = [5, 6, 3, 2, 4, 3]  # heart, cunning, teeth and one more d4 for piercing: 16; your d8 and d8: 7
    archer_shoots = [7, 9, 8, 3, 4]  # heart, agility, bow: 24; the orc's d8 and d6: 7
    you_strike = [6, 7, 4, 5, 8, 2, 1]  # heart, agility, sword, one for slashing, and off-balanced's d8; the orc's 3
    table = Table(fighters, wolf_bites + archer_shoots + you_strike, heroes=["blue"])

    # The action phase: windows until all pass.
    table.play(wolf="put_out_fire")  # the wolf spends its action
    assert "help 1" in table.legal("archer")  # the archer has saved hers, waiting to see how things develop
    table.play(archer="put_out_fire").play()
    table.play(you="stance agility", archer="stance agility", orc="stance might", wolf="stance cunning")

    # Cunning phase.
    assert (table.phase, table.choosers()) == ("cunning", {"wolf"})
    table.play(wolf="attack 1 off_balanced")
    assert table.last("attack")["damage"] == 9  # 16 - 7
    table.play(you="shrug")
    assert (table.hp("you"), table.heart("you")) == (35, 6)  # 9 halved is 5
    assert table.conditions("you") == {"off_balanced": 1}

    # Agility phase: your heart die is a d6 by now, and off-balanced costs you the highest die.
    assert (table.phase, table.choosers()) == ("agility", {"you", "archer"})
    table.play(you="attack 1", archer="attack 1")
    assert [attack["attacker"] for attack in table.events_of("attack")] == ["wolf", "archer", "you"]
    assert table.rolls() == (22, 3)  # 6+7+4+5+8 without 8
    assert table.fighter("orc")["hits"] == [17, 19]
    table.play(orc="shrug").play(orc="take")
    assert (table.hp("orc"), table.heart("orc")) == (12, 6)  # 40 - 9 - 19

    # Might phase: no valid targets. The engagement ends, a new round begins, and everyone has its action back.
    assert [attack["attacker"] for attack in table.events_of("attack")] == ["wolf", "archer", "you"]
    assert (table.round, table.window) == (2, "action")
    assert all(table.fighter(name)["action"] for name in table.names)
    assert table.conditions("you") == {}


def test_cunning_comes_before_agility_and_agility_before_might() -> None:
    fighters = {"knight": {}, "rogue": {}, "orc": {"team": "gold"}, "wolf": {"team": "gold"}}
    table = Table(fighters).engage(knight="might", rogue="cunning", orc="agility", wolf="cunning")
    assert (table.phase, table.choosers()) == ("cunning", {"rogue", "wolf"})
    table.play()
    # Nobody is there whom agility may attack, apart from the knight.
    assert (table.phase, table.choosers()) == ("agility", {"orc"})
    table.play()
    assert (table.phase, table.choosers()) == ("might", {"knight"})


def test_whoever_is_felled_in_an_earlier_phase_does_not_attack_in_a_later_one() -> None:
    fighters = {"knight": {}, "rogue": {"hp_now": 5}, "squire": {"team": "blue"}, "orc": {"team": "red"}}
    table = Table(fighters, [8, 6, 8, 1, 1])
    table.engage(knight="cunning: attack 1", rogue="agility", squire="might", orc="defensive").play()
    assert table.status("rogue") == "defeated"
    assert table.phase == "might"  # the rogue's agility phase is over before it began


def test_whoever_is_felled_in_a_phase_completes_its_attack() -> None:
    fighters = {"knight": {"hp_now": 5}, "rogue": {"hp_now": 5}, "squire": {"team": "blue"}, "orc": {"team": "red"}}
    # Three contests in one phase: the knight fells the rogue, the rogue wounds the squire, the orc fells the knight.
    table = Table(fighters, [(8, 6, 8, 1, 1, 1), (8, 6, 8, 1, 1, 1), (1, 1, 1, 8, 6, 8)])
    table.engage(knight="might: attack 1", rogue="might: attack 2", squire="might", orc="might: attack 1").play()
    assert [table.status(name) for name in table.names] == ["defeated", "defeated", "standing", "standing"]
    assert table.hp("squire") == 21  # 22 - 3, from the rogue that fell in this phase


def test_conditions_of_a_phase_hinder_nobody_in_the_same_phase() -> None:
    fighters = {"knight": {"agility": 12}, "squire": {"team": "blue"}, "rogue": {"team": "red"}, "orc": {"team": "red"}}
    table = Table(fighters, [(1, 1, 1, 1, 2), (4, 4, 4, 1, 2)])
    table.engage(knight="cunning: attack 1 dazed+dazed", squire="cunning: attack 1", rogue="agility", orc="agility")
    assert table.last("attack")["defense_causes"] == {}
    table.play()
    assert table.history("rogue", "dazed") == [2, 1]  # the next round's start takes one


def test_effects_on_those_who_are_out_are_void() -> None:
    table = Table({"knight": {}, "rogue": {"hp_now": 5}, "orc": {"team": "red"}}, [8, 6, 8, 1, 1])
    table.engage(knight="cunning: attack 1 dazed+weakened", rogue="agility", orc="agility").play()
    assert (table.status("rogue"), table.conditions("rogue")) == ("defeated", {})


@pytest.mark.heading("Executing Special Maneuvers")
@pytest.mark.parametrize(
    ("contest", "rolls", "status", "held"),
    [((8, 6, 8, 1, 1, 1), (3, 22), "standing", {"grappled": 1}), ((1, 1, 1, 8, 6, 8), (22, 3), "defeated", {})],
)
def test_a_grapple_goes_together_with_a_contest_with_a_third_and_is_void_if_its_maker_is_out_by_then(
    contest: tuple[int, ...], rolls: tuple[int, int], status: str, held: dict[str, int]
) -> None:
    """The orc's attack on the knight is a contest, in which the quicker knight rolls first."""
    fighters = {"knight": {"agility": 8, "hp_now": 5, "weapon": FREE_HANDS}, "rogue": {}, "orc": {"agility": 6}}
    table = Table(fighters, [contest, (8, 6, 1, 1)])
    table.engage(knight="agility: grapple 1", rogue="might", orc="agility: attack 1")
    assert (table.rolls(), table.last("maneuver")["success"]) == (rolls, True)
    table.play()
    assert (table.status("knight"), table.conditions("rogue")) == (status, held)
    assert table.fighter("knight")["grappling"] == ("rogue" if held else None)


@pytest.mark.heading("Executing Special Maneuvers")
def test_two_who_grapple_the_same_target_in_a_phase_do_not_both_hold_it() -> None:
    squire = {"team": "blue", "agility": 10, "weapon": "claws"}
    fighters = {"knight": {"agility": 8, "weapon": "claws"}, "squire": squire, "rogue": {"team": "red"}}
    table = Table(fighters, [(8, 6, 1, 1), (8, 6, 1, 1)])
    table.engage(knight="agility: grapple 1", squire="agility: grapple 1", rogue="might")
    assert [event["success"] for event in table.events_of("maneuver")] == [True, True]
    assert table.fighter("squire")["grappling"] == "rogue"  # as the quicker
    assert (table.fighter("knight")["grappling"], table.conditions("knight")) == (None, {})


def test_the_phase_tells_attacks_then_damage_then_conditions() -> None:
    table = Table({"knight": {}, "rogue": {}, "orc": {"team": "red"}}, [8, 6, 8, 1, 1])
    table.engage(knight="cunning: attack 1 dazed", rogue="agility", orc="agility").play(rogue="shrug")
    told = [event["type"] for event in table.events if event["type"] not in ("round", "reveal")]
    assert told[:5] == ["attack", "shrug", "damage", "wound", "condition"]  # 20 halved is a rank 10 wound

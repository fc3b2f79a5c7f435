"""Paragons that change a figure, a die or a roll for good."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Table, strike

MIGHT = "Combat Legacy > Indomitable Might"
FORTITUDE = "Combat Legacy > Indomitable Fortitude"
ACCURACY = "Combat Legacy > Uncanny Accuracy"
NAILS = "Combat Legacy > Tough as Nails"
SPIRIT = "Combat Legacy > Battlespirit"
RELENTLESS = "Combat Legacy > Relentless"
ATTACKER = "Combat Legacy > Favored Attacker"
DEFENDER = "Combat Legacy > Favored Defender"
DEXTERITY = "Combat Legacy > Divine Dexterity"
PRESENCE = "Combat Legacy > Draconic Presence"
CUNNING = "Combat Legacy > Ingenious Cunning"
STRENGTH = "Combat Legacy > Titanic Strength"
LOW = [(1, 1, 1), (1, 1)]  # an attack and a defense: 3 and 2


def owner(id: str, **more: Any) -> dict[str, Any]:
    return {"abilities": [id], **more}


@pytest.mark.heading(MIGHT)
def test_indomitable_might_adds_10_to_rolls_with_might() -> None:
    both = owner("indomitable_might")
    assert strike(both, {}, dice=LOW).rolls() == (13, 2)
    assert strike({}, both, dice=LOW).rolls() == (3, 12)
    assert strike(both, both, stance="agility", against="might", dice=LOW).rolls() == (3, 2)


@pytest.mark.heading(FORTITUDE)
@pytest.mark.parametrize(("before", "after"), [(20, 30), (1, 11), (35, 40), (0, 0)])
def test_indomitable_fortitude_heals_10_above_0_hit_points(before: int, after: int) -> None:
    table = Table({"knight": owner("indomitable_fortitude", hp_now=before), "rogue": {}}, heroes="blue")
    assert table.hp("knight") == after


@pytest.mark.heading(ACCURACY)
def test_uncanny_accuracy_gives_attacks_3_levels() -> None:
    # d8, d6 and d8 and three more d6, of which the highest three count: 5 + 4 + 3.
    table = strike(owner("uncanny_accuracy"), {}, dice=[(1, 2, 3), (4, 5, 2), (1, 1)])
    assert table.last("attack")["attack_causes"] == {"ability": 3}
    assert table.rolls() == (12, 2)


@pytest.mark.heading(NAILS)
@pytest.mark.parametrize(("picks", "damage", "wounds"), [(1, 19, 0), (1, 20, 1), (2, 29, 0), (2, 30, 1)])
def test_tough_as_nails_raises_the_threshold_by_10_for_each_pick(picks: int, damage: int, wounds: int) -> None:
    table = strike({"attack_bonus": damage - 1}, {"abilities": ["tough_as_nails"] * picks}, dice=LOW)
    assert table.last("damage")["amount"] == damage
    assert len(table.events_of("wound")) == wounds


@pytest.mark.heading(NAILS)
def test_tough_as_nails_leaves_a_creature_that_is_never_wounded_as_it_is() -> None:
    never = {"wound_threshold": 0, "abilities": ["tough_as_nails"]}
    table = strike({"attack_bonus": 29}, never, dice=LOW)
    assert table.last("damage")["amount"] == 30
    assert table.events_of("wound") == []


@pytest.mark.heading(SPIRIT)
def test_battlespirit_doubles_the_rush_points_of_each_round() -> None:
    table = Table({"knight": owner("battlespirit"), "rogue": {}}, [*LOW, *LOW])
    rush = []
    for _ in range(2):
        rush.append(table.fighter("knight")["rush"])
        table.engage(knight="might", rogue="cunning")
        table.pass_to("attack", "might")
        table.play(knight="attack 1")
        table.finish_round()
    assert [*rush, table.fighter("knight")["rush"]] == [2, 2, 4]  # twice 1, 1, 2


@pytest.mark.heading(SPIRIT)
@pytest.mark.parametrize("frenzy_first", [True, False])
def test_battlespirit_doubles_what_other_abilities_bring_at_the_round_start_but_not_what_is_kept(
    frenzy_first: bool,
) -> None:
    more = {"destiny_talents": ["focused", "battlefrenzy"] if frenzy_first else ["battlefrenzy", "focused"]}
    table = Table({"knight": owner("battlespirit", **more), "rogue": {}, "mage": {}})
    assert table.fighter("knight")["rush"] == 2 * (1 + 2)  # a point, and one for each of two enemies beside it
    table.finish_round()  # nobody attacks, so nobody is active
    assert table.fighter("knight")["rush"] == 2 * (0 + 2) + 5  # Focused keeps five


@pytest.mark.heading(RELENTLESS)
def test_relentless_rolls_the_full_heart_die() -> None:
    own = owner("relentless", heart=12, heart_now=6)
    assert strike(own, {}, dice=LOW).last("attack")["attack_pool"][0] == ["heart", 12, 1]
    assert strike({}, own, dice=LOW).last("attack")["defense_pool"][0] == ["heart", 12, 1]


@pytest.mark.heading(RELENTLESS)
@pytest.mark.parametrize("order", [["relentless", "favored_attacker"], ["favored_attacker", "relentless"]])
def test_relentless_makes_further_heart_dice_full_as_well(order: list[str]) -> None:
    table = strike({"abilities": order, "heart": 12, "heart_now": 6}, {}, dice=[LOW[0], (5,), LOW[1]])
    assert table.last("attack")["attack_pool"][3:] == [["bonus", 12, 5]]


@pytest.mark.heading(ATTACKER)
@pytest.mark.heading(DEFENDER)
def test_favored_fighters_roll_one_more_heart_die() -> None:
    attack = strike(owner("favored_attacker", heart_now=6), {}, dice=[LOW[0], (5,), LOW[1]])
    assert attack.last("attack")["attack_pool"][3:] == [["bonus", 6, 5]]
    defense = strike({}, owner("favored_defender", heart_now=6), dice=[*LOW, (5,)])
    assert defense.last("attack")["defense_pool"][2:] == [["bonus", 6, 5]]


@pytest.mark.heading(DEXTERITY)
@pytest.mark.heading(CUNNING)
@pytest.mark.heading(STRENGTH)
@pytest.mark.parametrize(
    ("id", "stance", "against"),
    [
        ("titanic_strength", "might", "cunning"),
        ("divine_dexterity", "agility", "might"),
        ("ingenious_cunning", "cunning", "agility"),
    ],
)
def test_a_die_becomes_a_d20(id: str, stance: str, against: str) -> None:
    table = strike(owner(id), {}, stance=stance, against=against, dice=[(1, 20, 1), (1, 1)], answer="shrug")
    assert table.last("attack")["attack_pool"][1] == [stance, 20, 20]


@pytest.mark.heading(DEXTERITY)
def test_the_quickest_goes_by_the_new_die() -> None:
    table = Table({"knight": {"agility": 12}, "rogue": owner("divine_dexterity")}, [(1, 1, 1), (1, 1, 1)])
    table.engage(knight="might", rogue="might")
    table.pass_to("attack", "might")
    table.play(knight="attack 1", rogue="attack 1")
    assert table.last("attack")["attacker"] == "rogue"


@pytest.mark.heading(PRESENCE)
def test_the_presence_die_becomes_a_d20_as_well() -> None:
    # A taunt is presence against presence.
    table = strike(owner("draconic_presence"), {}, choice="taunt 1", dice=[(1, 20), (1, 1)])
    assert table.last("maneuver")["attack_pool"][1] == ["presence", 20, 20]

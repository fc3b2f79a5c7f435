"""Paragons that change a number, a die or a roll for good."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Fields, Table, strike

LOW = [(1, 1, 1), (1, 1)]  # an attack and a defense: 3 and 2


def owner(id: str, **more: Any) -> Fields:
    return {"abilities": [id], **more}


@pytest.mark.heading("Indomitable Might")
def test_indomitable_might_adds_10_to_rolls_with_might() -> None:
    both = owner("indomitable_might")
    assert (strike(both, {}, dice=LOW).rolls(), strike({}, both, dice=LOW).rolls()) == ((13, 2), (3, 12))
    assert strike(both, both, stance="agility", against="might", dice=LOW).rolls() == (3, 2)


@pytest.mark.heading("Indomitable Fortitude")
@pytest.mark.parametrize(("before", "after"), [(20, 30), (1, 11), (35, 40), (0, 0)])
def test_indomitable_fortitude_heals_10_above_0_hit_points(before: int, after: int) -> None:
    table = Table({"knight": owner("indomitable_fortitude", hp_now=before), "rogue": {}}, heroes="blue")
    assert table.hp("knight") == after


@pytest.mark.heading("Uncanny Accuracy")
def test_uncanny_accuracy_gives_attacks_3_levels() -> None:
    # d8, d6 and d8 and three more d6, of which the highest three count: 5 + 4 + 3.
    table = strike(owner("uncanny_accuracy"), {}, dice=[(1, 2, 3), (4, 5, 2), (1, 1)])
    assert (table.last("attack")["attack_causes"], table.rolls()) == ({"ability": 3}, (12, 2))


@pytest.mark.heading("Tough as Nails")
@pytest.mark.parametrize(("picks", "damage", "wounds"), [(1, 19, 0), (1, 20, 1), (2, 29, 0), (2, 30, 1)])
def test_tough_as_nails_raises_the_threshold_by_10_for_each_pick(picks: int, damage: int, wounds: int) -> None:
    table = strike({"attack_bonus": damage - 1}, {"abilities": ["tough_as_nails"] * picks}, dice=LOW)
    assert (table.last("damage")["amount"], len(table.events_of("wound"))) == (damage, wounds)


@pytest.mark.heading("Tough as Nails")
def test_tough_as_nails_leaves_a_creature_that_is_never_wounded_as_it_is() -> None:
    table = strike({"attack_bonus": 29}, {"wound_threshold": 0, "abilities": ["tough_as_nails"]}, dice=LOW)
    assert (table.last("damage")["amount"], table.events_of("wound")) == (30, [])


@pytest.mark.heading("Battlespirit")
def test_battlespirit_doubles_the_rush_points_of_each_round() -> None:
    table = Table({"knight": owner("battlespirit"), "rogue": {}}, [*LOW, *LOW])
    rush = []
    for _ in range(2):
        rush.append(table.fighter("knight")["rush"])
        table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert [*rush, table.fighter("knight")["rush"]] == [2, 2, 4]  # twice 1, 1, 2


@pytest.mark.heading("Battlespirit")
@pytest.mark.parametrize("frenzy_first", [True, False])
@pytest.mark.interplay("battlefrenzy", "battlespirit", "focused")
def test_battlespirit_doubles_what_other_abilities_bring_at_the_round_start_but_not_what_is_kept(
    frenzy_first: bool,
) -> None:
    more = {"destiny_talents": ["focused", "battlefrenzy"] if frenzy_first else ["battlefrenzy", "focused"]}
    table = Table({"knight": owner("battlespirit", **more), "rogue": {}, "mage": {}})
    assert table.fighter("knight")["rush"] == 2 * (1 + 2)  # a point, and one for each of two enemies beside it
    table.finish_round()  # nobody attacks, so nobody is active
    assert table.fighter("knight")["rush"] == 2 * (0 + 2) + 5  # Focused keeps five


@pytest.mark.heading("Relentless")
def test_relentless_rolls_the_full_heart_die() -> None:
    own = owner("relentless", heart=12, heart_now=6)
    assert strike(own, {}, dice=LOW).last("attack")["attack_pool"][0] == ["heart", 12, 1]
    assert strike({}, own, dice=LOW).last("attack")["defense_pool"][0] == ["heart", 12, 1]


@pytest.mark.heading("Relentless")
@pytest.mark.parametrize("order", [["relentless", "favored_attacker"], ["favored_attacker", "relentless"]])
@pytest.mark.interplay("favored_attacker", "relentless")
def test_relentless_makes_further_heart_dice_full_as_well(order: list[str]) -> None:
    table = strike({"abilities": order, "heart": 12, "heart_now": 6}, {}, dice=[LOW[0], (5,), LOW[1]])
    assert table.last("attack")["attack_pool"][3:] == [["bonus", 12, 5]]


@pytest.mark.heading("Favored Attacker")
@pytest.mark.heading("Favored Defender")
def test_favored_fighters_roll_one_more_heart_die() -> None:
    attack = strike(owner("favored_attacker", heart_now=6), {}, dice=[LOW[0], (5,), LOW[1]])
    assert attack.last("attack")["attack_pool"][3:] == [["bonus", 6, 5]]
    defense = strike({}, owner("favored_defender", heart_now=6), dice=[*LOW, (5,)])
    assert defense.last("attack")["defense_pool"][2:] == [["bonus", 6, 5]]


@pytest.mark.heading("Divine Dexterity")
@pytest.mark.heading("Ingenious Cunning")
@pytest.mark.heading("Titanic Strength")
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


@pytest.mark.heading("Divine Dexterity")
def test_the_quickest_goes_by_the_new_die() -> None:
    table = Table({"knight": {"agility": 12}, "rogue": owner("divine_dexterity")}, [(1, 1, 1), (1, 1, 1)])
    table.engage(knight="might: attack 1", rogue="might: attack 1")
    assert table.last("attack")["attacker"] == "rogue"


@pytest.mark.heading("Draconic Presence")
def test_the_presence_die_becomes_a_d20_as_well() -> None:
    # A taunt is presence against presence.
    table = strike(owner("draconic_presence"), {}, choice="taunt 1", dice=[(1, 20), (1, 1)])
    assert table.last("maneuver")["attack_pool"][1] == ["presence", 20, 20]

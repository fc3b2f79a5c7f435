"""The Engagement > Making Attack Rolls, the weapons' bonuses, and same stance combat."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Table, strike, weapon

ATTACK_ROLL = "Combat > The Engagement > Making Attack Rolls > Your Attack Roll"
DEFENSE_ROLL = "Combat > The Engagement > Making Attack Rolls > Defender's Roll"
DAMAGE = "Combat > The Engagement > Making Attack Rolls > Damage dealt"
DEFENSIVE = "Combat > The Engagement > Choosing Your Stance > Defensive Stance"
SAME_STANCE = "Combat > The Engagement > Attack Resolution Process > Same Stance Combat"
UNARMED = "Weapons > Unarmed"
DAMAGE_TYPE = "Weapons > Damage Type Bonus"
WHIP = "Weapons > Might Bonus > Whip"
RANGED = "Weapons > Might Bonus > Ranged"
THROWN = "Weapons > Might Bonus > Thrown"

STANCES = ("might", "agility", "cunning")
BEATEN_BY = {"might": "cunning", "agility": "might", "cunning": "agility"}
LARGE_SHIELD = {"weapon": weapon(), "armor": "heavy", "shield": "heavy_shield"}  # 6 and 2


def only(ability: str) -> dict[str, int]:
    """A d12 for this ability, a d4 for the others: only the d12 shows an 11."""
    return {**dict.fromkeys(STANCES, 4), ability: 12}


# ---- the rolls


@pytest.mark.heading(ATTACK_ROLL)
@pytest.mark.parametrize("stance", STANCES)
def test_an_attack_is_heart_and_the_stances_ability_and_the_weapon(stance: str) -> None:
    table = strike(only(stance), {}, stance=stance, against=BEATEN_BY[stance], dice=[5, 11, 7, 2, 1])
    assert table.rolls() == (23, 3)  # 5+11+7; 2+1
    assert table.hp("rogue") == 20


@pytest.mark.heading(ATTACK_ROLL)
def test_a_flat_bonus_is_added_in_place_of_a_weapon_die() -> None:
    table = strike({"weapon": "none", "attack_bonus": 9}, {}, dice=[5, 3, 2, 1])
    assert table.rolls() == (17, 3)  # 5+3 and 9


@pytest.mark.heading(ATTACK_ROLL)
@pytest.mark.parametrize(("size", "sides"), [("heavy", 12), ("light", 8), ("ultralight", 4), ("improvised", 4)])
def test_a_weapons_die_goes_by_its_size(size: str, sides: int) -> None:
    assert strike({"weapon": weapon(size)}, dice=[1, 1, sides, 2, 1]).rolls() == (2 + sides, 3)


@pytest.mark.heading(DEFENSE_ROLL)
@pytest.mark.parametrize("stance", STANCES)
def test_a_defense_is_heart_and_the_same_ability_as_the_attackers(stance: str) -> None:
    table = strike({}, only(stance), stance=stance, against=BEATEN_BY[stance], dice=[8, 6, 8, 2, 11])
    assert table.rolls() == (22, 13)  # 8+6+8; 2+11, whatever stance the defender is in
    assert table.hp("rogue") == 31


@pytest.mark.heading(DEFENSE_ROLL)
@pytest.mark.parametrize(("armor", "bonus"), [("none", 0), ("light", 2), ("medium", 4), ("heavy", 6)])
@pytest.mark.parametrize(("shield", "more"), [("none", 0), ("light_shield", 1), ("heavy_shield", 2)])
def test_armor_and_shield_add_to_the_defense(armor: str, bonus: int, shield: str, more: int) -> None:
    table = strike({}, {"armor": armor, "shield": shield}, dice=[8, 6, 8, 2, 1])
    assert table.rolls() == (22, 3 + bonus + more)


@pytest.mark.heading(DEFENSE_ROLL)
def test_a_monsters_flat_defense_bonus_is_its_armor() -> None:
    assert strike({}, {"defense_bonus": 5}, dice=[8, 6, 8, 2, 1]).rolls() == (22, 8)  # 2+1 and 5


@pytest.mark.heading(DAMAGE)
def test_damage_is_attack_less_defense() -> None:
    table = strike({}, {"armor": "medium"}, dice=[5, 3, 9 - 1, 4, 2])
    assert table.last("attack")["damage"] == 6  # 5+3+8 = 16 against 4+2+4 = 10
    assert table.last("attack")["hurt"] == "rogue"
    assert table.last("damage") == {
        "type": "damage", "fighter": "rogue", "by": "knight", "cause": "attack", "amount": 6, "hp": 34,
    }  # fmt: skip


@pytest.mark.heading(DAMAGE)
@pytest.mark.parametrize("die", [5, 6])
def test_damage_is_never_below_zero(die: int) -> None:
    table = strike(dice=[2, 3, 3, 3, die])  # 8 against 8 or 9
    assert table.last("attack")["damage"] == 0
    assert table.last("attack")["hurt"] is None
    assert table.events_of("damage") == []
    assert table.hp("rogue") == 40


@pytest.mark.heading(DEFENSIVE)
@pytest.mark.parametrize(("against", "damage"), [("defensive", 4), ("cunning", 7)])
def test_a_defensive_target_takes_half_of_what_gets_through_rounded_up(against: str, damage: int) -> None:
    table = strike({}, {"armor": "light"}, against=against, dice=[5, 4, 3, 2, 1])  # 12 - 5 = 7
    assert table.last("attack")["damage"] == damage
    assert table.hp("rogue") == 40 - damage


@pytest.mark.heading(DEFENSIVE, "Combat > The Engagement > Understanding Stances")
@pytest.mark.parametrize("stance", STANCES)
def test_all_may_attack_the_defensive_who_attack_nobody(stance: str) -> None:
    table = Table({"knight": {}, "rogue": {}})
    table.engage(knight=stance, rogue="defensive")
    assert table.choosers() == {"knight"}
    assert table.legal("knight") == ["pass", "attack 1"]  # no levels, no maneuvers: nobody beats it
    table.finish_round()


# ---- weapons


@pytest.mark.heading(UNARMED)
def test_bare_hands_are_ultralight_and_bludgeoning() -> None:
    fighters = {"knight": {"weapon": "longsword"}, "rogue": {"agility": 8}}
    table = Table(fighters, [(8, 6, 1, 1), (5, 3, 4, 2, 1, 1)])
    table.engage(knight="might", rogue="agility")
    table.play(rogue="disarm 1")  # 8+6 against 1+1
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    assert table.last("attack")["attack_dice"] == [5, 3, 4, 2]  # d8, d6, d4, and a d4 for bludgeoning in might
    assert table.rolls() == (14, 2)
    table.play()


@pytest.mark.heading(UNARMED)
@pytest.mark.parametrize("kind", ["ranged", "thrown", "whip"])
def test_bare_hands_are_a_melee_weapon_whatever_was_lost(kind: str) -> None:
    fighters = {"knight": {"weapon": weapon("heavy", kind)}, "rogue": {"agility": 8, "armor": "medium"}, "orc": {}}
    table = Table(fighters, [(8, 6, 1, 1), (5, 3, 4, 2, 1, 1)])
    table.engage(knight="might", rogue="agility", orc="defensive")
    table.play(rogue="disarm 1")
    table.engage(knight="might", rogue="cunning", orc="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    assert table.rolls() == (14, 6)  # no whip's die; 1+1 and 4: armor counts
    table.play()
    assert table.window != "follow_up"


@pytest.mark.heading(DAMAGE_TYPE)
@pytest.mark.parametrize("stance", STANCES)
@pytest.mark.parametrize("kind", ["bludgeoning", "slashing", "piercing", "none"])
def test_a_damage_type_adds_a_weapon_die_in_its_own_stance(kind: str, stance: str) -> None:
    own = {"bludgeoning": "might", "slashing": "agility", "piercing": "cunning", "none": None}[kind]
    extra = [11] if stance == own else []
    knight = {"weapon": weapon("heavy", damage_type=kind)}
    table = strike(knight, {}, stance=stance, against="defensive", dice=[5, 3, 9, *extra, 2, 1])
    assert table.last("attack")["attack_dice"] == [5, 3, 9, *extra]
    assert table.rolls() == (17 + sum(extra), 3)


@pytest.mark.heading(DAMAGE_TYPE, SAME_STANCE)
def test_the_damage_type_counts_in_a_contest() -> None:
    maul = {"weapon": weapon("heavy", damage_type="bludgeoning")}
    table = strike(maul, {}, stance="might", against="might", dice=[5, 3, 9, 11, 8, 6, 8])
    assert table.rolls() == (28, 22)  # 5+3+9+11; 8+6+8
    assert table.hp("rogue") == 34


@pytest.mark.heading(DAMAGE_TYPE, "Combat > The Action Phase > Opportunity Attacks")
def test_the_damage_type_counts_in_an_opportunity_attack() -> None:
    maul = {"weapon": weapon("heavy", damage_type="bludgeoning")}
    table = Table({"knight": maul, "rogue": {"surprised": True}}, [5, 3, 9, 11, 8, 6])
    table.play(knight="opportunity 1 might")
    assert table.rolls() == (28, 14)
    table.play()
    table.finish_round()


@pytest.mark.heading(WHIP)
@pytest.mark.parametrize(
    ("stance", "against", "extra"),
    [
        ("might", "cunning", True),
        ("might", "defensive", False),
        ("agility", "might", False),
        ("cunning", "agility", False),
    ],
)
def test_a_whip_adds_a_weapon_die_when_might_beats_cunning(stance: str, against: str, extra: bool) -> None:
    knight = {"weapon": weapon("heavy", "whip")}
    more = [11] if extra else []
    table = strike(knight, {}, stance=stance, against=against, dice=[5, 3, 9, *more, 2, 1])
    assert table.last("attack")["attack_dice"] == [5, 3, 9, *more]


@pytest.mark.heading(WHIP, DAMAGE_TYPE)
def test_a_bludgeoning_whip_adds_both_dice() -> None:
    knight = {"weapon": weapon("heavy", "whip", "bludgeoning")}
    assert strike(knight, dice=[5, 3, 9, 10, 11, 2, 1]).rolls() == (38, 3)  # 5+3+9+10+11


@pytest.mark.heading(WHIP, SAME_STANCE)
@pytest.mark.parametrize("kind", ["melee", "ranged", "thrown"])
def test_other_weapons_add_no_die_for_might(kind: str) -> None:
    assert strike({"weapon": weapon("heavy", kind)}, dice=[5, 3, 9, 2, 1]).last("attack")["attack_dice"] == [5, 3, 9]


@pytest.mark.heading(ATTACK_ROLL, DEFENSE_ROLL)
def test_events_say_what_each_die_stands_for_and_what_was_added() -> None:
    knight = {"weapon": weapon("heavy", "whip", "bludgeoning"), "attack_bonus": 2, "conditions": {"weakened": 1}}
    rogue = {"armor": "medium", "shield": "light_shield"}
    attack = strike(knight, rogue, dice=[5, 3, 9, 10, 11, 4, 2, 1]).last("attack")
    assert attack["attack_pool"] == [
        ["heart", 8, 5], ["might", 6, 3], ["weapon", 12, 9], ["bludgeoning", 12, 10], ["whip", 12, 11],
        ["disadvantage", 12, 4],
    ]  # fmt: skip
    assert (attack["attack_flat"], attack["attack_roll"]) == ({"bonus": 2}, 5 + 3 + 9 + 10 + 4 + 2)
    assert attack["defense_pool"] == [["heart", 8, 2], ["might", 6, 1]]
    assert (attack["defense_flat"], attack["defense_roll"]) == ({"armor": 4, "shield": 1}, 2 + 1 + 5)


@pytest.mark.heading(RANGED)
@pytest.mark.parametrize(
    ("stance", "against", "defense"),
    [
        ("might", "cunning", 5),  # 2+1 and the shield's 2
        ("might", "defensive", 11),  # nobody is beaten: 2+1+6+2
        ("agility", "might", 11),
        ("cunning", "agility", 11),
    ],
)
def test_a_ranged_weapon_ignores_armor_but_no_shield_when_might_beats_cunning(
    stance: str, against: str, defense: int
) -> None:
    archer = {"weapon": weapon("light", "ranged")}
    assert strike(archer, LARGE_SHIELD, stance=stance, against=against, dice=[8, 6, 8, 2, 1]).rolls() == (22, defense)


@pytest.mark.heading(RANGED)
def test_a_monsters_flat_defense_bonus_is_ignored_too() -> None:
    archer = {"weapon": weapon("light", "ranged")}
    assert strike(archer, {"defense_bonus": 7}, dice=[8, 6, 8, 2, 1]).rolls() == (22, 3)


@pytest.mark.heading(RANGED)
@pytest.mark.parametrize("kind", ["melee", "thrown", "whip"])
def test_other_weapons_do_not_ignore_armor(kind: str) -> None:
    extra = [1] if kind == "whip" else []
    table = strike({"weapon": weapon("light", kind)}, LARGE_SHIELD, dice=[8, 6, 8, *extra, 2, 1])
    assert table.rolls()[1] == 11


def throw(
    dice: list[int], kind: str = "thrown", orc: str = "cunning", rogue: str = "cunning", carried: int = 2, **rules: str
) -> Table:
    """The knight's might against two; it goes for the first."""
    knight = {"weapon": weapon("light", kind), "thrown": carried}
    table = Table({"knight": knight, "rogue": {}, "orc": {}}, dice, rules=rules)
    table.engage(knight="might", rogue=rogue, orc=orc)
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    return table


@pytest.mark.heading(THROWN)
def test_a_throw_that_beats_cunning_and_the_defense_earns_another_at_another_target() -> None:
    table = throw([(5, 4, 3, 2, 1), (6, 5, 4, 2, 1)])
    assert table.window == "follow_up"
    assert table.legal("knight") == ["pass", "attack 2"]
    table.play(knight="attack 2")
    assert [attack["cause"] for attack in table.events_of("attack")] == ["attack", "follow_up"]
    assert table.window == "shrug"  # no third throw
    table.play()
    assert (table.hp("rogue"), table.hp("orc")) == (31, 28)  # 12 - 3 = 9; 15 - 3 = 12


@pytest.mark.heading(THROWN)
def test_the_other_throw_needs_another_weapon() -> None:
    assert throw([5, 4, 3, 2, 1], carried=1).window != "follow_up"
    assert throw([5, 4, 3, 2, 1], carried=1, thrown="unlimited").window == "follow_up"
    assert throw([5, 4, 3, 2, 1], carried=3).window == "follow_up"


@pytest.mark.heading(THROWN)
def test_the_other_throw_may_be_left() -> None:
    table = throw([5, 4, 3, 2, 1])
    table.play(knight="pass")
    assert table.window == "shrug"


@pytest.mark.heading(THROWN)
def test_a_throw_that_does_not_beat_the_defense_earns_nothing() -> None:
    assert throw([2, 2, 2, 2, 4]).window != "follow_up"  # 6 against 6


@pytest.mark.heading(THROWN)
def test_a_throw_that_beats_no_stance_earns_nothing() -> None:
    assert throw([5, 4, 3, 2, 1], rogue="defensive").window != "follow_up"


@pytest.mark.heading(THROWN)
def test_the_other_throw_needs_another_legal_target() -> None:
    assert throw([5, 4, 3, 2, 1], orc="agility").window != "follow_up"


@pytest.mark.heading(THROWN)
@pytest.mark.parametrize("kind", ["melee", "ranged"])
def test_other_weapons_earn_no_second_attack(kind: str) -> None:
    assert throw([5, 4, 3, 2, 1], kind).window != "follow_up"


@pytest.mark.heading(THROWN)
def test_in_other_stances_a_throw_earns_nothing() -> None:
    knight = {"weapon": weapon("light", "thrown"), "thrown": 2}
    table = Table({"knight": knight, "rogue": {}, "orc": {}}, [5, 4, 3, 2, 1])
    table.engage(knight="agility", rogue="might", orc="might")
    table.play(knight="attack 1")
    assert table.window == "shrug"
    table.play()
    assert table.window != "follow_up"


# ---- contests


@pytest.mark.heading(SAME_STANCE)
@pytest.mark.parametrize("stance", STANCES)
def test_in_the_same_stance_both_roll_attacks_and_the_loser_takes_the_difference(stance: str) -> None:
    rogue = {**only(stance), "armor": "heavy", "shield": "heavy_shield"}
    table = strike({"agility": 12}, rogue, stance=stance, against=stance, dice=[8, 6, 8, 2, 11, 1])
    assert table.rolls() == (22, 14)  # 8+6+8; 2+11+1: armor plays no part
    assert table.last("attack")["contested"]
    assert not table.last("attack")["mutual"]
    assert (table.hp("knight"), table.hp("rogue")) == (40, 32)


@pytest.mark.heading(SAME_STANCE)
def test_the_attacker_may_be_the_loser() -> None:
    table = strike({"armor": "heavy"}, stance="might", against="might", dice=[2, 3, 1, 8, 6, 8])
    assert table.last("attack")["hurt"] == "knight"
    assert table.last("damage")["by"] == "rogue"
    assert (table.hp("knight"), table.hp("rogue")) == (24, 40)  # 6 against 22


@pytest.mark.heading(SAME_STANCE)
def test_equal_totals_mean_nothing() -> None:
    table = strike(stance="might", against="might", dice=[5, 3, 4, 4, 4, 4])
    assert (table.rolls(), table.last("attack")["hurt"]) == ((12, 12), None)
    assert (table.hp("knight"), table.hp("rogue")) == (40, 40)


@pytest.mark.heading(SAME_STANCE)
def test_two_who_chose_each_other_are_in_one_contest() -> None:
    table = Table({"knight": {}, "rogue": {}}, [8, 6, 8, 3, 2, 1])
    table.engage(knight="agility", rogue="agility")
    table.play(knight="attack 1", rogue="attack 1")
    table.play()
    assert len(table.events_of("attack")) == 1
    assert table.last("attack")["mutual"]
    assert (table.hp("knight"), table.hp("rogue")) == (40, 24)  # 22 against 6


@pytest.mark.heading(SAME_STANCE, "Combat > The Action Phase > When Timing Matters")
def test_in_a_contest_the_quicker_rolls_first() -> None:
    table = strike({"agility": 6}, {"agility": 10}, stance="might", against="might", dice=[2, 3, 4, 8, 6, 8])
    assert table.last("attack")["attacker"] == "knight"
    assert table.rolls() == (22, 9)  # the rogue's 2+3+4 came first


@pytest.mark.heading(SAME_STANCE)
def test_nobody_is_beaten_in_a_contest() -> None:
    table = Table({"knight": {"weapon": weapon("heavy", "whip")}, "rogue": {}}, [8, 6, 9, 3, 2, 1])
    table.engage(knight="might", rogue="might")
    assert table.legal("knight") == ["pass", "attack 1"]
    table.play(knight="attack 1")
    assert table.last("attack")["attack_dice"] == [8, 6, 9]  # no whip's die


@pytest.mark.heading(SAME_STANCE)
def test_a_target_that_cannot_attack_back_rolls_defense() -> None:
    rogue: dict[str, Any] = {"armor": "medium", "conditions": {"charmed": {"levels": 2, "source": "knight"}}}
    table = strike({}, rogue, stance="might", against="might", dice=[8, 6, 8, 3, 2])
    assert not table.last("attack")["contested"]
    assert table.rolls() == (22, 9)  # 3+2 and 4


@pytest.mark.heading(SAME_STANCE)
def test_two_may_contest_with_a_third_who_attacks_neither() -> None:
    fighters = {"knight": {"agility": 8}, "squire": {"team": "blue", "agility": 10}, "rogue": {"team": "red"}}
    table = Table(fighters, [(8, 6, 8, 1, 2, 1), (7, 6, 8, 1, 1, 1)])
    table.engage(knight="might", squire="might", rogue="might")
    table.play(knight="attack 1", squire="attack 1")
    # the squire, as the quicker: 22 against 4; the knight: 21 against 3
    assert [attack["damage"] for attack in table.events_of("attack")] == [18, 18]
    assert [attack["attacker"] for attack in table.events_of("attack")] == ["squire", "knight"]

"""The Engagement > Making Attack Rolls, the weapons' bonuses, and same stance combat."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, strike, weapon

STANCES = ("might", "agility", "cunning")
BEATEN_BY = {"might": "cunning", "agility": "might", "cunning": "agility"}
MAUL = weapon("heavy", damage_type="bludgeoning")
MAUL_DICE = [5, 3, 9, 10, 11, 2, 1]
LARGE_SHIELD = {"weapon": weapon(), "armor": "heavy", "shield": "heavy_shield"}  # 6 and 2


def only(ability: str) -> dict[str, int]:
    """Return a d12 for this ability and a d4 for the others, so that only the d12 shows an 11."""
    return {**dict.fromkeys(STANCES, 4), ability: 12}


# ---- the rolls


@pytest.mark.heading("Your Attack Roll")
@pytest.mark.parametrize("stance", STANCES)
def test_an_attack_is_heart_and_the_stances_ability_and_the_weapon(stance: str) -> None:
    table = strike(only(stance), {}, stance=stance, against=BEATEN_BY[stance], dice=[5, 11, 7, 2, 1])
    assert (table.rolls(), table.hp("rogue")) == ((23, 3), 20)  # 5+11+7; 2+1


@pytest.mark.heading("Your Attack Roll", "Defender's Roll", "Damage Type Bonus", "Whip", "Ranged", "Same Stance Combat")
@pytest.mark.parametrize(
    ("case", "arms", "rogue", "against", "dice", "rolls"),
    [
        ("a heavy weapon is a d12", weapon("heavy"), {}, "cunning", [1, 1, 12, 2, 1], (14, 3)),
        ("a light weapon is a d8", weapon("light"), {}, "cunning", [1, 1, 8, 2, 1], (10, 3)),
        ("an ultralight weapon is a d4", weapon("ultralight"), {}, "cunning", [1, 1, 4, 2, 1], (6, 3)),
        ("an improvised weapon is a d4", weapon("improvised"), {}, "cunning", [1, 1, 4, 2, 1], (6, 3)),
        ("a flat defense bonus is armor", weapon(), {"defense_bonus": 5}, "cunning", [8, 6, 8, 2, 1], (22, 8)),
        ("that a bow ignores", weapon("light", "ranged"), {"defense_bonus": 7}, "cunning", [8, 6, 8, 2, 1], (22, 3)),
        ("melee does not ignore armor", weapon("light", "melee"), LARGE_SHIELD, "cunning", [8, 6, 8, 2, 1], (22, 11)),
        ("a throw does not", weapon("light", "thrown"), LARGE_SHIELD, "cunning", [8, 6, 8, 2, 1], (22, 11)),
        ("a whip does not", weapon("light", "whip"), LARGE_SHIELD, "cunning", [8, 6, 8, 1, 2, 1], (23, 11)),
        ("melee adds no die for might", weapon("heavy", "melee"), {}, "cunning", [5, 3, 9, 2, 1], (17, 3)),
        ("a bow adds none", weapon("heavy", "ranged"), {}, "cunning", [5, 3, 9, 2, 1], (17, 3)),
        ("a throw adds none", weapon("heavy", "thrown"), {}, "cunning", [5, 3, 9, 2, 1], (17, 3)),
        ("a maul on a chain adds both", weapon("heavy", "whip", "bludgeoning"), {}, "cunning", MAUL_DICE, (38, 3)),
        ("the damage type counts in a contest", MAUL, {}, "might", [5, 3, 9, 11, 8, 6, 8], (28, 22)),
    ],
)
def test_what_an_attack_in_might_rolls(
    case: str, arms: dict[str, str], rogue: Fields, against: str, dice: Dice, rolls: tuple[int, int]
) -> None:
    table = strike({"weapon": arms}, rogue, against=against, dice=dice)
    assert (table.rolls(), table.hp("rogue")) == (rolls, 40 - (rolls[0] - rolls[1]))


@pytest.mark.heading("Your Attack Roll")
def test_a_flat_bonus_is_added_in_place_of_a_weapon_die() -> None:
    assert strike({"weapon": "none", "attack_bonus": 9}, {}, dice=[5, 3, 2, 1]).rolls() == (17, 3)  # 5+3 and 9


@pytest.mark.heading("Defender's Roll")
@pytest.mark.parametrize("stance", STANCES)
def test_a_defense_is_heart_and_the_same_ability_as_the_attackers(stance: str) -> None:
    table = strike({}, only(stance), stance=stance, against=BEATEN_BY[stance], dice=[8, 6, 8, 2, 11])
    assert (table.rolls(), table.hp("rogue")) == ((22, 13), 31)  # 8+6+8; 2+11, whatever stance the defender is in


@pytest.mark.heading("Defender's Roll")
@pytest.mark.parametrize(("armor", "bonus"), [("none", 0), ("light", 2), ("medium", 4), ("heavy", 6)])
@pytest.mark.parametrize(("shield", "more"), [("none", 0), ("light_shield", 1), ("heavy_shield", 2)])
def test_armor_and_shield_add_to_the_defense(armor: str, bonus: int, shield: str, more: int) -> None:
    assert strike({}, {"armor": armor, "shield": shield}, dice=[8, 6, 8, 2, 1]).rolls() == (22, 3 + bonus + more)


@pytest.mark.heading("Damage dealt")
def test_damage_is_attack_less_defense() -> None:
    table = strike({}, {"armor": "medium"}, dice=[5, 3, 9 - 1, 4, 2])
    assert (table.last("attack")["damage"], table.last("attack")["hurt"]) == (6, "rogue")  # 5+3+8 against 4+2+4
    assert table.last("damage") == {
        "type": "damage", "fighter": "rogue", "by": "knight", "cause": "attack", "amount": 6, "hp": 34,
    }  # fmt: skip


@pytest.mark.heading("Damage dealt")
@pytest.mark.parametrize("die", [5, 6])
def test_damage_is_never_below_zero(die: int) -> None:
    table = strike(dice=[2, 3, 3, 3, die])  # 8 against 8 or 9
    assert (table.last("attack")["damage"], table.last("attack")["hurt"]) == (0, None)
    assert (table.events_of("damage"), table.hp("rogue")) == ([], 40)


@pytest.mark.heading("Defensive Stance")
@pytest.mark.parametrize(("against", "damage"), [("defensive", 4), ("cunning", 7)])
def test_a_defensive_target_takes_half_of_what_gets_through_rounded_up(against: str, damage: int) -> None:
    table = strike({}, {"armor": "light"}, against=against, dice=[5, 4, 3, 2, 1])  # 12 - 5 = 7
    assert (table.last("attack")["damage"], table.hp("rogue")) == (damage, 40 - damage)


@pytest.mark.heading("Defensive Stance", "Understanding Stances")
@pytest.mark.parametrize("stance", STANCES)
def test_all_may_attack_the_defensive_who_attack_nobody(stance: str) -> None:
    table = Table({"knight": {}, "rogue": {}}).engage(knight=stance, rogue="defensive")
    assert table.choosers() == {"knight"}
    assert table.legal("knight") == ["pass", "attack 1"]  # no levels, no maneuvers: nobody beats it
    table.finish_round()


# ---- weapons


@pytest.mark.heading("Unarmed")
@pytest.mark.parametrize(
    ("lost", "armor", "defense"),
    [
        ("longsword", "none", 2),
        (weapon("heavy", "ranged"), "medium", 6),
        (weapon("heavy", "thrown"), "medium", 6),
        (weapon("heavy", "whip"), "medium", 6),
    ],
    ids=["a sword", "a bow", "a javelin", "a whip"],
)
def test_bare_hands_are_ultralight_bludgeoning_and_melee_whatever_was_lost(
    lost: str | dict[str, str], armor: str, defense: int
) -> None:
    fighters = {"knight": {"weapon": lost}, "rogue": {"agility": 8, "armor": armor}, "orc": {}}
    table = Table(fighters, [(8, 6, 1, 1), (5, 3, 4, 2, 1, 1)])
    table.engage(knight="might", rogue="agility: disarm 1", orc="defensive")  # 8+6 against 1+1
    table.engage(knight="might: attack 1", rogue="cunning", orc="cunning")
    assert table.last("attack")["attack_dice"] == [5, 3, 4, 2]  # d8, d6, d4, and a d4 for bludgeoning in might
    assert table.rolls() == (14, defense)  # no whip's die; 1+1 and armor counts
    table.play()
    assert table.window != "follow_up"


@pytest.mark.heading("Damage Type Bonus")
@pytest.mark.parametrize("stance", STANCES)
@pytest.mark.parametrize("kind", ["bludgeoning", "slashing", "piercing", "none"])
def test_a_damage_type_adds_a_weapon_die_in_its_own_stance(kind: str, stance: str) -> None:
    own = {"bludgeoning": "might", "slashing": "agility", "piercing": "cunning", "none": None}[kind]
    extra = [11] if stance == own else []
    knight = {"weapon": weapon("heavy", damage_type=kind)}
    table = strike(knight, {}, stance=stance, against="defensive", dice=[5, 3, 9, *extra, 2, 1])
    assert (table.last("attack")["attack_dice"], table.rolls()) == ([5, 3, 9, *extra], (17 + sum(extra), 3))


@pytest.mark.heading("Damage Type Bonus", "Opportunity Attacks")
def test_the_damage_type_counts_in_an_opportunity_attack() -> None:
    table = Table({"knight": {"weapon": MAUL}, "rogue": {"surprised": True}}, [5, 3, 9, 11, 8, 6])
    table.play(knight="opportunity 1 might")
    assert table.rolls() == (28, 14)
    table.play().finish_round()


@pytest.mark.heading("Whip", "Ranged")
@pytest.mark.parametrize(
    ("stance", "against", "bonus"),
    [
        ("might", "cunning", True),
        ("might", "defensive", False),  # nobody is beaten
        ("agility", "might", False),
        ("cunning", "agility", False),
    ],
)
def test_only_where_might_beats_cunning_a_whip_adds_a_weapon_die_and_a_bow_ignores_armor_but_no_shield(
    stance: str, against: str, bonus: bool
) -> None:
    knight, more = {"weapon": weapon("heavy", "whip")}, [11] if bonus else []
    table = strike(knight, {}, stance=stance, against=against, dice=[5, 3, 9, *more, 2, 1])
    assert table.last("attack")["attack_dice"] == [5, 3, 9, *more]
    archer = {"weapon": weapon("light", "ranged")}
    table = strike(archer, LARGE_SHIELD, stance=stance, against=against, dice=[8, 6, 8, 2, 1])
    assert table.rolls() == (22, 5 if bonus else 11)  # 2+1 and the shield's 2, or 6 more for armor


@pytest.mark.heading("Your Attack Roll", "Defender's Roll")
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


def throw(
    dice: Dice, kind: str = "thrown", might: bool = True, orc: str = "cunning", rogue: str = "cunning",
    carried: int = 2, **rules: str,
) -> Table:  # fmt: skip
    """Let the knight, in might or in agility, throw at the first of two enemies."""
    knight = {"weapon": weapon("light", kind), "thrown": carried}
    table = Table({"knight": knight, "rogue": {}, "orc": {}}, dice, rules=rules)
    return table.engage(knight=f"{'might' if might else 'agility'}: attack 1", rogue=rogue, orc=orc)


@pytest.mark.heading("Thrown")
def test_a_throw_that_beats_cunning_and_the_defense_earns_another_at_another_target() -> None:
    table = throw([(5, 4, 3, 2, 1), (6, 5, 4, 2, 1)])
    assert (table.window, table.legal("knight")) == ("follow_up", ["pass", "attack 2"])
    table.play(knight="attack 2")
    assert [attack["cause"] for attack in table.events_of("attack")] == ["attack", "follow_up"]
    assert table.window == "shrug"  # no third throw
    table.play()
    assert (table.hp("rogue"), table.hp("orc")) == (31, 28)  # 12 - 3 = 9; 15 - 3 = 12
    assert throw([5, 4, 3, 2, 1]).play(knight="pass").window == "shrug", "the other throw may be left"


@pytest.mark.heading("Thrown")
@pytest.mark.parametrize(
    ("case", "dice", "scene", "follows"),
    [
        ("it needs another weapon", [5, 4, 3, 2, 1], {"carried": 1}, False),
        ("of which there may be no end", [5, 4, 3, 2, 1], {"carried": 1, "thrown": "unlimited"}, True),
        ("or two", [5, 4, 3, 2, 1], {"carried": 3}, True),
        ("6 does not beat a defense of 6", [2, 2, 2, 2, 4], {}, False),
        ("it beats no stance", [5, 4, 3, 2, 1], {"rogue": "defensive"}, False),
        ("it needs another legal target", [5, 4, 3, 2, 1], {"orc": "agility"}, False),
        ("melee earns none", [5, 4, 3, 2, 1], {"kind": "melee"}, False),
        ("a shot earns none", [5, 4, 3, 2, 1], {"kind": "ranged"}, False),
        ("agility earns none", [5, 4, 3, 2, 1], {"might": False, "rogue": "might", "orc": "might"}, False),
    ],
)
def test_what_earns_another_throw(case: str, dice: Dice, scene: Fields, follows: bool) -> None:
    table = throw(dice, **scene)
    assert (table.window == "follow_up") is follows
    assert follows or table.play().window != "follow_up"


# ---- contests


@pytest.mark.heading("Same Stance Combat")
@pytest.mark.parametrize("stance", STANCES)
def test_in_the_same_stance_both_roll_attacks_and_the_loser_takes_the_difference(stance: str) -> None:
    rogue = {**only(stance), "armor": "heavy", "shield": "heavy_shield"}
    table = strike({"agility": 12}, rogue, stance=stance, against=stance, dice=[8, 6, 8, 2, 11, 1])
    assert table.rolls() == (22, 14)  # 8+6+8; 2+11+1: armor plays no part
    assert (table.last("attack")["contested"], table.last("attack")["mutual"]) == (True, False)
    assert (table.hp("knight"), table.hp("rogue")) == (40, 32)


@pytest.mark.heading("Same Stance Combat")
@pytest.mark.parametrize(
    ("dice", "rolls", "hurt"), [([2, 3, 1, 8, 6, 8], (6, 22), "knight"), ([5, 3, 4, 4, 4, 4], (12, 12), None)]
)
def test_the_attacker_may_be_the_loser_and_equal_totals_mean_nothing(
    dice: Dice, rolls: tuple[int, int], hurt: str | None
) -> None:
    table = strike({"armor": "heavy"}, stance="might", against="might", dice=dice)
    assert (table.rolls(), table.last("attack")["hurt"]) == (rolls, hurt)
    assert (table.hp("knight"), table.hp("rogue")) == (40 - rolls[1] + rolls[0], 40)
    assert [event["by"] for event in table.events_of("damage")] == (["rogue"] if hurt else [])


@pytest.mark.heading("Same Stance Combat")
def test_two_who_chose_each_other_are_in_one_contest() -> None:
    table = Table({"knight": {}, "rogue": {}}, [8, 6, 8, 3, 2, 1])
    table.engage(knight="agility: attack 1", rogue="agility: attack 1").play()
    assert len(table.events_of("attack")) == 1 and table.last("attack")["mutual"]
    assert (table.hp("knight"), table.hp("rogue")) == (40, 24)  # 22 against 6


@pytest.mark.heading("Same Stance Combat", "When Timing Matters")
def test_in_a_contest_the_quicker_rolls_first() -> None:
    table = strike({"agility": 6}, {"agility": 10}, stance="might", against="might", dice=[2, 3, 4, 8, 6, 8])
    assert (table.last("attack")["attacker"], table.rolls()) == ("knight", (22, 9))  # the rogue's 2+3+4 came first


@pytest.mark.heading("Same Stance Combat")
def test_nobody_is_beaten_in_a_contest() -> None:
    table = Table({"knight": {"weapon": weapon("heavy", "whip")}, "rogue": {}}, [8, 6, 9, 3, 2, 1])
    table.engage(knight="might", rogue="might")
    assert table.legal("knight") == ["pass", "attack 1"]
    table.play(knight="attack 1")
    assert table.last("attack")["attack_dice"] == [8, 6, 9]  # no whip's die


@pytest.mark.heading("Same Stance Combat")
def test_a_target_that_cannot_attack_back_rolls_defense() -> None:
    rogue: Fields = {"armor": "medium", "conditions": {"charmed": {"levels": 2, "source": "knight"}}}
    table = strike({}, rogue, stance="might", against="might", dice=[8, 6, 8, 3, 2])
    assert (table.last("attack")["contested"], table.rolls()) == (False, (22, 9))  # 3+2 and 4


@pytest.mark.heading("Same Stance Combat")
def test_two_may_contest_with_a_third_who_attacks_neither() -> None:
    fighters = {"knight": {"agility": 8}, "squire": {"team": "blue", "agility": 10}, "rogue": {"team": "red"}}
    table = Table(fighters, [(8, 6, 8, 1, 2, 1), (7, 6, 8, 1, 1, 1)])
    table.engage(knight="might: attack 1", squire="might: attack 1", rogue="might")
    # the squire, as the quicker: 22 against 4; the knight: 21 against 3
    assert [attack["damage"] for attack in table.events_of("attack")] == [18, 18]
    assert [attack["attacker"] for attack in table.events_of("attack")] == ["squire", "knight"]

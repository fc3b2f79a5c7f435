"""Attacks, by the worked examples of the rule text and by hand."""

import pytest

from tests.games.heretics.table import OPEN, FighterLike, Table, at

FIRST = 4  # on the d6 of initiative: the heroes act first


CAPTAIN, THIEF = {"from": "brigand_captain", "hp": 20}, {"from": "sellsword", "held": "dagger"}
AMBUSH = {"surprise": "red", "two_pools": "on"}
NINE, TRIPLES = {"from": "archer", "hp": 9}, {"surprise": "red", "subtle_triples": "on"}


#
@pytest.mark.parametrize(
    ("case", "blue", "red", "rules", "dice", "plays", "left"),
    [
        # Example 2: +2 on AD 13, a d20 of 11 makes 13; d6 4 leaves 1 of 5. Unarmed instead, 2 damage, also on a
        # natural 20; with str -1, none.
        ("a hit reaches AD", "sellsword", "archer", {}, [FIRST, 11, 4], "attack 1, keep", 5 - 4),
        ("unarmed damage is str", "sellsword", "archer", {}, [FIRST, 11], "unarmed 1", 5 - 2),
        ("and is never doubled", "sellsword", "archer", {}, [FIRST, 20], "unarmed 1", 5 - 2),
        ("nor below 0", {"from": "sellsword", "str": -1}, "archer", {}, [FIRST, 14], "unarmed 1", 5),
        # Example 3: d20 14 and 1 make 15 against AD 15; d8 3 and 6. Two hands and a natural 20: 2, 7 and 5, 5.
        ("two dice", "halberdier", "brigand_captain", {}, [FIRST, 14, 3, 6], "attack 1, keep", 13 - 6),
        ("doubled", "halberdier", "brigand_captain", {}, [FIRST, 20, 2, 7, 5, 5], "attack 1, keep", 13 - 12),
        # Example 4: 3, 6, 1 and 4 are 14; under doubling = add, 3, 6 and 1 are 10.
        ("four dice", "sellsword", CAPTAIN, {}, [FIRST, 20, 3, 6, 1, 4], "attack 1, sunder", 20 - 14),
        ("three", "sellsword", CAPTAIN, {"doubling": "add"}, [FIRST, 20, 3, 6, 1], "attack 1, sunder", 20 - 10),
        ("no shield breaks", "sellsword", "brigand", {"shield_break": "off"}, [FIRST, 12, 2], "attack 1, keep", 5 - 2),
        # Three times the dice of a subtle weapon against the surprised: 1, 2 and 3 are 6.
        ("triples", THIEF, NINE, TRIPLES, [10, 11, 1, 2, 3, FIRST], "attack 1, use dice, keep", 9 - 6),
        # With two pools every weapon does it to the surprised but the heroes, and both together no more.
        ("ambush", "sellsword", NINE, AMBUSH, [10, 11, 1, 2, 3, FIRST], "attack 1, use dice, keep", 9 - 6),
        ("once", THIEF, NINE, {**TRIPLES, **AMBUSH}, [10, 11, 1, 2, 3, FIRST], "attack 1, use dice, keep", 9 - 6),
        ("a chair", {**THIEF, "held": "big_thing"}, NINE, {}, [FIRST, 11, 6], "attack 1, keep", 9 - 6),
        ("a stone", {**THIEF, "held": "small_thing"}, NINE, {}, [FIRST, 11, 4], "attack 1, keep", 9 - 4),
    ],
)
def test_what_an_attack_leaves(
    case: str, blue: FighterLike, red: FighterLike, rules: dict[str, str], dice: list[int], plays: str, left: int
) -> None:
    table = Table([blue], [red], dice=dice, **rules).play(*plays.split(", "))
    assert table.hp(table.game.fighters[1]) == left
    assert plays.endswith("sunder") is (table.held(table.game.fighters[0]) is None)


def test_one_less_misses() -> None:
    table = Table(["sellsword"], ["archer"], dice=[FIRST, 10]).play("attack 1")
    assert table.hp("archer_0") == 5
    assert table.told("attack")[0] == {
        "type": "attack", "attacker": "sellsword_0", "target": "archer_0", "mode": "melee", "natural": 10, "total": 12,
        "hit": False, "helps": [], "hinders": [],
    }  # fmt: skip


#
def test_a_natural_1_opens_the_attacker_until_the_next_attack_on_it() -> None:
    """The archer shoots with advantage: of 3 and 18 it keeps 18, which makes 20 against AD 15."""
    table = Table(["sellsword"], ["archer"], dice=[FIRST, 1, 3, 18, 6, FIRST]).play("attack 1")
    assert table.conditions("sellsword_0") == {"open"}
    table.play("attack 1", "use dice", "keep")
    assert (table.hp("sellsword_0"), table.conditions("sellsword_0")) == (3, set())


#
def test_an_opening_is_over_at_the_end_of_the_next_round() -> None:
    table = Table(["sellsword"], ["archer"], dice=[FIRST, 1, FIRST, FIRST]).play("attack 1", "stand_by")
    assert table.conditions("sellsword_0") == {"open"}
    table.play("stand_by", "stand_by")
    assert table.conditions("sellsword_0") == set()


#
def test_the_steady_do_not_open() -> None:
    table = Table([{"from": "sellsword", "steady": True}], ["archer"], dice=[FIRST, 1]).play("attack 1")
    assert table.conditions("sellsword_0") == set()


#
@pytest.mark.parametrize(("extremes", "hit"), [("all", True), ("attacks", True), ("none", False)])
def test_a_natural_20_hits_whatever_the_sum(extremes: str, hit: bool) -> None:
    """The attack of 20 and 2 does not reach AD 24."""
    wall = {"from": "archer", "body": "full_plate", "dex": 0, "helmet": True}
    table = Table([{"from": "sellsword", "to_hit": -5}], [wall], dice=[FIRST, 20], natural_extremes=extremes)
    table.play("attack 1")
    assert (table.window == "sunder") == hit


#
def test_a_shield_stops_a_blow_after_the_sunder_and_before_the_damage() -> None:
    """The sundered sword is gone all the same, and no die of damage is rolled."""
    table = Table(["sellsword"], ["brigand"], dice=[FIRST, 12]).play("attack 1", "sunder")
    assert table.asked == ["brigand_0"]
    table.play("break_shield")
    assert (table.hp("brigand_0"), bool(table.fighter("brigand_0").shield)) == (5, False)
    assert table.held("sellsword_0") is None


#
def test_a_shield_is_worth_one_reaction_a_round() -> None:
    """Two heroes hit, and the second blow meets neither shield nor reaction."""
    table = Table(["sellsword", "sellsword"], ["brigand"], dice=[FIRST, 12, 13, 2])
    table.play({"sellsword_0": "attack 1", "sellsword_1": "attack 1"}, "keep", "break_shield", "keep")
    assert table.hp("brigand_0") == 5 - 2


#
def test_a_subtle_weapon_uses_dex_where_it_is_higher() -> None:
    """A dex of 3 and a d20 of 10 make 13."""
    duelist = {"from": "sellsword", "held": "dagger", "dex": 3, "str": 0}
    table = Table([duelist], ["archer"], dice=[FIRST, 10, 6]).play("attack 1", "keep")
    assert table.told("attack")[0]["total"] == 13


def test_a_fixed_bonus_replaces_the_ability() -> None:
    """The ghoul's +4 replaces str 3: 11 and 4 reach AD 15. It does 2 on a d8, and the save of 12 meets 12."""
    table = Table(["sellsword"], ["ghoul"], dice=[3, 11, 2, 12]).play("attack 1", "keep")
    assert (table.hp("sellsword_0"), table.conditions("sellsword_0")) == (7, set())


#
def test_a_failed_save_paralyzes_until_the_end_of_the_next_own_phase() -> None:
    """A save of 11 fails against 12. The sellsword is not asked in its phase, and recovers at the end of it."""
    table = Table(["sellsword"], ["ghoul"], dice=[3, 11, 2, 11, 3]).play("attack 1", "keep")
    assert table.told("condition")[0] == {
        "type": "condition", "fighter": "sellsword_0", "condition": "paralyzed", "gained": True
    }  # fmt: skip
    assert (table.asked, table.conditions("sellsword_0"), int(table.fight.round_number)) == (["ghoul_0"], set(), 2)


#
def test_a_shield_stops_the_effect_of_a_hit_too() -> None:
    table = Table(["sellsword"], ["ghoul"], dice=[3, 11]).play("attack 1", "break_shield")
    assert (table.hp("sellsword_0"), table.conditions("sellsword_0")) == (9, set())


#
@pytest.mark.parametrize(("die", "hit"), [(9, False), (8, True), (1, True), (20, False)])
def test_heroes_may_roll_to_defend(die: int, hit: bool) -> None:
    """In example 8, AD 15 against +4 is d20 and 5 against 14: 9 is a miss, 8 a hit."""
    table = Table(["sellsword"], ["ghoul"], dice=[3, die], roll_to_defend="on").play("attack 1")
    assert (table.window == "shield") == hit
    assert table.conditions("ghoul_0") == ({"open"} if die == 20 else set())


def test_an_exhausted_hero_defends_with_disadvantage() -> None:
    """Of 15 and 8 it keeps 8: 13 against 14, a hit."""
    table = Table([{"from": "sellsword", "conditions": ["exhausted"]}], ["ghoul"], dice=[3, 15, 8], roll_to_defend="on")
    assert table.play("attack 1").window == "shield"


#
def test_a_thrown_weapon_lies_in_the_square_of_its_target() -> None:
    """A short sword is thrown 10 feet without a modifier."""
    table = Table([at("sellsword", 1, 1)], [at("archer", 3, 1)], field=OPEN, dice=[FIRST, 5])
    table.play("stay", "throw 1")
    assert table.held("sellsword_0") is None
    assert table.batch.describe(0)["lying"] == [{"item": "short_sword", "at": [3, 1]}]


def test_a_throw_beyond_the_first_range_has_disadvantage() -> None:
    """A throw of 15 feet keeps 3 of 19 and 3."""
    table = Table([at("sellsword", 1, 1)], [at("archer", 4, 1)], field=OPEN, dice=[FIRST, 19, 3])
    table.play("stay", "throw 1")
    assert table.told("attack")[0]["hinders"] == ["long range"] and table.told("attack")[0]["natural"] == 3


#
def test_an_advantage_pays_for_a_stunt_before_the_attack() -> None:
    """The trip makes the archer prone, but the advantage of that does not count, so one die is rolled."""
    table = Table(["sellsword"], [{"from": "archer", "conditions": ["stunned"]}], dice=[FIRST, 15, 11, 2])
    table.play("attack 1")
    assert {"use dice", "use trip before", "use trip after", "use dirt after"} <= set(table.legal())
    table.play("use trip before", "keep")
    assert table.conditions("archer_0") >= {"prone"} and table.hp("archer_0") == 3
    assert table.told("attack")[0]["helps"] == []


#
def test_an_advantage_pays_for_a_stunt_after_the_attack() -> None:
    table = Table(["sellsword"], [{"from": "archer", "conditions": ["stunned"]}], dice=[FIRST, 11, 2, 15])
    table.play("attack 1", "use trip after", "keep")
    assert [event["type"] for event in table.events if event["type"] in ("attack", "check")] == ["attack", "check"]
    assert "prone" in table.conditions("archer_0")


#
@pytest.mark.parametrize(
    ("advantage_use", "dice", "plays", "natural"),
    [
        ("dice_only", [FIRST, 2, 11, 2, FIRST], ["attack 1", "keep"], 11),  # never asks for the use
        ("stunt_only", [FIRST, 2, FIRST], ["attack 1", "use dice"], 2),  # rolls one die
    ],
)
def test_what_an_advantage_may_pay_for(advantage_use: str, dice: list[int], plays: list[str], natural: int) -> None:
    victim = {"from": "archer", "conditions": ["stunned"]}
    table = Table(["sellsword"], [victim], dice=dice, advantage_use=advantage_use).play(*plays)
    assert table.told("attack")[0]["natural"] == natural


@pytest.mark.parametrize(
    ("surprise", "damage", "hp", "flesh", "status"),
    [
        ("none", 4, 5, 5, "able"),  # all 4 points of grit
        ("none", 6, 3, 3, "able"),  # and 2 of flesh
        ("blue", 4, 5, 1, "able"),  # flesh first
        ("blue", 5, 0, 0, "out"),  # no flesh is left, and the grit is lost with it
    ],
)
def test_heroes_with_two_pools_lose_grit_first_but_flesh_when_surprised(
    surprise: str, damage: int, hp: int, flesh: int, status: str
) -> None:
    """The sellsword has 9 hit points, 5 of them flesh. The ghoul's 19 and 4 hit; the save of 20 succeeds."""
    dice = [*([3] if surprise == "none" else [19]), 19, damage, *([20] if status == "able" else [])]
    dice += [20, 3] if surprise == "blue" and status == "able" else []
    table = Table(["sellsword"], ["ghoul"], dice=dice, surprise=surprise, two_pools="on")
    table.play("attack 1", *(["use dice"] if surprise == "blue" else ["keep"]))
    shown = table.batch.describe(0)["fighters"][0]
    assert (shown["hp"], shown["flesh"], shown["status"]) == (hp, flesh, status)


#
def test_ammunition_is_counted_if_a_setting_says_so() -> None:
    """The last arrow misses with 2, and the next phase has none."""
    archer = {"from": "archer", "ammunition": 1}
    table = Table([archer], ["ghoul"], dice=[FIRST, 2, FIRST], ammunition="on").play("attack 1", "stand_by")
    assert table.batch.describe(0)["fighters"][0]["ammunition"] == 0 and "attack 1" not in table.legal()
    table = Table([archer], ["ghoul"], dice=[FIRST, 2, FIRST]).play("attack 1", "stand_by")
    assert "attack 1" in table.legal()


#
def test_a_fight_is_over_with_the_blow_that_decides_it() -> None:
    """The halberdier, with the higher dex, rolls 16, and d8 5 and 2; the attack of the sellsword is not carried out."""
    table = Table(["sellsword", "halberdier"], ["archer"], dice=[FIRST, 16, 5, 2])
    table.play({"sellsword_0": "attack 1", "halberdier_0": "attack 1"}, "keep")
    assert (table.window, table.told("end")[0]["cause"], len(table.told("attack"))) == ("over", "victory", 1)

"""Spells, by worked example 9 and by hand. The first die is that of initiative; mana dice precede all other dice."""

import json
from typing import Any

import numpy as np
import pytest

from tests.games.heretics.table import OPEN, Table, at

FIRST, THEY_FIRST = 4, 3  # on the d6 of initiative
LONG = ["." * 32]
PLAIN = {"id": "plain", "hp": 20}  # all bonuses are 0
WARDED = {"id": "warded", "hp": 20, "wil": 1, "ward": 1}
HEXER = {"from": "hexer", "mana": 3}


def caster(spell: str, **more: object) -> dict[str, object]:
    """Return a fighter with int 2, hence a save number of 12, and three mana dice."""
    return {"id": "caster", "int": 2, "hp": 20, "spells": [spell], **more}


def test_the_sample_fighters_have_the_magic_of_their_lines() -> None:
    table = Table(["hedge_mage"], ["hexer"], dice=[FIRST])
    mage, hexer = table.batch.describe(0)["fighters"]
    assert (mage["md"], mage["mana"], mage["spells"]) == (12, 2, ["magic_missile", "fireball", "binding_chains"])
    assert (hexer["md"], hexer["mana"]) == (12, 3)
    assert hexer["spells"] == ["magic_missile", "lightning_bolt", "binding_chains", "aid"]


# R-36, R-47
def test_a_fireball_is_halved_by_a_dex_save() -> None:
    """In example 9, dice of 3 and 5 make 8; a d20 of 9 and dex 1 fail against 11, and a d20 of 15 succeeds."""
    nimble, other = {**PLAIN, "id": "nimble", "dex": 1, "at": [7, 7]}, {**PLAIN, "at": [3, 7]}
    table = Table([at("hedge_mage", 0, 0)], [nimble, other], field=OPEN, dice=[FIRST, 3, 5, 9, 15])
    table.play("stay", "fireball", "mana 2", "column 7", "row 7")
    assert (table.hp("nimble_0"), table.hp("plain_0")) == (20 - 8, 20 - 4)
    assert int(table.fighter("hedgemage_0").mana) == 1
    assert [(event["total"], event["number"]) for event in table.told("check")] == [(10, 11), (15, 11)]


# R-36, R-47
def test_a_fireball_takes_friends_and_its_caster_within_20_feet_and_in_sight_of_its_center() -> None:
    """From (5, 1) the caster is 4 squares away, its friend 2, and an enemy 5; a wall shelters another enemy."""
    rows = ["..........#...", "..............", "......#.......", "......#......."]
    blue = [caster("fireball", at=[1, 1]), {**PLAIN, "id": "friend", "at": [5, 3]}]
    red = [{**PLAIN, "at": [10, 1]}, {**PLAIN, "at": [7, 3]}, {**PLAIN, "at": [9, 1]}]
    table = Table(blue, red, field=rows, dice=[FIRST, 3, 1, 1, 1])
    table.play({"caster_0": "stay", "friend_0": "stay"})
    table.play({"caster_0": "fireball", "friend_0": "stand_by"}, "mana 1", "column 5", "row 1")
    assert [event["fighter"] for event in table.told("damage")] == ["caster_0", "friend_0", "plain_2"]


def test_a_fireball_is_centered_on_no_wall_and_on_nothing_behind_one() -> None:
    rows = ["..#..", "....."]
    table = Table([caster("fireball", at=[0, 0])], [{**PLAIN, "at": [4, 1]}], field=rows, dice=[FIRST])
    table.play("stay", "fireball", "mana 1", "column 2")
    assert table.legal() == ["row 1"]


def test_without_a_map_a_fireball_takes_everyone() -> None:
    table = Table([caster("fireball")], [PLAIN, PLAIN], dice=[FIRST, 6, 1, 20, 1])
    table.play("fireball", "mana 1")
    assert [table.hp(name) for name in ("caster_0", "plain_0", "plain_1")] == [14, 17, 14]


# R-36
def test_a_magic_missile_does_the_sum_and_1_for_each_die() -> None:
    """2 and 6 are 8, and 2 dice add 2; the 6 leaves the pool."""
    table = Table(["hedge_mage"], [PLAIN], dice=[FIRST, 2, 6]).play("magic_missile 1", "mana 2")
    assert (table.hp("plain_0"), int(table.fighter("hedgemage_0").mana)) == (20 - 10, 1)
    assert table.told("cast") == [
        {"type": "cast", "caster": "hedgemage_0", "spell": "magic_missile", "target": "plain_0", "dice": 2, "total": 8,
         "left": 1}
    ]  # fmt: skip


# R-36
@pytest.mark.parametrize(
    ("dice", "damage"),
    [
        ([3, 4, 9], 0),  # 9 and int 2 make 11, which misses MD 12; the 4 is spent all the same
        ([3, 4, 10], 7),
        ([3, 4, 20, 6, 1], 14),  # two further dice, which do not leave the pool
    ],
)
def test_a_lightning_bolt_is_an_attack_by_int_against_md(dice: list[int], damage: int) -> None:
    shielded = {**WARDED, "shield": True, "body": "full_plate"}
    table = Table([HEXER], [shielded], dice=[FIRST, *dice]).play("lightning_bolt 1", "mana 2")
    assert (table.hp("warded_0"), int(table.fighter("hexer_0").mana)) == (20 - damage, 2)
    assert table.asked == ["warded_0"] and table.window == "act", "no weapon breaks, and no shield stops it"


def test_a_fixed_bonus_replaces_int_too() -> None:
    table = Table([{**HEXER, "to_hit": 5}], [PLAIN], dice=[FIRST, 1, 5]).play("lightning_bolt 1", "mana 1")
    assert table.told("attack")[0]["total"] == 10 and table.hp("plain_0") == 19


def test_a_hero_rolls_to_defend_by_md() -> None:
    """MD 12 is d20 and 2 against 10 and int 2: a roll of 10 reaches 12."""
    hero = {**WARDED, "role": "hero"}
    table = Table([hero], [HEXER], dice=[THEY_FIRST, 1, 10], roll_to_defend="on").play("lightning_bolt 1", "mana 1")
    assert table.hp("warded_0") == 20 and table.told("check")[0]["success"]


def test_an_advantage_on_a_bolt_has_its_dice_or_a_stunt_after_the_mana() -> None:
    """The trip comes first, then the mana die, then two d20, the lower of which counts against the prone."""
    stunned = {**PLAIN, "conditions": ["stunned"]}
    table = Table([HEXER], [stunned], dice=[FIRST, 15, 2, 12, 9]).play("lightning_bolt 1", "mana 1")
    assert {"use dice", "use trip before"} <= set(table.legal())
    table.play("use trip before")
    assert [event["type"] for event in table.events if event["type"] in ("check", "cast", "attack")] == [
        "check", "cast", "attack",
    ]  # fmt: skip
    assert (table.hp("plain_0"), "prone" in table.conditions("plain_0")) == (18, True)


# R-36
@pytest.mark.parametrize(("die", "held"), [(10, False), (9, True)])
def test_chains_hold_whoever_fails_a_wil_save_with_its_ward(die: int, held: bool) -> None:
    """10, wil 1 and a ward of 1 reach the hexer's int defense of 12."""
    table = Table([HEXER], [WARDED], dice=[FIRST, 6, die]).play("binding_chains 1", "mana 1")
    assert table.conditions("warded_0") == ({"grappled"} if held else set())
    assert table.batch.describe(0)["concentrating"] == (["hexer_0"] if held else [])


@pytest.mark.parametrize(("die", "free"), [(10, True), (9, False)])
def test_the_chained_break_free_against_int(die: int, free: bool) -> None:
    """The better of str 2 and dex 0 meets 12, the int defense of the caster, and not 10, its str defense."""
    strong = {**PLAIN, "str": 2}
    table = Table([HEXER], [strong], dice=[FIRST, 1, 2, die, FIRST]).play("binding_chains 1", "mana 1", "break_free")
    assert table.conditions("plain_0") == (set() if free else {"grappled"})


# R-36, R-47
def test_a_fireball_ends_concentration_before_all_of_its_saves() -> None:
    """The chained fighter saves first, with one die: the chains of the hexer, which the fire reaches, are gone."""
    dice = [THEY_FIRST, 1, 2, 4, 12, 3, 3, THEY_FIRST]
    table = Table([PLAIN, caster("fireball", mana=1)], [HEXER], dice=dice).play("binding_chains 1", "mana 1")
    table.play({"caster_0": "fireball"})
    assert [table.hp(name) for name in ("plain_0", "caster_0", "hexer_0")] == [20 - 2, 20 - 4, 9 - 4]


# R-28, R-36
def test_chains_end_when_their_caster_gives_up() -> None:
    """Half of the enemies are left after 11 + 2 has hit AD 13; 11 reaches the hexer's wil defense of 11."""
    blue, dice = [PLAIN, "sellsword"], [THEY_FIRST, 1, 2, 11, 1, FIRST, 11]
    table = Table(blue, [HEXER, {"from": "archer", "hp": 1}], dice=dice)
    table.play({"hexer_0": "binding_chains 1"}, "mana 1")
    assert table.conditions("plain_0") == {"grappled"}
    table.play({"sellsword_0": "attack 2"}, "keep", "request 1")
    assert [event["fighter"] for event in table.told("surrender")] == ["hexer_0"]
    assert table.conditions("plain_0") == set()


# R-28, R-36
def test_a_shove_does_not_end_chains() -> None:
    blue, red = [{**HEXER, "at": [3, 3]}, {**PLAIN, "id": "pusher", "at": [4, 3]}], [{**PLAIN, "at": [5, 3]}]
    table = Table(blue, red, dice=[FIRST, 1, 2, FIRST, 15], field=OPEN)
    table.play("stay", "binding_chains 1", "mana 1", "stay", "stay", "stand_by")
    table.play("stay", {"pusher_0": "shove 1"})
    assert (table.at("plain_0"), table.conditions("plain_0")) == ((6, 3), {"grappled"})


# R-36
def test_a_spell_takes_at_most_the_dice_that_are_left_in_the_pool() -> None:
    """Of three dice, one that shows 4 leaves the pool and one that shows 3 does not."""
    table = Table([HEXER], [PLAIN], dice=[FIRST, 4, 3, FIRST]).play("magic_missile 1")
    assert table.legal() == ["mana 1", "mana 2", "mana 3"]
    table.play("mana 2", "stand_by", "magic_missile 1")
    assert table.legal() == ["mana 1", "mana 2"]


def test_chains_have_a_target_for_each_die() -> None:
    """Of three enemies two are picked, and both fail; of two enemies, two dice take both without a question."""
    table = Table([HEXER], [PLAIN, PLAIN, PLAIN], dice=[FIRST, 1, 1, 2, 2])
    table.play("binding_chains 2", "mana 2")
    assert table.legal() == ["aim 1", "aim 3"]
    table.play("aim 3")
    assert [table.conditions(f"plain_{k}") for k in range(3)] == [set(), {"grappled"}, {"grappled"}]
    Table([HEXER], [PLAIN, PLAIN], dice=[FIRST, 1, 1, 1, 20, 20]).play("binding_chains 2", "mana 3")


# R-36
@pytest.mark.parametrize(
    ("case", "plays", "dice", "ends"),
    [
        ("an attack that misses", [{"other_0": "attack 1"}], [2, FIRST], True),
        ("a spell", [{"other_0": "magic_missile 1"}], [1, FIRST], True),
        ("a stunt is no attack", [{"other_0": "dirt 1"}], [2, FIRST], False),
        ("standing by", [{"other_0": "stand_by"}, "stand_by"], [FIRST], False),
        ("another action", [{"other_0": "stand_by"}, "attack 2"], [FIRST, 2], True),
    ],
)
def test_when_concentration_ends(case: str, plays: list[Any], dice: list[int], ends: bool) -> None:
    """The plain fighter is chained; the other enemy and the caster act."""
    other = {**PLAIN, "id": "other", "held": "dagger", "spells": ["magic_missile"], "mana": 1}
    table = Table([HEXER], [PLAIN, other], dice=[FIRST, 1, 2, *dice]).play("binding_chains 1", "mana 1", *plays)
    assert (table.conditions("plain_0") == set()) == ends


@pytest.mark.parametrize(("action", "ends"), [("move", False), ("break", True)])
def test_moving_keeps_concentration_and_breaking_ends_it(action: str, ends: bool) -> None:
    table = Table([at("hexer", 1, 0)], [{**PLAIN, "at": [4, 0]}], field=["....."], dice=[FIRST, 1, 2, FIRST])
    table.play("stay", "binding_chains 1", "mana 1", "stay", "stay", "stand_by", action, "to -1,0")
    assert table.at("hexer_0") == (0, 0) and (table.conditions("plain_0") == set()) == ends


# R-36
def test_aid_gives_allies_advantage_for_as_many_rounds_as_the_dice_show() -> None:
    """A die of 2 lasts for the rest of round 1 and for rounds 2 and 3. Of 2 and 12, 12 counts at once."""
    friend = {**PLAIN, "id": "friend", "str": 3, "dex": -1}
    table = Table([HEXER, friend], [PLAIN], dice=[FIRST, 2, 2, 12, FIRST, FIRST, FIRST])
    table.play({"hexer_0": "aid 1", "friend_0": "attack 1"}, {"hexer_0": "mana 1"})
    assert (table.told("attack")[0]["helps"], table.told("attack")[0]["natural"]) == (["aided"], 12)
    for number in (1, 2, 3):
        assert int(table.fight.round_number) == number and table.conditions("friend_0") == {"aided"}
        table.play("stand_by", *([{"hexer_0": "stand_by", "friend_0": "stand_by"}] if number < 3 else []))
    assert table.conditions("friend_0") == set()


@pytest.mark.parametrize(
    ("spell", "feet"), [("magic_missile", 120), ("lightning_bolt", 60), ("binding_chains", 20), ("aid", 30)]
)
@pytest.mark.parametrize("beyond", [False, True])
def test_the_ranges_of_spells(spell: str, feet: int, beyond: bool) -> None:
    blue, other = [caster(spell, at=[0, 0])], {**PLAIN, "at": [feet // 5 + beyond, 0]}
    red = [{**PLAIN, "id": "far", "at": [31, 0]}]
    (blue if spell == "aid" else red).append(other)
    table = Table(blue, red, field=LONG, dice=[FIRST])
    table.play(dict.fromkeys(table.asked, "stay"))
    assert (f"{spell} {1 if spell == 'aid' else 2}" in table.legal("caster_0")) == (not beyond)


def test_an_enemy_beside_the_caster_prevents_no_spell_but_cover_hinders_a_bolt() -> None:
    """A wall on (1, 0) blocks one of the lines from (0, 0) to the corners of (2, 2); of 12 and 3, 3 counts."""
    rows, beside = [".#.", "...", "..."], {**PLAIN, "id": "beside", "at": [0, 1]}
    table = Table([{**HEXER, "at": [0, 0]}], [{**PLAIN, "at": [2, 2]}, beside], field=rows, dice=[FIRST, 1, 12, 3])
    table.play("stay", "lightning_bolt 1", "mana 1")
    assert (table.told("attack")[0]["hinders"], table.told("attack")[0]["natural"]) == (["cover"], 3)


# R-36
def test_no_spell_without_magic_without_mana_or_unknown() -> None:
    for fighter, rules in ((HEXER, {"magic": "off"}), ({**HEXER, "mana": 0}, {}), ("sellsword", {})):
        table = Table([fighter], [PLAIN], dice=[FIRST], **rules)  # type: ignore[list-item]
        assert not {"magic_missile 1", "lightning_bolt 1"} & set(table.legal())


def test_one_mana_die_is_not_asked_for() -> None:
    table = Table([{**HEXER, "mana": 1}], [PLAIN], dice=[FIRST, 3]).play("magic_missile 1")
    assert table.hp("plain_0") == 20 - 4


def test_a_spell_whose_first_target_is_out_is_declared_again_and_further_targets_are_left_out() -> None:
    """The friend, of higher dex, fells the weak enemy: 19 and 0 hit AD 10, and a d6 of 3 is enough."""
    friend, weak = {**PLAIN, "id": "friend", "dex": 5, "held": "dagger"}, {**PLAIN, "id": "weak", "hp": 1}
    for aimed, dice in (("binding_chains 1", []), ("binding_chains 2", [1, 1, 2])):
        table = Table([HEXER, friend], [weak, PLAIN, PLAIN, PLAIN], dice=[FIRST, 19, 3, *dice])
        table.play({"hexer_0": aimed, "friend_0": "attack 1"}, "mana 2", "aim 3" if aimed[-1] == "1" else "aim 1")
        table.play("keep")
        if aimed[-1] == "1":
            assert (table.window, table.asked, table.told("cast")) == ("act", ["hexer_0"], [])
        else:
            assert table.conditions("plain_0") == {"grappled"}
            assert int(table.fighter("hexer_0").mana) == 3


# R-29
def test_the_charmed_harm_no_enemy_until_one_attacks_them() -> None:
    """The sellsword misses; after that the charm is over."""
    charmed = {**HEXER, "conditions": ["charmed"]}
    table = Table(["sellsword"], [charmed, PLAIN], dice=[THEY_FIRST, 2, THEY_FIRST])
    assert {name.partition(" ")[0] for name in table.legal("hexer_0")} == {"stand_by", "drop", "aid"}
    table.play({"hexer_0": "stand_by", "plain_0": "stand_by"}, "attack 1")
    assert table.conditions("hexer_0") == set()
    assert "attack 1" in table.legal("hexer_0")


# R-20, R-40
def test_the_unaware_do_not_act_and_are_struck_as_from_hiding() -> None:
    """Dex 3 replaces str 0, of 2 and 9 the 9 counts, and both are awake when the phase is over."""
    sentry, thief = {**PLAIN, "conditions": ["unaware"]}, {**PLAIN, "id": "thief", "dex": 3, "held": "mace"}
    table = Table([thief], [sentry, {**sentry, "shield": True}], dice=[FIRST, FIRST, 2, 9, 1, 1])
    table.play("stand_by")
    assert (table.asked, int(table.fight.round_number)) == (["thief_0"], 2), "no enemy is asked in round 1"
    table.play("attack 2", "use dice", "keep")
    assert table.told("attack")[0]["helps"] == ["unaware"] and table.told("attack")[0]["total"] == 12
    assert table.conditions("plain_0") == table.conditions("plain_1") == set()
    assert table.asked == ["plain_0", "plain_1"]


# R-20
def test_a_subtle_weapon_may_triple_against_the_unaware() -> None:
    sentry, thief = {**PLAIN, "conditions": ["unaware"]}, {**PLAIN, "id": "thief", "held": "dagger"}
    table = Table([thief], [sentry], dice=[FIRST, 2, 12, 1, 2, 3], subtle_triples="on")
    assert table.play("attack 1", "use dice", "keep").hp("plain_0") == 20 - 6


def test_a_snapshot_between_the_parts_of_a_spell_goes_on_equally() -> None:
    """A team casts a fireball, as in example 9, and is stopped before it picks the row."""
    field, dice = OPEN, [FIRST, 3, 5, 9]
    table = Table([at("hedge_mage", 0, 0)], [{**PLAIN, "at": [7, 7]}], field=field, dice=dice, control="team")
    table.play("stay", "fireball", "mana 2", "column 7")
    other = table.game.batch(1, record=True)
    other.restore(0, json.loads(json.dumps(table.batch.snapshot(0))))
    assert np.array_equal(other.masks, table.batch.masks) and table.legal()[0] == "row 0"
    other.step(np.array([[table.game.action_names.index("row 7"), 0]]))
    table.play("row 7")
    assert other.snapshot(0) == table.batch.snapshot(0) and table.hp("plain_0") == 20 - 8


def test_a_spell_is_cast_with_standing_orders() -> None:
    mage = {**caster("fireball"), "held": "staff", "at": [0, 0]}
    table = Table([mage], [{**PLAIN, "at": [7, 7]}], field=OPEN, dice=[FIRST, 3, 5, 9], interrupts="standing")
    table.play("stay", "fireball", "answers sunder never shield never strike never", "mana 2", "column 7", "row 7")
    assert table.hp("plain_0") == 20 - 8

"""Warcaster: cantrips in place of weapons, by what their hits do and bring."""

import re

import pytest

from heartrush_env.games.heart_rush.rules.dice import sides_of
from heartrush_env.games.heart_rush.rules.terms import STUNNED
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.tabletop.errors import ScenarioError
from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, strike

pytestmark = pytest.mark.heading("Warcaster")

HIT: Dice = [(5, 4, 3), (2, 2)]  # 12 against 4, and against the bonus of armor
MISS: Dice = [(1, 1, 1), (2, 2)]
FOES: Fields = {"rogue": {}, "fox": {}, "owl": {}}
ROW = "M.......\nR......."


def mage(cantrip: str, *more: str, **fields: object) -> Fields:
    """Return a caster with this cantrip in hand."""
    return {"abilities": ["warcaster", *more], "weapon": cantrip, **fields}


def cast(cantrip: str, stance: str, against: str, dice: Dice, **target: object) -> Table:
    """Play one engagement in which a caster attacks the rogue, as the knight of the first round."""
    return to_second_round(strike(mage(cantrip), target, stance=stance, against=against, dice=dice))


def to_second_round(table: Table) -> Table:
    """Finish the first round, whose last hits may have ended it already."""
    return table.finish_round() if table.round == 1 else table


def brought(table: Table, name: str = "rogue") -> dict[str, int]:
    """Return the first level of each condition that a fighter has got."""
    found: dict[str, int] = {}
    for event in table.events_of("condition"):
        if event["fighter"] == name:
            found.setdefault(event["condition"], event["levels"])
    return found


@pytest.mark.parametrize(
    ("element", "harmless", "brings", "by_might"),
    [
        ("fire", True, {"burning": 2}, {"burning": 3}),
        ("void", True, {"confused": 1}, {"confused": 2}),
        ("dark", True, {"weakened": 2}, {"weakened": 4}),
        ("radiant", True, {"blinded": 2}, {"blinded": 3}),
        ("time", True, {"stunned": 1}, {"stunned": 1, "dazed": 2}),
        ("water", False, {"wet": 1, "off_balanced": 1}, {"wet": 1, "off_balanced": 1}),
        ("earthen", False, {}, {}),
        ("lightning", False, {}, {}),
        ("force", True, {}, {}),
    ],
)
def test_what_a_hit_brings(element: str, harmless: bool, brings: dict[str, int], by_might: dict[str, int]) -> None:
    burns = [(1,) * brings.get("burning", 0), (1,) * by_might.get("burning", 0)]
    for beaten, expected, fire in ((False, brings, burns[0]), (True, by_might, burns[1])):
        stances = ("might", "cunning") if beaten else ("agility", "might")
        table = cast(f"{element}_bolt", *stances, dice=[*HIT, fire])
        assert table.last("attack")["damage"] == (0 if harmless else 8)
        assert brought(table) == expected
        assert table.hp("rogue") == (40 if harmless else 32) - len(fire)


@pytest.mark.parametrize("cantrip", ["fire_bolt", "blast_of_fire", "water_bolt", "force_bolt", "time_bolt"])
def test_a_miss_brings_nothing(cantrip: str) -> None:
    table = cast(cantrip, "agility", "might", MISS)
    assert (brought(table), table.hp("rogue")) == ({}, 40)
    tie = cast(cantrip, "agility", "might", [(1, 1, 2), (2, 2)])
    assert brought(tie) == {}


def test_half_in_defense_is_a_hit_all_the_same() -> None:
    table = cast("fire_bolt", "might", "defensive", [(1, 2, 2), (2, 2), (1, 1)])
    assert (brought(table), table.hp("rogue")) == ({"burning": 2}, 38)


@pytest.mark.parametrize(
    ("cantrip", "defense"),
    [("water_bolt", 4), ("fire_bolt", 8)],  # a might bonus of its own replaces that of ranged weapons
)
def test_only_bolts_without_a_might_bonus_of_their_own_ignore_armor(cantrip: str, defense: int) -> None:
    table = cast(cantrip, "might", "cunning", [(1, 2, 2), (2, 2)], armor="medium")
    assert table.rolls() == (5, defense)
    assert (brought(table) == {}) == (defense > 5)
    other = cast(cantrip, "agility", "might", MISS, armor="medium")
    assert other.rolls() == (3, 8)


def test_a_damage_type_adds_a_die_to_blasts_and_none_to_bolts() -> None:
    bolt = cast("earthen_bolt", "might", "defensive", [(5, 4, 11), (2, 2)])
    assert bolt.rolls() == (20, 4)
    blast = cast("blast_of_earth", "might", "defensive", [(5, 4, 11, 12), (2, 2)])
    assert blast.rolls() == (32, 4)


@pytest.mark.parametrize(
    ("cantrip", "target", "attack"),
    [
        ("lightning_bolt", {"armor": "light"}, 12),
        ("lightning_bolt", {"armor": "medium"}, 24),
        ("lightning_bolt", {"armor": "heavy"}, 24),
        ("lightning_bolt", {"conditions": {"wet": 1}}, 24),
        ("lightning_bolt", {"attack_bonus": 2, "defense_bonus": 6}, 12),
        ("blast_of_lightning", {"armor": "medium"}, 24),
        ("blast_of_lightning", {"conditions": {"wet": 1}}, 12),
        ("earthen_bolt", {"armor": "medium"}, 12),
    ],
)
def test_lightning_counts_twice_against_metal_and_water(cantrip: str, target: Fields, attack: int) -> None:
    table = cast(cantrip, "agility", "might", HIT, **target)
    assert table.rolls()[0] == attack


def test_who_answers_in_a_contest_makes_no_hit() -> None:
    fighters = {"rogue": {}, "mage": mage("fire_bolt", agility=8)}
    table = Table(fighters, [(5, 5, 5), (1, 1, 1)])  # the quicker mage rolls first
    table.engage(mage="might", rogue="might: attack 1").finish_round()
    assert (table.rolls(), brought(table), table.hp("rogue")) == ((3, 15), {}, 40)


@pytest.mark.parametrize(("own", "theirs", "burning"), [((5, 5, 5), (1, 1, 1), 2), ((1, 1, 1), (5, 5, 5), 0)])
def test_who_attacks_and_wins_a_contest_hits(own: Dice, theirs: Dice, burning: int) -> None:
    fighters = {"rogue": {}, "mage": mage("fire_bolt", agility=8)}
    table = Table(fighters, [own, theirs, (1,) * burning])  # type: ignore[list-item]
    table.engage(mage="might: attack 1", rogue="might: attack 1").finish_round()
    assert (brought(table).get("burning", 0), table.hp("mage")) == (burning, 40 if burning else 28)


def test_force_pushes_as_far_as_printed() -> None:
    for size, stance, against, squares in (
        ("medium", "agility", "might", 4),
        ("large", "agility", "might", 4),
        ("small", "might", "cunning", 6),
    ):
        fighters = {"mage": mage("force_bolt"), "rogue": {"size": size}}
        table = on_map("MR..........", fighters, HIT)
        table.engage(mage=f"{stance}: attack 1", rogue=against).finish_round()
        assert (at(table, "rogue"), table.hp("rogue")) == ((1 + squares, 0), 40)


def test_force_ends_the_dash_of_a_creature_that_it_moves() -> None:
    fighters = {"mage": mage("blast_of_force"), "rogue": {}}
    table = on_map("........\n........\n........\n........\nMR......", fighters, HIT)
    table.play(rogue="dash 3,0").play(mage="opportunity 1 might")
    assert (at(table, "rogue"), table.faults()) == ((5, 4), [])


def test_a_blast_pushes_by_might_unless_it_has_a_might_bonus_of_its_own() -> None:
    for cantrip, dice, square in (
        ("blast_of_water", [(1, 1, 1, 1), (8, 6)], 3),  # the push needs no hit
        ("blast_of_force", [(1, 1, 1), (8, 6)], 1),
        ("blast_of_force", HIT, 7),
    ):
        table = on_map("MR..........", {"mage": mage(cantrip), "rogue": {}}, dice)
        table.engage(mage="might: attack 1", rogue="cunning").finish_round()
        assert at(table, "rogue") == (square, 0)


def test_bolts_carry_30_feet_and_blasts_5() -> None:
    def attacks(cantrip: str, ground: str) -> list[str]:
        table = on_map(ground, {"mage": mage(cantrip), "rogue": {}}).pass_to("stance")
        table.play(mage="stance might", rogue="stance cunning")
        return [name for name in table.legal("mage") if name.startswith("attack")] if table.window == "attack" else []

    assert attacks("fire_bolt", "M...........R") and not attacks("fire_bolt", "M............R")
    assert attacks("blast_of_fire", "MR..") and not attacks("blast_of_fire", "M.R.")
    for ground, dice in (("M.....R", HIT), ("M......R", [(5, 4, 3, 8), (2, 2)])):  # a d8 of disadvantage
        table = on_map(ground, {"mage": mage("dark_bolt"), "rogue": {}}, dice)
        table.engage(mage="might: attack 1", rogue="cunning")
        assert table.rolls() == (12, 4)


def blast(cantrip: str, dice: Dice, stance: str, *more: str, **against: str) -> Table:
    """Begin a blast at the first of three foes."""
    fighters = {"mage": mage(cantrip, *more), **FOES}
    return Table(fighters, dice).engage(mage=stance, **against)


def test_a_blast_strikes_two_creatures_by_rolls_of_their_own() -> None:
    table = blast("blast_of_fire", [*HIT, *MISS, (1, 1)], "might: attack 1")
    assert {name for name in table.legal("mage") if "attack" in name} == {"attack 2", "attack 3"}
    table.play(mage="attack 3").finish_round()
    assert [event["target"] for event in table.events_of("attack")] == ["rogue", "owl"]
    assert (brought(table), brought(table, "owl"), brought(table, "fox")) == ({"burning": 2}, {}, {})


def test_the_second_may_be_let_go_and_bolts_strike_one() -> None:
    table = blast("blast_of_fire", [*HIT, (1, 1)], "might: attack 1")
    table.play().finish_round()
    assert len(table.events_of("attack")) == 1
    bolt = blast("dark_bolt", HIT, "might: attack 1")
    assert bolt.window != "follow_up"


def test_a_blast_strikes_two_in_each_round() -> None:
    table = blast("blast_of_darkness", [*HIT, *HIT, *HIT, *HIT], "agility: attack 1")
    table.play(mage="attack 2").finish_round().engage(mage="agility: attack 3")
    table.play(mage="attack 2").finish_round()
    assert [event["target"] for event in table.events_of("attack")] == ["rogue", "fox", "owl", "fox"]


def test_its_levels_go_to_each_whose_stance_it_beats() -> None:
    table = blast(
        "blast_of_water", [*HIT, *MISS], "cunning: attack 1 dazed+weakened", rogue="agility", fox="agility"
    )  # fmt: skip
    assert "attack 2 dazed" not in table.legal("mage")
    table.play(mage="attack 2").finish_round()
    assert brought(table) == {"dazed": 1, "weakened": 1, "wet": 1, "off_balanced": 1}
    assert brought(table, "fox") == {"dazed": 1, "weakened": 1}


def test_nor_to_others() -> None:
    table = blast("blast_of_water", [*HIT, *MISS], "cunning: attack 1 dazed", rogue="agility")
    table.play(mage="attack 2").finish_round()
    assert brought(table, "fox") == {}


def test_further_attacks_of_another_ability_name_their_own_levels() -> None:
    table = blast(
        "blast_of_water", [*MISS, *MISS, *MISS], "cunning: attack 1 dazed", "battletuned",
        rogue="agility", fox="agility", owl="agility",
    )  # fmt: skip
    table.play(mage="attack 2 weakened").play(mage="attack 3").finish_round()
    assert (brought(table), brought(table, "fox"), brought(table, "owl")) == ({"dazed": 1}, {"weakened": 1}, {})


def test_the_second_is_pushed_too() -> None:
    fighters = {"mage": mage("blast_of_water"), "rogue": {}, "fox": {}}
    ground = ".......\n..MR...\n..F....\n.......\n.......\n......."
    table = on_map(ground, fighters, [(1, 1, 1, 1), (2, 2), (1, 1, 1, 1), (2, 2)])
    table.engage(mage="might: attack 1", rogue="cunning", fox="cunning").play(mage="attack 2").finish_round()
    assert (at(table, "rogue"), at(table, "fox")) == ((5, 1), (2, 4))


def test_fires_are_lit_by_their_caster() -> None:
    table = strike(mage("fire_bolt", "hottest_flames"), stance="agility", against="might", dice=[*HIT, (20, 1)])
    to_second_round(table)
    assert (table.hp("rogue"), int(sides_of(table._fights._fights[0].attack_roll, 0))) == (19, 20)


def test_water_puts_fire_out_and_fire_does_not_catch_on_water() -> None:
    table = cast("water_bolt", "agility", "might", HIT, conditions={"burning": 3})
    assert (table.hp("rogue"), "burning" in table.conditions("rogue")) == (32, False)
    wet = cast("fire_bolt", "agility", "might", HIT, conditions={"wet": 1})
    assert (wet.hp("rogue"), "burning" in wet.conditions("rogue")) == (40, False)


def test_blinded_is_as_fresh_as_that_of_other_attacks() -> None:
    table = cast("radiant_bolt", "agility", "might", HIT)
    assert table.conditions("rogue") == {"blinded": 2}
    assert table.finish_round().conditions("rogue") == {"blinded": 1}


def test_time_stuns_until_the_next_round_ends_and_only_once() -> None:
    table = cast("time_bolt", "agility", "might", [*HIT, *HIT, *HIT])
    assert table.conditions("rogue") == {"stunned": 1}
    table.finish_round()
    assert table.conditions("rogue") == {}
    table.engage(knight="agility: attack 1", rogue="might").finish_round()
    assert table.conditions("rogue") == {}
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert brought(table) == {"stunned": 1, "dazed": 2}


def test_no_other_caster_of_time_stuns_it_again() -> None:
    fighters = {"mage": mage("time_bolt"), "rogue": {}, "wizard": mage("blast_of_time", team="blue")}
    table = Table(fighters, [*HIT, *HIT]).engage(mage="agility: attack 1", rogue="might").finish_round()
    table.finish_round().engage(wizard="agility: attack 1", rogue="might").finish_round()
    assert table.history("rogue", "stunned") == [1, 0, 1, 0]


def test_who_has_been_freed_is_not_stunned_for_another_round() -> None:
    fighters = {"mage": mage("time_bolt"), "rogue": {}, "fox": {}, "page": {"team": "blue"}}
    table = Table(fighters, HIT).engage(mage="agility: attack 1", rogue="might", fox="might", page="cunning")
    table.pass_to("attack", "might")
    assert (table.round, table.conditions("rogue")) == (1, {"stunned": 1})
    freed = table._fights._fights[0].fighters[1]
    freed.levels[STUNNED], freed.afflicted = 0, 0
    assert table.finish_round().conditions("rogue") == {}


def test_in_the_classic_edition_a_blast_strikes_two_in_each_engagement() -> None:
    fighters = {"mage": mage("blast_of_darkness", team="blue"), **FOES}
    table = Table(fighters, [4, *HIT, *HIT, *HIT, *HIT, 4], {"edition": "classic"}, heroes=["blue"])
    for by, third in (("mage", "fox"), ("rogue", "owl")):
        table.play(**{by: "engage 1"})
        while table.window == "enter":
            table.play(**{third: "enter"} if "enter" in table.legal(third) else {})
        table.play(mage="stance agility", rogue="stance might", **{third: "stance might"}).pass_to("attack")
        table.play(mage="attack 1").play(mage=f"attack {2 if third == 'fox' else 3}").pass_to("action")
    assert [event["target"] for event in table.events_of("attack")] == ["rogue", "fox", "rogue", "owl"]


RED = {"from": "rogue", "id": "rogue", "team": "red"}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"weapon": "fire_bolt"},
            "abilities: expected 'warcaster' for the cantrip 'fire_bolt', got abilities without it.",
        ),
        (
            {"weapon": "fire_bolt", "abilities": ["warcaster"], "spare_weapon": "water_bolt"},
            "spare_weapon: expected no cantrip but those of fire, as 'fire_bolt' is, got 'water_bolt'.",
        ),
        (
            {"weapon": "blast_of_fire", "abilities": ["warcaster"], "shield": "light_shield"},
            "shield: expected 'none' with weapon 'blast_of_fire', which needs two hands, got 'light_shield'.",
        ),
    ],
)
def test_cantrips_need_an_attunement_to_their_element_and_free_hands(fields: Fields, message: str) -> None:
    own = {"from": "knight", "id": "mage", "team": "blue", "shield": "none", **fields}
    with pytest.raises(ScenarioError, match=re.escape(message)):
        load_scenario({"name": "attunement", "fighter": [own, RED]})


def test_a_cantrip_is_no_gear() -> None:
    own = {"from": "knight", "id": "mage", "team": "blue", "shield": "none", "size": "tiny", **mage("earthen_bolt")}
    sheet = load_scenario({"name": "gear", "fighter": [{**own, "armor": "none"}, RED]}).fighters[0]
    assert (sheet.speed, sheet.weapon.die, sheet.weapon.hands, sheet.weapon.natural) == (60, 12, 1, True)


def test_a_sword_and_a_cantrip_are_changed_as_weapons_are() -> None:
    table = Table({"mage": mage("fire_bolt", spare_weapon="shortsword"), "rogue": {}}, [(5, 4, 3, 1), (2, 2)])
    table.play(mage="swap").engage(mage="agility: attack 1", rogue="might").finish_round()
    assert (table.hp("rogue"), brought(table)) == (31, {})
    table.restore()
    assert table.faults() == []


def test_a_hit_on_who_then_falls_brings_nothing_later() -> None:
    """The blast strikes the prone rogue down as it rises; healed by the fox, it is missed in the engagement."""
    rogue: Fields = {"hp": 20, "hp_now": 5, "conditions": {"prone": 1}}
    fighters = {"mage": mage("blast_of_water"), "rogue": rogue, "fox": {"talents": ["rejuvenate"]}}
    table = Table(fighters, [(5, 4, 3), (2, 2, 2), (1, 1, 1), (2, 2, 2)], heroes=["red"])
    table.play(rogue="stand").play(mage="opportunity 1 agility").pass_to("yield").play(rogue="yield")
    assert table.status("rogue") == "unconscious"
    table.play(fox="use_for 1 a").play(fox="pick 2").play(fox="pick 0")
    assert table.status("rogue") == "standing"
    table.engage(mage="agility: attack 1", rogue="might", fox="cunning").finish_round()
    assert [event["attack_roll"] for event in table.events_of("attack")] == [12, 3]
    assert (table.hp("rogue"), table.history("rogue", "wet")) == (7, [])


@pytest.mark.heading("Water", "Rejuvenate")
def test_a_hit_is_forgotten_when_caster_and_target_have_fallen() -> None:
    """The blast fells the rising owl, and its effort the suffocating mage; both are healed, and the next blast misses.

    Of the dice after those of the first blast (11 damage and 6), four settle which of the healers is quicker.
    """
    fighters: dict[str, Fields] = {
        "mage": mage("blast_of_water", hp_now=3, conditions={"suffocating": 1}),
        "owl": {"hp_now": 3, "conditions": {"prone": 1}},
        "page": {"team": "blue", "talents": ["rejuvenate"]},
        "elf": {"talents": ["rejuvenate"]},
    }
    dice: Dice = [(5, 4, 3, 2), (2, 2, 1), 6, (2, 2, 1, 1), (1, 1, 1, 1), (3, 3, 3), 1]
    table = Table(fighters, dice, heroes=["blue", "red"]).play(owl="stand").play(mage="opportunity 1 might")
    table.play().play(mage="yield", owl="yield").play(page="use_for 1 a", elf="use_for 1 a")
    table.play(page="pick 2", elf="pick 2").play(page="pick 4", elf="pick 4")
    assert [table.hp(name) for name in ("mage", "owl")] == [3 - 6 + 12, 3 - 11 + 12]
    table.engage(mage="might: attack 1", owl="cunning").finish_round()
    assert (table.rolls(), "wet" in brought(table, "owl")) == ((4, 6), False)

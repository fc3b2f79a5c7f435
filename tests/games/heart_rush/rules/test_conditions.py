"""Conditions: how they add up and fade, and what they do to rolls, stances and actions."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Fields, Table, strike, weapon

PRONE = {"conditions": {"prone": 1}}
BY_THE_ROGUE = {"source": "rogue"}


def of(source: str, levels: int = 1) -> Fields:
    """Return levels of a condition that has a source."""
    return {"levels": levels, "source": source}


# ---- levels


@pytest.mark.heading("Levels", "Hinder")
def test_levels_add_up_to_five_at_most() -> None:
    rogue = {"conditions": {"off_balanced": 4}}
    table = strike({}, rogue, stance="agility", against="might", choice="shove 1", dice=[])
    assert table.history("rogue", "off_balanced") == [4, 5, 4]  # 4+2 is 5 at most; the next round's start takes one
    table = Table({"knight": {"agility": 8}, "squire": {"team": "blue"}, "rogue": {"team": "red"}})
    table.engage(knight="agility: shove 1", squire="agility: shove 1", rogue="might")
    assert table.history("rogue", "off_balanced")[0] == 4  # 2+2 of one engagement


@pytest.mark.heading("From a Source", "Stunt")
@pytest.mark.parametrize(("source", "levels", "rogue_dice"), [("orc", 1, [3, 2, 8, 8, 8]), ("knight", 4, [3, 2])])
def test_levels_from_a_new_source_replace_those_from_another(source: str, levels: int, rogue_dice: list[int]) -> None:
    """A rogue enraged at the orc has D3 against anyone else; one already enraged at the knight gains a level."""
    rogue = {"conditions": {"enraged": of(source, 3)}}
    fighters = {"knight": {"agility": 8}, "orc": {"team": "blue"}, "rogue": rogue}
    table = Table(fighters, [4, 4, *rogue_dice]).engage(knight="agility: taunt 1", rogue="might")
    assert table.rolls("maneuver") == (8, 5)  # 4+4; 3+2
    assert table.conditions("rogue") == {"enraged": levels}
    assert table.fighter("rogue")["sources"] == {"enraged": "knight"}


# ---- fading


@pytest.mark.heading("Fading")
def test_fading_conditions_lose_one_level_at_each_round_start_but_the_first() -> None:
    fading = dict.fromkeys("dazed off_balanced weakened shaken blinded slowed deafened".split(), 2)
    table = Table({"knight": {"conditions": fading}, "rogue": {}})
    assert (table.round, table.conditions("knight")) == (1, fading)  # R-30
    table.finish_round()
    assert table.conditions("knight") == dict.fromkeys(fading, 1)
    table.finish_round()
    assert table.conditions("knight") == {}


@pytest.mark.heading("Fading", "Burning and Suffocating")
def test_fire_fades_like_the_rest() -> None:
    table = Table({"knight": {"conditions": {"burning": 2}}, "rogue": {}}, [3, 4, 5]).finish_round()
    assert table.hp("knight") == 33  # 2d6 at the end of round 1: 40 - (3+4)
    table.finish_round()
    assert table.hp("knight") == 28  # 1d6 at the end of round 2: 33 - 5
    assert table.conditions("knight") == {}


@pytest.mark.heading("Fading")
def test_other_conditions_do_not_fade() -> None:
    lasting = {**dict.fromkeys("restrained poisoned confused vulnerability".split(), 2), "prone": 1, "mute": 1}
    lasting["highground"] = 1
    table = Table({"knight": {"conditions": lasting}, "rogue": {}}).finish_round().finish_round()
    assert table.conditions("knight") == lasting


@pytest.mark.heading("Fading")
def test_while_any_blinded_of_an_engagement_is_fresh_none_of_it_fades() -> None:
    """Blinded first fades at the round start after the next (R-27)."""
    for before, history in (({}, [1, 0]), ({"blinded": 1}, [1, 2, 1])):
        table = strike({}, {"conditions": before}, stance="agility", against="might", choice="blind 1", dice=[])
        assert (table.round, table.conditions("rogue")) == (2, {"blinded": history[-2]})
        table.finish_round()
        assert (table.round, table.history("rogue", "blinded")) == (3, history)


@pytest.mark.heading("Drenched")
def test_soaking_puts_out_all_fire() -> None:
    table = Table({"knight": {"conditions": {"wet": 1, "burning": 3}}, "rogue": {"conditions": {"burning": 1}}}, [2])
    assert table.conditions("knight") == {"wet": 1}
    table.finish_round()
    assert (table.hp("knight"), table.hp("rogue")) == (40, 38)  # only the dry one burns, for 2


# ---- conditions that forbid


@pytest.mark.heading("Stunned", "Choosing Your Stance")
@pytest.mark.parametrize("condition", ["stunned", "incapacitated"])
def test_the_stunned_and_the_incapacitated_take_no_stance_and_no_action(condition: str) -> None:
    # On fire and prone, with a friend to help, there would be much to do.
    afflicted = {"conditions": {condition: 1, "prone": 1, "burning": 1}}
    table = Table({"knight": {}, "rogue": afflicted, "thief": {"team": "red"}}, [1])
    assert "rogue" not in table.choosers()
    table.pass_to("stance")
    assert table.choosers() == {"knight", "thief"}
    table.play(knight="stance might", thief="stance defensive")
    assert table.last("reveal")["stances"] == {"knight": "might", "rogue": None, "thief": "defensive"}
    table.finish_round()  # the fire burns for 1
    assert table.hp("rogue") == 39


@pytest.mark.heading("Stunned", "Understanding Stances")
@pytest.mark.parametrize("stance", ["might", "agility", "cunning"])
@pytest.mark.parametrize("condition", ["stunned", "incapacitated"])
def test_every_stance_may_attack_one_without_a_stance_and_none_beats_it(condition: str, stance: str) -> None:
    table = Table({"knight": {}, "rogue": {"conditions": {condition: 1}}}, [5, 4, 6, 3, 2]).engage(knight=stance)
    assert table.legal("knight") == ["pass", "attack 1"]  # R-56: no levels and no maneuvers
    table.play(knight="attack 1")
    assert not table.last("attack")["contested"]
    assert table.last("attack")["damage"] == 10  # 5+4+6 = 15 against 3+2 = 5, not halved


@pytest.mark.heading("Stunned", "Fading")
def test_stunned_lasts_for_the_round() -> None:
    table = Table({"knight": {}, "rogue": {"conditions": {"stunned": 1}}})
    assert table.choosers() == {"knight"}
    table.finish_round()
    assert table.conditions("rogue") == {}  # R-44
    table.pass_to("stance")
    assert table.choosers() == {"knight", "rogue"}


@pytest.mark.heading("Charmed", "Range and Positioning")
def test_from_two_levels_on_the_charmed_do_not_go_for_their_charmer() -> None:
    fighters = {"knight": {"conditions": {"charmed": of("rogue", 2)}}, "rogue": {}, "orc": {}}
    table = Table(fighters).engage(knight="might", rogue="cunning", orc="cunning")
    table.pass_to("attack", "might")
    assert not {"attack 1", "shove 1"} & set(table.legal("knight")) and "attack 2" in table.legal("knight")


@pytest.mark.heading("Charmed")
def test_one_level_of_charm_changes_nothing_in_a_fight() -> None:
    strike({"conditions": {"charmed": of("rogue", 1)}}, dice=[2, 2, 2, 1, 5])  # 6 against 6


@pytest.mark.heading("Charmed", "Opportunity Attacks")
@pytest.mark.parametrize(("levels", "strikes"), [(1, True), (2, False)])
def test_nor_do_they_strike_at_an_opening_of_its(levels: int, strikes: bool) -> None:
    table = Table({"knight": {"conditions": {"charmed": of("rogue", levels)}}, "rogue": {"surprised": True}})
    assert (table.window == "action") is strikes
    assert ("opportunity 1 might" in table.legal("knight")) is strikes


@pytest.mark.heading("Confused", "Dash", "Understanding Actions and Abilities")
def test_the_confused_move_or_act_but_not_both() -> None:
    """To stand up with the dash is a movement, and to put out a fire is an action."""
    for choice, burning, left in (("stand", 1, {"burning": 1}), ("put_out_fire", 2, {"prone": 1, "burning": 1})):
        confused = {"conditions": {"confused": 1, "prone": 1, "burning": burning}}
        table = Table({"knight": confused, "rogue": {"conditions": {"stunned": 1}}}, [1])
        assert {"stand", "rise", "put_out_fire"} <= set(table.legal("knight"))
        table.play(knight=choice)
        assert (table.window, table.conditions("knight")) == ("stance", {"confused": 1, **left})
        assert table.finish_round().hp("knight") == 39


@pytest.mark.heading("Confused")
def test_others_move_and_act() -> None:
    table = Table({"knight": {"conditions": {"prone": 1, "burning": 1}}, "rogue": {"conditions": {"stunned": 1}}})
    table.play(knight="stand").play(knight="put_out_fire")
    assert table.conditions("knight") == {}


# ---- conditions and dice


ATTACKS = [
    ("weakened", "might", -2),
    ("weakened", "agility", 0),
    ("weakened", "cunning", 0),
    ("off_balanced", "might", 0),
    ("off_balanced", "agility", -2),
    ("off_balanced", "cunning", 0),
    ("dazed", "might", 0),
    ("dazed", "agility", 0),
    ("dazed", "cunning", -2),
    ("shaken", "might", 0),
    ("poisoned", "agility", -2),
    ("blinded", "cunning", -2),
    ("confused", "might", -2),
    ("restrained", "might", -2),
    ("slowed", "agility", 0),
    ("deafened", "cunning", 0),
    ("vulnerability", "might", 0),
]


@pytest.mark.heading("Conditions > Effects on Rolls", "Restrained")
@pytest.mark.parametrize("roll", ["attack", "defense"])
@pytest.mark.parametrize(("condition", "stance", "levels"), ATTACKS)
def test_levels_are_disadvantage_on_rolls_with_the_attackers_die(
    condition: str, stance: str, levels: int, roll: str
) -> None:
    afflicted, dropped = {"conditions": {condition: 2}}, [8] * -levels
    knight, rogue = (afflicted, {}) if roll == "attack" else ({}, afflicted)
    dice = [1, 2, 3, *dropped, 1, 5] if roll == "attack" else [1, 2, 3, 1, 5, *dropped]
    table = strike(knight, rogue, stance=stance, against="defensive", dice=dice)
    assert table.last("attack")[f"{roll}_causes"] == ({condition: levels} if levels else {})
    assert table.rolls() == (6, 6)  # 1+2+3; 1+5; any 8 dropped


@pytest.mark.heading("Conditions > Effects on Rolls", "Stunt")
@pytest.mark.parametrize(
    ("condition", "levels"), [("shaken", -2), ("poisoned", -2), ("dazed", 0), ("weakened", 0), ("restrained", 0)]
)
def test_levels_are_disadvantage_on_checks_with_their_die(condition: str, levels: int) -> None:
    # A taunt is made with presence, so restraint has no part in it.
    knight = {"agility": 8, "conditions": {condition: 2}}
    table = strike(knight, stance="agility", against="might", choice="taunt 1", dice=[5, 4, *[8] * -levels, 2, 1])
    assert table.last("maneuver")["attack_causes"] == ({condition: levels} if levels else {})
    assert table.rolls("maneuver") == (9, 3)


@pytest.mark.heading("Conditions > Effects on Rolls", "Restrained", "Overcoming")
@pytest.mark.parametrize(("condition", "levels"), [("dazed", -2), ("blinded", -2), ("restrained", 0), ("weakened", 0)])
def test_levels_are_disadvantage_on_saves_but_restraint_is_not(condition: str, levels: int) -> None:
    knight = {"conditions": {condition: 2, "aggravated": of("rogue")}}
    table = Table({"knight": knight, "rogue": {}}, [1, 2, *[8] * -levels]).play(knight="overcome aggravated")
    assert table.last("check")["attack_causes"] == ({condition: levels} if levels else {})
    assert table.last("check")["attack_roll"] == 3  # 1+2, any 8 dropped


@pytest.mark.heading("Conditions > Effects on Rolls", "Restrained")
@pytest.mark.parametrize(("action", "levels"), [("wriggle_free", -3), ("tear_free", -3)])
def test_restraint_is_disadvantage_on_checks_of_might_and_agility(action: str, levels: int) -> None:
    knight = {"conditions": {"restrained": 2, "entangled": of("rogue")}}
    table = Table({"knight": knight, "rogue": {}}, [1, 2, 8, 8, 8]).play(knight=action)
    assert (table.last("check")["attack_causes"], table.last("check")["attack_roll"]) == ({"restrained": levels}, 3)


@pytest.mark.heading("Restrained")
@pytest.mark.parametrize(
    ("conditions", "levels"),
    [
        ({"restrained": 2}, 2),
        ({"grappled": BY_THE_ROGUE}, 1),
        ({"entangled": BY_THE_ROGUE}, 1),
        ({"restrained": 2, "grappled": BY_THE_ROGUE, "entangled": BY_THE_ROGUE}, 4),
        ({"restrained": 5, "grappled": BY_THE_ROGUE, "entangled": BY_THE_ROGUE}, 5),
    ],
)
def test_holds_and_nets_add_to_restraint_up_to_five(conditions: Fields, levels: int) -> None:
    table = Table({"knight": {"conditions": conditions}, "rogue": {}, "orc": {}}, [1, 2, 3, *[8] * levels, 2, 4])
    table.engage(knight="might: attack 2", rogue="agility", orc="cunning")
    assert table.last("attack")["attack_causes"] == {"restrained": -levels}
    assert table.rolls() == (6, 6)  # 1+2+3, every 8 dropped


@pytest.mark.heading("Conditions > Effects on Rolls")
def test_whoever_holds_another_has_one_disadvantage_itself() -> None:
    fighters = {"knight": {}, "rogue": {"conditions": {"grappled": {"source": "knight"}}}, "orc": {}}
    table = Table(fighters, [1, 2, 3, 8, 2, 4]).engage(knight="might: attack 2", rogue="agility", orc="cunning")
    assert (table.last("attack")["attack_causes"], table.rolls()) == ({"grappling": -1}, (6, 6))


@pytest.mark.heading("Conditions > Effects on Rolls")
def test_frightened_counts_while_the_source_stands() -> None:
    """Of 1, 2, 3, 8 and 8 both eights are dropped; when the squire has felled the rogue, no die is dropped."""
    knight = {"agility": 8, "conditions": {"frightened": of("rogue", 2)}}
    fighters = {"knight": knight, "squire": {"team": "blue", "agility": 12}, "rogue": {"hp_now": 10}, "orc": {}}
    table = Table(fighters, [(1, 2, 3, 8, 8, 2, 4), (8, 9, 8, 1, 1), (1, 2, 3, 2, 4)])
    table.engage(knight="cunning: attack 2", squire="agility", rogue="might", orc="agility")
    assert table.last("attack")["attack_causes"] == {"frightened": -2}  # against the orc too
    table.play(squire="attack 1").play()
    assert table.status("rogue") == "defeated"
    table.engage(knight="cunning: attack 2", orc="agility")
    assert (table.last("attack")["attack_causes"], table.conditions("knight")) == ({}, {"frightened": 2})


@pytest.mark.heading("Conditions > Effects on Rolls")
@pytest.mark.parametrize("condition", ["enraged", "aggravated"])
@pytest.mark.parametrize(("source", "levels"), [("rogue", 0), ("orc", -2)])
def test_rage_counts_against_everyone_but_its_source(condition: str, source: str, levels: int) -> None:
    fighters = {"knight": {"conditions": {condition: of(source, 2)}}, "rogue": {}, "orc": {}}
    table = Table(fighters, [1, 2, 3, *[8] * -levels, 2, 4])
    table.engage(knight="might: attack 1", rogue="cunning", orc="agility")
    assert table.last("attack")["attack_causes"] == ({condition: levels} if levels else {})


@pytest.mark.heading("Conditions > Effects on Rolls", "Entangled")
def test_rage_does_not_count_on_a_roll_against_nobody() -> None:
    conditions = {"enraged": of("rogue", 2), "entangled": BY_THE_ROGUE}
    table = Table({"knight": {"weapon": "shortsword", "conditions": conditions}, "rogue": {}}, [1, 2, 3, 3, 8])
    table.play(knight="cut_free")  # R-43: a net is nobody
    assert table.last("check")["attack_causes"] == {"restrained": -1}


def has(condition: str, **more: Any) -> Fields:
    """Return a fighter with one condition."""
    return {"conditions": {condition: 1}, **more}


CLIMBER = {"conditions": {"creature_climber": BY_THE_ROGUE}}
SHOOTS, THROWS = {"weapon": weapon(attack_type="ranged")}, {"weapon": weapon(attack_type="thrown")}


@pytest.mark.heading("Conditions > Effects on Rolls", "Prone, High Ground, Climbing")
@pytest.mark.parametrize(
    ("case", "knight", "rogue", "stance", "more_attack", "more_defense", "attack_causes", "defense_causes"),
    [
        ("the obscured are unseen", {}, has("obscured"), "might", [8] * 5, [], {"unseen": -5}, {}),
        ("the hidden are unseen", {}, has("hidden"), "might", [8] * 5, [], {"unseen": -5}, {}),
        ("by those they attack, if obscured", has("obscured"), {}, "might", [], [8] * 5, {}, {"unseen": -5}),
        ("by those they attack, if hidden", has("hidden"), {}, "might", [], [8] * 5, {}, {"unseen": -5}),
        ("the prone attack worse in might", PRONE, {}, "might", [8], [], {"prone": -1}, {}),
        ("the prone attack worse in agility", PRONE, {}, "agility", [8], [], {"prone": -1}, {}),
        ("the prone attack worse in cunning", PRONE, {}, "cunning", [8], [], {"prone": -1}, {}),
        ("the prone defend worse from melee", {}, PRONE, "might", [], [8], {}, {"prone": -1}),
        ("worse from a whip", {"weapon": weapon(attack_type="whip")}, PRONE, "might", [], [8], {}, {"prone": -1}),
        ("better from a shot", SHOOTS, PRONE, "might", [], [1], {}, {"prone": 1}),
        ("better from a throw", THROWS, PRONE, "might", [], [1], {}, {"prone": 1}),
        ("high ground against the lower", has("highground"), {}, "might", [1], [], {"highground": 1}, {}),
        ("no high ground against the like", has("highground"), has("highground"), "might", [], [], {}, {}),
        ("a climber", CLIMBER, {"size": "L2"}, "might", [1, 1, 1], [], {"creature_climber": 3}, {}),
    ],
)
def test_what_a_place_does_to_rolls(
    case: str, knight: Fields, rogue: Fields, stance: str, more_attack: list[int],
    more_defense: list[int], attack_causes: dict[str, int], defense_causes: dict[str, int],
) -> None:  # fmt: skip
    dice = [1, 2, 3, *more_attack, 2, 4, *more_defense]
    attack = (table := strike(knight, rogue, stance=stance, against="defensive", dice=dice)).last("attack")
    assert (attack["attack_causes"], attack["defense_causes"]) == (attack_causes, defense_causes)
    assert table.rolls() == (6, 6)  # 1+2+3 against 2+4: what is added is dropped


@pytest.mark.heading("Prone, High Ground, Climbing")
def test_prone_does_not_matter_in_a_check() -> None:
    table = Table({"knight": {"conditions": {"prone": 1, "grappled": BY_THE_ROGUE}}, "rogue": {}}, [3, 4, 1, 1, 8])
    table.play(knight="break_free")
    assert table.last("check")["attack_dice"] == [3, 4]


@pytest.mark.heading("Prone, High Ground, Climbing")
def test_whoever_is_climbed_on_has_three_disadvantages_against_its_climbers_only() -> None:
    rider = {"conditions": {"creature_climber": {"source": "knight"}}}
    fighters = {"knight": {"size": "L2"}, "rogue": rider, "orc": {}}
    for place, causes in (1, {"climbed_on": -3}), (2, {}):
        table = Table(fighters, [1, 2, 3, *[8] * (3 if causes else 0), 2, 4])
        table.engage(knight=f"might: attack {place}", rogue="defensive", orc="defensive")
        assert table.last("attack")["attack_causes"] == causes

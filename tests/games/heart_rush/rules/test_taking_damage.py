"""Taking Damage: shrugging off, wounds, zero hit points, death."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, strike

OGRE = {"weapon": "none", "attack_bonus": 20, "might": 8}  # 20 and two dice
THIRTY = [7, 6, 2, 1]  # 20+7+6 = 33 against 2+1 = 3: 30


def hit(rogue: Fields, answer: str = "take", dice: Dice | None = None, **scenario: Any) -> Table:
    """Let an ogre hit the rogue for 30 damage, or for what these dice give."""
    return strike(OGRE, rogue, dice=dice or THIRTY, answer=answer, **scenario)


# ---- shrugging off


@pytest.mark.heading("Taking Damage", "More than 10 Damage", "Wounds", "Die Sizes")
def test_the_rulebooks_example_of_shrugging_off() -> None:
    """With 25 hp and a heart die of d6, a shrug of 30 leaves 10 hp, a d4 and a wound of rank 15."""
    table = hit({"heart": 6, "hp": 25}, "shrug")
    assert (table.last("attack")["damage"], table.last("damage")["amount"], table.heart("rogue")) == (30, 15, 4)
    assert (table.hp("rogue"), table.last("wound")) == (10, {"type": "wound", "fighter": "rogue", "rank": 15})
    assert table.fighter("rogue")["wounds"] == 15


HERO: Fields = {"heroes": ["red"]}
REDUCED: Fields = {"heroes": ["red"], "rules": {"death_at": "reduced_maximum"}}
AT_17 = {"wounds": [12, 11], "wound_threshold": 0}


@pytest.mark.heading(
    "Taking Damage", "More than 10 Damage", "Wounds", "Zero Hit points", "Why would I go unconscious??"
)
@pytest.mark.parametrize(
    ("case", "rogue", "dice", "scenario", "left"),
    [
        ("who does not shrug takes all of it", {}, THIRTY, {}, {"hp": 10, "heart": 8}),
        ("half of 29 is rounded up", {}, [7, 6, 3, 1], {"answer": "shrug"}, {"hp": 25}),
        ("29 halved twice is 8", {}, [7, 6, 2, 2], {"answer": "shrug", "against": "defensive"}, {"hp": 32}),
        ("hit points fall below zero", {"hp_now": 10}, THIRTY, HERO, {"hp": -20}),
        ("no wounds without a threshold", {"wound_threshold": 0}, THIRTY, {}, {"wounds": 0}),
        ("30 is a wound at a threshold of 30", {"wound_threshold": 30}, THIRTY, {}, {"wounds": 30}),
        ("30 is none at a threshold of 31", {"wound_threshold": 31}, THIRTY, {}, {"wounds": 0}),
        ("a monster at zero is out", {"hp_now": 30}, THIRTY, {}, {"status": "defeated", "hp": 0}),
        ("the first down decides", {"hp_now": 30}, THIRTY, {"victory": "first_down", **HERO}, {"status": "defeated"}),
        ("-15 of 16 is no death", {"hp": 16, "hp_now": 15, "wound_threshold": 0}, THIRTY, HERO, {"status": "standing"}),
        ("-15 of 15 is death", {"hp": 15, "wound_threshold": 0}, THIRTY, HERO, {"status": "dead"}),
        ("a monster dies at minus its maximum", {"hp": 15}, THIRTY, {}, {"status": "dead"}),
        # 20 - 30 = -10, and the maximum less wounds is 20 - 30 too.
        ("wounds bring death no nearer", {"wounds": [20]}, THIRTY, HERO, {"wounds": 50, "status": "standing"}),
        ("a reduced maximum of 17 is death at -17", AT_17, [8, 8, 1, 1], REDUCED, {"hp": -17, "status": "dead"}),
        ("and not at -16", AT_17, [8, 8, 2, 1], REDUCED, {"hp": -16, "status": "standing"}),
    ],
)
def test_what_a_hit_leaves(case: str, rogue: Fields, dice: Dice, scenario: Fields, left: Fields) -> None:
    table = hit(rogue, dice=dice, **scenario)
    assert table.facts("rogue", left) == left
    assert len(table.events_of("death")) == (table.status("rogue") == "dead")
    assert table.ending == (("victory", ["blue"]) if table.status("rogue") in ("defeated", "dead") else (None, []))


@pytest.mark.heading("Taking Damage")
def test_the_heart_die_stays_small() -> None:
    table = hit({}, "shrug")
    table.engage(knight="cunning", rogue="agility")
    assert (table.round, table.heart("rogue")) == (2, 6)
    assert table.fighter("rogue")["shrugs"] == 0  # counted by the round


@pytest.mark.heading("Taking Damage", "Resolution Phases")
def test_the_hits_of_a_phase_are_answered_one_at_a_time_in_the_attackers_timing_order() -> None:
    fighters = {"knight": {"agility": 6}, "squire": {"team": "blue", "agility": 10}, "rogue": {"team": "red"}}
    table = Table(fighters, [(8, 6, 8, 1, 1), (4, 4, 4, 1, 1)])
    table.engage(knight="might: attack 1", squire="might: attack 1", rogue="cunning")
    assert table.fighter("rogue")["hits"] == [20, 10]  # the squire's comes first
    table.play(rogue="shrug")
    assert (table.hp("rogue"), table.fighter("rogue")["hits"]) == (30, [10])
    table.play(rogue="shrug")
    assert (table.hp("rogue"), table.heart("rogue")) == (25, 4)  # any number of times
    assert [(hit["by"], hit["amount"]) for hit in table.events_of("damage")] == [("squire", 10), ("knight", 5)]


@pytest.mark.heading("Taking Damage", "Resolution Phases")
def test_all_who_have_a_first_hit_answer_together() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue"}, "rogue": {"team": "red"}, "orc": {"team": "red"}}
    table = Table(fighters, [(8, 6, 8, 1, 1), (4, 4, 4, 1, 1)])
    table.engage(knight="might: attack 1", squire="might: attack 2", rogue="cunning", orc="cunning")
    assert table.choosers() == {"rogue", "orc"}
    table.play(rogue="shrug", orc="take")
    assert (table.hp("rogue"), table.hp("orc")) == (30, 30)


@pytest.mark.heading("Taking Damage", "Checks and Saves")
def test_a_heart_die_that_shrank_rolls_smaller_in_later_phases() -> None:
    fighters = {"knight": {}, "rogue": {"heart": 6}, "squire": {"team": "blue"}}
    table = Table(fighters, [(8, 6, 8, 1, 1), (4, 6, 8, 2, 2)])
    table.engage(knight="cunning: attack 1", rogue="agility", squire="might").play(rogue="shrug")
    table.play(rogue="attack 2")
    assert table.last("attack")["attack_dice"] == [4, 6, 8]
    table.play()


@pytest.mark.heading("Taking Damage", "Resolution Phases")
def test_within_a_phase_the_heart_die_is_that_of_the_phases_start() -> None:
    # The rogue is hit and hits in one phase: its attack rolls the d8 that its shrug makes a d6 afterwards.
    fighters = {"knight": {"agility": 8}, "rogue": {"agility": 6}, "squire": {"team": "blue", "agility": 4}}
    table = Table(fighters, [(8, 6, 8, 1, 1, 1), (8, 5, 8, 2, 1, 1)])
    table.engage(knight="might: attack 1", rogue="might: attack 2", squire="might")
    assert [attack["contested"] for attack in table.events_of("attack")] == [True, True]
    table.play(rogue="shrug", squire="take")
    assert table.heart("rogue") == 6
    assert (table.hp("rogue"), table.hp("squire")) == (30, 23)  # 22 - 3 = 19, halved 10; 21 - 4 = 17


# ---- wounds


@pytest.mark.heading("More than 10 Damage", "Wounds")
@pytest.mark.parametrize(("dice", "answer", "rank"), [
    ([1, 1, 8, 5], "take", None),  # 22 - 13 = 9
    ([1, 1, 8, 4], "take", 10),
    ([1, 1, 8, 4], "shrug", None),  # 10 halved is 5
    ([1, 1, 2, 1], "shrug", 10),  # 19 halved is 10
])  # fmt: skip
def test_ten_damage_after_halving_marks_a_wound_of_that_rank(dice: Dice, answer: str, rank: int | None) -> None:
    table = hit({}, answer, dice)
    assert [wound["rank"] for wound in table.events_of("wound")] == ([rank] if rank else [])
    assert table.fighter("rogue")["wounds"] == (rank or 0)


@pytest.mark.heading("More than 10 Damage", "Wounds")
def test_each_hit_is_held_against_the_threshold_alone() -> None:
    fighters = {"knight": {"agility": 6}, "squire": {"team": "blue", "agility": 10}, "rogue": {"team": "red"}}
    table = Table(fighters, [(4, 3, 4, 1, 1), (4, 3, 4, 1, 1)])
    table.engage(knight="might: attack 1", squire="might: attack 1", rogue="cunning").finish_round()
    assert (table.hp("rogue"), table.events_of("wound")) == (22, [])  # twice 9


@pytest.mark.heading("Wounds")
def test_with_23_ranks_of_wounds_nobody_heals_past_17() -> None:
    table = Table({"knight": {"wounds": [12, 11]}, "rogue": {}})
    assert table.hp("knight") == 17  # 40 - 23
    with pytest.raises(ValueError, match=r"hp_now: expected .*, got 18"):
        Table({"knight": {"wounds": [12, 11], "hp_now": 18}, "rogue": {}})


# ---- zero


@pytest.mark.heading("Zero Hit points", "Why would I go unconscious??")
def test_a_hero_at_zero_may_yield_or_fight_on() -> None:
    for choice, status in ("yield", "unconscious"), ("pass", "standing"):
        table = hit({"hp_now": 30}, heroes=["red"])
        assert (table.window, table.choosers()) == ("yield", {"rogue"})
        table.play(rogue=choice)
        assert (table.status("rogue"), table.hp("rogue")) == (status, 0)


@pytest.mark.heading("Zero Hit points", "Why would I go unconscious??")
def test_above_zero_nobody_yields() -> None:
    table = hit({"hp_now": 31}, heroes=["red"])
    assert (table.hp("rogue"), table.window) == (1, "stance")
    table = Table({"knight": {}, "squire": {"team": "blue"}, "rogue": {}}, heroes=["blue", "red"])
    assert table.window == "action" and "yield" not in table.legal("knight")


@pytest.mark.heading("Zero Hit points", "Why would I go unconscious??")
def test_whoever_fights_on_may_yield_in_a_later_action_window() -> None:
    table = hit({"hp_now": 30}, heroes=["red"]).play(rogue="pass")
    assert (table.round, table.window) == (2, "action")
    table.play(rogue="pass").engage(knight="defensive", rogue="defensive").play(rogue="yield")
    assert table.status("rogue") == "unconscious"
    assert table.finish_round().ending == ("victory", ["blue"])


@pytest.mark.heading("Zero Hit points", "Why would I go unconscious??")
def test_whoever_fights_on_is_not_asked_again_at_each_hit() -> None:
    table = hit({"hp_now": 30, "hp": 100}, heroes=["red"], dice=[*THIRTY, 1, 1, 8, 6])
    table.play(rogue="pass").engage(knight="might: attack 1", rogue="cunning").play(rogue="take")
    assert table.window != "yield" and table.hp("rogue") == -8  # 0 - (22 - 14)


@pytest.mark.heading("Taking Damage", "Zero Hit points")
@pytest.mark.parametrize(("most", "status"), [(40, "unconscious"), (20, "dead")])
def test_the_unconscious_shrug_nothing_off_and_may_die(most: int, status: str) -> None:
    rogue = {"hp": most, "hp_now": 0}
    fighters = {"knight": {}, "squire": {"team": "blue"}, "rogue": rogue, "orc": {"team": "red"}}
    table = Table(fighters, [8, 6, 8, 1, 1], heroes=["red"]).play(rogue="yield").play(knight="opportunity 1 might")
    assert table.window != "shrug" and (table.hp("rogue"), table.status("rogue")) == (-20, status)  # 0 - 20


@pytest.mark.heading("Zero Hit points", "Resolution Phases")
def test_all_hits_land_before_anyone_is_judged() -> None:
    """If two fighters in might kill each other, both attacks are completed."""
    fighters = {"knight": {"hp_now": 1}, "rogue": {"hp_now": 1}, "squire": {"team": "blue", "hp_now": 1}}
    table = Table(fighters, [(8, 6, 8, 1, 1, 1), (8, 6, 8, 1, 1, 1)])
    table.engage(knight="might: attack 1", rogue="might: attack 2", squire="might").play()
    assert (table.status("rogue"), table.status("squire")) == ("defeated", "defeated")


@pytest.mark.heading("Zero Hit points")
def test_those_who_drop_together_choose_together() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue"}, "rogue": {"hp_now": 5}, "orc": {"hp_now": 5, "team": "red"}}
    table = Table(fighters, [8, 6, 8, 1, 1] * 2, heroes=["red"])
    table.engage(knight="might: attack 1", squire="might: attack 2", rogue="cunning", orc="cunning").play()
    assert (table.window, table.choosers()) == ("yield", {"rogue", "orc"})
    table.play(rogue="yield", orc="pass")
    assert (table.status("rogue"), table.status("orc")) == ("unconscious", "standing")


@pytest.mark.heading("Zero Hit points", "Understanding Combat Flow")
def test_whoever_fights_on_falls_in_the_end_and_nobody_above_zero_tires() -> None:
    table = hit({"hp_now": 30}, heroes=["red"], rules={"fatigue_rounds": 3})
    table.play(rogue="pass")
    for round_number in 2, 3:
        assert (table.round, table.status("rogue")) == (round_number, "standing")
        table.finish_round()
    assert table.status("rogue") == "unconscious"  # at the end of the third round at zero
    assert table.ending == ("victory", ["blue"])
    table = Table({"knight": {}, "rogue": {}}, rules={"fatigue_rounds": 1}).finish_round()
    assert table.status("knight") == "standing"

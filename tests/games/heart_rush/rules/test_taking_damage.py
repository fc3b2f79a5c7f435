"""Taking Damage: shrugging off, wounds, zero hit points, death."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Table, strike

TAKING = "Combat > Taking Damage"
TEN = "Combat > Taking Damage > More than 10 Damage"
WOUNDS = "Combat > Taking Damage > Wounds"
ZERO = "Combat > Taking Damage > Zero Hit points"
WHY = "Combat > Taking Damage > Zero Hit points > Why would I go unconscious??"
PHASES = "Combat > The Engagement > Attack Resolution Process > Resolution Phases"

OGRE = {"weapon": "none", "attack_bonus": 20, "might": 8}  # 20 and two dice
THIRTY = [7, 6, 2, 1]  # 20+7+6 = 33 against 2+1 = 3: 30


def hit(rogue: dict[str, Any], answer: str = "take", dice: list[int] | None = None, **scenario: Any) -> Table:
    """The rogue takes 30 damage, or what these dice say, from an ogre."""
    return strike(OGRE, rogue, dice=dice or THIRTY, answer=answer, **scenario)


# ---- shrugging off


@pytest.mark.heading(TAKING, TEN, WOUNDS, "Dice Mechanics > Die Sizes")
def test_the_rulebooks_example_of_shrugging_off() -> None:
    """25 hp, a heart die of d6, 30 damage: it is 15, the heart die d4, 10 hp are left, and a rank 15 wound."""
    table = hit({"heart": 6, "hp": 25}, "shrug")
    assert table.last("attack")["damage"] == 30
    assert table.last("damage")["amount"] == 15
    assert table.heart("rogue") == 4
    assert table.hp("rogue") == 10
    assert table.last("wound") == {"type": "wound", "fighter": "rogue", "rank": 15}
    assert table.fighter("rogue")["wounds"] == 15


@pytest.mark.heading(TAKING)
def test_whoever_does_not_shrug_takes_all_of_it() -> None:
    table = hit({}, "take")
    assert (table.hp("rogue"), table.heart("rogue")) == (10, 8)


@pytest.mark.heading(TAKING)
def test_half_the_damage_is_rounded_up() -> None:
    table = hit({}, "shrug", dice=[7, 6, 3, 1])  # 29
    assert table.hp("rogue") == 25  # 40 - 15


@pytest.mark.heading(TAKING)
def test_shrugging_halves_again_after_a_defensive_stance() -> None:
    table = strike(OGRE, {}, against="defensive", dice=[7, 6, 2, 2], answer="shrug")
    assert table.hp("rogue") == 32  # 29 halved is 15, halved again 8


@pytest.mark.heading(TAKING)
def test_the_heart_die_stays_small() -> None:
    table = hit({}, "shrug")
    table.engage(knight="cunning", rogue="agility")
    assert (table.round, table.heart("rogue")) == (2, 6)
    assert table.fighter("rogue")["shrugs"] == 0  # counted by the round


@pytest.mark.heading(TAKING, PHASES)
def test_the_hits_of_a_phase_are_answered_one_at_a_time_in_the_attackers_timing_order() -> None:
    fighters = {"knight": {"agility": 6}, "squire": {"team": "blue", "agility": 10}, "rogue": {"team": "red"}}
    table = Table(fighters, [(8, 6, 8, 1, 1), (4, 4, 4, 1, 1)])
    table.engage(knight="might", squire="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1", squire="attack 1")
    assert table.fighter("rogue")["hits"] == [20, 10]  # the squire's comes first
    table.play(rogue="shrug")
    assert (table.hp("rogue"), table.fighter("rogue")["hits"]) == (30, [10])
    table.play(rogue="shrug")
    assert (table.hp("rogue"), table.heart("rogue")) == (25, 4)  # any number of times
    assert [(hit["by"], hit["amount"]) for hit in table.events_of("damage")] == [("squire", 10), ("knight", 5)]


@pytest.mark.heading(TAKING, PHASES)
def test_all_who_have_a_first_hit_answer_together() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue"}, "rogue": {"team": "red"}, "orc": {"team": "red"}}
    table = Table(fighters, [(8, 6, 8, 1, 1), (4, 4, 4, 1, 1)])
    table.engage(knight="might", squire="might", rogue="cunning", orc="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1", squire="attack 2")
    assert table.choosers() == {"rogue", "orc"}
    table.play(rogue="shrug", orc="take")
    assert (table.hp("rogue"), table.hp("orc")) == (30, 30)


@pytest.mark.heading(TAKING, "Dice Mechanics > Checks and Saves")
def test_a_heart_die_that_shrank_rolls_smaller_in_later_phases() -> None:
    fighters = {"knight": {}, "rogue": {"heart": 6}, "squire": {"team": "blue"}}
    table = Table(fighters, [(8, 6, 8, 1, 1), (4, 6, 8, 2, 2)])
    table.engage(knight="cunning", rogue="agility", squire="might")
    table.play(knight="attack 1")
    table.play(rogue="shrug")
    table.play(rogue="attack 2")
    assert table.last("attack")["attack_dice"] == [4, 6, 8]
    table.play()


@pytest.mark.heading(TAKING, PHASES)
def test_within_a_phase_the_heart_die_is_that_of_the_phases_start() -> None:
    # The rogue is hit and hits in one phase: its attack rolls the d8 that its shrug makes a d6 afterwards.
    fighters = {"knight": {"agility": 8}, "rogue": {"agility": 6}, "squire": {"team": "blue", "agility": 4}}
    table = Table(fighters, [(8, 6, 8, 1, 1, 1), (8, 5, 8, 2, 1, 1)])
    table.engage(knight="might", rogue="might", squire="might")
    table.play(knight="attack 1", rogue="attack 2")
    assert [attack["contested"] for attack in table.events_of("attack")] == [True, True]
    table.play(rogue="shrug", squire="take")
    assert table.heart("rogue") == 6
    assert (table.hp("rogue"), table.hp("squire")) == (30, 23)  # 22 - 3 = 19, halved 10; 21 - 4 = 17


@pytest.mark.heading(TAKING)
def test_the_unconscious_shrug_nothing_off() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue"}, "rogue": {"hp_now": 0}, "orc": {"team": "red"}}
    table = Table(fighters, [8, 6, 8, 1, 1], heroes=["red"])
    table.play(rogue="yield")
    table.play(knight="opportunity 1 might")
    assert table.window != "shrug"
    assert table.hp("rogue") == -20


@pytest.mark.heading(TAKING)
def test_hit_points_fall_below_zero_too() -> None:
    table = hit({"hp_now": 10}, heroes=["red"])
    assert table.hp("rogue") == -20


# ---- wounds


@pytest.mark.heading(TEN, WOUNDS)
@pytest.mark.parametrize(("dice", "answer", "rank"), [
    ([1, 1, 8, 5], "take", None),  # 22 - 13 = 9
    ([1, 1, 8, 4], "take", 10),
    ([1, 1, 8, 4], "shrug", None),  # 10 halved is 5
    ([1, 1, 2, 1], "shrug", 10),  # 19 halved is 10
])  # fmt: skip
def test_ten_damage_after_halving_marks_a_wound_of_that_rank(dice: list[int], answer: str, rank: int | None) -> None:
    table = hit({}, answer, dice)
    assert [wound["rank"] for wound in table.events_of("wound")] == ([rank] if rank else [])
    assert table.fighter("rogue")["wounds"] == (rank or 0)


@pytest.mark.heading(TEN)
@pytest.mark.parametrize(("threshold", "wounded"), [(0, False), (30, True), (31, False)])
def test_some_creatures_have_another_threshold_or_none(threshold: int, wounded: bool) -> None:
    assert bool(hit({"wound_threshold": threshold}).events_of("wound")) is wounded


@pytest.mark.heading(TEN, WOUNDS)
def test_each_hit_is_held_against_the_threshold_alone() -> None:
    fighters = {"knight": {"agility": 6}, "squire": {"team": "blue", "agility": 10}, "rogue": {"team": "red"}}
    table = Table(fighters, [(4, 3, 4, 1, 1), (4, 3, 4, 1, 1)])
    table.engage(knight="might", squire="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1", squire="attack 1")
    table.finish_round()
    assert (table.hp("rogue"), table.events_of("wound")) == (22, [])  # twice 9


@pytest.mark.heading(WOUNDS)
def test_with_23_ranks_of_wounds_nobody_heals_past_17() -> None:
    table = Table({"knight": {"wounds": [12, 11]}, "rogue": {}})
    assert table.hp("knight") == 17  # 40 - 23
    with pytest.raises(ValueError, match=r"hp_now: expected .*, got 18"):
        Table({"knight": {"wounds": [12, 11], "hp_now": 18}, "rogue": {}})


@pytest.mark.heading(WOUNDS, ZERO)
@pytest.mark.parametrize(("die", "status"), [(3, "standing"), (2, "dead")])
def test_23_ranks_of_wounds_bring_death_at_minus_17_where_the_reduced_maximum_counts(die: int, status: str) -> None:
    # 33 damage leave 17 - 33 = -16, 34 leave -17
    rogue = {"wounds": [12, 11], "wound_threshold": 0}
    table = strike(
        {**OGRE, "attack_bonus": 30}, rogue, dice=[4, 6, die, 4], rules={"death_at": "reduced_maximum"}, heroes=["red"]
    )
    assert table.status("rogue") == status


# ---- zero


@pytest.mark.heading(ZERO, WHY)
def test_a_hero_at_zero_may_yield_or_fight_on() -> None:
    for choice, status in ("yield", "unconscious"), ("pass", "standing"):
        table = hit({"hp_now": 30}, heroes=["red"])
        assert (table.window, table.choosers()) == ("yield", {"rogue"})
        table.play(rogue=choice)
        assert (table.status("rogue"), table.hp("rogue")) == (status, 0)


@pytest.mark.heading(ZERO, WHY)
def test_above_zero_nobody_yields() -> None:
    table = hit({"hp_now": 31}, heroes=["red"])
    assert table.hp("rogue") == 1
    assert table.window == "stance"
    fighters = {"knight": {}, "squire": {"team": "blue"}, "rogue": {}}
    table = Table(fighters, heroes=["blue", "red"])
    assert table.window == "action"
    assert "yield" not in table.legal("knight")


@pytest.mark.heading(ZERO, WHY)
def test_whoever_fights_on_may_yield_in_a_later_action_window() -> None:
    table = hit({"hp_now": 30}, heroes=["red"])
    table.play(rogue="pass")
    assert (table.round, table.window) == (2, "action")
    table.play(rogue="pass")
    table.engage(knight="defensive", rogue="defensive")
    table.play(rogue="yield")
    assert table.status("rogue") == "unconscious"
    table.finish_round()
    assert table.ending == ("victory", ["blue"])


@pytest.mark.heading(ZERO, WHY)
def test_whoever_fights_on_is_not_asked_again_at_each_hit() -> None:
    table = hit({"hp_now": 30, "hp": 100}, heroes=["red"], dice=[*THIRTY, 1, 1, 8, 6])
    table.play(rogue="pass")
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    table.play(rogue="take")
    assert table.window != "yield"
    assert table.hp("rogue") == -8  # 0 - (22 - 14)


@pytest.mark.heading(ZERO, WHY)
def test_a_monster_at_zero_is_out() -> None:
    table = hit({"hp_now": 30})
    assert (table.status("rogue"), table.hp("rogue")) == ("defeated", 0)
    assert table.ending == ("victory", ["blue"])


@pytest.mark.heading(ZERO, WHY)
def test_where_the_first_down_decides_nobody_chooses() -> None:
    table = hit({"hp_now": 30}, heroes=["red"], victory="first_down")
    assert table.status("rogue") == "defeated"
    assert table.ending == ("victory", ["blue"])


@pytest.mark.heading(ZERO)
@pytest.mark.parametrize(("hp", "status"), [(16, "standing"), (15, "dead")])
def test_death_comes_at_minus_the_maximum(hp: int, status: str) -> None:
    table = hit({"hp": hp, "hp_now": 15, "wound_threshold": 0}, heroes=["red"])  # 15 - 30 = -15
    assert table.status("rogue") == status
    assert len(table.events_of("death")) == (status == "dead")


@pytest.mark.heading(ZERO)
def test_wounds_do_not_bring_death_nearer() -> None:
    table = hit({"hp": 40, "wounds": [20]}, heroes=["red"])  # 20 - 30 = -10, and the maximum less wounds is 20-30 too
    assert table.fighter("rogue")["wounds"] == 50
    assert table.status("rogue") == "standing"


@pytest.mark.heading(ZERO)
def test_a_monster_dies_at_minus_its_maximum() -> None:
    table = hit({"hp": 15})
    assert table.status("rogue") == "dead"


@pytest.mark.heading(ZERO)
def test_the_unconscious_may_die() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue"}, "rogue": {"hp": 20, "hp_now": 0}, "orc": {"team": "red"}}
    table = Table(fighters, [8, 6, 8, 1, 1], heroes=["red"])
    table.play(rogue="yield")
    table.play(knight="opportunity 1 might")  # 0 - 20
    assert table.status("rogue") == "dead"


@pytest.mark.heading(ZERO, PHASES)
def test_all_hits_land_before_anyone_is_judged() -> None:
    """If two might fighters kill each other, both attacks complete."""
    fighters = {"knight": {"hp_now": 1}, "rogue": {"hp_now": 1}, "squire": {"team": "blue", "hp_now": 1}}
    table = Table(fighters, [(8, 6, 8, 1, 1, 1), (8, 6, 8, 1, 1, 1)])
    table.engage(knight="might", rogue="might", squire="might")
    table.play(knight="attack 1", rogue="attack 2")
    table.play()
    assert (table.status("rogue"), table.status("squire")) == ("defeated", "defeated")


@pytest.mark.heading(ZERO)
def test_those_who_drop_together_choose_together() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue"}, "rogue": {"hp_now": 5}, "orc": {"hp_now": 5, "team": "red"}}
    table = Table(fighters, [8, 6, 8, 1, 1] * 2, heroes=["red"])
    table.engage(knight="might", squire="might", rogue="cunning", orc="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1", squire="attack 2")
    table.play()
    assert (table.window, table.choosers()) == ("yield", {"rogue", "orc"})
    table.play(rogue="yield", orc="pass")
    assert (table.status("rogue"), table.status("orc")) == ("unconscious", "standing")


@pytest.mark.heading(ZERO, "Combat > Understanding Combat Flow")
def test_whoever_fights_on_falls_in_the_end() -> None:
    table = hit({"hp_now": 30}, heroes=["red"], rules={"fatigue_rounds": 3})
    table.play(rogue="pass")
    for round_number in 2, 3:
        assert (table.round, table.status("rogue")) == (round_number, "standing")
        table.finish_round()
    assert table.status("rogue") == "unconscious"  # at the end of the third round at zero
    assert table.ending == ("victory", ["blue"])


@pytest.mark.heading(ZERO)
def test_nobody_above_zero_tires() -> None:
    table = Table({"knight": {}, "rogue": {}}, rules={"fatigue_rounds": 1})
    table.finish_round()
    assert table.status("knight") == "standing"

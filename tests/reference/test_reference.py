"""The reference reading against the numbers of the rule texts themselves, with dice given by hand; then at random."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tests.reference.choices import STANCES
from tests.reference.default import default_action
from tests.reference.dice import (
    distribution,
    expected,
    expected_by_enumeration,
    kept_total,
    one_size_down,
    whole_handful,
)
from tests.reference.fight import Fight
from tests.reference.rolls import modifiers
from tests.reference.scenarios import random_scenario
from tests.reference.sheet import Settings


class Given:
    """Dice given by hand, as "d8=5 d6=3"; asks for any other die are a failure."""

    def __init__(self, text: str = "") -> None:
        self.left = [tuple(int(part) for part in word[1:].split("=")) for word in text.split()]

    def __call__(self, sides: int) -> int:
        assert self.left, f"one more die asked for, a d{sides}"
        die, result = self.left.pop(0)
        assert die == sides, f"d{die} was given for a d{sides}"
        return result

    def more(self, text: str) -> None:
        assert not self.left, f"not rolled: {self.left}"
        self.left = Given(text).left


def fighter(name: str, team: str, **others: Any) -> dict[str, Any]:
    plain = {"might": 6, "agility": 6, "cunning": 6, "presence": 4, "heart": 8, "hp": 40, "weapon": "unarmed"}
    return {"id": name, "team": team, **plain, **others}


def start(*fighters: dict[str, Any], dice: str = "", **others: Any) -> tuple[Fight, Given]:
    given = Given(dice)
    return Fight({"name": "test", "fighter": list(fighters), **others}, given), given


def play(fight: Fight, **actions: str) -> None:
    """Who is not named passes, takes, or chooses defensive."""
    chosen = {}
    for agent, names in fight.choices().items():
        fallback = "stance defensive" if "stance might" in names else "take" if "take" in names else "pass"
        chosen[agent] = actions.get(agent, fallback)
    fight.step(chosen)


def to_stances(fight: Fight, **stances: str) -> None:
    """Pass through the action phase, then choose stances."""
    while fight.window == "action":
        play(fight)
    assert fight.window == "stance"
    play(fight, **{agent: f"stance {stance}" for agent, stance in stances.items()})


def seen(fight: Fight, agent: str, key: str) -> Any:
    return fight.state()["fighters"][agent][key]


# --------------------------------------------------------------------------------------------------------- dice


def test_advantage_adds_the_smallest_die_and_drops_the_lowest():
    assert sorted(whole_handful([6, 8], 2)) == [6, 6, 6, 8]
    assert kept_total([3, 7, 5, 1], 2) == 12


def test_disadvantage_adds_the_largest_die_and_drops_the_highest():
    assert sorted(whole_handful([6, 8], -2)) == [6, 8, 8, 8]
    assert kept_total([3, 7, 5, 1], -2) == 4


def test_a_distribution_is_whole_and_its_mean_is_the_expected_total():
    assert distribution([4, 6], 0)[2] == Fraction(1, 24)
    for dice in ((4,), (6, 8), (4, 4), (4, 12), (6, 8, 12), (20, 4)):
        for levels in range(-2, 3):
            assert sum(distribution(dice, levels).values()) == 1
            assert expected(dice, levels) == expected_by_enumeration(dice, levels)


def test_a_die_falls_one_size_and_stops_at_d4():
    assert [one_size_down(die) for die in (20, 12, 10, 8, 6, 4)] == [12, 10, 8, 6, 4, 4]


# ------------------------------------------------------------------------------------------------ the engagement

ATTACKABLE = {
    "cunning": {"agility", "defensive", "cunning"},
    "agility": {"might", "defensive", "agility"},
    "might": {"cunning", "defensive", "might"},
    "defensive": set(),
}


@pytest.mark.parametrize(("own", "other"), list(product(STANCES, STANCES)))
def test_the_stance_table(own: str, other: str):
    fight, _ = start(fighter("a", "red"), fighter("b", "blue"))
    to_stances(fight, a_0=own, b_0=other)
    can = fight.table.can_attack(fight.table["a_0"]) and fight.table.may_attack(fight.table["a_0"], fight.table["b_0"])
    assert can == (other in ATTACKABLE[own])
    beaten = {"cunning": "agility", "agility": "might", "might": "cunning"}.get(own) == other
    assert fight.table.beats(fight.table["a_0"], fight.table["b_0"]) == beaten
    if fight.window == "attack" and "attack 1" in fight.choices()["a_0"]:
        assert ("blind 1" in fight.choices()["a_0"]) == beaten
        assert ("attack 1 dazed+weakened" in fight.choices()["a_0"]) == (beaten and own == "cunning")


def test_cunning_resolves_before_agility_before_might():
    fight, _ = start(fighter("a", "red"), fighter("b", "blue"), fighter("c", "green"))
    to_stances(fight, a_0="might", b_0="agility", c_0="cunning")
    phases = []
    while fight.window == "attack":
        phases.append((fight.state()["phase"], [agent for agent, names in fight.choices().items() if len(names) > 1]))
        play(fight)
    assert phases == [("cunning", ["c_0"]), ("agility", ["b_0"]), ("might", ["a_0"])]


def test_damage_is_attack_less_defence_and_the_damage_type_adds_a_weapon_die():
    knight = fighter("knight", "red", weapon="longsword")
    fight, given = start(knight, fighter("orc", "blue", armor="medium", shield="heavy_shield"))
    to_stances(fight, knight_0="agility", orc_0="might")
    given.more("d8=5 d6=3 d12=7 d12=9  d8=2 d6=4")
    play(fight, knight_0="attack 1")
    assert fight.window == "shrug"
    assert seen(fight, "orc_0", "hits") == [24 - (6 + 4 + 2)]
    play(fight, orc_0="shrug")
    assert (seen(fight, "orc_0", "hp"), seen(fight, "orc_0", "heart")) == (34, 6)


def test_the_defensive_stance_halves_what_gets_through_rounding_up():
    fight, given = start(fighter("a", "red"), fighter("b", "blue"))
    to_stances(fight, a_0="might", b_0="defensive")
    given.more("d8=8 d6=6 d4=4 d4=1  d8=4 d6=6")
    play(fight, a_0="attack 1")
    assert seen(fight, "b_0", "hits") == [5]


def test_same_stance_is_one_contest_of_those_who_chose_each_other():
    fight, given = start(fighter("a", "red"), fighter("b", "blue", agility=8, armor="heavy"))
    to_stances(fight, a_0="agility", b_0="agility")
    given.more("d8=8 d8=2 d4=4  d8=1 d6=1 d4=1")  # b has the larger agility die and rolls first
    play(fight, a_0="attack 1", b_0="attack 1")
    assert seen(fight, "a_0", "hits") == [11]
    assert seen(fight, "b_0", "hits") == []


def test_same_stance_without_an_answer():
    def damage_to(**rules: Any) -> tuple[list[int], list[int]]:
        fight, given = start(fighter("a", "red"), fighter("b", "blue", armor="light"), rules=rules)
        to_stances(fight, a_0="agility", b_0="agility")
        contest = rules.get("contested") != "mutual"
        given.more("d8=2 d6=2 d4=2  d8=6 d6=6" + (" d4=4" if contest else ""))
        play(fight, a_0="attack 1")
        return seen(fight, "a_0", "hits"), seen(fight, "b_0", "hits")

    assert damage_to() == ([10], [])  # it could have attacked back
    assert damage_to(contested="mutual") == ([], [])
    assert damage_to(armor_in_contest=True) == ([10], [])  # the loser wears nothing


def test_all_killed_in_one_phase_complete_their_attacks():
    three = [fighter(name, name, hp=8, heart=4) for name in "abc"]
    fight, given = start(*three, rules={"contested": "mutual"})
    to_stances(fight, a_0="might", b_0="might", c_0="might")
    given.more(" ".join(["d4=4 d6=6 d4=4 d4=4  d4=1 d6=1"] * 3))
    play(fight, a_0="attack 1", b_0="attack 2", c_0="attack 1")  # a strikes b, b strikes c, c strikes a
    assert [seen(fight, agent, "status") for agent in ("a_0", "b_0", "c_0")] == ["dead"] * 3
    assert (fight.state()["cause"], fight.state()["winners"]) == ("draw", [])


def test_the_cunning_effect_needs_no_damage_and_counts_in_later_phases():
    fight, given = start(fighter("a", "red"), fighter("b", "blue"))
    to_stances(fight, a_0="cunning", b_0="agility")
    given.more("d8=1 d6=1 d4=1  d8=8 d6=6")
    play(fight, a_0="attack 1 off_balanced+weakened")
    assert fight.state()["round"] == 2
    assert seen(fight, "b_0", "conditions") == {}  # one level each, gone at the round start
    to_stances(fight, a_0="cunning", b_0="agility")
    given.more("d8=1 d6=1 d4=1  d8=8 d6=6")
    play(fight, a_0="attack 1 off_balanced+off_balanced")
    assert seen(fight, "b_0", "conditions") == {"off_balanced": 1}


def test_the_might_bonus_of_bows_and_whips():
    for weapon, dice in (("shortbow", "d8=8 d6=6 d8=8  d8=1 d6=1"), ("whip", "d8=8 d6=6 d4=4 d4=4  d8=1 d6=1")):
        wearer = fighter("b", "blue", armor="heavy", shield="light_shield")
        fight, given = start(fighter("a", "red", weapon=weapon), wearer)
        to_stances(fight, a_0="might", b_0="cunning")
        given.more(dice)
        play(fight, a_0="attack 1")
        assert seen(fight, "b_0", "hits") == [22 - 2 - 1 if weapon == "shortbow" else 22 - 2 - 7]


def test_the_follow_up_throw():
    thrower = fighter("a", "red", weapon="throwing_knives", thrown=2)
    fight, given = start(thrower, fighter("b", "blue"), fighter("c", "blue"))
    to_stances(fight, a_0="might", b_0="cunning", c_0="defensive")
    given.more("d8=8 d6=6 d4=4  d8=1 d6=1")
    play(fight, a_0="attack 1")
    assert fight.window == "follow_up"
    assert fight.choices() == {"a_0": ["pass", "attack 2"], "b_0": ["pass"], "c_0": ["pass"]}
    given.more("d8=8 d6=6 d4=3  d8=1 d6=1")
    play(fight, a_0="attack 2")
    assert (seen(fight, "b_0", "hits"), seen(fight, "c_0", "hits")) == ([16], [8])


# ------------------------------------------------------------------------------------------------ taking damage


def test_the_shrug_of_the_rulebook():
    """25 hit points, heart d6, 30 damage: shrugging makes it 15, heart d4, 10 left, a rank 15 wound."""
    monster = {**fighter("a", "red"), "attack_bonus": 27}
    del monster["weapon"]
    fight, given = start(monster, fighter("b", "blue", hp=40, hp_now=25, heart=6))
    to_stances(fight, a_0="agility", b_0="might")
    given.more("d8=2 d6=3  d6=1 d6=1")
    play(fight, a_0="attack 1")
    assert seen(fight, "b_0", "hits") == [30]
    play(fight, b_0="shrug")
    got = {key: seen(fight, "b_0", key) for key in ("hp", "heart", "wounds", "status")}
    assert got == {"hp": 10, "heart": 4, "wounds": 15, "status": "standing"}


def test_no_shrug_at_d4():
    fight, given = start(fighter("a", "red"), fighter("b", "blue", heart=4))
    to_stances(fight, a_0="agility", b_0="might")
    given.more("d8=8 d6=6 d4=4  d4=1 d6=1")
    play(fight, a_0="attack 1")
    assert (fight.window, seen(fight, "b_0", "hp"), seen(fight, "b_0", "wounds")) == ("stance", 24, 16)


def test_hits_come_one_at_a_time_in_the_strikers_timing_order():
    fight, given = start(fighter("a", "red"), fighter("b", "red", agility=12), fighter("c", "blue", heart=6))
    to_stances(fight, a_0="agility", b_0="agility", c_0="might")
    given.more("d8=8 d12=12 d4=4  d6=1 d6=1  d8=3 d6=3 d4=1  d6=1 d6=1")  # c defends with d6 both times
    play(fight, a_0="attack 1", b_0="attack 1")
    assert seen(fight, "c_0", "hits") == [22, 5]
    play(fight, c_0="shrug")
    assert (fight.window, seen(fight, "c_0", "hp"), seen(fight, "c_0", "heart")) == ("action", 40 - 11 - 5, 4)


def test_wounds_of_23_ranks_leave_17():
    wounded = fighter("b", "blue", hp=40, hp_now=17, wounds=[12, 11], heart=4)
    for rules, status in (({}, "standing"), ({"death_at": "reduced_maximum"}, "dead")):
        monster = {**fighter("a", "red"), "attack_bonus": 30}
        del monster["weapon"]
        fight, given = start(monster, wounded, rules=rules, heroes="blue")
        assert 40 - seen(fight, "b_0", "wounds") == 17
        to_stances(fight, a_0="agility", b_0="might")
        given.more("d8=3 d6=3  d4=1 d6=1")
        play(fight, a_0="attack 1")
        assert (seen(fight, "b_0", "hp"), seen(fight, "b_0", "status")) == (-17, status)


def test_zero_hit_points():
    def after(**scenario: Any) -> Fight:
        victim = fighter("b", "blue", hp=10, heart=4)
        fight, given = start(fighter("a", "red"), victim, fighter("c", "blue"), **scenario)
        to_stances(fight, a_0="agility", b_0="might", c_0="might")
        given.more("d8=5 d6=5 d4=2  d4=1 d6=1")
        play(fight, a_0="attack 1")
        assert seen(fight, "b_0", "hp") == 0
        return fight

    assert seen(after(), "b_0", "status") == "defeated"
    assert seen(after(heroes="blue", victory="first_down"), "b_0", "status") == "defeated"
    assert seen(after(heroes="blue", rules={"zero_hp": "all_out"}), "b_0", "status") == "unconscious"
    fight = after(heroes="blue")
    assert (fight.window, fight.choices()["b_0"]) == ("yield", ["yield", "pass"])
    play(fight, b_0="pass")
    while fight.window != "action":
        play(fight)
    assert "yield" in fight.choices()["b_0"]
    play(fight, b_0="yield")
    assert seen(fight, "b_0", "status") == "unconscious"
    assert "opportunity 1 might" in fight.choices()["a_0"]


def test_the_round_cap_and_draws():
    fight, _ = start(fighter("a", "red"), fighter("b", "blue", hp=39), max_rounds=1, round_cap="hp")
    to_stances(fight)
    assert (fight.window, fight.state()["cause"], fight.state()["winners"]) == ("over", "round_cap", ["red"])
    fight, _ = start(fighter("a", "red"), fighter("b", "blue"), max_rounds=1, round_cap="hp")
    to_stances(fight)
    assert (fight.state()["cause"], fight.state()["winners"]) == ("round_cap", [])
    burning = {"hp": 1, "heart": 4, "conditions": {"burning": 1}}
    fight, _ = start(fighter("a", "red", **burning), fighter("b", "blue", **burning), dice="d6=1 d6=1")
    to_stances(fight)
    assert (fight.state()["cause"], fight.state()["winners"]) == ("draw", [])


# --------------------------------------------------------------------------------------------------- maneuvers


def test_the_grapple_of_the_rulebook():
    """You: cunning, helped, 16 by might. The wolf: agility, 12. It is grappled, stuck in your iron grip."""
    you, cleric = fighter("you", "red", might=8), fighter("cleric", "red")
    wolf = fighter("wolf", "blue", might=4, agility=8, weapon="teeth")
    fight, given = start(you, cleric, wolf)
    play(fight, cleric_0="help 1")
    to_stances(fight, you_0="cunning", wolf_0="agility")
    given.more("d8=7 d8=5  d8=8 d8=8 d8=1")  # the wolf is the quicker; its agility is the better die
    play(fight, you_0="grapple 1")
    assert fight.window == "attack"
    assert (seen(fight, "you_0", "grappling"), seen(fight, "wolf_0", "conditions")) == ("wolf_0", {"grappled": 1})


def test_one_free_hand_halves_the_grapple():
    held = fighter("b", "blue")
    for weapon, shield, choice, holds in (("dagger", "none", True, None), ("dagger", "light_shield", False, None)):
        fight, given = start(fighter("a", "red", weapon=weapon, shield=shield), held)
        to_stances(fight, a_0="cunning", b_0="agility")
        assert ("grapple 1" in fight.choices()["a_0"]) == choice
        if choice:
            given.more("d8=8 d6=5  d8=6 d6=1")
            play(fight, a_0="grapple 1")
            assert seen(fight, "a_0", "grappling") == holds  # 7 against 7 is a tie


def test_the_larger_has_advantage_in_a_grapple_and_can_be_climbed():
    fight, given = start(fighter("a", "red"), fighter("b", "blue", size="L2"))
    to_stances(fight, a_0="cunning", b_0="agility")
    assert {"grapple 1", "climb_on 1"} <= set(fight.choices()["a_0"])
    assert "trip 1" not in fight.choices()["a_0"]
    given.more("d8=8 d6=1  d8=2 d6=2 d6=6 d6=6")
    play(fight, a_0="grapple 1")
    assert seen(fight, "a_0", "grappling") is None
    fight, given = start(fighter("a", "red"), fighter("b", "blue", size="L2"))
    to_stances(fight, a_0="cunning", b_0="agility")
    given.more("d8=5 d6=2  d8=5 d6=1")
    play(fight, a_0="climb_on 1")
    assert (seen(fight, "a_0", "climbing"), seen(fight, "b_0", "conditions")) == ("b_0", {"climbed_on": 1})
    a, b = fight.table["a_0"], fight.table["b_0"]
    assert sum(modifiers(fight.table, a, "attack", "might", b).values()) == 3
    assert sum(modifiers(fight.table, b, "attack", "might", a).values()) == -3


def test_hinder():
    fight, given = start(fighter("a", "red"), fighter("b", "blue"))
    to_stances(fight, a_0="cunning", b_0="agility")
    given.more("d4=3")
    play(fight, a_0="dirty_strike 1 weakened")
    assert seen(fight, "b_0", "hits") == [3]
    play(fight)
    assert (seen(fight, "b_0", "hp"), seen(fight, "b_0", "conditions")) == (37, {"weakened": 1})  # faded once
    to_stances(fight, a_0="might", b_0="cunning")
    play(fight, a_0="blind 1")
    assert seen(fight, "b_0", "conditions") == {"blinded": 1}  # fresh, so it is still there
    to_stances(fight, a_0="agility", b_0="might")
    play(fight, a_0="trip 1")
    assert seen(fight, "b_0", "conditions") == {"prone": 1}


def test_disarmed_one_strikes_with_bare_hands_until_it_picks_up():
    fight, given = start(fighter("a", "red", might=12), fighter("b", "blue", weapon="longsword"))
    to_stances(fight, a_0="cunning", b_0="agility")
    given.more("d8=8 d12=12  d8=1 d6=1")
    play(fight, a_0="disarm 1")
    assert (fight.window, seen(fight, "b_0", "armed")) == ("action", False)
    assert fight.table["b_0"].weapon_in_hand.die == 4
    play(fight, b_0="pick_up")
    assert seen(fight, "b_0", "armed") and seen(fight, "b_0", "action") and not seen(fight, "b_0", "interaction")


def test_taunt_replaces_older_rage():
    angry = fighter("b", "blue", conditions={"enraged": {"levels": 3, "source": "c_0"}})
    fight, given = start(fighter("a", "red"), angry, fighter("c", "red"))
    to_stances(fight, a_0="cunning", b_0="agility")
    given.more("d8=8 d4=4  d8=1 d6=1 d8=1 d8=1 d8=1")
    play(fight, a_0="taunt 1")
    assert (seen(fight, "b_0", "conditions"), seen(fight, "b_0", "sources")) == ({"enraged": 1}, {"enraged": "a_0"})


# ------------------------------------------------------------------------------------------------ action phase


def test_equals_roll_for_timing_and_who_is_too_late_fizzles():
    friends = [fighter("a", "red"), fighter("b", "red"), fighter("c", "red", conditions={"burning": 1})]
    fight, given = start(*friends, fighter("d", "blue"))
    given.more("d8=1 d6=1  d8=3 d6=1  d8=2 d6=2")  # a is last; b and c are equal at 4
    given.left += Given("d8=1 d6=1  d8=5 d6=5").left  # and roll again: c before b
    play(fight, a_0="douse 2", b_0="douse 2", c_0="put_out_fire")
    assert [seen(fight, agent, "action") for agent in ("a_0", "b_0", "c_0")] == [True, True, False]
    assert seen(fight, "c_0", "conditions") == {}


def test_half_the_levels_of_a_fire_go_out_rounded_up_and_the_rest_burns():
    fight, given = start(fighter("a", "red", conditions={"burning": 5}), fighter("b", "blue"))
    play(fight, a_0="put_out_fire")
    assert seen(fight, "a_0", "conditions") == {"burning": 2}
    given.more("d6=6 d6=5")
    to_stances(fight)
    assert seen(fight, "a_0", "hits") == [11]
    play(fight)
    assert (seen(fight, "a_0", "hp"), seen(fight, "a_0", "wounds")) == (29, 11)
    assert seen(fight, "a_0", "conditions") == {"burning": 1}


def test_surprise():
    fight, given = start(fighter("a", "red"), fighter("b", "blue", surprised=True))
    assert fight.choices()["b_0"] == ["pass"]
    given.more("d8=8 d6=6 d4=4 d4=4  d8=1 d6=1")
    play(fight, a_0="opportunity 1 might")
    play(fight)
    assert seen(fight, "b_0", "hp") == 20
    assert not seen(fight, "a_0", "action")
    to_stances(fight, a_0="cunning")
    assert (seen(fight, "b_0", "stance"), fight.choices()["a_0"]) == (None, ["pass", "attack 1"])
    play(fight)
    assert fight.state()["round"] == 2
    assert len(fight.choices()["b_0"]) == 4 and seen(fight, "b_0", "conditions") == {}


def test_rising_with_half_a_dash_is_an_opening():
    bow = fighter("d", "blue", weapon="shortbow")
    fight, given = start(fighter("a", "red", conditions={"prone": 1}), fighter("b", "blue"), fighter("c", "blue"), bow)
    assert {"rise", "stand"} <= set(fight.choices()["a_0"])
    play(fight, a_0="stand")
    assert fight.window == "opportunity"
    assert [len(names) for names in fight.choices().values()] == [1, 7, 7, 1]  # by the action or a rush point
    given.more("d8=1 d6=1  d8=1 d6=2")  # b and c go for the same: c is quicker
    given.left += Given("d8=8 d6=6 d4=4 d4=4  d8=1 d6=1 d8=1  d8=1 d6=1 d4=1  d8=4 d6=4 d8=4").left
    play(fight, b_0="opportunity 1 agility", c_0="opportunity 1 might")
    assert seen(fight, "a_0", "hits") == [20]
    play(fight)
    assert (seen(fight, "a_0", "hp"), seen(fight, "a_0", "conditions"), seen(fight, "a_0", "dash")) == (20, {}, False)
    assert [seen(fight, agent, "action") for agent in ("a_0", "b_0", "c_0", "d_0")] == [True, False, False, True]


def test_breaking_free_ignores_the_grapples_own_restraint():
    held = fighter("b", "blue", conditions={"grappled": {"source": "a_0"}, "prone": 1})
    fight, given = start(fighter("a", "red"), held)
    assert {"rise", "stand"}.isdisjoint(fight.choices()["b_0"])
    assert fight.table.restrained(fight.table["b_0"]) == 1
    given.more("d8=4 d6=4  d8=3 d6=4 d8=8")  # the grappler has disadvantage
    play(fight, b_0="break_free")
    assert seen(fight, "a_0", "grappling") is None


def test_a_net_can_be_cut_torn_and_wriggled_out_of():
    netted = fighter("b", "blue", weapon="shortsword", conditions={"entangled": {"source": "a_0"}})
    for name, dice, free in (
        ("cut_free", "d8=3 d6=3 d8=2 d8=2 d8=8", True),
        ("tear_free", "d8=4 d6=5 d8=8", False),
        ("tear_free", "d8=5 d6=5 d8=8", True),
        ("wriggle_free", "d8=3 d6=3 d8=8", True),
    ):
        fight, given = start(fighter("a", "red"), netted)
        given.more(dice)
        play(fight, b_0=name)
        assert (seen(fight, "b_0", "conditions") == {}) == free


def test_a_climber_saves_against_the_damage_it_takes():
    rider = fighter("b", "blue", agility=4, conditions={"creature_climber": {"source": "a_0"}})
    fight, given = start(fighter("a", "red", size="L3"), rider)
    to_stances(fight, a_0="agility", b_0="might")
    given.more("d8=8 d6=6 d4=4 d8=4 d8=3 d8=2  d8=1 d4=1")
    play(fight, a_0="attack 1")
    assert seen(fight, "b_0", "hits") == [4 + 3 + 2 - 2]
    given.more("d8=3 d6=3")
    play(fight)
    assert seen(fight, "b_0", "climbing") is None


def test_a_shrug_does_not_shrink_the_dice_of_its_phase():
    """R-13, and a climber's save belongs to the phase."""
    rider = fighter("b", "blue", conditions={"creature_climber": {"source": "a_0"}})
    fight, given = start(fighter("a", "red", size="L3"), rider)
    to_stances(fight, a_0="agility", b_0="might")
    given.more("d8=8 d6=6 d4=4 d8=4 d8=3 d8=2  d8=1 d6=1")
    play(fight, a_0="attack 1")
    given.more("d8=3 d6=1")
    play(fight, b_0="shrug")
    assert (seen(fight, "b_0", "climbing"), seen(fight, "b_0", "heart")) == ("a_0", 6)


def test_suffocating_confused_and_helped():
    a = fighter("a", "red", conditions={"suffocating": 1, "confused": 2, "prone": 1})
    fight, given = start(a, fighter("b", "red"), fighter("c", "blue", weapon="shortbow"))
    given.more("d6=4")
    play(fight, a_0="stand")
    play(fight, a_0="take")
    assert seen(fight, "a_0", "hp") == 36
    assert fight.choices()["a_0"] == ["pass"]  # it has moved
    play(fight, b_0="help 1")
    assert "help 1" in fight.choices()["a_0"]  # help ends confusion
    assert seen(fight, "a_0", "helped") == 1
    given.more("d6=1")
    to_stances(fight)
    play(fight)
    assert seen(fight, "a_0", "helped") == 0


def test_what_an_attack_ends():
    a = fighter("a", "red", conditions={"hidden": 1, "enraged": {"levels": 1, "source": "b_0"}})
    b = fighter("b", "blue", heart=4, conditions={"charmed": {"levels": 2, "source": "a_0"}})
    fight, given = start(a, b)
    to_stances(fight, a_0="agility", b_0="agility")
    assert fight.choices()["b_0"] == ["pass"]
    given.more("d8=8 d6=6 d4=4  d4=1 d6=1" + " d6=6" * 5)  # so no contest; b does not see a
    play(fight, a_0="attack 1")
    assert (seen(fight, "a_0", "conditions"), seen(fight, "b_0", "conditions")) == ({}, {})


# ------------------------------------------------------------------------------------- settings and the defaults


def test_editions_profiles_and_named_keys():
    december = Settings.read({"edition": "december2025", "contested": "if_able"})
    assert december.attack_costs_action and december.contested == "if_able" and not december.cunning_split
    plain = Settings.read({"profile": "plain", "maneuvers": True})
    assert not (plain.levels or plain.maneuvers or plain.conditions or plain.wounds)
    assert Settings.read({"profile": "levels"}, {"profile": "full"}).wounds
    with pytest.raises(ValueError, match="unknown setting"):
        Settings.read({"edtion": "june2025"})


def test_an_attack_may_cost_the_action():
    fighters = [fighter("a", "red"), fighter("b", "blue"), fighter("c", "red")]
    fight, given = start(*fighters, rules={"edition": "december2025"})
    play(fight, a_0="help 1")
    to_stances(fight, a_0="cunning", b_0="agility", c_0="cunning")
    assert fight.choices()["a_0"] == ["pass"]
    assert "attack 1 dazed+dazed" in fight.choices()["c_0"]
    assert "attack 1 dazed+weakened" not in fight.choices()["c_0"]
    given.more("d8=2 d6=2 d4=2 d4=4  d8=1 d6=1")  # helped: one more d4, the lowest dropped
    play(fight, c_0="attack 1")
    assert seen(fight, "b_0", "hits") == [6]
    assert not seen(fight, "c_0", "action")


def test_talk_is_for_those_who_can():
    others = {"conditions": {"mute": 1}}
    fight, _ = start(fighter("a", "red"), fighter("b", "blue", **others), rules={"talk": "open"})
    while fight.window == "action":
        play(fight)
    assert fight.window == "talk"
    assert (len(fight.choices()["a_0"]), fight.choices()["b_0"]) == (5, ["pass"])


def test_the_default_goes_for_the_weakest_and_its_largest_die():
    strong, weak = fighter("b", "blue", hp=40), fighter("c", "blue", hp=7, agility=10, cunning=10)
    fight, given = start(fighter("a", "red", agility=12), strong, weak)
    assert fight.window == "action"
    assert {default_action(fight, agent) for agent in fight.choices()} == {"pass"}
    to_stances(fight, a_0="cunning", b_0="agility", c_0="agility")
    assert default_action(fight, "a_0") == "attack 2 off_balanced+off_balanced"
    given.more("d8=8 d6=6 d4=1  d8=4 d10=3")
    play(fight, a_0="attack 2 dazed")
    assert default_action(fight, "c_0") == "shrug"
    assert default_action(fight, "b_0") == "pass"


def test_an_action_that_is_not_open_is_an_error():
    fight, _ = start(fighter("a", "red"), fighter("b", "blue"))
    with pytest.raises(ValueError, match="may not"):
        fight.step({"a_0": "attack 1", "b_0": "stance might"})


# ---------------------------------------------------------------------------------------------------- at random

WINDOWS = {"talk", "action", "opportunity", "stance", "attack", "step", "follow_up", "shrug", "yield"}
PLAIN_KINDS = """
pass shrug take yield pick_up rise stand break_free wriggle_free tear_free cut_free shake_off put_out_fire let_go
hop_off help douse cut_loose attack grapple climb_on blind trip shove disarm taunt swing_past
"""
EVERY_KIND = {
    *(f"{verb} {stance}" for verb in ("stance", "say") for stance in STANCES),
    *PLAIN_KINDS.split(),
    *(f"overcome {condition}" for condition in ("frightened", "enraged", "aggravated")),
    *(f"opportunity {stance}" for stance in ("might", "agility", "cunning")),
    *(f"opportunity {stance} rush" for stance in ("might", "agility", "cunning")),
    "rise rush",
    *(f"dirty_strike {condition}" for condition in ("dazed", "off_balanced", "weakened")),
    *(f"attack {levels}" for levels in ("dazed", "off_balanced", "weakened")),
    *(f"attack dazed+{other}" for other in ("dazed", "off_balanced", "weakened")),
    *("attack off_balanced+off_balanced", "attack off_balanced+weakened", "attack weakened+weakened"),
}


def random_action(rng: random.Random, fight: Fight, agent: str) -> str:
    """Any action, but often a plain attack and seldom a pass."""
    names = fight.choices()[agent]
    if rng.random() < 0.2:
        return default_action(fight, agent)
    attacks = [name for name in names if name.startswith("attack") and len(name.split()) == 2]
    if attacks and rng.random() < 0.5:
        return rng.choice(attacks)
    return rng.choice(names)


def check_sense(fight: Fight) -> None:
    """What must hold in every window of every fight."""
    state = fight.state()
    assert fight.window == "over" or any(len(names) > 1 for names in fight.choices().values())
    for agent, one in state["fighters"].items():
        names = fight.choices()[agent]
        assert len(names) == len(set(names)) >= 1
        assert one["status"] == "standing" or names == ["pass"]
        assert all(1 <= levels <= 5 for levels in one["conditions"].values())
        assert set(one["sources"]) <= set(one["conditions"])
        assert one["heart"] in (4, 6, 8, 10, 12, 20)
    holders = [one["grappling"] for one in state["fighters"].values() if one["grappling"]]
    assert len(holders) == len(set(holders))


def test_random_fights_come_to_an_end_and_meet_everything():
    windows: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    for seed in range(600):
        rng = random.Random(seed)
        fight = Fight(random_scenario(rng), lambda sides, rng=rng: rng.randint(1, sides))
        while fight.window != "over":
            check_sense(fight)
            windows[fight.window] += 1
            actions = {agent: random_action(rng, fight, agent) for agent in fight.choices()}
            for agent, name in actions.items():
                if len(fight.choices()[agent]) > 1:
                    kinds[" ".join(word for word in name.split() if not word.isdigit())] += 1
            fight.step(actions)
        check_sense(fight)
        causes[fight.state()["cause"]] += 1
    assert set(windows) == WINDOWS
    assert set(kinds) == EVERY_KIND
    assert {"victory", "round_cap"} <= set(causes) <= {"victory", "round_cap", "draw"}  # draws are rare


def test_the_same_dice_and_actions_make_the_same_fight():
    def tale(seed: int) -> list[Any]:
        rng = random.Random(seed)
        fight = Fight(random_scenario(rng), lambda sides: rng.randint(1, sides))
        states = [fight.state()]
        while fight.window != "over":
            fight.step({agent: rng.choice(names) for agent, names in fight.choices().items()})
            states.append(fight.state())
        return states

    assert all(tale(seed) == tale(seed) for seed in range(20))

"""The reference against the numbers in the text of the rules, with dice given by hand."""

from __future__ import annotations

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
from tests.reference.settings import Settings


class Given:
    """Dice given by hand, as "d8=5 d6=3"; a request for any other die fails."""

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
    """Answer the window; agents without an action here pass, take, or choose defensive."""
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


def test_a_stat_block_with_a_whip_has_no_weapon_die_to_add():
    lash = fighter("a", "red", weapon={"size": "none", "attack_type": "whip"}, attack_bonus=5)
    fight, _ = start(lash, fighter("b", "blue"), dice="d8=5 d6=3  d8=2 d6=1")
    to_stances(fight, a_0="might", b_0="cunning")
    play(fight, a_0="attack 1")
    assert seen(fight, "b_0", "hits") == [10]


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
    """With 25 hit points and heart d6, a shrug of 30 damage leaves 10, heart d4 and a rank 15 wound."""
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

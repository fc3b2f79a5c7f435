"""Baited Attack: an attack that does no damage hits a fighter behind its target."""

import pytest

from heartrush_env.games.heart_rush.rules.terms import STANDING, UNCONSCIOUS
from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Baited Attack")
OWNER = {"talents": ["baited_attack"], "rush": 1}
MISS = [(1, 1, 1), (2, 2)]


def attacked(dice: Dice, drawing: str = "KRF", stance: str = "defensive", **changed: Fields) -> Table:
    """Let the knight attack the rogue, the owner, in might, up to the first window after the rolls."""
    fighters: dict[str, Fields] = {"knight": {}, "rogue": OWNER, "fox": {"team": "blue"}}
    fighters = {name: {**fighters.get(name, {}), **changed.get(name, {})} for name in [*fighters, *changed]}
    table = on_map(drawing, fighters, dice).engage(knight="might", rogue=stance, fox="defensive")
    table.pass_to("attack", "might").play(knight="attack 1", **{"rogue": "attack 1"} if stance == "might" else {})
    return table


def test_the_whole_attack_roll_hits_an_enemy_behind() -> None:
    table = attacked(MISS)
    assert [choice for choice in table.legal("rogue") if choice != "pass"] == ["use_at 2 a"]
    table.play(rogue="use_at 2 a")
    assert table.last("rush") == {"type": "rush", "fighter": "rogue", "left": 0}
    table.pass_to("shrug")
    assert table.choosers() == {"fox"}
    table.finish_round()
    assert (table.hp("rogue"), table.hp("fox")) == (40, 37)
    assert (table.conditions("knight"), table.conditions("fox")) == ({}, {})


def test_of_destiny_both_are_enraged_once_the_rage_of_the_attack_is_vented() -> None:
    table = attacked(MISS, rogue={"talents": [], "destiny_talents": ["baited_attack"]})
    table.play(rogue="use_at 2 a").finish_round()
    assert table.history("knight", "enraged")[0] == table.history("fox", "enraged")[0] == 2


def test_rage_does_not_wait_for_an_owner_that_is_out() -> None:
    table = attacked(MISS * 2, "KRF..E", rogue={"talents": [], "destiny_talents": ["baited_attack"]}, elf={})
    table.play(rogue="use_at 2 a")
    owner = table._fights._fights[0].fighters[1]
    owner.status = UNCONSCIOUS
    table.finish_round()
    owner.status = STANDING  # as if somebody had woken it
    table.engage(knight="might: attack 1", rogue="defensive", fox="defensive", elf="defensive").finish_round()
    assert [event["target"] for event in table.events_of("attack")] == ["rogue", "rogue"]
    assert table.events_of("condition") == []


def test_an_attack_that_does_damage_is_no_bait() -> None:
    assert (attacked([(3, 1, 1), (2, 2)]).window, attacked([(2, 1, 1), (2, 2)]).window) == ("shrug", "instant")


@pytest.mark.parametrize(
    ("drawing", "behind"),
    [
        ("KR.\n..F", True),
        ("KR\n.F", False),
        ("FKR", False),
        ("KR.F", False),
        ("K.F\n.R.", False),
        ("K..\n.R.\n..F", True),
    ],
)
def test_who_is_behind(drawing: str, behind: bool) -> None:
    assert (attacked(MISS, drawing).window == "instant") == behind


@pytest.mark.parametrize("quick", ["knight", "rogue"])
def test_in_a_contest_of_two_attacks_the_loser_may_be_baited(quick: str) -> None:
    rolls = [(2, 2, 2), (3, 3, 3)] if quick == "knight" else [(3, 3, 3), (2, 2, 2)]
    table = attacked(rolls, stance="might", **{quick: {"agility": 8}})
    table.play(rogue="use_at 2 a").finish_round()
    assert (table.hp("knight"), table.hp("rogue"), table.hp("fox")) == (37, 40, 34)


def test_an_attack_that_does_damage_after_all_hits_the_owner() -> None:
    brutal = {"talents": ["brutal_criticals"], "rush": 1}
    table = attacked([(8, 6, 1), (10, 6)], knight=brutal, rogue={"heart": 10})
    table.play()  # the knight's roll is seen first
    table.play(knight="use a", rogue="use_at 2 a").finish_round()
    assert (table.hp("rogue"), table.hp("fox")) == (33, 40)  # 8 and 6 twice make 29, against 16: half of 13


def test_attacks_on_others_are_no_bait() -> None:
    table = on_map("KRF\nM..", {"knight": {}, "rogue": OWNER, "fox": {"team": "blue"}, "monk": {}}, MISS)
    table.engage(knight="might: attack 2", rogue="defensive", fox="defensive", monk="defensive").finish_round()
    assert table.events_of("use") == []


def test_armor_in_contests_counts() -> None:
    fighters = {"knight": {}, "rogue": {**OWNER, "armor": "heavy"}, "fox": {"team": "blue"}}
    for knight, window in ((3, "instant"), (4, "shrug")):  # 6 and 7 more than the rogue, whose armor takes 6
        table = on_map("KRF", fighters, [(knight, 4, 4), (1, 2, 2)], rules={"armor_in_contest": True})
        table.engage(knight="might: attack 1", rogue="might", fox="defensive")
        assert table.window == window


@pytest.mark.interplay("baited_attack", "ogre.thick_hide")
def test_what_protects_from_the_weapon_protects_the_victim() -> None:
    club = weapon(damage_type="bludgeoning")  # one more d8 in might
    table = attacked([(1, 1, 1, 4), (8, 6)], knight={"weapon": club}, fox={"abilities": ["ogre.thick_hide"]})
    table.play(rogue="use_at 2 a").finish_round()
    assert table.hp("fox") == 40 - 4  # half of 7

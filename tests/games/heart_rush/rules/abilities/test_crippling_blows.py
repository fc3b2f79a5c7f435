"""Crippling Blows: a hurt target is beaten down or knocked away."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Crippling Blows")
OWNER: Fields = {"abilities": ["crippling_blows"], "weapon": weapon("heavy"), "rush": 3}
HIT: Dice = [(5, 3, 1), (1, 1)]  # 9 against 2: 7 damage
GROUND = "......\n.KR...\n......"


def struck(ground: str | None = GROUND, dice: Dice = HIT, rogue: Fields | None = None, **knight: object) -> Table:
    """Return a table at which the owner's attack in cunning has just hurt the rogue."""
    fighters = {"knight": {**OWNER, **knight}, "rogue": rogue or {}}
    table = on_map(ground, fighters, dice) if ground else Table(fighters, dice)
    return table.engage(knight="cunning: attack 1", rogue="agility").play()


def test_it_is_asked_right_after_the_damage_and_costs_a_point() -> None:
    table = struck()
    assert (table.window, table.legal("knight"), table.hp("rogue")) == ("instant", ["pass", "use_at 1 a"], 33)
    table.play(knight="use_at 1 a")
    assert (table.window, table.legal("knight")) == ("instant", ["pick 0", "pick 1"])
    table.play(knight="pick 0")
    assert table.last("rush")["left"] == 2


def test_a_target_that_is_beaten_down_falls_and_does_not_sidestep_before_the_next_round() -> None:
    table = on_map("......\n.KRP..\n......", {"knight": OWNER, "rogue": {}, "page": {"team": "blue"}}, HIT)
    table.engage(knight="cunning: attack 1", rogue="agility", page="might").play(rogue="take")
    table.restore().play(knight="use_at 1 a").play(knight="pick 0")
    assert (table.window, table.phase, table.conditions("rogue")) == ("attack", "agility", {"prone": 1})
    assert not [name for name in table.legal("rogue") if name.startswith(("sidestep", "rise"))]
    table.finish_round()
    assert "sidestep n" in table.legal("rogue") and table.faults() == []


@pytest.mark.parametrize(("size", "left"), [("large", {"prone": 1}), ("l2", {"weakened": 2})])
def test_one_that_is_more_than_one_size_larger_is_weakened(size: str, left: dict[str, int]) -> None:
    table = struck(None, rogue={"size": size}).play(knight="use_at 1 a")  # without a map there is one option
    assert {
        name: table.history("rogue", name)[0] for name in ("prone", "weakened") if table.history("rogue", name)
    } == left


@pytest.mark.heading("Forced Movement")
def test_a_target_that_is_knocked_away_moves_10_feet_whatever_its_size() -> None:
    for ground, size in ((GROUND, "medium"), (GROUND, "small"), ("......\n.KRR..\n..RR..", "large")):
        table = struck(ground, rogue={"size": size}).play(knight="use_at 1 a").play(knight="pick 1")
        assert (at(table, "rogue"), table.conditions("rogue")) == ((4, 1), {})


def test_a_wall_in_the_way_costs_a_d6_for_each_square() -> None:
    table = struck("....\n.KR#\n....", [*HIT, 4, 5]).play(knight="use_at 1 a").play(knight="pick 1")
    assert (at(table, "rogue"), table.play(rogue="take").hp("rogue")) == ((2, 1), 33 - 9)


@pytest.mark.heading("Savage Attacker", "Weapons > Might Bonus > Melee")
def test_it_comes_after_the_push_of_the_attack_which_alone_is_followed() -> None:
    fighters = {"knight": {**OWNER, "talents": ["savage_attacker"]}, "rogue": {}}
    table = on_map("........\n.KR.....\n........", fighters, HIT)
    table.engage(knight="might: attack 1", rogue="cunning").play(rogue="take").play(knight="use_at 1 b")
    table.play(knight="pick 1").pass_to("follow").play(knight="follow")
    assert (at(table, "rogue"), at(table, "knight")) == ((6, 1), (3, 1))


@pytest.mark.parametrize(
    ("dice", "knight"),
    [
        (HIT, {"weapon": weapon("light")}),
        (HIT, {"weapon": weapon("heavy", "thrown")}),
        (HIT, {"rush": 0}),
        ([(1, 1, 1), (8, 6)], {}),
    ],
    ids=["light", "thrown", "poor", "no damage"],
)
def test_it_takes_a_heavy_melee_weapon_a_point_and_damage(dice: Dice, knight: Fields) -> None:
    assert struck(None, dice, **knight).window != "instant"


def test_to_answer_in_a_contest_is_no_attack_of_the_owner() -> None:
    table = Table({"rogue": {}, "knight": OWNER}, [(1, 1, 1), (8, 6, 12)])
    table.engage(rogue="cunning: attack 1", knight="cunning").play(rogue="take")
    assert table.window != "instant"


@pytest.mark.interplay("crippling_blows", "everywhere_at_once")
def test_an_answer_is_none_even_if_the_owner_attacks_the_same_creature_afterwards_without_damage() -> None:
    """The answer to the rogue does 23 damage, the attack on the fox and the further one on the rogue do none.

    In the next round, an attack on the rogue does 7.
    """
    owner = {**OWNER, "abilities": ["crippling_blows", "everywhere_at_once"]}
    dice: Dice = [(1, 1, 1), (8, 6, 12), (1, 1, 1), (8, 6), (1, 1, 1), (1, 1, 1), *HIT]
    table = Table({"rogue": {}, "knight": owner, "fox": {"team": "blue"}}, dice)
    table.engage(rogue="cunning: attack 1", knight="cunning: attack 2", fox="agility").play(knight="attack 1")
    assert table.rolls() == (3, 3)
    table.play(rogue="take")
    assert (table.hp("rogue"), table.window) == (40 - 23, "action")
    table.engage(rogue="agility", knight="cunning: attack 1", fox="might").play(rogue="take")
    assert (table.hp("rogue"), table.window) == (17 - 7, "instant")


@pytest.mark.heading("Opportunity Attacks")
def test_it_answers_the_damage_of_an_opportunity_attack_and_a_collision_lands_at_once() -> None:
    fighters = {"knight": OWNER, "rogue": {"conditions": {"prone": 1}}}
    table = on_map("....\n.KR#\n....", fighters, [(5, 3, 1), (1, 1, 1), 4, 5]).play(rogue="stand")
    table.play(knight="opportunity 1 cunning").play(rogue="take").play(knight="use_at 1 a").play(knight="pick 1")
    assert table.window == "shrug"
    table.play(rogue="take")
    assert (table.window, table.hp("rogue"), table.conditions("rogue")) == ("action", 33 - 9, {})


@pytest.mark.heading("Opportunity Attacks")
def test_knocking_away_ends_the_dash_of_a_creature_that_it_moves() -> None:
    table = on_map(
        "........\n........\n........\n........\nKR......", {"knight": OWNER, "rogue": {}}, [(5, 3), (1, 1, 1)]
    )
    table.play(rogue="dash 3,0").play(knight="opportunity 1 cunning").play(rogue="take")
    table.play(knight="use_at 1 a").play(knight="pick 1")
    assert (at(table, "rogue"), table.faults()) == ((3, 4), [])

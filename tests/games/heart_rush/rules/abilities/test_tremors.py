"""Tremors of the Skittering Horror's legs: ground that is difficult, and that throws down who moves or fights on it."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, strike

pytestmark = pytest.mark.heading("Tremors")
LEG: Fields = {"abilities": ["skittering_horror_leg.tremors"]}
FAILS, HOLDS = (8, 1), (8, 2)  # saves with a d8 and a d6: 9 and 10


def dashes(table: Table, name: str) -> set[str]:
    """Return the squares to which a fighter may dash in the first row."""
    return {word for word in table.legal(name) if word.startswith("dash") and word.endswith(",0")}


@pytest.mark.parametrize("team", ["red", "blue"])
def test_the_ground_within_10_feet_is_difficult_for_enemies(team: str) -> None:
    leg = {**LEG, "size": "L2"}
    table = on_map("LL.....K\nLL.....R", {"leg": leg, "knight": {"team": team, "speed": 20}, "rogue": {}})
    # Three squares of free ground to x = 4, then one that costs two; an ally reaches the leg's side.
    assert ("dash -3,0" in dashes(table, "knight"), "dash -4,0" in dashes(table, "knight")) == (True, team == "blue")


def test_a_walk_pays_for_it_too_and_a_fallen_leg_shakes_nothing() -> None:
    table = on_map("L....K", {"leg": LEG, "knight": {"speed": 15}}).play(knight="walk").play(knight="sidestep w")
    assert "sidestep w" not in table.legal("knight"), "the first two squares take one each, the third would take two"
    leg = {**LEG, "hp": 1, "conditions": {"burning": 1}}
    fighters = {"leg": leg, "knight": {"speed": 15}, "page": {"team": "blue"}}
    table = on_map("L....K\n......\n.....P", fighters, [6]).finish_round()
    assert (table.status("leg"), "dash -3,0" in dashes(table, "knight")) == ("dead", True)


@pytest.mark.parametrize(("save", "end", "prone"), [(FAILS, (4, 0), {"prone": 1}), (HOLDS, (3, 0), {})])
def test_a_dash_saves_once_at_its_first_step_there_and_a_fall_ends_it(
    save: Dice, end: tuple[int, int], prone: dict[str, int]
) -> None:
    fighters = {"leg": LEG, "knight": {}, "toe": {**LEG, "team": "blue"}}
    # The two legs shake one ground, at x = 4 and at x = 3; the knight comes near to the toe first.
    table = on_map("L.T...K", fighters, [save])
    table.play(knight="dash -3,0")
    assert (at(table, "knight"), table.conditions("knight")) == (end, prone)
    assert table.last("check")["ability"] == "agility" and table.restore().faults() == []


def test_each_dash_and_each_sidestep_saves_anew() -> None:
    table = on_map("L..K...", {"leg": LEG, "knight": {}}, [HOLDS, HOLDS, FAILS])
    table.play(knight="dash -1,0").play(knight="sidestep e")
    assert table.conditions("knight") == {}, "a step to three squares away ends beyond the tremors"
    table.finish_round().play(knight="dash -1,0").play(knight="sidestep w")
    assert (at(table, "knight"), table.conditions("knight")) == ((1, 0), {"prone": 1})


@pytest.mark.heading("Sinkhole")
def test_who_crawls_or_is_pulled_there_does_not_save() -> None:
    table = on_map("L..K...", {"leg": LEG, "knight": {"conditions": {"prone": 1}}}).play(knight="dash -1,0")
    assert at(table, "knight") == (2, 0)
    leg = {"abilities": [*LEG["abilities"], "skittering_horror_carapace.sinkhole"]}
    table = on_map("L..K...", {"leg": leg, "knight": {}}, [(1, 1)])
    assert (at(table, "knight"), table.conditions("knight")) == ((1, 0), {})


def test_a_fall_before_an_attack_roll_counts_for_it() -> None:
    # The save is 9: prone, so the attack has disadvantage, which takes the better of two of its largest die: 8 6 8 2.
    dice: Dice = [FAILS, (8, 6, 8, 2), (1, 1)]
    table = strike({}, LEG, dice=dice)
    assert (table.conditions("knight"), table.rolls()) == ({"prone": 1}, (16, 2))
    assert table.hp("rogue") == 40 - 14


def test_a_fall_before_a_defense_roll_counts_for_it_and_the_attack_roll_stays() -> None:
    # The attack is 22; the save is 9; the defense has disadvantage, 8 6 and 2 for the 8.
    table = strike(LEG, {}, dice=[(8, 6, 8), FAILS, (8, 6, 2)])
    assert (table.conditions("rogue"), table.rolls(), table.hp("rogue")) == ({"prone": 1}, (22, 8), 26)


def test_in_a_contest_both_save_and_who_holds_fights_on() -> None:
    fighters = {"leg": LEG, "rogue": LEG}
    dice: Dice = [HOLDS, (8, 6, 8), HOLDS, (1, 1, 1)]
    table = Table(fighters, [*dice]).engage(leg="might: attack 1", rogue="might")
    table.play(rogue="take")
    assert (table.hp("rogue"), table.conditions("rogue")) == (40 - 19, {})


def test_an_opportunity_attack_is_made_on_shaking_ground_too() -> None:
    # The knight falls before it strikes at the rogue, an ally of the leg: 8 6 8 with 1 for an 8, against 1 and 1.
    fighters: dict[str, Fields] = {"leg": LEG, "knight": {}, "rogue": {"team": "blue"}}
    table = on_map("L.KR..", fighters, [FAILS, (8, 6, 8, 1), (1, 1)]).play(rogue="dash 2,0")
    table.play(knight="opportunity 2 might").play(rogue="take")
    assert (table.conditions("knight"), table.hp("rogue")) == ({"prone": 1}, 40 - 13)


def test_who_has_saved_in_its_dash_saves_again_as_it_defends() -> None:
    # At its first step the knight holds itself. The second leaves the reach of the rogue: 12 against 1 and 2, prone.
    fighters: dict[str, Fields] = {"leg": LEG, "knight": {}, "rogue": {"team": "blue"}}
    dice: Dice = [HOLDS, (8, 1, 3), FAILS, (5, 2, 1)]
    table = on_map("R###\nK...\nL###", fighters, dice).play(knight="dash 2,0")
    table.play(rogue="opportunity 1 might").play(knight="take")
    assert (at(table, "knight"), table.conditions("knight"), table.hp("knight")) == ((1, 1), {"prone": 1}, 40 - 9)

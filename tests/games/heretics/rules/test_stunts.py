"""Stunts and conditions."""

import pytest

from tests.games.heretics.table import OPEN, Table, at

FIRST = 4
WRESTLER = {"id": "wrestler", "str": 2, "hp": 9, "at": [1, 1]}  # both hands are free


#
@pytest.mark.parametrize(("die", "falls"), [(10, True), (9, False)])
def test_a_trip_is_dex_against_dex(die: int, falls: bool) -> None:
    """A dex of 0 meets the archer's dex defense of 10."""
    table = Table(["sellsword"], ["archer"], dice=[FIRST, die]).play("trip 1")
    assert ("prone" in table.conditions("archer_0")) == falls


#
def test_the_prone_attack_and_are_shot_at_with_disadvantage_and_struck_with_advantage() -> None:
    prone = {"from": "archer", "held": "dagger", "conditions": ["prone"]}
    table = Table(["archer", "sellsword"], [prone], dice=[FIRST, 9, 2, 2, 8])
    table.play({"archer_0": "attack 1", "sellsword_0": "attack 1"}, "use dice")
    shot, blow = table.told("attack")
    assert (shot["hinders"], shot["helps"], shot["natural"]) == (["prone"], [], 2)
    assert (blow["hinders"], blow["helps"], blow["natural"]) == ([], ["prone"], 8)


#
def test_a_disarmed_weapon_lies_in_the_square_and_is_picked_up_against_1() -> None:
    """The archer drops its bow; a d20 of 2 picks it up for free, and the archer shoots at once."""
    table = Table([at("sellsword", 1, 1)], [at("archer", 2, 1)], field=OPEN, dice=[FIRST, 10, 2])
    table.play("stay", "disarm 1")
    assert table.held("archer_0") is None
    table.play("stay", "stay", "pick_up bow")
    assert table.held("archer_0") == "bow" and table.window == "again"


#
@pytest.mark.parametrize(("square", "may"), [(3, True), (4, False)])
def test_the_blind_attack_within_10_feet_alone(square: int, may: bool) -> None:
    blind = at("archer", 1, 1, conditions=["blind"])
    table = Table([blind], [at("archer", square, 1)], field=OPEN, dice=[FIRST]).play("stay")
    assert ("attack 1" in table.legal()) == may


#
def test_a_shove_pushes_one_square_straight_away_and_into_no_wall() -> None:
    """A str of 2 with a roll of 10 meets 12."""
    table = Table([at("sellsword", 1, 1)], [at("archer", 2, 2)], field=OPEN, dice=[FIRST, 10])
    assert table.play("stay", "shove 1").at("archer_0") == (3, 3)
    walled = Table([at("sellsword", 0, 0)], [at("archer", 1, 0)], field=["..#."], dice=[FIRST])
    assert "shove 1" not in walled.play("stay").legal()


#
def test_a_grappler_that_moves_lets_go() -> None:
    table = Table([WRESTLER], [at("archer", 2, 1)], field=OPEN, dice=[FIRST, 10])
    table.play("stay", "grapple 1", "move", "to -1,0")
    assert table.conditions("archer_0") == set()


#
def test_a_grappler_that_is_out_lets_go() -> None:
    """10 + 2 reach the archer's str defense of 12. Then 8 + 2 reach AD 10, and the wrestler loses its last point."""
    blue = [{"id": "wrestler", "str": 2, "hp": 1}, "sellsword"]
    table = Table(blue, ["archer", "brigand"], dice=[FIRST, 10, 8, 1, FIRST], morale_requests="off")
    table.play({"wrestler_0": "grapple 1"})
    assert table.conditions("archer_0") == {"grappled"}
    table.play({"brigand_0": "attack 1"}, "keep")
    assert (table.told("out")[0]["fighter"], table.conditions("archer_0")) == ("wrestler_0", set())


#
def test_the_grappled_have_no_speed_and_disadvantage_but_not_to_break_free() -> None:
    """A grapple needs a free hand: the sellsword holds sword and shield, the unarmed fighter has two free hands."""
    table = Table([WRESTLER], [at("archer", 2, 1)], field=OPEN, dice=[FIRST, 10, 3, 12, FIRST])
    table.play("stay", "grapple 1")
    assert (table.conditions("archer_0"), table.window, table.asked) == ({"grappled"}, "late_move", ["wrestler_0"])
    table.play("stay")
    assert (table.window, table.legal()) == ("move", ["stay", "break"]), "it cannot move"
    table.play("stay").play("unarmed 1")
    assert table.told("attack")[0]["hinders"] == ["grappled"] and table.told("attack")[0]["natural"] == 3


#
def test_breaking_free_is_the_better_of_str_and_dex() -> None:
    """A dex of 3 and a roll of 9 make 12 against the grappler's str defense of 12."""
    wrestler = {"id": "wrestler", "str": 2, "hp": 9}
    table = Table([wrestler], [{"from": "archer", "dex": 3}], dice=[FIRST, 10, 9, FIRST])
    table.play("grapple 1", "break_free")
    check = table.told("check")[-1]
    assert (check["what"], check["total"], check["number"], check["success"]) == ("break free", 12, 12, True)
    assert table.conditions("archer_0") == set()


#
def test_dirt_blinds_until_the_end_of_the_next_phase() -> None:
    table = Table(["sellsword"], ["archer"], dice=[FIRST, 10, 11, 4, FIRST]).play("dirt 1")
    assert table.conditions("archer_0") == {"blind"}
    table.play("attack 1")
    assert (table.told("attack")[0]["hinders"], table.conditions("archer_0")) == (["blind"], set())


#
def test_the_exhausted_have_disadvantage_on_every_check() -> None:
    table = Table([{"from": "sellsword", "conditions": ["exhausted"]}], ["archer"], dice=[FIRST, 18, 2])
    table.play("trip 1")
    assert table.told("check")[0]["natural"] == 2


#
def test_the_stunned_have_no_action_and_half_speed() -> None:
    table = Table([at("sellsword", 0, 0, conditions=["stunned"])], [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST])
    table.play("move")
    assert "to 4,0" in table.legal() and "to 5,0" not in table.legal()
    table.play("to 4,0")
    assert table.asked == ["ghoul_0"]


@pytest.mark.parametrize("condition", ["prone", "paralyzed"])
def test_a_condition_without_an_end_outlasts_the_phase_after_a_hit(condition: str) -> None:
    """The sellsword is paralyzed by the scenario, or thrown down by the hit: 15 + 4 reach AD 16, and its save is a 2.

    The ghoul keeps 15 of 15 and 3 against the paralyzed. The last die opens round 2.
    """
    given = [condition] if condition == "paralyzed" else []
    ghoul = {"from": "ghoul", "on_hit": {"save": "wil", "number": 12, "condition": condition}}
    victim = at("sellsword", 1, 1, shield=False, body="full_plate", helmet=False, conditions=given)
    dice = [3, 15, *([3] if given else []), 1, 2, 3]
    table = Table([victim], [{**ghoul, "at": [2, 1]}], field=OPEN, dice=dice)
    table.play("stay", "attack 1", *(["use dice"] if given else []), "stay")
    assert table.told("damage")[0]["amount"] == 1
    while table.asked == ["sellsword_0"]:
        table.play("stay" if "stay" in table.legal() else "stand_by")
    assert table.conditions("sellsword_0") == {condition}


#
def test_letting_go_is_free_frees_the_grappled_and_needs_someone_who_is_held() -> None:
    """15 + 2 reach the brigand's 12. Then 11 + 2 reach AD 13: the fists' 2 take its last point."""
    weak = {"from": "brigand", "hp_now": 1, "shield": False}
    wrestler = {"id": "wrestler", "str": 2, "hp": 9}
    dice = [FIRST, 15, FIRST]
    table = Table([wrestler], [weak, "brigand"], dice=dice, morale_requests="off")
    assert "let_go" not in table.legal()
    table.play("grapple 1", {"brigand_0": "stand_by", "brigand_1": "stand_by"}, "let_go")
    assert "grappled" not in table.conditions("brigand_0")
    assert table.asked == ["wrestler_0"] and "let_go" not in table.legal() and "attack 1" in table.legal()
    table = Table([wrestler], [weak, "brigand"], dice=[*dice, 11, FIRST], morale_requests="off")
    table.play("grapple 1", {"brigand_0": "stand_by", "brigand_1": "stand_by"}, "attack 1", "stand_by")
    assert table.hp("brigand_0") == 0 and "let_go" not in table.legal()

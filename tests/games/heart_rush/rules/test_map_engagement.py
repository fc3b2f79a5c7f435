"""The engagement on a map: ranges, agility steps, pushes and what stops them, falls, dragging, climbers."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map, told_ways
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

HIT, WEAK = (4, 3, 5), (1, 1)  # 12 against 2
MISS, STRONG = (1, 1, 1), (8, 6)  # 3 against 14


def push(drawing: str, dice: Dice, choice: str = "attack 1", answer: str = "take", **fighters: Any) -> Table:
    """Let the knight in might attack the rogue in cunning; return the table when the might phase's hits are taken."""
    table = on_map(drawing, {"knight": {}, "rogue": {}, **fighters}, dice)
    table.engage(knight=f"might: {choice}", rogue="cunning")
    while table.window == "shrug":
        table.play()
    return table


def settle(table: Table) -> Table:
    """Let no fighter follow, and let all take the damage of the pushes."""
    while table.window in ("follow", "shrug"):
        table.play()
    return table


# ---- range


@pytest.mark.heading("Range and Positioning")
def test_only_who_is_in_range_when_the_phase_comes_is_a_target() -> None:
    fighters = {"knight": {}, "rogue": {}, "page": {"team": "red"}}
    table = on_map("K.R\nP..", fighters, [MISS, STRONG]).engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    assert [choice for choice in table.legal("knight") if choice.startswith("attack")] == ["attack 2"]
    table.play(knight="attack 2")


@pytest.mark.heading("Executing Special Maneuvers")
def test_a_maneuver_asks_to_stand_side_by_side() -> None:
    reach = {"weapon": {**weapon(), "reach": True}}
    table = on_map("K.R", {"knight": reach, "rogue": {}}).engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    assert table.legal("knight") == ["pass", "attack 1"]


@pytest.mark.heading("Executing Special Maneuvers")
@pytest.mark.parametrize(("defense", "moves"), [((1, 1), True), ((4, 6), False), ((8, 6), False)])
def test_a_maneuver_takes_its_maker_elsewhere_only_if_it_works(defense: tuple[int, int], moves: bool) -> None:
    """The knight's 10 wins against 2; against a tie of 10 and against 14 the knight stays where it is."""
    table = on_map(".KR..", {"knight": {}, "rogue": {}}, [(5, 5), defense])
    table.engage(knight="agility: swing_past 1", rogue="might").pass_to("action")
    assert at(table, "knight") == ((3, 0) if moves else (1, 0))
    table = on_map("KGG\n.GG", {"knight": {}, "giant": {"size": "L2"}}, [(5, 5), defense])
    table.engage(knight="might: climb_on 1", giant="cunning").pass_to("action")
    place, bearer = at(table, "knight"), table.fighter("knight")["climbing"]
    assert (place, bearer) == (((1, 0), "giant") if moves else ((0, 0), None))


# ---- the steps of the agility stance


@pytest.mark.heading("Agility Stance")
def test_who_steps_first_then_strikes_what_it_has_come_to() -> None:
    table = on_map("K.R", {"knight": {}, "rogue": {}}, [(2, 2, 2), WEAK])
    table.engage(knight="agility", rogue="might").pass_to("attack", "agility")
    assert "sidestep e" in table.legal("knight") and "attack 1" not in table.legal("knight")
    table.play(knight="sidestep e")
    assert (table.window, at(table, "knight")) == ("attack", (1, 0))
    assert "sidestep w" not in table.legal("knight")
    table.play(knight="attack 1")
    assert table.window == "shrug"  # no second step for who has stepped
    table.play()
    assert table.hp("rogue") == 36


@pytest.mark.heading("Agility Stance")
def test_who_strikes_first_steps_last() -> None:
    table = on_map(".KR", {"knight": {}, "rogue": {}}, [(2, 2, 2), WEAK])
    table.engage(knight="agility: attack 1", rogue="might")
    assert (table.window, at(table, "knight")) == ("step", (1, 0))
    table.play(knight="sidestep w")
    assert (table.window, at(table, "knight")) == ("shrug", (0, 0))
    table.play()
    assert table.hp("rogue") == 36
    table.pass_to("action")  # the rogue's might finds nobody in reach
    assert table.events_of("attack")[-1]["attacker"] == "knight"


@pytest.mark.heading("Agility Stance")
def test_who_steps_away_first_is_not_struck_by_who_strikes_after_its_step() -> None:
    fighters = {"knight": {"agility": 8}, "rogue": {}}
    table = on_map(".KR..", fighters).engage(knight="agility: sidestep w", rogue="agility: sidestep e")
    assert table.window != "attack"
    assert (at(table, "knight"), at(table, "rogue")) == ((0, 0), (3, 0))


@pytest.mark.heading("Agility Stance")
def test_of_two_equals_who_step_to_one_square_the_winner_of_a_check_gets_there() -> None:
    table = on_map("K.R", {"knight": {}, "rogue": {}}, [(3, 2), (3, 3)])
    table.engage(knight="agility: sidestep e", rogue="agility: sidestep w")
    assert (at(table, "knight"), at(table, "rogue")) == ((0, 0), (1, 0))
    assert {event["fighter"]: event["roll"] for event in table.events_of("timing")} == {"knight": 5, "rogue": 6}


@pytest.mark.heading("Agility Stance")
def test_who_steps_first_leaves_the_choices_of_the_others_as_they_are() -> None:
    """The knight's grapple comes with the maneuvers, after the squire has stepped and chosen its target."""
    blue, red = {"team": "blue"}, {"team": "red"}
    table = on_map("KR.S", {"knight": blue, "squire": blue, "rogue": red}, [(2, 2, 2), WEAK, (6, 6), (1, 1)])
    table.engage(knight="agility: grapple 1", squire="agility: sidestep w", rogue="might")
    assert (table.window, table.choosers()) == ("attack", {"squire"})
    table.play(squire="attack 1").play()
    assert table.hp("rogue") == 36 and table.last("maneuver")["fighter"] == "knight"
    assert table.fighter("rogue")["conditions"]["grappled"] == 1


# ---- pushes


@pytest.mark.heading("Melee")
@pytest.mark.heading("Forced Movement")
def test_might_that_beats_cunning_pushes_ten_feet_and_the_pusher_may_follow() -> None:
    table = push("KR....", [HIT, WEAK])
    assert (table.window, at(table, "rogue"), table.hp("rogue")) == ("follow", (3, 0), 30)
    assert table.last("push") == {
        "type": "push", "fighter": "rogue", "by": "knight", "path": [[2, 0], [3, 0]], "blocked": None
    }  # fmt: skip
    assert table.choosers() == {"knight"}
    table.play(knight="follow")
    assert (at(table, "knight"), told_ways(table, "follow")) == ((2, 0), [("knight", [[1, 0], [2, 0]])])


@pytest.mark.heading("Melee", "Forced Movement")
def test_the_push_needs_the_attack_not_the_damage_and_goes_diagonally_too() -> None:
    table = push("K....\n.R...\n.....\n.....", [MISS, STRONG])
    assert (table.hp("rogue"), at(table, "rogue")) == (40, (3, 3))
    table.play()
    assert at(table, "knight") == (0, 0)


@pytest.mark.heading("Melee", "Forced Movement")
@pytest.mark.parametrize(
    ("knight", "against", "rogue", "squares"),
    [
        ({"weapon": weapon(attack_type="ranged")}, "cunning", {}, 0),
        ({}, "defensive", {}, 0),  # not beaten
        ({}, "cunning", {"size": "small"}, 3),
        ({}, "cunning", {"size": "large"}, 1),
        ({}, "cunning", {"size": "L2"}, 0),
    ],
)
def test_melee_pushes_who_is_beaten_five_feet_more_for_each_size_smaller_and_less_for_each_larger(
    knight: Fields, against: str, rogue: Fields, squares: int
) -> None:
    drawing = "KRR.....\n.RR....." if rogue.get("size") == "L2" else "KR......"
    table = on_map(drawing, {"knight": knight, "rogue": rogue}, [MISS, STRONG])
    table.engage(knight="might: attack 1", rogue=against)
    assert at(table, "rogue") == (1 + squares, 0)


@pytest.mark.heading("Forced Movement")
def test_a_wall_stops_a_push_and_hurts_for_each_square_that_is_left() -> None:
    table = settle(push("KR#", [MISS, STRONG, (5, 3)]))
    assert (table.hp("rogue"), at(table, "rogue"), table.last("damage")["cause"]) == (32, (1, 0), "collision")
    assert table.last("push")["blocked"] == "wall"


@pytest.mark.heading("Forced Movement")
@pytest.mark.parametrize(
    ("team", "shield", "rogue", "page"),
    [("blue", "none", 37, 38), ("blue", "heavy_shield", 35, 40), ("red", "heavy_shield", 37, 38)],
)
def test_a_creature_in_the_way_takes_the_smaller_half_and_an_enemy_with_a_heavy_shield_nothing(
    team: str, shield: str, rogue: int, page: int
) -> None:
    table = settle(push("KR.P", [MISS, STRONG, (5,)], page={"team": team, "shield": shield}))
    assert (at(table, "rogue"), table.hp("rogue"), table.hp("page")) == ((2, 0), rogue, page)
    assert table.last("push")["blocked"] == "page"


@pytest.mark.heading("Forced Movement", "Hinder")
def test_a_shove_pushes_five_feet() -> None:
    table = push("KR....", [], choice="shove 1")
    assert (at(table, "rogue"), table.history("rogue", "off_balanced")[0]) == ((2, 0), 2)
    assert table.window == "action"  # nobody follows a shove


# ---- falls


@pytest.mark.heading("Drops", "Forced Movement")
def test_who_is_shoved_over_an_edge_is_off_balanced_only_after_its_save() -> None:
    """The rogue's save of heart d8 and agility d6 equals the ten feet."""
    table = push("KRv.", [(6, 4)], choice="shove 1")
    assert (at(table, "rogue"), table.hp("rogue"), table.history("rogue", "off_balanced")[0]) == ((2, 0), 40, 2)
    assert table.last("fall")["attack_causes"] == {} and table.last("fall")["saved"]


@pytest.mark.heading("Drops")
def test_who_is_pushed_over_an_edge_saves_against_the_feet_and_lies_below() -> None:
    table = settle(push("KRv.", [MISS, STRONG, (3, 2)]))
    assert (at(table, "rogue"), table.hp("rogue"), table.conditions("rogue")) == ((2, 0), 35, {"prone": 1})
    assert table.last("fall") == {
        "type": "fall", "fighter": "rogue", "feet": 10, "saved": False,
        "attack_roll": 5, "attack_dice": [3, 2], "attack_pool": [["heart", 8, 3], ["agility", 6, 2]],
        "attack_flat": {}, "attack_causes": {},
    }  # fmt: skip
    table = settle(push("KRv.", [MISS, STRONG, (5, 5)]))
    assert (at(table, "rogue"), table.hp("rogue"), table.conditions("rogue")) == ((2, 0), 40, {})


@pytest.mark.heading("Drops")
@pytest.mark.parametrize("choice", ["attack 1", "shove 1"])
def test_a_fall_of_more_than_twenty_feet_ends_the_fight_for_who_falls(choice: str) -> None:
    dice = [MISS, STRONG] if choice == "attack 1" else []
    table = on_map("KRv.", {"knight": {}, "rogue": {}}, dice, drop=25)
    table.engage(knight=f"might: {choice}", rogue="cunning").pass_to("over")
    assert (table.status("rogue"), table.hp("rogue"), table.conditions("rogue")) == ("defeated", 40, {})


# ---- holds


@pytest.mark.heading("Grappling")
def test_a_grappler_drags_whom_it_holds_by_its_sidestep() -> None:
    table = on_map("..KR", {"knight": {}, "rogue": {"conditions": {"grappled": {"source": "knight"}}}})
    assert not [choice for choice in table.legal("knight") if choice.startswith("dash")]
    assert not [choice for choice in table.legal("rogue") if "dash" in choice or "sidestep" in choice]
    table.play(knight="sidestep w rush")
    assert (at(table, "knight"), at(table, "rogue")) == ((1, 0), (2, 0))
    assert (told_ways(table, "drag"), table.fighter("knight")["grappling"]) == ([("rogue", [[2, 0]])], "rogue")


@pytest.mark.heading("Grappling", "Forced Movement")
def test_a_pushed_grappler_takes_whom_it_holds_along() -> None:
    squire = {"team": "blue", "conditions": {"grappled": {"source": "rogue"}}}
    table = push("S.....\nKR....", [MISS, (*STRONG, 8)], squire=squire)
    assert (at(table, "rogue"), at(table, "squire")) == ((3, 1), (2, 1))
    assert table.fighter("rogue")["grappling"] == "squire"


@pytest.mark.heading("Grappling")
@pytest.mark.parametrize(("attack", "held"), [("pass", [1]), ("attack 1", [])])
def test_nobody_takes_hold_of_who_has_just_been_pushed_out_of_its_reach(attack: str, held: list[int]) -> None:
    """The squire's 12, halved for its one free hand, is more than 2; the knight's push comes before the grapple."""
    fighters = {"knight": {"agility": 10}, "squire": {"team": "blue", "agility": 8}, "rogue": {}}
    blow = [] if attack == "pass" else [MISS, STRONG]
    table = on_map("KR....\n.S....", fighters, [*blow, (6, 6), WEAK])
    table.engage(knight=f"might: {attack}", squire="might: grapple 1", rogue="cunning").pass_to("action")
    assert (at(table, "rogue"), table.history("rogue", "grappled")) == ((1, 0) if held else (3, 0), held)
    assert table.fighter("squire")["grappling"] == ("rogue" if held else None)


# ---- climbers


@pytest.mark.heading("Climb On")
def test_who_climbs_on_is_in_the_nearest_square_and_is_carried() -> None:
    """The knight, in might, climbs on the giant in cunning: 12 against 3."""
    table = on_map("....GG..\nK...GG..\n........", {"knight": {}, "giant": {"size": "L2"}}, [(6, 6), (1, 1)])
    table.play(knight="dash 3,0").engage(knight="might: climb_on 1", giant="cunning")
    assert (at(table, "knight"), table.fighter("knight")["climbing"]) == ((4, 0), "giant")
    table.pass_to("action").play(giant="dash 2,1")
    assert (at(table, "giant"), at(table, "knight")) == ((6, 1), (6, 1))
    assert told_ways(table, "carried")[0][0] == "knight"
    table.play(knight="hop_off")
    assert (at(table, "knight"), table.fighter("knight")["climbing"]) == ((5, 0), None)


@pytest.mark.heading("Climbed On", "Forced Movement")
def test_who_rides_a_creature_that_is_pushed_saves_against_the_feet() -> None:
    squire = {"team": "blue", "size": "small", "conditions": {"creature_climber": {"source": "ogre"}}}
    fighters = {"knight": {"size": "L2"}, "ogre": {"team": "red", "size": "L2"}, "squire": squire}
    for save, climbing in (((5, 5), "ogre"), ((5, 4), None)):
        table = on_map("KKOO......\nKKOO......", fighters, [MISS, (8, 6), save])
        table.engage(knight="might: attack 1", ogre="cunning")
        assert (at(table, "ogre"), table.fighter("squire")["climbing"]) == ((4, 0), climbing)


def ride(dice: Dice, ogre: int, squire: int) -> Table:
    """Play a round in which ogre and squire burn; squire and page ride the ogre on one square of it."""
    rider = {"team": "blue", "at": [2, 1], "size": "small"}
    climbs = {"creature_climber": {"source": "ogre"}}
    fighters = {
        "ogre": {"team": "red", "size": "L2", "hp": ogre, "conditions": {"burning": 1}},
        "squire": {**rider, "hp": squire, "conditions": {"burning": 1, **climbs}},
        "page": {**rider, "conditions": climbs},
        "knight": {"team": "blue"},
        "rogue": {},
    }
    return on_map(".OO......\n.OO....RK", fighters, dice).finish_round()


@pytest.mark.heading("Climb On")
def test_a_climber_that_goes_down_lies_where_it_was() -> None:
    """The ogre takes 1 from fire and the squire 5; the page holds on with 8."""
    table = ride([(1,), (5,), (4, 4)], 40, 5)
    assert (table.status("squire"), at(table, "squire"), at(table, "page")) == ("defeated", (2, 1), (2, 1))
    assert [table.fighter(name)["climbing"] for name in ("squire", "page")] == [None, "ogre"]
    assert told_ways(table, "off") == []


@pytest.mark.heading("Climb On")
@pytest.mark.parametrize(("hp", "page"), [(40, (1, 0)), (5, (2, 1))])
def test_of_two_in_one_square_whose_bearer_goes_down_the_second_goes_beside_a_first_that_stands(
    hp: int, page: tuple[int, int]
) -> None:
    table = ride([(5,), (5,), (4, 4)], 5, hp)
    assert (at(table, "squire"), at(table, "page")) == ((2, 1), page)
    assert [table.fighter(name)["climbing"] for name in ("squire", "page")] == [None, None]
    standing = "standing" if hp == 40 else "defeated"
    assert [table.status(name) for name in ("ogre", "squire", "page")] == ["defeated", standing, "standing"]
    assert (told_ways(table, "off") == []) is (hp == 5)


@pytest.mark.heading("Movement", "Forced Movement")
def test_a_large_climber_that_hangs_over_is_drawn_in_when_its_bearer_walks() -> None:
    """The large knight pushes the squire five feet south-west, half off the ogre; the page on the squire holds on."""
    fighters = {
        "knight": {"size": "large"},
        "ogre": {"team": "blue", "size": "L4"},
        "squire": {"size": "L2", "at": [1, 1], "conditions": {"creature_climber": {"source": "ogre"}}},
        "page": {"team": "blue", "at": [2, 2], "conditions": {"creature_climber": {"source": "squire"}}},
    }
    table = on_map("...K...\n.OOOO..\n.OOOO..\n.OOOO..\n.OOOO..", fighters, [MISS, STRONG, (5, 5)])
    table.engage(knight="might: attack 1", squire="cunning").pass_to("action")
    assert (at(table, "squire"), at(table, "page"), table.fighter("squire")["climbing"]) == ((0, 2), (1, 3), "ogre")
    table.play(ogre="dash -1,0")
    assert [at(table, name) for name in ("ogre", "squire", "page")] == [(0, 1), (0, 2), (1, 3)]
    table.play(ogre="dash 2,0")
    assert [at(table, name) for name in ("ogre", "squire", "page")] == [(2, 1), (2, 2), (3, 3)]


@pytest.mark.heading("Grappling", "Climb On")
def test_who_is_dragged_off_its_bearer_by_a_sidestep_rides_it_no_more() -> None:
    page = {"at": [2, 0], "conditions": {"creature_climber": {"source": "giant"}, "grappled": {"source": "knight"}}}
    table = on_map(".KGG\n..GG", {"knight": {}, "giant": {"team": "green", "size": "L2"}, "page": page})
    table.play(knight="sidestep w rush")
    assert (at(table, "knight"), at(table, "page")) == ((0, 0), (1, 0))
    assert (table.fighter("knight")["grappling"], table.fighter("page")["climbing"]) == ("page", None)
    assert "climbed_on" not in table.conditions("giant")


@pytest.mark.heading("Grappling", "Climb On", "Forced Movement")
def test_who_is_dragged_off_its_bearer_by_a_push_rides_it_no_more() -> None:
    giant = {"team": "green", "size": "L2"}
    climbs, held = {"creature_climber": {"source": "giant"}}, {"grappled": {"source": "rogue"}}
    squire = {"team": "blue", "at": [1, 1], "conditions": {**climbs, **held}}
    table = push("GGK.\nGGR.\n....\n....", [MISS, (*STRONG, 8)], giant=giant, squire=squire)
    assert (at(table, "rogue"), at(table, "squire")) == ((2, 3), (2, 2))
    assert (table.fighter("rogue")["grappling"], table.fighter("squire")["climbing"]) == ("squire", None)


def crowded(row: str, dice: Dice, **ogre: Any) -> Table:
    """Return a table at which the squire, two squares wide, rides the ogre, four wide; `row` is a row of the map."""
    fighters = {
        "ogre": {"team": "red", "size": "L4", **ogre},
        "squire": {"team": "blue", "size": "L2", "conditions": {"creature_climber": {"source": "ogre"}}},
        "knight": {"team": "blue"},
    }
    return on_map(f"OOOO#K\nOOOO..\n{row}\nOOOO##", fighters, dice)


@pytest.mark.heading("Climb On")
@pytest.mark.parametrize(("row", "place", "bearer"), [("OOOO..", (4, 1), None), ("OOOO.#", (0, 0), "ogre")])
def test_a_climber_comes_off_only_where_there_is_room_for_it(
    row: str, place: tuple[int, int], bearer: str | None
) -> None:
    """The ogre's 12 would shake the squire off, which rolls 2."""
    table = crowded(row, [(6, 6), (1, 1)])
    assert ("hop_off" in table.legal("squire")) is (bearer is None)
    table.play(ogre="shake_off")
    assert (at(table, "squire"), table.fighter("squire")["climbing"]) == (place, bearer)


@pytest.mark.heading("Climb On")
def test_a_creature_that_goes_down_leaves_room_for_who_rides_it() -> None:
    """The ogre takes 5 from fire and has 4 hit points."""
    table = crowded("OOOO.#", [(5,)], hp=4, conditions={"burning": 1}).finish_round()
    squire = at(table, "squire"), table.fighter("squire")["climbing"]
    assert (table.status("ogre"), squire) == ("defeated", ((0, 0), None))


@pytest.mark.heading("Climb On", "Grappling")
def test_a_bearer_that_holds_its_rider_carries_it_and_does_not_drag_it() -> None:
    climber = {"size": "small", "conditions": {"creature_climber": {"source": "ogre"}, "grappled": {"source": "ogre"}}}
    table = on_map("..OO\n..OO", {"knight": climber, "ogre": {"size": "L2"}})
    assert at(table, "knight") == (2, 0)
    table.play(ogre="sidestep w rush")
    assert (at(table, "ogre"), at(table, "knight"), table.fighter("knight")["climbing"]) == ((1, 0), (1, 0), "ogre")
    assert table.fighter("ogre")["grappling"] == "knight" and told_ways(table, "drag") == []


@pytest.mark.heading("Climb On", "Forced Movement")
def test_who_is_pushed_off_its_bearer_is_not_carried_by_it_any_more() -> None:
    """The ogre pushes its rider, who holds it, twenty feet: two squares to the wall, dragging the ogre one square."""
    climber = {"at": [3, 3], "conditions": {"creature_climber": {"source": "ogre"}}}
    ogre = {"size": "L2", "conditions": {"grappled": {"source": "knight"}}}
    drawing = "#....\n.....\n.....\n...OO\n...OO"
    table = on_map(drawing, {"knight": climber, "ogre": ogre}, [[1] * 7, (5, 5, 5), (1, 1)])
    table.engage(knight="cunning", ogre="might: attack 1")
    assert (at(table, "knight"), at(table, "ogre")) == ((1, 1), (2, 2))
    assert (table.fighter("knight")["climbing"], table.fighter("knight")["grappling"]) == (None, "ogre")
    settle(table)
    assert table.hp("knight") == 38


# ---- stunts


@pytest.mark.heading("Stunt")
@pytest.mark.parametrize(("drawing", "place"), [(".KR..", (3, 0)), (".KR#.", (1, 0))])
def test_who_swings_past_stands_beyond_where_there_is_room(drawing: str, place: tuple[int, int]) -> None:
    table = on_map(drawing, {"knight": {}, "rogue": {}}, [(5, 5), (1, 1)])
    table.engage(knight="agility: swing_past 1", rogue="might").play()
    assert (at(table, "knight"), table.history("rogue", "off_balanced")[0]) == (place, 1)

"""Objects of a scenario: locks, pillars and chests, with the dice laid out."""

import json
from typing import Any

import msgspec
import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon
from tests.notation import line_of

CLAWS = {"weapon": {"size": "light", "attack_type": "melee", "damage_type": "none", "natural": True}}
LOCK = {"name": "the lock", "at": [2, 1], "cost": "action", "check": "cunning", "number": 9, "effect": "open"}
PILLAR = {
    "name": "the pillar", "at": [2, 1], "cost": "action", "check": "might", "number": 12, "effect": "collapse",
    "squares": 2, "save": 12, "damage": "1d6",
}  # fmt: skip
RACK = {"name": "the rack", "at": [2, 1], "cost": "interaction", "effect": "drop", "item": "halberd"}
HALL = "...... .K..R. ......"


def table(*objects: Fields, drawing: str = HALL, dice: Dice = (), **knight: Any) -> Table:
    return on_map(drawing, {"knight": {**CLAWS, **knight}, "rogue": CLAWS}, dice, object=list(objects))


def ground(one: Table) -> list[str]:
    return one._seen["battlefield"]["map"]


# ---- locks


@pytest.mark.heading("Other Actions")
@pytest.mark.parametrize(("dice", "opens"), [((5, 4), True), ((5, 3), False)])
def test_a_lock_is_picked_by_a_check_that_costs_the_action_and_not_the_interaction(
    dice: tuple[int, int], opens: bool
) -> None:
    door = ".#.... .K+.R. .#...."
    one = table(LOCK, drawing=door, dice=dice)
    assert "object 1" in one.legal("knight") and "door e" not in one.legal("knight")
    one.play(knight="object 1")
    assert one.last("check")["success"] is opens
    assert ground(one)[1][2] == ("/" if opens else "+")
    assert (one.fighter("knight")["action"], one.fighter("knight")["interaction"]) == (False, True)
    assert ("dash 1,0" in one.legal("knight")) is opens
    assert "object 1" not in one.legal("knight")


@pytest.mark.heading("Other Actions")
def test_a_check_that_fails_leaves_the_lock_for_the_next_round() -> None:
    one = table(LOCK, drawing=HALL.replace("K.", "K+"), dice=[(5, 3), (5, 4)])
    one.play(knight="object 1").finish_round().play(knight="object 1")
    opened = {"type": "object", "fighter": "knight", "object": 1, "at": [2, 1], "effect": "open"}
    assert one.events_of("object") == [opened]


@pytest.mark.heading("Other Actions")
def test_a_door_that_has_been_unlocked_is_a_door_like_any_other() -> None:
    one = table(LOCK, drawing=HALL.replace("K.", "K+"), dice=[(5, 4)])
    one.play(knight="object 1").play(knight="door e")
    assert ground(one)[1][2] == "+"
    one.finish_round().play(knight="door e")
    assert ground(one)[1][2] == "/"


@pytest.mark.heading("Other Actions")
def test_a_portcullis_in_a_wall_leaves_open_ground() -> None:
    gate = {"at": [2, 1], "cost": "interaction", "effect": "open"}
    one = table(gate, drawing=HALL.replace("K.", "K#"))
    one.play(knight="object 1")
    assert ground(one)[1] == "......"
    assert not one.fighter("knight")["interaction"] and one.fighter("knight")["action"]


@pytest.mark.heading("Other Actions")
def test_the_quicker_of_two_uses_an_object_and_the_other_keeps_its_action() -> None:
    one = on_map("...\nK.R\n...", {"knight": {"agility": 8}, "rogue": {}}, object=[{"at": [1, 1], "effect": "open"}])
    one.play(knight="object 1", rogue="object 1")
    assert [(event["fighter"], event["cause"]) for event in one.events_of("fizzle")] == [("rogue", "already used")]
    assert one.fighter("rogue")["action"] and not one.fighter("knight")["action"]


def test_an_object_is_used_from_the_next_square_at_most() -> None:
    assert "object 1" not in table({**LOCK, "at": [3, 1]}).legal("knight")
    assert "object 1" in table({**LOCK, "at": [1, 1]}).legal("knight")
    assert "object 1" not in table({**PILLAR, "at": [1, 1]}).legal("knight"), "nobody brings down what it stands in"


def test_who_has_spent_its_action_may_still_use_what_an_interaction_opens() -> None:
    one = table(LOCK, {"at": [2, 2], "cost": "interaction", "effect": "open"}, dice=[(1, 1)]).play(knight="object 1")
    assert [name for name in one.legal("knight") if name.startswith("object")] == ["object 2"]


# ---- pillars


@pytest.mark.heading("Other Actions")
@pytest.mark.parametrize(("save", "hp"), [((6, 5), 36), ((6, 6), 40)])
def test_a_pillar_comes_down_away_from_its_user_and_hurts_who_fails_the_save(save: tuple[int, int], hp: int) -> None:
    fails = hp < 40
    one = table(PILLAR, drawing=HALL.replace("K.", "Ko"), dice=[(7, 5), save, *[4] * fails]).play(knight="object 1")
    assert ground(one) == ["......", "..:::.", "......"]
    assert [event["at"] for event in one.events_of("ground")] == [[2, 1], [3, 1], [4, 1]]
    assert (one.window == "shrug") == fails
    one.play()
    assert [(event["cause"], event["hp"]) for event in one.events_of("damage")] == [("collapse", 36)] * fails
    assert (one.hp("rogue"), one.conditions("rogue"), one.conditions("knight")) == (
        hp,
        {"prone": 1} if fails else {},
        {},
    )


@pytest.mark.heading("Other Actions")
def test_a_pillar_falls_across_a_corner_and_no_further_than_a_wall() -> None:
    hall = ".....R .K..#. ..o... ...,#. ...v#."
    one = table({**PILLAR, "at": [2, 2], "check": "might", "squares": 8}, drawing=hall, dice=[(8, 6)])
    one.play(knight="object 1")
    assert ground(one) == ["......", "....#.", "..:...", "...:#.", "...v#."]
    wide = table({**PILLAR, "squares": 8}, drawing=HALL.replace("R.", "R~"), dice=[(8, 6), (6, 6)])
    wide.play(knight="object 1")
    assert ground(wide)[1] == "..:::~", "water stays water"


@pytest.mark.heading("Other Actions")
def test_rubble_slows_down_who_crosses_it_and_covers_who_stands_in_it() -> None:
    slow = {**CLAWS, "speed": 20}
    fighters = {"knight": slow, "rogue": {**slow, "weapon": weapon(attack_type="ranged")}}
    one = on_map(HALL, fighters, [(7, 5), (6, 6)], object=[PILLAR])
    assert "dash 4,1" in one.legal("knight")
    legal = one.play(knight="object 1").legal("knight")
    assert "dash 2,0" in legal and "dash 3,0" not in legal, "two squares of rubble cost four"
    assert one.sees("knight")["enemy 1 cover_from_me"] == pytest.approx(1 / 4)
    assert (one.sees("knight")["square 1,0 cost"], one.sees("rogue")["self on rubble"]) == (pytest.approx(2 / 4), 1)


@pytest.mark.heading("Other Actions")
def test_a_large_creature_brings_a_pillar_down_away_from_its_whole_space() -> None:
    hall = "KK....\nKK.R..\n......"
    one = on_map(hall, {"knight": {**CLAWS, "size": "L2"}, "rogue": CLAWS}, [(7, 5), (6, 6)], object=[{**PILLAR}])
    one.play(knight="object 1")
    assert ground(one)[1] == "..:::."


# ---- items


@pytest.mark.heading("Object Interaction", "Other Actions")
def test_an_item_that_has_been_let_down_is_taken_and_drawn_by_interactions() -> None:
    """The rack takes the free interaction, the halberd the action; the next round draws the halberd."""
    one = table(RACK)
    one.play(knight="object 1")
    assert one._seen["battlefield"]["objects"] == [{"at": [2, 1], "effect": "drop", "used": True, "item": True}]
    one.play(knight="object 1")
    assert [event["effect"] for event in one.events_of("object")] == ["drop", "take"]
    assert one.fighter("knight")["spare"] and not one.fighter("knight")["action"]
    one.finish_round().play(knight="swap")
    assert (one.last("swap")["weapon_die"], one.sees("rogue")["enemy 1 weapon_die"]) == (12, pytest.approx(12 / 20))
    assert "object 1" not in one.legal("knight")


@pytest.mark.heading("Object Interaction")
@pytest.mark.parametrize("knight", [{"spare_weapon": "dagger"}, {"size": "small"}])
def test_who_has_a_spare_weapon_or_is_too_small_leaves_an_item(knight: Fields) -> None:
    one = table(RACK, **knight)
    one.play(knight="object 1")
    assert "object 1" not in one.legal("knight")


@pytest.mark.heading("Object Interaction", "Other Actions")
def test_a_shield_stays_in_the_hand_beside_an_item_for_one_hand_and_not_for_two() -> None:
    for item, shield in (("rapier", 1), ("halberd", 0)):
        one = table({**RACK, "item": item}, weapon="dagger", shield="light_shield")
        one.play(knight="object 1").play(knight="object 1").finish_round().play(knight="swap")
        assert one.last("swap")["shield"] == shield


# ---- what is kept and shown


def test_snapshots_and_lines_of_notation_hold_what_has_become_of_objects() -> None:
    game = HeartRush(vault())
    fights = game.batch(1, record=True)
    names = game.action_names
    fights.start([0], 1, [0], [8, 6, 6, 6])
    for choice in ("object 1", "object 2", "pass"):
        fights.step([[names.index(choice), names.index("pass")]])
    assert fights.faults(0) == []
    assert " used=1,2 rubble=2/1,3/1,4/1" in line_of(fights)
    again = game.batch(1)
    again.restore(0, fights.snapshot(0))
    assert (again.observations[0].tolist(), line_of(again)) == (fights.observations[0].tolist(), line_of(fights))


def test_a_corrupt_snapshot_of_objects_is_refused() -> None:
    fights = HeartRush(vault()).batch(1)
    fights.start([0], 1, [0])
    kept = fights.snapshot(0)
    kept["position"]["objects"][0]["save"] = 1
    with pytest.raises(ValueError, match=r"objects\[0\]\.save: expected 12, as at the start, got 1"):
        fights.restore(0, kept)
    kept = fights.snapshot(0)
    kept["position"]["cells"][33] = 13
    kept["position"]["changes"] = 1
    with pytest.raises(ValueError, match="changed somewhere other than at a door or an object in use"):
        fights.restore(0, kept)


def vault() -> Fields:
    body = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40, **CLAWS}
    fighters = [
        {**body, "id": "knight", "team": "blue", "at": [1, 1]},
        {**body, "id": "rogue", "team": "red", "at": [4, 1]},
    ]
    objects = [PILLAR, {**RACK, "at": [1, 2]}]
    return {"name": "vault", "fighter": fighters, "battlefield": {"map": ["......"] * 3}, "object": objects}


def test_a_picture_marks_objects_and_shows_the_rubble() -> None:
    pytest.importorskip("pygame", reason="pictures need the extra `render`")
    game = HeartRush(vault())
    fights = game.batch(1, record=True)
    fights.start([0], 1, [0], [8, 6, 6, 6])
    board = game.new_board()
    before = board.draw(fights.describe(0), fights.events(0), fights.moment(0))
    spent = fights.describe(0)
    spent["battlefield"]["objects"] = []
    assert (board.draw(spent, [], fights.moment(0)) != before).any(), "an object that can be used is marked"
    fights.step([[game.action_names.index("object 1"), 0]])
    assert " . A : : B ." in game.text_picture(fights.describe(0))
    assert (board.draw(fights.describe(0), fights.events(0), fights.moment(0)) != before).any()


def test_hosts_and_menus_name_objects_in_words() -> None:
    from heartrush_env.games.heart_rush.encoding.view_fields import View
    from heartrush_env.protocol.views import observation_of, view_of

    game = HeartRush(vault())
    fights = game.batch(1)
    fights.start([0], 1, [0], [8, 6, 6, 6])
    told = []
    for choice in ("object 1", "object 2"):
        view = view_of(game, "knight_0", fights.observations[0, 0])
        legal = {action: game.action_names[action] for action in fights.legal(0, 0)}
        told += [offer.words for offer in game.words.offers("knight_0", view, legal) if offer.name.startswith("object")]
        fights.step([[game.action_names.index(choice), 0]])
    assert told == ["bring down the pillar", "use the rack", "use the rack"]
    view = view_of(game, "rogue_0", fights.observations[0, 1])
    assert view["map"]["rows"] == ["......", "..:::.", "......"]
    pillar, rack = view["map"]["objects"]
    assert (pillar["name"], pillar["used"], rack["used"], rack["item"]) == ("the pillar", True, True, True)
    written = observation_of(game, "rogue_0", msgspec.json.decode(json.dumps(view), type=View))
    assert written == pytest.approx(fights.observations[0, 1])


def test_all_see_where_objects_are_and_what_they_do() -> None:
    one = table({**LOCK, "at": [3, 2]}, RACK)
    seen = one.sees("rogue")
    assert (seen["object 1 opens"], seen["object 1 check cunning"], seen["object 1 costs action"]) == (1, 1, 1)
    assert seen["object 1 number"] == pytest.approx(9 / 40)
    assert (seen["object 1 dx"], seen["object 1 dy"]) == (pytest.approx(-1 / 31), pytest.approx(1 / 31))
    assert (seen["object 2 drops"], seen["object 2 item"], seen["object 2 used"]) == (1, 1, 0)
    assert at(one, "knight") == (1, 1)
    one.play(knight="object 2")
    assert one.sees("rogue")["object 2 used"] == 1
    assert not any(value for name, value in one.sees("rogue").items() if name.startswith("object 3"))

"""Views of fights on maps: the ground and the fighters on it by name, the way back to the vector, and no secrets."""

import json
import random
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load

from heartrush_env.app.engine import Engine
from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.space import CLOSED_DOOR, OPEN_DOOR
from heartrush_env.games.heart_rush.rules.terms import DASH, TAKE_STANCE
from heartrush_env.protocol.messages import ProtocolError
from heartrush_env.protocol.views import observation_of, view_of
from tests.protocol.test_views import as_message, show
from tests.random_play import begin, play, window

FOLLOWS = "which follows from the scenario and the fighter's position"
BLADE = {"size": "light", "attack_type": "melee", "damage_type": "none"}
PLAIN = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40, "weapon": BLADE, "speed": 20}
ROWS = ["......###", ".^....+.#", "......###", "........."]
ALL_CONTACTS = ["in_sight", "in_my_range", "in_its_range", "in_my_threat", "in_its_threat"]


def yard(**knight: Any) -> HeartRush:
    """Return a fight: the knight in the north-west, the rogue on high ground beside it, the thief behind a door."""
    fighters = [
        {**PLAIN, "id": "knight", "team": "blue", "at": [0, 0], **knight},
        {**PLAIN, "id": "rogue", "team": "red", "at": [1, 1]},
        {**PLAIN, "id": "thief", "team": "red", "at": [7, 1]},
    ]
    return HeartRush({"fighter": fighters, "battlefield": {"map": ROWS, "drop": 20, "light": "dim"}})


def wild() -> HeartRush:
    """Return a fight in which random play soon meets doors, water, heights, drops, a large body and spare weapons."""
    rows = ["..^^..+..~~", "..^^..#..ww", "..,,..+..ww", "..vv../..ll", "......#...."]
    fighters = [
        {"from": "archer", "team": "blue", "at": [5, 0], "rush": 12, "spare_weapon": "rapier"},
        {**PLAIN, "id": "knight", "team": "blue", "at": [7, 2], "rush": 3},
        {"from": "ogre", "size": "L2", "team": "red", "at": [4, 1], "rush": 2},
        {"from": "archer", "team": "red", "at": [8, 0], "spare_weapon": "rapier", "spare_shield": "light_shield"},
    ]
    return HeartRush({"fighter": fighters, "battlefield": {"map": rows}})


def seen_by(fights: Fights, seat: int) -> dict[str, Any]:
    return view_of(fights.game, fights.game.agents[seat], fights.observations[0, seat])


def differences(made: Any, seen: Any, game: HeartRush) -> list[tuple[str, float, float]]:
    wrong = np.flatnonzero(~np.isclose(made, seen, rtol=1e-6, atol=1e-7))
    return [(game.feature_names[k], made[k], seen[k]) for k in wrong]


def test_a_view_tells_where_everyone_stands() -> None:
    view = seen_by(begin(yard(), 7), 0)
    assert view["map"] == {"rows": [*ROWS[:1], ".^....?.#", *ROWS[2:]], "light": "dim", "drop": 20}
    own = {"at": [0, 0], "side": 1, "speed": 4, "budget": 4, "rush": 1, "moved": 0, "dashed": False, "stood": False}
    own |= {"spare": False, "height": 0, "water": 0}
    assert {name: view["self"][name] for name in own} == own
    rogue = {"at": [1, 1], "side": 1, "speed": 4, "rush": 1, "height": 1, "distance": 1, "contact": ALL_CONTACTS}
    rogue |= {"cover_from_me": 0, "cover_from_it": 0}
    assert {name: view["enemies"][0][name] for name in rogue} == rogue
    thief = {"at": [7, 1], "distance": 7, "contact": [], "cover_from_me": 4, "cover_from_it": 4}  # no line
    assert {name: view["enemies"][1][name] for name in thief} == thief


def test_fights_without_a_map_tell_nothing_of_it() -> None:
    view = seen_by(begin(HeartRush("duel"), 7), 0)
    assert "map" not in view and not {"at", "contact", "height"} & {*view["self"], *view["enemies"][0]}


def test_every_named_field_is_what_everyone_at_the_table_sees() -> None:
    game, rng = wild(), random.Random(7)
    for fights, _ in play(game, 7):
        seat = rng.randrange(len(game.agents))
        view, table = seen_by(fights, seat), fights.describe(0)
        for fields in (view["self"], *view["enemies"], *view["allies"]):
            known = table["fighters"][fields["agent"]]
            assert (fields["at"], fields["side"]) == (known["at"], known["side"])
            assert fields["rush"] == min(10, known["rush"])
            assert fields["weapon"]["attack_type"] == known["weapon"] or not fields["armed"]
        known = table["fighters"][view["self"]["agent"]]
        assert view["self"]["moved"] == min(12, known["moved"]) and view["self"]["spare"] == known["spare"]
        for row, known_row in zip(view["map"]["rows"], table["battlefield"]["map"], strict=True):
            assert all(glyph in ("?", known) for glyph, known in zip(row, known_row, strict=True))
        json.dumps(view)


@pytest.mark.parametrize("control", ["fighter", "team"])
def test_named_fields_stand_for_the_vector_that_they_came_from(control: str) -> None:
    scenario = wild() if control == "fighter" else HeartRush("skirmish", control="team")
    windows = set()
    for fights, _ in play(scenario, 8):
        for seat, agent in enumerate(scenario.agents):
            view = {**seen_by(fights, seat), "observation": None}
            made = observation_of(scenario, agent, as_message(view))
            assert not differences(made, fights.observations[0, seat], scenario)[:5]
        windows.add(view["window"])
    assert windows >= {"action", "stance", "attack"}


def test_the_windows_that_only_maps_have_stand_in_the_vector() -> None:
    game = yard()
    view = {**seen_by(begin(game, 7), 0), "observation": None}
    for name in ("step", "follow"):
        made = observation_of(game, "knight_0", as_message({**view, "window": name}))
        shown = {feature for feature, value in zip(game.feature_names, made, strict=True) if value}
        assert [feature for feature in shown if "window " in feature] == [f"window {name}"]


def test_what_is_swapped_into_the_hand_is_what_is_told() -> None:
    game = yard(spare_weapon="rapier", spare_shield="light_shield")
    fights = begin(game, 7)
    before = seen_by(fights, 1)["enemies"][0]
    assert (before["weapon"]["damage_type"], before["shield"]) == ("none", 0)
    names = game.action_names
    fights.step(np.array([[names.index("swap"), names.index("pass"), names.index("pass")]]))
    for view in (seen_by(fights, 0)["self"], seen_by(fights, 1)["enemies"][0]):
        assert (view["weapon"]["name"], view["weapon"]["damage_type"], view["shield"]) == ("Rapier", "piercing", 1)


# -- what is refused where the vector is missing ---------------------------------------------------------------------


def told(change: dict[str, Any]) -> dict[str, Any]:
    """Return the knight's view without its vector, with some fields changed; None removes a field."""
    view = {**seen_by(begin(yard(), 7), 0), "observation": None}
    for where, fields in change.items():
        part = {"self": view["self"], "rogue": view["enemies"][0], "map": view["map"]}.get(where, view)
        part.update(fields if isinstance(fields, dict) else {where: fields})
    return view


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"self": {"at": None}}, "knight_0: at is missing; expected it on a map if observation is left out."),
        ({"self": {"budget": None}}, "knight_0: budget is missing; expected it on a map"),
        ({"rogue": {"at": None}}, "rogue_0: at is missing; expected it on a map"),
        ({"rogue": {"speed": None}}, "rogue_0: speed is missing; expected it on a map"),
        ({"rogue": {"contact": None}}, "rogue_0: contact is missing; expected it on a map"),
        ({"rogue": {"cover_from_it": None}}, "rogue_0: cover_from_it is missing; expected it on a map"),
        ({"enemies": []}, "rogue_0: at is missing; expected it on a map"),
        (
            {"self": {"at": [9, 0]}},
            "knight_0: at: expected a place on the map of 9 by 4 squares, got row 0, column 9 (counted from 0)",
        ),
        ({"self": {"side": 2}}, f"knight_0: side: expected 1, {FOLLOWS}, got 2"),
        ({"self": {"height": 1}}, f"knight_0: height: expected 0, {FOLLOWS}, got 1"),
        ({"self": {"water": 2}}, f"knight_0: water: expected 0, {FOLLOWS}, got 2"),
        ({"rogue": {"height": 0}}, f"rogue_0: height: expected 1, {FOLLOWS}, got 0"),
        ({"map": {"way": {"to": [30, 0], "left": 1}}}, "way dx: expected -1 to 1, got 2.5"),
        ({"rogue": {"contact": ["near"]}}, "rogue_0: contact: expected in_sight, in_my_range"),
        ({"rogue": {"distance": 5}}, f"rogue_0: distance: expected 1, {FOLLOWS}, got 5"),
        ({"map": {"rows": ROWS[1:]}}, "map: rows: expected 4, as in the scenario, got 3"),
        (
            {"map": {"rows": [*ROWS[:3], "...."]}},
            "map: expected 9 squares in row 3 (counted from 0), as in the scenario, got 4",
        ),
        ({"map": {"rows": [*ROWS[:3], "...x....."]}}, "got 'x' in row 3, column 3 (counted from 0)"),
        ({"map": {"rows": [*ROWS[:3], "...+....."]}}, "got '+' in row 3, column 3 (counted from 0)"),
        ({"map": {"light": "dark"}}, "map: light: expected 'dim', as in the scenario, got 'dark'"),
        ({"map": {"drop": 10}}, "map: drop: expected 20, as in the scenario, got 10"),
    ],
)
def test_a_view_that_does_not_fit_the_map_is_refused_in_a_sentence(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ProtocolError) as refusal:
        observation_of(yard(), "knight_0", as_message(told(change)))
    message = str(refusal.value)
    assert refusal.value.code == "bad_view" and said in message and message.endswith(".") and "\n" not in message


@pytest.mark.parametrize(
    "left_out",
    [
        {"map": None},
        {"map": {"rows": None}},
        {"map": {"rows": [*ROWS[:1], ".^..../.#", *ROWS[2:]]}},  # too far for the knight to see
        {"self": dict.fromkeys(["rush", "moved", "dashed", "stood", "spare", "height", "water", "side"])},
        {"rogue": dict.fromkeys(["rush", "distance", "height", "side"])},
    ],
)
def test_what_else_is_left_out_is_as_the_fight_began(left_out: dict[str, Any]) -> None:
    game = yard()
    made = observation_of(game, "knight_0", as_message(told(left_out)))
    assert not differences(made, begin(game, 7).observations[0, 0], game)


def test_a_door_that_is_not_told_is_as_the_fight_began() -> None:
    game = yard()
    fights = begin(game, 7)
    view = {**seen_by(fights, 1), "observation": None}
    view["map"]["rows"] = [row.replace("+", "?") for row in ROWS]
    assert not differences(observation_of(game, "rogue_0", as_message(view)), fights.observations[0, 1], game)


def test_an_engine_plays_by_named_fields_as_by_the_vector() -> None:
    fighters = [{**PLAIN, "id": name, "team": name, "at": at} for name, at in (("a", [0, 0]), ("b", [3, 3]))]
    scenario = {"fighter": fighters, "battlefield": {"map": ["...."] * 4}}
    game = HeartRush(scenario)
    fights = begin(game, 7)
    view = json.loads(json.dumps(seen_by(fights, 0)))
    legal = [game.action_names[k] for k in fights.legal(0, 0)]
    request = {"type": "act", "id": "1", "game": {"scenario": scenario}, "seat": "a_0", "legal": legal, "seed": 7}
    engine, answers = Engine(load("uniform")), []
    for given in (view, {"observation": view["observation"]}, {**view, "observation": None}):
        (line,) = engine.answer(json.dumps({**request, "view": given}).encode())
        answers.append({**json.loads(line), "ms": 0})
    assert answers[0]["type"] == "choice" and answers == 3 * answers[:1]


# -- secrets -----------------------------------------------------------------------------------------------------------


def test_a_door_that_is_too_far_to_see_opens_unseen() -> None:
    game = yard()
    fights = begin(game, 7)
    knight, rogue = seen_by(fights, 0), seen_by(fights, 1)
    assert rogue["map"]["rows"] == ROWS, "five columns off"
    match = fights._fights[0]
    door = int(np.flatnonzero(match.cells == CLOSED_DOOR)[0])
    match.cells[door] = OPEN_DOOR
    match.cover[:] = -1
    fights.step(np.full((1, 3), game.action_names.index("pass")))
    assert seen_by(fights, 0)["map"] == knight["map"]
    assert "?" in knight["map"]["rows"][1]


def test_a_choice_that_is_not_revealed_changes_no_view() -> None:
    game, found = HeartRush("skirmish"), set()
    copy = begin(game, 0)
    for fights, _ in play(game, 7):
        if window(fights) not in ("action", "stance"):
            continue
        found.add(window(fights))
        views = []
        for detail in (1, 2, 3):
            copy._fights[0] = fights._fights[0]
            for fighter in copy._fights[0].fighters[1:4]:
                fighter.deed = TAKE_STANCE if window(fights) == "stance" else DASH
                fighter.detail, fighter.pending = detail, detail % 2
                fighter.route[0], fighter.route_length = detail, 1
            show(copy)
            views.append(seen_by(copy, 0))
        assert views == 3 * [seen_by(fights, 0)]
    assert found == {"action", "stance"}

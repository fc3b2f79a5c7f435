"""A front-end's own way for a dash, through every door: given square by square, taken, refused, recorded."""

import copy
import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.records import Recorder, RecordError, check, read_record
from heartrush_env.tabletop.errors import HeartRushError, IllegalAction
from tests.records.recorded import lines_of, summed
from tests.toy_game import ToyGame

BLADE = {"size": "light", "attack_type": "melee", "damage_type": "none"}
PLAIN = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40, "weapon": BLADE, "speed": 20}
MAP = ["......", "......", "..#...", "......"]
WAY = [[0, 1], [0, 2], [1, 3]]
KNIGHT, ROGUE, SQUIRE = "knight_0", "rogue_0", "squire_0"


def yard(**changes: Any) -> dict[str, Any]:
    """The knight in the upper left corner with its squire beside it, the rogue at the far end."""
    fighters = [
        {**PLAIN, "id": "knight", "team": "blue", "at": [0, 0]},
        {**PLAIN, "id": "squire", "team": "blue", "at": [1, 0]},
        {**PLAIN, "id": "rogue", "team": "red", "at": [5, 0]},
    ]
    return {"name": "yard", "fighter": fighters, "battlefield": {"map": MAP}, "max_rounds": 2, **changes}


def begun(**options: Any) -> Any:
    env: Any = heart_rush_v0.parallel_env(yard(), **options)
    env.reset(seed=7)
    return env


def paths(events: Any) -> dict[str, Any]:
    """The squares on which everyone went, in the order of going."""
    return {event["fighter"]: event["path"] for event in events if event["type"] == "move"}


def choices(env: Any, **actions: int) -> dict[str, int]:
    """These actions; the rest pass."""
    return {agent: actions.get(agent, env.get_action_meanings().index("pass")) for agent in env.agents}


def test_a_dash_takes_the_way_that_was_given() -> None:
    env = begun()
    dash = env.unwrapped.give_route(KNIGHT, WAY)
    assert env.get_action_meanings()[dash] == "dash 1,3"
    env.step(choices(env, knight_0=dash))
    assert paths(env.events) == {KNIGHT: WAY}
    env = begun()  # without it the rules find the way
    env.step(choices(env, knight_0=dash))
    assert paths(env.events) == {KNIGHT: [[1, 1], [1, 2], [1, 3]]} != {KNIGHT: WAY}


SQUARES = "details: route: expected a list of squares, each as [column, row]"
REFUSED = [
    ([[0, 1], [2, 1]], "got row 1, column 2 (counted from 0) after row 1, column 0 (counted from 0)"),
    ([[0, 1], [0, 2], [0, 3], [1, 3], [2, 3]], "row 3, column 2 (counted from 0) is further than its dash goes"),
    ([[1, 1], [2, 2]], "row 2, column 2 (counted from 0) is not a place that it may enter"),
    ([[1, 0]], "row 0, column 1 (counted from 0) is taken by another"),
    (
        [[0, 1], [0, 0]] * 13,
        "at most 24 squares, got 26; row 1, column 0 (counted from 0) is the first beyond the limit",
    ),
    ([[-1, 0]], "row 0, column -1 (counted from 0) is not a place that it may enter"),
    ([[0, 1], [0, 0]], "row 0, column 0 (counted from 0) is where it stands"),
    ([], "expected 1 to 24 squares, got none"),
    ("east", f"{SQUARES}, got 'east'"),
    (None, f"{SQUARES}, got None"),
    ([["a", 1]], f"{SQUARES}, got [['a', 1]]"),
]


@pytest.mark.parametrize("door", ["parallel_env", "env", "single_env", "make_vec"])
def test_every_door_refuses_a_way_that_may_not_be_gone_in_one_sentence(door: str) -> None:
    options = {"make_vec": {"num_envs": 2}, "single_env": {"seat": KNIGHT}}.get(door, {})
    env: Any = getattr(heart_rush_v0, door)(scenario=yard(), **options)
    env.reset(seed=7)
    if door == "make_vec":
        give, look = partial(env.give_route, 1, KNIGHT), partial(env.snapshot, 1)
    elif door == "single_env":
        give, look = env.give_route, env.fights.snapshot
    else:
        give, look = partial(env.unwrapped.give_route, KNIGHT), env.unwrapped.snapshot
    before = look()
    for way, said in REFUSED:
        give(WAY)
        with pytest.raises(IllegalAction, match=re.escape(said)) as refused:
            give(way)
        assert str(refused.value).endswith(".") and "\n" not in str(refused.value)
        assert look() == before, "a refused way leaves none"
    env.close()


def way_kept(env: Any) -> bool:
    return any(fighter["route_length"] for fighter in env.snapshot()["position"]["position"]["fighters"])


def test_a_dash_to_elsewhere_than_the_way_ends_is_refused_and_nothing_is_played() -> None:
    env = begun()
    env.give_route(KNIGHT, WAY)
    before, names = env.snapshot(), env.get_action_meanings()
    elsewhere = names.index("dash 0,3")
    with pytest.raises(IllegalAction) as refusal:
        env.step(choices(env, knight_0=elsewhere))
    ends = ("it ends at row 3, column 1 (counted from 0)", "the chosen dash ends at row 3, column 0 (counted from 0)")
    assert str(refusal.value) == f"route: {ends[0]}, but {ends[1]}."
    assert env.snapshot() == before
    env.give_route(KNIGHT, [[0, 1], [0, 2], [0, 3]])  # the last way given is the one that holds
    env.step(choices(env, knight_0=elsewhere))
    assert paths(env.events) == {KNIGHT: [[0, 1], [0, 2], [0, 3]]}


def test_any_other_choice_lets_the_way_go() -> None:
    """The squire's dash keeps the window going; the knight's later dash goes the way of the rules."""
    env = begun()
    dash = env.give_route(KNIGHT, WAY)
    env.step(choices(env, squire_0=env.get_action_meanings().index("dash 1,1")))
    assert not way_kept(env)
    env.step(choices(env, knight_0=dash))
    assert paths(env.events) == {KNIGHT: [[1, 1], [1, 2], [1, 3]]}


def test_a_way_that_could_not_be_gone_is_forgotten() -> None:
    """The quicker squire takes the place; asked again, the knight is not bound to a way that is no more."""
    scene = yard()
    scene["fighter"][1]["agility"] = 12
    env: Any = heart_rush_v0.parallel_env(scene)
    env.reset(seed=7)
    names = env.get_action_meanings()
    env.step(choices(env, knight_0=env.give_route(KNIGHT, WAY), squire_0=names.index("dash 0,3")))
    assert set(paths(env.events)) == {SQUIRE} and not way_kept(env)
    env.step(choices(env, knight_0=names.index("dash 0,3")))
    assert set(paths(env.events)) == {KNIGHT}


def test_a_way_is_for_who_is_asked_and_for_maps() -> None:
    env = begun()
    with pytest.raises(IllegalAction, match="There is no agent 'wolf_0'"):
        env.give_route("wolf_0", WAY)
    env.step(choices(env))  # all pass: the stances
    with pytest.raises(IllegalAction, match="expected them in the fighter's action windows"):
        env.give_route(KNIGHT, WAY)
    flat: Any = heart_rush_v0.parallel_env("duel")
    with pytest.raises(HeartRushError, match="before reset"):
        flat.give_route(KNIGHT, WAY)
    flat.reset(seed=7)
    with pytest.raises(IllegalAction, match="without a map"):
        flat.give_route(KNIGHT, WAY)
    toy = ParallelFights(ToyGame())
    toy.reset(seed=7)
    with pytest.raises(IllegalAction, match=r"^details: unknown detail 'route', expected none\.$"):
        toy.give_route("hand_0", WAY)


def test_a_route_is_the_only_detail() -> None:
    env = begun()
    dash = env.give_details(KNIGHT, {"route": WAY})
    for details, said in (
        ({"path": WAY}, "details: unknown detail 'path', expected route."),
        (WAY, "details: expected a table with the keys route, got [[0, 1], [0, 2], [1, 3]]."),
        ({}, "route: expected 1 to 24 squares, got none."),
    ):
        with pytest.raises(IllegalAction, match=f"^{re.escape(said)}$"):
            env.give_details(KNIGHT, details)
        assert not way_kept(env)
    assert env.give_details(KNIGHT, {"route": WAY}) == dash
    env.step(choices(env, knight_0=dash))
    assert paths(env.events) == {KNIGHT: WAY}


def test_a_snapshot_keeps_the_way_and_so_does_a_copy() -> None:
    env, other = begun(), begun()
    dash = env.give_route(KNIGHT, WAY)
    other.restore(env.snapshot())
    for same in (other, copy.deepcopy(env)):
        same.step(choices(same, knight_0=dash))
        assert paths(same.events) == {KNIGHT: WAY}
    other.restore(env.snapshot())
    with pytest.raises(IllegalAction, match="it ends at row 3, column 1"):
        other.step(choices(other, knight_0=other.get_action_meanings().index("dash 0,3")))


def test_a_way_is_not_to_be_seen_before_it_is_gone() -> None:
    env, other = begun(), begun()
    env.give_route(KNIGHT, WAY)
    for agent in env.agents:
        seen = [one.step({})[0] for one in (copy.deepcopy(env), copy.deepcopy(other))]
        assert np.array_equal(seen[0][agent]["observation"], seen[1][agent]["observation"])
    assert np.array_equal(env.state(), other.state())


def test_a_team_gives_ways_fighter_by_fighter() -> None:
    env = begun(control="team")
    knights = env.give_route("blue_0", WAY)
    env.step(choices(env, blue_0=knights))
    squires = env.give_route("blue_0", [[2, 0], [3, 0], [3, 1]])
    env.step(choices(env, blue_0=squires))
    assert paths(env.events) == {KNIGHT: WAY, SQUIRE: [[2, 0], [3, 0], [3, 1]]}


def test_the_turn_by_turn_door_takes_a_way_before_the_choice() -> None:
    env: Any = heart_rush_v0.env(yard())
    env.reset(seed=7)
    dash, names = env.unwrapped.give_route(KNIGHT, WAY), env.unwrapped.get_action_meanings()
    with pytest.raises(IllegalAction, match="it ends at row 3, column 1"):
        env.step(names.index("dash 0,3"))
    env.step(dash)
    with pytest.raises(IllegalAction, match="after knight_0 had chosen"):
        env.unwrapped.give_route(KNIGHT, WAY)
    for nobody in ("knight_7", ["knight_0"]):
        with pytest.raises(IllegalAction):
            env.unwrapped.give_route(nobody, WAY)
    for _ in range(2):
        env.step(names.index("pass"))
    assert paths(env.unwrapped.events) == {KNIGHT: WAY}


@pytest.mark.usefixtures("in_threads")
def test_the_single_and_the_vectorised_door_take_ways() -> None:
    single: Any = heart_rush_v0.single_env(yard(), seat=KNIGHT)
    single.reset(seed=7)
    single.step(single.give_route(WAY))
    assert paths(single.events)[KNIGHT] == WAY
    vec = heart_rush_v0.make_vec(4, yard(), seed=7, num_threads=2)
    vec.reset()
    names = vec.get_action_meanings()
    actions = np.full((4, 3), names.index("pass"))
    actions[3, 0] = vec.give_route(3, KNIGHT, WAY)
    actions[2, 0] = names.index("dash 0,3")
    vec.give_route(2, KNIGHT, WAY)
    before = [vec.snapshot(slot) for slot in range(4)]
    with pytest.raises(IllegalAction, match="it ends at row 3, column 1"):
        vec.step(actions)
    assert [vec.snapshot(slot) for slot in range(4)] == before
    actions[2, 0] = names.index("pass")
    vec.step(actions)
    places = [vec.snapshot(slot)["position"]["position"]["fighters"][0] for slot in range(4)]
    assert [(place["x"], place["y"]) for place in places] == [(0, 0), (0, 0), (0, 0), (1, 3)]
    with pytest.raises(IllegalAction, match="There is no agent 'wolf_0'"):
        vec.give_route(0, "wolf_0", WAY)
    vec.close()


def recorded(details: bool = True) -> Recorder:
    """A fight in which the knight dashes along its own way, and all wait for the end of it."""
    env = begun()
    recorder = Recorder(HeartRush(yard()), (7, 0), {agent: {"agent": "me"} for agent in env.possible_agents})
    recorder.begin(env.events)
    actions = choices(env, knight_0=env.give_route(KNIGHT, WAY))
    paid = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        observations, rewards, *_ = env.step(actions)
        gone = {KNIGHT: {"route": WAY}} if details and KNIGHT in paths(env.events) else {}
        recorder.step(actions, env.events, details=gone)
        paid = {agent: paid[agent] + reward for agent, reward in rewards.items()}
        actions = {agent: int(np.flatnonzero(seen["action_mask"])[0]) for agent, seen in observations.items()}
    recorder.end(paid)
    return recorder


def test_a_record_keeps_the_way_so_that_the_fight_plays_the_same(tmp_path: Path) -> None:
    record = read_record(recorded().write(tmp_path / "with.hrr"))
    assert record.steps[1].details == {KNIGHT: {"route": WAY}} and not record.steps[2].details
    check(record)
    without = read_record(recorded(details=False).write(tmp_path / "without.hrr"))
    with pytest.raises(RecordError, match=r"line 3: event \d+: expected path"):
        check(without)


def test_a_record_from_before_there_were_details_keeps_its_routes(tmp_path: Path) -> None:
    lines = lines_of(recorded(details=False))
    lines[2]["routes"] = {KNIGHT: WAY}
    (tmp_path / "old.hrr").write_bytes(summed(lines))
    record = read_record(tmp_path / "old.hrr")
    assert record.steps[1].details == {KNIGHT: {"route": WAY}}
    check(record)


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ({KNIGHT: "east"}, "details: expected a table with the keys route, got 'east'."),
        ({KNIGHT: {"way": WAY}}, "details: unknown detail 'way', expected route."),
        ({KNIGHT: {"route": "east"}}, f"{SQUARES}, got 'east'"),
        ({KNIGHT: {"route": [[0, 1.5]]}}, f"{SQUARES}, got [[0, 1.5]]"),
        ({KNIGHT: {"route": [[0, 1], [0, 0]] * 13}}, "route: expected at most 24 squares, got 26"),
        ({KNIGHT: {"route": []}}, "route: expected 1 to 24 squares, got none"),
        ({KNIGHT: {"route": [[4, 4]]}}, "route: expected squares that touch one another, got row 4, column 4"),
        ({KNIGHT: {"route": WAY[:2]}}, "knight_0: expected 'dash 0,2', which takes the details, got 'dash 1,3'."),
        ({ROGUE: {"route": [[5, 1]]}, KNIGHT: {"route": WAY}},
         "rogue_0: expected 'dash 0,1', which takes the details, got 'pass'."),
        ({"wolf_0": {"route": WAY}}, "'wolf_0': expected an action that takes details"),
        ([WAY], "details: expected"),
    ],
)  # fmt: skip
def test_details_in_a_record_are_checked(details: Any, said: str, tmp_path: Path) -> None:
    lines = lines_of(recorded())
    lines[2]["details"] = details
    path = tmp_path / "changed.hrr"
    path.write_bytes(summed(lines))
    with pytest.raises(RecordError, match=f"line 3: {re.escape(said)}"):
        check(read_record(path))


def test_a_recorder_refuses_what_are_no_details() -> None:
    recorder = Recorder(HeartRush(yard()), (7, 0), {name: {"agent": "me"} for name in (KNIGHT, SQUIRE, ROGUE)})
    recorder.begin([])
    with pytest.raises(HeartRushError, match="There is no agent 'wolf_0'"):
        recorder.step({}, [], details={"wolf_0": {"route": WAY}})
    with pytest.raises(HeartRushError, match=r"^The value of details for knight_0: expected a table, got 'east'\.$"):
        recorder.step({}, [], details={KNIGHT: "east"})  # type: ignore[dict-item]

"""Walks: the path of a dash stays secret, survives snapshots, records and batches, and only its fighter is asked."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import WALK
from heartrush_env.records import Recorder, RecordError, check, read_record
from heartrush_env.tabletop.errors import IllegalAction, SnapshotError
from tests.games.heart_rush.rules.table import PLAIN
from tests.records.recorded import lines_of, summed

MAP = ["......,.", "..o....v", "+...h..v", "....,..."]
PLACES = {"knight": ("blue", [0, 0]), "monk": ("blue", [1, 3]), "ogre": ("red", [6, 0]), "wolf": ("red", [4, 3])}
FIGHTERS: list[dict[str, Any]] = [
    {**PLAIN, "id": id, "team": team, "at": at, "speed": 20, "agility": 4 + 2 * number}
    for number, (id, (team, at)) in enumerate(PLACES.items())
]
SCENARIO = {"name": "walks", "max_rounds": 12, "fighter": FIGHTERS, "battlefield": {"map": MAP}}
SKILLED = {**SCENARIO, "fighter": [{**sheet, "rush": 2, "abilities": ["cry_of_defiance"]} for sheet in FIGHTERS]}
OF_SEATS = ("secrets", "picking", "way", "viewer", "asked")  # the parts of entities that each seat has for itself
EAGER = 0.5  # the chance that a fighter that may walk does


def make(scenario: Any = SCENARIO, **options: Any) -> Any:
    return heart_rush_v0.parallel_env(scenario=scenario, **options).unwrapped


def choose(env: Any, rng: Any) -> dict[str, int]:
    """Choose randomly among legal actions, with a preference for walks."""
    names, chosen = env.get_action_meanings(), {}
    for seat, agent in enumerate(env.possible_agents):
        legal = env._batch.legal(0, seat)
        walks = [action for action in legal if names[action] == "walk"]
        chosen[agent] = int(rng.choice(walks if walks and rng.random() < EAGER else legal))
    return chosen


def walking(env: Any) -> list[int]:
    """Return the fighters that are choosing their path."""
    fight = env._batch.records[0]
    return [i for i in range(int(fight.n)) if fight.fighters[i].deed == WALK]


def shown(env: Any, seat: int) -> tuple[Any, ...]:
    """Return everything that a seat can see at this moment."""
    batch = env._batch
    entities = [
        (array[0, seat] if name in OF_SEATS else array[0]).tobytes()
        for name, array in batch.seen.items()
        if name != "observation"
    ]
    seen = batch.vectors[0, seat].tobytes(), batch.masks[0, seat].tobytes(), *entities
    return *seen, batch.describe(0), env.events, env.state().tobytes(), int(batch.illegal[0, seat])


@pytest.mark.parametrize("observations", ["vector", pytest.param("entities", marks=pytest.mark.long)])
def test_others_see_nothing_of_a_walk(observations: str) -> None:
    """Each answer is tried from one position; the others see the same after each, and the same as before."""
    env, compared = make(observations=observations), 0
    for seed in range(3):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for _ in range(25):
            if not env.agents:
                break
            chosen, before = choose(env, rng), env.snapshot()
            for seat, agent in enumerate(env.possible_agents):
                names = env.get_action_meanings()
                legal = env._batch.legal(0, seat)
                tried = [a for a in legal if names[a] == "walk"] if walking(env) == [] else legal
                if walking(env) not in ([], [seat]) or not tried:
                    continue
                others = [other for other in range(4) if other != seat]
                was, seen = [shown(env, other)[0] for other in others], []
                for action in tried:
                    env.restore(before)
                    env.step({**dict.fromkeys(env.possible_agents, 0), agent: action})
                    if walking(env) == [seat]:
                        seen.append([shown(env, other) for other in others])
                        assert env.events == [] and [look[0] for look in seen[-1]] == was
                        own = dict(zip(env.get_feature_names(), env._batch.vectors[0, seat], strict=True))
                        assert own["walks"] == 1
                assert all(look == seen[0] for look in seen)
                compared += len(seen) > 1
                env.restore(before)
            env.step(chosen)
    assert compared > 10


def test_a_walker_sees_where_its_way_has_got_to_until_it_ends() -> None:
    """The knight walks two squares, one of them difficult, of its four; then nothing is left of the path."""
    sheets = [{**sheet, "at": [3, 2]} if sheet["id"] == "knight" else sheet for sheet in FIGHTERS[:3]]
    env = make({**SCENARIO, "fighter": sheets})
    env.reset(seed=1)
    names, features = env.get_action_meanings(), env.get_feature_names()
    told = []
    for choice in ("walk", "sidestep n", "sidestep e", "pass"):
        env.step({agent: names.index(choice if agent == "knight_0" else "pass") for agent in env.agents})
        seen = dict(zip(features, env._batch.vectors[0, 0], strict=True))
        told.append([round(float(seen[f"way {name}"]) * 12) for name in ("dx", "dy", "left")])
        assert seen["walks"] == (choice != "pass")
    assert told == [[0, 0, 4], [0, -1, 3], [1, -1, 2], [0, 0, 0]]


@pytest.mark.parametrize(
    ("control", "scenario"),
    [pytest.param("fighter", SKILLED, marks=pytest.mark.long), ("fighter", SCENARIO), ("team", SCENARIO)],
)
def test_a_fight_goes_on_from_a_snapshot_in_the_middle_of_a_walk(control: str, scenario: Any) -> None:
    env, other, taken = make(scenario, control=control), make(scenario, control=control), 0
    for seed in range(4):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while env.agents and taken < 5 * (seed + 1):
            if walking(env):
                other.reset(seed=99)
                mark = json.loads(json.dumps(env.snapshot()))
                other.restore(mark)
                assert env._batch.faults(0) == []
                taken += 1
                random = np.random.default_rng(5)
                for _ in range(4):
                    assert env._batch.vectors.tobytes() == other._batch.vectors.tobytes()
                    assert env._batch.masks.tobytes() == other._batch.masks.tobytes()
                    if not env.agents:
                        break
                    chosen = choose(env, random)
                    env.step(chosen)
                    other.step(chosen)
                    assert env.snapshot() == other.snapshot()
                env.restore(mark)
            env.step(choose(env, rng))
    assert taken == 20


def test_an_illegal_answer_ends_the_way_and_is_told_to_its_player_or_raises() -> None:
    env, strict = make(), make(illegal="raise")
    names = env.get_action_meanings()
    passes = dict.fromkeys(env.possible_agents, names.index("pass"))
    for each in (env, strict):
        each.reset(seed=0)
        each.step({**passes, "knight_0": names.index("walk")})
        infos = each.step({**passes, "knight_0": names.index("sidestep s")})[4]
        assert {agent: info["asked"] for agent, info in infos.items()} == {
            agent: agent == "knight_0" for agent in env.possible_agents
        }
    wrong = {**passes, "knight_0": names.index("dash 1,0")}
    infos = env.step(wrong)[4]
    assert infos["knight_0"]["illegal"] and not any(infos[agent].get("illegal") for agent in env.possible_agents[1:])
    assert [event["path"] for event in env.events if event["type"] == "move"] == [[[0, 1]]]
    with pytest.raises(IllegalAction, match="knight_0"):
        strict.step(wrong)


def recorded() -> Recorder:
    """Return the record of a fight of random choices that prefer walks."""
    env, rng = make(), np.random.default_rng(3)
    env.reset(seed=3)
    recorder = Recorder(HeartRush(SCENARIO), (3, 0), {agent: {"agent": "me"} for agent in env.possible_agents})
    recorder.begin(env.events)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        chosen = choose(env, rng)
        _, rewards, *_ = env.step(chosen)
        recorder.step(chosen, env.events)
        paid = {agent: paid[agent] + reward for agent, reward in rewards.items()}
    recorder.end(paid)
    return recorder


def test_a_record_replays_with_its_walks(tmp_path: Path) -> None:
    record = read_record(recorded().write(tmp_path / "walks.hrr"))
    assert sum("walk" in step.actions.values() for step in record.steps) > 5
    check(record)


def test_a_record_with_a_path_as_details_names_the_version_that_reads_it(tmp_path: Path) -> None:
    """Versions that wrote details had no `walk` in their table of actions."""
    lines = lines_of(recorded())
    lines[0] |= {"tables": "of an earlier version", "heartrush_env": "0.9.0"}
    lines[2]["details"] = {"knight_0": {"route": [[0, 1]]}}
    path = tmp_path / "old.hrr"
    path.write_bytes(summed(lines))
    with pytest.raises(RecordError, match=r"line 1: .*; read the record with heartrush-env '0\.9\.0', which wrote"):
        read_record(path)


@pytest.mark.parametrize("scenario", [SCENARIO, pytest.param(SKILLED, marks=pytest.mark.long)])
def test_a_batch_plays_the_same_fights_as_one_after_another(scenario: Any) -> None:
    vec = heart_rush_v0.make_vec(num_envs=4, scenario=scenario, seed=11)
    names = vec.get_action_meanings()
    obs, _ = vec.reset(seed=11)
    rng = np.random.default_rng(0)
    history: list[Any] = []
    for _ in range(30):
        actions = np.zeros((4, 4), np.int64)
        for slot, seat in np.ndindex(4, 4):
            legal = np.flatnonzero(obs["action_mask"][slot, seat])
            walks = [action for action in legal if names[action] == "walk" and rng.random() < EAGER]
            actions[slot, seat] = rng.choice(walks or legal)
        obs, _, terminated, *_ = vec.step(actions)
        history.append((actions.copy(), np.array(obs["observation"]).copy(), terminated.copy()))
    env, walks = make(scenario), 0
    for slot in range(4):
        env.reset(seed=11, options={"fight": slot})
        for actions, seen, terminated in history:
            walks += bool(walking(env))
            got, *_ = env.step({agent: int(actions[slot, seat]) for seat, agent in enumerate(env.possible_agents)})
            if terminated[slot].any():
                break
            for seat, agent in enumerate(env.possible_agents):
                assert got[agent]["observation"].tobytes() == seen[slot, seat].tobytes()
    assert walks > 3


@pytest.mark.parametrize("control", ["fighter", "team"])
def test_entities_tell_what_vectors_tell(control: str) -> None:
    vectors, entities, walks = make(control=control), make(control=control, observations="entities"), 0
    for env in (vectors, entities):
        env.reset(seed=2)
    rng = np.random.default_rng(2)
    for _ in range(60):
        if not vectors.agents:
            break
        assert np.array_equal(vectors._batch.vectors[0], entities._batch.vectors[0])
        assert np.array_equal(vectors._batch.masks, entities._batch.masks)
        walks += bool(walking(vectors))
        chosen = choose(vectors, rng)
        vectors.step(chosen)
        entities.step(chosen)
    assert walks > 3


def test_a_team_walks_with_one_fighter_after_another() -> None:
    env = make(control="team")
    env.reset(seed=7)
    names = env.get_action_meanings()
    for choice in ("walk", "sidestep s", "pass", "walk", "sidestep e", "pass"):
        red = "pass"
        env.step({"blue_0": names.index(choice), "red_0": names.index(red)})
    moves = {event["fighter"]: event["path"] for event in env.events if event["type"] == "move"}
    assert moves == {"knight_0": [[0, 1]], "monk_0": [[2, 3]]}


def test_agents_walk_through_the_aec_door_and_the_single_one() -> None:
    parallel, aec = make(), heart_rush_v0.raw_env(scenario=SCENARIO)
    parallel.reset(seed=4)
    aec.reset(seed=4)
    rng, walks = np.random.default_rng(4), 0
    for _ in range(40):
        if not parallel.agents:
            break
        chosen = choose(parallel, rng)
        walks += bool(walking(parallel))
        for agent in parallel.asked:
            assert aec.agent_selection == agent
            seat = parallel.possible_agents.index(agent)
            assert aec.observe(agent)["observation"].tobytes() == parallel._batch.vectors[0, seat].tobytes()
            aec.step(chosen[agent])
        parallel.step(chosen)
    assert walks > 3
    single: Any = heart_rush_v0.single_env(SCENARIO, seat="knight_0", opponent="defensive", allies="defensive")
    single.reset(seed=7)
    names = single.get_action_meanings()
    for choice in ("walk", "sidestep s", "sidestep se", "pass"):
        single.step(names.index(choice))
    moves = {event["fighter"]: event["path"] for event in single.events if event["type"] == "move"}
    assert moves["knight_0"] == [[0, 1], [1, 2]]


def test_a_walk_without_a_declaration_to_make_is_no_position() -> None:
    env = make()
    env.reset(seed=1)
    snapshot = json.loads(json.dumps(env.snapshot()))
    fighter = snapshot["position"]["position"]["fighters"][0]
    fighter["deed"] = int(WALK)
    env.restore(snapshot)
    assert walking(env) == [0]
    fighter["pending"] = False
    with pytest.raises(SnapshotError, match="it chooses the way of a dash, but is not asked for a declaration"):
        env.restore(snapshot)


@pytest.mark.parametrize("change", [{"route": [0], "route_length": 1}, {"lunged": True}])
def test_a_way_that_its_fighter_may_not_take_is_no_position(change: dict[str, Any]) -> None:
    """The first step leaves the map to the north; a fighter that has lunged has no dash."""
    env = make()
    env.reset(seed=1)
    snapshot = json.loads(json.dumps(env.snapshot()))
    fighter = snapshot["position"]["position"]["fighters"][0]
    route = change.get("route", []) + [0] * 24
    fighter |= {"deed": int(WALK), **change, "route": route[:24]}
    with pytest.raises(SnapshotError, match="fighter 0: the way that it is choosing is not one that it may take"):
        env.restore(snapshot)


def test_a_way_is_forgotten_when_it_is_walked_or_has_come_to_nothing() -> None:
    """Forgetting the path keeps the records of equal positions equal."""
    env = make()
    env.reset(seed=7)
    names, knight = env.get_action_meanings(), env._batch.records[0].fighters[0]
    for choice in ("walk", "sidestep s", "sidestep se", "pass"):
        env.step({"knight_0": names.index(choice)} | {agent: 0 for agent in env.asked if agent != "knight_0"})
    assert (knight.x, knight.y, knight.route_length) == (1, 2, 0) and not knight.route.any()
    env.reset(seed=7)
    knight.route[:2], knight.route_length = (4, 3), 2  # the state that a dash leaves if it could not be carried out
    env.step(dict.fromkeys(env.asked, 0))
    assert knight.route_length == 0 and not knight.route.any()


def test_a_walk_is_legal_wherever_any_dash_is(plainly: None) -> None:
    env, rng = make(SKILLED), np.random.default_rng(8)
    names = env.get_action_meanings()
    dashes, walk = [k for k, name in enumerate(names) if name.startswith("dash ")], names.index("walk")
    seen = set()
    for seed in range(3):
        env.reset(seed=seed)
        for _ in range(30):
            if not env.agents:
                break
            for mask in env._batch.masks[0]:
                assert mask[walk] == mask[dashes].any()
                seen.add(int(mask[walk]))
            env.step(choose(env, rng))
    assert seen == {0, 1}

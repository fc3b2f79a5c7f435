"""Picks: parts of a choice stay secret, survive snapshots and batches, and are asked of their fighter alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.records.record import read_record
from heartrush_env.records.replay import check
from heartrush_env.tabletop.errors import IllegalAction, SnapshotError
from tests.games.heart_rush.engine.asking import (
    choose,
    goes_on_from_its_snapshot,
    is_alike_in_a_batch,
    is_alike_through_the_aec_door,
    shown,
)
from tests.games.heart_rush.rules.table import PLAIN, Table
from tests.records.recorded import lines_of, record, write

FIGHTERS = [
    {"id": "knight", "team": "blue", "abilities": ["cry_of_defiance"], "destiny_talents": ["fast_friends"]},
    {"id": "monk", "team": "blue", "abilities": ["cry_of_defiance"], "talents": ["rejuvenate"]},
    {"id": "ogre", "team": "red", "abilities": ["cry_of_defiance"], "talents": ["fast_friends"]},
    {"id": "wolf", "team": "red", "talents": ["rejuvenate"]},
]
AFFLICTED = {"dazed": 2, "weakened": 1, "prone": 1}
SCENARIO = {
    "name": "picks",
    "max_rounds": 12,
    "fighter": [{**PLAIN, "rush": 3, "conditions": AFFLICTED, **fighter} for fighter in FIGHTERS],
}


def make(**options: Any) -> Any:
    return heart_rush_v0.parallel_env(scenario=SCENARIO, **options).unwrapped


def picking(env: Any) -> list[int]:
    """Return the fighters that are asked for a part of their choice."""
    fight = env._batch.records[0]
    return [i for i in range(int(fight.n)) if fight.fighters[i].picking]


@pytest.mark.parametrize(
    ("observations", "windows", "least"),
    [
        ("vector", 20, 1),
        pytest.param("vector", 30, 4, marks=pytest.mark.long),
        pytest.param("entities", 30, 4, marks=pytest.mark.long),
    ],
)
def test_others_see_nothing_of_a_choice_that_lacks_a_part_or_of_its_answers(
    observations: str, windows: int, least: int
) -> None:
    env, compared = make(observations=observations), 0
    for seed in range(1):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for _ in range(windows):
            if not env.agents:
                break
            chosen, before, window = choose(env, rng), env.snapshot(), env._batch.describe(0)["window"]
            for seat, agent in enumerate(env.possible_agents):
                if picking(env) not in ([], [seat]):
                    continue
                others = [other for other in range(4) if other != seat]
                was = [shown(env, other)[0] for other in others]
                seen = []
                for action in env._batch.legal(0, seat):
                    env.restore(before)
                    env.step({**dict.fromkeys(env.possible_agents, 0), agent: action})
                    if picking(env) == [seat]:  # its choice lacks a part
                        seen.append([shown(env, other) for other in others])
                        assert (env._batch.describe(0)["window"], env.events) == (window, [])
                        assert [look[0] for look in seen[-1]] == was
                assert all(look == seen[0] for look in seen)
                compared += len(seen) > 1
                env.restore(before)
            env.step(chosen)
    assert compared >= least


def test_only_the_fighter_that_picks_is_asked_and_sees_what_it_picks() -> None:
    owner = {"talents": ["fast_friends"], "rush": 1}
    table = Table({"knight": owner, "rogue": {}, "bard": {}, "page": {"team": "blue"}})
    table.play(knight="use_at 2 a", rogue="pass", page="pass")
    assert table.choosers() == {"knight"}
    assert all(table.legal(name) == ["pass"] for name in ("rogue", "bard", "page"))
    seen = table.sees("knight")
    told = [name for name in seen if name.startswith("pick") and seen[name]]
    assert told == ["picks creature", "pick of a", "pick part 1"]
    assert not any(value for name, value in table.sees("page").items() if name.startswith(("picks ", "pick of")))


@pytest.mark.parametrize("control", ["fighter", "team"])
def test_a_fight_goes_on_from_a_snapshot_in_the_middle_of_a_pick(control: str) -> None:
    env, other, taken, depths = make(control=control), make(control=control), 0, set()
    for seed in range(4):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while env.agents and taken < 3 * (seed + 1):
            if picking(env):
                depths.add(int(env._batch.records[0].kept_count))
                goes_on_from_its_snapshot(env, other, choose)
                taken += 1
            env.step(choose(env, rng))
    assert taken == 12
    assert {0, 1} <= depths, "picks in an outer and in an inner window"


def test_answers_are_kept_while_an_inner_window_asks_for_others() -> None:
    cries = {"abilities": ["cry_of_defiance"], "rush": 3, "conditions": {"dazed": 2, "weakened": 2}}
    table = Table({"knight": {**cries, "agility": 4}, "rogue": {**cries, "agility": 12}})
    table.play(knight="use a", rogue="use a").play(knight="pick 0", rogue="pick 0")
    # For the action window, the knight picks dazed and the rogue weakened.
    table.play(knight="pick 0", rogue="pick 2")
    assert table.window == "instant"  # the knight answers the declaration of the rogue, which is the quicker one
    table.play(knight="use a").play(knight="pick 0").play(knight="pick 2")  # for the instant: weakened
    table.pass_to("stance")
    assert (table.conditions("knight"), table.conditions("rogue")) == ({}, {"dazed": 2})
    told = [(event["fighter"], event["answer"]) for event in table.events_of("pick") if event["part"] == 1]
    assert told == [("knight", "weakened"), ("rogue", "weakened"), ("knight", "dazed")]


def test_an_illegal_answer_is_replaced_by_the_automatic_one() -> None:
    env = make()
    env.reset(seed=0)
    names = env.get_action_meanings()
    passes = dict.fromkeys(env.possible_agents, names.index("pass"))
    env.step({**passes, "knight_0": names.index("use b")})
    assert picking(env) == [0]
    env.step(passes)
    picks = [event for event in env.events if event["type"] == "pick"]
    while not picks:
        env.step(passes)
        picks += [event for event in env.events if event["type"] == "pick"]
    told = {"type": "pick", "fighter": "knight_0", "ability": "cry_of_defiance", "part": 0, "answer": "heal"}
    assert picks[0] == told


def test_an_illegal_answer_is_told_to_its_player_or_raises() -> None:
    env, strict = make(), make(illegal="raise")
    for each in (env, strict):
        each.reset(seed=0)
    names = env.get_action_meanings()
    passes = dict.fromkeys(env.possible_agents, names.index("pass"))
    use = {**passes, "knight_0": names.index("use b")}
    infos = env.step(use)[4]
    asked = {agent: info["asked"] for agent, info in infos.items()}
    assert asked == {agent: agent == "knight_0" for agent in env.possible_agents}
    infos = env.step({**passes, "knight_0": names.index("pick 9")})[4]
    assert infos["knight_0"]["illegal"] and not any(infos[agent].get("illegal") for agent in env.possible_agents[1:])
    strict.step(use)
    with pytest.raises(IllegalAction):
        strict.step({**passes, "knight_0": names.index("pick 9")})


@pytest.mark.long
def test_a_record_replays_with_its_picks(tmp_path: Path) -> None:
    recorder = record(HeartRush(SCENARIO), 3)[0]
    assert any('"pick"' in json.dumps(line) for line in lines_of(recorder))
    check(read_record(write(tmp_path, recorder.content)))


@pytest.mark.long
def test_a_batch_plays_the_same_fights_as_one_after_another() -> None:
    assert is_alike_in_a_batch(SCENARIO, 30, lambda env: bool(picking(env))) > 3


@pytest.mark.parametrize("control", ["fighter", "team"])
def test_entities_tell_what_vectors_tell(control: str) -> None:
    vectors, entities, picks = make(control=control), make(control=control, observations="entities"), 0
    for env in (vectors, entities):
        env.reset(seed=2)
    rng = np.random.default_rng(2)
    for _ in range(60):
        if not vectors.agents:
            break
        assert np.array_equal(vectors._batch.vectors[0], entities._batch.vectors[0])
        assert np.array_equal(vectors._batch.masks, entities._batch.masks)
        picks += bool(picking(vectors))
        chosen = choose(vectors, rng)
        vectors.step(chosen)
        entities.step(chosen)
    assert picks > 3


def test_agents_pick_one_after_another_through_the_aec_door() -> None:
    assert is_alike_through_the_aec_door(SCENARIO, 40, lambda env: bool(picking(env)), choose) > 3


def test_snapshots_of_before_are_restored_and_impossible_ones_are_refused() -> None:
    env = make()
    env.reset(seed=1)
    snapshot = json.loads(json.dumps(env.snapshot()))
    position = snapshot["position"]["position"]
    for fighter in position["fighters"]:
        del fighter["picking"], fighter["answers"]
    for declared in position["stack"]:
        del declared["answers"]
    env.restore(snapshot)
    assert picking(env) == []
    position["fighters"][0]["picking"] = 1
    with pytest.raises(SnapshotError, match="asked for a part that its choice does not have"):
        env.restore(snapshot)

"""One list of features, on which vectors, their reader, the state and the schema agree."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from heartrush_env.tabletop.layout import Layout, Seen, writers_of
from heartrush_env.tabletop.tables import Block, each, feature, flag, one_of

SEEN = Seen(
    moment=Block(feature("round", 0, 1, "rounds / {scale}", lambda fight: fight.round, scale=10)),
    fighter=Block(
        feature("hp", 0, 1, "hit points / {scale}", lambda fight, i: fight.fighters[i].hp, scale=8),
        one_of("is ", ("up", "down"), "its state", lambda fight, i: fight.fighters[i].state, name="state"),
    ),
    own=Block(flag("asked", "it is asked", lambda fight, i: fight.fighters[i].asked)),
    relation=Block(feature("far", -1, 1, "steps / {scale}", lambda fight, i, viewer: i - viewer, scale=4)),
    ally=Block(
        each("knows ", ("song", "dance"), "it knows it", lambda fight, i, viewer, k: fight.fighters[i].arts >> k & 1,
             name="arts")
    ),
)  # fmt: skip
LAYOUT = Layout(SEEN, enemies=2, allies=1)


def fight(team_control: bool = False) -> Any:
    fighters = [
        SimpleNamespace(hp=4, state=0, asked=True, arts=1, enemies=[2], allies=[1], enemy_count=1, ally_count=1),
        SimpleNamespace(hp=8, state=1, asked=False, arts=2, enemies=[2], allies=[0], enemy_count=1, ally_count=1),
        SimpleNamespace(hp=2, state=0, asked=True, arts=0, enemies=[0, 1], allies=[], enemy_count=2, ally_count=0),
    ]
    return SimpleNamespace(round=3, n=3, fighters=fighters, team_control=team_control)


def seen_by(viewer: int, team_control: bool = False) -> Any:
    writers, size, positions = writers_of(SEEN), len(LAYOUT.features), fight(team_control)
    out = np.zeros(3 * size, np.float32)
    changed = sum(bool(writers.own(positions, i, out, i * size, 0)) << i for i in range(3))
    for i in range(3):
        writers.others(positions, i, 2, 1, out, i * size, size, changed)
    return LAYOUT.read(out[viewer * size : (viewer + 1) * size].tolist())


def test_a_viewer_reads_what_was_written() -> None:
    assert seen_by(0) == {
        "moment": {"round": 3},
        "self": {"hp": 4, "state": "up", "asked": True},
        "enemy 1": {"hp": 2, "state": "up", "far": 2},
        "enemy 2": {"hp": 0, "state": None, "far": 0},
        "ally 1": {"hp": 8, "state": "down", "far": 1, "arts": {"dance": 1}},
    }


def test_seats_of_teams_see_what_seats_of_fighters_see() -> None:
    assert [seen_by(viewer, team_control=True) for viewer in range(3)] == [seen_by(viewer) for viewer in range(3)]


def test_only_fighters_that_have_changed_are_copied() -> None:
    writers, size, positions = writers_of(SEEN), len(LAYOUT.features), fight()
    out = np.zeros(3 * size, np.float32)
    assert [bool(writers.own(positions, 1, out, size, 0)) for _ in range(2)] == [True, False]
    writers.others(positions, 0, 2, 1, out, 0, size, 0)
    assert LAYOUT.read(out[:size].tolist())["ally 1"] == {"hp": 0, "state": None, "far": 1, "arts": {"dance": 1}}
    writers.others(positions, 0, 2, 1, out, 0, size, 1 << 1)
    assert LAYOUT.read(out[:size].tolist())["ally 1"] == {"hp": 8, "state": "down", "far": 1, "arts": {"dance": 1}}


def test_places_without_a_fighter_are_zeros() -> None:
    assert seen_by(2)["ally 1"] == {"hp": 0, "state": None, "far": 0, "arts": {}}


def test_names_follow_the_layout() -> None:
    names = [feature.name for feature in LAYOUT.features]
    assert names[:5] == ["round", "self hp", "self is up", "self is down", "self asked"]
    assert names[5:9] == ["enemy 1 hp", "enemy 1 is up", "enemy 1 is down", "enemy 1 far"]
    assert names[-2:] == ["ally 1 knows song", "ally 1 knows dance"] and len(set(names)) == len(names)


def test_the_state_has_each_fighter_by_its_index() -> None:
    out = np.zeros(len(LAYOUT.state), np.float32)
    writers_of(SEEN).state(fight(), out)
    named = dict(zip([feature.name for feature in LAYOUT.state], out.tolist(), strict=True))
    assert (named["fighter 0 hp"], named["fighter 1 hp"], named["fighter 2 hp"]) == (0.5, 1.0, 0.25)
    assert named["fighter 3 hp"] == 0 and "fighter 0 far" not in named


def test_the_schema_has_the_words_of_the_reader() -> None:
    schema, view = LAYOUT.schema()["properties"], seen_by(1)
    assert {owner: set(lines) for owner, lines in view.items()} == {
        owner: set(part["properties"]) for owner, part in schema.items()
    }
    assert schema["self"]["properties"]["state"] == {"enum": ["up", "down", None]}
    assert schema["self"]["properties"]["asked"] == {"type": "boolean"}

"""Limits beside the fields of a record: each value outside them is reported with its path and the expected values."""

from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.limits import LASTING, Limits, limits_of, outside_limits
from heartrush_env.tabletop.records import plain, record, with_known

ITEM = record([("weight", "i2", Limits(1, 9)), ("worn", "?")])
PERSON = record(
    [
        ("hp", "i2", Limits(most="hp_max")),
        ("hp_max", "i2", LASTING),
        ("die", "u1", Limits(among=(4, 6, 8))),
        ("friend", "i1", Limits(-1, below="n")),
        ("rounds", "i2", Limits(0, "rules.rounds")),
        ("levels", "i1", (3,), Limits(0, (1, 5, 2))),
        ("path_length", "i1"),
        ("path", "i1", (4,), Limits(0, below=8, count="path_length")),
        ("items", ITEM, (2,)),
        ("mind", "f4", (2,), Limits(-1.0, 1.0)),
        ("tool", "i1", Limits(lasting=True, turns=True)),
        ("free", "i1"),
    ]
)
RULES = record([("rounds", "i2"), ("talk", "?")])
SCENE = record([("n", "i1", LASTING), ("rules", RULES, LASTING), ("people", PERSON, (3,), Limits(count="n"))])


def scene() -> Any:
    """Return a scene of two people that is within all limits."""
    one = np.zeros(1, SCENE)[0]
    one.n, one.rules.rounds = 2, 10
    for person in one.people:
        person.hp = person.hp_max = 20
        person.die, person.friend = 6, -1
        person["items"]["weight"] = 1
    return one


def found(change: str, value: Any) -> list[str]:
    """Return the faults of a scene after one change, at a path such as people.1.hp."""
    one, start = scene(), scene()
    *way, last = [int(step) if step.isdecimal() else step for step in change.split(".")]
    inner: Any = one
    for step in way:
        inner = inner[step]
    inner[last] = value
    return outside_limits(plain(one), plain(start), "scene")


@pytest.mark.parametrize(
    ("change", "value", "fault"),
    [
        ("people.1.hp", 21, "scene.people[1].hp: expected at most 20 (hp_max), got 21"),
        ("people.0.tool", 1, "scene.people[0].tool: expected 0, as at the start, got 1"),
        ("people.0.die", 20, "scene.people[0].die: expected 4, 6 or 8, got 20"),
        ("people.0.friend", 2, "scene.people[0].friend: expected less than 2 (n), got 2"),
        ("people.0.friend", -2, "scene.people[0].friend: expected at least -1, got -2"),
        ("people.0.rounds", 11, "scene.people[0].rounds: expected at most 10 (rules.rounds), got 11"),
        ("people.0.levels.0", 2, "scene.people[0].levels[0]: expected at most 1, got 2"),
        ("people.0.levels.2", 3, "scene.people[0].levels[2]: expected at most 2, got 3"),
        ("people.0.path_length", 5, "scene.people[0].path_length: expected 0 to 4, got 5"),
        ("people.0.path_length", -1, "scene.people[0].path_length: expected 0 to 4, got -1"),
        ("people.1.items.1.weight", 10, "scene.people[1].items[1].weight: expected at most 9, got 10"),
        ("people.1.items.0.weight", 0, "scene.people[1].items[0].weight: expected at least 1, got 0"),
        ("people.0.mind.1", 1.5, "scene.people[0].mind[1]: expected at most 1.0, got 1.5"),
        ("people.0.mind.0", np.nan, "scene.people[0].mind[0]: expected at least -1.0, got nan"),
        ("rules.talk", True, "scene.rules.talk: expected False, as at the start, got True"),
    ],
)
def test_a_value_outside_its_limits_is_named(change: str, value: Any, fault: str) -> None:
    assert found(change, value) == [fault]


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("n", 2),  # nothing has changed
        ("people.0.levels.1", 5),
        ("people.0.friend", 1),
        ("people.2.hp", 99),  # the third person is not in the scene
        ("people.0.path.0", 9),  # the path has no steps
        ("people.0.free", -7),
        ("people.0.items.0.worn", True),
    ],
)
def test_a_value_within_its_limits_or_not_in_use_is_sound(change: str, value: Any) -> None:
    assert found(change, value) == []


def test_only_the_items_in_use_are_checked() -> None:
    one = scene()
    one.people[0].path_length = 2
    one.people[0].path[:] = 7, 8, 9, 9
    (fault,) = outside_limits(plain(one), plain(scene()), "scene")
    assert fault == "scene.people[0].path[1]: expected less than 8, got 8"


def test_every_fault_is_listed() -> None:
    one = scene()
    one.people[0].die, one.people[1].hp_max = 7, 19
    assert outside_limits(plain(one), plain(scene()), "scene") == [
        "scene.people[0].die: expected 4, 6 or 8, got 7",
        "scene.people[1].hp: expected at most 19 (hp_max), got 20",
        "scene.people[1].hp_max: expected 20, as at the start, got 19",
    ]


def test_a_record_type_keeps_its_limits_wherever_it_is_used() -> None:
    assert limits_of(SCENE).keys() == {"n", "rules", "people"}
    assert limits_of(with_known(SCENE, {"n": 2})) == limits_of(SCENE)
    assert limits_of(SCENE["people"].base) == limits_of(PERSON) == limits_of(np.zeros(2, PERSON)[:1].copy().dtype)
    assert limits_of(RULES) == {}


def test_a_value_that_turns_may_be_its_complement() -> None:
    assert found("people.0.tool", -1) == []

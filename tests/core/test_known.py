"""Records with known fields: compiled code has constants in their place, and each kind has machine code of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from heartrush_env.core.kernels import PLAIN, kernel
from heartrush_env.core.records import known_fields, layout, record, with_known
from heartrush_env.heart_rush.fights import MANY, SETTLED
from heartrush_env.heart_rush.game import HeartRush

KIND = record([("weight", "i4"), ("n", "i1"), ("kept", "?")])


@kernel
def weigh(records, out):
    for k in range(len(records)):
        out[k] = records[k].weight * (1 + records[k].n) if records[k].kept else -1


def weighed(kind: np.dtype[Any]) -> list[int]:
    records, out = np.zeros(2, kind), np.zeros(2, np.int64)
    records["weight"], records["n"], records["kept"] = [5, 7], 3, True
    weigh(records, out)
    return [int(number) for number in out]


def test_known_fields_are_part_of_the_kind_and_change_neither_size_nor_names() -> None:
    known = with_known(KIND, {"n": 3})
    assert known_fields(known) == {"n": 3} and known_fields(KIND) == {}
    assert known == KIND and np.zeros(4, KIND).view(known).dtype is known
    assert layout(known) == layout(KIND) + ", n = 3"
    assert with_known(KIND, {"n": 3}) is known, "kernels would open their machine code again for each batch"


@pytest.mark.skipif(PLAIN, reason="plain Python reads the records")
def test_compiled_code_has_the_known_value_and_other_kinds_are_read() -> None:
    """A value that is known wrongly shows that the field is not read; the order of kinds does not matter."""
    wrong, other = with_known(KIND, {"n": 1, "kept": 1}), with_known(KIND, {"kept": 0})
    assert weighed(wrong) == [10, 14]
    assert weighed(KIND) == [20, 28]
    assert weighed(other) == [-1, -1]
    assert weighed(with_known(KIND, {"n": 3})) == [20, 28]


@pytest.mark.parametrize(
    ("scenario", "options", "many", "known"),
    [
        ("duel", {"decisions": "stance"}, MANY, True),
        ("duel", {"decisions": "stance"}, MANY - 1, False),
        ("duel", {}, MANY, False),
        ("duel", {"decisions": "stance", "control": "team"}, MANY, False),
        ("melee", {"decisions": "stance"}, MANY, False),
    ],
)
def test_many_duels_of_stances_are_a_kind_of_their_own(
    scenario: str, options: dict[str, Any], many: int, known: bool
) -> None:
    fights = HeartRush(scenario, **options).batch(many)
    fields = known_fields(fights._played[0].dtype)
    match = fights._template[0]
    assert fields == ({name: int(match[name]) for name in SETTLED} if known else {})
    assert np.shares_memory(fights._played[0], fights._matches)


def test_many_duels_of_stances_are_the_fights_that_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    game, rng = HeartRush("duel", decisions="stance"), np.random.default_rng(5)
    many = game.batch(MANY)
    monkeypatch.setattr("heartrush_env.heart_rush.fights.MANY", MANY + 1)
    same = game.batch(MANY)
    assert known_fields(many._played[0].dtype) and not known_fields(same._played[0].dtype)
    for fights in (many, same):
        fights.start(range(MANY), 3, range(MANY))
    for _ in range(100):
        actions = np.where(many.masks, rng.random(many.masks.shape), -1.0).argmax(axis=2)
        for fights in (many, same):
            fights.step(actions, autoreset=True)
        for name in ("observations", "masks", "rewards", "ended", "numbers", "out", "_matches", "final_observations"):
            assert np.array_equal(getattr(many, name), getattr(same, name)), name
    assert many.numbers.min() >= MANY, "every slot has come to another fight"

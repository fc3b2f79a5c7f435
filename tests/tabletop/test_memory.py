"""Stretches of records: compared and copied by fields in plain Python, and by several bytes in machine code."""

from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.kernels import PLAIN, entry_point
from heartrush_env.tabletop.memory import copy_numbers, fetcher, one_hots, renewer
from heartrush_env.tabletop.records import record

# Stretches of 15 bytes: eight, four, two and one at a time.
STRETCH: Any = [("a", "i4"), ("b", "i2", (3,)), ("c", "i1"), ("d", "u1", (4,))]
LIVE = record([("before", "i1"), *STRETCH, ("after", "u1"), ("far", "i8", (40,))])
SEEN = record([("other", "i8"), *STRETCH, ("last", "u1")])
SHORT = record([("a", "i4"), ("d", "u1", (4,))])
renew_fields, fetch_it = renewer("a", "d"), fetcher(200)
write_rows = one_hots(5, 3)
PAST = record([("before", "i1"), ("words", "i1", (5,)), ("after", "i1")])


@entry_point
def renew(live, seen):
    return renew_fields(live[0], seen[0])


@entry_point
def fetch(live):
    fetch_it(live[0])
    return live[0].a


@entry_point
def copy_five(source, first, target, at):
    copy_numbers(source, first, target, at, 5)


@entry_point
def write_words(live, shown, out, at):
    write_rows(live[0].words, shown, out, at)


@pytest.mark.parametrize("kind", [np.float32, np.int8])
@pytest.mark.parametrize("shown", range(6))
def test_a_row_of_0_and_1_for_each_number_that_is_shown(kind: Any, shown: int) -> None:
    """Numbers without a word, and numbers that are not shown, have rows of zeros; nothing else is written."""
    live, out = np.zeros(1, PAST), np.full(20, 7, kind)
    live["words"], live["before"], live["after"] = [2, 0, -1, 3, 1], 1, 1
    write_words(live, shown, out, 2)
    rows = [[0, 0, 1], [1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 1, 0]]
    expected = [number for row in rows[:shown] for number in row] + [0] * (3 * (5 - shown))
    assert out.tolist() == [7, 7, *expected, 7, 7, 7]


def test_a_change_anywhere_in_the_stretch_is_noticed_once() -> None:
    live, seen = np.zeros(1, LIVE), np.zeros(1, SEEN)
    assert not renew(live, seen)
    for field, value in (
        ("a", -1),
        ("a", 2**24),
        ("c", 3),
        ("b", (0, 0, 256)),
        ("d", (0, 0, 0, 9)),
        ("b", (1, 0, 256)),
    ):
        live[field] = value
        assert renew(live, seen), field
        assert seen[field].tolist() == live[field].tolist()
        assert not renew(live, seen), field


def test_what_lies_around_the_stretch_is_neither_compared_nor_copied() -> None:
    live, seen = np.zeros(1, LIVE), np.zeros(1, SEEN)
    live["before"], live["after"], seen["other"], seen["last"] = 1, 2, 3, 4
    assert not renew(live, seen)
    live["d"] = 255
    assert renew(live, seen)
    assert (int(seen["other"][0]), int(seen["last"][0])) == (3, 4)


@pytest.mark.skipif(PLAIN, reason="plain Python copies by name")
def test_stretches_of_different_fields_are_refused() -> None:
    with pytest.raises(Exception, match="got 15 and 8 bytes"):
        renew(np.zeros(1, LIVE), np.zeros(1, SHORT))


def test_to_prefetch_changes_nothing() -> None:
    live = np.zeros(2, LIVE)
    live["a"] = 7
    before = live.tobytes()
    assert fetch(live) == 7
    assert live.tobytes() == before


@pytest.mark.parametrize("kind", [np.float32, np.int8])
def test_numbers_are_copied_and_none_beside_them(kind: Any) -> None:
    target = np.full(9, 77, kind)
    copy_five(np.arange(20).astype(kind), 11, target, 3)
    assert target.tolist() == [77, 77, 77, 11, 12, 13, 14, 15, 77]


def test_numbers_are_copied_within_an_array() -> None:
    row = np.arange(12, dtype=np.float32)
    copy_five(row, 0, row, 6)
    assert row.tolist() == [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 11]


@pytest.mark.skipif(PLAIN, reason="plain Python converts numbers")
def test_numbers_of_another_kind_are_refused() -> None:
    with pytest.raises(Exception, match="got float32 and int8"):
        copy_five(np.zeros(9, np.float32), 0, np.zeros(9, np.int8), 0)

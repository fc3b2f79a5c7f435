"""Readers of entries: each reads what its name says, and its data says the same in JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.entries import (
    LEFT_OUT,
    Kind,
    Reader,
    Telling,
    among,
    at_least,
    by,
    constant,
    each,
    extreme,
    flag,
    joined,
    latest,
    listed,
    magnitude,
    mirrored,
    name,
    name_in,
    number,
    one_of,
    one_or_none,
    rows,
    table,
    when,
    with_items,
    word,
    words,
)
from heartrush_env.tabletop.records import record

POOL = record([("count", "i1"), ("sides", "u1", (4,))])
ENTRY = record([("kind", "i1"), ("who", "i1"), ("amount", "i2"), ("pool", POOL), ("faces", "u1", (4,))])
NAMES = {"fighters": ["ann", "bob"], "owned": [["bow"], ["axe", "net"]]}


def entry(kind: int = 0, who: int = 1, amount: int = -3) -> Any:
    made = np.zeros(1, ENTRY)
    made[0] = kind, who, amount, (3, (8, 6, 10, 0)), (5, 1, 9, 0)
    return made[0]


@pytest.mark.parametrize(
    ("reader", "expected"),
    [
        (number("amount"), -3),
        (number("pool.sides.2"), 10),
        (magnitude("amount"), 3),
        (mirrored("amount"), 2),
        (extreme("least", "pool.sides", "pool.count"), 6),
        (extreme("most", "pool.sides", "pool.count"), 10),
        (at_least("who", 1), True),
        (among("who", (0, 2)), False),
        (constant(None), None),
        (flag("amount"), True),
        (word("who", ("no", "yes")), "yes"),
        (word("amount", ("no", "yes")), None),
        (word("pool.count", ("no", "yes"), constant("more")), "more"),
        (words("pool.count", ("one", "two", "four")), ["one", "two"]),
        (name("who", "fighters"), "bob"),
        (name("amount", "fighters"), None),
        (name_in("owned", "who", 7, 2, 2), "net"),
        (one_or_none(name("who", "fighters")), ["bob"]),
        (one_or_none(name("amount", "fighters")), []),
        (listed("who", constant("x")), [1, "x"]),
        (joined(listed("who"), listed("amount")), [1, -3]),
        (rows("pool.count", number("pool.sides.k")), [8, 6, 10]),
        (table(3, when(at_least("faces.k", 5), word("k", "abc"), constant(None)), "faces.k"), {"a": 5, "c": 9}),
        (one_of("who", [constant("first"), number("amount")]), -3),
        (with_items(rows(3, listed("pool.sides.k")), "faces"), [[8, 5], [6, 1], [10, 9]]),
        (when(at_least("amount", 0), "amount"), LEFT_OUT),
        (when(at_least("amount", 0), "amount", constant("less")), "less"),
    ],
    ids=lambda given: None if not isinstance(given, Reader) else json.dumps(given.data)[:40],
)
def test_a_reader_reads_what_its_data_says(reader: Reader, expected: Any) -> None:
    assert reader.read(entry(), NAMES, 0) == expected
    assert json.loads(json.dumps(reader.data)) == reader.data
    telling = Telling(constant("event"), {"event": Kind({"field": reader})})
    there = {} if expected is LEFT_OUT else {"field": expected}
    assert telling.events(np.array([entry(), entry()]), NAMES) == [{"type": "event", **there}] * 2


def test_entries_of_a_family_are_told_as_one_event_until_another_comes() -> None:
    """The paths of two fighters alternate; the last entry of a path says how it ends."""
    telling = Telling(
        word("kind", ("step", "say")),
        {
            "step": Kind(
                {
                    "who": name("who", "fighters"),
                    "path": each(when(at_least("amount", 0), "amount")),
                    "sides": by(constant("first"), number("amount")),
                    "end": latest(when(among("amount", [-1]), constant("wall"))),
                },
                "path",
                ("who",),
            ),
            "say": Kind({"amount": number("amount")}),
        },
    )
    log = [entry(0, 0, 5), entry(0, 1, 6), entry(0, 0, -1), entry(1, 0, 7), entry(1, 0, 8), entry(0, 0, 9)]
    assert telling.events(np.array(log), NAMES) == [
        {"type": "step", "who": "ann", "path": [5], "sides": {"first": -1}, "end": "wall"},
        {"type": "step", "who": "bob", "path": [6], "sides": {"first": 6}, "end": None},
        {"type": "say", "amount": 7},
        {"type": "say", "amount": 8},
        {"type": "step", "who": "ann", "path": [9], "sides": {"first": 9}, "end": None},
    ]
    assert json.loads(json.dumps(telling.data)) == telling.data


def test_a_number_is_told_once_by_entries_of_a_family() -> None:
    told = {"size": number(4), "amounts": each(number("amount"))}
    telling = Telling(constant("hit"), {"hit": Kind(told, family="hits")})
    assert telling.events(np.array([entry(amount=2), entry(amount=5)]), NAMES) == [
        {"type": "hit", "size": 4, "amounts": [2, 5]}
    ]

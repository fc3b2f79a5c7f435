"""Record types: their fields are aligned, can be read as attributes, and have names that NumPy leaves free."""

from typing import Any

import numba
import numpy as np
import pytest

from heartrush_env.games.heart_rush.encoding.ground import LAND
from heartrush_env.games.heart_rush.entity_kernel import entity_view_record
from heartrush_env.games.heart_rush.kernel import OPTIONS, view_record
from heartrush_env.games.heart_rush.rules.dice import POOL, ROLL
from heartrush_env.games.heart_rush.state.log import EVENT, LOG
from heartrush_env.games.heart_rush.state.record import (
    ABLE_FIGHT,
    BARE_FIGHT,
    DUEL,
    FIGHTER,
    HIT,
    MAP_FIGHT,
    MAP_FIGHTER,
    RULES,
    SET,
)
from heartrush_env.research.full_rules.positions import POSITION
from heartrush_env.tabletop.records import alignment, plain, record

INNER = record([("flag", "?"), ("key", "u8")])
OUTER = record(
    [("small", "i1"), ("inner", INNER), ("few", INNER, (3,)), ("odd", "u1", (5,)), ("wide", "i4"), ("last", "i1")]
)
FIGHTS = {"DUEL": DUEL, "BARE_FIGHT": BARE_FIGHT, "MAP_FIGHT": MAP_FIGHT, "ABLE_FIGHT": ABLE_FIGHT}
RECORDS = {"POOL": POOL, "ROLL": ROLL, "RULES": RULES, "SET": SET, "FIGHTER": FIGHTER, "MAP_FIGHTER": MAP_FIGHTER,
           "HIT": HIT, **FIGHTS, "EVENT": EVENT, "LOG": LOG,
           "OPTIONS": OPTIONS, "LAND": LAND, "POSITION": POSITION,
           "INNER": INNER, "OUTER": OUTER,
           **{f"view of {name}": view_record(kind) for name, kind in FIGHTS.items()},
           **{f"entity view of {name}": entity_view_record(kind) for name, kind in FIGHTS.items()}}  # fmt: skip


@pytest.mark.parametrize("name", RECORDS)
def test_every_field_is_aligned_and_none_overlap(name: str) -> None:
    dtype = RECORDS[name]
    end = 0
    for field in dtype.names or ():
        kind, offset = (dtype.fields or {})[field][:2]
        assert offset >= end and offset % alignment(kind) == 0, f"{name}.{field}"
        end = offset + kind.itemsize
    assert end <= dtype.itemsize
    assert dtype.itemsize % alignment(dtype) == 0, "in an array the next record is aligned too"


@pytest.mark.parametrize("name", RECORDS)
def test_compiled_code_sees_the_same_record(name: str) -> None:
    seen = numba.from_dtype(RECORDS[name])
    assert seen.size == RECORDS[name].itemsize
    assert {field: seen.offset(field) for field in RECORDS[name].names or ()} == {
        field: (RECORDS[name].fields or {})[field][1] for field in RECORDS[name].names or ()
    }


def test_the_largest_alignment_within_counts() -> None:
    assert (alignment(np.dtype("u1")), alignment(INNER), alignment(OUTER)) == (1, 8, 8)
    assert alignment(np.dtype(("i4", (3,)))) == 4
    # By hand: small at 0, inner (two words) at 8, few (three times two words) at 24, odd at 72, wide at 80, last at 84.
    assert [(OUTER.fields or {})[name][1] for name in OUTER.names or ()] == [0, 8, 24, 72, 80, 84]
    assert OUTER.itemsize == 88


def test_fields_are_attributes_and_so_are_those_of_records_within() -> None:
    outer: Any = np.zeros(1, OUTER)[0]
    outer.inner.key = 2**64 - 1
    outer.few[2].flag = True
    assert (outer["inner"]["key"], outer.few[2].key, bool(outer.few[2]["flag"])) == (2**64 - 1, 0, True)
    with pytest.raises(AttributeError, match="expected a field of the record, got 'keys'"):
        _ = outer.inner.keys


@pytest.mark.parametrize("name", ["size", "round", "all", "sum", "data", "item"])
def test_a_name_that_numpy_keeps_for_itself_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"'{name}'"):
        record([("hp", "i2"), (name, "i2")])


def test_a_plain_copy_has_the_values_of_nested_records_and_does_not_follow_the_record() -> None:
    one = np.zeros(1, OUTER)[0]
    one.small, one.inner.key, one.few[2].flag, one.odd[3] = -3, 7, True, 9
    copy, same = plain(one), plain(one)
    one.inner.key = one.small = 0
    one.few[0].flag, one.few[2].flag, one.odd[3] = True, False, 1
    assert (copy.small, copy["inner"].key, copy.inner["flag"]) == (-3, 7, False)
    assert [each.flag for each in copy.few] == [False, False, True]
    assert copy.odd.tolist() == [0, 0, 0, 9, 0]
    assert copy.inner == same.inner and copy.inner != plain(one).inner
    with pytest.raises(AttributeError, match="expected a field of the record, got 'colour'"):
        copy.colour  # noqa: B018

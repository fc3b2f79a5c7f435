"""Numba contexts of the package: record types are kept apart, and all other functions are compiled as before."""

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from numba import from_dtype, types
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.registry import cpu_target

from heartrush_env.tabletop.compiling.contexts import typing_of
from heartrush_env.tabletop.kernels import PLAIN, kernel
from heartrush_env.tabletop.records import record, with_known
from heartrush_env.tabletop.rule import compiled
from tests.processes import finished

pytestmark = pytest.mark.skipif(PLAIN, reason="plain Python compiles nothing")
ROOT = Path(__file__).resolve().parents[2]
SHORT = record([("first", "i4"), ("row", "i1", (3,))])
LONG = record([("first", "i4"), ("row", "i1", (3,)), ("more", "i4")])


def test_a_record_type_converts_to_no_other() -> None:
    """Numba takes a record for any other whose fields are the first fields of the record."""
    short, long = from_dtype(SHORT), from_dtype(LONG)
    marked, usual = typing_of(cpu_target.typing_context), cpu_target.typing_context
    with pytest.warns(NumbaExperimentalFeatureWarning):
        assert usual.can_convert(long, short) is not None
    for one, other in ((short, long), (long, short)):
        assert marked.can_convert(one, other) is None and marked.can_convert(one, one) is not None
        assert marked.can_convert(types.Array(one, 1, "C"), types.Array(other, 1, "C")) is None
    assert marked.can_convert(types.int8, types.int64) is not None


@kernel
def sum_up(records, out):
    out[0] = sum_of(records[0])


@compiled
def sum_of(each):
    return each.first + each.row[2]


def test_a_function_is_compiled_for_each_record_type_without_a_word_from_numba() -> None:
    """This holds for a record that begins with all fields of an earlier one, and for one with known fields."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", NumbaExperimentalFeatureWarning)
        for number, kind in enumerate((SHORT, LONG, with_known(LONG, {"first": 40}))):
            records, out = np.zeros(1, kind), np.zeros(1, np.int64)
            records["first"], records["row"] = number, 5
            sum_up(records, out)
            assert out[0] == (45 if number == 2 else number + 5)


def test_a_users_own_functions_are_compiled_as_before() -> None:
    """Their negative indices, records and lists in records work as ever, before and after the package's kernels."""
    done = finished(sys.executable, "-W", "ignore", "-m", "tests.tabletop.toy_user", text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-3000:]
    shown, watched = map(int, done.stdout.split())
    assert shown == 8 and watched > 5000

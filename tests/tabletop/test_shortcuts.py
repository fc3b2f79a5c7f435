"""Shortcuts in compiling change no result, and lists in records behave as they do in Python."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numba import types
from numba.core.compiler import DefaultPassBuilder, Flags

from heartrush_env.tabletop.compiling import jit, shortcuts
from heartrush_env.tabletop.kernels import PLAIN, kernel
from heartrush_env.tabletop.records import record, with_known
from heartrush_env.tabletop.rule import Making, compiled

ITEM = record([("weight", "i4"), ("marks", "i1", (3,))])
BAG = record(
    [
        ("n", "i1"), ("small", "i1", (4,)), ("wide", "i8", (4,)), ("share", "f4", (4,)), ("kept", "i1", (4,)),
        ("grid", "i2", (2, 3)), ("items", ITEM, (4,)), ("first", ITEM),
    ]
)  # fmt: skip


@kernel
def use_lists(bags, out):
    """Read and write each kind of list: small, wide, of fractions, of flags, of records, in two dimensions."""
    for bag in bags:
        for k in range(bag.n):
            bag.small[k] += k - 2
            bag.wide[k] = bag.small[k] * bag.items[k].weight
            bag.share[k] = bag.wide[k] / 3
            bag.kept[k] = bag.share[k] > 0 and not bag.kept[k]
            bag.items[k].weight -= 1
            bag.items[k].marks[k % 3] = bag.small[3 - k]
            bag.first.marks[k % 3] += bag.items[k].marks[2]
        bag.grid[1, 2] = bag.small[0]
        bag.grid[0][1] = len(bag.wide) + bag.small[1]
        row = bag.grid[1]
        row[0] = bag.kept[2]
        lasting = bag.small
        lasting[3] = total(bag.wide) % 100
        bag.items[3].marks[:] = bag.items[1].marks
    out[0] = total(bags[0].wide) + total(bags[1].wide[1:])


@compiled
def total(numbers):
    result = 0
    for number in numbers:
        result += number
    return result


def bags() -> Any:
    """Return two bags with different numbers in each field."""
    made = np.zeros(2, BAG)
    for place, bag in enumerate(made):
        bag.n = 4
        for name, first in {"small": 3, "wide": 5, "share": 7, "kept": 0}.items():
            getattr(bag, name)[:] = [(first + place * k) % 5 for k in range(4)]
        for k in range(4):
            bag.items[k].weight = 11 * k - 8 + place
    return made


@pytest.mark.skipif(PLAIN, reason="there is no machine code")
@pytest.mark.parametrize("known", [{}, {"n": 4}])
def test_lists_in_records_mean_what_they_mean_in_python(known: dict[str, int]) -> None:
    kind = with_known(BAG, known) if known else BAG
    mine, expected, (out, other) = bags().view(kind), bags(), np.zeros((2, 1), np.int64)
    use_lists(mine, out)
    use_lists.function(expected.view(np.recarray), other)
    assert mine.tobytes() == expected.tobytes()
    assert out == other
    assert mine.tobytes() != bags().tobytes()


def test_the_steps_that_are_left_out_are_steps_of_numba() -> None:
    """If a later Numba renamed a step, code would go through it unnoticed."""
    state = SimpleNamespace(func_ir=None, flags=Flags())
    usual = {step.__name__ for step, _ in DefaultPassBuilder.define_nopython_pipeline(state).passes}
    assert usual >= shortcuts.NEEDLESS
    taken = [step.__name__ for step, _ in shortcuts.steps(state)[0].passes]
    assert set(taken) == usual - shortcuts.NEEDLESS and taken[-2:] == ["NativeLowering", "NoPythonBackend"]


@pytest.mark.skipif(PLAIN, reason="there is no machine code")
def test_numba_is_asked_once_which_function_takes_which_arguments() -> None:
    def add(first: Any, second: Any) -> Any:
        return first + second

    def add_again(first: Any, second: Any) -> Any:
        return first + second + first

    def asked_for(function: Any, *arguments: Any) -> int:
        before = shortcuts._signature.cache_info().misses
        jit._dispatcher(Making(function)).compile(arguments)
        return shortcuts._signature.cache_info().misses - before

    assert asked_for(add, types.complex128, types.float32) > 0
    assert asked_for(add, types.complex128, types.float32) == 0
    assert asked_for(add_again, types.complex64, types.float32) > 0

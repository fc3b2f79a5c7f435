"""Machine code is generated once for each entry point, and every other caller of an inner function gets its own."""

import re
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.compiling.jit import compiled_kernel, for_python
from heartrush_env.tabletop.kernels import PLAIN, entry_point, kernel
from heartrush_env.tabletop.records import record, with_known
from heartrush_env.tabletop.rule import compiled, inlined, unfolded

pytestmark = pytest.mark.skipif(PLAIN, reason="plain Python links nothing")
WEIGHTS = np.array([3, 5, 7])


@compiled
def weigh(unused, numbers, k):
    """Return a sum in code long enough to stay a function; the optimiser may drop its first argument."""
    total = 0.0
    for row in range(len(numbers)):
        for turn in range(k + 1):
            if numbers[row] > turn:
                total += WEIGHTS[turn % 3] * numbers[row] / (turn + 1)
            elif numbers[row] % 2 == 0:
                total -= turn * turn
            else:
                total += np.sqrt(turn) + np.zeros(3)[turn % 3]
    return total


@inlined
def weigh_twice(numbers, k):
    return weigh(k, numbers, k) + weigh(k + 1, numbers, k + 1)


@compiled
def weigh_all(numbers):
    total = 0.0
    for k in range(3):
        total += weigh_twice(numbers, k)
    return total


@entry_point
def first_door(numbers):
    return weigh_all(numbers) + weigh(0, numbers, 7)


@entry_point
def second_door(numbers):
    return 2 * weigh_all(numbers)


def in_plain_python(numbers: Any, k: int) -> float:
    total = 0.0
    for number in numbers.tolist():
        for turn in range(k + 1):
            if number > turn:
                total += [3, 5, 7][turn % 3] * number / (turn + 1)
            elif number % 2 == 0:
                total -= turn * turn
            else:
                total += turn**0.5
    return total


def test_every_door_and_every_other_caller_gets_the_same_result() -> None:
    numbers = np.array([4, 1, 0, 9, 2])
    expected = sum(in_plain_python(numbers, k) for k in (0, 1, 1, 2, 2, 3))

    def call(numbers: Any, k: int) -> Any:
        return weigh(k, numbers, k)

    other_caller = for_python(call)
    assert first_door(numbers) == expected + in_plain_python(numbers, 7)
    assert second_door(numbers) == 2 * expected
    assert other_caller(numbers, 5) == in_plain_python(numbers, 5)


def test_an_entry_point_may_call_another() -> None:
    def call(numbers: Any) -> Any:
        return first_door(numbers) - second_door(numbers)

    numbers = np.array([6, 3])
    assert for_python(call)(numbers) == first_door(numbers) - second_door(numbers)


# -- what becomes of inner functions -----------------------------------------------------------------------------------

WEIGHT = record([("weight", "i4"), ("n", "i1")])


def code_of(kernel_of: Any, *kinds: Any) -> str:
    """Return the optimised program of a kernel, as text."""
    name = f"seen_{kernel_of.name}"
    return str(compiled_kernel(kernel_of.function, name, [(np.dtype(kind), 1) for kind in kinds], None).library.module)


@unfolded
def weigh_slowly(pair):
    """Return a sum in code too long to be inlined by itself in three places; `min` comes from Numba."""
    total = pair.weight
    for turn in range(pair.weight):
        if total % 7 == 3:
            total += turn * pair.n
        elif total % 11 == 5:
            total -= min(turn, np.int64(pair.n))
        elif total % 13 == 2:
            total ^= turn
        elif total % 19 == 4:
            total = WEIGHTS[turn % 3] * (total % 23) + np.int64(np.sqrt(total % 29)) - (turn << 2) % 31
        elif total % 37 == 6:
            total += WEIGHTS[(total >> 1) % 3] * (turn % 41) + np.int64(np.cbrt(turn)) - (total << 1) % 43
        else:
            total += np.int64(np.sqrt(turn)) + WEIGHTS[turn % 3] + WEIGHTS[total % 3] * (total % 17) - (total >> 3) % 5
    return total


@kernel
def weigh_two(pairs, out):
    out[0] = weigh_slowly(pairs[0])
    out[1] = weigh_slowly(pairs[1]) + weigh_slowly(pairs[2])


def heads_of(kind: Any) -> list[str]:
    """Return the first lines of the functions that `weigh_two` calls."""
    lines = code_of(weigh_two, kind, np.int64).splitlines()
    return [line for line in lines if line.startswith("define") and "weigh_slowly" in line.split("(")[0]]


def test_the_machine_code_of_a_kernel_is_named_alike_whichever_module_asks_for_it_first() -> None:
    """A process finds what another one has cached only if the names in the code are those of its own modules."""
    kinds, named = [(np.dtype(WEIGHT), 1), (np.dtype(np.int64), 1)], []
    for asking in ("one_asking", "another_asking"):
        module = ModuleType(asking)
        vars(module).update(compiled_kernel=compiled_kernel, function=weigh_two.function, kinds=kinds)
        exec("made = compiled_kernel(function, 'named_alike', kinds, None)", vars(module))
        named.append(vars(module)["made"].fndesc.modname)
    assert named[0] == named[1] and __name__ in named[0]


def test_an_inner_function_hands_over_no_fault() -> None:
    """The functions that rules call never fail, so no caller has to check whether they did."""
    (head,) = heads_of(WEIGHT)
    assert " void @" in head


def test_a_function_unfolds_where_fields_are_known_and_nowhere_else() -> None:
    assert heads_of(WEIGHT) and not heads_of(with_known(WEIGHT, {"n": 3}))


# -- what LLVM knows of stores -----------------------------------------------------------------------------------------

PAIR = record([("first", "i4"), ("second", "i4"), ("row", "i4", (2,))])


@kernel
def change_another_field(pairs, others, numbers):
    pairs[0].first = 5
    others[0].second = 7
    numbers[1] = pairs[0].first


@kernel
def change_an_item(pairs, others, numbers):
    pairs[0].first = 5
    numbers[0] = 7
    numbers[1] = pairs[0].first


@kernel
def change_the_same_field(pairs, others, numbers):
    pairs[0].first = 5
    others[0].first = 7
    numbers[1] = pairs[0].first


@kernel
def change_by_copying(pairs, others, numbers):
    pairs[0].first = 5
    others[0] = others[1]
    numbers[1] = pairs[0].first


@kernel
def change_an_item_of_a_field(pairs, others, numbers):
    pairs[0].row[1] = 5
    others[0].row[1] = 7
    numbers[1] = pairs[0].row[1]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (change_another_field, 5), (change_an_item, 5), (change_the_same_field, 7), (change_by_copying, 3),
        (change_an_item_of_a_field, 7),
    ],
)  # fmt: skip
def test_what_may_have_changed_is_read_again(change: Any, found: int) -> None:
    """The two arrays may be the same one."""
    pairs, numbers = np.zeros(2, PAIR), np.zeros(2, np.int32)
    pairs[1].first = 3
    change(pairs, pairs, numbers)
    assert numbers[1] == found


def test_machine_code_belongs_to_the_module_of_its_kernel_whichever_module_calls_it() -> None:
    """Kept code names the module; under the name of its first caller, the process of another caller cannot load it."""
    found = set()
    for caller in ("first", "second"):
        names: dict[str, Any] = {"__name__": caller, "compiled_kernel": compiled_kernel}
        exec("def call(*given): return compiled_kernel(*given)", names)
        found.add(names["call"](fill.function, "filled_for_callers", [(np.dtype(float), 1)], None).fndesc.modname)
    assert found == {f"heartrush_env.written.{__name__}.filled_for_callers"}


@kernel
def fill(numbers):
    """Fill an array with ones."""
    numbers[:] = 1.0


@kernel
def add_places(numbers):
    """Add its place to each number, in a loop of which LLVM would make vectors."""
    for k in range(len(numbers)):
        numbers[k] += k


def test_loops_do_not_become_vectors() -> None:
    """Vectors double the code of fights with abilities, and LLVM cannot write all of them as WebAssembly."""
    assert not re.search(r"<\d+ x i64>", code_of(add_places, np.int64))

"""A user's own functions, compiled before and after the package's kernels: python -m tests.tabletop.toy_user.

It prints how many results and programs were compared, and how many of Numba's functions and classes.
"""

import operator
import re
import sys
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.datamodel.registry import default_manager
from numba.core.registry import cpu_target

FIELDS: list[Any] = [("first", np.int32), ("row", np.int16, (3,)), ("grid", np.int8, (2, 2))]
KIND, LONGER = np.dtype(FIELDS, align=True), np.dtype([*FIELDS, ("last", np.int32)], align=True)
# The names of values and functions, strings that contain them, and addresses.
NAMES = re.compile(r'\[\d+ x i8\](?: c"[^"]*")?|[@%]"[^"]*"|[@%][\w.$]+|"[^"]*"|\d{8,}')


def from_the_end(rows: Any, k: Any) -> Any:
    rows[-1] = rows[-2] + rows[k]
    return rows[-1]


def in_a_record(records: Any, k: Any) -> Any:
    one = records[-1]
    one.row[-1] = one.row[k] + one.grid[-1, k]
    one.first += one.row[-1]
    return one.row[-1]


def first_of(one: Any) -> Any:
    return one.first


def neutral(code: str) -> str:
    """Return LLVM's code with the names of values and functions replaced by numbers, in their order."""
    names: dict[str, str] = {}
    body = [line for line in code.splitlines() if not line.startswith(("; ModuleID", "source_filename"))]
    return NAMES.sub(lambda name: names.setdefault(name[0], f"name {len(names)}"), "\n".join(body))


def compile_all() -> list[Any]:
    """Return the results and the code of all functions, each compiled by a new dispatcher."""
    shown: list[Any] = []
    records, longer = np.zeros(2, KIND), np.zeros(2, LONGER)
    for each in (records, longer):
        each["row"], each["grid"] = [1, 2, 3], [[4, 5], [6, 7]]
    calls: list[tuple[Any, ...]] = [
        (from_the_end, np.arange(5), -3), (in_a_record, records, -2), (in_a_record, longer, -2), (first_of, records[1]),
    ]  # fmt: skip
    for function, *arguments in calls:
        made = numba.njit(function)
        shown.append(int(made(*arguments)))
        for code in made.inspect_llvm().values():
            shown.append(neutral(code))
    return shown


def state() -> dict[Any, Any]:
    """Return Numba's functions and classes, and how many versions there are of what the package overrides."""
    found: dict[Any, Any] = {}
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "numba":
            for key, value in list(vars(module).items()):
                if callable(value):
                    found[name, key] = id(value)
                if isinstance(value, type) and value.__module__.startswith("numba"):
                    found |= {(name, key, inner): id(part) for inner, part in vars(value).items() if callable(part)}
    target = cpu_target.target_context
    found["list"] = default_manager._handlers[types.NestedArray]
    found["items"] = [len(target._defns[key].versions) for key in (operator.getitem, operator.setitem)]
    found["fields"] = [len(kinds[None].versions) for kinds in (target._getattrs, target._setattrs)]
    return found


def main() -> None:
    before, numba_before = compile_all(), state()
    assert before[0] == 3 + 2 and before[2] == 2 + 6

    from tests.tabletop import test_contexts

    test_contexts.test_a_function_is_compiled_for_each_record_type_without_a_word_from_numba()
    after, numba_after = compile_all(), state()
    changed = [key for key, value in numba_before.items() if numba_after.get(key) != value]
    assert not changed, f"changed: {changed}"
    assert before == after
    print(len(before), len(numba_before))


if __name__ == "__main__":
    main()

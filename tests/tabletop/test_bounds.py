"""With bounds checked, an index outside its array is a fault, and machine code without such checks is not used."""

import os
import sys
from pathlib import Path

import pytest

from heartrush_env.tabletop.kernels import PLAIN
from tests.processes import finished

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys
import numpy as np
from heartrush_env.tabletop.arrays import copy
from heartrush_env.tabletop.kernels import kernel
from heartrush_env.tabletop.records import record

@kernel
def copy_some(numbers, length, copies):
    copy(numbers[:length], copies)

BAG = record([("before", "i8"), ("numbers", "i8", (2,)), ("after", "i8", (2,))])

@kernel
def change_one(bags, place):
    bags[0].numbers[place] += bags[0].numbers[place - 1] + 1

copies = np.zeros(2, np.int64)
bags = np.zeros(1, BAG)
try:
    change_one(bags, int(sys.argv[1]) - 1)
    print(bags[0].numbers)
except SystemError as fault:
    print(fault)
try:
    copy_some(np.array([7, 8, 9]), int(sys.argv[1]), copies)
except SystemError as fault:
    print(fault)
print(copies)
"""


@pytest.mark.long
@pytest.mark.skipif(PLAIN, reason="plain Python checks them itself")
def test_an_index_outside_its_array_is_a_fault_where_bounds_are_checked(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    path = os.pathsep.join([str(ROOT), *sys.path])
    ours = {**os.environ, "HEARTRUSH_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": path}

    def run(length: int, checked: str) -> list[str]:
        variables = {**ours, "NUMBA_BOUNDSCHECK": checked}
        done = finished(sys.executable, str(program), str(length), text=True, env=variables)
        return list(done.stdout.splitlines())

    fault = "its machine code reports an unknown fault."
    assert run(2, "0") == ["[0 1]", "[7 8]"]
    assert run(2, "1") == ["[0 1]", "[7 8]"]
    assert run(3, "1") == [f"change_one: {fault}", f"copy_some: {fault}", "[7 8]"]

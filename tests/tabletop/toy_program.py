"""A function that compiles in a moment, for tests of where compiled code is kept: python -m tests.tabletop.toy_program.

Arguments: the seconds after which a wait is reported, and the user id to continue as.
"""

import os
import sys

import numpy as np

from heartrush_env.tabletop import waiting
from heartrush_env.tabletop.compiling import jit
from heartrush_env.tabletop.compiling.code_cache import USED
from heartrush_env.tabletop.kernels import entry_point


def total(numbers):
    """Return the sum of some numbers."""
    found = 0
    for number in numbers:
        found += number
    return found


def answer() -> str:
    """Return the results for two kinds of numbers, and whether each function was compiled or found."""
    before, function = len(USED), entry_point(total)  # a function that has loaded nothing yet, as in a new process
    totals = function(np.arange(5)), function(np.arange(3.0))
    return " ".join(map(str, [*totals, *("compiled" if used.compiled else "found" for used in USED[before:])]))


def main(untold: str = "600", user: str = "") -> None:
    waiting.SECONDS_UNTOLD = float(untold)  # type: ignore[misc]
    if user:
        jit.for_python(lambda: 0)()  # loads what the user may not be able to read
        os.setgroups([])
        os.setgid(int(user))
        os.setuid(int(user))
    print(answer())


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Empty rule functions one at a time, and check whether the tests that name their headings fail.

    NUMBA_DISABLE_JIT=1 python -m tests.games.heart_rush.rules.emptied heartrush_env.games.heart_rush.rules.timing

prints, as JSON, the colour of those tests for each emptied function of that module, "red" or "green": once with a
function that returns 0 (a command that does nothing, a question that is always no), once with one that returns 1
(always yes). An answer that the function always gives is left out. Tests that are marked as long are not run.
"""

import _thread
import contextlib
import dis
import importlib
import io
import json
import signal
import sys
import threading
from collections.abc import Callable, Generator
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.games.heart_rush.headings import BOOK
from heartrush_env.tabletop.flow import Flow
from tests.games.heart_rush.rules.test_headings_are_tested import named_headings

HERE = Path(__file__).parent
PATIENCE = 20.0  # seconds a test; a fight without one of its rules may go on forever
ANSWERS: dict[str, Callable[..., int]] = {"nothing": lambda *arguments: 0, "yes": lambda *arguments: 1}


class Impatience:
    """A pytest plugin that interrupts a test that does not end."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        timer = threading.Timer(PATIENCE, _thread.interrupt_main)
        timer.start()
        try:
            return (yield)
        finally:
            timer.cancel()


def colour_of(tests: set[str]) -> str:
    """Return green if these tests pass, and red if one fails or does not end."""
    names = [str(HERE / test) for test in sorted(tests)]
    options = ["-m", "not long", "-x", "-q", "-p", "no:cacheprovider", "-W", "ignore"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            code = pytest.main([*names, *options], [Impatience()])
        except AssertionError:  # an interrupted test may fail once more while its fixtures are torn down
            return "red"
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED):
        raise RuntimeError(f"pytest could not run {names}: {code!r}")
    return "green" if code == pytest.ExitCode.OK else "red"


def holders(function: Any) -> list[tuple[dict[str, Any], str]]:
    """Return every place in the package that has a name for the function."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("heartrush_env")]
    return [(vars(module), name) for module in modules for name, held in list(vars(module).items()) if held is function]


def without(functions: list[Any], answer: Callable[..., int], tests: set[str]) -> str:
    """Return the colour of the tests while these functions are emptied."""
    places = [(namespace, name, function) for function in functions for namespace, name in holders(function)]
    for namespace, name, _ in places:
        namespace[name] = answer
    try:
        return colour_of(tests)
    finally:
        for namespace, name, function in places:
            namespace[name] = function


def always_gives(functions: list[Any], answer: Callable[..., int]) -> bool:
    """Return whether each function always gives this answer: it reads no argument, calls nothing and returns it."""
    reads = ("LOAD_FAST", "CALL")
    return not any(
        step.opname.startswith(reads) for function in functions for step in dis.get_instructions(function)
    ) and all(function(*[None] * function.__code__.co_argcount) == answer() for function in functions)


def main(module: str) -> dict[str, dict[str, str]]:
    """Return the colours of one module's functions, after that of the tests with all functions in place."""
    own = [claim for claim in BOOK.claims() if claim.module == module]
    tests = {claim.function: named_headings()[claim.heading] for claim in own}
    colours = {"": {"everything": colour_of(set().union(*tests.values()))}}
    for claim in own:
        function = attrgetter(claim.function)(importlib.import_module(module))
        # A flow is played by its compiled steps, one for each edition that has it.
        emptied = function.runs if isinstance(function, Flow) else [function]
        colours[claim.function] = {
            name: without(emptied, answer, tests[claim.function])
            for name, answer in ANSWERS.items()
            if not always_gives(emptied, answer)
        }
    return colours


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells have it ignored in the background
    print(json.dumps(main(sys.argv[1])))

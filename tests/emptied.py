"""Empty the rule functions of a module one at a time, and check whether the tests of its game's rules fail.

    NUMBA_DISABLE_JIT=1 python -m tests.emptied heartrush_env.games.heart_rush.rules.timing

plays, for each function, the tests that name its heading with a marker, or all tests of rules if the game's tests have
no such markers. It prints, as JSON, the colour of those tests for each emptied function, "red" or "green": once with a
function that returns 0 (a command that does nothing, a question that is always no), once with one that returns 1
(always yes). An answer that the function always gives is left out. Tests that are marked as long are not run.
"""

import _thread
import contextlib
import dis
import gc
import importlib
import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from heartrush_env.tabletop.claims import Claim
from heartrush_env.tabletop.flow import Flow
from heartrush_env.tabletop.registry import book_of

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


def tests_of(claims: list[Claim], game: str) -> dict[str, set[str]]:
    """Return the tests, as arguments of pytest, that must fail if the function of a claim is emptied."""
    rules = f"games/{game}/rules"
    if not (HERE / rules / "test_headings_are_tested.py").exists():
        return {claim.function: {rules} for claim in claims}
    named = importlib.import_module(f"tests.games.{game}.rules.test_headings_are_tested").named_headings()
    return {claim.function: {f"{rules}/{test}" for test in named[claim.heading]} for claim in claims}


def colour_of(tests: set[str]) -> str:
    """Return green if these tests pass, and red if one fails or does not end."""
    names = [str(HERE / test) for test in sorted(tests)]
    options = ["-m", "not long", "-x", "-q", "-p", "no:cacheprovider", "-W", "ignore"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            code = pytest.main([*names, *options], [Impatience()])
        # An interrupted test may fail once more while its fixtures are torn down, or where its line has no number.
        except (AssertionError, TypeError):
            return "red"
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED):
        raise RuntimeError(f"pytest could not run {names}: {code!r}")
    return "green" if code == pytest.ExitCode.OK else "red"


def functions_of(module: str, name: str) -> list[FunctionType]:
    """Return all functions with this qualified name: several if a function defines it, as one that adds choices.

    A flow is played by its steps, which name it in their docstring; each machine has its own.
    """
    flow = vars(importlib.import_module(module)).get(name)
    told = f"The flow `{flow.name}` of {module}." if isinstance(flow, Flow) else None
    return [
        found
        for found in gc.get_objects()
        if isinstance(found, FunctionType)
        and (found.__doc__ == told if told else (found.__module__, found.__qualname__) == (module, name))
    ]


def without(functions: list[FunctionType], answer: Callable[..., int], tests: set[str]) -> str:
    """Return the colour of the tests while these functions are emptied."""
    whole = [function.__code__ for function in functions]
    for function, code in zip(functions, whole, strict=True):
        function.__code__ = answer.__code__.replace(co_freevars=code.co_freevars)
    try:
        return colour_of(tests)
    finally:
        for function, code in zip(functions, whole, strict=True):
            function.__code__ = code


def always_gives(functions: list[FunctionType], answer: Callable[..., int]) -> bool:
    """Return whether each function always gives this answer: it reads no argument, calls nothing and returns it."""
    reads = ("LOAD_FAST", "CALL")
    return not any(
        step.opname.startswith(reads) for function in functions for step in dis.get_instructions(function)
    ) and all(function(*[None] * function.__code__.co_argcount) == answer() for function in functions)


def main(module: str) -> dict[str, dict[str, str]]:
    """Return the colours of one module's functions, after that of the tests with all functions in place."""
    game = module.split(".")[2]
    own = [claim for claim in book_of(game).claims() if claim.module == module]
    tests = tests_of(own, game)
    colours = {"": {"everything": colour_of(set().union(*tests.values()))}}
    for claim in own:
        emptied = functions_of(module, claim.function)
        assert emptied, f"{module}: no function is named {claim.function}"
        colours[claim.function] = {
            name: without(emptied, answer, tests[claim.function])
            for name, answer in ANSWERS.items()
            if not always_gives(emptied, answer)
        }
    return colours


def greens(module: str) -> list[tuple[str, str]]:
    """Return each function of a module that may be emptied without a failing test, with the answer that it then gave.

    Raises:
        AssertionError: The tests fail with all functions in place, or a function was not tried.
    """
    tried = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.emptied", module], cwd=HERE.parent,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert tried.returncode == 0, tried.stderr
    colours = json.loads(tried.stdout)
    assert colours.pop("") == {"everything": "green"}
    claims = book_of(module.split(".")[2]).claims()
    assert set(colours) == {claim.function for claim in claims if claim.module == module}
    return [(function, answer) for function, seen in colours.items() for answer in seen if seen[answer] == "green"]


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells have it ignored in the background
    print(json.dumps(main(sys.argv[1])))

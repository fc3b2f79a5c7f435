"""Take abilities away from the fights of tests, or change their version, and check whether these tests fail.

    NUMBA_DISABLE_JIT=1 python -m tests.taken_away

plays the tests of Heart Rush's rules in plain Python and prints, as JSON, what no test has missed: each test that a
marker calls an interplay of abilities, with an ability without which it passes; and each ability, with a change with
which all tests that name its heading pass. A change takes the ability away, or makes it the base or the destiny version
wherever it is dealt. Tests that are marked as long are not run.
"""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from heartrush_env.games.heart_rush.abilities.all import NUMBERS, PLAYED
from heartrush_env.games.heart_rush.abilities.unit import Ability
from heartrush_env.games.heart_rush.engine import setup
from heartrush_env.games.heart_rush.scenario.abilities import TALENTS
from tests.games.heart_rush.rules.test_headings_are_tested import whole

HERE = Path(__file__).parent
RULES = HERE / "games/heart_rush/rules"
PATIENCE = 20.0  # seconds a test; a fight without one of its abilities may go on forever
INERT = next(NUMBERS[ability.name] for ability in PLAYED if not ability.functions)
GONE, BASE, DESTINY = "gone", "base", "destiny"


@contextlib.contextmanager
def dealt(name: str, change: str) -> Iterator[None]:
    """Change an ability wherever it is dealt; one that is gone leaves another in its slot, which does nothing."""
    deal = setup.put_ability

    def put(fight: Any, i: int, slot: int, owned: Any) -> None:
        deal(fight, i, slot, owned)
        if owned.name == name:
            fighter = fight.fighters[i]
            fighter.destined = int(fighter.destined) & ~(1 << slot) | (change == DESTINY) << slot
            if change == GONE:
                fighter.loadout[slot] = INERT

    setup.put_ability = put
    try:
        yield
    finally:
        setup.put_ability = deal


def fail(items: Sequence[Any], name: str, change: str) -> bool:
    """Return whether one of these collected tests fails, or does not end, with this change of an ability."""
    for item in items:
        item._initrequest()
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            with dealt(name, change):
                reports = runtestprotocol(item, log=False, nextitem=None)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if any(report.failed for report in reports):
            return True
    return False


def changes_of(ability: Ability) -> list[str]:
    """Return the changes of an ability that its tests must miss, none for one that only a sheet counts in."""
    if not ability.functions:
        return []
    return [GONE, BASE, DESTINY] if ability.entry.chapter == TALENTS else [GONE]


class Trials:
    """A pytest plugin that plays the collected tests with changed abilities; `missed` is what it has found."""

    def __init__(self) -> None:
        self.missed: list[tuple[str, str]] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        together, naming = defaultdict[tuple[str, ...], list[Any]](list), defaultdict[str, list[Any]](list)
        for item in session.items:
            for mark in item.iter_markers("interplay"):
                together[item.nodeid.split("[")[0], *mark.args].append(item)
            for heading in {whole(words) for mark in item.iter_markers("heading") for words in mark.args}:
                naming[heading].append(item)
        for (test, *names), items in together.items():
            self.missed += [(test, name) for name in names if NUMBERS[name] != INERT and not fail(items, name, GONE)]
        for ability in PLAYED:
            items = naming[f"{ability.entry.chapter} > {ability.entry.name}"]
            self.missed += [(ability.name, how) for how in changes_of(ability) if not fail(items, ability.name, how)]
        return True


def all_missed() -> list[list[str]]:
    """Return, in a process of its own, what no test has missed.

    Raises:
        AssertionError: The process has failed.
    """
    tried = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.taken_away"], cwd=HERE.parent,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert tried.returncode == 0, tried.stderr
    missed: list[list[str]] = json.loads(tried.stdout)
    return missed


def out_of_patience(*_: object) -> None:
    """Fail the test that is being played."""
    raise TimeoutError(f"expected the end of the test within {PATIENCE} seconds")


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, out_of_patience)
    trials = Trials()
    with contextlib.redirect_stdout(io.StringIO()):
        code = pytest.main([str(RULES), "-q", "-m", "not long", "-p", "no:cacheprovider", "-W", "ignore"], [trials])
    print(json.dumps(trials.missed))
    sys.exit(0 if code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) else int(code))

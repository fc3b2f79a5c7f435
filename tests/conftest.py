"""Fixtures and hooks that all tests share."""

import os
import signal
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from heartrush_agents import registry

from heartrush_env.envs import vector
from heartrush_env.tabletop.kernels import noting
from tests import cold_kernels

# Tests check standard error, and only the tests of these notices expect to find them there.
os.environ.setdefault("HEARTRUSH_QUIET", "1")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "heading(*names): headings of the rules that a test holds, by their last words")
    cold_kernels.install()
    config.addinivalue_line("markers", "interplay(*ids): abilities that all matter in a test, by their ids")
    if threading.current_thread() is threading.main_thread():  # so that processes started by tests end with them
        signal.signal(signal.SIGTERM, lambda *_: pytest.exit("terminated", returncode=128 + signal.SIGTERM))


@pytest.hookimpl(tryfirst=True)  # before fixtures play
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Compile kernels of unusual fights in long tests, in those that are marked so, and wherever rules are compiled."""
    marked = any(item.get_closest_marker(name) for name in ("long", "compiles"))
    cold_kernels.compiles = marked or "HEARTRUSH_COMPILED_RULES" in os.environ


def pytest_runtest_teardown() -> None:
    """Forget the agents that a test has registered."""
    registry._REGISTERED.clear()


@pytest.fixture
def in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share the slots evenly among threads, even though the fights are too few and too short for threads to pay."""
    monkeypatch.setattr(vector, "WAKING", 0.0)


@pytest.fixture
def plainly() -> Iterator[None]:
    """Run kernels as plain Python, even in long tests and where their machine code is kept."""
    with noting(), np.errstate(over="ignore"):
        yield

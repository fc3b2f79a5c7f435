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

# Tests check standard error, and only the tests of these notices expect to find them there.
os.environ.setdefault("HEARTRUSH_QUIET", "1")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "heading(*names): headings of the rules that a test holds, by their last words")
    if threading.current_thread() is threading.main_thread():  # so that processes started by tests end with them
        signal.signal(signal.SIGTERM, lambda *_: pytest.exit("terminated", returncode=128 + signal.SIGTERM))


def pytest_runtest_teardown() -> None:
    """Forget the agents that a test has registered."""
    registry._REGISTERED.clear()


@pytest.fixture
def in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share the slots evenly among threads, even though the fights are too few and too short for threads to pay."""
    monkeypatch.setattr(vector, "WAKING", 0.0)


@pytest.fixture
def plainly() -> Iterator[None]:
    """Run kernels as plain Python, so that none is compiled for a few short fights of an unusual kind."""
    with noting(), np.errstate(over="ignore"):
        yield

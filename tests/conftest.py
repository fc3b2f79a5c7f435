"""What all tests share."""

import os
import signal
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from heartrush_agents import registry

from heartrush_env.envs import vector
from heartrush_env.tabletop.kernels import noting

# Tests look at what is written to standard error; only those of these notices want to see them there.
os.environ.setdefault("HEARTRUSH_QUIET", "1")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "heading(*names): headings of the rules that a test holds, by their last words")
    if threading.current_thread() is threading.main_thread():  # so that what tests have started ends with them
        signal.signal(signal.SIGTERM, lambda *_: pytest.exit("terminated", returncode=128 + signal.SIGTERM))


def pytest_runtest_teardown() -> None:
    """Agents that a test registers are forgotten after it."""
    registry._REGISTERED.clear()


@pytest.fixture
def in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads share the slots evenly, although the fights are too few and too quick for that to pay."""
    monkeypatch.setattr(vector, "WAKING", 0.0)


@pytest.fixture
def plainly() -> Iterator[None]:
    """Kernels run as plain Python, so that none is compiled for a few short fights of a kind of its own."""
    with noting(), np.errstate(over="ignore"):
        yield

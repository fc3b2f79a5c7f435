"""What all tests share."""

from __future__ import annotations

import os
import signal
import threading

import pytest
from heartrush_agents import registry

# Tests look at what is written to standard error; only those of these notices want to see them there.
os.environ.setdefault("HEARTRUSH_QUIET", "1")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "heading(*paths): the headings of the rules that a test holds")
    if threading.current_thread() is threading.main_thread():  # so that what tests have started ends with them
        signal.signal(signal.SIGTERM, lambda *_: pytest.exit("terminated", returncode=128 + signal.SIGTERM))


def pytest_runtest_teardown() -> None:
    """Agents that a test registers are forgotten after it."""
    registry._REGISTERED.clear()

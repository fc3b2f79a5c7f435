"""What all tests share."""

from __future__ import annotations

import pytest
from heartrush_agents import registry


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "heading(*paths): the headings of the rules that a test holds")


def pytest_runtest_teardown() -> None:
    """Agents that a test registers are forgotten after it."""
    registry._REGISTERED.clear()

"""The types of a fight that pauses at its windows."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any


class Chosen(str):
    """The name of a choice, with the answers that complete it."""

    answers: tuple[str, ...] = ()


Actions = Mapping[str, str]
Windows = Generator[None, Actions, Any]
"""A generator that stops at each window, is sent the actions of all agents, and goes on."""

"""What runs through the windows of a fight."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any


class Chosen(str):
    """The name of a choice, with the answers that complete it."""

    answers: tuple[str, ...] = ()


Actions = Mapping[str, str]
Windows = Generator[None, Actions, Any]
"""What runs through windows: it stops at each, is sent the actions of all, and goes on."""

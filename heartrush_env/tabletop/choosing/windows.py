"""Windows: the moments of a round at which fighters choose, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Who(IntEnum):
    """The fighters that a window asks, if they are able and have more than one legal choice."""

    NOBODY, ONE, ACTING, ALL = range(4)


@dataclass(frozen=True)
class Window:
    """A window: its name, and the fighters that it asks."""

    name: str
    who: Who

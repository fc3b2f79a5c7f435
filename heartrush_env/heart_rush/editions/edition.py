"""An edition for the rest of the game: its round as a machine, and the facts stated on its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heartrush_env.core.flow import Machine

Frames = list[dict[str, Any]]  # a place of the page, as Machine.put reads it


@dataclass(frozen=True, eq=False)
class Edition:
    """The round of an edition.

    Attributes:
        page: The name of its module.
        machine: Plays its flows.
        phases: The stances whose phases an engagement has, in order.
        places: Where a line of notation may stand, by the word that the line begins with.
    """

    page: str
    machine: Machine
    phases: tuple[int, ...]
    places: Mapping[str, Frames]

"""An edition for the rest of the game: its round as a machine, and the facts stated on its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from heartrush_env.core.flow import Machine
from heartrush_env.heart_rush.engine.state import DUEL, MAP_MATCH, MATCH, STANCE
from heartrush_env.heart_rush.rules.choices import BY_TURNS
from heartrush_env.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.heart_rush.rules.terms import DUELISTS

Frames = list[dict[str, Any]]  # a place of the page, as Machine.put reads it
Kinds = tuple[np.dtype[Any], np.dtype[Any], np.dtype[Any]]  # of fights of two without a map, of more, and on a map


@dataclass(frozen=True, eq=False)
class Edition:
    """The round of an edition.

    Attributes:
        page: The name of its module.
        machine: Plays its flows.
        phases: The stances whose phases an engagement has, in order.
        places: Where a line of notation may stand, by the word that the line begins with.
        kinds: The records of its fights: of two without a map, of more without one, and on a map.
        able_kinds: The same for fights with abilities; None if it has none.
    """

    page: str
    machine: Machine
    phases: tuple[int, ...]
    places: Mapping[str, Frames]
    kinds: Kinds = DUEL, MATCH, MAP_MATCH
    able_kinds: Kinds | None = None

    @cached_property
    def stances(self) -> Machine:
        """Plays the same flows, faster, where nobody is asked for anything but a stance, and nobody has abilities."""
        return self.machine.asking(STANCE, without=ABILITY_FIELD)

    @property
    def turns(self) -> bool:
        """Whether sides take turns in it."""
        return BY_TURNS in (self.kinds[0].names or ())

    def kind(self, fighters: int, *, on_map: bool, able: bool) -> np.dtype[Any]:
        """The record of a fight of this many fighters, on a map or not, with abilities (`able`) or not."""
        kinds = self.able_kinds if able else self.kinds
        assert kinds is not None, "an edition without abilities has no fighters with them"
        return kinds[2 if on_map else int(fighters > DUELISTS)]

"""The interface of an edition: its round as a machine, and the facts that its module states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules.choices import BY_TURNS
from heartrush_env.games.heart_rush.rules.terms import DUELISTS
from heartrush_env.games.heart_rush.state.record import BARE_FIGHT, DUEL, MAP_FIGHT
from heartrush_env.tabletop.flow import Machine

Kinds = tuple[np.dtype[Any], np.dtype[Any], np.dtype[Any]]  # two fighters without a map, more, or on a map


@dataclass(frozen=True, eq=False)
class Edition:
    """An edition of the rules: its round, and the record types of its fights.

    Attributes:
        page: The name of the module that defines its round.
        machine: The machine that plays the flows of its round.
        phases: The stances whose phases an engagement has, in order.
        kinds: The record types of its fights: two fighters without a map, more without a map, and on a map.
        able_kinds: The record types of its fights with abilities, in the order of `kinds`; None if it has none.
        made_kinds: The record types of its fights with homebrew abilities, or None, in the order of `kinds`.
    """

    page: str
    machine: Machine
    phases: tuple[int, ...]
    kinds: Kinds = DUEL, BARE_FIGHT, MAP_FIGHT
    able_kinds: Kinds | None = None
    made_kinds: Kinds | None = None

    @property
    def turns(self) -> bool:
        """Whether sides take turns in this edition."""
        return BY_TURNS in (self.kinds[0].names or ())

    def kind(self, fighters: int, *, on_map: bool, able: bool, made: bool = False) -> np.dtype[Any]:
        """Return the record type for this many fighters, on a map or not.

        Args:
            fighters: The number of fighters.
            on_map: Whether the fight is on a map.
            able: Whether it has abilities.
            made: Whether any of them is a homebrew ability.
        """
        kinds = self.made_kinds if made else self.able_kinds if able else self.kinds
        assert kinds is not None, "an edition without abilities has no fighters with them"
        return kinds[2 if on_map else int(fighters > DUELISTS)]

"""Batches of fights with byte observations, and the kernels that write bytes instead of float vectors."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush import kernel
from heartrush_env.games.heart_rush.editions.edition import Edition
from heartrush_env.games.heart_rush.fights import Fights, Plan
from heartrush_env.tabletop.compact import Compact, Expanded, in_bytes
from heartrush_env.tabletop.kernels import Kernel
from heartrush_env.tabletop.rule import version

show_slot = in_bytes(kernel.show_slot)
show_slots = Kernel(version(kernel.show_slots.function, "compact", show_slot=show_slot))


@cache
def player_of(edition: Edition, stances: bool = False) -> Kernel:
    """Return the `play_slots` kernel for an edition's fights with byte observations; `stances` as in kernel.py."""
    name, moves = kernel.machine_of(edition, stances)
    return Kernel(version(kernel.play_slots, f"{name}_compact", advance=moves, show_slot=show_slot))


class CompactFights(Fights):
    """A batch of fights whose `observations` are rows of bytes; `compact` defines their layout."""

    _player_of, _show_slots, _kind_of_number = staticmethod(player_of), show_slots, np.int8

    def __init__(self, game: Plan, compact: Compact, num_fights: int, record: bool) -> None:
        self.compact = compact
        super().__init__(game, num_fights, record)
        self.vectors = Expanded(self.observations, compact)

    def _new_options(self, num_fights: int) -> Any:
        options = super()._new_options(num_fights)
        options["width"] = len(self.compact.names)
        return options

    def _shape_of_observations(self) -> tuple[int, ...]:
        return len(self.game.agents), len(self.compact.names)

"""Slots of the vectorised engine for fights of any game: fights of one game share batches, opened on demand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from heartrush_env.tabletop.game import Batch, Game

BYTES_OF_A_BATCH: Final = 4 * 2**20
MOST_SLOTS: Final = 64  # in one batch


@dataclass
class Block:
    """A batch and its free slots."""

    game: Game
    batch: Batch
    free: list[int]
    actions: np.ndarray = field(init=False)
    bytes_held: int = field(init=False)

    def __post_init__(self) -> None:
        self.actions = np.zeros((len(self.free), len(self.game.agents)), np.int64)
        self.bytes_held = len(self.free) * bytes_of_slot(self.game)


@dataclass(frozen=True)
class Slot:
    """The slot of one fight in a batch."""

    block: Block
    number: int

    @property
    def batch(self) -> Batch:
        """The batch that holds the fight."""
        return self.block.batch

    def step(self, actions: list[int]) -> None:
        """Play a window with an action for each seat."""
        self.block.actions[self.number] = actions
        self.batch.step(self.block.actions, lo=self.number, hi=self.number + 1)


def bytes_of_slot(game: Game) -> int:
    """Return the maximum memory in bytes that a fight of a game takes in a batch."""
    return game.bytes_per_fight(record=True)


class Slots:
    """All batches of a host, by the digest of their game."""

    def __init__(self) -> None:
        self._blocks: dict[str, list[Block]] = {}
        self.bytes_held = 0  # total of all batches

    def take(self, game: Game) -> Slot:
        """Return a free slot for a fight of this game; open a new batch if none is free."""
        blocks = self._blocks.setdefault(game.digest, [])
        block = next((block for block in blocks if block.free), None)
        if block is None:
            so_far = sum(len(block.actions) for block in blocks)  # the first batch of a game has a single slot
            size = int(np.clip(min(so_far, BYTES_OF_A_BATCH // bytes_of_slot(game)), 1, MOST_SLOTS))
            block = Block(game, game.batch(size, record=True), list(range(size)))
            blocks.append(block)
            self.bytes_held += block.bytes_held
        return Slot(block, block.free.pop())

    def give_back(self, slot: Slot) -> None:
        """Free a slot, and drop its batch if no fight is left in it."""
        block = slot.block
        block.free.append(slot.number)
        if len(block.free) == len(block.actions):
            blocks = self._blocks[block.game.digest]
            blocks.remove(block)
            self.bytes_held -= block.bytes_held
            if not blocks:
                del self._blocks[block.game.digest]

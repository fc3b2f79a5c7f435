"""Evaluation of policies in duels with levels: best responses, head-to-head values, and how long duels may last.

Everything is computed block by block. A block is all pairs of vectors at the same hit points and hearts. A policy is
computed one block at a time and never stored as a whole, because it has too many states.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.research.duel import EXCHANGES, TURNED, N
from heartrush_env.research.levels.duel import LevelsDuel
from heartrush_env.research.levels.kernel import play_block
from heartrush_env.research.levels.rounds import SETTLED, Play, Shrugs, Task
from heartrush_env.research.levels.table import Block, LevelsTablebase
from heartrush_env.research.query import Reader
from heartrush_env.research.zero_sum import Floats
from heartrush_env.tabletop.game import Player

ROUGHLY = 1e-6  # relative change at which growth counts as converged
ENDLESS = 1e12  # larger values count as infinite
NO_SHRUGS = np.zeros((1, 1, 1, 1), np.float32)


@dataclass(frozen=True, eq=False)
class BlockPlay:
    """A seat's policy in one block, by (vector 0, vector 1, ...)."""

    stances: Floats  # (..., stance)
    attacks: Floats  # (..., own stance, other's): probability of attacking where it may
    names: Floats  # (..., slot of the beaten stance, code)
    shrugs: NDArray[np.float32] | None = None  # (exchange, ..., damage); None if values decide


class LevelsPolicy(ABC):
    """A seat's policy in a duel with levels, given block by block."""

    values: Any = None  # values by which it decides on shrugs; None if blocks contain its shrugs

    def __init__(self, duel: LevelsDuel, seat: int) -> None:
        """Store the duel, from the side of its first fighter, and the seat."""
        self.duel, self.seat = duel, seat

    @abstractmethod
    def block(self, block: Block) -> BlockPlay:
        """Return the policy at these hit points and hearts."""


class SolvedPolicy(LevelsPolicy):
    """A solution's policy for this number of rounds left."""

    def __init__(self, table: LevelsTablebase, seat: int, rounds_left: int | None = None) -> None:
        """Play the solution in a seat."""
        super().__init__(table.levels, seat)
        self.table, self.layer = table, table.layer(rounds_left)
        self.values = table.after(self.layer)

    def block(self, block: Block) -> BlockPlay:
        """Return the policy at these hit points and hearts."""
        found, play = self.table.plays(block, self.layer), new_play(self.duel)
        play.stances[...], play.attacks[...] = found.stances[self.seat], found.attacks[self.seat]
        play.names[..., : found.names.shape[-1]] = found.names[self.seat]
        return play


class BestAnswer(LevelsPolicy):
    """A best response to a policy, given its values."""

    def __init__(self, policy: LevelsPolicy, values: Floats, after: Floats) -> None:
        """Prepare a response; `values` and `after`, the values one round later, are for the first fighter."""
        super().__init__(policy.duel, 1 - policy.seat)
        self.policy, self.found, self.values = policy, values, after

    def block(self, block: Block) -> BlockPlay:
        """Return the policy at these hit points and hearts."""
        kept = self.found[block].copy()
        play = _play(self.duel, self.found, self.values, block, [self.policy], self.seat)
        self.found[block] = kept
        return play[self.seat]


class ReadPolicy(LevelsPolicy):
    """A player's policy, read block by block."""

    def __init__(self, player: Player, duel: LevelsDuel, seat: int) -> None:
        """Prepare to read a player; raise SolverError if it has memory."""
        super().__init__(duel, seat)
        self.view: LevelsDuel = duel if seat == 0 else duel.turned()
        self.reader = Reader(player, self.view)

    def block(self, block: Block) -> BlockPlay:
        """Return the policy at these hit points and hearts."""
        view, play = self.view, new_play(self.view)
        h0, h1, k0, k1 = block if self.seat == 0 else (block[1], block[0], block[3], block[2])
        pairs = np.argwhere(np.ones(view.shape[4:], np.bool_))
        states = np.column_stack([np.tile([h0, h1, k0, k1], (len(pairs), 1)), pairs])
        shrugs = np.zeros((len(EXCHANGES), *view.shape[4:], len(view.halves)), np.float32)
        self.reader.read(states, slice(4, 6), play.stances, play.attacks, play.names, np.moveaxis(shrugs, 0, 2))
        if not view.free:
            play.names[..., 0] = 1.0
        return seen_from_first(play, shrugs if view.free else None, self.seat)


def seen_from_first(play: BlockPlay, shrugs: Any, seat: int) -> BlockPlay:
    """Return a play with its shrugs, converted from a seat's own point of view to the first fighter's."""
    if seat == 0:
        return BlockPlay(play.stances, play.attacks, play.names, shrugs)
    stances, attacks, names = (
        np.ascontiguousarray(part.transpose(1, 0, *range(2, part.ndim)))
        for part in (play.stances, play.attacks, play.names)
    )
    turned = None if shrugs is None else np.ascontiguousarray(shrugs[TURNED].transpose(0, 2, 1, 3))
    return BlockPlay(stances, attacks, names, turned)


def new_play(duel: LevelsDuel) -> BlockPlay:
    """Return an empty play: it always attacks, and has no stances yet."""
    n0, n1 = duel.shape[4:]
    codes = max(len(codes) for codes in duel.codes)
    return BlockPlay(np.zeros((n0, n1, N)), np.ones((n0, n1, N, N)), np.zeros((n0, n1, 2, codes)))


# -- values ------------------------------------------------------------------------------------------------------------


def blocks_of(duel: LevelsDuel) -> Iterator[Block]:
    """Yield all blocks, in an order in which hits lead only to earlier blocks."""
    for h0, h1, k0, k1 in product(*(range(size) for size in duel.shape[:4])):
        if h0 > 0 and h1 > 0:
            yield h0, h1, k0, k1


def play_all(policies: list[LevelsPolicy], values: Floats, after: Floats | None = None) -> Floats:
    """Fill in the first fighter's values of all states under two policies, or under one policy and its best response.

    `values` has its endings filled in; `after` is the layer with one round fewer, if the cap matters.
    """
    duel = policies[0].duel
    responder = NOBODY if len(policies) == 2 else 1 - policies[0].seat
    for block in blocks_of(duel):
        _play(duel, values, values if after is None else after, block, policies, responder)
    return values


def _play(
    duel: LevelsDuel,
    values: Floats,
    after: Floats,
    block: Block,
    policies: list[LevelsPolicy],
    responder: int,
    growth: float | None = None,
) -> tuple[BlockPlay, BlockPlay]:
    """Fill in one block; if a `growth` factor per round is given, the responder maximises the growth."""
    plays = [new_play(duel), new_play(duel)]
    by = [after, after]
    for policy in policies:
        plays[policy.seat] = policy.block(block)
        if policy.values is not None:
            by[policy.seat] = policy.values
    both = Play(*(np.stack([getattr(play, part) for play in plays]) for part in Play._fields))
    shrugs = [NO_SHRUGS if play.shrugs is None else play.shrugs for play in plays]
    reads = np.array([play.shrugs is not None for play in plays])
    task = Task(responder, 1 if responder == 0 else -1, values is after, 1.0, float(duel.worths[block[:2]]), SETTLED)
    if growth is not None:
        task = task._replace(wants=1, growth=growth, start=np.nan, enough=ROUGHLY)
    play_block(values, after, tuple(by), block, task, duel.tools, both, Shrugs(reads, *shrugs))
    first, second = (BlockPlay(*(part[seat] for part in both)) for seat in (0, 1))
    return first, second


def play_one(
    duel: LevelsDuel, values: Floats, after: Floats, block: Block, policy: LevelsPolicy, responder: int
) -> None:
    """Fill in the first fighter's values of one block under a best response to a policy."""
    _play(duel, values, after, block, [policy], responder)


def longest_with_levels(table: LevelsTablebase, growth: float) -> float:
    """Return the largest mean of growth ** rounds that an opponent of either seat's solution can reach."""
    policies = [SolvedPolicy(table, seat) for seat in (0, 1)]
    longest = [np.ones(table.duel.shape) for _ in policies]
    for block in blocks_of(table.levels):  # both seats together, since they share the solution's plays
        for policy, values in zip(policies, longest, strict=True):
            _play(table.levels, values, values, block, [policy], 1 - policy.seat, growth)
        if not max(values[block].max() for values in longest) < ENDLESS:
            return np.inf
    return float(max(values[table.duel.start] for values in longest))

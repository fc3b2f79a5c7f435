"""Evaluation of policies in duels with levels: best responses, head-to-head values, and how long duels may last.

Everything is computed block by block. A block is all pairs of vectors at the same hit points and hearts. A policy is
computed one block at a time and never stored as a whole, because it has too many states.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, CUNNING, NOBODY, STANCES
from heartrush_env.research.duel import EXCHANGES, TURNED, N
from heartrush_env.research.levels.duel import NAMES, LevelsDuel
from heartrush_env.research.levels.evaluate_kernel import play_block
from heartrush_env.research.levels.kernel import SETTLED
from heartrush_env.research.levels.table import Block, LevelsTablebase
from heartrush_env.research.query import ask, refuse_memory, refuse_yielding, window_of, yielding_windows
from heartrush_env.research.zero_sum import Floats
from heartrush_env.tabletop.game import Player

GROWTHS = (1.15, 1.1)  # growth factors tried for the bound on long duels
ROUGHLY = 1e-6  # relative change at which growth counts as converged
ENDLESS = 1e12  # larger values give no bound
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
        found = self.table.plays(block, self.layer)
        play = new_play(self.duel)
        play.stances[...] = found.mixes[self.seat]
        for stance in range(ATTACKING_STANCES):
            play.attacks[..., stance, stance] = found.backs[..., self.seat, stance]
        for slot in range(len(self.duel.beaten)):
            np.put_along_axis(play.names[..., slot, :], found.best[..., self.seat, slot, None], 1.0, axis=-1)
        return play


class BestAnswer(LevelsPolicy):
    """A best response to a policy, given its values."""

    def __init__(self, policy: LevelsPolicy, values: Floats, after: Floats) -> None:
        """Respond to a policy from the other seat; `values` are the first fighter's, `after` those a round later."""
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
        self.player = player
        refuse_memory(player, duel.game)
        self.view: LevelsDuel = duel if seat == 0 else duel.turned()
        self.columns = {name: place for place, name in enumerate(duel.game.action_names)}

    @cached_property
    def shrug_windows(self) -> list[tuple[Any, list[int]]]:
        """The windows in which the seat responds to hits, each with the exchanges that look identical in it."""
        found: dict[bytes, tuple[Any, list[int]]] = {}
        for e, exchange in enumerate(EXCHANGES):
            if (self.view.chances[..., e, 0, :] > 0).any():
                window = window_of(self.view.game, self.seat, exchange)
                state = np.array([[*self.view.hp, len(self.view.hearts[0]) - 1, 0, 0, 0]])
                looks = next(ask(None, self.view, window, state, np.ones(1, np.int64)))[1].tobytes()
                found.setdefault(looks, (window, []))[1].append(e)
        return list(found.values())

    @cached_property
    def yielding_windows(self) -> list[Any]:
        """The windows in which the seat may yield."""
        return yielding_windows(self.view)

    @cached_property
    def attack_windows(self) -> list[tuple[int, int, Any]]:
        """The windows in which attacks are chosen, as (own stance, other's stance, window)."""
        pairs = product(range(ATTACKING_STANCES), range(N))
        return [(i, j, window_of(self.view.game, self.seat, (i, j))) for i, j in pairs if MAY_ATTACK[i, j]]

    @cached_property
    def stance_window(self) -> Any:
        """The window in which stances are chosen."""
        return window_of(self.view.game, self.seat, None)

    def block(self, block: Block) -> BlockPlay:
        """Return the policy at these hit points and hearts."""
        view, shape = self.view, self.view.shape[4:]
        h0, h1, k0, k1 = block if self.seat == 0 else (block[1], block[0], block[3], block[2])
        pairs = np.argwhere(np.ones(shape, np.bool_))
        states = np.column_stack([np.tile([h0, h1, k0, k1], (len(pairs), 1)), pairs])
        refuse_yielding(self.player, view, self.yielding_windows, states)
        play = new_play(view)
        places = [self.columns[f"stance {stance}"] for stance in STANCES]
        for some, answer in self._ask(self.stance_window, states):
            play.stances[some[:, 4], some[:, 5]] = answer[:, places]
        play.stances[...] /= play.stances.sum(axis=-1, keepdims=True)
        shrugs = np.zeros((len(EXCHANGES), *shape, len(view.halves)), np.float32)
        if not view.free:
            play.names[..., 0] = 1.0
            return seen_from_first(play, None, self.seat)
        for i, j, window in self.attack_windows:
            for some, answer in self._ask(window, states):
                where = some[:, 4], some[:, 5]
                play.attacks[(*where, i, j)] = 1.0 - answer[:, self.columns["pass"]] / answer.sum(axis=1)
                if i == CUNNING and j in view.beaten:
                    named = answer[:, [self.columns[_attack(code)] for code in view.codes[0]]]
                    total = named.sum(axis=1, keepdims=True)
                    shares = np.where(total > 0, named / np.maximum(total, 1e-300), 1.0 / named.shape[1])
                    play.names[(*where, view.beaten.index(j), slice(0, named.shape[1]))] = shares
        if k0 > 0:
            self._read_shrugs(shrugs, states, h0, k0, k1)
        return seen_from_first(play, shrugs, self.seat)

    def _read_shrugs(self, shrugs: Any, states: Any, hp: int, heart: int, other: int) -> None:
        """Read the player's responses to every possible hit where the choice matters."""
        for window, exchanges in self.shrug_windows:
            chances = self.view.chances[heart, other][:, :, exchanges, 0]
            possible = (chances > 0).any(axis=(0, 1, 2)) & (self.view.halves < hp)
            hits = np.flatnonzero(possible)
            some = np.repeat(states, len(hits), axis=0)
            for part, answer in self._ask(window, some, np.tile(hits, len(states))):
                shrug, take = answer[:, self.columns["shrug"]], answer[:, self.columns["take"]]
                for e in exchanges:
                    shrugs[e, part[:, 4], part[:, 5], part[:, 6]] = shrug / (shrug + take)

    def _ask(self, window: Any, states: Any, hits: Any = None) -> Iterator[tuple[Any, Any]]:
        return ask(self.player, self.view, window, states, hits)


def _attack(code: int) -> str:
    return f"attack 1 {NAMES[code]}".strip()


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


def play_all(
    policies: list[LevelsPolicy],
    values: Floats,
    after: Floats | None = None,
) -> Floats:
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
    """Fill in one block; given a `growth` factor per round, the responder maximises the growth."""
    plays = [new_play(duel), new_play(duel)]
    by = [after, after]
    for policy in policies:
        plays[policy.seat] = policy.block(block)
        if policy.values is not None:
            by[policy.seat] = policy.values
    stances, attacks, names = (
        np.stack([getattr(play, part) for play in plays]) for part in ("stances", "attacks", "names")
    )
    shrugs = [NO_SHRUGS if play.shrugs is None else play.shrugs for play in plays]
    reads = np.array([play.shrugs is not None for play in plays])
    wants, start, enough = 1 if responder == 0 else -1, duel.cap_worth(*block[:2]), SETTLED
    if growth is not None:
        wants, start, enough = 1, np.nan, ROUGHLY
    play_block(
        values, after, values is after, by[0], by[1], block, growth or 1.0, start, enough, responder, wants, duel.tools,
        stances, attacks, names, reads, shrugs[0], shrugs[1],
    )  # fmt: skip
    first, second = (BlockPlay(stances[seat], attacks[seat], names[seat]) for seat in (0, 1))
    return first, second


def play_one(
    duel: LevelsDuel, values: Floats, after: Floats, block: Block, policy: LevelsPolicy, responder: int
) -> None:
    """Fill in the first fighter's values of one block under a best response to a policy."""
    _play(duel, values, after, block, [policy], responder)


def levels_rounds_bound(table: LevelsTablebase, enough: float, rounds: int, stake: float) -> float:
    """Return the bound of `bounds.rounds_bound` for a duel with levels."""
    worst = np.inf
    policies = [SolvedPolicy(table, seat) for seat in (0, 1)]
    for growth in GROWTHS:
        longest = [np.ones(table.duel.shape) for _ in policies]
        for block in blocks_of(table.levels):  # both seats together, since they share the solution's plays
            for policy, values in zip(policies, longest, strict=True):
                _play(table.levels, values, values, block, [policy], 1 - policy.seat, growth)
            if not max(values[block].max() for values in longest) < ENDLESS:
                break
        else:
            worst = min(worst, _chernoff(max(values[table.duel.start] for values in longest), growth, rounds, stake))
        if worst <= enough:
            break
    return float(min(worst, 2.0))


def _chernoff(longest: float, growth: float, rounds: int, stake: float) -> float:
    """Return the largest effect of duels with more than `rounds` rounds, given the mean of growth ** rounds."""
    return float(stake * np.exp(np.log(longest) - rounds * np.log(growth)))

"""Exact policies of players that remember the last reveals, read after every history that they can see.

A player with memory k is an automaton: its mode is the last k pairs of stances, its own first, and each reveal leads to
the next mode. If its play also repeats in a cycle of rounds, whose length its attribute `period` declares, the position
in the cycle is part of the mode. The states of a duel against it are hit points, heart dice and modes; best_response.py
finds the best response.

Players are read through observations only. A player's memory is taken to be what it declares (`memory`), or one reveal
more. In either case the reading is checked in engine fights with random choices, where the player must play in every
window as its reading predicts. This is a test, not a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.encoding.moment import MOST_ROUNDS
from heartrush_env.games.heart_rush.encoding.view import Columns
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.duel import EXCHANGES, Duel, refuse_levels
from heartrush_env.research.plain.play import PAIRS, Modes, PolicyArrays
from heartrush_env.research.plain.policy import Policy, read_policy
from heartrush_env.research.query import answers
from heartrush_env.research.zero_sum import Floats, SolverError
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Observation, Player, policy_of

N = len(STANCES)
DEEPEST = 2  # most reveals in the memory of a readable player; each multiplies the states by 16
MEMORY = 2 * 2**30  # default memory limit in bytes for reading and best responses
FIGHTS, STEPS, SEED = 32, 80, 5  # number, steps and seed of the fights that check a reading
TOLERANCE = 1e-6  # between a player's answers; observations are 4-byte floats

History = tuple[tuple[int, ...], ...]  # pairs of stances, the player's own first; the latest pair first
Seat = Callable[[HeartRush], Player]  # makes a player for a game


@dataclass(frozen=True)
class Recall:
    """The state of an automaton: the last `depth` pairs of stances, and the round's index in a cycle."""

    depth: int
    period: int = 1

    @cached_property
    def modes(self) -> tuple[tuple[History, int], ...]:
        """All histories, shorter ones first, each with all indices of the cycle."""
        pairs = tuple(product(range(N), repeat=2))
        histories = [history for length in range(self.depth + 1) for history in product(pairs, repeat=length)]
        return tuple((history, place) for history in histories for place in range(self.period))

    @cached_property
    def _numbers(self) -> dict[tuple[History, int], int]:
        return {mode: number for number, mode in enumerate(self.modes)}

    @property
    def words(self) -> str:
        """The memory of the automaton, in words."""
        kept = ["the last reveal" if self.depth == 1 else f"the last {self.depth} reveals"] if self.depth else []
        kept += [f"the round in a cycle of {self.period}"] if self.period > 1 else []
        return " and ".join(kept) or "no reveals"

    @property
    def size(self) -> int:
        """The number of modes."""
        return self.period * _histories(self.depth)

    @property
    def groups(self) -> int:
        """The number of modes that are still distinct when a reveal drops the oldest pair; these modes come first."""
        return self.period * _histories(max(0, self.depth - 1))

    def number(self, history: History, round: int) -> int:
        """Return the number of the mode before a round; rounds count from 1."""
        return self._numbers[history[: self.depth], (round - 1) % self.period]

    @cached_property
    def group(self) -> NDArray[np.int64]:
        """For each mode, the mode from which it does not differ when a reveal drops the oldest pair, (modes,)."""
        kept = max(0, self.depth - 1)
        return np.array([self._numbers[history[:kept], place] for history, place in self.modes], np.int64)

    @cached_property
    def then(self) -> NDArray[np.int64]:
        """The mode after each pair, (groups, own stance, other's stance)."""
        found = np.zeros((self.groups, N, N), np.int64)
        for number, (history, place) in enumerate(self.modes[: self.groups]):
            for pair in product(range(N), repeat=2):
                later = (pair, *history)[: self.depth], (place + 1) % self.period
                found[(number, *pair)] = self._numbers[later]
        return found

    @cached_property
    def turned(self) -> NDArray[np.int64]:
        """The number of each mode from the side of the other fighter, (modes,)."""
        return np.array(
            [self._numbers[tuple((b, a) for a, b in history), place] for history, place in self.modes], np.int64
        )

    @cached_property
    def arrays(self) -> Modes:
        """The modes for compiled code."""
        return Modes(self.group, self.then, PAIRS)

    def round_of(self, mode: int) -> int:
        """Return the first round in which a mode can occur."""
        history, place = self.modes[mode]
        return len(history) + 1 + (place - len(history)) % self.period

    def within(self, other: Recall) -> NDArray[np.int64]:
        """Return, for each mode of a finer recall, the mode of this recall to which it belongs, (finer modes,)."""
        return np.array([self.number(history, place + 1) for history, place in other.modes], np.int64)


def _histories(depth: int) -> int:
    return sum(N ** (2 * length) for length in range(depth + 1))


@dataclass(frozen=True, eq=False)
class RecallPolicy:
    """The policy of one seat, by (own hp, other's hp, own heart, other's heart) and mode."""

    duel: Duel  # from the side of this seat
    recall: Recall  # from the side of this seat
    stances: Floats  # (..., modes, stances)
    attacks: Any  # (..., groups, own stance, other's stance): attack probability, where it may attack
    shrugs: Any  # (..., groups, exchange, damage): shrug probability; one exchange for all if they are alike

    @property
    def arrays(self) -> PolicyArrays:
        """The tables for compiled code."""
        return PolicyArrays(self.stances, self.attacks, self.shrugs)

    def wider(self, recall: Recall) -> RecallPolicy:
        """Return this policy with a finer recall."""
        if recall == self.recall:
            return self
        modes = self.recall.within(recall)
        return self._arranged(recall, modes, self.recall.group[modes[: recall.groups]])

    def turned_modes(self, *, shrugs: bool = True) -> RecallPolicy:
        """Return this policy with modes numbered from the other fighter's side, in shrugs only if `shrugs` is set."""
        turn = self.recall.turned
        return self._arranged(self.recall, turn, turn[: self.recall.groups], shrugs=shrugs)

    def _arranged(
        self, recall: Recall, modes: NDArray[np.int64], groups: NDArray[np.int64], *, shrugs: bool = True
    ) -> RecallPolicy:
        """Return a policy of this `recall` whose modes and groups play like the given ones of this policy."""
        return RecallPolicy(
            self.duel,
            recall,
            np.ascontiguousarray(self.stances[..., modes, :]),
            np.ascontiguousarray(self.attacks[..., groups, :, :]),
            np.ascontiguousarray(self.shrugs[..., groups, :, :]) if shrugs else self.shrugs,
        )


def as_recall(policy: Policy | RecallPolicy) -> RecallPolicy:
    """Convert a policy without memory to a policy with a single mode."""
    if isinstance(policy, RecallPolicy):
        return policy
    return RecallPolicy(policy.duel, Recall(0), *policy.arrays)


def without_modes(policy: RecallPolicy) -> Policy:
    """Convert a policy with a single mode to a policy without memory."""
    tables = policy.stances[..., 0, :], policy.attacks[..., 0, :, :], policy.shrugs[..., 0, :, :]
    return Policy(policy.duel, *tables)


def widest(one: Recall, other: Recall) -> Recall:
    """Return the coarsest recall that is at least as fine as both."""
    return Recall(max(one.depth, other.depth), int(np.lcm(one.period, other.period)))


def bytes_needed(duel: Duel, recall: Recall) -> int:
    """Return an upper bound on the memory, in bytes, of a policy of this recall and its best response."""
    hits = len(EXCHANGES) if duel.free and max(map(len, duel.hearts)) > 1 else 1
    policy = recall.size * 8 * N + recall.groups * 4 * (N * N + hits * len(duel.halves))
    return int(np.prod(duel.shape)) * (2 * policy + 8 * recall.size)


def check_memory(duel: Duel, recall: Recall, allowed: int = MEMORY) -> None:
    """Raise SolverError if the product of states and modes takes more memory than allowed."""
    refuse_levels(duel.game, "analysed with memory")
    needed = bytes_needed(duel, recall)
    if needed > allowed:
        raise SolverError(
            f"{duel.game.scenario_name!r}: expected at most {allowed / 2**20:,.0f} MB, got up to "
            f"{needed / 2**20:,.0f} MB: a player who uses {recall.words} has {recall.size} modes in each "
            f"of the {duel.states} states."
        )


# -- reading players ---------------------------------------------------------------------------------------------------


def read_recall(player: Player, duel: Duel, recall: Recall, *, memory: int = MEMORY) -> RecallPolicy:
    """Read a player's policy in every state and mode of a duel; the player controls the duel's first fighter.

    A player without memory that can return its whole policy at once has the method `policy_in(duel)`. The result is
    trusted because `seated_player` has checked the player in fights.
    """
    check_memory(duel, recall, memory)
    stances = np.zeros((*duel.shape, recall.size, N))
    late = []
    for mode in range(recall.size):
        reminded = cast("Player", Reminded(player, duel.game, recall, mode))
        if hasattr(player, "policy_in") and recall.size == 1:
            late.append(player.policy_in(duel))
            stances[..., mode, :] = late[-1].stances
        elif mode < recall.groups:
            late.append(read_policy(reminded, duel))
            stances[..., mode, :] = late[-1].stances
        else:
            stances[..., mode, :] = read_policy(reminded, replace(duel, free=False)).stances
    hits = max(policy.shrugs.shape[4] for policy in late)
    shrugs = [np.broadcast_to(each.shrugs, (*each.shrugs.shape[:4], hits, each.shrugs.shape[5])) for each in late]
    attacks = np.stack([policy.attacks for policy in late], axis=4)
    return RecallPolicy(duel, recall, stances, attacks, np.stack(shrugs, axis=4))


def read_both(player: Player, duel: Duel, recall: Recall) -> tuple[RecallPolicy, RecallPolicy]:
    """Read a player's policy in each seat of a duel."""
    return read_recall(player, duel, recall), read_recall(player, duel.turned(), recall)


class Reminded:
    """A player that is shown observations of a game without memory, completed with one mode's reveals and round."""

    memory = 0

    def __init__(self, player: Player, game: HeartRush, recall: Recall, mode: int) -> None:
        """Prepare to show one mode to a player that was made for a game with enough memory."""
        self._player, self._history, self._depth = player, recall.modes[mode][0], recall.depth
        self._shows = getattr(getattr(player, "game", game), "memory", 0)
        self._round, self._left = recall.round_of(mode), game.scenario.max_rounds - recall.round_of(mode)
        place = {name: number for number, name in enumerate(game.feature_names)}
        self._moment = Columns(game.feature_names, ("round", "rounds_left"))
        sides = ("self", "enemy 1")
        self._now = [[place[f"{side} stance {stance}"] for stance in STANCES] for side in sides]
        self._past = np.array(
            [
                [[place[f"{side} reveal {k + 1} {stance}"] for stance in STANCES] for k in range(recall.depth)]
                for side in sides
            ],
            np.intp,
        ).reshape(2, recall.depth, N)

    def show(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Convert observations of a game without memory, (n, features), to those of this mode."""
        shown = features.copy()
        if self._shows != 0:
            self._moment.write(shown, np.clip((self._round, self._left), 0, MOST_ROUNDS))
        revealed = features[:, self._now[0]].any(axis=1)
        for side in (0, 1):
            past = [pair[side] for pair in self._history]
            if self._depth:
                shown[:, self._past[side, 0]] = features[:, self._now[side]]
            for back, stance in enumerate(past):
                shown[~revealed, self._past[side, back, stance]] = 1.0
                if back + 1 < self._depth:
                    shown[revealed, self._past[side, back + 1, stance]] = 1.0
        return shown

    def policy(self, observation: Observation) -> Any:
        """Return the player's policy for one observation."""
        one = observation["observation"][None], observation["action_mask"][None]
        return self.policies(*one)[0]

    def policies(self, features: NDArray[np.float32], masks: NDArray[np.int8]) -> Any:
        """Return the player's policies for many observations, (n, actions)."""
        return answers(self._player, self.show(features), masks)


def seated_player(seat: Seat, game: HeartRush) -> tuple[Player, Recall]:
    """Return a player, made for a game that shows exactly as many reveals as it uses, and the player's recall.

    Args:
        seat: Makes a player for a game.
        game: The game to play.

    Raises:
        SolverError: The player cannot be read in this game, for the reason that the message gives.
    """
    refuse_levels(game, "analysed with memory")
    first = seat(game)
    declared, period = first.memory, int(getattr(first, "period", 1))
    who = type(first).__name__
    if not isinstance(declared, int):
        raise SolverError(
            f"{who}: expected a player that uses only the last reveals, got one that remembers the whole match."
        )
    if declared > DEEPEST:
        raise SolverError(f"{who} uses the last {declared} reveals, but at most {DEEPEST} can be handled.")
    for depth in range(declared, min(declared + 1, DEEPEST) + 1):
        recall = Recall(depth, period)
        shows = max(depth, int(period > 1))
        most = 8 if game.memory is None else game.memory
        if shows > most:
            break
        bare = HeartRush(game.scenario, decisions=game.decisions, shape=game.shape.name, memory=shows)
        try:
            player = seat(bare)
        except HeartRushError:  # a player that refuses so short a memory uses more
            continue
        if _is_borne_out(player, first, bare, game, recall):
            return player, recall
    raise SolverError(
        f"{who} declares that it uses {Recall(declared, period).words}, but its choices in fights depend on more."
    )


def _is_borne_out(player: Player, first: Player, bare: HeartRush, game: HeartRush, recall: Recall) -> bool:
    """Return whether a player plays as its reading predicts in real fights with random choices."""
    blind = HeartRush(game.scenario, decisions=game.decisions, shape=game.shape.name, memory=0)
    everything = HeartRush(game.scenario, decisions=game.decisions, shape=game.shape.name)
    batches = [each.batch(FIGHTS) for each in (game, blind, everything)]
    for batch in batches:
        batch.start(range(FIGHTS), SEED, range(FIGHTS))
    reminded: dict[int, Reminded] = {}
    chance = np.random.default_rng(SEED)
    first.new_match()
    for _ in range(STEPS):
        real, unseen, whole = batches
        for slot, seat in np.argwhere((real.masks.sum(axis=2) > 1) & ~real.terminated[:, None]):
            mask = real.masks[slot, seat]
            mode = _mode_of(whole.observations[slot, seat], everything, recall)
            if mode not in reminded:
                reminded[mode] = Reminded(player, bare, recall, mode)
            told = policy_of(first, {"observation": real.observations[slot, seat], "action_mask": mask})
            read = reminded[mode].policy({"observation": unseen.observations[slot, seat], "action_mask": mask})
            if np.abs(np.asarray(told, np.float64) - read).max() > TOLERANCE:
                return False
        actions = (real.masks * chance.random(real.masks.shape)).argmax(axis=2)
        for batch in batches:
            batch.step(actions)
    return True


def _mode_of(features: NDArray[np.float32], game: HeartRush, recall: Recall) -> int:
    """Return the mode in which the round of an observation began; the observation shows all reveals."""
    place = {name: number for number, name in enumerate(game.feature_names)}

    def shown(what: str) -> tuple[int, ...]:
        rows = [[features[place[f"{side} {what} {stance}"]] for stance in STANCES] for side in ("self", "enemy 1")]
        return tuple(int(np.argmax(row)) for row in rows if any(row))

    revealed = len(shown("stance")) > 0
    pairs = [shown(f"reveal {back + 1 + revealed}") for back in range(recall.depth)]
    history = tuple((pair[0], pair[1]) for pair in pairs if len(pair) > 1)
    return recall.number(history, Columns(game.feature_names, "round").one(features))

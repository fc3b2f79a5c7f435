"""What a way to play is worth against the best answer to it, and against another one: exact, over all states.

The responder knows the policy and nothing of its dice. Policies that are read from players do not look at the round,
so without a cap that counts they are answered state by state, once each; with one, by rounds left. Where a policy lets
itself be held off for ever, that is worth what the round cap gives: usually a draw.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from heartrush_env.core.game import Player
from heartrush_env.core.rule import compiled, entry_point
from heartrush_env.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.heart_rush.rules.terms import STANCES
from heartrush_env.heart_rush.solver.duel import EXCHANGE, NOTHING, TURNED, Duel
from heartrush_env.heart_rush.solver.levels.evaluate import (
    BestAnswer,
    LevelsPolicy,
    ReadPolicy,
    SolvedPolicy,
    levels_rounds_bound,
    play_all,
)
from heartrush_env.heart_rush.solver.levels.table import LevelsTablebase
from heartrush_env.heart_rush.solver.plain.policy import Policy, read_policy, shrugs_for, solved_policy
from heartrush_env.heart_rush.solver.tablebase import Tablebase
from heartrush_env.solver.zero_sum import Floats, SolverError

N = len(STANCES)
GROWTHS = (1.15, 1.12, 1.2)  # of the bound on long duels; which one is tightest depends on the duel
SLACK = 1e-14  # an improvement of a response that is none

# A policy that looks at the rounds left is a function of them.
Plays = Policy | Callable[[int | None], Policy]
LevelsPlays = LevelsPolicy | Callable[[int | None], LevelsPolicy]


@dataclass(frozen=True, eq=False)
class Response:
    """The best answer to a policy."""

    value: float  # to the responder, from the start: its chance to win less its chance to lose
    values: Floats  # of all states, (own hp, other's hp, own heart, other's heart), with all rounds left
    policy: Any  # the answer, a Policy or a LevelsPolicy; with a cap that counts, that of the first round


@dataclass(frozen=True)
class Exploitability:
    """What best responses gain over the value of the game."""

    gains: tuple[float, float]  # against the policy in the first seat, and against it in the second
    response_values: tuple[float, float]  # to the responder, of the best answers to them

    @property
    def nash_conv(self) -> float:
        """Both together; 0 for an equilibrium."""
        return sum(self.gains)


def best_response(policy: Plays | LevelsPlays, rounds: int | None = None) -> Response:
    """The best answer to a policy, from the other seat; `rounds` is the cap, where it counts."""
    if isinstance(_at(policy, rounds), LevelsPolicy):
        return _best_levels_response(policy, rounds)
    duel = _at(policy, rounds).duel.turned()
    values, stances, attacks = duel.new_values(), np.zeros((*duel.shape, N)), np.zeros((*duel.shape, N, N), np.float32)
    if rounds is None:
        own = Policy(duel, stances, attacks, np.zeros((1, 1, 1, 1, 1, 1), np.float32))
        _play(duel, values, values, own, _at(policy, None), responds=True)
        after = values
    else:
        after = duel.at_cap()
        for left in range(1, rounds + 1):
            values = duel.new_values()
            own = Policy(duel, stances, attacks, np.zeros((1, 1, 1, 1, 1, 1), np.float32))
            _play(duel, values, after, own, _at(policy, left), responds=True)
            before, after = after, values
        after = before
    answer = Policy(duel, stances, attacks, shrugs_for(duel, after))
    return Response(float(values[duel.start]), values, answer)


def head_to_head(first: Plays | LevelsPlays, second: Plays | LevelsPlays, rounds: int | None = None) -> float:
    """The first fighter's chance to win less its chance to lose, the first policy in the first seat."""
    if isinstance(_at(first, rounds), LevelsPolicy):
        return _levels_head_to_head(first, second, rounds)
    duel = _at(first, rounds).duel
    if _at(second, rounds).duel.seats != duel.seats[::-1]:
        raise SolverError("head_to_head needs policies of different seats, and these are of the same.")
    values = duel.new_values()
    if rounds is None:
        _play(duel, values, values, _at(first, None), _at(second, None), responds=False)
        return float(values[duel.start])
    after = duel.at_cap()
    for left in range(1, rounds + 1):
        values = duel.new_values()
        _play(duel, values, after, _at(first, left), _at(second, left), responds=False)
        after = values
    return float(values[duel.start])


def _best_levels_response(policy: Any, rounds: int | None) -> Response:
    """The same of a duel with levels."""
    asked = _at(policy, rounds)
    duel, sign = asked.duel, -1 if asked.seat == 0 else 1
    if rounds is None:
        values = play_all([asked], duel.new_values())
        after = values
    else:
        before = duel.at_cap()
        for left in range(1, rounds + 1):
            after, values = before, duel.new_values()
            before = play_all([_at(policy, left)], values, after)
    return Response(sign * float(values[duel.start]), sign * values, BestAnswer(asked, values, after))


def _levels_head_to_head(first: Any, second: Any, rounds: int | None) -> float:
    """The same of a duel with levels."""
    duel = _at(first, rounds).duel
    if (_at(first, rounds).seat, _at(second, rounds).seat) != (0, 1):
        raise SolverError("head_to_head needs policies of different seats, the first seat's first.")
    if rounds is None:
        return float(play_all([_at(first, None), _at(second, None)], duel.new_values())[duel.start])
    after = duel.at_cap()
    for left in range(1, rounds + 1):
        after = play_all([_at(first, left), _at(second, left)], duel.new_values(), after)
    return float(after[duel.start])


def exploitability(table: Tablebase, policies: tuple[Any, Any] | None = None) -> Exploitability:
    """What best answers gain against a policy for each seat, over what the duel is worth; the table's own usually."""
    first, second = policies or solved_policies(table)
    answers = best_response(first, table.rounds).value, best_response(second, table.rounds).value
    return Exploitability((answers[0] + table.value, answers[1] - table.value), answers)


def solved_policies(table: Tablebase) -> tuple[Any, Any]:
    """What a solution plays in each seat."""
    if isinstance(table, LevelsTablebase):
        if table.rounds is None:
            return SolvedPolicy(table, 0), SolvedPolicy(table, 1)
        return lambda left: SolvedPolicy(table, 0, left), lambda left: SolvedPolicy(table, 1, left)
    if table.rounds is None:
        return solved_policy(table, 0), solved_policy(table, 1)
    return lambda left: solved_policy(table, 0, left), lambda left: solved_policy(table, 1, left)


def read_policies(player: Player | tuple[Player, Player], table: Tablebase) -> tuple[Any, Any]:
    """What a player answers in each seat, or one player in the first and one in the second."""
    first, second = player if isinstance(player, tuple) else (player, player)
    if isinstance(table, LevelsTablebase):
        return ReadPolicy(first, table.levels, 0), ReadPolicy(second, table.levels, 1)
    return read_policy(first, table.duel), read_policy(second, table.duel.turned())


def rounds_bound(table: Tablebase, enough: float, rounds: int, stake: float) -> float:
    """A bound on what duels of more than so many rounds can change; stops looking at one that is low `enough`.

    `stake` is what such a duel may change at most. One side plays the solution, the other whatever makes the duel
    longest: with M the most that the mean of growth ** rounds can be, the chance of more than N rounds is at most
    M / growth ** N (Chernoff's bound).
    """
    if isinstance(table, LevelsTablebase):
        return levels_rounds_bound(table, enough, rounds, stake)
    worst = np.inf
    policies = [solved_policy(table, seat) for seat in (0, 1)]
    for growth in GROWTHS:
        longest = max(_growth_of(policy, growth) for policy in policies)
        worst = min(worst, stake * np.exp(np.log(longest) - rounds * np.log(growth)))
        if worst <= enough:
            break
    return float(min(worst, 2.0))


def _growth_of(policy: Policy, growth: float) -> float:
    """The largest mean of growth ** rounds against a policy."""
    duel = policy.duel.turned()
    values = np.ones(duel.shape)
    stances, attacks = np.zeros((*duel.shape, N)), np.zeros((*duel.shape, N, N), np.float32)
    own = Policy(duel, stances, attacks, np.zeros((1, 1, 1, 1, 1, 1), np.float32))
    _play(duel, values, values, own, policy, responds=True, growth=growth)
    return float(values[duel.start])


def _at(policy: Plays | LevelsPlays, rounds_left: int | None) -> Any:
    return policy if isinstance(policy, Policy | LevelsPolicy) else policy(rounds_left)


def _play(
    duel: Duel, here: Floats, after: Floats, own: Policy, other: Policy, *, responds: bool, growth: float = 1.0
) -> None:
    play_layer(
        here, after, here is after, growth, duel.free, responds, duel.at_cap(), 1, 1, duel.below[0],
        duel.chances, duel.most, duel.idle, duel.halves, EXCHANGE, TURNED,
        own.stances, own.attacks, own.shrugs, other.stances, other.attacks, other.shrugs,
    )  # fmt: skip


def own_tables(shape: tuple[int, ...]) -> tuple[Any, Any, Any]:
    """Room for a best answer over states of this shape: stances, attacks, and shrugs that values decide."""
    return np.zeros((*shape, N)), np.zeros((*shape, N, N), np.float32), np.zeros((1, 1, 1, 1, 1, 1), np.float32)


def play_part(
    duel: Duel, here: Floats, after: Floats, own: tuple[Any, Any, Any], other: tuple[Any, ...], known: tuple[int, int]
) -> None:
    """Write what states are worth to the first fighter's best answer, those of few hit points of either side aside.

    Args:
        duel: Whose dice are thrown.
        here: The values to write; those with at most `known` hit points, as arrays count them, stand already.
        after: What states are worth a round later, of the same shape, or `here` itself.
        own: Where the answer is written, as `own_tables` gives it.
        other: Stances, attacks and shrugs of the other fighter, from its side.
        known: Hit points of the first and of the other fighter.
    """
    play_layer(
        here, after, here is after, 1.0, duel.free, True, duel.at_cap(), known[0] + 1, known[1] + 1, duel.below[0],
        duel.chances, duel.most, duel.idle, duel.halves, EXCHANGE, TURNED, *own, *other,
    )  # fmt: skip


# -- compiled ----------------------------------------------------------------------------------------------------------


@entry_point
def play_layer(
    here: Any, after: Any, loops: Any, growth: Any, free: Any, responds: Any, at_cap: Any,
    first_1: Any, first_2: Any, below: Any,
    chances: Any, most: Any, idle: Any, halves: Any, exchange: Any, turned: Any,
    own_stances: Any, own_attacks: Any, own_shrugs: Any, stances: Any, attacks: Any, shrugs: Any,
) -> None:  # fmt: skip
    """Write what every state is worth to the first fighter against a policy of the other.

    The first fighter follows its own policy, or `responds` and writes the best one. Each round multiplies what follows
    by `growth`. The policies are indexed from their own sides. States of fewer hit points than `first_1` and `first_2`
    stand already; the first fighter is out so far `below` 0.
    """
    kinds = len(idle[0, 0])
    width = len(halves)
    own_hit, other_hit = np.zeros((2, width)), np.zeros((2, width))  # taken, shrugged off
    worth, stay = np.zeros(kinds), np.zeros(kinds)
    for h1 in range(first_1, here.shape[0]):
        for h2 in range(first_2, here.shape[1]):
            for k1 in range(here.shape[2]):
                for k2 in range(here.shape[3]):
                    for damage in range(1, width):
                        half = halves[damage]
                        own_hit[0, damage] = after[max(0, h1 - damage), h2, k1, k2]
                        own_hit[1, damage] = after[max(0, h1 - half), h2, k1 - 1, k2] if k1 > 0 else 0.0
                        if responds and k1 > 0 and answers_shrug(own_hit, damage, h1 - below, free):
                            own_hit[0, damage] = own_hit[1, damage]
                        other_hit[0, damage] = after[h1, max(0, h2 - damage), k1, k2]
                        other_hit[1, damage] = after[h1, max(0, h2 - half), k1, k2 - 1] if k2 > 0 else 0.0
                    for e in range(kinds):
                        total = 0.0
                        if responds or k1 == 0:
                            for damage in range(1, most[k1, k2, e, 0] + 1):
                                total += chances[k1, k2, e, 0, damage] * own_hit[0, damage]
                        else:
                            view = e if own_shrugs.shape[4] > 1 else 0
                            for damage in range(1, most[k1, k2, e, 0] + 1):
                                share = np.float64(own_shrugs[h1, h2, k1, k2, view, damage])
                                mean = own_hit[0, damage] + share * (own_hit[1, damage] - own_hit[0, damage])
                                total += chances[k1, k2, e, 0, damage] * mean
                        view = turned[e] if shrugs.shape[4] > 1 else 0
                        for damage in range(1, most[k1, k2, e, 1] + 1):
                            mean = other_hit[0, damage]
                            if k2 > 0:
                                share = np.float64(shrugs[h2, h1, k2, k1, view, damage])
                                mean += share * (other_hit[1, damage] - mean)
                            total += chances[k1, k2, e, 1, damage] * mean
                        worth[e] = growth * total
                        stay[e] = growth * idle[k1, k2, e]
                    mix, strikes = stances[h2, h1, k2, k1], attacks[h2, h1, k2, k1]
                    stays = after[h1, h2, k1, k2]
                    if responds:
                        here[h1, h2, k1, k2] = answer(
                            worth, stay, growth, exchange, mix, strikes, loops, stays, at_cap[h1, h2, k1, k2], free,
                            own_stances[h1, h2, k1, k2], own_attacks[h1, h2, k1, k2],
                        )  # fmt: skip
                        continue
                    ends, idles = 0.0, 0.0
                    for i in range(N):
                        share = own_stances[h1, h2, k1, k2, i]
                        for j in range(N):
                            one = np.float64(own_attacks[h1, h2, k1, k2, i, j])
                            for own, often in ((0, 1.0 - one), (1, one)):
                                gained, stayed = weigh(worth, stay, growth, exchange, i, j, own, strikes[j, i])
                                ends += share * mix[j] * often * gained
                                idles += share * mix[j] * often * stayed
                    if not loops:
                        here[h1, h2, k1, k2] = ends + idles * stays
                    else:
                        here[h1, h2, k1, k2] = ends / (1.0 - idles) if idles < 1.0 - SLACK else at_cap[h1, h2, k1, k2]


@compiled
def answers_shrug(own_hit: Any, damage: Any, hp: Any, free: Any) -> Any:
    """Whether the responder shrugs off: where it is better, or where the default does."""
    return own_hit[1, damage] > own_hit[0, damage] if free else (damage >= SHRUG_FROM or damage >= hp)


@compiled
def weigh(worth: Any, stay: Any, growth: Any, exchange: Any, i: Any, j: Any, own: Any, strikes: Any) -> Any:
    """What hits are worth, and the chance that none falls, in these stances, if the other attacks so often."""
    gained, stayed = 0.0, 0.0
    for other in range(2):
        often = np.float64(strikes) if other == 1 else 1.0 - np.float64(strikes)
        e = exchange[i, j, own, other]
        if e == NOTHING:
            stayed += often * growth
        else:
            gained += often * worth[e]
            stayed += often * stay[e]
    return gained, stayed


@compiled
def answer(
    worth: Any, stay: Any, growth: Any, exchange: Any, mix: Any, strikes: Any, loops: Any, stays: Any, at_cap: Any,
    free: Any, best_stance: Any, best_attacks: Any,
) -> Any:  # fmt: skip
    """The value of the best choices of one state, which are written down.

    Where a round without a hit leads back here, choices are improved until they are the best for the value that they
    have themselves (policy iteration); it only rises, and there are few choices.
    """
    value, best, holds_off = (-np.inf if loops else stays), 0, False
    for _ in range(50):
        found, stance = -np.inf, 0
        for i in range(N):
            ends, idles = 0.0, 0.0
            for j in range(N):
                if mix[j] == 0.0:
                    continue
                gained, stayed = weigh(worth, stay, growth, exchange, i, j, 1, strikes[j, i])
                if free and value > -np.inf:
                    held, idle = weigh(worth, stay, growth, exchange, i, j, 0, strikes[j, i])
                    if held + idle * value > gained + stayed * value + SLACK:
                        gained, stayed = held, idle
                ends += mix[j] * gained
                idles += mix[j] * stayed
            total = ends + idles * value if not loops else own_value(ends, idles, growth, at_cap)
            if total > found:
                found, stance = total, i
        if not loops:
            value, best = found, stance
            break
        if found <= value + SLACK * (1.0 + abs(value)):
            break
        value, best = found, stance
    if loops and free:
        safe = stall(stay, growth, exchange, mix, strikes)
        if safe >= 0 and (growth > 1.0 or at_cap > value):
            value, best, holds_off = (at_cap if growth == 1.0 else np.inf), safe, True
    for i in range(N):
        best_stance[i] = 1.0 if i == best else 0.0
        for j in range(N):
            best_attacks[i, j] = 0.0 if holds_off else 1.0
            if free and not holds_off:
                gained, stayed = weigh(worth, stay, growth, exchange, i, j, 1, strikes[j, i])
                held, idle = weigh(worth, stay, growth, exchange, i, j, 0, strikes[j, i])
                base = stays if not loops else value
                if held + idle * base > gained + stayed * base + SLACK:
                    best_attacks[i, j] = 0.0
    return value


@compiled
def own_value(ends: Any, idles: Any, growth: Any, at_cap: Any) -> Any:
    """What choices are worth that lead back to the same state so often."""
    if idles < 1.0 - SLACK:
        return ends / (1.0 - idles)
    return at_cap if growth == 1.0 else np.inf


@compiled
def stall(stay: Any, growth: Any, exchange: Any, mix: Any, strikes: Any) -> Any:
    """A stance in which nobody is ever hurt if its taker does not attack; -1 if there is none."""
    for i in range(N):
        idles = 0.0
        for j in range(N):
            held = 0.0
            for other in range(2):
                often = np.float64(strikes[j, i]) if other == 1 else 1.0 - np.float64(strikes[j, i])
                e = exchange[i, j, 0, other]
                held += often * (growth if e == NOTHING else stay[e])
            idles += mix[j] * held
        if idles >= 1.0 - SLACK:
            return i
    return -1

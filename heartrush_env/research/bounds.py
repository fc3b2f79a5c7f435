"""Bounds on the effect of what a solution leaves out: the round cap, and fatigue.

Fatigue occurs where fighters fight on below 0 hit points. Such a fighter falls unconscious after `fatigue_rounds`
rounds at 0 or less (R-11). This ends a duel: the fighter that first reaches this number of rounds falls and loses.
Solutions do not count these rounds. For the bound, one side plays its solution, and the other side knows the counts and
plays a best response. While the responder's own count runs, the responder gains nothing over the value. While the count
of the solution's side runs, the response is computed exactly, for each number of rounds left. The response's gain
bounds the effect of fatigue on the value and on best responses to the solution. In the code, a fighter's count is
called its clock.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from heartrush_env.research.duel import Duel
from heartrush_env.research.levels.evaluate import SolvedPolicy, blocks_of, longest_with_levels, play_one
from heartrush_env.research.levels.table import LevelsTablebase
from heartrush_env.research.plain.play import PolicyArrays, Task, own_tables, play
from heartrush_env.research.plain.policy import own_side, solved_policy
from heartrush_env.research.tablebase import Tablebase

GROWTHS = (1.15, 1.12, 1.2)  # growth factors tried for the bound on long duels; the tightest depends on the duel
LEVELS_GROWTHS = (1.15, 1.1)  # each takes minutes in a large duel
NO_GAIN = 0.0
BETWEEN = 10  # rounds of the clock between two checks of the gain at the start
MOST_BLOCKS = 256  # the clock of a duel with levels is computed up to this many blocks; more take too long


def rounds_bound(table: Tablebase, enough: float, rounds: int, stake: float) -> float:
    """Return a bound on the effect of duels of more than `rounds` rounds; stop refining it once it is at most `enough`.

    `stake` is the largest effect of such a duel. One side plays the solution, and the other side makes the duel as long
    as possible. If M is the largest possible mean of growth ** rounds, the probability of more than N rounds is at most
    M / growth ** N (Chernoff's bound).
    """
    worst, growths, longest_of = np.inf, GROWTHS, _longest
    if isinstance(table, LevelsTablebase):
        growths, longest_of = LEVELS_GROWTHS, longest_with_levels  # type: ignore[assignment]
    for growth in growths:
        longest = longest_of(table, growth)
        worst = min(worst, stake * np.exp(np.log(longest) - rounds * np.log(growth)))
        if worst <= enough:
            break
    return float(min(worst, 2.0))


def _longest(table: Tablebase, growth: float) -> float:
    """Return the largest mean of growth ** rounds that an opponent of either seat's solution can reach."""
    longest = []
    for policy in (solved_policy(table, seat) for seat in (0, 1)):
        duel = policy.duel.turned()
        values = np.ones(duel.shape)
        play(duel, values, values, own_tables(duel.shape), policy.arrays, Task(responds=True, growth=growth))
        longest.append(float(values[duel.start]))
    return max(longest)


def is_worked_out(duel: Duel) -> bool:
    """Return whether the effect of fatigue is computed, not only bounded by the possible length of duels."""
    return not duel.game.scenario.settings.levels or int(np.prod(duel.shape[:4])) <= MOST_BLOCKS


def fatigue_bound(table: Tablebase, enough: float) -> float:
    """Return a bound on how much fatigue changes the value for either side; stop refining once it is at most `enough`.

    Args:
        table: A solution without a cap.
        enough: A bound that is small enough, so that no tighter bound is sought.
    """
    rounds = table.duel.fatigue
    if rounds is None:
        return 0.0
    if not isinstance(table, LevelsTablebase):
        return max(_gain(table, seat, rounds - 1, enough) for seat in (0, 1))
    found = rounds_bound(table, enough, rounds - 1, stake=2.0)  # no clock can run out in a shorter duel
    if found <= enough or not is_worked_out(table.duel):
        return found
    return min(found, max(_levels_gain(table, seat, rounds - 1, enough) for seat in (0, 1)))


def _gain(table: Tablebase, seat: int, rounds: int, enough: float) -> float:
    """Return a bound on the gain of a seat that knows the clock, against the solution in the other seat."""
    other = solved_policy(table, 1 - seat)
    duel, values = other.duel.turned(), own_side(table.values[0], seat)
    standing, low = duel.below[0] + 1, duel.below[1] + 1
    if low == 1:
        return NO_GAIN
    kept = PolicyArrays(*(np.ascontiguousarray(part[:low]) for part in other.arrays))
    shape = (duel.shape[0], low, *duel.shape[2:])
    own = own_tables(shape)
    after = np.ones(shape)  # the other falls
    after[0] = 0.0  # both fall in the same round

    def gain() -> float:
        if duel.start[1] < low:  # the clock runs from the start
            return float(after[duel.start] - values[duel.start])
        known = values.copy()
        known[standing:, 1:low] = after[standing:, 1:]
        task = Task(responds=True, first_1=duel.below[0] + 1, first_2=duel.below[1] + 1)
        play(duel, known, known, own_tables(duel.shape), other.arrays, task)
        return float(known[duel.start] - values[duel.start])

    def one_round() -> None:
        nonlocal after
        here = np.ones(shape)
        here[0] = -1.0
        play(duel, here, after, own, kept, Task(responds=True))
        after = here

    if duel.start[0] < standing and duel.start[1] >= low:  # the responder's own clock runs from the start
        return NO_GAIN
    return _least(one_round, gain, rounds, enough)


def _least(one_round: Callable[[], None], gain: Callable[[], float], rounds: int, enough: float) -> float:
    """Return a bound on the gain with `rounds` rounds on the clock.

    A shorter clock gives a larger gain. So the clock is lengthened only until the gain is at most `enough`.
    """
    found = np.inf
    for left in range(1, rounds + 1):
        one_round()
        if left % BETWEEN == 0 or left == rounds:
            found = gain()
            if found <= enough:
                break
    return float(max(NO_GAIN, min(found, 2.0)))


def _levels_gain(table: LevelsTablebase, seat: int, rounds: int, enough: float) -> float:
    """Return the bound of `_gain` for a duel with levels, computed from the first fighter's values."""
    duel, other = table.levels, 1 - seat
    policy, values, wants = SolvedPolicy(table, other), table.values[0], 1 if seat == 0 else -1
    policy.block = cache(policy.block)  # type: ignore[method-assign]  # each round asks for every block
    below, start = duel.below, duel.start
    if below[other] == 0 or (start[seat] <= below[seat] and start[other] > below[other]):
        return NO_GAIN
    blocks = list(blocks_of(duel))
    ticking = [block for block in blocks if block[other] <= below[other]]
    standing = [block for block in blocks if block[0] > below[0] and block[1] > below[1]]
    after = duel.new_values()
    for block in ticking:
        after[block] = wants  # the other falls
    out = tuple(0 if side == seat else slice(1, None) for side in (0, 1))
    after[out] = 0.0  # both fall in the same round

    def gain() -> float:
        if start[other] <= below[other]:
            return wants * float(after[start] - values[start])
        known = values.copy()
        for block in ticking:
            if block[seat] > below[seat]:
                known[block] = after[block]
        for block in standing:
            play_one(duel, known, known, block, policy, seat)
        return wants * float(known[start] - values[start])

    def one_round() -> None:
        nonlocal after
        here = duel.new_values()
        for block in ticking:
            play_one(duel, here, after, block, policy, seat)
        after = here

    return _least(one_round, gain, rounds, enough)

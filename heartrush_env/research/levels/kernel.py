"""Compiled code that solves duels with levels, block by block: all pairs of vectors at the same hit points and hearts.

Every hit leads to a block that is already solved. A round in which no fighter is hurt leads to another pair of the same
block, possibly in cycles, so the pairs of a block are solved together. Sweeps solve each stance game with the current
values of the other pairs. Between sweeps, values follow the mixes found so far. This ends when a sweep changes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, CUNNING, STANCES
from heartrush_env.research.duel import NOTHING
from heartrush_env.research.zero_sum import EPSILON, gap, mix, mix_two
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.rule import compiled, inlined

N = len(STANCES)
SETTLED = 1e-12  # smaller changes of a value count as 0
SWEEPS = 20_000  # maximum sweeps of a block; typically 4 suffice
PATIENCE = 50  # sweeps after which values no longer follow mixes
FOLLOWED = 100  # maximum sweeps without stance games between two sweeps with them
NEVER, ALWAYS, BETTER = range(3)  # whether hits are shrugged off: never, always, or by values or the default policy


# -- values of rounds --------------------------------------------------------------------------------------------------


@compiled
def weigh_hits(hits: Any, side: Any, after: Any, by: Any, wants: Any, shrugs: Any, spot: Any, tools: Any) -> None:
    """Write the value of each hit on one side, (vector 0, vector 1, damage).

    Shrugs are decided by the values `by`. The side maximises them if `wants` is 1 and minimises them if it is -1.
    """
    h1, h2, k1, k2 = spot
    hp, heart = (h1, k1) if side == 0 else (h2, k2)
    for damage in range(1, len(tools.halves)):
        left, right = (h1 - damage, h2) if side == 0 else (h1, h2 - damage)
        left, right = max(0, left), max(0, right)
        half = tools.halves[damage]
        up, down = (h1 - half, h2) if side == 0 else (h1, h2 - half)
        up, down = max(0, up), max(0, down)
        m1, m2 = (k1 - 1, k2) if side == 0 else (k1, k2 - 1)
        default = damage >= SHRUG_FROM or damage >= hp - tools.below[side]
        for a in range(hits.shape[1]):
            for b in range(hits.shape[2]):
                worth = after[left, right, k1, k2, a, b]
                if heart > 0 and shrugs != NEVER:
                    shrugged = default
                    if shrugs == ALWAYS:
                        shrugged = True
                    elif tools.free:
                        gained = by[up, down, m1, m2, a, b] - by[left, right, k1, k2, a, b]
                        shrugged = wants * gained > 0.0
                    if shrugged:
                        worth = after[up, down, m1, m2, a, b]
                hits[side, a, b, damage] = worth


@inlined
def mean_of(chances: Any, hits: Any, side: Any, a: Any, b: Any, last: Any) -> Any:
    """Return the sum of one side's hit values up to damage `last`, weighted by probability, adding four at a time."""
    one, two, three, four = 0.0, 0.0, 0.0, 0.0
    for d in range(0, last + 1, 4):
        one += chances[side, d] * hits[side, a, b, d]
        two += chances[side, d + 1] * hits[side, a, b, d + 1]
        three += chances[side, d + 2] * hits[side, a, b, d + 2]
        four += chances[side, d + 3] * hits[side, a, b, d + 3]
    return (one + two) + (three + four)


@compiled
def weigh_block(worth: Any, named: Any, hits: Any, k1: Any, k2: Any, tools: Any) -> None:
    """Write the values of each exchange's hits in each pair, weighted by probability, also for each way to name levels.

    Args:
        worth: (exchange, vector 0, vector 1).
        named: (who names, slot of the beaten stance, code, vector 0, vector 1).
    """
    for i in range(N):
        for j in range(N):
            for one in range(2):
                for other in range(2):
                    e = tools.exchange[i, j, one, other]
                    if e == NOTHING or (not (one and other) and not (tools.holds_back and i == j)):
                        continue
                    if i == CUNNING and tools.slots[j] != NOTHING:
                        weigh_names(named, 0, tools.slots[j], e, hits, k1, k2, tools)
                    elif j == CUNNING and tools.slots[i] != NOTHING:
                        weigh_names(named, 1, tools.slots[i], e, hits, k1, k2, tools)
                    else:
                        weigh_exchange(worth, e, hits, k1, k2, tools)


@compiled
def weigh_exchange(worth: Any, e: Any, hits: Any, k1: Any, k2: Any, tools: Any) -> None:
    """Write the weighted values of the hits of one exchange in which no levels are named."""
    column = tools.columns[e]
    for c1 in range(worth.shape[1]):
        for c2 in range(worth.shape[2]):
            l1, l2 = tools.vectors_0[c1, column], tools.vectors_1[c2, column]
            a, b = tools.fades_0[c1], tools.fades_1[c2]
            chances = tools.chances[k1, k2, l1, l2, e]
            total = 0.0
            for side in range(2):
                last = tools.most[k1, k2, l1, l2, e, side]
                if last > 0:
                    total += mean_of(chances, hits, side, a, b, last)
            worth[e, c1, c2] = total


@compiled
def weigh_names(named: Any, who: Any, slot: Any, e: Any, hits: Any, k1: Any, k2: Any, tools: Any) -> None:
    """Write, for each code, the weighted values of the hits in one exchange that names levels."""
    column = tools.columns[e]
    for c1 in range(named.shape[3]):
        for c2 in range(named.shape[4]):
            l1, l2 = tools.vectors_0[c1, column], tools.vectors_1[c2, column]
            chances = tools.chances[k1, k2, l1, l2, e]
            last = tools.most[k1, k2, l1, l2, e, 1 - who]
            for code in range(codes_of(who, named, tools)):
                a = tools.fades_0[c1] if who == 0 else tools.named_0[c1, code]
                b = tools.fades_1[c2] if who == 1 else tools.named_1[c2, code]
                named[who, slot, code, c1, c2] = mean_of(chances, hits, 1 - who, a, b, last)


@inlined
def codes_of(who: Any, named: Any, tools: Any) -> Any:
    """Return a side's number of codes: all of them, or only those that a solution needs."""
    return min(named.shape[2], tools.named_1.shape[1] if who == 0 else tools.named_0.shape[1])


# -- the stance game of a pair -----------------------------------------------------------------------------------------


@compiled
def fill_game(
    game: Any, worth: Any, named: Any, here: Any, c1: Any, c2: Any, k1: Any, k2: Any, tools: Any, best: Any, backs: Any
) -> None:
    """Write the stance game of a pair; `here` holds the values of pairs after a round in which no fighter is hurt.

    `best`, (who, slot), holds the codes that are named. `backs`, (who, stance), holds the probabilities of attacking in
    a shared stance.
    """
    stays = here[tools.fades_0[c1], tools.fades_1[c2]]
    for i in range(N):
        for j in range(N):
            e = tools.exchange[i, j, 1, 1]
            if e == NOTHING:
                game[i, j] = stays
                continue
            column = tools.columns[e]
            idle = tools.idle[k1, k2, tools.vectors_0[c1, column], tools.vectors_1[c2, column]]
            if i == CUNNING and tools.slots[j] != NOTHING:
                slot, found = tools.slots[j], -np.inf
                for code in range(codes_of(0, named, tools)):
                    gained = named[0, slot, code, c1, c2] + idle[e] * here[tools.fades_0[c1], tools.named_1[c2, code]]
                    if gained > found:
                        found, best[0, slot] = gained, code
                game[i, j] = found
            elif j == CUNNING and tools.slots[i] != NOTHING:
                slot, found = tools.slots[i], np.inf
                for code in range(codes_of(1, named, tools)):
                    gained = named[1, slot, code, c1, c2] + idle[e] * here[tools.named_0[c1, code], tools.fades_1[c2]]
                    if gained < found:
                        found, best[1, slot] = gained, code
                game[i, j] = found
            elif tools.holds_back and i == j:
                game[i, j] = attack_or_hold(worth, idle, stays, c1, c2, i, tools, backs)
            else:
                game[i, j] = worth[e, c1, c2] + idle[e] * stays


@compiled
def attack_or_hold(worth: Any, idle: Any, stays: Any, c1: Any, c2: Any, i: Any, tools: Any, backs: Any) -> Any:
    """Solve the game of who attacks in a shared stance, and return its value.

    Each side's probability of attacking is written to `backs`.
    """
    both, first = tools.exchange[i, i, 1, 1], tools.exchange[i, i, 1, 0]
    second = tools.exchange[i, i, 0, 1]
    a = worth[both, c1, c2] + idle[both] * stays
    b = worth[first, c1, c2] + idle[first] * stays
    c = worth[second, c1, c2] + idle[second] * stays
    return mix_two(a, b, c, stays, backs, i)


@compiled
def mix_quickly(game: Any, row: Any, column: Any, room: Any, tableau: Any, basis: Any) -> Any:
    """Solve a stance game: directly if all attacking stances are mixed (the typical case), else by the simplex method.

    If both sides mix the three attacking stances, all three have the same value for each side, so the mixes are sums of
    cofactors (`room`). They are accepted if no side gains by another stance.
    """
    center, least, most = game[0, 0], game[0, 0], game[0, 0]
    for i in range(N):
        for j in range(N):
            least, most = min(least, game[i, j]), max(most, game[i, j])
    total = 0.0
    for i in range(3):
        p, q = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            r, s = (j + 1) % 3, (j + 2) % 3
            room[i, j] = (game[p, r] - center) * (game[q, s] - center) - (game[p, s] - center) * (game[q, r] - center)
            total += room[i, j]
    if total != 0.0:
        sound = True
        for i in range(3):
            row[i] = (room[i, 0] + room[i, 1] + room[i, 2]) / total
            column[i] = (room[0, i] + room[1, i] + room[2, i]) / total
            sound = sound and row[i] >= 0.0 and column[i] >= 0.0
        row[3] = column[3] = 0.0
        if sound:
            high, low = -np.inf, np.inf
            for i in range(N):
                high = max(high, game[i, 0] * column[0] + game[i, 1] * column[1] + game[i, 2] * column[2])
                low = min(low, game[0, i] * row[0] + game[1, i] * row[1] + game[2, i] * row[2])
            if high - low <= EPSILON * (most - least):
                return 0.5 * (high + low)
    return mix(game, row, column, tableau, basis)


# -- solving a block ---------------------------------------------------------------------------------------------------


@entry_point
def solve_cell(here: Any, after: Any, loops: Any, h1: Any, h2: Any, tools: Any, strong: Any, at_cap: Any) -> Any:
    """Solve all blocks of these hit points, small hearts first; return the largest error of any value.

    Args:
        here: (hp 0, hp 1, heart 0, heart 1, vector 0, vector 1), the values to write.
        after: The values of states after this round: `here` itself if it `loops`, else the layer with one round fewer.
        strong: The number of codes that a solution needs.
        at_cap: The value of these hit points if no fighter can ever be hurt.
    """
    n1, n2 = here.shape[4], here.shape[5]
    hits = np.zeros((2, n1, n2, len(tools.halves)))
    worth, named = np.zeros((tools.idle.shape[4], n1, n2)), np.zeros((2, 2, strong, n1, n2))
    mixes, backs = np.zeros((2, n1, n2, N)), np.ones((n1, n2, 2, ATTACKING_STANCES))
    best = np.zeros((n1, n2, 2, 2), np.int64)
    worst = 0.0
    for k1 in range(here.shape[2]):
        for k2 in range(here.shape[3]):
            spot = (h1, h2, k1, k2)
            for side in range(2):
                weigh_hits(hits, side, after, after, 1 - 2 * side, BETTER, spot, tools)
            weigh_block(worth, named, hits, k1, k2, tools)
            block = here[h1, h2, k1, k2]
            if not loops:
                out = sweep(block, after[h1, h2, k1, k2], worth, named, mixes, backs, best, k1, k2, tools)[1]
            else:
                guess_block(here, spot, at_cap if h1 == 1 or h2 == 1 or not can_be_hurt(k1, k2, tools) else np.nan)
                out = settle_block(block, worth, named, mixes, backs, best, k1, k2, tools)
            worst = max(worst, out)
    return worst


@compiled
def guess_block(here: Any, spot: Any, guess: Any) -> None:
    """Start a block from a guess, or if the guess is NaN, between the blocks with one hit point less."""
    h1, h2, k1, k2 = spot
    for c1 in range(here.shape[4]):
        for c2 in range(here.shape[5]):
            between = guess
            if np.isnan(guess):
                between = 0.5 * (here[h1 - 1, h2, k1, k2, c1, c2] + here[h1, h2 - 1, k1, k2, c1, c2])
            here[h1, h2, k1, k2, c1, c2] = between


@compiled
def settle_block(
    block: Any, worth: Any, named: Any, mixes: Any, backs: Any, best: Any, k1: Any, k2: Any, tools: Any
) -> Any:
    """Iterate sweeps until the values of a block no longer change; return their error."""
    steps = np.zeros((block.shape[0], block.shape[1], 6))
    change = np.inf
    for number in range(SWEEPS):
        change, out = sweep(block, block, worth, named, mixes, backs, best, k1, k2, tools)
        if change <= SETTLED:
            return max(change, out)
        if number < PATIENCE:  # following mixes usually converges fast, but in rare cases cycles
            follow(block, steps, worth, named, mixes, backs, best, k1, k2, 1e-3 * change, tools)
    return change


@entry_point
def show_block(after: Any, stays: Any, spot: Any, tools: Any, strong: Any, mixes: Any, backs: Any, best: Any) -> Any:
    """Write the solution's play in a block whose values are known; return the largest certificate gap.

    Args:
        after: The values of states after this round, (hp 0, hp 1, heart 0, heart 1, vector 0, vector 1).
        stays: The block's part of `after`, (vector 0, vector 1).
        mixes: (seat, vector 0, vector 1, stance), to write.
        backs: (vector 0, vector 1, seat, stance), the probability of attacking in a shared stance, to write.
        best: (vector 0, vector 1, seat, slot), the codes that are named, to write.
    """
    k1, k2 = spot[2], spot[3]
    n1, n2 = after.shape[4], after.shape[5]
    hits = np.zeros((2, n1, n2, len(tools.halves)))
    worth, named = np.zeros((tools.idle.shape[4], n1, n2)), np.zeros((2, 2, strong, n1, n2))
    for side in range(2):
        weigh_hits(hits, side, after, after, 1 - 2 * side, BETTER, spot, tools)
    weigh_block(worth, named, hits, k1, k2, tools)
    return sweep(np.zeros((n1, n2)), stays, worth, named, mixes, backs, best, k1, k2, tools)[1]


@entry_point
def show_games(after: Any, stays: Any, spot: Any, tools: Any, games: Any, names: Any) -> None:
    """Write the stance games of a block, and the value of each way to name levels.

    Args:
        after: The values of states after this round, (hp 0, hp 1, heart 0, heart 1, vector 0, vector 1).
        stays: The block's part of `after`, (vector 0, vector 1).
        games: (vector 0, vector 1, stance 0, stance 1), to write.
        names: (who names, slot of the beaten stance, code, vector 0, vector 1), to write; as many codes of each seat as
            there is room for.
    """
    k1, k2 = spot[2], spot[3]
    n1, n2 = after.shape[4], after.shape[5]
    hits = np.zeros((2, n1, n2, len(tools.halves)))
    worth = np.zeros((tools.idle.shape[4], n1, n2))
    best, backs = np.zeros((2, 2), np.int64), np.ones((2, ATTACKING_STANCES))
    for side in range(2):
        weigh_hits(hits, side, after, after, 1 - 2 * side, BETTER, spot, tools)
    weigh_block(worth, names, hits, k1, k2, tools)
    for c1 in range(n1):
        for c2 in range(n2):
            fill_game(games[c1, c2], worth, names, stays, c1, c2, k1, k2, tools, best, backs)
    for j in range(N):
        if tools.slots[j] != NOTHING:
            for who in range(2):
                add_idle_names(names, who, j, stays, k1, k2, tools)


@compiled
def add_idle_names(names: Any, who: Any, stance: Any, stays: Any, k1: Any, k2: Any, tools: Any) -> None:
    """Add the values of rounds without a hit to each way in which a seat can name levels against a stance."""
    slot = tools.slots[stance]
    e = tools.exchange[CUNNING, stance, 1, 1] if who == 0 else tools.exchange[stance, CUNNING, 1, 1]
    column = tools.columns[e]
    for code in range(codes_of(who, names, tools)):
        for c1 in range(names.shape[3]):
            for c2 in range(names.shape[4]):
                idle = tools.idle[k1, k2, tools.vectors_0[c1, column], tools.vectors_1[c2, column], e]
                a = tools.fades_0[c1] if who == 0 else tools.named_0[c1, code]
                b = tools.fades_1[c2] if who == 1 else tools.named_1[c2, code]
                names[who, slot, code, c1, c2] += idle * stays[a, b]


@compiled
def sweep(
    block: Any, stays: Any, worth: Any, named: Any, mixes: Any, backs: Any, best: Any, k1: Any, k2: Any, tools: Any
) -> Any:
    """Solve each pair's stance game once, fewest levels first; return the largest change and the largest gap.

    Args:
        block: (vector 0, vector 1), the values to write.
        stays: The values of the pairs after a round without a hit: `block` itself, or the block in the layer before.
    """
    game, row, column, room = np.zeros((N, N)), np.zeros(N), np.zeros(N), np.zeros((3, 3))
    tableau, basis = np.zeros((N + 1, 2 * N + 1)), np.zeros(N, np.int64)
    change, worst = 0.0, 0.0
    for place in range(len(tools.order)):
        c1, c2 = tools.order[place]
        fill_game(game, worth, named, stays, c1, c2, k1, k2, tools, best[c1, c2], backs[c1, c2])
        value = mix_quickly(game, row, column, room, tableau, basis)
        worst = max(worst, gap(game, row, column, value))
        change = max(change, abs(value - block[c1, c2]))
        block[c1, c2] = value
        for i in range(N):
            mixes[0, c1, c2, i] = row[i]
            mixes[1, c1, c2, i] = column[i]
    return change, worst


@compiled
def follow(
    block: Any, steps: Any, worth: Any, named: Any, mixes: Any, backs: Any, best: Any, k1: Any, k2: Any, enough: Any,
    tools: Any,
) -> None:  # fmt: skip
    """Iterate the values of a block under fixed mixes until they nearly converge, without solving stance games.

    `steps`, (vector 0, vector 1, 6), is a buffer for the immediate value of a round, the probability of a plain round
    without a hit, and the probabilities of such rounds with each code in `best`.
    """
    for c1 in range(block.shape[0]):
        for c2 in range(block.shape[1]):
            weigh_step(steps[c1, c2], worth, named, mixes, backs[c1, c2], best[c1, c2], c1, c2, k1, k2, tools)
    for _ in range(FOLLOWED):
        change = 0.0
        for place in range(len(tools.order)):
            c1, c2 = tools.order[place]
            step, a, b = steps[c1, c2], tools.fades_0[c1], tools.fades_1[c2]
            value = step[0] + step[1] * block[a, b]
            for slot in range(2):
                if step[2 + slot] > 0.0:
                    value += step[2 + slot] * block[a, tools.named_1[c2, best[c1, c2, 0, slot]]]
                if step[4 + slot] > 0.0:
                    value += step[4 + slot] * block[tools.named_0[c1, best[c1, c2, 1, slot]], b]
            change = max(change, abs(value - block[c1, c2]))
            block[c1, c2] = value
        if change <= enough:
            break


@compiled
def weigh_step(
    step: Any, worth: Any, named: Any, mixes: Any, backs: Any, best: Any, c1: Any, c2: Any, k1: Any, k2: Any, tools: Any
) -> None:
    """Write the inputs of `follow` for a pair."""
    for k in range(6):
        step[k] = 0.0
    for i in range(N):
        for j in range(N):
            share = mixes[0, c1, c2, i] * mixes[1, c1, c2, j]
            e = tools.exchange[i, j, 1, 1]
            if share == 0.0 or e == NOTHING:
                step[1] += share
                continue
            column = tools.columns[e]
            idle = tools.idle[k1, k2, tools.vectors_0[c1, column], tools.vectors_1[c2, column]]
            if i == CUNNING and tools.slots[j] != NOTHING:
                step[0] += share * named[0, tools.slots[j], best[0, tools.slots[j]], c1, c2]
                step[2 + tools.slots[j]] += share * idle[e]
            elif j == CUNNING and tools.slots[i] != NOTHING:
                step[0] += share * named[1, tools.slots[i], best[1, tools.slots[i]], c1, c2]
                step[4 + tools.slots[i]] += share * idle[e]
            elif tools.holds_back and i == j:
                for one in range(2):
                    for other in range(2):
                        part = share * (backs[0, i] if one else 1.0 - backs[0, i])
                        part *= backs[1, i] if other else 1.0 - backs[1, i]
                        e = tools.exchange[i, i, one, other]
                        step[0] += 0.0 if e == NOTHING else part * worth[e, c1, c2]
                        step[1] += part if e == NOTHING else part * idle[e]
            else:
                step[0] += share * worth[e, c1, c2]
                step[1] += share * idle[e]


@compiled
def can_be_hurt(k1: Any, k2: Any, tools: Any) -> Any:
    """Return whether any fighter can ever be hurt with these hearts."""
    idle = tools.idle[k1, k2]
    for l1 in range(idle.shape[0]):
        for l2 in range(idle.shape[1]):
            for e in range(idle.shape[2]):
                if idle[l1, l2, e] < 1.0:
                    return True
    return False

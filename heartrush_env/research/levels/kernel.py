"""Compiled code for duels with levels, block by block: solutions, best responses, and values of given policies.

A block is all pairs of vectors at the same hit points and hearts. Every hit leads to a block that is already known. A
round in which no fighter is hurt leads to another pair of the same block, possibly in cycles, so the pairs of a block
are computed together. A sweep writes the best choices in each pair: both sides' mixes for a solution, or one side's
best response. Between sweeps, values follow the choices made so far. This ends when a sweep changes nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.research.duel import NOTHING, N
from heartrush_env.research.levels.duel import Tools
from heartrush_env.research.levels.rounds import (
    BOTH,
    SETTLED,
    Play,
    Shrugs,
    Task,
    Weights,
    codes_of,
    idle_of,
    led_to,
    new_plays,
    new_weights,
    no_shrugs,
    weigh_round,
)
from heartrush_env.research.plain.play import ENDLESS
from heartrush_env.research.zero_sum import EPSILON, gap, mix, mix_two
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.rule import compiled, inlined

SWEEPS = 20_000  # maximum sweeps of a block; typically 4 suffice
PATIENCE = 50  # sweeps after which values no longer follow mixes
FOLLOWED = 100  # maximum steps by fixed choices between two sweeps


# -- the stance game of a pair -----------------------------------------------------------------------------------------


@inlined
def name_best(who: Any, wants: Any, e: Any, idle: Any, at: Any, weights: Weights, tools: Tools, play: Play) -> Any:
    """Write the levels that a seat should name, and return the value; `at` is (values without a hit, pair)."""
    stays, c1, c2 = at
    slot, best, found = tools.slot[e], 0, -np.inf
    fades_0, fades_1, named_0, named_1, named = (
        tools.fades_0,
        tools.fades_1,
        tools.named_0,
        tools.named_1,
        weights.named,
    )
    for code in range(codes_of(who, named, tools)):
        a = named_0[c1, code] if who == 1 else fades_0[c1]
        b = named_1[c2, code] if who == 0 else fades_1[c2]
        gained = wants * (named[who, slot, code, c1, c2] + idle * stays[a, b])
        if gained > found:
            best, found = code, gained
    for code in range(play.names.shape[4]):
        play.names[who, c1, c2, slot, code] = 0.0
    play.names[who, c1, c2, slot, best] = 1.0
    return wants * found


@compiled
def fill_game(game: Any, weights: Weights, stays: Any, c1: Any, c2: Any, spot: Any, tools: Tools, play: Play) -> None:
    """Write a pair's stance game, the levels that each side names, and each side's attack rates in shared stances.

    `stays` holds the values of pairs after a round in which no fighter is hurt.
    """
    no_attack, worth = stays[tools.fades_0[c1], tools.fades_1[c2]], weights.worth
    for i in range(N):
        for j in range(N):
            e = tools.exchange[i, j, 1, 1]
            if e == NOTHING:
                game[i, j] = no_attack
                continue
            idle, who = idle_of(e, c1, c2, spot, tools), tools.namer[e]
            if who != NOBODY:
                game[i, j] = name_best(who, 1 - 2 * who, e, idle, (stays, c1, c2), weights, tools, play)
                continue
            game[i, j] = worth[e, c1, c2] + idle * no_attack
            if tools.holds_back and i == j:
                first, second = tools.exchange[i, i, 1, 0], tools.exchange[i, i, 0, 1]
                b = worth[first, c1, c2] + idle_of(first, c1, c2, spot, tools) * no_attack
                c = worth[second, c1, c2] + idle_of(second, c1, c2, spot, tools) * no_attack
                game[i, j] = mix_two(game[i, j], b, c, no_attack, play.attacks[:, c1, c2, i], i)


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


@compiled
def solve_pairs(block: Any, stays: Any, weights: Weights, spot: Any, tools: Tools, play: Play) -> Any:
    """Solve each pair's stance game once, fewest levels first; return the largest change and the largest gap.

    Args:
        block: (vector 0, vector 1), the values to write.
        stays: The values of the pairs after a round without a hit: `block` itself, or the block in the layer before.
        weights: The values of the round's hits.
        spot: The hit points and hearts of the block.
        tools: The duel.
        play: The solution's choices, to write.
    """
    game, row, column, room = np.zeros((N, N)), np.zeros(N), np.zeros(N), np.zeros((3, 3))
    tableau, basis = np.zeros((N + 1, 2 * N + 1)), np.zeros(N, np.int64)
    change, worst = 0.0, 0.0
    for place in range(len(tools.order)):
        c1, c2 = tools.order[place]
        fill_game(game, weights, stays, c1, c2, spot, tools, play)
        value = mix_quickly(game, row, column, room, tableau, basis)
        worst = max(worst, gap(game, row, column, value))
        change = max(change, abs(value - block[c1, c2]))
        block[c1, c2] = value
        for i in range(N):
            play.stances[0, c1, c2, i] = row[i]
            play.stances[1, c1, c2, i] = column[i]
    return change, worst


@compiled
def answer_pairs(block: Any, stays: Any, weights: Weights, task: Task, spot: Any, tools: Tools, play: Play) -> Any:
    """Write the responder's best choices in each pair, and the values; return the largest change."""
    responder, wants = task.responder, task.wants
    other, worst = 1 - responder, 0.0
    fades_0, fades_1, named_0, named_1 = tools.fades_0, tools.fades_1, tools.named_0, tools.named_1
    exchange, columns, vectors_0, vectors_1 = tools.exchange, tools.columns, tools.vectors_0, tools.vectors_1
    idles, named = tools.idle[spot[2], spot[3]], weights.named
    for place in range(len(tools.order)):
        c1, c2 = tools.order[place]
        no_attack = stays[tools.fades_0[c1], tools.fades_1[c2]]  # no fighter attacks
        best, found = 0, -np.inf
        for own in range(N):
            total = 0.0
            for theirs in range(N):
                i, j = (own, theirs) if responder == 0 else (theirs, own)
                strikes = play.attacks[other, c1, c2, theirs, own]
                acted, held = 0.0, 0.0
                for acts in range(2):
                    worth = 0.0
                    for back in range(2):
                        often = strikes if back else 1.0 - strikes
                        if often == 0.0:
                            continue
                        one, two = (acts, back) if responder == 0 else (back, acts)
                        e = exchange[i, j, one, two]
                        if e == NOTHING:
                            worth += often * no_attack
                            continue
                        who = tools.namer[e]
                        idle = idles[vectors_0[c1, columns[e]], vectors_1[c2, columns[e]], e]
                        if who == NOBODY:
                            worth += often * (weights.worth[e, c1, c2] + idle * no_attack)
                        elif who == responder:
                            worth += often * name_best(who, wants, e, idle, (stays, c1, c2), weights, tools, play)
                        else:
                            slot = tools.slot[e]
                            for code in range(codes_of(who, named, tools)):
                                part = often * play.names[who, c1, c2, slot, code]
                                if part > 0.0:
                                    a = named_0[c1, code] if who == 1 else fades_0[c1]
                                    b = named_1[c2, code] if who == 0 else fades_1[c2]
                                    worth += part * (named[who, slot, code, c1, c2] + idle * stays[a, b])
                    acted, held = (worth, held) if acts else (acted, worth)
                attacks = not tools.free or wants * acted >= wants * held
                play.attacks[responder, c1, c2, own, theirs] = 1.0 if attacks else 0.0
                total += play.stances[other, c1, c2, theirs] * (acted if attacks else held)
            if wants * total > found:
                best, found = own, wants * total
        for own in range(N):
            play.stances[responder, c1, c2, own] = 1.0 if own == best else 0.0
        value = task.growth * wants * found
        worst = max(worst, abs(value - block[c1, c2]) / max(1.0, abs(value)))
        block[c1, c2] = value
        if abs(value) > ENDLESS:
            return np.inf
    return worst


# -- the values of a block under fixed choices -------------------------------------------------------------------------


@compiled
def weigh_steps(steps: Any, leaps: Any, weights: Weights, growth: Any, spot: Any, tools: Tools, play: Play) -> None:
    """Write the inputs of follow_steps for each pair.

    The inputs are the immediate value of a round, the probability of a round without a hit in which no levels are
    named, and the probability of a round without a hit for each way to name levels. `leaps` holds the number of these
    ways and the pairs to which they lead.
    """
    stances, attacks, names, named = play.stances, play.attacks, play.names, weights.named
    fades_0, fades_1, named_0, named_1 = tools.fades_0, tools.fades_1, tools.named_0, tools.named_1
    exchange, columns, vectors_0, vectors_1 = tools.exchange, tools.columns, tools.vectors_0, tools.vectors_1
    idles = tools.idle[spot[2], spot[3]]
    for c1 in range(steps.shape[0]):
        for c2 in range(steps.shape[1]):
            step = steps[c1, c2]
            step[0] = step[1] = 0.0
            leaps[c1, c2, 0] = 0
            for i in range(N):
                for j in range(N):
                    both = growth * stances[0, c1, c2, i] * stances[1, c1, c2, j]
                    if both == 0.0:
                        continue
                    for one in range(2):
                        for other in range(2):
                            share = both * (attacks[0, c1, c2, i, j] if one else 1.0 - attacks[0, c1, c2, i, j])
                            share *= attacks[1, c1, c2, j, i] if other else 1.0 - attacks[1, c1, c2, j, i]
                            if share == 0.0:
                                continue
                            e = exchange[i, j, one, other]
                            if e == NOTHING:
                                step[1] += share
                                continue
                            idle = idles[vectors_0[c1, columns[e]], vectors_1[c2, columns[e]], e]
                            who, slot = tools.namer[e], tools.slot[e]
                            if who == NOBODY:
                                step[0] += share * weights.worth[e, c1, c2]
                                step[1] += share * idle
                                continue
                            for code in range(codes_of(who, named, tools)):
                                part = share * names[who, c1, c2, slot, code]
                                if part > 0.0:
                                    step[0] += part * named[who, slot, code, c1, c2]
                                    count = leaps[c1, c2, 0]
                                    step[2 + count] = part * idle
                                    a = named_0[c1, code] if who == 1 else fades_0[c1]
                                    b = named_1[c2, code] if who == 0 else fades_1[c2]
                                    leaps[c1, c2, 1 + 2 * count], leaps[c1, c2, 2 + 2 * count] = a, b
                                    leaps[c1, c2, 0] = count + 1


@compiled
def follow_steps(block: Any, stays: Any, steps: Any, leaps: Any, sweeps: Any, enough: Any, tools: Tools) -> Any:
    """Iterate the values of a block under fixed choices until they converge; return the last change."""
    change = 0.0
    for _ in range(sweeps):
        change = 0.0
        for place in range(len(tools.order)):
            c1, c2 = tools.order[place]
            value = steps[c1, c2, 0] + steps[c1, c2, 1] * stays[tools.fades_0[c1], tools.fades_1[c2]]
            for k in range(leaps[c1, c2, 0]):
                value += steps[c1, c2, 2 + k] * stays[leaps[c1, c2, 1 + 2 * k], leaps[c1, c2, 2 + 2 * k]]
            change = max(change, abs(value - block[c1, c2]) / max(1.0, abs(value)))
            block[c1, c2] = value
            if abs(value) > ENDLESS:
                return 0.0
        if change <= enough:
            break
    return change


# -- blocks ------------------------------------------------------------------------------------------------------------


@compiled
def settle_block(here: Any, stays: Any, weights: Weights, task: Task, spot: Any, tools: Tools, play: Play) -> Any:
    """Write a block's values, given its weights, and the choices that are not fixed; return the values' error."""
    h1, h2, k1, k2 = spot
    block, named = here[h1, h2, k1, k2], 1 if task.responder == BOTH else play.names.shape[4]  # codes with a chance
    if task.loops:
        for c1 in range(block.shape[0]):
            for c2 in range(block.shape[1]):
                between = task.start
                if np.isnan(between):
                    between = 0.5 * (here[h1 - 1, h2, k1, k2, c1, c2] + here[h1, h2 - 1, k1, k2, c1, c2])
                block[c1, c2] = between
    steps = np.zeros((*block.shape, 2 + 4 * named))
    leaps = np.zeros((*block.shape, 1 + 8 * named), np.int64)
    change, out, closer = 0.0, 0.0, 1e-3 if task.responder == BOTH else 0.01
    for number in range(SWEEPS):
        if task.responder == BOTH:
            change, out = solve_pairs(block, stays, weights, spot, tools, play)
        elif task.responder != NOBODY:
            change = answer_pairs(block, stays, weights, task, spot, tools, play)
        if task.responder != NOBODY and (not task.loops or change <= task.enough or change > ENDLESS):
            return max(change, out) if task.loops else out
        if number < PATIENCE or task.responder != BOTH:  # following mixes usually converges fast, but may cycle
            weigh_steps(steps, leaps, weights, task.growth, spot, tools, play)
            sweeps = FOLLOWED if task.loops else 1
            left = follow_steps(block, stays, steps, leaps, sweeps, closer * change, tools)
            if task.responder == NOBODY and (left <= task.enough or not task.loops):
                break
    return change


@entry_point
def solve_cell(here: Any, after: Any, loops: Any, h1: Any, h2: Any, tools: Tools, strong: Any, at_cap: Any) -> Any:
    """Solve all blocks of these hit points, small hearts first; return the largest error of any value.

    Args:
        here: (hp 0, hp 1, heart 0, heart 1, vector 0, vector 1), the values to write.
        after: The values of states after this round: `here` itself if it `loops`, else the layer with one round fewer.
        strong: The number of codes that a solution needs.
        at_cap: The value of these hit points if no fighter can ever be hurt.
    """
    n1, n2 = here.shape[4], here.shape[5]
    weights, play, shrugs, worst = new_weights(n1, n2, strong, tools), new_plays(n1, n2, strong), no_shrugs(), 0.0
    for k1 in range(here.shape[2]):
        for k2 in range(here.shape[3]):
            start = at_cap if h1 == 1 or h2 == 1 or not can_be_hurt(k1, k2, tools) else np.nan
            task, spot = Task(BOTH, 1, loops, 1.0, start, SETTLED), (h1, h2, k1, k2)
            weigh_round(weights, after, (after, after), task, spot, tools, shrugs)
            stays = here[h1, h2, k1, k2] if loops else after[h1, h2, k1, k2]
            worst = max(worst, settle_block(here, stays, weights, task, spot, tools, play))
    return worst


@compiled
def can_be_hurt(k1: Any, k2: Any, tools: Tools) -> Any:
    """Return whether any fighter can ever be hurt with these hearts."""
    idle = tools.idle[k1, k2]
    for l1 in range(idle.shape[0]):
        for l2 in range(idle.shape[1]):
            for e in range(idle.shape[2]):
                if idle[l1, l2, e] < 1.0:
                    return True
    return False


@entry_point
def play_block(here: Any, after: Any, by: Any, spot: Any, task: Task, tools: Tools, play: Play, shrugs: Shrugs) -> None:
    """Write the values of the pairs of a block under two policies, or under one policy and its best response.

    Args:
        here: (hp 0, hp 1, heart 0, heart 1, vector 0, vector 1), the values; the block at `spot` is written.
        after: The values of states after this round: `here` itself if it loops, else the layer with one round fewer.
        by: The values by which each seat decides on shrugs.
        spot: The hit points and hearts of the block.
        task: What is computed.
        tools: The duel.
        play: The policies; the responder's choices are written.
        shrugs: The shrugs of policies that do not decide by values.
    """
    h1, h2, k1, k2 = spot
    weights = new_weights(here.shape[4], here.shape[5], play.names.shape[4], tools)
    weigh_round(weights, after, by, task, (h1, h2, k1, k2), tools, shrugs)
    stays = here[h1, h2, k1, k2] if task.loops else after[h1, h2, k1, k2]
    settle_block(here, stays, weights, task, (h1, h2, k1, k2), tools, play)


@entry_point
def show_block(after: Any, spot: Any, tools: Tools, games: Any, names: Any, play: Play) -> Any:
    """Write the solution's play in a block whose values are known; return the largest certificate gap.

    Args:
        after: The values of states after this round, (hp 0, hp 1, heart 0, heart 1, vector 0, vector 1).
        spot: The hit points and hearts of the block.
        tools: The duel.
        games: The stance games, (vector 0, vector 1, stance 0, stance 1), to write; empty if they are not wanted.
        names: (who names, slot of the beaten stance, code, vector 0, vector 1), a buffer whose size limits the codes
            that are considered; if games are wanted, the value of each way to name levels is written.
        play: The solution's choices, to write.
    """
    h1, h2, k1, k2 = spot
    spot, stays, n1, n2 = (h1, h2, k1, k2), after[h1, h2, k1, k2], after.shape[4], after.shape[5]
    buffers = new_weights(n1, n2, names.shape[2], tools)
    weights = Weights(buffers.hits, buffers.gains, buffers.worth, names)
    weigh_round(weights, after, (after, after), Task(BOTH, 1, True, 1.0, 0.0, SETTLED), spot, tools, no_shrugs())
    worst = solve_pairs(np.zeros((n1, n2)), stays, weights, spot, tools, play)[1]
    for c1 in range(len(games)):
        for c2 in range(n2):
            fill_game(games[c1, c2], weights, stays, c1, c2, spot, tools, play)
    for e in range(len(tools.columns)):
        who = tools.namer[e]
        for code in range(0 if who == NOBODY else codes_of(who, names, tools)):
            for c1 in range(len(games)):
                for c2 in range(n2):
                    a, b = led_to(who, code, c1, c2, tools)
                    names[who, tools.slot[e], code, c1, c2] += idle_of(e, c1, c2, spot, tools) * stays[a, b]
    return worst

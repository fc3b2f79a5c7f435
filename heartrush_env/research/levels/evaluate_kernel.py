"""Compiled evaluation of duels with levels, block by block: two policies, or one policy and its best response."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules.terms import CUNNING, NOBODY, STANCES
from heartrush_env.research.duel import NOTHING
from heartrush_env.research.levels.kernel import (
    ALWAYS,
    BETTER,
    FOLLOWED,
    NEVER,
    SWEEPS,
    guess_block,
    weigh_block,
    weigh_hits,
)
from heartrush_env.research.plain.play import ENDLESS
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.rule import compiled, inlined

N = len(STANCES)


@entry_point
def play_block(
    here: Any, after: Any, loops: Any, by_0: Any, by_1: Any, spot: Any, growth: Any, start: Any, enough: Any,
    responder: Any, wants: Any, tools: Any, stances: Any, attacks: Any, names: Any, reads: Any, shrugs_0: Any,
    shrugs_1: Any,
) -> Any:  # fmt: skip
    """Write the values of the pairs of a block under two policies, or under one policy and its best response.

    Args:
        here: (hp 0, hp 1, heart 0, heart 1, vector 0, vector 1), the values; the block at `spot` is written.
        after: The values of states after this round: `here` itself if it `loops`, else the layer with one round fewer.
        by_0, by_1: The values by which each seat decides on shrugs, unless `reads` says that its shrugs are in a table.
        growth: The factor by which each round multiplies the values after it.
        start: The value of a duel that never ends; NaN to start each state from the mean of the two states in
            which one fighter has one hit point less.
        enough: The change of a value below which it counts as settled; relative if the value is above 1.
        responder: The seat that plays the best response, whose choices are written, or NOBODY.
        wants: 1 if the responder maximises, -1 if it minimises.
        stances, attacks, names: The policies, indexed (seat, vector 0, vector 1, ...): by stance; by a seat's stance
            and the other's; by slot and code.
        reads: (seat,), whether its shrugs are read from `shrugs_0`, `shrugs_1`, (exchange, vector 0, vector 1, damage).
    """
    h1, h2, k1, k2 = spot
    n1, n2, width = here.shape[4], here.shape[5], len(tools.halves)
    hits = np.zeros((2, n1, n2, width))
    codes = names.shape[4]
    worth, named = np.zeros((tools.idle.shape[4], n1, n2)), np.zeros((2, 2, codes, n1, n2))
    for side in range(2):
        by, likes = (by_0, 1) if side == 0 else (by_1, -1)
        if side == responder:
            likes = wants
        weigh_hits(hits, side, after, by, likes, NEVER if reads[side] else BETTER, spot, tools)
    weigh_block(worth, named, hits, k1, k2, tools)
    for side in range(2):
        if reads[side] and (k1, k2)[side] > 0:
            add_shrugs(worth, named, side, after, spot, tools, shrugs_0 if side == 0 else shrugs_1)
    block = here[h1, h2, k1, k2]
    stays = block if loops else after[h1, h2, k1, k2]
    if loops:
        guess_block(here, spot, start)
    steps, leaps = np.zeros((n1, n2, 2 + 4 * codes)), np.zeros((n1, n2, 1 + 4 * codes), np.int64)
    change = 0.0
    for _ in range(SWEEPS):
        change = 0.0
        if responder != NOBODY:
            change = answer_block(
                block, stays, worth, named, growth, responder, wants, k1, k2, tools, stances, attacks, names
            )
            if not loops or change <= enough or change > ENDLESS:
                break
        weigh_steps(steps, leaps, worth, named, growth, k1, k2, tools, stances, attacks, names)
        left = follow_steps(block, stays, steps, leaps, 1 if not loops else FOLLOWED, 0.01 * change, tools)
        if responder == NOBODY and (left <= enough or not loops):
            break
    return change


@compiled
def add_shrugs(worth: Any, named: Any, side: Any, after: Any, spot: Any, tools: Any, shrugs: Any) -> None:
    """Add the effect of shrugging off hits with the probabilities read from the player."""
    k1, k2 = spot[2], spot[3]
    taken = np.zeros((2, worth.shape[1], worth.shape[2], len(tools.halves)))
    shrugged = np.zeros_like(taken)
    weigh_hits(taken, side, after, after, 1, NEVER, spot, tools)
    weigh_hits(shrugged, side, after, after, 1, ALWAYS, spot, tools)
    for i in range(N):
        for j in range(N):
            for one in range(2):
                for other in range(2):
                    e = tools.exchange[i, j, one, other]
                    if e == NOTHING or (not (one and other) and not (tools.holds_back and i == j)):
                        continue
                    for c1 in range(worth.shape[1]):
                        for c2 in range(worth.shape[2]):
                            a, b = tools.fades_0[c1], tools.fades_1[c2]
                            if i == CUNNING and tools.slots[j] != NOTHING:
                                for code in range(tools.named_1.shape[1]):
                                    to = tools.named_1[c2, code]
                                    named[0, tools.slots[j], code, c1, c2] += effect_of_shrugs(
                                        taken, shrugged, shrugs, e, side, c1, c2, a, to, k1, k2, tools
                                    )
                            elif j == CUNNING and tools.slots[i] != NOTHING:
                                for code in range(tools.named_0.shape[1]):
                                    to = tools.named_0[c1, code]
                                    named[1, tools.slots[i], code, c1, c2] += effect_of_shrugs(
                                        taken, shrugged, shrugs, e, side, c1, c2, to, b, k1, k2, tools
                                    )
                            else:
                                worth[e, c1, c2] += effect_of_shrugs(
                                    taken, shrugged, shrugs, e, side, c1, c2, a, b, k1, k2, tools
                                )


@compiled
def effect_of_shrugs(
    taken: Any, shrugged: Any, shrugs: Any, e: Any, side: Any, c1: Any, c2: Any, a: Any, b: Any, k1: Any, k2: Any,
    tools: Any,
) -> Any:  # fmt: skip
    """Return the effect of shrugging off in one exchange from pair (c1, c2), if it leads to pair (a, b)."""
    column = tools.columns[e]
    l1, l2 = tools.vectors_0[c1, column], tools.vectors_1[c2, column]
    total = 0.0
    for d in range(1, tools.most[k1, k2, l1, l2, e, side] + 1):
        gained = shrugged[side, a, b, d] - taken[side, a, b, d]
        total += tools.chances[k1, k2, l1, l2, e, side, d] * np.float64(shrugs[e, c1, c2, d]) * gained
    return total


@inlined
def exchange_to_weigh(i: Any, j: Any, one: Any, other: Any, tools: Any) -> Any:
    """Return the index of the exchange to weigh; a contest is one exchange, whichever side started it."""
    if i == j and (one or other) and not tools.holds_back:
        return tools.exchange[i, j, 1, 1]
    return tools.exchange[i, j, one, other]


@compiled
def answer_block(
    block: Any, stays: Any, worth: Any, named: Any, growth: Any, responder: Any, wants: Any, k1: Any, k2: Any,
    tools: Any, stances: Any, attacks: Any, names: Any,
) -> Any:  # fmt: skip
    """Write each pair's best choices and their values, fewest levels first; return the largest change."""
    other = 1 - responder
    exchange, columns, slots, order, idles = tools.exchange, tools.columns, tools.slots, tools.order, tools.idle[k1, k2]
    vectors_0, vectors_1, fades_0, fades_1 = tools.vectors_0, tools.vectors_1, tools.fades_0, tools.fades_1
    named_0, named_1, free, mutual = tools.named_0, tools.named_1, tools.free, tools.holds_back
    own_codes, codes = named_1.shape[1], named_0.shape[1]
    if responder == 1:
        own_codes, codes = codes, own_codes
    worst = 0.0
    for place in range(len(order)):
        c1, c2 = order[place]
        no_attack = stays[fades_0[c1], fades_1[c2]]  # no fighter attacks
        best, found = 0, -np.inf
        for own in range(N):
            total = 0.0
            for theirs in range(N):
                i, j = (own, theirs) if responder == 0 else (theirs, own)
                share = stances[other, c1, c2, theirs]
                strikes = attacks[other, c1, c2, theirs, own]
                e = exchange[i, j, 1, 1]
                if e == NOTHING:
                    total += share * no_attack
                    continue
                column = columns[e]
                l1, l2 = vectors_0[c1, column], vectors_1[c2, column]
                idle = idles[l1, l2, e]
                alone = exchange[i, j, 1, 0] if responder == 0 else exchange[i, j, 0, 1]
                acted, held, code = 0.0, no_attack, 0
                if alone == NOTHING:  # only the other may attack, and it may choose not to
                    if theirs == CUNNING and slots[own] != NOTHING:
                        for k in range(codes):
                            often = names[other, c1, c2, slots[own], k]
                            if often > 0.0:
                                a = fades_0[c1] if other == 0 else named_0[c1, k]
                                b = fades_1[c2] if other == 1 else named_1[c2, k]
                                acted += often * (named[other, slots[own], k, c1, c2] + idle * stays[a, b])
                    else:
                        acted = worth[e, c1, c2] + idle * no_attack
                    total += share * (strikes * acted + (1.0 - strikes) * no_attack)
                    continue
                if own == CUNNING and slots[theirs] != NOTHING:
                    acted = -np.inf
                    for k in range(own_codes):
                        a = fades_0[c1] if responder == 0 else named_0[c1, k]
                        b = fades_1[c2] if responder == 1 else named_1[c2, k]
                        gained = wants * (named[responder, slots[theirs], k, c1, c2] + idle * stays[a, b])
                        if gained > acted:
                            acted, code = gained, k
                    acted *= wants
                    for k in range(own_codes):
                        names[responder, c1, c2, slots[theirs], k] = 1.0 if k == code else 0.0
                elif i != j:
                    acted = worth[e, c1, c2] + idle * no_attack
                else:
                    both = worth[e, c1, c2] + idle * no_attack
                    acted = both  # a contest, whichever side began it
                    back = both
                    if mutual:
                        against = exchange[i, j, 0, 1] if responder == 0 else exchange[i, j, 1, 0]
                        first = worth[alone, c1, c2] + idles[l1, l2, alone] * no_attack
                        back = worth[against, c1, c2] + idles[l1, l2, against] * no_attack
                        acted = strikes * both + (1.0 - strikes) * first
                    held = strikes * back + (1.0 - strikes) * no_attack
                acts = not free or wants * acted >= wants * held
                attacks[responder, c1, c2, own, theirs] = 1.0 if acts else 0.0
                total += share * (acted if acts else held)
            if wants * total > found:
                best, found = own, wants * total
        for own in range(N):
            stances[responder, c1, c2, own] = 1.0 if own == best else 0.0
        value = growth * wants * found
        worst = max(worst, abs(value - block[c1, c2]) / max(1.0, abs(value)))
        block[c1, c2] = value
        if abs(value) > ENDLESS:
            return np.inf
    return worst


@compiled
def weigh_steps(
    steps: Any, leaps: Any, worth: Any, named: Any, growth: Any, k1: Any, k2: Any, tools: Any, stances: Any,
    attacks: Any, names: Any,
) -> None:  # fmt: skip
    """Write the inputs of follow_steps for each pair under both policies.

    The inputs are the immediate value of a round, the probability of a plain round without a hit, and the probability
    of such a round after each way to name levels. `leaps` holds the number of these ways and the pairs that they lead
    to.
    """
    codes, width = names.shape[4], steps.shape[1]
    steps[:, :, :] = 0.0
    leaps[:, :, 0] = 0
    for c1 in range(steps.shape[0]):
        for c2 in range(steps.shape[1]):
            step = steps[c1, c2]
            for i in range(N):
                for j in range(N):
                    for one in range(2):
                        for other in range(2):
                            share = stances[0, c1, c2, i] * stances[1, c1, c2, j]
                            share *= attacks[0, c1, c2, i, j] if one else 1.0 - attacks[0, c1, c2, i, j]
                            share *= attacks[1, c1, c2, j, i] if other else 1.0 - attacks[1, c1, c2, j, i]
                            if share == 0.0:
                                continue
                            share *= growth
                            e = exchange_to_weigh(i, j, one, other, tools)
                            if e == NOTHING:
                                step[1] += share
                                continue
                            column = tools.columns[e]
                            l1, l2 = tools.vectors_0[c1, column], tools.vectors_1[c2, column]
                            idle = tools.idle[k1, k2, l1, l2, e]
                            who, slot = NOBODY, 0
                            if i == CUNNING and tools.slots[j] != NOTHING:
                                who, slot = 0, tools.slots[j]
                            elif j == CUNNING and tools.slots[i] != NOTHING:
                                who, slot = 1, tools.slots[i]
                            if who == NOBODY:
                                step[0] += share * worth[e, c1, c2]
                                step[1] += share * idle
                                continue
                            for code in range(codes):
                                part = share * names[who, c1, c2, slot, code]
                                if part > 0.0:
                                    step[0] += part * named[who, slot, code, c1, c2]
                                    count = leaps[c1, c2, 0]
                                    step[2 + count] = part * idle
                                    a = tools.fades_0[c1] if who == 0 else tools.named_0[c1, code]
                                    b = tools.fades_1[c2] if who == 1 else tools.named_1[c2, code]
                                    leaps[c1, c2, 1 + count] = a * width + b
                                    leaps[c1, c2, 0] = count + 1


@compiled
def follow_steps(block: Any, stays: Any, steps: Any, leaps: Any, sweeps: Any, enough: Any, tools: Any) -> Any:
    """Iterate the values of a block under fixed choices until they converge; return the last change."""
    change, width = 0.0, block.shape[1]
    for _ in range(sweeps):
        change = 0.0
        for place in range(len(tools.order)):
            c1, c2 = tools.order[place]
            value = steps[c1, c2, 0] + steps[c1, c2, 1] * stays[tools.fades_0[c1], tools.fades_1[c2]]
            for k in range(leaps[c1, c2, 0]):
                to = leaps[c1, c2, 1 + k]
                value += steps[c1, c2, 2 + k] * stays[to // width, to % width]
            change = max(change, abs(value - block[c1, c2]) / max(1.0, abs(value)))
            block[c1, c2] = value
            if abs(value) > ENDLESS:
                return 0.0
        if change <= enough:
            break
    return change

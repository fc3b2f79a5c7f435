"""The compiled part of solve.py: play positions on by every choice and every total, and solve windows backward.

The graph of positions is kept in flat arrays. A position has a row for each pair of choices, row after row of the first
fighter's choices; a row has its outcomes one after another: where it leads, over how many round starts, how often.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.core.records import record
from heartrush_env.core.rng import mix as scramble
from heartrush_env.core.rule import compiled, entry_point
from heartrush_env.heart_rush.encoding.actions import DEED, DETAIL, entry_of, target_of, write_mask
from heartrush_env.heart_rush.engine.rounds import advance
from heartrush_env.heart_rush.engine.state import ACTION, GOES_ON, ROUND_CAP, VICTORY
from heartrush_env.heart_rush.engine.windows import choose
from heartrush_env.heart_rush.rules.terms import PASS
from heartrush_env.heart_rush.rules.timing import are_equals
from heartrush_env.heart_rush.solver.full_rules.positions import MOST_ROLLS, forget_past
from heartrush_env.solver.zero_sum import gap, mix

MOST_TOTALS = 256  # that one pool can show

# Why a search pauses: it needs more room, or the chances of a pool; or it gives up.
DONE, FULL_POSITIONS, FULL_OUTCOMES, NEW_POOL, FULL_POOLS, TOO_MANY_ROLLS = range(6)

# Where a row may lead beside positions.
DRAWN, FIRST_WON, SECOND_WON, CAPPED = -1, -2, -3, -4

_ODD = np.uint64(0x9E3779B97F4A7C15)

SEARCH = record(
    [
        ("positions", "i8"),  # found
        ("rows", "i8"),
        ("outcomes", "i8"),
        ("done", "i8"),  # of the positions that shall be played on
        ("pools", "i8"),
        ("steps", "i8"),  # windows played
        ("enemies", "i8"),  # of the shape
        ("actions", "i8"),
    ]
)


@entry_point
def explore(
    search: Any, words: Any, positions: Any, slots: Any,
    row_first: Any, widths: Any, row_start: Any, leads: Any, rounds: Any, chances: Any,
    pool_keys: Any, pool_low: Any, pool_sizes: Any, pool_chances: Any,
    todo: Any, play: Any, play_words: Any, log: Any, masks: Any,
) -> Any:  # fmt: skip
    """Play the positions of `todo` on, from search.done; returns why it stopped."""
    state = search[0]
    actions = np.zeros((2, state.actions), np.int64)
    while state.done < len(todo):
        p = todo[state.done]
        for seat in range(2):
            write_mask(positions[p], seat, masks, 0, state.actions, state.enemies)
            widths[p, seat] = 0
            for action in range(state.actions):
                if masks[action]:
                    actions[seat, widths[p, seat]] = action
                    widths[p, seat] += 1
        rows, outcomes = state.rows, state.outcomes
        if rows + widths[p, 0] * widths[p, 1] + 1 >= len(row_start):
            return FULL_OUTCOMES
        for a in range(widths[p, 0]):
            for b in range(widths[p, 1]):
                row_start[state.rows] = state.outcomes
                result = play_all(
                    state, words, positions, slots, leads, rounds, chances,
                    pool_keys, pool_low, pool_sizes, pool_chances,
                    p, actions[0, a], actions[1, b], play, play_words, log[0],
                )  # fmt: skip
                if result != DONE:
                    state.rows, state.outcomes = rows, outcomes
                    return result
                state.rows += 1
        row_start[state.rows] = state.outcomes
        row_first[p] = rows
        state.done += 1
    return DONE


@compiled
def play_all(
    state: Any, words: Any, positions: Any, slots: Any, leads: Any, rounds: Any, chances: Any,
    pool_keys: Any, pool_low: Any, pool_sizes: Any, pool_chances: Any,
    p: Any, first: Any, second: Any, play: Any, play_words: Any, log: Any,
) -> Any:  # fmt: skip
    """One row: go through the totals of all rolls that the engine makes, as a tree without the branches of no chance.

    Where equals roll for their order, a tie is rolled again, which changes nothing but the time it takes: ties are left
    out, and the chances of the rest made whole.
    """
    begin = state.outcomes
    pools = np.zeros(MOST_ROLLS, np.int64)
    at = np.zeros(MOST_ROLLS, np.int64)  # which of its totals each roll shows
    before = np.ones(MOST_ROLLS + 1)  # the chance of all rolls before each
    depth = 0
    lost = 0.0
    match = play[0]
    while True:
        play[0] = positions[p]
        act(match, 0, first, state.enemies)
        act(match, 1, second, state.enemies)
        contended = (
            match.window == ACTION
            and match.fighters[0].deed != PASS
            and match.fighters[1].deed != PASS
            and are_equals(match.fighters[0], match.fighters[1])
        )
        for k in range(depth):
            match.totals[k] = pool_low[pools[k]] + at[k]
        match.totals_given = depth
        tied = contended and depth >= 2 and match.totals[0] == match.totals[1]
        if not tied:
            advance(match, log)
            state.steps += 1
        if not tied and match.totals_used > depth:
            if depth == MOST_ROLLS:
                return TOO_MANY_ROLLS
            found = find_pool(pool_keys, state.pools, pool_key(match.asked))
            if found < 0:
                return NEW_POOL
            pools[depth] = found
            at[depth] = -1
            depth += 1
        elif tied:
            lost += before[depth]
        else:
            if state.outcomes >= len(leads):
                return FULL_OUTCOMES
            if state.positions >= len(words):
                return FULL_POSITIONS
            passed = match.round_number - positions[p].round_number
            add_outcome(
                begin, state, leads, rounds, chances,
                where(state, words, slots, match, play_words), passed, before[depth],
            )  # fmt: skip
        while depth > 0:  # on to the next total of the last roll that has one
            k = depth - 1
            at[k] += 1
            while at[k] < pool_sizes[pools[k]] and pool_chances[pools[k], at[k]] == 0.0:
                at[k] += 1
            if at[k] < pool_sizes[pools[k]]:
                before[depth] = before[k] * pool_chances[pools[k], at[k]]
                break
            depth -= 1
        if depth == 0:
            break
    if lost > 0.0:
        for k in range(begin, state.outcomes):
            chances[k] /= 1.0 - lost
    return DONE


@compiled
def act(match: Any, i: Any, action: Any, enemies: Any) -> None:
    """Fighter i chooses, if it is asked."""
    fighter = match.fighters[i]
    if fighter.pending:
        fighter.pending = False
        entry = entry_of(action, enemies)
        choose(match, i, DEED[entry], target_of(fighter, action, enemies), DETAIL[entry])


@compiled
def pool_key(pool: Any) -> Any:
    """A number for each pool: four bits for each die, and the bonus and net level."""
    key = np.int64(pool.net) + 32
    key = key * 2048 + np.int64(pool.flat_bonus) + 1024
    for k in range(len(pool.sides)):
        key = key * 16 + (np.int64(pool.sides[k]) // 2 if k < pool.count else 0)
    for k in range(len(pool.bonus)):
        key = key * 16 + (np.int64(pool.bonus[k]) // 2 if k < pool.bonus_count else 0)
    return key


@compiled
def find_pool(pool_keys: Any, count: Any, key: Any) -> Any:
    """The place of a pool, or -1."""
    for k in range(count):
        if pool_keys[k] == key:
            return k
    return -1


@compiled
def where(state: Any, words: Any, slots: Any, match: Any, play_words: Any) -> Any:
    """Where a fight has come to: an ending, or the number of its position, which may be new."""
    if match.ending != GOES_ON:
        if match.ending == ROUND_CAP:
            return CAPPED
        if match.ending != VICTORY:
            return DRAWN
        return FIRST_WON if match.winner == match.fighters[0].team else SECOND_WON
    forget_past(match)
    slot = find(words, slots, play_words[0])
    if slots[slot] < 0:
        slots[slot] = state.positions
        for k in range(words.shape[1]):
            words[state.positions, k] = play_words[0, k]
        state.positions += 1
    return slots[slot]


@compiled
def find(words: Any, slots: Any, wanted: Any) -> Any:
    """The slot of a position among the slots, or a free one."""
    code = np.uint64(0)
    for k in range(len(wanted)):
        code = (code ^ wanted[k]) * _ODD
    last = np.uint64(len(slots) - 1)
    slot = scramble(code) & last
    while slots[slot] >= 0:
        same = True
        for k in range(len(wanted)):
            if words[slots[slot], k] != wanted[k]:
                same = False
                break
        if same:
            break
        slot = (slot + np.uint64(1)) & last
    return np.int64(slot)


@entry_point
def look_up(words: Any, slots: Any, wanted: Any) -> Any:
    """The number of a position, or -1."""
    return slots[find(words, slots, wanted)]


@entry_point
def enter(words: Any, slots: Any, count: Any) -> None:
    """Fill the slots with so many positions."""
    for p in range(count):
        slots[find(words, slots, words[p])] = p


@entry_point
def write_choices(positions: Any, p: Any, seat: Any, masks: Any, enemies: Any) -> None:
    """Write 1 for every action that a seat may take in a position."""
    write_mask(positions[p], seat, masks, 0, len(masks), enemies)


@compiled
def add_outcome(
    begin: Any, state: Any, leads: Any, rounds: Any, chances: Any, lead: Any, passed: Any, chance: Any
) -> None:
    """One more way of a row: with others that lead to the same, or a new one."""
    for k in range(begin, state.outcomes):
        if leads[k] == lead and rounds[k] == passed:
            chances[k] += chance
            return
    leads[state.outcomes] = lead
    rounds[state.outcomes] = passed
    chances[state.outcomes] = chance
    state.outcomes += 1


# -- backward ----------------------------------------------------------------------------------------------------------


@entry_point
def set_ranks(ranks: Any, row_first: Any, widths: Any, row_start: Any, leads: Any, rounds: Any) -> Any:
    """How many windows of its round may follow each position; returns the most."""
    most, changed = 0, True
    while changed:
        changed = False
        for p in range(len(ranks) - 1, -1, -1):
            if row_first[p] < 0:
                continue
            end = row_first[p] + widths[p, 0] * widths[p, 1]
            for k in range(row_start[row_first[p]], row_start[end]):
                if rounds[k] == 0 and leads[k] >= 0 and ranks[leads[k]] >= ranks[p]:
                    ranks[p] = ranks[leads[k]] + 1
                    most = max(most, ranks[p])
                    changed = True
        if most > len(ranks):  # round in a circle, which no fight goes within a round
            return -1
    return most


@compiled
def worth(lead: Any, passed: Any, left: Any, values: Any, capped: Any) -> Any:
    """What an outcome is worth with so many rounds left, the one that is played included."""
    if passed >= left:  # the cap came first
        return capped[lead if lead >= 0 else len(capped) - 1]
    if lead >= 0:
        return values[left - passed, lead]
    return 1.0 if lead == FIRST_WON else (-1.0 if lead == SECOND_WON else 0.0)


@compiled
def fill(
    game: Any, p: Any, left: Any, values: Any, capped: Any,
    row_first: Any, widths: Any, row_start: Any, leads: Any, rounds: Any, chances: Any,
) -> None:  # fmt: skip
    """Write the matrix game of a position."""
    row = row_first[p]
    for a in range(widths[p, 0]):
        for b in range(widths[p, 1]):
            total = 0.0
            for k in range(row_start[row], row_start[row + 1]):
                total += chances[k] * worth(leads[k], rounds[k], left, values, capped)
            game[a, b] = total
            row += 1


@entry_point
def stage_game(
    game: Any, p: Any, left: Any, values: Any, capped: Any,
    row_first: Any, widths: Any, row_start: Any, leads: Any, rounds: Any, chances: Any,
) -> None:  # fmt: skip
    """Write the matrix game of a position."""
    fill(game, p, left, values, capped, row_first, widths, row_start, leads, rounds, chances)


@compiled
def solve_game(game: Any, n: Any, m: Any, row: Any, column: Any, tableau: Any, basis: Any) -> Any:
    """Value and mixes of a matrix game; one with a single choice for a side needs no mixing."""
    if n > 1 and m > 1:
        return mix(game[:n, :m], row[:n], column[:m], tableau, basis)
    best = 0
    for k in range(max(n, m)):
        if n > 1 and game[k, 0] > game[best, 0]:
            best = k
        if m > 1 and game[0, k] < game[0, best]:
            best = k
    row[:n] = 0.0
    column[:m] = 0.0
    row[best if n > 1 else 0] = 1.0
    column[best if m > 1 else 0] = 1.0
    return game[best if n > 1 else 0, best if m > 1 else 0]


@entry_point
def solve_round(
    order: Any, left: Any, values: Any, capped: Any,
    row_first: Any, widths: Any, row_start: Any, leads: Any, rounds: Any, chances: Any,
) -> Any:  # fmt: skip
    """Write the values of these positions, later ones of a round first; returns the largest gap of a certificate."""
    n, m = largest(widths)
    game, row, column = np.zeros((n, m)), np.zeros(n), np.zeros(m)
    tableau, basis = np.zeros((n + 1, n + m + 1)), np.zeros(n, np.int64)
    worst = 0.0
    for p in order:
        fill(game, p, left, values, capped, row_first, widths, row_start, leads, rounds, chances)
        own, other = widths[p, 0], widths[p, 1]
        values[left, p] = solve_game(game, own, other, row, column, tableau, basis)
        worst = max(worst, gap(game[:own, :other], row[:own], column[:other], values[left, p]))
    return worst


@compiled
def largest(widths: Any) -> Any:
    """The most choices of each side."""
    n, m = 1, 1
    for p in range(len(widths)):
        n, m = max(n, widths[p, 0]), max(m, widths[p, 1])
    return n, m


@entry_point
def answer_round(
    order: Any, left: Any, known: Any, values: Any, capped: Any,
    best: Any, best_capped: Any, least: Any, least_capped: Any,
    row_first: Any, widths: Any, row_start: Any, leads: Any, rounds: Any, chances: Any,
) -> None:  # fmt: skip
    """What the first fighter gets at best against the solution's second, and at least as the solution's first.

    `known` are the rounds left by which the solution plays here, in `values`; the answers count rounds by `left`.
    """
    n, m = largest(widths)
    game, row, column = np.zeros((n, m)), np.zeros(n), np.zeros(m)
    tableau, basis = np.zeros((n + 1, n + m + 1)), np.zeros(n, np.int64)
    for p in order:
        own, other = widths[p, 0], widths[p, 1]
        fill(game, p, known, values, capped, row_first, widths, row_start, leads, rounds, chances)
        solve_game(game, own, other, row, column, tableau, basis)
        fill(game, p, left, best, best_capped, row_first, widths, row_start, leads, rounds, chances)
        most = -np.inf
        for a in range(own):
            total = 0.0
            for b in range(other):
                total += game[a, b] * column[b]
            most = max(most, total)
        best[left, p] = most
        fill(game, p, left, least, least_capped, row_first, widths, row_start, leads, rounds, chances)
        fewest = np.inf
        for b in range(other):
            total = 0.0
            for a in range(own):
                total += game[a, b] * row[a]
            fewest = min(fewest, total)
        least[left, p] = fewest

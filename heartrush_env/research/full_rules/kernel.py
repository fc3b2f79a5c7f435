"""Compiled code of solve.py: expands positions by every choice and every total, and solves windows backward.

The graph of positions is kept in flat arrays. A position has one row for each pair of choices, ordered by the first
fighter's choice. The outcomes of a row are contiguous: where each leads, how many round starts it passes, and its
probability.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from heartrush_env.games.heart_rush.encoding.actions import choose_action
from heartrush_env.games.heart_rush.encoding.masks import write_mask
from heartrush_env.games.heart_rush.rules.terms import PASS
from heartrush_env.games.heart_rush.rules.timing import are_equals
from heartrush_env.games.heart_rush.state.record import ACTION, GOES_ON, ROUND_CAP, VICTORY
from heartrush_env.research.full_rules.positions import MACHINE, MOST_ROLLS, forget_past
from heartrush_env.research.zero_sum import gap, mix
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rng import mix as scramble
from heartrush_env.tabletop.rule import compiled

MOST_TOTALS = 256  # maximum number of totals of one pool

advance = MACHINE.advance

# Why a search pauses: it needs more room or a pool's probabilities, or it gives up.
DONE, FULL_POSITIONS, FULL_OUTCOMES, NEW_POOL, TOO_MANY_ROLLS = range(5)

# Endings: where a row can lead other than to positions.
DRAWN, FIRST_WON, SECOND_WON, CAPPED = -1, -2, -3, -4

_ODD = np.uint64(0x9E3779B97F4A7C15)

SEARCH = record(
    [
        ("positions", "i8"),  # found
        ("rows", "i8"),
        ("outcomes", "i8"),
        ("done", "i8"),  # number of positions in `todo` that are finished
        ("pools", "i8"),
        ("steps", "i8"),  # windows played
        ("enemies", "i8"),  # as in the game's shape
        ("actions", "i8"),
    ]
)


class Known(NamedTuple):
    """The positions found so far."""

    words: Any  # (positions, WORDS)
    positions: Any  # `words` as records
    slots: Any  # hash table of position indices


class Rows(NamedTuple):
    """The transitions: one row for each pair of choices in a position, with contiguous outcomes."""

    row_first: Any  # (positions,): index of its first row; -1 if it was not expanded
    widths: Any  # (positions, seat): number of choices
    row_start: Any  # (rows + 1,): index of its first outcome
    leads: Any  # (outcomes,): index of a position, or an ending
    rounds: Any  # (outcomes,): number of round starts passed
    chances: Any  # (outcomes,)


class Pools(NamedTuple):
    """The probabilities of the totals of all pools encountered so far."""

    keys: Any  # (pools,)
    low: Any  # (pools,): the lowest total
    sizes: Any  # (pools,): number of totals
    chances: Any  # (pools, totals)


class Table(NamedTuple):
    """The buffers for playing one fight."""

    play: Any  # one record
    words: Any  # `play` as words
    log: Any
    masks: Any  # (actions,)


class Values(NamedTuple):
    """The values of positions, for each number of rounds left and once the rounds are over."""

    by_rounds: Any  # (rounds left, positions)
    capped: Any  # (positions + 1,): values once the rounds are over; the last is for any other position


@entry_point
def explore(search: Any, known: Known, rows: Rows, pools: Pools, todo: Any, table: Table) -> Any:
    """Compute the rows of the positions in `todo`, starting at search.done, and return the reason for stopping."""
    state, positions, masks = search[0], known.positions, table.masks
    row_first, widths, row_start = rows.row_first, rows.widths, rows.row_start
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
        first_row, outcomes = state.rows, state.outcomes
        if first_row + widths[p, 0] * widths[p, 1] + 1 >= len(row_start):
            return FULL_OUTCOMES
        for a in range(widths[p, 0]):
            for b in range(widths[p, 1]):
                row_start[state.rows] = state.outcomes
                result = play_all(state, known, rows, pools, table, p, actions[0, a], actions[1, b])
                if result != DONE:
                    state.rows, state.outcomes = first_row, outcomes
                    return result
                state.rows += 1
        row_start[state.rows] = state.outcomes
        row_first[p] = first_row
        state.done += 1
    return DONE


@compiled
def play_all(state: Any, known: Known, rows: Rows, pools: Pools, table: Table, p: Any, first: Any, second: Any) -> Any:
    """Compute one row by enumerating the totals of all rolls that the engine makes, without impossible branches.

    Where equals in timing roll for their order, ties are rerolled. So ties are left out, and the probabilities of the
    other totals are normalised.
    """
    positions, play = known.positions, table.play
    begin = state.outcomes
    rolled = np.zeros(MOST_ROLLS, np.int64)  # the pool of each roll
    at = np.zeros(MOST_ROLLS, np.int64)  # index of each roll's current total
    before = np.ones(MOST_ROLLS + 1)  # probability of all rolls before each roll
    depth = 0
    lost = 0.0
    fight = play[0]
    while True:
        play[0] = positions[p]
        act(fight, 0, first, state.enemies)
        act(fight, 1, second, state.enemies)
        contended = (
            fight.window == ACTION
            and fight.fighters[0].deed != PASS
            and fight.fighters[1].deed != PASS
            and are_equals(fight, 0, 1)
        )
        for k in range(depth):
            fight.totals[k] = pools.low[rolled[k]] + at[k]
        fight.totals_given = depth
        tied = contended and depth >= 2 and fight.totals[0] == fight.totals[1]
        if not tied:
            advance(fight, table.log[0])
            state.steps += 1
        if not tied and fight.totals_used > depth:
            if depth == MOST_ROLLS:
                return TOO_MANY_ROLLS
            found = find_pool(pools.keys, state.pools, pool_key(fight.asked))
            if found < 0:
                return NEW_POOL
            rolled[depth] = found
            at[depth] = -1
            depth += 1
        elif tied:
            lost += before[depth]
        else:
            if state.outcomes >= len(rows.leads):
                return FULL_OUTCOMES
            if state.positions >= len(known.words):
                return FULL_POSITIONS
            passed = fight.round_number - positions[p].round_number
            add_outcome(begin, state, rows, where(state, known, fight, table.words), passed, before[depth])
        while depth > 0:  # advance to the next total of the last roll that has one
            k = depth - 1
            at[k] += 1
            while at[k] < pools.sizes[rolled[k]] and pools.chances[rolled[k], at[k]] == 0.0:
                at[k] += 1
            if at[k] < pools.sizes[rolled[k]]:
                before[depth] = before[k] * pools.chances[rolled[k], at[k]]
                break
            depth -= 1
        if depth == 0:
            break
    if lost > 0.0:
        for k in range(begin, state.outcomes):
            rows.chances[k] /= 1.0 - lost
    return DONE


@compiled
def act(fight: Any, i: Any, action: Any, enemies: Any) -> None:
    """Apply fighter i's choice, if it has one."""
    fighter = fight.fighters[i]
    if fighter.pending:
        fighter.pending = False
        choose_action(fight, i, action, enemies)


@compiled
def pool_key(pool: Any) -> Any:
    """Return a key of a pool: four bits for each die, the bonus, and the net level."""
    key = np.int64(pool.net) + 32
    key = key * 2048 + np.int64(pool.flat_bonus) + 1024
    for k in range(len(pool.sides)):
        key = key * 16 + (np.int64(pool.sides[k]) // 2 if k < pool.count else 0)
    return key


@compiled
def find_pool(pool_keys: Any, count: Any, key: Any) -> Any:
    """Return the index of the pool with this key, or -1."""
    for k in range(count):
        if pool_keys[k] == key:
            return k
    return -1


@compiled
def where(state: Any, known: Known, fight: Any, play_words: Any) -> Any:
    """Return a fight's current position: an ending, or the index of a known or newly added position."""
    words, slots = known.words, known.slots
    if fight.ending != GOES_ON:
        if fight.ending == ROUND_CAP:
            return CAPPED
        if fight.ending != VICTORY:
            return DRAWN
        return FIRST_WON if fight.winner == fight.fighters[0].team else SECOND_WON
    forget_past(fight)
    slot = find(words, slots, play_words[0])
    if slots[slot] < 0:
        slots[slot] = state.positions
        for k in range(words.shape[1]):
            words[state.positions, k] = play_words[0, k]
        state.positions += 1
    return slots[slot]


@compiled
def find(words: Any, slots: Any, wanted: Any) -> Any:
    """Return the hash table slot of a position, or a free slot."""
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
    """Return the index of a position, or -1 if it is unknown."""
    return slots[find(words, slots, wanted)]


@entry_point
def enter(words: Any, slots: Any, count: Any) -> None:
    """Enter the first `count` positions into the hash table."""
    for p in range(count):
        slots[find(words, slots, words[p])] = p


@entry_point
def write_choices(positions: Any, p: Any, seat: Any, masks: Any, enemies: Any) -> None:
    """Write 1 into `masks` for every legal action of a seat in a position."""
    write_mask(positions[p], seat, masks, 0, len(masks), enemies)


@compiled
def add_outcome(begin: Any, state: Any, rows: Rows, lead: Any, passed: Any, chance: Any) -> None:
    """Add an outcome to a row, merged with any outcome that leads to the same position after as many rounds."""
    leads, rounds, chances = rows.leads, rows.rounds, rows.chances
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
    """Write the maximum number of windows that follow each position in its round; return the largest, -1 on a cycle."""
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
        if most > len(ranks):  # a cycle within a round, which no fight has
            return -1
    return most


@compiled
def worth(lead: Any, passed: Any, left: Any, values: Values) -> Any:
    """Return the value of an outcome with this number of rounds left, including the round being played."""
    if passed >= left:  # the cap was reached first
        return values.capped[lead if lead >= 0 else len(values.capped) - 1]
    if lead >= 0:
        return values.by_rounds[left - passed, lead]
    return 1.0 if lead == FIRST_WON else (-1.0 if lead == SECOND_WON else 0.0)


@compiled
def fill(game: Any, p: Any, left: Any, values: Values, rows: Rows) -> None:
    """Write the matrix game of position `p` with `left` rounds left."""
    row = rows.row_first[p]
    for a in range(rows.widths[p, 0]):
        for b in range(rows.widths[p, 1]):
            total = 0.0
            for k in range(rows.row_start[row], rows.row_start[row + 1]):
                total += rows.chances[k] * worth(rows.leads[k], rows.rounds[k], left, values)
            game[a, b] = total
            row += 1


@entry_point
def stage_game(game: Any, p: Any, left: Any, values: Values, rows: Rows) -> None:
    """Write the matrix game of position `p` with `left` rounds left, when called from Python."""
    fill(game, p, left, values, rows)


@compiled
def solve_game(game: Any, n: Any, m: Any, row: Any, column: Any, tableau: Any, basis: Any) -> Any:
    """Solve a matrix game and return its value; if a side has a single choice, no mixing is needed."""
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
def solve_round(order: Any, left: Any, values: Values, rows: Rows) -> Any:
    """Write the values of these positions, later windows of a round first; return the largest certificate gap."""
    widths, worths = rows.widths, values.by_rounds
    n, m = largest(widths)
    game, row, column = np.zeros((n, m)), np.zeros(n), np.zeros(m)
    tableau, basis = np.zeros((n + 1, n + m + 1)), np.zeros(n, np.int64)
    worst = 0.0
    for p in order:
        fill(game, p, left, values, rows)
        own, other = widths[p, 0], widths[p, 1]
        worths[left, p] = solve_game(game, own, other, row, column, tableau, basis)
        worst = max(worst, gap(game[:own, :other], row[:own], column[:other], worths[left, p]))
    return worst


@compiled
def largest(widths: Any) -> Any:
    """Return the largest number of choices of each side."""
    n, m = 1, 1
    for p in range(len(widths)):
        n, m = max(n, widths[p, 0]), max(m, widths[p, 1])
    return n, m


@entry_point
def answer_round(order: Any, left: Any, known: Any, values: Values, best: Values, least: Values, rows: Rows) -> None:
    """Write the first fighter's best score against the solution, and its least score when playing the solution.

    The solution's mixes come from `values` with `known` rounds left. The answers, `best` and `least`, count rounds by
    `left`.
    """
    n, m = largest(rows.widths)
    game, row, column = np.zeros((n, m)), np.zeros(n), np.zeros(m)
    tableau, basis = np.zeros((n + 1, n + m + 1)), np.zeros(n, np.int64)
    for p in order:
        own, other = rows.widths[p, 0], rows.widths[p, 1]
        fill(game, p, known, values, rows)
        solve_game(game, own, other, row, column, tableau, basis)
        fill(game, p, left, best, rows)
        most = -np.inf
        for a in range(own):
            total = 0.0
            for b in range(other):
                total += game[a, b] * column[b]
            most = max(most, total)
        best.by_rounds[left, p] = most
        fill(game, p, left, least, rows)
        fewest = np.inf
        for b in range(other):
            total = 0.0
            for a in range(own):
                total += game[a, b] * row[a]
            fewest = min(fewest, total)
        least.by_rounds[left, p] = fewest

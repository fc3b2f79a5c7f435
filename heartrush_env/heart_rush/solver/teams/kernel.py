"""The compiled half of teams.py: what hits, phases and whole rounds are worth, from the last phase to the first."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.core.rule import compiled, entry_point
from heartrush_env.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.heart_rush.rules.terms import (
    AGILITY,
    CUNNING,
    DEFENSIVE,
    MIGHT,
    NOBODY,
    STANCES,
)
from heartrush_env.solver.zero_sum import mix

N = len(STANCES)
PAIRS = N * N  # joint stances of the pair: 4 * first + second
TRIPLES = N * PAIRS  # 16 * the solo's + the pair's
HELD_BACK, AT_FIRST, AT_SECOND = range(3)  # what the solo may do in a phase
TOLERANCE = 1e-14
ITERATIONS = 200  # of the search for a state's value, at most; about ten are usual


# -- what hits are worth -------------------------------------------------------------------------------------


@compiled
def look(after: Any, phases: Any, phase: Any, a: Any, b: Any, c: Any, i: Any, j: Any, k: Any, f: Any, t: Any) -> Any:
    """What a state is worth to the solo before this phase (before agility, before might, else after the round).

    Args:
        a, b, c: Hit points of the solo and of the pair; i, j, k: their heart dice.
        f: Who of the pair is helped; t: the stances of all. What was chosen for one who is down counts no more.
    """
    if a <= 0:
        return 0.0 if b <= 0 and c <= 0 else -1.0
    if b <= 0 and c <= 0:
        return 1.0
    if b <= 0:
        b, j, f, t = 0, 0, f & 2, t - t % PAIRS + N * DEFENSIVE + t % N
    if c <= 0:
        c, k, f, t = 0, 0, f & 1, t - t % N + DEFENSIVE
    if phase == AGILITY:
        return phases[0, a, b, c, i, j, k, f, t]
    if phase == MIGHT:
        return phases[1, a, b, c, i, j, k, f, t]
    return after[a, b, c, i, j, k]


@compiled
def half(damage: Any) -> Any:
    """Halved, rounded up (R-10)."""
    return (damage + 1) // 2


@compiled
def fill_hits(
    game: Any, after: Any, phases: Any, phase: Any, a: Any, b: Any, c: Any, i: Any, j: Any, k: Any, f: Any, t: Any,
    d1: Any, d2: Any, e: Any, g: Any,
) -> Any:  # fmt: skip
    """Write what shrugging brings: rows are which of its hits the solo shrugs off, columns which of theirs the pair.

    The solo is hurt for d1 and d2, the pair for e and g, 0 for not at all; bit 0 of a row or column is the earlier.
    A choice that the heart die does not allow is -2 in a row, 2 in a column.
    """
    for row in range(4):
        solo_hp = a - (half(d1) if row & 1 else d1) - (half(d2) if row & 2 else d2)
        drop = (row & 1) + (row >> 1)
        barred = drop > i or (row & 1 and d1 == 0) or (row & 2 and d2 == 0)
        for column in range(4):
            one, other = column & 1, column >> 1
            if barred:
                game[row, column] = -2.0
            elif (one and (e == 0 or j == 0)) or (other and (g == 0 or k == 0)):
                game[row, column] = 2.0
            else:
                first_hp = b - (half(e) if one else e)
                second_hp = c - (half(g) if other else g)
                game[row, column] = look(
                    after, phases, phase, solo_hp, first_hp, second_hp, i - drop, j - one, k - other, f, t
                )


@compiled
def worth_of_hits(game: Any, sides: Any) -> Any:
    """The value of the game that fill_hits has written: the solo's best, the pair's best, or both at once."""
    if sides == 1:
        best = -2.0
        for row in range(4):
            best = max(best, game[row, 0])
        return best
    if sides == 2:
        best = 2.0
        for column in range(4):
            best = min(best, game[0, column])
        return best
    # One hit of the solo's, the first; one of the pair's, the first or the second.
    column = 1 if game[0, 1] < 2.0 else 2
    if game[1, 0] == -2.0:
        return min(game[0, 0], game[0, column])
    if game[0, column] == 2.0:
        return max(game[0, 0], game[1, 0])
    return two_by_two(game[0, 0], game[0, column], game[1, 0], game[1, column])


@compiled
def two_by_two(a: Any, b: Any, c: Any, d: Any) -> Any:
    """The value of a game of two rows, (a, b) and (c, d)."""
    low, high = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    if low >= high:
        return low
    return (a * d - b * c) / (a + d - b - c)


# -- one phase -----------------------------------------------------------------------------------------------


@compiled
def fill_phase(
    brought: Any, idles: Any, coming: Any, solo_may: Any, pair_may: Any, scratch: Any,
    after: Any, phases: Any, phase: Any, a: Any, b: Any, c: Any, i: Any, j: Any, k: Any, f: Any, t: Any,
    chances: Any, tails: Any, idle: Any, most: Any, exchange: Any, equals: Any,
) -> Any:  # fmt: skip
    """Write the game of who attacks whom in one phase: (the solo's choices, whom of the pair attack as bits).

    brought: What hits are worth, times their chances. idles: the chance that nobody is hurt. coming: who is still
    helped then. solo_may, pair_may: which choices there are. Returns whether anybody has one.
    """
    mine, one, other = t // PAIRS, t // N % N, t % N
    for row in range(3):
        solo_may[row] = row == HELD_BACK
    for column in range(4):
        pair_may[column] = column == 0
    if mine == phase:
        solo_may[AT_FIRST] = b > 0 and MAY_ATTACK[mine, one]
        solo_may[AT_SECOND] = c > 0 and MAY_ATTACK[mine, other]
    pair_may[1] = b > 0 and one == phase and MAY_ATTACK[one, mine]
    pair_may[2] = c > 0 and other == phase and MAY_ATTACK[other, mine]
    pair_may[3] = pair_may[1] and pair_may[2]
    if not (solo_may[AT_FIRST] or solo_may[AT_SECOND] or pair_may[1] or pair_may[2]):
        return False
    for row in range(3):
        for column in range(4):
            if not (solo_may[row] and pair_may[column]):
                continue
            e = exchange[mine, one, int(row == AT_FIRST), column & 1]
            g = exchange[mine, other, int(row == AT_SECOND), column >> 1]
            left = 0 if column == 3 and equals else f  # their rolls for places have used the help
            still = left & ((1 if e == NOBODY else 0) | (2 if g == NOBODY else 0))
            coming[row, column] = still
            quiet = 1.0 if e == NOBODY else idle[0, i, j, left & 1, e]
            calm = 1.0 if g == NOBODY else idle[1, i, k, left >> 1, g]
            idles[row, column] = quiet * calm
            total = 0.0
            for who in range(2):
                if e != NOBODY:
                    top = min(most[0, i, j, left & 1, e, who], 2 * (a if who == 0 else b) - 1)
                    for d in range(1, top + 1):
                        p = at_most(chances[0, i, j, left & 1, e, who], tails[0, i, j, left & 1, e, who], d, top)
                        if p > 0.0:
                            total += (
                                p
                                * calm
                                * worth_of_pair(scratch, after, phases, phase, a, b, c, i, j, k, still, t, who, d, 0, 0)
                            )
                            if g != NOBODY:
                                total += p * weigh_second(
                                    scratch, after, phases, phase, a, b, c, i, j, k, still, t, who, d,
                                    chances[1, i, k, left >> 1, g], tails[1, i, k, left >> 1, g],
                                    most[1, i, k, left >> 1, g],
                                )  # fmt: skip
                if g != NOBODY:
                    top = min(most[1, i, k, left >> 1, g, who], 2 * (a if who == 0 else c) - 1)
                    for d in range(1, top + 1):
                        p = at_most(chances[1, i, k, left >> 1, g, who], tails[1, i, k, left >> 1, g, who], d, top)
                        if p > 0.0:
                            total += (
                                p
                                * quiet
                                * worth_of_pair(scratch, after, phases, phase, a, b, c, i, j, k, still, t, 0, 0, who, d)
                            )
            brought[row, column] = total
    return True


@entry_point
def played_phase(
    game: Any, rows: Any, columns: Any, after: Any, phases: Any, phase: Any, place: Any, f: Any, t: Any,
    chances: Any, tails: Any, idle: Any, most: Any, exchange: Any, equals: Any,
) -> None:  # fmt: skip
    """Write the game of one phase of a solved state, and which choices there are."""
    a, b, c, i, j, k = place
    brought, idles, coming, scratch = np.zeros((3, 4)), np.ones((3, 4)), np.zeros((3, 4), np.int64), np.zeros((4, 4))
    fill_phase(
        brought, idles, coming, rows, columns, scratch, after, phases, phase, a, b, c, i, j, k, f, t,
        chances, tails, idle, most, exchange, equals,
    )  # fmt: skip
    for row in range(3):
        for column in range(4):
            quiet = look(after, phases, following(phase), a, b, c, i, j, k, coming[row, column], t)
            game[row, column] = brought[row, column] + idles[row, column] * quiet


@entry_point
def played_hits(game: Any, after: Any, phases: Any, phase: Any, place: Any, f: Any, t: Any, hits: Any) -> None:
    """Write the game of shrugging off the hits of a phase."""
    a, b, c, i, j, k = place
    fill_hits(game, after, phases, following(phase), a, b, c, i, j, k, f, t, hits[0], hits[1], hits[2], hits[3])


@compiled
def at_most(chances: Any, tails: Any, damage: Any, top: Any) -> Any:
    """The chance of a damage, or of at least the largest that is told apart."""
    return tails[damage] if damage == top else chances[damage]


@compiled
def weigh_second(
    scratch: Any, after: Any, phases: Any, phase: Any, a: Any, b: Any, c: Any, i: Any, j: Any, k: Any, f: Any, t: Any,
    who: Any, damage: Any, chances: Any, tails: Any, most: Any,
) -> Any:  # fmt: skip
    """What a known hit is worth together with each that the other exchange may add, times the chance of that."""
    total = 0.0
    for other in range(2):
        top = min(most[other], 2 * (a if other == 0 else c) - 1)
        for d in range(1, top + 1):
            p = at_most(chances[other], tails[other], d, top)
            if p > 0.0:
                total += p * worth_of_pair(scratch, after, phases, phase, a, b, c, i, j, k, f, t, who, damage, other, d)
    return total


@compiled
def worth_of_pair(
    scratch: Any, after: Any, phases: Any, phase: Any, a: Any, b: Any, c: Any, i: Any, j: Any, k: Any, f: Any, t: Any,
    who: Any, damage: Any, other: Any, more: Any,
) -> Any:  # fmt: skip
    """What the hits of a phase are worth: of the exchange with the first, and with the second of the pair.

    `who` and `other` are 0 where the solo is hurt; a damage of 0 is no hit.
    """
    d1, d2 = (damage if who == 0 else 0), (more if other == 0 else 0)
    if d1 == 0:
        d1, d2 = d2, 0
    e, g = (damage if who == 1 else 0), (more if other == 1 else 0)
    fill_hits(scratch, after, phases, following(phase), a, b, c, i, j, k, f, t, d1, d2, e, g)
    sides = (1 if d1 > 0 else 0) + (2 if e > 0 or g > 0 else 0)
    return worth_of_hits(scratch, sides)


@compiled
def following(phase: Any) -> Any:
    """The phase after this one; NOBODY after might, the last."""
    if phase == CUNNING:
        return AGILITY
    return MIGHT if phase == AGILITY else NOBODY


assert (CUNNING, AGILITY, MIGHT) == (2, 1, 0), "arrays by phase are filled from the last phase to the first"


# -- one state -----------------------------------------------------------------------------------------------


@entry_point
def solve_states(
    here: Any, after: Any, loops: Any, phases: Any, solo: Any, pair: Any, help: Any,
    chances: Any, tails: Any, idle: Any, most: Any, exchange: Any, ways: Any, equals: Any,
) -> Any:  # fmt: skip
    """Solve the states of one layer, smaller hit points first; returns the largest gap of any stance game.

    Args:
        here: (hp x 3, hearts x 3), the values to write.
        after: What states are worth after this round: the same array if it `loops`, else the layer with a round less.
        ways: In how many ways the pair may help each other.
    """
    size = here.shape
    brought, idles = np.zeros((3, ways, TRIPLES, 3, 4)), np.zeros((3, ways, TRIPLES, 3, 4))
    coming = np.zeros((3, ways, TRIPLES, 3, 4), np.int64)
    solo_may, pair_may = np.zeros((3, ways, TRIPLES, 3), np.bool_), np.zeros((3, ways, TRIPLES, 4), np.bool_)
    active = np.zeros((3, ways, TRIPLES), np.bool_)
    worth, games = np.zeros((4, ways, TRIPLES)), np.zeros((ways, N, PAIRS))
    scratch, small = np.zeros((4, 4)), np.zeros((3, 4))
    row, column = np.zeros(N), np.zeros(PAIRS)
    tableau, basis = np.zeros((N + 1, N + PAIRS + 1)), np.zeros(N, np.int64)
    worst = 0.0
    for a in range(1, size[0]):
        for b in range(size[1]):
            for c in range(1 if b == 0 else 0, size[2]):
                for i in range(size[3]):
                    for j in range(size[4] if b > 0 else 1):
                        for k in range(size[5] if c > 0 else 1):
                            for p in range(3):
                                for f in range(ways):
                                    for t in range(TRIPLES):
                                        if not counts(b, c, f, t):
                                            continue
                                        active[p, f, t] = fill_phase(
                                            brought[p, f, t], idles[p, f, t], coming[p, f, t],
                                            solo_may[p, f, t], pair_may[p, f, t], scratch,
                                            after, phases, p, a, b, c, i, j, k, f, t,
                                            chances, tails, idle, most, exchange, equals,
                                        )  # fmt: skip
                            value = after[a, b, c, i, j, k]
                            if loops:
                                value = settle(
                                    worth, games, brought, idles, coming, solo_may, pair_may, active, small, b, c, ways,
                                    row, column, tableau, basis,
                                )  # fmt: skip
                            play_round(
                                worth, games, brought, idles, coming, solo_may, pair_may, active, small, b, c, ways,
                                value, row, column, tableau, basis,
                            )  # fmt: skip
                            best = 2.0
                            for f in range(ways if b > 0 and c > 0 else 1):
                                gained = stance_game(games[f], b, c, row, column, tableau, basis)
                                worst = max(worst, gap(games[f], b, c, row, column, gained))
                                for s in range(N):
                                    solo[a, b, c, i, j, k, f, s] = row[s]
                                for s in range(PAIRS):
                                    pair[a, b, c, i, j, k, f, s] = column[s]
                                if gained < best - TOLERANCE:
                                    best = gained
                                    help[a, b, c, i, j, k] = f
                            if loops:
                                worst = max(worst, abs(best - value))
                            here[a, b, c, i, j, k] = value if loops else best
                            for f in range(ways):
                                for t in range(TRIPLES):
                                    if counts(b, c, f, t):
                                        phases[0, a, b, c, i, j, k, f, t] = worth[AGILITY, f, t]
                                        phases[1, a, b, c, i, j, k, f, t] = worth[MIGHT, f, t]
    return worst


@compiled
def counts(b: Any, c: Any, f: Any, t: Any) -> Any:
    """Whether this help and these stances are kept: who is down is helped no more, and counts as defensive."""
    if b == 0 and (f & 1 or t // N % N != DEFENSIVE):
        return False
    return not (c == 0 and (f & 2 or t % N != DEFENSIVE))


@compiled
def play_round(
    worth: Any, games: Any, brought: Any, idles: Any, coming: Any, solo_may: Any, pair_may: Any, active: Any,
    small: Any, b: Any, c: Any, ways: Any, value: Any, row: Any, column: Any, tableau: Any, basis: Any,
) -> None:  # fmt: skip
    """Write what the state is worth before each phase, and its stance games, if a quiet round is worth `value`."""
    for p in range(3):
        for f in range(ways):
            for t in range(TRIPLES):
                if not counts(b, c, f, t):
                    continue
                if not active[p, f, t]:
                    worth[p, f, t] = value if p == MIGHT else worth[p - 1, f, t]
                    continue
                for one in range(3):
                    for other in range(4):
                        if solo_may[p, f, t, one] and pair_may[p, f, t, other]:
                            quiet = value if p == MIGHT else worth[p - 1, coming[p, f, t, one, other], t]
                            small[one, other] = brought[p, f, t, one, other] + idles[p, f, t, one, other] * quiet
                worth[p, f, t] = value_within(small, solo_may[p, f, t], pair_may[p, f, t], row, column, tableau, basis)
    for f in range(ways):
        for t in range(TRIPLES):
            if counts(b, c, f, t):
                games[f, t // PAIRS, t % PAIRS] = worth[CUNNING, f, t]


@compiled
def value_within(game: Any, rows: Any, columns: Any, row: Any, column: Any, tableau: Any, basis: Any) -> Any:
    """The value of the part of a game that has these rows and columns."""
    low, high, height, width = -2.0, 2.0, 0, 0
    for i in range(len(rows)):
        if rows[i]:
            height += 1
            least = 2.0
            for j in range(len(columns)):
                if columns[j]:
                    least = min(least, game[i, j])
            low = max(low, least)
    for j in range(len(columns)):
        if columns[j]:
            width += 1
            most = -2.0
            for i in range(len(rows)):
                if rows[i]:
                    most = max(most, game[i, j])
            high = min(high, most)
    if low >= high:
        return low
    part = np.empty((height, width))
    y = 0
    for i in range(len(rows)):
        if rows[i]:
            x = 0
            for j in range(len(columns)):
                if columns[j]:
                    part[y, x] = game[i, j]
                    x += 1
            y += 1
    return mix(part, row, column, tableau, basis)


@compiled
def stance_game(game: Any, b: Any, c: Any, row: Any, column: Any, tableau: Any, basis: Any) -> Any:
    """Write both mixes of a stance game and return its value; one who is down has the defensive stance alone."""
    ones, others = (N if b > 0 else 1), (N if c > 0 else 1)
    part, share = np.empty((N, ones * others)), np.zeros(ones * others)
    for i in range(N):
        for x in range(ones * others):
            part[i, x] = game[i, joint(x, ones, others)]
    value = mix(part, row, share, tableau, basis)
    for x in range(PAIRS):
        column[x] = 0.0
    for x in range(ones * others):
        column[joint(x, ones, others)] = share[x]
    return value


@compiled
def joint(x: Any, ones: Any, others: Any) -> Any:
    """The pair's stances from their number among those that they may take."""
    one = x // others if ones == N else DEFENSIVE
    other = x % others if others == N else DEFENSIVE
    return N * one + other


@compiled
def gap(game: Any, b: Any, c: Any, row: Any, column: Any, value: Any) -> Any:
    """The most that either side gains against these mixes by another choice."""
    worst = 0.0
    for i in range(N):
        got = 0.0
        for x in range(PAIRS):
            if column[x] > 0.0:
                got += column[x] * game[i, x]
        worst = max(worst, got - value)
    ones, others = (N if b > 0 else 1), (N if c > 0 else 1)
    for x in range(ones * others):
        got = 0.0
        for i in range(N):
            got += row[i] * game[i, joint(x, ones, others)]
        worst = max(worst, value - got)
    return worst


@compiled
def round_value(
    worth: Any, games: Any, brought: Any, idles: Any, coming: Any, solo_may: Any, pair_may: Any, active: Any,
    small: Any, b: Any, c: Any, ways: Any, value: Any, row: Any, column: Any, tableau: Any, basis: Any,
) -> Any:  # fmt: skip
    """What the state is worth, with the pair's best help, if a round in which nobody is hurt is worth `value`."""
    play_round(
        worth, games, brought, idles, coming, solo_may, pair_may, active, small, b, c, ways, value,
        row, column, tableau, basis,
    )  # fmt: skip
    best = 2.0
    for f in range(ways if b > 0 and c > 0 else 1):
        best = min(best, stance_game(games[f], b, c, row, column, tableau, basis))
    return best


@compiled
def settle(
    worth: Any, games: Any, brought: Any, idles: Any, coming: Any, solo_may: Any, pair_may: Any, active: Any,
    small: Any, b: Any, c: Any, ways: Any, row: Any, column: Any, tableau: Any, basis: Any,
) -> Any:  # fmt: skip
    """The v that a round is worth if a round in which nobody is hurt is worth v.

    A fight without end is a draw. What the round is worth less v falls in v; its zero is kept between two bounds, and
    the secant through them proposes the next (the Illinois method: a bound that stays twice weighs half).
    """
    at = 0.0
    off = round_value(
        worth, games, brought, idles, coming, solo_may, pair_may, active, small, b, c, ways, at,
        row, column, tableau, basis,
    )  # fmt: skip
    if abs(off) <= TOLERANCE:
        return at
    low, high = (0.0, 1.0) if off > 0.0 else (-1.0, 0.0)
    bound = 1.0 if off > 0.0 else -1.0
    end = round_value(
        worth, games, brought, idles, coming, solo_may, pair_may, active, small, b, c, ways, bound,
        row, column, tableau, basis,
    ) - bound  # fmt: skip
    above, below = (off, end) if off > 0.0 else (end, off)  # at low, at high
    stayed = 0
    for _ in range(ITERATIONS):
        if abs(above) <= TOLERANCE:
            return low
        if abs(below) <= TOLERANCE:
            return high
        at = (low * below - high * above) / (below - above)
        if not low < at < high:
            return low if above < -below else high
        off = round_value(
            worth, games, brought, idles, coming, solo_may, pair_may, active, small, b, c, ways, at,
            row, column, tableau, basis,
        ) - at  # fmt: skip
        if off >= 0.0:
            low, above = at, off
            below = 0.5 * below if stayed == 1 else below
            stayed = 1
        else:
            high, below = at, off
            above = 0.5 * above if stayed == -1 else above
            stayed = -1
    return at

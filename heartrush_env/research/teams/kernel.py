"""Compiled code for one_v_two.py: the values of hits, phases and whole rounds, from the last phase to the first."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    CUNNING,
    DEFENSIVE,
    MIGHT,
    NOBODY,
    STANCES,
)
from heartrush_env.research.zero_sum import mix
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.rule import compiled

N = len(STANCES)
PAIRS = N * N  # joint stances of the pair: 4 * first + second
TRIPLES = N * PAIRS  # 16 * the solo's + the pair's
HELD_BACK, AT_FIRST, AT_SECOND = range(3)  # the solo's choices in a phase
TOLERANCE = 1e-14
ITERATIONS = 200  # maximum steps of the search for a state's value; about ten are typical


class TeamArrays(NamedTuple):
    """The arrays of a fight, for compiled code; see TeamFight."""

    chances: Any
    tails: Any
    idle: Any
    most: Any
    exchange: Any  # (solo's stance, the other's, solo attacks, the other attacks): its index
    ways: Any  # number of ways in which the pair may help each other
    equals: Any  # whether the pair roll for their order when they attack the solo together


class Ahead(NamedTuple):
    """The values of later states."""

    after: Any  # after the round
    phases: Any  # before agility and before might
    phase: Any  # the next phase: AGILITY, MIGHT, or NOBODY if the round is over


class Moment(NamedTuple):
    """A state within a round."""

    solo: Any  # hit points
    first: Any
    second: Any
    solo_heart: Any  # indices of heart dice
    first_heart: Any
    second_heart: Any
    helped: Any  # which of the pair are helped, as bits
    stances: Any  # of all three: 16 * the solo's + 4 * the first's + the second's


class PhaseGame(NamedTuple):
    """The game of attacks in one phase: (the solo's choices, the pair's attackers as bits)."""

    ev: Any  # probability-weighted values of hits
    idles: Any  # probability that no fighter is hurt
    coming: Any  # which of the pair are still helped afterwards, as bits
    solo_may: Any  # (the solo's choices,): which are available
    pair_may: Any  # (the pair's choices,): which are available


class Room(NamedTuple):
    """Buffers for solving one state at a time: all phases of all stances after all help."""

    games: PhaseGame  # (phase, helped, stances, ...)
    active: Any  # (phase, helped, stances): whether any fighter may attack
    worth: Any  # (phase, helped, stances): the value before each phase
    stances: Any  # (helped, solo's stance, the pair's): the stance games
    small: Any  # a phase's game
    row: Any  # the solo's mix
    column: Any  # the pair's mix
    tableau: Any  # of the simplex method
    basis: Any


# -- the values of hits --------------------------------------------------------------------------------------


@compiled
def state_value(ahead: Ahead, now: Moment) -> Any:
    """Return a state's value for the solo before the next phase, ignoring the choices of fallen fighters."""
    a, b, c, i, j, k, f, t = now
    if a <= 0:
        return 0.0 if b <= 0 and c <= 0 else -1.0
    if b <= 0 and c <= 0:
        return 1.0
    if b <= 0:
        b, j, f, t = 0, 0, f & 2, t - t % PAIRS + N * DEFENSIVE + t % N
    if c <= 0:
        c, k, f, t = 0, 0, f & 1, t - t % N + DEFENSIVE
    if ahead.phase == AGILITY:
        return ahead.phases[0, a, b, c, i, j, k, f, t]
    if ahead.phase == MIGHT:
        return ahead.phases[1, a, b, c, i, j, k, f, t]
    return ahead.after[a, b, c, i, j, k]


@compiled
def half(damage: Any) -> Any:
    """Return half of a damage, rounded up (R-10)."""
    return (damage + 1) // 2


@compiled
def fill_hits(game: Any, ahead: Ahead, now: Moment, hits: Any) -> Any:
    """Write the game of shrugs: each row is a set of the solo's hits to shrug off, each column a set of the pair's.

    `hits` are the two hits on the solo, then the hits on the first and on the second fighter of the pair; 0 means no
    hit. Bit 0 of a row or column is the earlier of its two hits. An unavailable choice has the value -2 in a row and 2
    in a column.
    """
    a, b, c, i, j, k, f, t = now
    d1, d2, e, g = hits
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
                game[row, column] = state_value(
                    ahead, Moment(solo_hp, first_hp, second_hp, i - drop, j - one, k - other, f, t)
                )


@compiled
def worth_of_hits(game: Any, sides: Any) -> Any:
    """Return the value of the game written by fill_hits.

    `sides` is 1 if only the solo is hurt, 2 if only the pair is hurt, and 3 if both sides are hurt.
    """
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
    # The solo has one hit, the first; the pair has one hit, the first or the second.
    column = 1 if game[0, 1] < 2.0 else 2
    if game[1, 0] == -2.0:
        return min(game[0, 0], game[0, column])
    if game[0, column] == 2.0:
        return max(game[0, 0], game[1, 0])
    return two_by_two(game[0, 0], game[0, column], game[1, 0], game[1, column])


@compiled
def two_by_two(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return the value of a game of two rows, (a, b) and (c, d)."""
    low, high = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    if low >= high:
        return low
    return (a * d - b * c) / (a + d - b - c)


# -- one phase -----------------------------------------------------------------------------------------------


@compiled
def fill_phase(game: PhaseGame, scratch: Any, ahead: Ahead, phase: Any, now: Moment, fight: TeamArrays) -> Any:
    """Write the attack game of a phase; return whether any fighter may attack. `ahead` is for the next phase."""
    a, b, c, i, j, k, f, t = now
    solo_may, pair_may = game.solo_may, game.pair_may
    chances, tails, idle, most = fight.chances, fight.tails, fight.idle, fight.most
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
            e = fight.exchange[mine, one, int(row == AT_FIRST), column & 1]
            g = fight.exchange[mine, other, int(row == AT_SECOND), column >> 1]
            left = 0 if column == 3 and fight.equals else f  # their rolls for order have used up the help
            still = left & ((1 if e == NOBODY else 0) | (2 if g == NOBODY else 0))
            then = Moment(a, b, c, i, j, k, still, t)
            game.coming[row, column] = still
            p_no_hit_first = 1.0 if e == NOBODY else idle[0, i, j, left & 1, e]
            p_no_hit_second = 1.0 if g == NOBODY else idle[1, i, k, left >> 1, g]
            game.idles[row, column] = p_no_hit_first * p_no_hit_second
            total = 0.0
            for who in range(2):
                if e != NOBODY:
                    top = min(most[0, i, j, left & 1, e, who], 2 * (a if who == 0 else b) - 1)
                    for d in range(1, top + 1):
                        p = at_most(chances[0, i, j, left & 1, e, who], tails[0, i, j, left & 1, e, who], d, top)
                        if p > 0.0:
                            total += p * p_no_hit_second * worth_of_pair(scratch, ahead, then, who, d, 0, 0)
                            if g != NOBODY:
                                total += p * weigh_second(
                                    scratch, ahead, then, who, d,
                                    chances[1, i, k, left >> 1, g], tails[1, i, k, left >> 1, g],
                                    most[1, i, k, left >> 1, g],
                                )  # fmt: skip
                if g != NOBODY:
                    top = min(most[1, i, k, left >> 1, g, who], 2 * (a if who == 0 else c) - 1)
                    for d in range(1, top + 1):
                        p = at_most(chances[1, i, k, left >> 1, g, who], tails[1, i, k, left >> 1, g, who], d, top)
                        if p > 0.0:
                            total += p * p_no_hit_first * worth_of_pair(scratch, ahead, then, 0, 0, who, d)
            game.ev[row, column] = total
    return True


@entry_point
def played_phase(
    game: Any, rows: Any, columns: Any, after: Any, phases: Any, phase: Any, place: Any, fight: TeamArrays
) -> None:
    """Write the game of one phase of a solved state and its available choices; `place` is a Moment as an array."""
    a, b, c, i, j, k, f, t = place
    now, ahead = Moment(a, b, c, i, j, k, f, t), Ahead(after, phases, phase_after(phase))
    found = PhaseGame(np.zeros((3, 4)), np.ones((3, 4)), np.zeros((3, 4), np.int64), rows, columns)
    fill_phase(found, np.zeros((4, 4)), ahead, phase, now, fight)
    for row in range(3):
        for column in range(4):
            then = Moment(a, b, c, i, j, k, found.coming[row, column], t)
            game[row, column] = found.ev[row, column] + found.idles[row, column] * state_value(ahead, then)


@entry_point
def played_hits(game: Any, after: Any, phases: Any, phase: Any, place: Any, hits: Any) -> None:
    """Write the game of shrugging off the hits of a phase; `place` is a Moment as an array."""
    a, b, c, i, j, k, f, t = place
    ahead = Ahead(after, phases, phase_after(phase))
    fill_hits(game, ahead, Moment(a, b, c, i, j, k, f, t), (hits[0], hits[1], hits[2], hits[3]))


@compiled
def at_most(chances: Any, tails: Any, damage: Any, top: Any) -> Any:
    """Return the probability of a damage, or of at least that damage if it is the largest one distinguished."""
    return tails[damage] if damage == top else chances[damage]


@compiled
def weigh_second(
    scratch: Any, ahead: Ahead, now: Moment, who: Any, damage: Any, chances: Any, tails: Any, most: Any
) -> Any:
    """Return the sum of probability times value over the hits of the second exchange, given a hit in the first.

    In the first exchange, `who` is 0 if the solo is hurt, and `damage` is the damage of the hit.
    """
    total = 0.0
    for other in range(2):
        top = min(most[other], 2 * (now.solo if other == 0 else now.second) - 1)
        for d in range(1, top + 1):
            p = at_most(chances[other], tails[other], d, top)
            if p > 0.0:
                total += p * worth_of_pair(scratch, ahead, now, who, damage, other, d)
    return total


@compiled
def worth_of_pair(scratch: Any, ahead: Ahead, now: Moment, who: Any, damage: Any, other: Any, more: Any) -> Any:
    """Return the value of a phase's hits in the exchanges with the first and the second of the pair.

    `who` and `other` are 0 if the solo is hurt; a damage of 0 means no hit.
    """
    d1, d2 = (damage if who == 0 else 0), (more if other == 0 else 0)
    if d1 == 0:
        d1, d2 = d2, 0
    e, g = (damage if who == 1 else 0), (more if other == 1 else 0)
    fill_hits(scratch, ahead, now, (d1, d2, e, g))
    sides = (1 if d1 > 0 else 0) + (2 if e > 0 or g > 0 else 0)
    return worth_of_hits(scratch, sides)


@compiled
def phase_after(phase: Any) -> Any:
    """Return the phase after this one; NOBODY after might, the last phase."""
    if phase == CUNNING:
        return AGILITY
    return MIGHT if phase == AGILITY else NOBODY


assert (CUNNING, AGILITY, MIGHT) == (2, 1, 0), "arrays by phase are filled from the last phase to the first"


# -- one state -----------------------------------------------------------------------------------------------


@entry_point
def solve_states(
    here: Any, after: Any, loops: Any, phases: Any, solo: Any, pair: Any, help: Any, fight: TeamArrays
) -> Any:
    """Solve the states of one layer, smaller hit points first; return the largest gap of any stance game.

    Args:
        here: (hp x 3, hearts x 3), the values to write.
        after: The values of states after this round: `here` itself if `loops`, otherwise the layer with one round less.
        loops: Whether a round in which no fighter is hurt leads back to its state.
        phases: The values to write before agility and before might.
        solo, pair, help: The mixes of both sides and which of the pair are helped, to write.
        fight: The fight.
    """
    size, ways = here.shape, fight.ways
    room, scratch = new_room(ways), np.zeros((4, 4))
    games = room.games
    row, column, stances = room.row, room.column, room.stances
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
                                        if not is_possible(b, c, f, t):
                                            continue
                                        game = PhaseGame(
                                            games.ev[p, f, t], games.idles[p, f, t], games.coming[p, f, t],
                                            games.solo_may[p, f, t], games.pair_may[p, f, t],
                                        )  # fmt: skip
                                        ahead = Ahead(after, phases, phase_after(p))
                                        now = Moment(a, b, c, i, j, k, f, t)
                                        room.active[p, f, t] = fill_phase(game, scratch, ahead, p, now, fight)
                            value = after[a, b, c, i, j, k]
                            if loops:
                                value = settle(room, b, c, ways)
                            play_round(room, b, c, ways, value)
                            best = 2.0
                            for f in range(ways if b > 0 and c > 0 else 1):
                                gained = stance_game(room, f, b, c)
                                worst = max(worst, gap(stances[f], b, c, row, column, gained))
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
                                    if is_possible(b, c, f, t):
                                        phases[0, a, b, c, i, j, k, f, t] = room.worth[AGILITY, f, t]
                                        phases[1, a, b, c, i, j, k, f, t] = room.worth[MIGHT, f, t]
    return worst


@compiled
def new_room(ways: Any) -> Any:
    """Return buffers for a fight in which the pair may help each other in this many ways."""
    return Room(
        PhaseGame(
            np.zeros((3, ways, TRIPLES, 3, 4)), np.zeros((3, ways, TRIPLES, 3, 4)),
            np.zeros((3, ways, TRIPLES, 3, 4), np.int64),
            np.zeros((3, ways, TRIPLES, 3), np.bool_), np.zeros((3, ways, TRIPLES, 4), np.bool_),
        ),
        np.zeros((3, ways, TRIPLES), np.bool_), np.zeros((4, ways, TRIPLES)), np.zeros((ways, N, PAIRS)),
        np.zeros((3, 4)), np.zeros(N), np.zeros(PAIRS), np.zeros((N + 1, N + PAIRS + 1)), np.zeros(N, np.int64),
    )  # fmt: skip


@compiled
def is_possible(b: Any, c: Any, f: Any, t: Any) -> Any:
    """Return whether this help and these stances are possible: the fallen get no help and count as defensive."""
    if b == 0 and (f & 1 or t // N % N != DEFENSIVE):
        return False
    return not (c == 0 and (f & 2 or t % N != DEFENSIVE))


@compiled
def play_round(room: Room, b: Any, c: Any, ways: Any, value: Any) -> None:
    """Write the state's value before each phase and its stance games if a round without a hit is worth `value`."""
    games, worth, small = room.games, room.worth, room.small
    for p in range(3):
        for f in range(ways):
            for t in range(TRIPLES):
                if not is_possible(b, c, f, t):
                    continue
                if not room.active[p, f, t]:
                    worth[p, f, t] = value if p == MIGHT else worth[p - 1, f, t]
                    continue
                for one in range(3):
                    for other in range(4):
                        if games.solo_may[p, f, t, one] and games.pair_may[p, f, t, other]:
                            quiet = value if p == MIGHT else worth[p - 1, games.coming[p, f, t, one, other], t]
                            small[one, other] = games.ev[p, f, t, one, other] + games.idles[p, f, t, one, other] * quiet
                worth[p, f, t] = value_within(
                    small, games.solo_may[p, f, t], games.pair_may[p, f, t], room.row, room.column, room.tableau,
                    room.basis,
                )  # fmt: skip
    for f in range(ways):
        for t in range(TRIPLES):
            if is_possible(b, c, f, t):
                room.stances[f, t // PAIRS, t % PAIRS] = worth[CUNNING, f, t]


@compiled
def value_within(game: Any, rows: Any, columns: Any, row: Any, column: Any, tableau: Any, basis: Any) -> Any:
    """Return the value of a game restricted to these rows and columns."""
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
def stance_game(room: Room, f: Any, b: Any, c: Any) -> Any:
    """Write both mixes of a stance game and return its value; a fallen fighter has only the defensive stance."""
    game, column = room.stances[f], room.column
    ones, others = (N if b > 0 else 1), (N if c > 0 else 1)
    part, share = np.empty((N, ones * others)), np.zeros(ones * others)
    for i in range(N):
        for x in range(ones * others):
            part[i, x] = game[i, joint(x, ones, others)]
    value = mix(part, room.row, share, room.tableau, room.basis)
    for x in range(PAIRS):
        column[x] = 0.0
    for x in range(ones * others):
        column[joint(x, ones, others)] = share[x]
    return value


@compiled
def joint(x: Any, ones: Any, others: Any) -> Any:
    """Return the pair's joint stance, given its index among the available ones."""
    one = x // others if ones == N else DEFENSIVE
    other = x % others if others == N else DEFENSIVE
    return N * one + other


@compiled
def gap(game: Any, b: Any, c: Any, row: Any, column: Any, value: Any) -> Any:
    """Return the largest gain of either side against these mixes by another choice."""
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
def round_value(room: Room, b: Any, c: Any, ways: Any, value: Any) -> Any:
    """Return the state's value with the pair's best help if a round without a hit is worth `value`."""
    play_round(room, b, c, ways, value)
    best = 2.0
    for f in range(ways if b > 0 and c > 0 else 1):
        best = min(best, stance_game(room, f, b, c))
    return best


@compiled
def settle(room: Room, b: Any, c: Any, ways: Any) -> Any:
    """Return a state's value: the v that a round is worth if a round in which no fighter is hurt is worth v.

    An endless fight is a draw. The round's value minus v falls as v rises. Its zero is kept between two bounds, and the
    secant through them proposes the next bound (the Illinois method: a bound that stays twice has half weight).
    """
    at = 0.0
    off = round_value(room, b, c, ways, at)
    if abs(off) <= TOLERANCE:
        return at
    low, high = (0.0, 1.0) if off > 0.0 else (-1.0, 0.0)
    bound = 1.0 if off > 0.0 else -1.0
    end = round_value(room, b, c, ways, bound) - bound
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
        off = round_value(room, b, c, ways, at) - at
        if off >= 0.0:
            low, above = at, off
            below = 0.5 * below if stayed == 1 else below
            stayed = 1
        else:
            high, below = at, off
            above = 0.5 * above if stayed == -1 else above
            stayed = -1
    return at

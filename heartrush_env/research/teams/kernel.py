"""Compiled code for one_v_two.py: the values of hits, phases and whole rounds, from the last phase to the first.

Phases are numbered by their stances: cunning is 2, agility 1 and might, the last, 0. An unavailable choice has a value
that its side avoids: -BARRED in a row of the solo, BARRED in a column of the pair.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.games.heart_rush.rules.terms import CUNNING, DEFENSIVE, NOBODY, STANCES
from heartrush_env.research.zero_sum import gap, mix
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.rule import compiled

N = len(STANCES)
PAIRS = N * N  # joint stances of the pair: 4 * first + second
TRIPLES = N * PAIRS  # 16 * the solo's + the pair's
HELD_BACK, AT_FIRST, AT_SECOND = range(3)  # the solo's choices in a phase
BARRED = 2.0  # true values are from -1 to 1
OVER = -1  # comes after the last phase
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

    after: Any  # (state), after the round
    phases: Any  # (phase, state, helped, stances), before agility and before might
    phase: Any  # the next phase, or OVER


class Moment(NamedTuple):
    """A state within a round."""

    state: Any  # the hit points of the solo, the first and the second, then the indices of their heart dice
    helped: Any  # which of the pair are helped, as bits
    stances: Any  # of all three: 16 * the solo's + 4 * the first's + the second's


class PhaseGame(NamedTuple):
    """The game of attacks in one phase: (the solo's choices, the pair's attackers as bits)."""

    ev: Any  # probability-weighted values of hits
    idles: Any  # probability that no fighter is hurt
    coming: Any  # which of the pair are still helped afterwards, as bits


class Room(NamedTuple):
    """Buffers for solving one state at a time: all phases, for all stances and all ways to help."""

    games: PhaseGame  # (phase, helped, stances, ...)
    active: Any  # (phase, helped, stances): whether any fighter may attack
    worth: Any  # (phase, helped, stances): the value before each phase
    game: Any  # a phase's game
    row: Any  # the solo's mix
    column: Any  # the pair's mix of its open joint stances
    joints: Any  # the open joint stances of the pair
    tableau: Any  # of the simplex method
    basis: Any


class Rolls(NamedTuple):
    """The outcomes of the solo's exchanges with the first and the second of the pair; the first outcome is a miss."""

    hurt: Any  # (exchange, outcome, side): damage to the solo and to the other
    chances: Any  # (exchange, outcome)
    shrugs: Any  # a game of shrugs


@compiled
def new_rolls(fight: TeamArrays) -> Any:
    """Return buffers for the outcomes of two exchanges."""
    most = 2 * fight.chances.shape[6]
    return Rolls(np.zeros((2, most, 2), np.int64), np.zeros((2, most)), np.zeros((4, 4)))


# -- the values of hits ------------------------------------------------------------------------------------------------


@compiled
def state_value(ahead: Ahead, now: Moment) -> Any:
    """Return a state's value for the solo before the next phase, ignoring the choices of fallen fighters."""
    a, b, c, i, j, k = now.state
    f, t = now.helped, now.stances
    if a <= 0:
        return 0.0 if b <= 0 and c <= 0 else -1.0
    if b <= 0 and c <= 0:
        return 1.0
    if b <= 0:
        b, j, f, t = 0, 0, f & 2, t - t % PAIRS + N * DEFENSIVE + t % N
    if c <= 0:
        c, k, f, t = 0, 0, f & 1, t - t % N + DEFENSIVE
    if ahead.phase == OVER:
        return ahead.after[a, b, c, i, j, k]
    return ahead.phases[ahead.phase, a, b, c, i, j, k, f, t]


@compiled
def half(damage: Any) -> Any:
    """Return half of a damage, rounded up (R-10)."""
    return (damage + 1) // 2


@compiled
def fill_hits(game: Any, ahead: Ahead, now: Moment, hits: Any) -> None:
    """Write the game of shrugs: each row is a set of the solo's hits to shrug off, each column a set of the pair's.

    `hits` are the two hits on the solo, then the hits on the first and on the second fighter of the pair; 0 means no
    hit. Bit 0 of a row or column is the earlier of its two hits.
    """
    a, b, c, i, j, k = now.state
    d1, d2, e, g = hits
    for row in range(4):
        solo_hp = a - (half(d1) if row & 1 else d1) - (half(d2) if row & 2 else d2)
        drop = (row & 1) + (row >> 1)
        barred = drop > i or (row & 1 and d1 == 0) or (row & 2 and d2 == 0)
        for column in range(4):
            one, other = column & 1, column >> 1
            if barred:
                game[row, column] = -BARRED
            elif (one and (e == 0 or j == 0)) or (other and (g == 0 or k == 0)):
                game[row, column] = BARRED
            else:
                first, second = b - (half(e) if one else e), c - (half(g) if other else g)
                state = (solo_hp, first, second, i - drop, j - one, k - other)
                game[row, column] = state_value(ahead, Moment(state, now.helped, now.stances))


@compiled
def worth_of_hits(game: Any, ahead: Ahead, now: Moment, solo: Any, first: Any, second: Any) -> Any:
    """Return the value of a phase's hits: two on the solo, one on each of the pair; 0 means no hit."""
    d1, d2 = solo[0], solo[1]
    if d1 == 0:
        d1, d2 = d2, d1
    fill_hits(game, ahead, now, (d1, d2, first, second))
    if first == 0 and second == 0:
        return max(max(game[0, 0], game[1, 0]), max(game[2, 0], game[3, 0]))
    if d1 == 0:
        return min(min(game[0, 0], game[0, 1]), min(game[0, 2], game[0, 3]))
    # The solo has one hit, the first; the pair has one hit, the first or the second.
    a, b, c, d = game[0, 0], game[0, 1 if first > 0 else 2], game[1, 0], game[1, 1 if first > 0 else 2]
    low, high = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    return low if low >= high else (a * d - b * c) / (a + d - b - c)


# -- one phase ---------------------------------------------------------------------------------------------------------


@compiled
def fill_phase(game: PhaseGame, rolls: Rolls, ahead: Ahead, now: Moment, fight: TeamArrays) -> Any:
    """Write the attack game of the phase before `ahead`; return whether any fighter may attack."""
    b, c, f, t, phase = now.state[1], now.state[2], now.helped, now.stances, ahead.phase + 1
    mine, one, other = t // PAIRS, t // N % N, t % N
    at_first = mine == phase and b > 0 and MAY_ATTACK[mine, one]
    at_second = mine == phase and c > 0 and MAY_ATTACK[mine, other]
    by_first = one == phase and b > 0 and MAY_ATTACK[one, mine]
    by_second = other == phase and c > 0 and MAY_ATTACK[other, mine]
    if not (at_first or at_second or by_first or by_second):
        return False
    for row in range(3):
        for column in range(4):
            game.idles[row, column], game.coming[row, column] = 0.0, f
            if (row == AT_FIRST and not at_first) or (row == AT_SECOND and not at_second):
                game.ev[row, column] = -BARRED
                continue
            if (column & 1 and not by_first) or (column & 2 and not by_second):
                game.ev[row, column] = BARRED
                continue
            e = fight.exchange[mine, one, int(row == AT_FIRST), column & 1]
            g = fight.exchange[mine, other, int(row == AT_SECOND), column >> 1]
            left = 0 if column == 3 and fight.equals else f  # their rolls for order have used up the help
            still = left & ((1 if e == NOBODY else 0) | (2 if g == NOBODY else 0))
            game.coming[row, column] = still
            one_count = list_hits(rolls, 0, e, left & 1, now, fight)
            other_count = list_hits(rolls, 1, g, left >> 1, now, fight)
            hurt, chances = rolls.hurt, rolls.chances
            game.idles[row, column] = chances[0, 0] * chances[1, 0]
            then, total = Moment(now.state, still, t), 0.0
            for m in range(one_count):
                for n in range(other_count):
                    if m + n > 0:
                        solo = (hurt[0, m, 0], hurt[1, n, 0])
                        found = worth_of_hits(rolls.shrugs, ahead, then, solo, hurt[0, m, 1], hurt[1, n, 1])
                        total += chances[0, m] * chances[1, n] * found
            game.ev[row, column] = total
    return True


@compiled
def list_hits(rolls: Rolls, which: Any, exchange: Any, helped: Any, now: Moment, fight: TeamArrays) -> Any:
    """List and count the outcomes of an exchange with one of the pair; each side's last includes all higher damage."""
    rolls.hurt[which, 0, 0] = rolls.hurt[which, 0, 1] = 0
    rolls.chances[which, 0] = 1.0
    if exchange == NOBODY:
        return 1
    heart, other = now.state[3], now.state[4 + which]
    rolls.chances[which, 0] = fight.idle[which, heart, other, helped, exchange]
    count = 1
    for who in range(2):
        hp = now.state[0] if who == 0 else now.state[1 + which]
        top = min(fight.most[which, heart, other, helped, exchange, who], 2 * hp - 1)
        chances = fight.chances[which, heart, other, helped, exchange, who]
        for damage in range(1, top + 1):
            chance = chances[damage]
            if damage == top:
                chance = fight.tails[which, heart, other, helped, exchange, who, damage]
            if chance > 0.0:
                rolls.hurt[which, count, who], rolls.hurt[which, count, 1 - who] = damage, 0
                rolls.chances[which, count] = chance
                count += 1
    return count


# -- one state ---------------------------------------------------------------------------------------------------------


@entry_point
def solve_states(
    here: Any, after: Any, loops: Any, phases: Any, solo: Any, pair: Any, help: Any, fight: TeamArrays
) -> Any:
    """Solve the states of one layer, smaller hit points first; return the largest gap of any stance game.

    Args:
        here: (hp x 3, hearts x 3), the values to write.
        after: The values of states after this round: `here` itself if `loops`, otherwise the layer with one round less.
        loops: Whether a round in which no fighter is hurt leads back to its state.
        phases: The values to write before might and before agility.
        solo, pair, help: The mixes of both sides and which of the pair are helped, to write.
        fight: The fight.
    """
    room, rolls, worst = new_room(fight.ways), new_rolls(fight), 0.0
    games = room.games
    for state in np.ndindex(here.shape):
        a, b, c, _, j, k = state
        if a == 0 or (b == 0 and (c == 0 or j > 0)) or (c == 0 and k > 0):
            continue
        for p in range(3):
            ahead = Ahead(after, phases, p - 1)
            for f in range(fight.ways):
                for t in range(TRIPLES):
                    if is_possible(b, c, f, t):
                        game = PhaseGame(games.ev[p, f, t], games.idles[p, f, t], games.coming[p, f, t])
                        room.active[p, f, t] = fill_phase(game, rolls, ahead, Moment(state, f, t), fight)
        value = settle(room, b, c, fight.ways) if loops else after[state]
        play_round(room, b, c, fight.ways, value)
        best = BARRED
        for f in range(fight.ways if b > 0 and c > 0 else 1):
            gained, stances = stance_game(room, f, b, c)
            open_to = stances.shape[1]
            worst = max(worst, gap(stances, room.row, room.column[:open_to], gained))
            solo[state][f, :] = room.row
            for x in range(open_to):
                pair[state][f, room.joints[x]] = room.column[x]
            if gained < best - TOLERANCE:
                best = gained
                help[state] = f
        if loops:
            worst = max(worst, abs(best - value))
        here[state] = value if loops else best
        for p in range(CUNNING):
            phases[p][state][:, :] = room.worth[p]
    return worst


@compiled
def new_room(ways: Any) -> Any:
    """Return buffers for a fight in which the pair may help each other in this many ways."""
    size = (3, ways, TRIPLES, 3, 4)
    return Room(
        PhaseGame(np.zeros(size), np.zeros(size), np.zeros(size, np.int64)), np.zeros((3, ways, TRIPLES), np.bool_),
        np.zeros((3, ways, TRIPLES)), np.zeros((3, 4)), np.zeros(N), np.zeros(PAIRS), np.zeros(PAIRS, np.int64),
        np.zeros((N + 1, N + PAIRS + 1)), np.zeros(N, np.int64),
    )  # fmt: skip


@compiled
def is_possible(b: Any, c: Any, f: Any, t: Any) -> Any:
    """Return whether this help and these stances are possible: the fallen get no help and count as defensive."""
    if b == 0 and (f & 1 or t // N % N != DEFENSIVE):
        return False
    return not (c == 0 and (f & 2 or t % N != DEFENSIVE))


@compiled
def play_round(room: Room, b: Any, c: Any, ways: Any, value: Any) -> None:
    """Write the state's value before each phase if a round without a hit is worth `value`."""
    games, worth, game = room.games, room.worth, room.game
    for p in range(3):
        for f in range(ways):
            for t in range(TRIPLES):
                if not is_possible(b, c, f, t):
                    continue
                if not room.active[p, f, t]:
                    worth[p, f, t] = value if p == 0 else worth[p - 1, f, t]
                    continue
                for row in range(3):
                    for column in range(4):
                        quiet = value if p == 0 else worth[p - 1, games.coming[p, f, t, row, column], t]
                        game[row, column] = games.ev[p, f, t, row, column] + games.idles[p, f, t, row, column] * quiet
                worth[p, f, t] = phase_value(game, room)


@compiled
def phase_value(game: Any, room: Room) -> Any:
    """Return the value of a phase's game."""
    low, high, height, width = -BARRED, BARRED, 0, 0
    for row in range(3):
        least = BARRED
        for column in range(4):
            least = min(least, game[row, column])
        low = max(low, least)
        height += least > -BARRED
    for column in range(4):
        most = -BARRED
        for row in range(3):
            most = max(most, game[row, column])
        high = min(high, most)
        width += most < BARRED
    if low >= high:
        return low
    part, y = np.empty((height, width)), 0
    for row in range(3):
        if game[row, 0] > -BARRED:
            x = 0
            for column in range(4):
                if game[0, column] < BARRED:
                    part[y, x] = game[row, column]
                    x += 1
            y += 1
    return mix(part, room.row, room.column, room.tableau, room.basis)


@compiled
def stance_game(room: Room, f: Any, b: Any, c: Any) -> Any:
    """Solve a stance game, and return its value and its payoffs; a fallen fighter has only the defensive stance."""
    width = 0
    for joint in range(PAIRS):
        if is_possible(b, c, 0, joint):
            room.joints[width] = joint
            width += 1
    part = np.empty((N, width))
    for i in range(N):
        for x in range(width):
            part[i, x] = room.worth[CUNNING, f, PAIRS * i + room.joints[x]]
    return mix(part, room.row, room.column[:width], room.tableau, room.basis), part


@compiled
def round_value(room: Room, b: Any, c: Any, ways: Any, value: Any) -> Any:
    """Return the state's value with the pair's best help if a round without a hit is worth `value`."""
    play_round(room, b, c, ways, value)
    best = BARRED
    for f in range(ways if b > 0 and c > 0 else 1):
        best = min(best, stance_game(room, f, b, c)[0])
    return best


@compiled
def settle(room: Room, b: Any, c: Any, ways: Any) -> Any:
    """Return a state's value: the v that a round is worth if a round in which no fighter is hurt is worth v.

    An endless fight is a draw. The round's value minus v falls as v rises. Its zero is kept between two bounds. The
    secant through them proposes the next bound (Illinois method: a bound kept twice in a row gets half the weight).
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

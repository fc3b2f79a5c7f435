"""Solves a duel without levels, layer by layer: the value of every state and the mixes of both sides.

Each layer is solved in the order of hit points. Without a round cap, a round without damage leads back to its
state. The value of the state is then the v at which the stance game, with v for such a round, has the value v; Newton's
method finds it between bounds. After the reveal it is never worse to attack, with one exception: if the rules make a
shared stance a contest only when both attack, each fighter may hold back, and those choices are a small game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from heartrush_env.games.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES
from heartrush_env.research.duel import NOTHING, Duel, DuelArrays, N
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.research.zero_sum import Floats, gap, mix, mix_two
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.rule import compiled, inlined

ITERATIONS = 100  # of Newton's method or bisection, at most; usually 3
TOLERANCE = 1e-15

Part = tuple[tuple[int, ...], list[Any]]  # its key, and the arrays that it fills


def plain_parts(table: Tablebase) -> list[Part]:
    """Return the parts of a solution, one per layer, with the arrays that they fill."""
    first = 0 if table.rounds is None else 1
    return [
        ((left,), [table.values[left], *(side[left] for side in (*table.mixes, *table.backs))])
        for left in range(first, len(table.values))
    ]


def solve_plain_part(table: Tablebase, left: int) -> float:
    """Solve all states with this many rounds left (or without a cap); return the largest certificate gap."""
    capped, here = table.rounds is not None, table.values[left]
    after = table.values[left - 1] if capped else here
    mixes, backs = (tuple(side[left] for side in sides) for sides in (table.mixes, table.backs))
    return float(solve_layer(here, after, not capped, table.duel.arrays, *mixes, *backs))


def plain_game(duel: Duel, after: Floats, place: tuple[int, ...]) -> Floats:
    """Return the stance game of one state; `after` holds the values of states after this round."""
    game = np.zeros((N, N))
    stance_game(game, np.ascontiguousarray(after, np.float64), np.array(place), after[place], duel.arrays)
    return game


# -- compiled ----------------------------------------------------------------------------------------------------------


class Room(NamedTuple):
    """Buffers for solving one state at a time."""

    hurt: Any  # (who is hurt, damage): the value of a hit for the first fighter
    worth: Any  # (stance, other's stance, first attacks, other attacks): probability-weighted values of hits
    stay: Any  # (stance, other's stance, first attacks, other attacks): probability that no fighter is hurt
    backs: Any  # (side, attacking stance): attack probability in a shared stance
    game: Any  # (stance, other's stance)
    row: Any  # the first fighter's mix
    column: Any  # the other fighter's mix
    tableau: Any  # of the simplex method
    basis: Any


@compiled
def new_room(damages: Any) -> Any:
    """Return buffers for a duel with this many kinds of damage, including none."""
    return Room(
        np.zeros((2, damages)), np.zeros((N, N, 2, 2)), np.zeros((N, N, 2, 2)), np.ones((2, ATTACKING_STANCES)),
        np.zeros((N, N)), np.zeros(N), np.zeros(N), np.zeros((N + 1, 2 * N + 1)), np.zeros(N, np.int64),
    )  # fmt: skip


@entry_point
def stance_game(game: Any, after: Any, place: Any, stays: Any, duel: DuelArrays) -> None:
    """Write the stance game of one state, with the value `stays` for a round in which no fighter is hurt."""
    room = new_room(len(duel.halves))
    h1, h2, k1, k2 = place
    weigh_hits(room.hurt, after, (h1, h2, k1, k2), duel)
    weigh_pairs(room, duel, k1, k2)
    fill_game(room, stays, duel.mutual and duel.free)
    for i in range(N):
        for j in range(N):
            game[i, j] = room.game[i, j] + stays


@entry_point
def solve_layer(
    here: Any, after: Any, loops: Any, duel: DuelArrays, mixes_1: Any, mixes_2: Any, backs_1: Any, backs_2: Any
) -> Any:
    """Solve the states of one layer, smaller hit points first; return the largest certificate gap.

    Args:
        here: (own hp, other's hp, own heart, other's heart), the values to write; endings are already filled in.
        after: The values of states after this round: `here` itself if `loops`, otherwise the layer of one round less.
        loops: Whether a round in which no fighter is hurt leads back to its state.
        duel: The duel.
        mixes_1, mixes_2: Each side's mixes of stances to write, indexed from its own side.
        backs_1, backs_2: Each side's attack probabilities in shared stances to write, indexed from its own side.
    """
    room = new_room(len(duel.halves))
    holds_back = duel.mutual and duel.free
    worst = 0.0
    for h1 in range(1, here.shape[0]):
        for h2 in range(1, here.shape[1]):
            for k1 in range(here.shape[2]):
                for k2 in range(here.shape[3]):
                    guess = 0.5 * (here[h1 - 1, h2, k1, k2] + here[h1, h2 - 1, k1, k2])
                    value, gained = solve_state(room, after, (h1, h2, k1, k2), loops, guess, duel)
                    here[h1, h2, k1, k2] = value if loops else value + gained
                    worst = max(worst, gap(room.game, room.row, room.column, 0.0 if loops else gained))
                    for i in range(N):
                        mixes_1[h1, h2, k1, k2, i] = room.row[i]
                        mixes_2[h2, h1, k2, k1, i] = room.column[i]
                    if holds_back:
                        for i in range(ATTACKING_STANCES):
                            backs_1[h1, h2, k1, k2, i] = room.backs[0, i]
                            backs_2[h2, h1, k2, k1, i] = room.backs[1, i]
    return worst


@entry_point
def solve_states(states: Any, after: Any, duel: DuelArrays, values: Any, games: Any, mixes: Any, backs: Any) -> None:
    """Solve some states, given the values of states after this round; a round without a hit leads back to its state.

    Args:
        states: (n, axes of a layer): their indices.
        after: The values of states, (own hp, other's hp, own heart, other's heart).
        duel: The duel.
        values: (n,), to write.
        games: (n, stances, other's stances), to write: the value of each pair of stances.
        mixes: (n, side, stances), to write.
        backs: (n, side, attacking stances), to write: each side's attack probability in a shared stance.
    """
    room = new_room(len(duel.halves))
    for n in range(len(states)):
        place = (states[n, 0], states[n, 1], states[n, 2], states[n, 3])
        value, _ = solve_state(room, after, place, True, after[place], duel)
        values[n] = value
        backs[n] = room.backs
        for i in range(N):
            mixes[n, 0, i] = room.row[i]
            mixes[n, 1, i] = room.column[i]
            for j in range(N):
                games[n, i, j] = room.game[i, j] + value


@inlined
def solve_state(room: Any, after: Any, place: Any, loops: Any, guess: Any, duel: DuelArrays) -> Any:
    """Write one state's game and mixes; return the value of a round without a hit and the game's gain over it."""
    h1, h2, k1, k2 = place
    holds_back = duel.mutual and duel.free
    weigh_hits(room.hurt, after, place, duel)
    weigh_pairs(room, duel, k1, k2)
    value = after[h1, h2, k1, k2]
    if loops:
        value = 0.0
        if may_end(room.stay):
            value = settle(room, holds_back, guess)
    fill_game(room, value, holds_back)
    return value, mix(room.game, room.row, room.column, room.tableau, room.basis)


@inlined
def weigh_hits(hurt: Any, after: Any, place: Any, duel: DuelArrays) -> None:
    """Write each hit's value for the first fighter, (who is hurt, damage), shrugged off if its target would."""
    h1, h2, k1, k2 = place
    free, below, halves = duel.free, duel.below, duel.halves
    for damage in range(1, len(halves)):
        taken = after[max(0, h1 - damage), h2, k1, k2]
        if k1 > 0:
            shrugged = after[max(0, h1 - halves[damage]), h2, k1 - 1, k2]
            if (shrugged > taken) if free else (damage >= SHRUG_FROM or damage >= h1 - below[0]):
                taken = shrugged
        hurt[0, damage] = taken
        taken = after[h1, max(0, h2 - damage), k1, k2]
        if k2 > 0:
            shrugged = after[h1, max(0, h2 - halves[damage]), k1, k2 - 1]
            if (shrugged < taken) if free else (damage >= SHRUG_FROM or damage >= h2 - below[1]):
                taken = shrugged
        hurt[1, damage] = taken


@inlined
def weigh_pairs(room: Room, duel: DuelArrays, k1: Any, k2: Any) -> None:
    """Write the weighted hit values and the probability of no hit for each pair of stances and attackers."""
    chances, most, idle = duel.chances[k1, k2], duel.most[k1, k2], duel.idle[k1, k2]
    for i in range(N):
        for j in range(N):
            for one in range(2):
                for other in range(2):
                    if not (one and other) and not (duel.mutual and i == j):
                        continue
                    e = duel.exchange[i, j, one, other]
                    total = 0.0
                    if e != NOTHING:
                        for side in range(2):
                            for damage in range(1, most[e, side] + 1):
                                total += chances[e, side, damage] * room.hurt[side, damage]
                    room.worth[i, j, one, other] = total
                    room.stay[i, j, one, other] = 1.0 if e == NOTHING else idle[e]


@compiled
def may_end(stay: Any) -> Any:
    """Return whether any fighter can ever be hurt."""
    for i in range(N):
        for j in range(N):
            if stay[i, j, 1, 1] < 1.0:
                return True
    return False


@inlined
def fill_game(room: Room, value: Any, holds_back: Any) -> None:
    """Write the stance game minus `value`, the value of a round without a hit, and each side's attack rates."""
    for i in range(N):
        for j in range(N):
            room.game[i, j] = room.worth[i, j, 1, 1] - (1.0 - room.stay[i, j, 1, 1]) * value
        if holds_back and i < ATTACKING_STANCES:
            room.game[i, i] = attack_or_hold(room.worth[i, i], room.stay[i, i], value, room.backs, i)


@compiled
def attack_or_hold(worth: Any, stay: Any, value: Any, backs: Any, i: Any) -> Any:
    """Solve the game of attacking or holding back in a shared stance: return its value and write both mixes."""
    a = worth[1, 1] - (1.0 - stay[1, 1]) * value
    b = worth[1, 0] - (1.0 - stay[1, 0]) * value
    c = worth[0, 1] - (1.0 - stay[0, 1]) * value
    d = worth[0, 0] - (1.0 - stay[0, 0]) * value
    return mix_two(a, b, c, d, backs, i)


@inlined
def settle(room: Room, holds_back: Any, guess: Any) -> Any:
    """Return the value v at which the stance game, with v for a round without a hit, is worth v.

    The larger v, the lower the value of the game minus v. Each step takes the v that solves the equation for the last
    mixes, or the midpoint of the bounds if that v is outside them.
    """
    low, high, value = -1.0, 1.0, guess
    for _ in range(ITERATIONS):
        fill_game(room, value, holds_back)
        gained = mix(room.game, room.row, room.column, room.tableau, room.basis)
        if gained > 0.0:
            low = value
        else:
            high = value
        if abs(gained) <= TOLERANCE:
            break
        ends = ending_chance(room, holds_back)
        stepped = value + gained / ends if ends > 0.0 else 2.0
        if not low <= stepped <= high:
            stepped = 0.5 * (low + high)
        if stepped == value:
            break
        value = stepped
    return value


@inlined
def ending_chance(room: Room, holds_back: Any) -> Any:
    """Return the probability that a fighter is hurt under these mixes."""
    stay, ends = room.stay, 0.0
    for i in range(N):
        for j in range(N):
            stays = stay[i, j, 1, 1]
            if holds_back and i == j and i < ATTACKING_STANCES:
                one, other = room.backs[0, i], room.backs[1, i]
                stays = one * (other * stay[i, i, 1, 1] + (1.0 - other) * stay[i, i, 1, 0]) + (1.0 - one) * (
                    other * stay[i, i, 0, 1] + (1.0 - other) * stay[i, i, 0, 0]
                )
            ends += room.row[i] * room.column[j] * (1.0 - stays)
    return ends

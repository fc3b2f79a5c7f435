"""Compiled code for plain duels: the values of one round in a state, and solutions, state by state.

States are computed in the order of hit points, since every hit lowers them. Without a round cap, a round without damage
leads back to its state. The value of the state is then the v at which the stance game, with v for such a round, has the
value v; Newton's method finds it between bounds. After the reveal it is never worse to attack, with one exception: if
the rules make a shared stance a contest only when both attack, each fighter may hold back, and those choices are a
small game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from heartrush_env.games.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES
from heartrush_env.research.duel import NOTHING, DuelArrays, N
from heartrush_env.research.zero_sum import gap, mix, mix_two
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.rule import compiled, inlined

ITERATIONS = 100  # maximum steps of Newton's method or bisection; usually 3 suffice
TOLERANCE = 1e-15


class Room(NamedTuple):
    """Buffers for computing one state at a time."""

    hits: Any  # (mode, who is hurt, damage): the value of a hit for the first fighter
    gains: Any  # (mode, who is hurt, damage): what shrugging it off adds, where a given policy decides
    worth: Any  # (group, exchange): probability-weighted values of hits
    gained: Any  # (group, stance, other's stance, first attacks, other attacks): weighted values of hits
    stayed: Any  # axes of `gained`: the probability that no fighter is hurt
    backs: Any  # (side, stance): attack probability in a shared stance
    game: Any  # (stance, other's stance)
    row: Any  # the first fighter's mix
    column: Any  # the other fighter's mix
    tableau: Any  # of the simplex method
    basis: Any


@compiled
def new_room(damages: Any, kinds: Any, modes: Any, groups: Any) -> Any:
    """Return buffers for these numbers of damage values (with 0), kinds of exchange, modes, and groups of modes."""
    return Room(
        np.zeros((modes, 2, damages)), np.zeros((modes, 2, damages)), np.zeros((groups, kinds)),
        np.zeros((groups, N, N, 2, 2)), np.ones((groups, N, N, 2, 2)), np.ones((2, N)),
        np.zeros((N, N)), np.zeros(N), np.zeros(N), np.zeros((N + 1, 2 * N + 1)), np.zeros(N, np.int64),
    )  # fmt: skip


# -- one round ---------------------------------------------------------------------------------------------------------


@inlined
def weigh_hits(room: Room, after: Any, place: Any, m: Any, own: Any, other: Any, duel: DuelArrays) -> None:
    """Write the value of each hit for the first fighter if mode `m` follows.

    A fraction of each side's shrugs follows a given policy: `own` for the first fighter, `other` for the other fighter.
    The remaining shrugs are the side's best choices, or those of the default policy if fighters do not choose.
    """
    h1, h2, k1, k2 = place
    free, below, halves, hits, gains = duel.free, duel.below, duel.halves, room.hits[m], room.gains[m]
    for damage in range(1, len(halves)):
        taken, gain = after[max(0, h1 - damage), h2, k1, k2, m], 0.0
        if k1 > 0:
            gain = after[max(0, h1 - halves[damage]), h2, k1 - 1, k2, m] - taken
            best = max(0.0, gain) if free else (gain if damage >= SHRUG_FROM or damage >= h1 - below[0] else 0.0)
            taken += (1.0 - own) * best
        hits[0, damage], gains[0, damage] = taken, own * gain
        taken, gain = after[h1, max(0, h2 - damage), k1, k2, m], 0.0
        if k2 > 0:
            gain = after[h1, max(0, h2 - halves[damage]), k1, k2 - 1, m] - taken
            best = min(0.0, gain) if free else (gain if damage >= SHRUG_FROM or damage >= h2 - below[1] else 0.0)
            taken += (1.0 - other) * best
        hits[1, damage], gains[1, damage] = taken, other * gain


@inlined
def mean_of_hits(room: Room, m: Any, e: Any, k1: Any, k2: Any, duel: DuelArrays) -> Any:
    """Return the probability-weighted values of an exchange's hits if mode `m` follows."""
    total, hits, chances, most = 0.0, room.hits[m], duel.chances[k1, k2, e], duel.most[k1, k2, e]
    for side in range(2):
        for damage in range(1, most[side] + 1):
            total += chances[side, damage] * hits[side, damage]
    return total


@inlined
def mean_of_shrugs(room: Room, m: Any, e: Any, side: Any, k1: Any, k2: Any, duel: DuelArrays, shrugs: Any) -> Any:
    """Return what a given policy's shrugs, (damage,), add to the mean value of an exchange's hits."""
    total, gains, chances = 0.0, room.gains[m, side], duel.chances[k1, k2, e, side]
    for damage in range(1, duel.most[k1, k2, e, side] + 1):
        total += chances[damage] * np.float64(shrugs[damage]) * gains[damage]
    return total


@inlined
def weigh_attacks(room: Room, g: Any, k1: Any, k2: Any, growth: Any, duel: DuelArrays) -> None:
    """Write the value of hits and the probability of no hit for each pair of stances and each choice to attack."""
    idle, worth, gained, stayed = duel.idle[k1, k2], room.worth[g], room.gained[g], room.stayed[g]
    for i in range(N):
        for j in range(N):
            for one in range(2):
                for other in range(2):
                    e = duel.exchange[i, j, one, other]
                    gained[i, j, one, other] = 0.0 if e == NOTHING else growth * worth[e]
                    stayed[i, j, one, other] = growth if e == NOTHING else growth * idle[e]


# -- solutions ---------------------------------------------------------------------------------------------------------


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
    room = new_room(len(duel.halves), duel.idle.shape[2], 1, 1)
    after = after.reshape((*after.shape, 1))  # one mode
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
                    if duel.mutual and duel.free:
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
    room = new_room(len(duel.halves), duel.idle.shape[2], 1, 1)
    after = after.reshape((*after.shape, 1))  # one mode
    for n in range(len(states)):
        h1, h2, k1, k2 = states[n, 0], states[n, 1], states[n, 2], states[n, 3]
        value, _ = solve_state(room, after, (h1, h2, k1, k2), True, after[h1, h2, k1, k2, 0], duel)
        values[n] = value
        backs[n] = room.backs[:, :ATTACKING_STANCES]
        mixes[n, 0] = room.row
        mixes[n, 1] = room.column
        games[n] = room.game + value


@entry_point
def stance_game(game: Any, after: Any, place: Any, stays: Any, duel: DuelArrays) -> None:
    """Write the stance game of one state, with the value `stays` for a round in which no fighter is hurt."""
    room = new_room(len(duel.halves), duel.idle.shape[2], 1, 1)
    h1, h2, k1, k2 = place
    weigh_free(room, after.reshape((*after.shape, 1)), (h1, h2, k1, k2), duel)
    fill_game(room, stays, duel.mutual and duel.free)
    game[:, :] = room.game + stays


@inlined
def solve_state(room: Room, after: Any, place: Any, loops: Any, guess: Any, duel: DuelArrays) -> Any:
    """Write one state's game and mixes; return a round's value without a hit, and how much more the game is worth."""
    h1, h2, k1, k2 = place
    holds_back = duel.mutual and duel.free
    weigh_free(room, after, place, duel)
    value = after[h1, h2, k1, k2, 0]
    if loops:
        value = 0.0
        if can_be_hurt(room.stayed[0]):
            value = settle(room, holds_back, guess)
    fill_game(room, value, holds_back)
    return value, mix(room.game, room.row, room.column, room.tableau, room.basis)


@inlined
def weigh_free(room: Room, after: Any, place: Any, duel: DuelArrays) -> None:
    """Write the values of hits and the probabilities of no hit if both sides choose freely."""
    k1, k2 = place[2], place[3]
    weigh_hits(room, after, place, 0, 0.0, 0.0, duel)
    for i in range(N):
        for j in range(N):
            for one in range(2):
                for other in range(2):
                    e = duel.exchange[i, j, one, other]
                    if e != NOTHING and ((one and other) or (duel.mutual and i == j)):
                        room.worth[0, e] = mean_of_hits(room, 0, e, k1, k2, duel)
    weigh_attacks(room, 0, k1, k2, 1.0, duel)


@compiled
def can_be_hurt(stayed: Any) -> Any:
    """Return whether any fighter can ever be hurt."""
    for i in range(N):
        for j in range(N):
            if stayed[i, j, 1, 1] < 1.0:
                return True
    return False


@inlined
def fill_game(room: Room, value: Any, holds_back: Any) -> None:
    """Write the stance game minus `value`, the value of a round without a hit, and each side's attack rates."""
    gained, stayed = room.gained[0], room.stayed[0]
    for i in range(N):
        for j in range(N):
            room.game[i, j] = gained[i, j, 1, 1] - (1.0 - stayed[i, j, 1, 1]) * value
        if holds_back and i < ATTACKING_STANCES:
            room.game[i, i] = attack_or_hold(gained[i, i], stayed[i, i], value, room.backs, i)


@compiled
def attack_or_hold(gained: Any, stayed: Any, value: Any, backs: Any, i: Any) -> Any:
    """Solve the game of attacking or holding back in a shared stance: return its value and write both mixes."""
    a = gained[1, 1] - (1.0 - stayed[1, 1]) * value
    b = gained[1, 0] - (1.0 - stayed[1, 0]) * value
    c = gained[0, 1] - (1.0 - stayed[0, 1]) * value
    d = gained[0, 0] - (1.0 - stayed[0, 0]) * value
    return mix_two(a, b, c, d, backs, i)


@inlined
def settle(room: Room, holds_back: Any, guess: Any) -> Any:
    """Return the value v at which the stance game, with v for a round without a hit, is worth v.

    The larger v, the lower the value of the game minus v. Each step takes the v that solves the equation for the last
    mixes (Newton's method), or the midpoint of the bounds if that v is outside them.
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
    """Return the probability that a round ends its state, because a fighter is hurt, under the mixes in `room`."""
    stayed, ends = room.stayed[0], 0.0
    for i in range(N):
        for j in range(N):
            stays = stayed[i, j, 1, 1]
            if holds_back and i == j and i < ATTACKING_STANCES:
                one, other = room.backs[0, i], room.backs[1, i]
                stays = one * (other * stayed[i, i, 1, 1] + (1.0 - other) * stayed[i, i, 1, 0]) + (1.0 - one) * (
                    other * stayed[i, i, 0, 1] + (1.0 - other) * stayed[i, i, 0, 0]
                )
            ends += room.row[i] * room.column[j] * (1.0 - stays)
    return ends

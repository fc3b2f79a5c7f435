"""Values of plain duels, state by state, under given policies, best responses and restricted responses.

A policy with memory has modes; best_response.py and recall/policies.py explain them. A round in which no fighter is
hurt leads back to its state, or to another mode of it. Without a round cap, the modes of a state are improved together
until nothing changes, starting with the value if no fighter is ever hurt again. So a stalemate is worth the round cap's
result. A single mode is solved exactly.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from heartrush_env.research.duel import EXCHANGES, NOTHING, Duel, DuelArrays, N
from heartrush_env.research.plain.kernel import (
    ITERATIONS,
    TOLERANCE,
    Room,
    mean_of_hits,
    mean_of_shrugs,
    new_room,
    weigh_attacks,
    weigh_hits,
)
from heartrush_env.research.zero_sum import Floats, SolverError, mix, mix_two
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.rule import compiled, inlined

SLACK = 1e-14  # smaller differences of a value are rounding errors
SWEEPS = 100_000  # maximum over the modes of a state; a few dozen are typical
SETTLED = 1e-13  # changes of a value up to this count as none
TIED = 1e-12  # choices whose values differ by less are equally good
ENDLESS = 1e30  # a growth without limit
PAIRS = np.array([exchange[:2] for exchange in EXCHANGES], np.int64)


class PolicyArrays(NamedTuple):
    """A policy, by (own hp, other's hp, own heart, other's heart, mode, ...); see RecallPolicy."""

    stances: Any
    attacks: Any
    shrugs: Any


class Modes(NamedTuple):
    """The modes of a policy with memory; a policy without memory has one."""

    group: Any  # (modes,): each mode's equivalent after a reveal, among the first `groups` modes
    then: Any  # (groups, own stance, other's stance): the mode after each pair
    pairs: Any  # (exchange, 2): the stances of each exchange


class Task(NamedTuple):
    """The states of a layer to compute, and how."""

    responds: bool  # the first fighter plays its best response, which is written; otherwise its given policy
    share: float = 1.0  # the fraction of the other fighter's decisions that its policy makes; others are free
    growth: float = 1.0  # the factor by which each round multiplies the value of the rounds after it
    first_1: int = 1  # fewest hit points of the first fighter to compute; lower values are already filled in
    first_2: int = 1  # fewest hit points of the other fighter to compute


ALONE = Modes(np.zeros(1, np.int64), np.zeros((1, N, N), np.int64), PAIRS)  # of a policy without memory


def own_tables(shape: tuple[int, ...], modes: Modes = ALONE) -> PolicyArrays:
    """Return empty policy tables for a response over this shape.

    Its shrugs are decided from the values of states, so the table of shrugs is never written.
    """
    groups, count = len(modes.then), len(modes.group)
    shrugs = np.zeros((1, 1, 1, 1, groups, 1, 1), np.float32)
    return PolicyArrays(np.zeros((*shape, count, N)), np.zeros((*shape, groups, N, N), np.float32), shrugs)


def play(
    duel: Duel, here: Floats, after: Floats, own: PolicyArrays, other: PolicyArrays, task: Task, modes: Modes = ALONE
) -> None:
    """Write the values of states for the first fighter.

    Args:
        duel: The duel.
        here: The values to write, with endings filled in: (own hp, other's hp, own heart, other's heart, modes). The
            last axis may be left out if there is one mode.
        after: The values of states one round later, in the shape of `here`, or `here` itself.
        own: The first fighter's policy, or the tables for its response.
        other: The other fighter's policy, from its own side.
        task: The states to compute, and whether the first fighter responds.
        modes: The modes of both policies, from the side of the other fighter.

    Raises:
        SolverError: The values of modes do not settle.
    """
    loops = here is after
    after = here if loops else np.ascontiguousarray(after)
    if here.ndim == 4:
        here, after = here[..., None], after[..., None]
    change = float(play_layer(here, after, loops, task, duel.arrays, modes, own, other))
    if change > SETTLED:
        raise SolverError(
            f"The values of {duel.game.scenario_name!r} do not settle in {SWEEPS} sweeps (they still change by "
            f"{change:.1g}), because damage is so rare; give a low max_rounds, so that it is solved round by round."
        )


def policy_game(duel: Duel, after: Floats, place: tuple[int, ...], other: PolicyArrays) -> Floats:
    """Return the first fighter's value of each pair of stances in a state against a policy without memory.

    The first fighter makes its other choices as well as possible, given the values of states after this round.
    """
    game = np.zeros((N, N))
    write_policy_game(game, np.ascontiguousarray(after)[..., None], np.array(place), duel.arrays, ALONE, other)
    return game


# -- compiled ----------------------------------------------------------------------------------------------------------


@entry_point
def play_layer(
    here: Any, after: Any, loops: Any, task: Task, duel: DuelArrays, modes: Modes, own: PolicyArrays,
    other: PolicyArrays,
) -> Any:  # fmt: skip
    """Write the value of every state and mode for the first fighter against a policy of the other fighter.

    Modes and their groups are numbered from the other fighter's side, even in the first fighter's tables. Returns the
    last change of a value.
    """
    groups, count, worst = len(modes.then), len(modes.group), 0.0
    room, values = new_room(len(duel.halves), duel.idle.shape[2], count, groups), np.zeros(count)
    for h1 in range(task.first_1, here.shape[0]):
        for h2 in range(task.first_2, here.shape[1]):
            for k1 in range(here.shape[2]):
                for k2 in range(here.shape[3]):
                    place = h1, h2, k1, k2
                    weigh_policies(room, after, place, task, duel, modes, own, other)
                    for m in range(count):
                        values[m] = duel.at_cap[h1, h2, k1, k2] if loops else after[h1, h2, k1, k2, m]
                    mixes, chosen = other.stances[h2, h1, k2, k1], own.stances[h1, h2, k1, k2]
                    attacks = own.attacks[h1, h2, k1, k2]
                    if loops and count == 1 and task.share == 1.0:
                        values[0] = settle_mode(room, values[0], mixes[0], chosen[0], task)
                        here[h1, h2, k1, k2, 0] = values[0]
                    else:
                        change = 0.0
                        for _ in range(SWEEPS):
                            change = 0.0
                            for m in range(count):
                                if task.share == 1.0:
                                    found = mode_value(room, values, m, modes, mixes[m], chosen[m], task)
                                else:
                                    found = mode_game(room, values, m, modes, mixes[m], chosen[m], attacks, task)
                                here[h1, h2, k1, k2, m] = found
                                if loops:
                                    change = max(change, abs(found - values[m]))
                                    values[m] = found
                            if change <= SETTLED:
                                break
                        worst = max(worst, change)
                    if task.responds and task.share == 1.0:
                        write_answer(room, values, modes, mixes, chosen, attacks)
    return worst


@inlined
def weigh_policies(
    room: Room, after: Any, place: Any, task: Task, duel: DuelArrays, modes: Modes, own: PolicyArrays,
    other: PolicyArrays,
) -> None:  # fmt: skip
    """Write the values of hits and the probabilities of no hit for every group of modes under the given policies."""
    h1, h2, k1, k2 = place
    share, responds = task.share if duel.free else 1.0, task.responds
    for m in range(len(modes.group)):
        weigh_hits(room, after, place, m, 0.0 if responds else 1.0, share, duel)
    for g in range(len(modes.then)):
        for e in range(len(modes.pairs)):
            m = modes.then[g, modes.pairs[e, 1], modes.pairs[e, 0]]
            total = mean_of_hits(room, m, e, k1, k2, duel)
            if k2 > 0:
                view = duel.turned[e] if other.shrugs.shape[5] > 1 else 0
                total += mean_of_shrugs(room, m, e, 1, k1, k2, duel, other.shrugs[h2, h1, k2, k1, g, view])
            if k1 > 0 and not responds:
                view = e if own.shrugs.shape[5] > 1 else 0
                total += mean_of_shrugs(room, m, e, 0, k1, k2, duel, own.shrugs[h1, h2, k1, k2, g, view])
            room.worth[g, e] = total
        weigh_attacks(room, g, k1, k2, task.growth, duel)
        strikes = other.attacks[h2, h1, k2, k1, g]
        for i in range(N):
            for j in range(N):
                for lines in (room.gained[g, i, j], room.stayed[g, i, j]):
                    often = np.float64(strikes[j, i])
                    for one in range(2):
                        mean = often * lines[one, 1] + (1.0 - often) * lines[one, 0]
                        for k in range(2):
                            lines[one, k] = share * mean + (1.0 - share) * lines[one, k]
                    if not responds or not duel.free:
                        rate = 1.0 if responds else np.float64(own.attacks[h1, h2, k1, k2, g, i, j])
                        for k in range(2):
                            lines[0, k] = lines[1, k] = rate * lines[1, k] + (1.0 - rate) * lines[0, k]


@inlined
def stance_worth(room: Room, values: Any, g: Any, i: Any, then: Any, mix: Any) -> Any:
    """Return the first fighter's value of a stance against a mix, and the probability of no hit.

    The first fighter attacks wherever that is not worse.
    """
    gained, stayed = room.gained[g, i], room.stayed[g, i]
    found, idles = 0.0, 0.0
    for j in range(N):
        if mix[j] > 0.0:
            value = values[then[j, i]]
            pair = gained[j, 1, 1] + stayed[j, 1, 1] * value
            held = gained[j, 0, 1] + stayed[j, 0, 1] * value
            found += mix[j] * max(pair, held)
            idles += mix[j] * (stayed[j, 0, 1] if held > pair else stayed[j, 1, 1])
    return found, idles


@inlined
def mode_value(room: Room, values: Any, m: Any, modes: Modes, mix: Any, own: Any, task: Task) -> Any:
    """Return the value of a mode for the first fighter, by its best stance or its own mix."""
    best, total, g = -np.inf, 0.0, modes.group[m]
    for i in range(N):
        if task.responds or own[i] > 0.0:
            found, _ = stance_worth(room, values, g, i, modes.then[g], mix)
            best = max(best, found)
            total += own[i] * found
    return best if task.responds else total


@inlined
def settle_mode(room: Room, at_cap: Any, mix: Any, own: Any, task: Task) -> Any:
    """Return the fixed point of a policy's only mode by Newton's method, starting with the value at the cap.

    A round's value minus v is a falling, convex function of v with straight pieces. So each step solves one piece, and
    no step passes the solution from below. If play may stay in the state for good, the value at the cap is kept.
    """
    values, then = np.full(1, at_cap), np.zeros((N, N), np.int64)
    for _ in range(ITERATIONS):
        value, best, idles = values[0], -np.inf, 1.0
        total, rests = 0.0, 0.0
        for i in range(N):
            if task.responds or own[i] > 0.0:
                found, rest = stance_worth(room, values, 0, i, then, mix)
                if found > best + SLACK or (found > best - SLACK and rest < idles):
                    best, idles = found, rest
                total += own[i] * found
                rests += own[i] * rest
        if not task.responds:
            best, idles = total, rests
        if 1.0 - idles <= SLACK:
            return ENDLESS if task.growth > 1.0 else value
        step = (best - value) / (1.0 - idles)
        values[0] = min(ENDLESS, value + step)
        if abs(step) <= TOLERANCE * max(1.0, abs(value)):
            break
    return values[0]


@inlined
def mode_game(room: Room, values: Any, m: Any, modes: Modes, model: Any, stances: Any, attacks: Any, task: Task) -> Any:
    """Return the value of a mode against an opponent that is free in some decisions; write the first fighter's mix.

    Each pair of stances has its own game of attacks.
    """
    g, share, game = modes.group[m], task.share, room.game
    for i in range(N):
        modelled = 0.0
        for j in range(N):
            gained, stayed, value = room.gained[g, i, j], room.stayed[g, i, j], values[modes.then[g, j, i]]
            a, b = gained[1, 1] + stayed[1, 1] * value, gained[1, 0] + stayed[1, 0] * value
            c, d = gained[0, 1] + stayed[0, 1] * value, gained[0, 0] + stayed[0, 0] * value
            game[i, j] = mix_two(a, b, c, d, room.backs, j)
            attacks[g, i, j] = room.backs[0, j]
            modelled += model[j] * game[i, j]
        for j in range(N):
            game[i, j] = share * modelled + (1.0 - share) * game[i, j]
    found = mix(game, room.row, room.column, room.tableau, room.basis)
    for i in range(N):
        stances[i] = room.row[i]
    return found


@compiled
def write_answer(room: Room, values: Any, modes: Modes, mixes: Any, stances: Any, attacks: Any) -> None:
    """Write the best choices for these values; ties go to the choice likeliest to hurt a fighter, so fights end."""
    group, then, gained, stayed = modes.group, modes.then, room.gained, room.stayed
    for g in range(len(then)):
        for i in range(N):
            for j in range(N):
                value = values[then[g, j, i]]
                held = gained[g, i, j, 0, 1] + stayed[g, i, j, 0, 1] * value
                pair = gained[g, i, j, 1, 1] + stayed[g, i, j, 1, 1] * value
                attacks[g, i, j] = 0.0 if held > pair + TIED else 1.0
    for m in range(len(group)):
        g, best, least, choice = group[m], -np.inf, 2.0, 0
        for i in range(N):
            found, idles = 0.0, 0.0
            for j in range(N):
                one = 1 if attacks[g, i, j] > 0.0 else 0
                found += mixes[m, j] * (gained[g, i, j, one, 1] + stayed[g, i, j, one, 1] * values[then[g, j, i]])
                idles += mixes[m, j] * stayed[g, i, j, one, 1]
            if found > best + TIED or (found > best - TIED and idles < least):
                best, least, choice = max(best, found), idles, i
            stances[m, i] = 0.0
        stances[m, choice] = 1.0


@entry_point
def write_policy_game(game: Any, after: Any, place: Any, duel: DuelArrays, modes: Modes, other: PolicyArrays) -> None:
    """Write the first fighter's value of each pair of stances against a policy; see `policy_game`."""
    h1, h2, k1, k2 = place
    room, task = new_room(len(duel.halves), duel.idle.shape[2], 1, 1), Task(True, 1.0, 1.0, 1, 1)
    weigh_policies(room, after, (h1, h2, k1, k2), task, duel, modes, other, other)
    value = after[h1, h2, k1, k2, 0]
    for i in range(N):
        for j in range(N):
            gained, stayed = room.gained[0, i, j], room.stayed[0, i, j]
            game[i, j] = max(gained[1, 1] + stayed[1, 1] * value, gained[0, 1] + stayed[0, 1] * value)


@entry_point
def follow_duels(
    arriving: Any, onward: Any, loops: Any, rounds: Any, held: Any, duel: DuelArrays, own: PolicyArrays,
    other: PolicyArrays,
) -> None:  # fmt: skip
    """Follow all duels for one round, or to their end if it `loops`, from many hit points to few, as hits lower them.

    Args:
        arriving: (own hp, other's hp, own heart, other's heart): how many duels arrive in each state.
        onward: How many duels arrive after the round, to add to: `arriving` itself if it `loops`.
        loops: Whether a round without a hit leads back to its state.
        rounds: The number of rounds spent in each state, to write.
        held: The number of duels that stay in each state for good, to write; they spend one round there.
        duel: The duel.
        own: The first fighter's policy, without memory.
        other: The other fighter's policy, without memory, from its own side.
    """
    often = np.zeros(len(duel.turned))
    for h1 in range(arriving.shape[0] - 1, 0, -1):
        for h2 in range(arriving.shape[1] - 1, 0, -1):
            for k1 in range(arriving.shape[2]):
                for k2 in range(arriving.shape[3]):
                    met = arriving[h1, h2, k1, k2]
                    if met == 0.0:
                        continue
                    stays = count_exchanges(often, (h1, h2, k1, k2), duel, own, other)
                    if loops and stays >= 1.0 - SLACK:
                        rounds[h1, h2, k1, k2] = held[h1, h2, k1, k2] = met
                        continue
                    if loops:
                        met /= 1.0 - stays
                    else:
                        onward[h1, h2, k1, k2] += met * stays
                    rounds[h1, h2, k1, k2] = met
                    for e in range(len(often)):
                        answers = own.shrugs[h1, h2, k1, k2, 0, e if own.shrugs.shape[5] > 1 else 0]
                        turned = other.shrugs[h2, h1, k2, k1, 0, duel.turned[e] if other.shrugs.shape[5] > 1 else 0]
                        for damage in range(1, len(duel.halves) if often[e] > 0.0 else 0):
                            half, hits = duel.halves[damage], duel.chances[k1, k2, e, 0, damage] * often[e] * met
                            shrugs = np.float64(answers[damage]) if k1 > 0 else 0.0
                            onward[max(0, h1 - damage), h2, k1, k2] += (1.0 - shrugs) * hits
                            onward[max(0, h1 - half), h2, max(0, k1 - 1), k2] += shrugs * hits
                            hits = duel.chances[k1, k2, e, 1, damage] * often[e] * met
                            shrugs = np.float64(turned[damage]) if k2 > 0 else 0.0
                            onward[h1, max(0, h2 - damage), k1, k2] += (1.0 - shrugs) * hits
                            onward[h1, max(0, h2 - half), k1, max(0, k2 - 1)] += shrugs * hits


@inlined
def count_exchanges(often: Any, place: Any, duel: DuelArrays, own: PolicyArrays, other: PolicyArrays) -> Any:
    """Write the probability of each exchange in a state, and return the probability that no fighter is hurt."""
    h1, h2, k1, k2 = place
    stays = 0.0
    often[:] = 0.0
    for i in range(N):
        for j in range(N):
            both = own.stances[h1, h2, k1, k2, 0, i] * other.stances[h2, h1, k2, k1, 0, j]
            first = np.float64(own.attacks[h1, h2, k1, k2, 0, i, j])
            second = np.float64(other.attacks[h2, h1, k2, k1, 0, j, i])
            for one in range(2):
                for two in range(2):
                    share = both * (first if one else 1.0 - first) * (second if two else 1.0 - second)
                    e = duel.exchange[i, j, one, two]
                    if e == NOTHING:
                        stays += share
                    else:
                        often[e] += share
                        stays += share * duel.idle[k1, k2, e]
    return stays

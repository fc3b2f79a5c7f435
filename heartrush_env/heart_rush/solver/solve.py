"""Solves a duel: the value of every state and what both sides mix there.

Every hit lowers hit points, so states are solved in the order of hit points, each once. A round in which nobody is hurt
leads back to the same state; its value is the v at which the stance game with v in those places is worth v, found by
Newton's method between bounds. After the reveal it is never worse to attack, but in one case: where the rules call a
shared stance a contest only if both attack, each may hold back, and those choices are a small game of their own.

Duels with levels are solved by levels/kernel.py, whose states are many and lead round in circles.

The round cap. The duel is first solved as if it had none, and a bound is proven on how far that is from the capped
duel's value: the chance that the cap is reached although one side plays the solution, whatever the other does. Where
the bound is small, as in long caps, the solution without a cap stands, and `Tablebase.cap_bound` says how small. It is
not exact. Any other cap is solved exactly, by rounds left, which takes as many times longer and as much more memory.

Fatigue, where fighters go on below 0 hit points, is left out likewise, and bounded by fatigue.py. A duel in which it
matters is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np

from heartrush_env.core.rule import compiled, entry_point
from heartrush_env.core.writing import sole_writer
from heartrush_env.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.heart_rush.game import HeartRush
from heartrush_env.heart_rush.rules.terms import ATTACKING_STANCES
from heartrush_env.heart_rush.scenario.load import Scenario
from heartrush_env.heart_rush.solver.best_response import rounds_bound
from heartrush_env.heart_rush.solver.duel import EXCHANGE, NOTHING, Duel, N
from heartrush_env.heart_rush.solver.fatigue import fatigue_bound, is_worked_out
from heartrush_env.heart_rush.solver.kinds import empty_table, read_duel
from heartrush_env.heart_rush.solver.levels.duel import LevelsDuel
from heartrush_env.heart_rush.solver.levels.solve import levels_parts, solve_levels_part
from heartrush_env.heart_rush.solver.levels.table import LevelsTablebase
from heartrush_env.heart_rush.solver.tablebase import FORMAT, FORMAT_VERSION, Tablebase, bytes_needed, claims
from heartrush_env.solver.checkpoint import Checkpoint
from heartrush_env.solver.zero_sum import Floats, SolverError, gap, mix

CAP_BOUND = 1e-5  # the most that a cap which is left out may change the value, unless something else is asked
MEMORY = 3 * 2**30  # bytes that a tablebase may take, unless more are allowed
ITERATIONS = 100  # of Newton's method or halving, at most; 3 are usual
TOLERANCE = 1e-15

Progress = Callable[[int, int], None]  # parts solved, of how many
Part = tuple[tuple[int, ...], list[Any]]  # what says which it is, and the arrays that it fills


def solve(
    game: HeartRush | Scenario | str,
    progress: Progress | None = None,
    *,
    memory: int = MEMORY,
    cap_bound: float = CAP_BOUND,
    checkpoint: str | Path | None = None,
) -> Tablebase:
    """The solution of a duel without a map under the rules profile "plain" or "levels".

    Args:
        game: A game, whose decisions may be "full" or "stance", or a scenario, by name or loaded, with full decisions.
        progress: Called as parts are solved: rounds, where the round cap counts, or hit points of the first fighter.
        memory: Bytes that the solution may take; SolverError says how many it needs before they are taken.
        cap_bound: The most that cap and fatigue may change the value where they are left out; 0 to solve every cap by
            rounds left.
        checkpoint: A file to keep finished parts in, and to go on from if it is there; the result is the same.
    """
    duel = read_duel(game)
    with nullcontext() if checkpoint is None else sole_writer(checkpoint, SolverError):
        return _solve(duel, progress, memory, cap_bound, checkpoint)


def _solve(
    duel: Duel, progress: Progress | None, memory: int, cap_bound: float, checkpoint: str | Path | None
) -> Tablebase:
    """Solve without the cap where it hardly counts, else with it."""
    if cap_bound > 0 or duel.fatigue is not None:
        by_parts = isinstance(duel, LevelsDuel)
        table = _solve_parts(duel, None, memory, progress if by_parts else None, checkpoint)
        table.cap_bound = cap_bound_of(table, cap_bound)
        if table.cap_bound <= cap_bound or (duel.fatigue is not None and not is_worked_out(duel)):
            if progress and not by_parts:
                progress(1, 1)
            return table
        if duel.fatigue is not None:
            raise SolverError(
                f"{duel.game.scenario_name!r} cannot be solved: its fatigue_rounds of {duel.fatigue} or its round cap "
                f"may change the value by {table.cap_bound:.2g}, allowed: {cap_bound:.2g} (cap_bound), or a max_rounds "
                "below fatigue_rounds."
            )
    return _solve_parts(duel, duel.max_rounds, memory, progress, checkpoint)


def _solve_parts(
    duel: Duel, rounds: int | None, memory: int, progress: Progress | None, checkpoint: str | Path | None
) -> Tablebase:
    """Solve with or without the cap, part by part, from where a checkpoint was left."""
    _check_memory(duel, rounds, memory)
    table = empty_table(duel, rounds)
    for layer in range(len(table.values)):
        table.values[layer] = duel.new_values() if rounds is None or layer else duel.at_cap()
    solve_part: Callable[..., float]  # of what says which part
    if isinstance(table, LevelsTablebase):
        solve_part, parts = partial(solve_levels_part, table), levels_parts(table)
    else:
        solve_part, parts = partial(_solve_layer, table), _layers(table)
    gaps = np.zeros((len(parts), 1))
    done, kept = 0, None
    if checkpoint is not None:
        name = checkpoint if rounds is None else Path(f"{checkpoint}.rounds")
        kept = Checkpoint(name, {**claims(duel.game, FORMAT, FORMAT_VERSION), "rounds": rounds})
        done = kept.read([[*arrays, gaps[k]] for k, (_, arrays) in enumerate(parts)])
    for number in range(done, len(parts)):
        part, arrays = parts[number]
        gaps[number] = solve_part(*part)
        if kept is not None:
            kept.add([*arrays, gaps[number]])
        if progress:
            progress(number + 1, len(parts))
    table.certificate = float(gaps.max())
    return table


def _layers(table: Tablebase) -> list[Part]:
    """The parts of a plain solution: a layer each."""
    first = 0 if table.rounds is None else 1
    return [
        ((left,), [table.values[left], *(side[left] for side in (*table.mixes, *table.backs))])
        for left in range(first, len(table.values))
    ]


def cap_bound_of(table: Tablebase, enough: float) -> float:
    """A bound on what cap and fatigue change; see the head of this file."""
    stake = 1.0 if table.duel.game.scenario.round_cap == "draw" else 2.0
    cap = rounds_bound(table, 0.5 * enough if table.duel.fatigue else enough, table.duel.max_rounds, stake)
    return min(2.0, cap + fatigue_bound(table, 0.5 * enough))


def expected_matrix(table: Tablebase, state: tuple[int, int, int, int], values: Floats | None = None) -> Floats:
    """The stance game of a state, (own stances, other's stances): what each pair is worth to the first fighter.

    Args:
        table: Whose duel it is.
        state: Hit points and heart dice, by their sides, of the first and of the other fighter.
        values: What states are worth after this round, of the shape of a layer of `table.values`; the table's own
            unless given, with the longest time left.
    """
    duel, place = table.duel, table.place(state)
    if isinstance(table, LevelsTablebase):
        layer = table.after(table.layer()) if values is None else np.ascontiguousarray(values, np.float64)
        levels_game: Floats = table.games(place[:4], layer)[cast(Any, place[4:])]
        return levels_game
    after = table.values[-1 if table.rounds is None else max(0, table.rounds - 1)] if values is None else values
    game, tools = np.zeros((N, N)), _tools(duel)
    stance_game(
        game, np.ascontiguousarray(after, np.float64), np.array(place), after[place], duel.free, duel.mutual,
        np.array(duel.below), *tools,
    )  # fmt: skip
    return game


def _check_memory(duel: Duel, rounds: int | None, allowed: int) -> None:
    needed = bytes_needed(duel, rounds)
    if needed > allowed:
        layers = "" if rounds is None else f" with up to {rounds} rounds left"
        raise SolverError(
            f"The solution of {duel.game.scenario_name!r} ({duel.states} states{layers}) "
            f"takes {needed / 2**20:.2f} MB, allowed: {allowed / 2**20:.2f} MB."
        )


def _tools(duel: Duel) -> tuple[Any, Any, Any, Any, Any]:
    return duel.chances, duel.most, duel.idle, duel.halves, EXCHANGE


def _solve_layer(table: Tablebase, left: int) -> float:
    """Solve all states with so many rounds left (or without a cap); returns the largest gap of any certificate."""
    duel, capped = table.duel, table.rounds is not None
    here = table.values[left]
    return float(
        solve_layer(
            here,
            table.values[left - 1] if capped else here,
            not capped,
            duel.free,
            duel.mutual,
            np.array(duel.below),
            *_tools(duel),
            table.mixes[0][left],
            table.mixes[1][left],
            table.backs[0][left],
            table.backs[1][left],
        )
    )


# -- compiled ----------------------------------------------------------------------------------------------------------


@entry_point
def stance_game(
    game: Any, after: Any, place: Any, stays: Any, free: Any, mutual: Any, below: Any,
    chances: Any, most: Any, idle: Any, halves: Any, exchange: Any,
) -> None:  # fmt: skip
    """Write the stance game of one state, with `stays` for a round in which nobody is hurt."""
    hurt, worth, stay = np.zeros((2, len(halves))), np.zeros((N, N, 2, 2)), np.zeros((N, N, 2, 2))
    backs = np.ones((2, ATTACKING_STANCES))
    h1, h2, k1, k2 = place
    weigh_hits(hurt, after, h1, h2, k1, k2, free, below, halves)
    weigh_pairs(worth, stay, hurt, chances[k1, k2], most[k1, k2], idle[k1, k2], exchange, mutual)
    fill_game(game, worth, stay, stays, mutual and free, backs)
    for i in range(N):
        for j in range(N):
            game[i, j] += stays


@entry_point
def solve_layer(
    here: Any, after: Any, loops: Any, free: Any, mutual: Any, below: Any,
    chances: Any, most: Any, idle: Any, halves: Any, exchange: Any,
    mixes_1: Any, mixes_2: Any, backs_1: Any, backs_2: Any,
) -> Any:  # fmt: skip
    """Solve the states of one layer, smaller hit points first; returns the largest gap of any certificate.

    Args:
        here: (own hp, other's hp, own heart, other's heart), the values to write, with the endings filled in.
        after: What states are worth after this round: the same array if it `loops`, else the layer with a round less.
    """
    hurt, worth, stay = np.zeros((2, len(halves))), np.zeros((N, N, 2, 2)), np.zeros((N, N, 2, 2))
    game, row, column, backs = np.zeros((N, N)), np.zeros(N), np.zeros(N), np.ones((2, ATTACKING_STANCES))
    tableau, basis = np.zeros((N + 1, 2 * N + 1)), np.zeros(N, np.int64)
    holds_back = mutual and free
    worst = 0.0
    for h1 in range(1, here.shape[0]):
        for h2 in range(1, here.shape[1]):
            for k1 in range(here.shape[2]):
                for k2 in range(here.shape[3]):
                    weigh_hits(hurt, after, h1, h2, k1, k2, free, below, halves)
                    weigh_pairs(worth, stay, hurt, chances[k1, k2], most[k1, k2], idle[k1, k2], exchange, mutual)
                    value = after[h1, h2, k1, k2]
                    if loops:
                        value = 0.0
                        if may_end(stay):
                            guess = 0.5 * (here[h1 - 1, h2, k1, k2] + here[h1, h2 - 1, k1, k2])
                            value = settle(game, worth, stay, holds_back, backs, guess, row, column, tableau, basis)
                    fill_game(game, worth, stay, value, holds_back, backs)
                    gained = mix(game, row, column, tableau, basis)
                    here[h1, h2, k1, k2] = value if loops else value + gained
                    worst = max(worst, gap(game, row, column, 0.0 if loops else gained))
                    for i in range(N):
                        mixes_1[h1, h2, k1, k2, i] = row[i]
                        mixes_2[h2, h1, k2, k1, i] = column[i]
                    if holds_back:
                        for i in range(ATTACKING_STANCES):
                            backs_1[h1, h2, k1, k2, i] = backs[0, i]
                            backs_2[h2, h1, k2, k1, i] = backs[1, i]
    return worst


@compiled
def weigh_hits(hurt: Any, after: Any, h1: Any, h2: Any, k1: Any, k2: Any, free: Any, below: Any, halves: Any) -> None:
    """What each hit is worth to the first fighter: (who is hurt, damage), shrugged off if its target would."""
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


@compiled
def weigh_pairs(
    worth: Any, stay: Any, hurt: Any, chances: Any, most: Any, idle: Any, exchange: Any, mutual: Any
) -> None:
    """For both stances and who attacks: what hits are worth, times their chances; and the chance that none falls."""
    for i in range(N):
        for j in range(N):
            for one in range(2):
                for other in range(2):
                    if not (one and other) and not (mutual and i == j):
                        continue
                    e = exchange[i, j, one, other]
                    total = 0.0
                    if e != NOTHING:
                        for side in range(2):
                            for damage in range(1, most[e, side] + 1):
                                total += chances[e, side, damage] * hurt[side, damage]
                    worth[i, j, one, other] = total
                    stay[i, j, one, other] = 1.0 if e == NOTHING else idle[e]


@compiled
def may_end(stay: Any) -> Any:
    """Whether anybody can ever be hurt."""
    for i in range(N):
        for j in range(N):
            if stay[i, j, 1, 1] < 1.0:
                return True
    return False


@compiled
def fill_game(game: Any, worth: Any, stay: Any, value: Any, holds_back: Any, backs: Any) -> None:
    """The stance game less `value`, which is what a round without a hit is worth; `backs` are who attacks how often."""
    for i in range(N):
        for j in range(N):
            game[i, j] = worth[i, j, 1, 1] - (1.0 - stay[i, j, 1, 1]) * value
        if holds_back and i < ATTACKING_STANCES:
            game[i, i] = hold_back(worth[i, i], stay[i, i], value, backs, i)


@compiled
def hold_back(worth: Any, stay: Any, value: Any, backs: Any, i: Any) -> Any:
    """The game of who attacks in a shared stance, less `value`: one number by each choice, or a mix of both."""
    a = worth[1, 1] - (1.0 - stay[1, 1]) * value
    b = worth[1, 0] - (1.0 - stay[1, 0]) * value
    c = worth[0, 1] - (1.0 - stay[0, 1]) * value
    d = worth[0, 0] - (1.0 - stay[0, 0]) * value
    low = max(min(a, b), min(c, d))
    high = min(max(a, c), max(b, d))
    if low >= high:
        backs[0, i] = 1.0 if min(a, b) >= min(c, d) else 0.0
        backs[1, i] = 1.0 if max(a, c) <= max(b, d) else 0.0
        return low
    across = a - b - c + d
    backs[0, i] = (d - c) / across
    backs[1, i] = (d - b) / across
    return (a * d - b * c) / across


@compiled
def settle(
    game: Any, worth: Any, stay: Any, holds_back: Any, backs: Any, guess: Any,
    row: Any, column: Any, tableau: Any, basis: Any,
) -> Any:  # fmt: skip
    """The value v at which the stance game, with v for a round without a hit, is worth v.

    The game less v is worth less the larger v is. Each step takes the v at which the mixes of the last one would be
    right; where that leaves the bounds, the middle between them.
    """
    low, high, value = -1.0, 1.0, guess
    for _ in range(ITERATIONS):
        fill_game(game, worth, stay, value, holds_back, backs)
        gained = mix(game, row, column, tableau, basis)
        if gained > 0.0:
            low = value
        else:
            high = value
        if abs(gained) <= TOLERANCE:
            break
        ends = ending_chance(stay, row, column, holds_back, backs)
        stepped = value + gained / ends if ends > 0.0 else 2.0
        if not low <= stepped <= high:
            stepped = 0.5 * (low + high)
        if stepped == value:
            break
        value = stepped
    return value


@compiled
def ending_chance(stay: Any, row: Any, column: Any, holds_back: Any, backs: Any) -> Any:
    """The chance that somebody is hurt under these mixes."""
    ends = 0.0
    for i in range(N):
        for j in range(N):
            stays = stay[i, j, 1, 1]
            if holds_back and i == j and i < ATTACKING_STANCES:
                one, other = backs[0, i], backs[1, i]
                stays = one * (other * stay[i, i, 1, 1] + (1.0 - other) * stay[i, i, 1, 0]) + (1.0 - one) * (
                    other * stay[i, i, 0, 1] + (1.0 - other) * stay[i, i, 0, 0]
                )
            ends += row[i] * column[j] * (1.0 - stays)
    return ends

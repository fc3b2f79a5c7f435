"""Restricted Nash responses: they exploit a model of the opponent without becoming exploitable themselves.

The opponent must play the model with probability p and is free otherwise; an equilibrium of that game is a restricted
Nash response (Johanson, Zinkevich and Bowling, "Computing Robust Counter-Strategies", NIPS 2007). There, nature draws
once, in secret, for the whole game, so the responder's beliefs about the draw are part of its state. This module solves
a different game: the draw is independent at every decision of the opponent (each stance, attack and shrug), as in Data
Biased Responses (Johanson and Bowling, AISTATS 2009), with the same p everywhere. Beliefs then play no role, and the
game is solved exactly, state by state. p = 1 gives a best response to the model, and p = 0 an equilibrium. In between,
the response gains at least the value of the restricted game from any opponent that plays the model in a fraction p of
its decisions.

A model with memory is restricted mode by mode, on the same product as in best_response.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from heartrush_env.games.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.research.duel import NOTHING, DuelArrays
from heartrush_env.research.plain.policy import PolicyArrays
from heartrush_env.research.recall.best_response import (
    SETTLED,
    SWEEPS,
    AnyPlays,
    Modes,
    at_cap,
    best_response,
    empty_policy,
    head_to_head,
    modes_of,
    new_values,
    own_view,
    plays_at,
    settled,
)
from heartrush_env.research.recall.policies import MEMORY, N, RecallPolicy, check_memory
from heartrush_env.research.zero_sum import SolverError, mix
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.rule import compiled, inlined

SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)  # default values of p for a frontier


@dataclass(frozen=True, eq=False)
class RestrictedResponse:
    """A response to an opponent that plays like a model in a fraction of its decisions."""

    share: float  # p
    value: float  # of the restricted game for the responder, from the start
    policies: tuple[RecallPolicy, ...]  # the response; if the cap counts, one for each of 1, 2, ... rounds left


@dataclass(frozen=True)
class Tradeoff:
    """A point on the frontier between exploitation and safety."""

    share: float  # p
    restricted_value: float  # of the restricted game
    against_model: float  # the response's P(win) - P(loss) against the model itself
    exploitability: float  # gain over the duel's value of a best response to this response


def restricted_response(
    model: AnyPlays, share: float, rounds: int | None = None, *, memory: int = MEMORY
) -> RestrictedResponse:
    """Compute the other seat's best response to an opponent that plays the model in a fraction of its decisions.

    Args:
        model: Tables, with or without memory, or a function from the rounds left to tables.
        share: p, from 0 (an equilibrium) to 1 (the best response to the model).
        rounds: The round cap, if it counts.
        memory: Limit in bytes; SolverError if more is needed.
    """
    if not 0 <= share <= 1:
        raise SolverError(f"share: found {share:g}, allowed: a probability from 0 to 1.")
    if share == 1:  # of equally good best responses, the one that ends fights
        best = best_response(model, rounds, memory=memory)
        return RestrictedResponse(share, best.value, best.policies)
    other = plays_at(model, rounds)
    duel, recall = other.duel.turned(), other.recall
    check_memory(duel, recall, memory)
    after, layers = at_cap(duel, recall), []
    for left in [None] if rounds is None else range(1, rounds + 1):
        other, own, here = plays_at(model, left), empty_policy(duel, recall), new_values(duel, recall)
        before = here if left is None else after
        change = restrict_modes(
            here, before, left is None, share, duel.arrays, modes_of(recall), own.arrays, other.arrays
        )
        settled(duel, float(change))
        layers.append(own_view(own, before))
        after = here
    return RestrictedResponse(share, float(after[duel.start][0]), tuple(layers))


def frontier(
    model: AnyPlays, value: float, shares: Sequence[float] = SHARES, rounds: int | None = None, *, memory: int = MEMORY
) -> list[Tradeoff]:
    """Return what restricted responses gain from the model, and their own exploitability.

    Args:
        model: Tables, with or without memory, or a function from the rounds left to tables.
        value: The duel's value for the responder's seat.
        shares: The values of p.
        rounds: The round cap, if it counts.
        memory: Limit in bytes for each response.
    """
    found = []
    for share in shares:
        answer = restricted_response(model, share, rounds, memory=memory)
        plays = as_plays(answer.policies)
        gained = (
            -head_to_head(model, plays, rounds) if _seat(model, rounds) == 0 else head_to_head(plays, model, rounds)
        )
        lost = best_response(plays, rounds, memory=memory).value + value
        found.append(Tradeoff(share, answer.value, gained, lost))
    return found


def frontier_as_text(points: Sequence[Tradeoff]) -> str:
    """Format the frontier as a text table."""
    lines = [f"{'p':>6}{'restricted value':>18}{'against the model':>19}{'exploitability':>16}"]
    for point in points:
        share, *numbers = asdict(point).values()
        lines.append(f"{share:>6.2f}{numbers[0]:>+18.4f}{numbers[1]:>+19.4f}{max(0.0, numbers[2]):>16.4f}")
    return "\n".join(lines)


def as_plays(policies: tuple[RecallPolicy, ...]) -> AnyPlays:
    """Convert a response to a form that can be responded to: tables, or a function of the rounds left."""
    return policies[0] if len(policies) == 1 else lambda left: policies[(left or len(policies)) - 1]


def _seat(model: AnyPlays, rounds: int | None) -> int:
    return plays_at(model, rounds).duel.seats[0]


# -- compiled ----------------------------------------------------------------------------------------------------------


class Model(NamedTuple):
    """The model's play in one mode, used in a fraction of the opponent's decisions."""

    mixes: Any  # (stance,)
    strikes: Any  # (its stance, the first fighter's stance): how often it attacks
    share: Any


@entry_point
def restrict_modes(
    here: Any, after: Any, loops: Any, share: Any, duel: DuelArrays, modes: Modes, own: PolicyArrays,
    other: PolicyArrays,
) -> Any:  # fmt: skip
    """Write the value of every state and mode for the first fighter, and its play, in the restricted game.

    Modes and their groups are numbered from the side of the model, which is the other fighter. Returns the last change
    of a value.
    """
    group, then, pairs = modes.group, modes.then, modes.pairs
    kinds, groups, count = len(pairs), then.shape[0], len(group)
    worth, values = np.zeros((groups, kinds)), np.zeros(count)
    game, row, column = np.zeros((N, N)), np.zeros(N), np.zeros(N)
    tableau, basis = np.zeros((N + 1, 2 * N + 1)), np.zeros(N, np.int64)
    worst = 0.0
    for h1 in range(1, here.shape[0]):
        for h2 in range(1, here.shape[1]):
            for k1 in range(here.shape[2]):
                for k2 in range(here.shape[3]):
                    for g in range(groups):
                        for e in range(kinds):
                            view = duel.turned[e] if other.shrugs.shape[5] > 1 else 0
                            m = then[g, pairs[e, 1], pairs[e, 0]]
                            worth[g, e] = restricted_hits(
                                after, (h1, h2, k1, k2), m, e, duel, share, other.shrugs[h2, h1, k2, k1, g, view]
                            )
                    for m in range(count):
                        values[m] = duel.at_cap[h1, h2, k1, k2] if loops else after[h1, h2, k1, k2, m]
                    change = 0.0
                    for _ in range(SWEEPS):
                        change = 0.0
                        for m in range(count):
                            g = group[m]
                            model = Model(other.stances[h2, h1, k2, k1, m], other.attacks[h2, h1, k2, k1, g], share)
                            fill_mode(
                                game, values, then[g], worth[g], duel.idle[k1, k2], model, duel,
                                own.attacks[h1, h2, k1, k2, g],
                            )  # fmt: skip
                            found = mix(game, row, column, tableau, basis)
                            here[h1, h2, k1, k2, m] = found
                            for i in range(N):
                                own.stances[h1, h2, k1, k2, m, i] = row[i]
                            if loops:
                                change = max(change, abs(found - values[m]))
                                values[m] = found
                        if change <= SETTLED:
                            break
                    worst = max(worst, change)
    return worst


@inlined
def restricted_hits(after: Any, place: Any, m: Any, e: Any, duel: DuelArrays, share: Any, shrugs: Any) -> Any:
    """Return the weighted values of an exchange's hits for the first fighter if mode `m` follows."""
    h1, h2, k1, k2 = place
    chances, most, halves, free = duel.chances[k1, k2, e], duel.most[k1, k2, e], duel.halves, duel.free
    total = 0.0
    for damage in range(1, most[0] + 1):
        taken = after[max(0, h1 - damage), h2, k1, k2, m]
        if k1 > 0:
            shrugged = after[max(0, h1 - halves[damage]), h2, k1 - 1, k2, m]
            if (shrugged > taken) if free else (damage >= SHRUG_FROM or damage >= h1 - duel.below[0]):
                taken = shrugged
        total += chances[0, damage] * taken
    for damage in range(1, most[1] + 1):
        taken = after[h1, max(0, h2 - damage), k1, k2, m]
        if k2 > 0:
            shrugged = after[h1, max(0, h2 - halves[damage]), k1, k2 - 1, m]
            model = taken + np.float64(shrugs[damage]) * (shrugged - taken)
            taken = share * model + (1.0 - share) * min(taken, shrugged) if free else model
        total += chances[1, damage] * taken
    return total


@inlined
def fill_mode(
    game: Any, values: Any, then: Any, worth: Any, idle: Any, model: Model, duel: DuelArrays, own_attacks: Any
) -> None:
    """Write a mode's stance game against the restricted opponent; each pair of stances has its own attack game."""
    for i in range(N):
        modelled = 0.0
        for j in range(N):
            game[i, j] = attack_game(values[then[j, i]], worth, idle, i, j, model, duel, own_attacks)
            modelled += model.mixes[j] * game[i, j]
        for j in range(N):
            game[i, j] = model.share * modelled + (1.0 - model.share) * game[i, j]


@inlined
def attack_game(
    stays: Any, worth: Any, idle: Any, i: Any, j: Any, model: Model, duel: DuelArrays, own_attacks: Any
) -> Any:
    """Return the value of a pair of stances in its attack game; write how often the first fighter attacks."""
    strikes, share, exchange = np.float64(model.strikes[j, i]), model.share, duel.exchange
    own_attacks[i, j] = 1.0
    both = attack_worth(stays, worth, idle, exchange, i, j, 1, 1)
    if not duel.free:
        return both
    a, b = both, attack_worth(stays, worth, idle, exchange, i, j, 1, 0)
    c = attack_worth(stays, worth, idle, exchange, i, j, 0, 1)
    d = attack_worth(stays, worth, idle, exchange, i, j, 0, 0)
    attacks, holds = strikes * a + (1.0 - strikes) * b, strikes * c + (1.0 - strikes) * d
    a, b = share * attacks + (1.0 - share) * a, share * attacks + (1.0 - share) * b
    c, d = share * holds + (1.0 - share) * c, share * holds + (1.0 - share) * d
    low, high = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    if low >= high:
        own_attacks[i, j] = 1.0 if min(a, b) >= min(c, d) else 0.0
        return low
    across = a - b - c + d
    own_attacks[i, j] = (d - c) / across
    return (a * d - b * c) / across


@compiled
def attack_worth(stays: Any, worth: Any, idle: Any, exchange: Any, i: Any, j: Any, one: Any, other: Any) -> Any:
    """Return the value of a pair of stances for given attack decisions of both fighters."""
    e = exchange[i, j, one, other]
    return stays if e == NOTHING else worth[e] + idle[e] * stays

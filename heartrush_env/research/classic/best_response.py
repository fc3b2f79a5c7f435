"""Best responses to policies of a classic duel, and one policy against another: exact, computed backward from the cap.

Values against policies that do not depend on the rounds left stop changing long before a long cap. A round moves no
value further than the largest move of the round before, so the remaining rounds are skipped once they cannot matter.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heartrush_env.research.best_response import Exploitability
from heartrush_env.research.classic.policy import ClassicPolicy, read_policy, solved_policy
from heartrush_env.research.classic.solve import ClassicTable
from heartrush_env.research.classic.turns import on_even_chances, turns_back
from heartrush_env.research.plain.best_response import Task, own_tables, play
from heartrush_env.research.zero_sum import Floats, SolverError
from heartrush_env.tabletop.game import Player

LEFT_OUT = 1e-10  # maximum total change by all skipped rounds

# A policy that depends on the rounds left is a function of them.
Plays = ClassicPolicy | Callable[[int], ClassicPolicy]
Progress = Callable[[int, int], None]  # rounds computed, total rounds


def in_silence(done: int, total: int) -> None:
    """Report no progress."""


def best_response(policy: Plays, progress: Progress = in_silence) -> float:
    """Return the value of a best response to a policy, from the other seat, for the responder."""
    duel = _at(policy, 1).duel.turned()
    return float(_play_back(None, policy, progress)[duel.start])


def head_to_head(first: Plays, second: Plays, progress: Progress = in_silence) -> float:
    """Return the first fighter's value, P(win) - P(loss), if the first policy plays the first seat."""
    if _at(second, 1).duel.seats != _at(first, 1).duel.seats[::-1]:
        raise SolverError("head_to_head needs policies of different seats, but these are of the same seat.")
    return float(_play_back(first, second, progress)[_at(first, 1).duel.start])


def exploitability(
    table: ClassicTable, policies: tuple[Plays, Plays] | None = None, progress: Progress = in_silence
) -> Exploitability:
    """Return the gains of best responses over the duel's value, for each seat; by default against the solution."""
    first, second = policies or solved_policies(table)
    answers = (
        best_response(first, lambda done, total: progress(done, 2 * total)),
        best_response(second, lambda done, total: progress(total + done, 2 * total)),
    )
    return Exploitability((answers[0] + table.value, answers[1] - table.value), answers)


def solved_policies(table: ClassicTable) -> tuple[Plays, Plays]:
    """Return the solution's policy for each seat."""
    if table.rounds is None:
        return solved_policy(table, 0), solved_policy(table, 1)
    return lambda left: solved_policy(table, 0, left), lambda left: solved_policy(table, 1, left)


def read_policies(player: Player | tuple[Player, Player], table: ClassicTable) -> tuple[Plays, Plays]:
    """Return a player's policy in each seat, or the policies of one player in each seat."""
    first, second = player if isinstance(player, tuple) else (player, player)
    return read_policy(first, table.duel), read_policy(second, table.duel.turned())


def _at(policy: Plays, left: int) -> ClassicPolicy:
    return policy if isinstance(policy, ClassicPolicy) else policy(left)


def _play_back(own: Plays | None, other: Plays, progress: Progress) -> Floats:
    """Return the values of states against `other` for the side of `own`; if `own` is None, for a best response."""
    duel = _at(other, 1).duel.turned()
    constant = all(isinstance(policy, ClassicPolicy) for policy in (own or other, other))
    values, task = duel.at_cap(), Task(responds=own is None)
    for left in range(1, duel.max_rounds + 1):
        before = values
        values = _round_back(before, None if own is None else _at(own, left), _at(other, left), task)
        moved = float(np.abs(values - before).max())
        if constant and moved * (duel.max_rounds - left) <= LEFT_OUT:
            break
        progress(left, duel.max_rounds)
    progress(duel.max_rounds, duel.max_rounds)
    return values


def _round_back(after: Floats, own: ClassicPolicy | None, other: ClassicPolicy, task: Task) -> Floats:
    """Return the values of states one round earlier."""
    duel = other.duel.turned()

    def fight(side: int, goes_on: bool, after: Floats) -> Floats:
        here, its = duel.new_values(), other.fights[side == 1, goes_on]
        mine = own_tables(duel.shape) if own is None else own.fights[side == 0, goes_on].arrays
        play(duel, here, after, mine, its.arrays, task)
        return here

    def choose(side: int, moment: int, engaged: Floats, passed: Floats) -> Floats:
        if side == 1:
            share = other.engages[moment].transpose(1, 0, 3, 2)
        elif own is not None:
            share = own.engages[moment]
        else:
            share = np.ones(duel.shape) if not duel.free else (engaged >= passed).astype(np.float64)
        worth: Floats = share * engaged + (1.0 - share) * passed
        return worth

    return on_even_chances(turns_back(after, fight, choose))

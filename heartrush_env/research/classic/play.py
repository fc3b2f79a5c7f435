"""Values of policies in a classic duel, against a best response or another policy, computed backward from the cap.

Values against policies that do not depend on the rounds left stop changing long before a long cap. A round moves no
value further than the largest move of the round before, so the remaining rounds are skipped once they cannot matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from heartrush_env.research.classic.policy import ClassicPolicy
from heartrush_env.research.classic.turns import on_even_chances, turns_back
from heartrush_env.research.plain.play import Task, own_tables, play
from heartrush_env.research.zero_sum import Floats

LEFT_OUT = 1e-10  # maximum total change by all skipped rounds


def play_back(own: Any, other: Any, progress: Callable[[int, int], None]) -> Floats:
    """Return the values of states against `other` for the side of `own`, with all rounds left.

    Args:
        own: A policy, a function that returns one for a number of rounds left, or None for a best response.
        other: The policy of the other fighter, or a function that returns one for a number of rounds left.
        progress: Called with the number of rounds computed and the total.
    """

    def at(policy: Any, left: int) -> ClassicPolicy:
        found: ClassicPolicy = policy(left) if callable(policy) else policy
        return found

    duel = at(other, 1).duel.turned()
    constant = not callable(own) and not callable(other)
    values, task = duel.at_cap(), Task(responds=own is None)
    for left in range(1, duel.max_rounds + 1):
        before = values
        values = _round_back(before, None if own is None else at(own, left), at(other, left), task)
        moved = float(np.abs(values - before).max())
        if constant and moved * (duel.max_rounds - left) <= LEFT_OUT:
            break
        progress(left, duel.max_rounds)
    progress(duel.max_rounds, duel.max_rounds)
    return values


def _round_back(after: Floats, own: ClassicPolicy | None, other: ClassicPolicy, task: Task) -> Floats:
    """Return the values of states one round earlier than `after`."""
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

"""Functions for duels of hit points and heart dice alone: each refuses duels with levels by a one-sentence error."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from heartrush_agents import load

from heartrush_env.research.analysis.aivat import luck
from heartrush_env.research.analysis.benchmark_quality import defensive_shares, even_nash_conv, warnings_of
from heartrush_env.research.analysis.leaks import leaks
from heartrush_env.research.analysis.played_rounds import Fight
from heartrush_env.research.analysis.round_values import best_answer, solved, visits
from heartrush_env.research.analysis.stance_values import mix_exploitability, own_place, shrug_values, stance_values
from heartrush_env.research.best_response import solved_policies
from heartrush_env.research.bridges.moments import read_plain
from heartrush_env.research.bridges.stage_games import extensive_form, stage_game
from heartrush_env.research.plain.policy import read_policy, solved_policy
from heartrush_env.research.recall import policies, restricted_nash
from heartrush_env.research.recall.policies import Recall
from heartrush_env.research.solve import solve
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.research.zero_sum import SolverError
from tests.reference.solver import Duelist
from tests.research.duels import game_of

RULES = {"profile": "levels", "cunning_split": False}
START = (1, 1, 4, 4)


@cache
def table() -> Tablebase:
    """Return a solved duel with levels."""
    return solve(game_of(Duelist(), Duelist(), rules=RULES, max_rounds=10_000))


def plays() -> tuple[Any, Any]:
    """Return the solution's policies in both seats."""
    return solved_policies(table())


DOORS: dict[str, tuple[str, Callable[[], Any]]] = {
    "warnings_of": ("analysed", lambda: warnings_of(table())),
    "even_nash_conv": ("analysed", lambda: even_nash_conv(table())),
    "defensive_shares": ("analysed", lambda: defensive_shares(table())),
    "leaks": ("analysed", lambda: leaks(table(), *plays())),
    "luck": ("analysed", lambda: luck(table(), Fight([], 0.0))),
    "solved": ("analysed", lambda: solved(table(), 0)),
    "visits": ("analysed", lambda: visits(table(), *plays())),
    "best_answer": ("analysed", lambda: best_answer(table(), plays()[0])),
    "own_place": ("analysed", lambda: own_place(table(), START, 0)),
    "stance_values": ("analysed", lambda: stance_values(table(), START)),
    "shrug_values": ("analysed", lambda: shrug_values(table(), START)),
    "mix_exploitability": ("analysed", lambda: mix_exploitability(table(), START, [1, 1, 1, 0])),
    "stage_game": ("exported", lambda: stage_game(table(), START)),
    "extensive_form": ("exported", lambda: extensive_form(table().duel.game)),
    "read_plain": ("exported", lambda: read_plain(table().duel.game)),
    "restricted_response": ("analysed with memory", lambda: restricted_nash.restricted_response(plays()[0], 0.5)),
    "frontier": ("analysed with memory", lambda: restricted_nash.frontier(plays()[0], 0.0)),
    "seated_player": ("analysed with memory", lambda: policies.seated_player(load("uniform").seat, table().duel.game)),
    "check_memory": ("analysed with memory", lambda: policies.check_memory(table().duel, Recall(0))),
    "read_recall": ("analysed with memory", lambda: policies.read_recall(_uniform(), table().duel, Recall(0))),
    "read_policy": ("expressed as one table", lambda: read_policy(_uniform(), table().duel)),
    "solved_policy": ("expressed as one table", lambda: solved_policy(table(), 0)),
}


def _uniform() -> Any:
    return load("uniform").seat(table().duel.game)


@pytest.mark.parametrize("door", DOORS)
def test_a_duel_with_levels_is_refused_in_a_sentence(door: str) -> None:
    done, ask = DOORS[door]
    with pytest.raises(SolverError) as refusal:
        ask()
    only = f"cannot be {done}: the setting levels is on, but only the profile 'plain' is supported."
    assert str(refusal.value) == f"'scenario' {only}"

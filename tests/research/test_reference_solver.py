"""The slow reference solver: by hand, by linear programs, and against the package's solvers."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from heartrush_env.research.solve import solve
from tests.reference.solver import (
    UNHARMED,
    Duel,
    Duelist,
    Table,
    matrix_values,
    named_levels,
    next_round,
    reachable_levels,
    roll,
    value_of,
    values_of,
)
from tests.research.duels import game_of

LEVELS = {"profile": "levels"}


def by_linear_program(game: Any) -> float:
    """Return the value of a matrix game: the largest v that a mix of rows guarantees in every column."""
    rows, columns = game.shape
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(
        c=[0.0] * rows + [-1.0],
        A_ub=np.hstack([-game.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        options=tight,
    )
    assert found.success
    return -float(found.fun)


# -- the reference itself ----------------------------------------------------------------------------------------------


def test_matrix_games_against_linear_programs() -> None:
    random = np.random.default_rng(0)
    for rows, columns in product(range(1, 5), repeat=2):
        games = np.concatenate(
            [random.uniform(-1, 1, (20, rows, columns)), random.integers(-1, 2, (20, rows, columns))]  # and degenerate
        )
        assert matrix_values(games) == pytest.approx([by_linear_program(game) for game in games], abs=1e-10)


def test_levels_by_hand() -> None:
    """Up to two levels: no level (1 way), one (3), two of one condition (3), or of two (3); without a split, 7 ways."""
    assert (len(named_levels(Table())), len(named_levels(Table(cunning_split=False)))) == (10, 7)
    assert next_round((5, 4, 0), (2, 0, 2)) == (4, 3, 1)
    # B2 of the notes on the game: 32 vectors of each fighter may be met when stances are chosen.
    assert len(reachable_levels(Table(levels=True))) == 32
    assert reachable_levels(Table()) == [UNHARMED]


def test_a_disadvantage_by_hand() -> None:
    """With a level of disadvantage, two d4 are the lowest two of three, and a total of 8 needs three fours: 1 of 64.

    With a level of advantage, they are the highest two, and 8 needs two or three fours: 3 * 3 + 1 of 64.
    """
    assert roll((4, 4), 1)[8] == pytest.approx(1 / 64)
    assert roll((4, 4), -1)[8] == pytest.approx(10 / 64)
    assert roll((4, 4), 0)[8] == pytest.approx(1 / 16)


@pytest.mark.long  # the solver is held against this reference below
def test_levels_are_worth_having() -> None:
    """The other's levels raise a fighter's value and its own levels lower it; equals that name levels have value 0."""
    one, other = Duelist(cunning=8), Duelist(agility=8)
    assert value_of(Duelist(), Duelist(), Table(levels=True)) == pytest.approx(0, abs=1e-12)
    harmed = values_of(one, other, Table(levels=True))
    assert harmed[1, 1, 4, 4, UNHARMED, (0, 2, 0)] > harmed[1, 1, 4, 4, UNHARMED, UNHARMED] + 0.01
    assert harmed[1, 1, 4, 4, (0, 0, 2), UNHARMED] < harmed[1, 1, 4, 4, UNHARMED, UNHARMED] - 0.01


@pytest.mark.long  # matrix games are held against linear programs below
def test_every_state_is_worth_its_stance_game() -> None:
    """By linear programs, one more round with these values as continuations is worth as much, in sampled states."""
    for table in (Table(mutual=True, armor_in_contest=True), Table(levels=True)):
        duel = Duel(Duelist(might=6, armor=1), Duelist(hp=2, heart=6) if not table.levels else Duelist(), table)
        values = duel.after_all_rounds()
        for block, worth in values.items():
            cells = [
                matrix_values(brought + idle * worth[coming])
                for brought, idle, coming in duel.phase_games(values, block)
            ]
            games = np.stack(cells, axis=1).reshape(-1, 4, 4)
            some = slice(None, None, 97)
            assert [by_linear_program(game) for game in games[some]] == pytest.approx(list(worth[some]), abs=1e-9)


# -- against the package -----------------------------------------------------------------------------------------------

PLAIN_DUELS = [
    (
        Duelist(might=6, hp=4, heart=6, weapon=8, damage_type="slashing"),
        Duelist(cunning=8, hp=5, heart=6),
        Table(),
        None,
    ),
    (
        Duelist(agility=8, hp=3, heart=8, damage_type="bludgeoning", armor=1),
        Duelist(might=8, hp=4, heart=4, armor=2, attack_type="ranged", weapon=8),
        Table(mutual=True),
        None,
    ),
    (
        Duelist(hp=6, attack_type="whip", damage_type="piercing"),
        Duelist(hp=1, heart=10, armor=2),
        Table(defensive_is_beaten=True),
        None,
    ),
    (
        Duelist(hp=3, cunning=10, heart=6, armor=4),
        Duelist(hp=3, might=6, heart=6, armor=1, weapon=12),
        Table(mutual=True, armor_in_contest=True),
        None,
    ),
    (Duelist(hp=6, might=6), Duelist(hp=4, heart=8, agility=6), Table(by_hp=True), 5),
]


@pytest.mark.parametrize(("first", "second", "rules", "rounds"), PLAIN_DUELS)
def test_plain_duels_are_worth_the_same_in_all(
    first: Duelist, second: Duelist, rules: Table, rounds: int | None
) -> None:
    table = solve(game_of(first, second, rules, max_rounds=rounds or 200), cap_bound=0 if rounds else 2)
    assert table.rounds == rounds
    slow = values_of(first, second, rules, rounds)
    assert len(slow) == table.duel.states
    for state, value in slow.items():
        assert table.values[-1][table.place(state[:4])] == pytest.approx(value, abs=1e-9), state


LEVELS_DUELS = [
    (Duelist(), Duelist(cunning=6), Table(), None),
    pytest.param(
        Duelist(might=6, weapon=8),
        Duelist(agility=6, armor=2),
        Table(mutual=True, cunning_split=False),
        None,
        marks=pytest.mark.long,
    ),
    pytest.param(
        Duelist(hp=2, agility=6), Duelist(damage_type="piercing", heart=6), Table(), None, marks=pytest.mark.long
    ),
    pytest.param(
        Duelist(attack_type="whip", armor=2),
        Duelist(might=6),
        Table(defensive_is_beaten=True, armor_in_contest=True),
        None,
        marks=pytest.mark.long,
    ),
    pytest.param(Duelist(hp=2), Duelist(cunning=6), Table(by_hp=True), 3, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("first", "second", "rules", "rounds"), LEVELS_DUELS)
def test_levels_duels_are_worth_the_same(first: Duelist, second: Duelist, rules: Table, rounds: int | None) -> None:
    settings = {**LEVELS, "cunning_split": rules.cunning_split}
    game = game_of(first, second, rules, max_rounds=rounds or 200, rules=settings)
    table = solve(game, cap_bound=0 if rounds else 2)
    slow = value_of(first, second, Table(**{**vars(rules), "levels": True}), rounds)
    assert table.value == pytest.approx(slow, abs=1e-8)

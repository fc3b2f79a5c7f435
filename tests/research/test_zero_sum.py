"""Matrix games: known answers, odd shapes, and certificates of random ones."""

from __future__ import annotations

import numpy as np
import pytest

from heartrush_env.research.zero_sum import SolverError, mix_two, solve_matrix

RPS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]


def test_rock_paper_scissors_is_mixed_evenly() -> None:
    found = solve_matrix(RPS)
    assert found.value == pytest.approx(0, abs=1e-15)
    assert [*found.row, *found.column] == pytest.approx([1 / 3] * 6)


def test_rock_that_wins_double() -> None:
    """By hand: if rock beats scissors for 2, indifference requires (1/4, 1/2, 1/4) for rock, paper and scissors."""
    found = solve_matrix([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    assert found.row.tolist() == pytest.approx([1 / 4, 1 / 2, 1 / 4])
    assert found.value == pytest.approx(0, abs=1e-15)


def test_two_by_two_by_hand() -> None:
    """(a d - b c) / (a + d - b - c) = (3 * 2 - 1 * 0) / 4."""
    found = solve_matrix([[3, 1], [0, 2]])
    assert (found.value, found.row[0], found.column[0]) == pytest.approx((1.5, 0.5, 0.25))


@pytest.mark.parametrize(
    ("game", "value", "firsts"),
    [
        ((3, 1, 0, 2), 1.5, (0.5, 0.25)),  # by hand, as above
        ((1, -1, -1, 1), 0.0, (0.5, 0.5)),  # matching pennies
        ((2, 3, 1, 0), 2, (1.0, 1.0)),  # a saddle point in the first row and column
        ((0, 1, 3, 2), 2, (0.0, 0.0)),  # and in the second
    ],
)
def test_two_by_two_directly(game: tuple[float, ...], value: float, firsts: tuple[float, float]) -> None:
    shares = np.full((2, 3), 9.0)
    assert mix_two(*game, shares, 1) == pytest.approx(value)
    assert shares[:, 1].tolist() == pytest.approx(firsts)
    assert (shares[:, [0, 2]] == 9.0).all()


@pytest.mark.parametrize(
    ("payoffs", "value"),
    [
        ([[7]], 7),
        ([[2, 2], [2, 2]], 2),  # constant
        ([[1, 2, 3]], 1),
        ([[1], [2], [3]], 3),
        ([[5, 6], [1, 2]], 5),  # a dominated row
        ([[0, 0], [0, 0], [0, 0]], 0),
        ([[1, 0], [1, 0]], 0),  # equal rows
        ([[1e-16, 0], [0, 1e-16]], 0.5e-16),  # tiny payoffs
        ([[-1, -1 + 1e-15], [-1, -1]], -1),
    ],
)
def test_degenerate_games(payoffs: list[list[float]], value: float) -> None:
    found = solve_matrix(payoffs)
    assert found.value == pytest.approx(value, rel=1e-9, abs=1e-25)
    assert max(found.row_gap, found.column_gap) <= 1e-15 * max(1, np.abs(payoffs).max())


def test_random_games_are_certified() -> None:
    """The gaps prove the solutions: no choice of either side gains more than its gap."""
    rng = np.random.default_rng(7)
    for _ in range(2000):
        rows, columns = rng.integers(1, 9, 2)
        payoffs = rng.normal(size=(rows, columns)).round(int(rng.integers(0, 4)))
        found = solve_matrix(payoffs)
        assert found.row.min() >= 0 and found.row.sum() == pytest.approx(1, abs=1e-12)
        assert found.column.min() >= 0 and found.column.sum() == pytest.approx(1, abs=1e-12)
        assert (payoffs @ found.column).max() - (found.row @ payoffs).min() <= 1e-11
        assert max(found.row_gap, found.column_gap) <= 1e-11


@pytest.mark.parametrize(
    ("payoffs", "said"),
    [
        ([], r"one column; got an array of shape \(0,\)"),
        ([[]], r"one column; got an array of shape \(1, 0\)"),
        ([1, 2], r"one column; got an array of shape \(2,\)"),
        ([[np.nan]], "got nan in row 0, column 0"),
        ([[0, 0], [0, np.inf]], "got inf in row 1, column 1"),
    ],
)
def test_what_is_no_matrix_game_is_refused(payoffs: object, said: str) -> None:
    with pytest.raises(SolverError, match=said):
        solve_matrix(payoffs)  # type: ignore[arg-type]

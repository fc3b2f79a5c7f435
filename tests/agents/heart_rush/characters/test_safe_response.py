"""Safe answers: a round's equilibrium and restricted Nash responses within a credit, against the simplex method."""

from itertools import pairwise

import numpy as np
import pytest
from heartrush_agents.heart_rush.characters.safe_response import TRUSTS, answer, balanced, guaranteed

from heartrush_env.research.zero_sum import solve_matrix

ROCK_PAPER_SCISSORS = np.array([[[0.0, -1, 1, 0], [1, 0, -1, 0], [-1, 1, 0, 0]]])
MIGHT = np.array([[1.0, 0, 0, 0]])  # expected of the enemy


def random_games(number: int) -> list[np.ndarray]:
    chance = np.random.default_rng(5)
    return [chance.normal(size=(1, 3, 4)) for _ in range(number)]


def test_the_balance_is_the_equilibrium_of_the_simplex_method() -> None:
    for games in random_games(20):
        exact = solve_matrix(games[0])
        mix = balanced(games)
        assert mix.sum() == pytest.approx(1) and (mix >= 0).all()
        assert guaranteed(mix, games) == pytest.approx(exact.value, abs=0.02)


def test_two_enemies_are_met_with_one_stance() -> None:
    """The simplex method solves the sum of both games as one game with a column for each pair of enemy stances."""
    chance = np.random.default_rng(6)
    for _ in range(5):
        games = chance.normal(size=(2, 3, 4))
        pairs = (games[0][:, :, None] + games[1][:, None, :]).reshape(3, 16)
        assert guaranteed(balanced(games), games) == pytest.approx(solve_matrix(pairs).value, abs=0.03)


def test_with_credit_it_takes_the_best_reply_and_without_it_stays_balanced() -> None:
    best, value = answer(ROCK_PAPER_SCISSORS, MIGHT, trust=1.0, credit=1.0)
    assert best.tolist() == [0, 1, 0] and value == pytest.approx(0, abs=0.01)  # the second choice beats the first
    safe, _ = answer(ROCK_PAPER_SCISSORS, MIGHT, trust=1.0, credit=0.0)
    assert safe == pytest.approx([1 / 3] * 3, abs=0.02)
    for trust in (0.0, 0.1):  # below the smallest trust that is tried
        assert answer(ROCK_PAPER_SCISSORS, MIGHT, trust, credit=1.0)[0] == pytest.approx([1 / 3] * 3, abs=0.02)


def test_an_enemy_that_is_not_trusted_is_met_as_one_that_chooses_freely() -> None:
    """One enemy is fully trusted to take the first choice, and the other is not trusted at all."""
    expected = np.repeat(MIGHT, 2, axis=0)
    both = np.repeat(ROCK_PAPER_SCISSORS, 2, axis=0)
    fixed = both[0][:, :1] + ROCK_PAPER_SCISSORS[0]
    mix, _ = answer(both, expected, np.array([1.0, 0.0]), credit=9.0)
    exact = solve_matrix(fixed)
    assert (mix @ fixed).min() == pytest.approx(exact.value, abs=0.02)
    nothing, _ = answer(both, expected, np.zeros(2), credit=9.0)
    assert nothing == pytest.approx([1 / 3] * 3, abs=0.02)


@pytest.mark.parametrize("credit", [0.0, 0.05, 0.2, 0.5])
def test_the_answer_gives_up_no_more_than_the_credit(credit: float) -> None:
    chance = np.random.default_rng(7)
    for games in random_games(20):
        expected = chance.dirichlet([0.3] * 4)[None]
        mix, value = answer(games, expected, trust=1.0, credit=credit)
        exact = solve_matrix(games[0]).value
        assert (mix @ games[0]).min() >= exact - credit - 0.02
        assert mix @ games[0] @ expected[0] >= exact - 0.02, "what it expects never makes it worse than the balance"
        assert value <= exact + 1e-9


def test_a_smaller_credit_never_wins_more_from_what_is_expected() -> None:
    for games in random_games(10):
        won = [float(answer(games, MIGHT, 1.0, credit)[0] @ games[0] @ MIGHT[0]) for credit in (0, 0.1, 0.3, 1, 9)]
        assert all(later >= earlier - 0.02 for earlier, later in pairwise(won))
        assert won[-1] == pytest.approx(games[0][:, 0].max())
    assert TRUSTS[0] == 1 and TRUSTS[-1] == 0 and list(TRUSTS) == sorted(TRUSTS, reverse=True)

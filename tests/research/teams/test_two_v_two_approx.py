"""The approximate two against two: where it must be exact, how far it is off, and that it says what it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.solve import solve
from heartrush_env.research.teams.two_v_two_approx import solve_coarse
from heartrush_env.research.zero_sum import SolverError
from tests.reference.solver import Duelist
from tests.research.duels import game_of
from tests.research.teams.test_one_v_two import _fighter


def two_against_two(*fighters: Duelist, **options: Any) -> HeartRush:
    """The first two are one team, the others the other."""
    named = zip(fighters, ("ann", "amy", "bob", "cid"), ("red", "red", "blue", "blue"), strict=True)
    scenario = {
        "name": "brawl",
        "victory": "first_down",
        "max_rounds": 1000,
        "rules": {"profile": "plain"} | options.pop("rules", {}),
        "fighter": [_fighter(*each) for each in named],
    }
    return HeartRush(scenario | options)


def test_with_all_hit_points_a_duel_is_as_the_exact_solver_says() -> None:
    """Nothing is rounded then, so what is left is the noise of 16 cells of 400 rounds each, mixed."""
    game = game_of(Duelist(hp=3, might=8, heart=6), Duelist(hp=3, cunning=6, weapon=8), decisions="stance")
    table = solve_coarse(game, steps=3, samples=400)
    assert [list(steps) for steps in table.steps] == [[1, 2, 3], [1, 2, 3]]
    assert table.value == pytest.approx(solve(game, cap_bound=2).value, abs=0.04)


@pytest.mark.long  # the test with all hit points is held against the exact solver, too
def test_the_last_of_each_team_fight_a_duel() -> None:
    strong, weak = Duelist(weapon=8), Duelist()
    table = solve_coarse(two_against_two(strong, weak, weak, weak), steps=1, samples=50)
    exact = solve(game_of(strong, weak, decisions="stance", max_rounds=1000), cap_bound=2).value
    assert table.values[1, 0, 1, 0] == pytest.approx(exact, abs=0.12)
    assert table.values[1, 0, 0, 0] == 1 and table.values[0, 0, 0, 1] == -1
    assert table.values[1, 1, 1, 0] > table.values[1, 0, 1, 0] > table.values[1, 0, 1, 1]


@pytest.mark.long  # the quick ones hold its values
def test_it_plays_about_what_it_says_and_beats_chance() -> None:
    table = solve_coarse(
        two_against_two(
            Duelist(hp=5, might=8), Duelist(hp=5, might=6, weapon=8), Duelist(hp=5), Duelist(hp=5, agility=8)
        ),
        steps=2,
        samples=48,
    )
    mean, error = table.checked
    assert table.error == pytest.approx(abs(mean - table.value) + 2 * error)
    assert 0 < table.error < 0.2
    assert table.played(600, against="uniform")[0] > mean + 0.1
    assert str(table).startswith("APPROXIMATE: brawl, 2 2 2 2 steps") and "off by up to" in str(table)


def test_rounding_keeps_the_mean_and_kills_nobody() -> None:
    table = solve_coarse(game_of(Duelist(hp=9), Duelist(hp=9), decisions="stance"), steps=3, samples=1, checks=10)
    hp = np.tile(np.arange(1, 10), 4000).reshape(-1, 1).repeat(2, axis=1)
    found = table.places(hp, np.full(hp.shape, 4), np.ones(hp.shape, np.bool_), np.random.default_rng(1))
    kept = table.steps[0][found[:, 0] - 1]
    for points in range(1, 10):
        assert kept[hp[:, 0] == points].mean() == pytest.approx(
            points, abs=0.15
        )  # steps 1, 5, 9: 4 sd of 2 / sqrt 4000
    assert (found > 0).all()


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (lambda: two_against_two(*[Duelist()] * 4, rules={"levels": True}), "not those of the profile 'plain'"),
        (lambda: two_against_two(*[Duelist()] * 4, victory="last_standing"), "only victory = 'first_down'"),
        (lambda: HeartRush("melee", {"profile": "plain"}), "only two teams of one or two fighters are"),
    ],
)
def test_what_is_not_solved_is_refused(game: Any, said: str) -> None:
    with pytest.raises(SolverError, match=said):
        solve_coarse(game())


def test_too_many_states_are_refused() -> None:
    with pytest.raises(SolverError, match="has 28561 states, allowed: 20000"):  # (1 + 6 steps * 2 hearts) ** 4
        solve_coarse(two_against_two(*[Duelist(hp=40, heart=6)] * 4), steps=6)

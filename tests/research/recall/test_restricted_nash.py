"""Restricted Nash responses: both ends of the frontier, a point by hand, and the guaranteed value."""

from __future__ import annotations

import numpy as np
import pytest

from heartrush_env.research.best_response import best_response, head_to_head
from heartrush_env.research.recall.restricted_nash import (
    frontier,
    frontier_as_text,
    restricted_response,
)
from heartrush_env.research.solve import solve
from heartrush_env.research.zero_sum import SolverError, solve_matrix
from tests.reference.solver import Duelist, Table
from tests.research.duels import game_of
from tests.research.recall.test_policies import LONG, UNEVEN, hits, read

MODELS = ["random", "turtle", "win_stay_lose_shift", "cycle_up"]


@pytest.mark.parametrize("mutual", [False, True])
@pytest.mark.parametrize("id", MODELS)
def test_from_the_equilibrium_to_the_best_response(id: str, mutual: bool) -> None:
    """p = 0 gives the solution of the duel and p = 1 the best response; the value never falls in between."""
    table = solve(game_of(*UNEVEN, Table(mutual=mutual), **LONG))
    for model, value in zip(read(id, table.duel.game), (-table.value, table.value), strict=True):
        best = best_response(model).value
        points = frontier(model, value, (0.0, 0.3, 0.6, 0.9, 1.0))
        values = [point.restricted_value for point in points]
        assert values[0] == pytest.approx(value, abs=1e-10) and values[-1] == pytest.approx(best, abs=1e-10)
        assert values == sorted(values)
        assert points[0].exploitability == pytest.approx(0, abs=1e-9)
        assert points[-1].against_model == pytest.approx(best, abs=1e-10)
        for point in points:  # the model is a restricted opponent; no policy gains more than the best response
            assert point.restricted_value - 1e-10 <= point.against_model <= best + 1e-10
            assert point.exploitability >= -1e-10


def test_the_value_is_held_against_whoever_is_the_model_in_that_share() -> None:
    """Each opponent plays like the model with probability p in every decision, and otherwise by a random policy."""
    table = solve(game_of(*UNEVEN, **LONG))
    model = read("turtle", table.duel.game)[1]
    answer = restricted_response(model, 0.4)
    own = answer.policies[0]
    chance = np.random.default_rng(3)
    for _ in range(5):
        stances = 0.4 * model.stances + 0.6 * chance.dirichlet(np.full(4, 0.3), model.stances.shape[:-1])
        attacks = 0.4 * model.attacks + 0.6 * chance.integers(0, 2, model.attacks.shape)
        shrugs = 0.4 * model.shrugs + 0.6 * chance.integers(0, 2, model.shrugs.shape)
        mixed = type(model)(model.duel, model.recall, stances, attacks.astype(np.float32), shrugs.astype(np.float32))
        assert head_to_head(own, mixed) >= answer.value - 1e-9


@pytest.mark.parametrize("share", [0.25, 0.5, 0.8])
def test_a_point_of_the_frontier_by_hand(share: float) -> None:
    """With 1 hp and d4s, a round is worth P(hit) - P(being hit), by all throws, plus v if neither happens. The opponent
    takes might in a share of the rounds and any stance otherwise; v is the value for which this game is worth v."""
    won, lost = np.zeros((4, 4)), np.zeros((4, 4))
    for own, other in np.ndindex(4, 4):
        for (who, damage), chance in hits((4, 4), other, own).items():
            if damage:
                (won if who == 0 else lost)[own, other] += chance
    low, high = -1.0, 1.0
    for _ in range(60):
        value = (low + high) / 2
        game = won - lost + (1 - won - lost) * value
        held = share * game[:, :1] + (1 - share) * game
        low, high = (value, high) if solve_matrix(held).value > value else (low, value)
    model, _ = read("might", game_of(Duelist(), Duelist(), **LONG))
    assert restricted_response(model, share).value == pytest.approx(value, abs=1e-10)


def test_a_cap_that_counts() -> None:
    rounds = 4
    table = solve(game_of(*UNEVEN, max_rounds=rounds))
    assert table.rounds == rounds
    model, _ = read("counter_last", table.duel.game)
    assert restricted_response(model, 0.0, rounds).value == pytest.approx(-table.value, abs=1e-10)
    assert restricted_response(model, 1.0, rounds).value == pytest.approx(best_response(model, rounds).value, abs=1e-10)
    answer = restricted_response(model, 0.5, rounds)
    assert len(answer.policies) == rounds
    assert -head_to_head(model, answer.plays, rounds) >= answer.value - 1e-10


def test_the_frontier_as_a_table() -> None:
    """The equilibrium wins 0 from might; the best response, agility, wins 1 and can be exploited for 1."""
    table = solve(game_of(Duelist(), Duelist(), **LONG))
    model, _ = read("might", table.duel.game)
    text = frontier_as_text(frontier(model, 0.0, (0.0, 1.0)))
    assert text.split() == [
        *"p restricted value against the model exploitability".split(),
        *("0.00", "+0.0000", "+0.0000", "0.0000"),
        *("1.00", "+1.0000", "+1.0000", "1.0000"),
    ]  # fmt: skip


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_is_a_probability(share: float) -> None:
    model, _ = read("might", game_of(Duelist(), Duelist(), **LONG))
    with pytest.raises(SolverError, match="expected a probability from 0 to 1"):
        restricted_response(model, share)

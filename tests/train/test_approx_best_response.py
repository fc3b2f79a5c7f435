"""Learned lower bounds: what they say of themselves, that a learner finds something, and that it can be kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_train.approx_best_response import LowerBound, SeatScore, approx_best_response, seat_score
from heartrush_train.config import TrainingError, VsAgentConfig

from heartrush_env.core.intervals import Z_95
from heartrush_env.heart_rush.game import HeartRush

PLAIN = {"profile": "plain"}


def test_the_interval_is_by_matches() -> None:
    """By hand: two matches of ten fights, 8 won and 2 lost, then 4 won, 2 drawn and 4 lost: 0.6 and 0, in the mean 0.3
    with a deviation of 0.6 / sqrt(2), so that the mean's standard error is 0.3."""
    outcomes = np.array([[8, 0, 2], [4, 2, 4]])
    found = seat_score(outcomes)
    assert (found.value, found.low, found.high) == pytest.approx((0.3, 0.3 - 0.3 * Z_95, 0.3 + 0.3 * Z_95))


def test_of_one_match_nothing_is_sure() -> None:
    assert seat_score(np.array([[10, 0, 0]])) == SeatScore(1.0, -1.0, 1.0)


def test_a_small_budget_finds_out_who_always_hides(tmp_path: Path) -> None:
    """Whoever never attacks cannot win: even a learner that does little more than attack wins nearly all."""
    small = {"total_samples": 30_000, "n_envs": 64, "batch_size": 256, "net_arch": (16,)}
    config = VsAgentConfig("mirror_duel", PLAIN, seed=3, opponent="defensive", **small)
    bound = approx_best_response(config, fights=400, folder=tmp_path, processes=1)
    assert (bound.agent, bound.fights, bound.seed) == ("defensive", 200, 3)
    assert bound.samples >= 30_000 and f"{bound.samples:,} samples" in bound.label
    assert bound.label.startswith("learned lower bound: ")
    assert set(bound.seats) == set(HeartRush("mirror_duel").teams)
    for found in bound.seats.values():
        assert -1 <= found.low <= found.value <= found.high <= 1
        assert found.value > 0.8
    kept = load(str(tmp_path))
    assert kept.id == "exploiter_of_defensive" and kept.plays(HeartRush("mirror_duel", PLAIN)) is None


@pytest.mark.long
def test_it_never_exceeds_the_exact_best_answer() -> None:
    """What a learner wins from the uniform attacker of the mirror duel is no more than the best response wins."""
    from heartrush_agents.exact.best_response import readings

    from heartrush_env.heart_rush.solver.recall.best_response import best_response

    config = VsAgentConfig(
        "mirror_duel",
        PLAIN,
        total_samples=4_000,
        n_envs=32,
        n_steps=16,
        batch_size=64,
        net_arch=(8,),
        opponent="uniform",
    )
    bound = approx_best_response(config, fights=200, processes=1)
    assert isinstance(bound, LowerBound)
    game = HeartRush("mirror_duel", PLAIN)
    for policy, found in zip(readings(load("uniform"), game), bound.seats.values(), strict=True):
        assert found.low <= best_response(policy).value


def test_a_free_for_all_has_no_other_side() -> None:
    with pytest.raises(TrainingError, match="two teams"):
        approx_best_response(VsAgentConfig("free_for_all", {}))

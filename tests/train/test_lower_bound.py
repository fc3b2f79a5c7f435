"""Learned lower bounds on exploitability: intervals, labels, what a learner finds, and the exploiter as an agent."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_train.config import ExploiterConfig, TrainingError
from heartrush_train.lower_bound import Estimate, LowerBound, estimate, lower_bound, score
from heartrush_train.recipes import prepare
from heartrush_train.recipes.exploiter import ExploiterRun
from heartrush_train.sb3.policy import network_of

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.intervals import Z_95

PLAIN = {"profile": "plain"}


def test_the_interval_is_by_matches() -> None:
    """By hand: matches of ten fights with 8 wins and 2 losses, and with 4 wins, 2 draws and 4 losses, return 0.6 and 0.
    Their mean is 0.3 and their standard deviation 0.6 / sqrt(2), so the standard error is 0.3."""
    outcomes = np.array([[8, 0, 2], [4, 2, 4]])
    found = estimate(outcomes)
    assert (found.value, found.low, found.high) == pytest.approx((0.3, 0.3 - 0.3 * Z_95, 0.3 + 0.3 * Z_95))
    assert estimate(np.array([[10, 0, 0]])) == Estimate(1.0, -1.0, 1.0)  # of one match nothing is sure


def test_both_seats_together_are_the_bound() -> None:
    """By hand: 6 wins, 2 draws and 2 losses as blue return 0.4, and 4 wins and 6 losses as red return -0.2; the mean
    over both seats is 0.1."""
    outcomes = np.array([[[6, 2, 2], [4, 0, 6]]])
    assert estimate(outcomes.sum(axis=1)).value == pytest.approx(0.1)
    assert [estimate(outcomes[:, place]).value for place in (0, 1)] == pytest.approx([0.4, -0.2])


def test_a_small_budget_finds_out_who_always_hides(tmp_path: Path) -> None:
    """An agent that never attacks cannot win, so even a learner that merely attacks wins nearly always."""
    small = {"total_samples": 30_000, "n_envs": 64, "batch_size": 256, "net_arch": (16,)}
    config = ExploiterConfig("mirror_duel", PLAIN, seed=3, opponent="defensive", **small)
    bound = lower_bound(prepare(config, tmp_path), fights=400, processes=1)
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
def test_it_never_exceeds_the_exact_best_answer(tmp_path: Path) -> None:
    """Against uniform in the mirror duel, a learner wins no more than the exact best response."""
    from heartrush_agents.heart_rush.exact.best_response import readings

    from heartrush_env.research.best_response import best_response

    small: Any = {"total_samples": 4_000, "n_envs": 32, "n_steps": 16, "batch_size": 64, "net_arch": (8,)}
    config = ExploiterConfig("mirror_duel", PLAIN, opponent="uniform", **small)
    bound = lower_bound(prepare(config, tmp_path), fights=200, processes=1)
    assert isinstance(bound, LowerBound)
    game = HeartRush("mirror_duel", PLAIN)
    for policy, found in zip(readings(load("uniform"), game), bound.seats.values(), strict=True):
        assert found.low <= best_response(policy).value


def test_a_network_of_other_sizes_is_not_copied_and_a_free_for_all_has_no_other_side(tmp_path: Path) -> None:
    run = prepare(ExploiterConfig("duel", opponent="duelist", n_envs=4, net_arch=(8,)), tmp_path)
    assert not run.copied
    with pytest.raises(TrainingError, match="two teams"):
        prepare(ExploiterConfig("free_for_all", {}), tmp_path)


# -- the learner's opponents -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("id", "copied"), [("duelist", True), ("duelist@easy", True), ("uniform", False)])
def test_a_learner_begins_as_a_copy_of_a_network_or_against_mistakes(id: str, copied: bool, tmp_path: Path) -> None:
    sizes: dict[str, Any] = {"n_envs": 4, "n_steps": 8, "total_samples": 320}
    run = prepare(ExploiterConfig("duel", opponent=id, learner="sb3", **sizes), tmp_path)
    assert isinstance(run, ExploiterRun) and run.copied == copied
    begun = network_of(run.policy).arrays()
    if copied:
        agent: Any = load("duelist").seat(run.game)
        for name, array in agent.network.arrays().items():
            np.testing.assert_array_equal(begun[name], array)
    most = []
    for update in range(10):
        run.update = update
        run.before_update(np.random.default_rng(1))
        most.append(run.opponent.mistakes.max())
    shown = [0.0] * 10 if copied else [1.0, 0.8, 0.6, 0.4, 0.2, 0, 0, 0, 0, 0]
    assert run.updates == 10 and most == pytest.approx(shown)


@pytest.mark.parametrize("scenario", ["brawl", pytest.param("skirmish", marks=pytest.mark.long)])
def test_teams_and_maps_have_lower_bounds_too(scenario: str, tmp_path: Path) -> None:
    config = ExploiterConfig(scenario, opponent="tactician", total_samples=300, n_envs=4, n_steps=8, net_arch=(8,))
    bound = lower_bound(prepare(config, tmp_path), fights=8, processes=1)
    assert set(bound.seats) == set(HeartRush(scenario).teams) and bound.fights == 4


# -- words about the bound ---------------------------------------------------------------------------------------------


def test_a_seat_is_named_by_the_team_of_the_exploited_agent() -> None:
    """A knight meets a duelist with 1 hit point, so the agent that plays the knight wins most fights."""
    fighters = [{"from": "knight", "team": "blue"}, {"from": "duelist", "team": "red", "hp_now": 1}]
    game = HeartRush({"name": "unequal", "victory": "first_down", "fighter": fighters})
    bound = score(load("might"), ExploiterConfig("duel", opponent="uniform", match=1), game, 0, 40, 1)
    assert bound.seats["red"].value > 0.5 > 0 > bound.seats["blue"].value


def test_the_sentence_names_the_kind_of_the_number_and_the_samples() -> None:
    bound = LowerBound("guard", 5000, 1, 50, Estimate(0.1, -0.05, 0.25), Estimate(0.55, 0.475, 0.625), {})
    assert bound.as_text() == (
        "The exploitability of `guard` is at least +0.100 [-0.050, +0.250], a lower bound after 5,000 samples: "
        "an exploiter wins 55.0 % [47.5, 62.5] of 100 fights."
    )
    nothing = LowerBound("guard", 5000, 1, 50, Estimate(-0.5, -0.6, -0.4), Estimate(0.25, 0.2, 0.3), {})
    assert nothing.as_text().endswith("It found no weakness; 0 is a lower bound in any case.")

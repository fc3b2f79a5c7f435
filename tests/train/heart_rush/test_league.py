"""The recipe `league`: advantages, past selves by win rate, the initial policy, and resumed runs."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from heartrush_agents import load
from heartrush_agents.heart_rush.learned.entity_agent import claims
from heartrush_train.config import LeagueConfig, TrainingError
from heartrush_train.export import write_agent
from heartrush_train.heart_rush.entity_net import EntityNet
from heartrush_train.heart_rush.league import OPEN, OVER, Journal, LeagueRun, advantages
from heartrush_train.recipes import prepare

from heartrush_env.games.heart_rush.rules.terms import STANCES
from tests.train.runs import check_that_a_stopped_run_ends_alike, nothing

SMALL: dict[str, Any] = {"n_envs": 8, "n_samples": 64, "batch_size": 32, "checkpoint_every": 2, "net_arch": (8, 4)}
SMALL |= {"past_period": 2, "opponents": ("uniform", "past", "itself")}


def run_of(folder: Path, samples: int = 256, **options: Any) -> LeagueRun:
    training = prepare(LeagueConfig(total_samples=samples, **{**SMALL, **options}), folder)
    assert isinstance(training, LeagueRun)
    return training


def test_advantages_by_hand() -> None:
    """Two seats alternate; the first loses after its third decision, and the second's fight is still open."""
    values, rewards = [0.5, 0.25, 0.0, 0.5, -0.5], [0.0, 0.0, 0.0, 0.0, -1.0]
    following = [2, 3, 4, OPEN, OVER]
    found, results = advantages(values, rewards, following, gamma=1.0, gae_lambda=0.5)
    last = -1.0 + 0.5
    third = (-0.5 - 0.0) + 0.5 * last
    assert found.tolist() == [(0.0 - 0.5) + 0.5 * third, 0.5 - 0.25, third, 0.0, last]
    assert results.tolist() == [found[k] + values[k] for k in range(5)]


@pytest.mark.long
def test_a_run_that_stopped_goes_on_to_the_same_weights(plainly: None, tmp_path: Path) -> None:
    run, whole = check_that_a_stopped_run_ends_alike(run_of, tmp_path, lambda run, _: run.update == 3, 2)
    assert len(run.past) == len(run.won) == 3
    assert not np.array_equal(whole["logit.weight"], run_of(tmp_path / "new").network().arrays()["logit.weight"])


def test_it_begins_with_the_policy_that_is_named(tmp_path: Path) -> None:
    torch.manual_seed(3)
    net, run = EntityNet(12, 8), run_of(tmp_path / "one", init="")
    write_agent(tmp_path / "pupil", "pupil", "A test's own.", net.network(), run.game, {}, run.fits())
    begun = run_of(tmp_path / "two", init=str(tmp_path / "pupil"))
    for found in (begun.net, begun.first):
        arrays = found.network().arrays()
        assert all(np.array_equal(arrays[name], array) for name, array in net.network().arrays().items())
    fits = claims([run.game], "stances")
    write_agent(tmp_path / "feint", "feint", "A test's own.", net.network(), run.game, {}, fits)
    for folder, name, options, said in (
        ("three", tmp_path / "pupil", {"also": ("brawl",)}, "cannot play 'brawl'"),
        ("four", "uniform", {}, "such as one trained by `imitate`, got 'uniform'"),
        (
            "five",
            tmp_path / "feint",
            {},
            "expected a network that fits --only-stances 0, got .*, which decides only stances",
        ),
        (
            "six",
            tmp_path / "pupil",
            {"only_stances": 1},
            "expected a network that fits --only-stances 1, got .*, which decides everything",
        ),
    ):
        with pytest.raises(TrainingError, match=said):
            run_of(tmp_path / folder, init=str(name), **options)
    assert run_of(tmp_path / "seven", init=str(tmp_path / "feint"), only_stances=1).fits()["decides"] == "stances"


def test_where_it_decides_only_stances_the_tactician_decides_the_rest(plainly: None, tmp_path: Path) -> None:
    """The tactician makes all decisions except stances, for the learner and for past selves."""
    run = run_of(tmp_path, scenario="brawl", only_stances=1, opponents=("past",), n_envs=2)
    seats, rng = run.seats[0], np.random.default_rng(1)
    game: Any = run.game
    tactician: Any = load("tactician").seat(game)
    stances = [game.action_names.index(f"stance {stance}") for stance in STANCES]
    run.remember(rng)
    seats.start(rng)
    journal, left = Journal(), 0
    for _ in range(12):
        masks = seats.fights.observations["action_mask"].copy()
        chooses = masks.sum(axis=2) > 1
        hidden = chooses & masks[..., stances].any(axis=2)
        rest, before = chooses & ~hidden, journal.count
        wanted = tactician.choices(seats.fights.vectors[rest], masks[rest]).tolist() if rest.any() else []
        run.window(seats, journal, 0, rng)
        assert journal.count - before == (hidden & seats.learns).sum()
        assert seats.actions[rest].tolist() == wanted
        left += len(wanted)
    assert journal.count and left


@pytest.mark.long
def test_a_strong_divergence_holds_the_policy_where_it_began(plainly: None, tmp_path: Path) -> None:
    """A run with a strong penalty on divergence stays much closer to its initial policy than a run with a weak one."""
    moved = {}
    for held in (1e-6, 10.0):
        run = run_of(tmp_path / str(held), 512, kl_coef=held, final_kl_coef=held, learning_rate=0.01)
        run.train(nothing)
        lines = (tmp_path / str(held) / "progress.jsonl").read_text().splitlines()
        moved[held] = divergence_in(lines[-1])
    assert moved[10.0] < moved[1e-6] / 3, moved


def divergence_in(line: str) -> float:
    return float(json.loads(line)["losses"]["divergence"])

"""The recipe `league`: who plays whom, the initial policy, stances alone, several scenarios, and resumed runs."""

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
from heartrush_train.heart_rush.league import LeagueRun
from heartrush_train.recipes import prepare

from heartrush_env.games.heart_rush.rules.terms import STANCES
from tests.train.runs import check_that_a_stopped_run_ends_alike, nothing

SMALL: dict[str, Any] = {"n_envs": 8, "n_steps": 6, "batch_size": 32, "checkpoint_every": 2, "net_arch": (8, 4)}
SMALL |= {"past_period": 2, "opponents": ("uniform", "past", "itself")}


def run_of(folder: Path, samples: int = 360, **options: Any) -> LeagueRun:
    training = prepare(LeagueConfig(total_samples=samples, **{**SMALL, **options}), folder)
    assert isinstance(training, LeagueRun)
    return training


@pytest.mark.long
def test_a_run_that_stopped_goes_on_to_the_same_weights(plainly: None, tmp_path: Path) -> None:
    run, whole = check_that_a_stopped_run_ends_alike(run_of, tmp_path, lambda run, _: run.update == 3, 2)
    assert len(run.learner.pool) == len(run.learner.won) == 3
    assert not np.array_equal(whole["logit.weight"], run_of(tmp_path / "new").network().arrays()["logit.weight"])


def test_it_begins_with_the_policy_that_is_named(tmp_path: Path) -> None:
    torch.manual_seed(3)
    net, run = EntityNet(12, 8), run_of(tmp_path / "one", init="")
    write_agent(tmp_path / "pupil", "pupil", "A test's own.", net.network(), run.game, {}, run.fits())
    begun = run_of(tmp_path / "two", init=str(tmp_path / "pupil"))
    for found in (begun.learner.net, begun.learner.magnet, begun.learner.average):
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
    run = run_of(tmp_path, scenario="brawl", only_stances=1, opponents=("past",), n_envs=2, n_steps=12)
    fights, game = run.learner.fights[0], run.game
    tactician: Any = load("tactician").seat(game)
    stances = [game.action_names.index(f"stance {stance}") for stance in STANCES]
    env, left, chosen = fights.env, 0, 0

    def step(actions: Any) -> Any:
        nonlocal left, chosen
        masks = env.observations["action_mask"]
        chooses = masks.sum(axis=2) > 1
        hidden = chooses & masks[..., stances].any(axis=2)
        rest = chooses & ~hidden
        wanted = tactician.choices(env.vectors[rest], masks[rest]).tolist() if rest.any() else []
        assert actions[rest].tolist() == wanted
        left, chosen = left + len(wanted), chosen + int((hidden & fights.mine.numpy()).sum())
        return type(env).step(env, actions)

    env.step = step
    run.learner.begin(1)
    run.learner.rollout()
    assert left > 0
    assert int((fights.legal[: fights.count].sum(dim=1) > 1).sum()) == chosen > 0


def test_each_scenario_has_its_opponents_in_turn(tmp_path: Path) -> None:
    """The learner and its opponents change sides from slot to slot, and the opponents change from pair to pair."""
    run = run_of(tmp_path, also=("brawl",))
    assert [len(fights.env.agents) for fights in run.learner.fights] == [2, 4]
    for fights in run.learner.fights:
        assert [fights.names[number] for number in fights.against.tolist()] == [
            "uniform", "uniform", "past selves", "past selves", "", "", "uniform", "uniform",
        ]  # fmt: skip
        teams = np.array([team == fights.env.game.teams[0] for team in fights.env.game.teams])
        for slot in (0, 2):
            assert np.array_equal(fights.mine[slot].numpy(), teams)
            assert np.array_equal(fights.mine[slot + 1].numpy(), ~teams)
        assert fights.mine[4:6].all()


def test_several_scenarios_teach_one_network(plainly: None, tmp_path: Path) -> None:
    """A minibatch holds decisions of fights of two and of four, and each has the values that its own fights give it."""
    run = run_of(tmp_path, also=("brawl",), opponents=("past", "itself"), n_envs=2, n_steps=8)
    learner = run.learner
    learner.begin(1)
    learner.update()
    whole = learner._judge(torch.arange(learner.starts[-1]))
    parts = [fights.judge(learner.net, torch.arange(fights.count), True) for fights in learner.fights]
    assert all(fights.count > 5 for fights in learner.fights)
    for name, found in whole.items():
        torch.testing.assert_close(found, torch.cat([part[name] for part in parts]))
    few = torch.tensor([learner.starts[1], 0])
    torch.testing.assert_close(learner._judge(few)["value"], whole["value"][[0, learner.starts[1]]])


def test_what_a_gpu_cannot_play_is_refused(tmp_path: Path) -> None:
    several: list[dict[str, Any]] = [{}, {"opponents": ("past",), "only_stances": 1}]
    for options in several:
        with pytest.raises(TrainingError, match=r"opponents: expected past or itself .* on the device 'cuda'"):
            run_of(tmp_path, device="cuda", **options)
    with pytest.raises(TrainingError, match="observations: expected entities, which league reads, got vector"):
        run_of(tmp_path, observations="vector")
    with pytest.raises(TrainingError, match="learner: expected ppo for observations as entities, got sb3"):
        run_of(tmp_path, learner="sb3")


@pytest.mark.long
def test_a_strong_divergence_holds_the_policy_where_it_began(plainly: None, tmp_path: Path) -> None:
    """A run with a strong penalty on divergence stays much closer to its initial policy than a run with a weak one."""
    moved = {}
    for held in (1e-6, 10.0):
        run = run_of(tmp_path / str(held), 720, kl_coef=held, final_kl_coef=held, learning_rate=0.01)
        run.train(nothing)
        lines = (tmp_path / str(held) / "progress.jsonl").read_text().splitlines()
        moved[held] = divergence_in(lines[-1])
    assert moved[10.0] < moved[1e-6] / 3, moved


def divergence_in(line: str) -> float:
    return float(json.loads(line)["losses"]["divergence"])

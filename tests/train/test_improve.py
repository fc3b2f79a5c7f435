"""The recipe `improve`: a network that corrects an advisor, in training and afterwards, in one or several scenarios."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from heartrush_agents import AgentError, load
from heartrush_agents.learned.advised import advice_of
from heartrush_agents.learned.agent import CARD
from heartrush_agents.tournament.play import play
from heartrush_train.config import ImproveConfig, TrainingError
from heartrush_train.export import write_agent, write_card
from heartrush_train.recipes import prepare
from heartrush_train.recipes.improve import ImproveRun

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.errors import ScenarioWarning
from tests.train.runs import check_that_a_stopped_run_ends_alike, decisions, nothing

SMALL: dict[str, Any] = {"n_envs": 8, "n_steps": 6, "batch_size": 32, "checkpoint_every": 2, "net_arch": (8,)}
SMALL |= {"past_period": 2, "advisor": "weighted", "opponents": ("uniform", "past", "itself")}


def run_of(folder: Path, samples: int = 360, **options: Any) -> ImproveRun:
    training = prepare(ImproveConfig(total_samples=samples, **{**SMALL, **options}), folder)
    assert isinstance(training, ImproveRun)
    return training


def written(run: ImproveRun, folder: Path, id: str = "pupil") -> str:
    """Write the agent of a run, and return its folder."""
    write_agent(folder, id, "A test's own.", run.network(), run.game, run.facts(), run.fits())
    return str(folder)


def test_a_stopped_run_ends_with_equal_weights(tmp_path: Path) -> None:
    run, whole = check_that_a_stopped_run_ends_alike(run_of, tmp_path, lambda run, _: run.update == 3, 2)
    assert len(run.learner.pool) == 3 and np.isfinite(whole["policy.0.weight"]).all()
    assert not np.array_equal(whole["policy.0.weight"], run_of(tmp_path / "new").network().arrays()["policy.0.weight"])


def test_a_network_of_zeros_plays_like_its_advisor(tmp_path: Path) -> None:
    """The weighted advisor gives each legal action a share, so no logarithm is cut off."""
    run = run_of(tmp_path / "run")
    for weights in run.learner.average.parameters():
        torch.nn.init.zeros_(weights)
    features, masks = decisions(run.game, 6)
    player: Any = load(written(run, tmp_path / "agent")).seat(run.game)
    advice = advice_of(load("weighted").seat(run.game), features, masks)
    np.testing.assert_allclose(player.policies(features, masks), np.exp(advice) * masks, atol=2e-4)


def test_the_critic_and_the_magnet_see_the_decisions_of_the_rollout(tmp_path: Path) -> None:
    """Before the first step of the optimizer, the policy has not moved from the magnet, nor from what was played."""
    run = run_of(tmp_path, opponents=("itself",))
    run.learner.begin(1)
    run.learner.rollout()
    (fights,) = run.learner.fights
    fights.close()
    fights.hold(run.learner.magnet)
    found = fights.judge(run.learner.net, torch.arange(fights.count), True)
    assert fights.count > 50 and found["divergence"].abs().max().item() < 1e-5
    torch.testing.assert_close(found["log"], found["old_log"], atol=1e-5, rtol=0)


def test_scenarios_need_the_actions_of_the_widest(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"^also: expected scenarios with the features of 'bridge', .* got 'duel'"):
        run_of(tmp_path, also=("bridge",))


def test_options_that_it_does_not_have_are_refused() -> None:
    for options in ({"learner": "sb3"}, {"device": "cuda"}, {"observations": "entities"}):
        with pytest.raises(TrainingError, match="improve: expected the learner ppo, on the device cpu, with vectors"):
            ImproveConfig(**options)  # type: ignore[arg-type]


def test_cards_without_the_facts_of_an_advisor_are_refused(tmp_path: Path) -> None:
    folder = Path(written(run_of(tmp_path / "run"), tmp_path / "agent"))
    card = json.loads((folder / CARD).read_text())
    for name, fact, said in (
        ("advisor", 3, "its advisor, its scenarios or its actions are missing"),
        ("scenarios", None, "its advisor, its scenarios or its actions are missing"),
        ("actions", ["wait"], "its network scores .* actions, not 1"),
    ):
        write_card(folder, {**card, "fits": {**card["fits"], name: fact}})
        with pytest.raises(AgentError, match=said):
            load(str(folder))


def test_the_agent_says_what_it_cannot_play_and_what_it_does_not_know(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run")
    agent = load(written(run, tmp_path / "agent"))
    assert agent.plays(run.game) is None and agent.caution(run.game) is None
    with pytest.warns(ScenarioWarning, match="it was trained on duel, so how well it plays here is not known"):
        agent.seat(HeartRush("random_duel:1"))
    assert (
        agent.plays(HeartRush("bridge"))
        == "its weights are for other tables of actions and features than this game has"
    )
    assert "other rules" in str(agent.plays(HeartRush("duel", {"profile": "plain"})))


@pytest.mark.long
def test_it_learns_where_its_advisor_errs(tmp_path: Path) -> None:
    """Cunning beats might; the even mix wins about 16 % of its fights against might alone."""
    run = run_of(
        tmp_path / "run", 60_000, advisor="uniform", opponents=("might",), n_envs=64, n_steps=16, batch_size=256,
        checkpoint_every=100, learning_rate=3e-3, kl_coef=1e-3, net_arch=(32,),
    )  # fmt: skip
    run.train(nothing)
    game = run.game
    agent = load(written(run, tmp_path / "agent"))
    won = play(game, [agent, load("might")], [1] * 200, 5, 0)[:, 0].sum(axis=0)
    assert won[0] / 200 > 0.6

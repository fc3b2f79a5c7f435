"""The agent that corrects the captain: training it on bands with and without a map, and the shipped network."""

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from heartrush_agents import available, load
from heartrush_agents.heretics import roster
from heartrush_agents.learned.agent import CARD
from heartrush_agents.tournament.play import play
from heartrush_agents.vector_player import VectorPlayer
from heartrush_train.config import ImproveConfig
from heartrush_train.export import write_agent
from heartrush_train.recipes import prepare
from heartrush_train.recipes.improve import ImproveRun

from heartrush_env.envs.vector import BatchEnv
from heartrush_env.games.heretics.game import Heretics
from heartrush_env.tabletop.kernels import PLAIN
from tests.train.runs import decisions

VETERAN, CAPTAIN = "heretics_veteran", "heretics_captain"
FAIR = ("gate", "skirmish", "loopholes", "ambush", "bridge")
BANDS: dict[str, Any] = {
    "game_name": "heretics", "scenario": "skirmish", "also": ("gate",), "control": "team", "opponents": ("itself",),
    "advisor": f"{CAPTAIN}@doubt=0.1", "net_arch": (8,), "n_envs": 6, "n_steps": 6, "temperature": 0.5,
}  # fmt: skip


@pytest.mark.parametrize("scenario", ["skirmish", "gate"])
def test_the_agent_plays_what_was_trained(tmp_path: Path, scenario: str) -> None:
    """The network scores the actions of a map; without a map there are fewer."""
    run = prepare(ImproveConfig(**BANDS), tmp_path / "run")
    assert isinstance(run, ImproveRun)
    for weights in run.learner.average.policy[-1].parameters():
        torch.nn.init.normal_(weights, std=0.3, generator=torch.Generator().manual_seed(2))
    run.learner.average.policy.half().float()  # the precision of exported weights
    write_agent(tmp_path, "pupil", "A test's own.", run.network(), run.game, run.facts(), run.fits())
    fights = next(each for each in run.learner.fights if each.env.game.scenario_name == scenario)
    game = fights.env.game
    features, masks = decisions(game, 6)
    legal = torch.from_numpy(masks).bool()
    logits = run.learner.average.policy(*fights.view._advised(torch.from_numpy(features), legal)) / 0.5
    expected = logits.masked_fill(~legal, -torch.inf).softmax(dim=1)
    player: Any = load(str(tmp_path)).seat(game)
    assert game.control == "team" and game.agents == ("blue_0", "red_0")
    np.testing.assert_allclose(player.policies(features, masks), expected.detach().numpy(), atol=1e-5)


def test_it_learns_from_the_probabilities_that_it_played(tmp_path: Path) -> None:
    """The actions that are legal in a rollout are few of those of a table, which are not all of the network's."""
    run = prepare(ImproveConfig(**BANDS), tmp_path)
    assert isinstance(run, ImproveRun)
    for weights in run.learner.net.policy[-1].parameters():
        torch.nn.init.normal_(weights, std=0.3, generator=torch.Generator().manual_seed(2))
    run.learner.begin(1)
    run.learner.rollout()
    for fights in run.learner.fights:
        fights.close()
        found = fights.judge(run.learner.net, torch.arange(fights.count), False)
        assert fights.count > 30 and found["old_log"].min() < -1
        torch.testing.assert_close(found["log"], found["old_log"], atol=1e-4, rtol=0)


def test_settings_in_which_its_scenarios_differ_do_not_bind_it(tmp_path: Path) -> None:
    """A fight below the loopholes ends as a draw after 30 rounds, others after 50."""
    run = prepare(ImproveConfig(**{**BANDS, "also": ("loopholes",)}), tmp_path / "run")
    write_agent(tmp_path, "pupil", "A test's own.", run.network(), run.game, run.facts(), run.fits())
    agent = load(str(tmp_path))
    assert agent.plays(Heretics("loopholes")) is None and agent.plays(Heretics("skirmish")) is None
    assert "other rules (fumble" in str(agent.plays(Heretics("skirmish", {"fumble": "none"})))


# -- the shipped agent -------------------------------------------------------------------------------------------------


def test_the_shipped_agent_is_known_by_its_id_and_reads_no_weights_before_it_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(roster, "_read", None)
    agent = load(VETERAN)
    assert VETERAN not in available() and agent.games == ("heretics",)
    monkeypatch.undo()
    assert [agent.plays(Heretics(name)) for name in (*FAIR, "crypt", "warband")] == [None] * 7
    assert agent.plays(Heretics("beat")) == (
        "its weights are for other tables of actions and features than this game has"
    )
    assert all(agent.caution(Heretics(name)) is None for name in FAIR)
    assert "how well it plays here is not known" in str(agent.caution(Heretics("crypt")))


def test_it_has_ten_measured_levels() -> None:
    """It wins more against the charger from level 1 to level 10; the intervals are 12 points wide."""
    levels = load(VETERAN).levels
    assert [*levels] == [str(level) for level in range(1, 11)] and levels["10"].difficulty.mistakes == 0
    shares = [levels[level].against["heretics_charger"][0] for level in ("1", "3", "6", "10")]
    assert shares == sorted(shares) and shares[0] < 35 and shares[-1] > 75


@pytest.mark.skipif(PLAIN, reason="plain Python takes minutes for this")
@pytest.mark.parametrize("control", ["team", "fighter"])
@pytest.mark.parametrize("scenario", FAIR)
def test_it_plays_legal_actions(scenario: str, control: str) -> None:
    game = Heretics(scenario, control=control)
    env = BatchEnv(game, 2, illegal="raise")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows = [(slot, seat) for slot in range(2) for seat in range(len(game.agents))]
        players = VectorPlayer(load(VETERAN), game, rows, np.random.default_rng(2))
    seen, _ = env.reset(4)
    actions = np.zeros((2, len(game.agents)), np.int64)
    for _ in range(40):
        players.act(seen, actions)
        seen = env.step(actions)[0]


def won(scenario: str, fights: int) -> float:
    """Return the share of fights that it wins against the captain over both sides, each decided by one seat."""
    game, total = Heretics(scenario, control="team"), 0.0
    for side, lineup in enumerate(((VETERAN, CAPTAIN), (CAPTAIN, VETERAN))):
        found = play(game, [load(id) for id in lineup], [1] * fights, 5, 0)[:, side].sum(axis=0)
        total += (found[0] + found[1] / 2) / (2 * fights)
    return total


@pytest.mark.long
@pytest.mark.skipif(PLAIN, reason="plain Python takes minutes for this")
def test_it_beats_the_captain() -> None:
    """Over 1,000 fights, the measured share would be 5 points too low once in a thousand times."""
    card = json.loads((roster.WEIGHTS / VETERAN / CARD).read_text(encoding="utf-8"))
    assert [*card["fits"]["scenarios"]] == list(FAIR)
    assert np.mean([won(scenario, 100) for scenario in FAIR]) > 0.55

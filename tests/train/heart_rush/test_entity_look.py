"""Entities in torch are those in NumPy, and recipes run with a network that reads them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from heartrush_agents import load
from heartrush_agents.heart_rush.learned.entity_agent import EntityPlayer
from heartrush_agents.heart_rush.learned.entity_view import look
from heartrush_train.config import ExploiterConfig, SelfPlayConfig, TrainingError
from heartrush_train.export import write_agent
from heartrush_train.heart_rush.entity_look import EntityReader
from heartrush_train.heart_rush.entity_net import EntityNet
from heartrush_train.recipes import prepare
from heartrush_train.recipes.exploiter import LeanExploiterRun

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.encoding.entities import N_SECRETS
from tests.train.runs import check_that_a_stopped_run_ends_alike, nothing

SMALL: dict[str, Any] = {"n_envs": 8, "n_steps": 8, "batch_size": 32, "checkpoint_every": 2, "net_arch": (8, 4)}
SMALL |= {"observations": "entities"}


@pytest.mark.parametrize(
    ("scenario", "rules"),
    [
        ("duel", {}),
        ("brawl", {"talk": "team"}),
        ("skirmish", {}),
        pytest.param("dragon", {}, marks=pytest.mark.long),
        ("duel", {"edition": "classic"}),
    ],
)
def test_what_is_seen_equals_what_numpy_sees(plainly: None, scenario: str, rules: dict[str, Any]) -> None:
    fights = heart_rush_v0.make_vec(4, scenario, rules=rules, observations="entities", seed=3)
    seen, _ = fights.reset()
    game: Any = fights.game
    reader, rng = EntityReader(game, torch.device("cpu")), np.random.default_rng(1)
    choices = secrets = 0
    for _ in range(12):
        masks = seen["action_mask"]
        slots, seats = (masks.sum(axis=2) > 1).nonzero()
        legal = masks[slots, seats]
        if len(slots):
            right = look(seen, slots, seats, game.entities, game.action_slots, legal)
            tensors = {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in seen.items()}
            places = torch.from_numpy(slots), torch.from_numpy(seats)
            found = reader.look(tensors, *places, torch.from_numpy(legal) == 1)
            count = right.fighters.shape[1]
            expected = {**vars(right), "fighters": right.fighters[right.fights], "fights": np.arange(len(slots))}
            for name, array in expected.items():
                ours = getattr(found, name)
                if name in ("fighters", "relations", "loadouts") and ours is not None:
                    assert not ours[:, count:, :1].any() or name == "relations"
                    ours = ours[:, :count]
                if name == "apart":
                    ours = ours[:, :count]
                if name == "width" or array is None:
                    assert ours == array
                else:
                    np.testing.assert_array_equal(ours.numpy(), array, err_msg=name)
            choices += len(right.row)
            secrets += int(seen["secrets"][slots, seats][..., :N_SECRETS].any())
            net = EntityNet(8, 4)
            with torch.no_grad():
                logits, values = net(found)
                both = net(right.converted(torch.from_numpy))
            torch.testing.assert_close(logits, both[0])
            torch.testing.assert_close(values, both[1])
        seen, *_ = fights.step((rng.random(masks.shape) * masks).argmax(axis=2))
    assert choices > 0
    assert secrets or "talk" not in rules


@pytest.mark.long
def test_self_play_with_entities_ends_with_equal_weights_if_it_is_stopped(plainly: None, tmp_path: Path) -> None:
    options = {**SMALL, "magnet_period": 2, "total_samples": 500, "sparring": ("uniform",)}
    config = SelfPlayConfig("brawl", **options)
    resumed, _ = check_that_a_stopped_run_ends_alike(
        lambda folder: prepare(config, folder), tmp_path, lambda run, progress: run.update == 2, 2
    )
    assert set(resumed.scores) <= {"past selves", "uniform"}
    write_agent(tmp_path / "agent", "pupil", "A pupil.", resumed.network(), resumed.game, {}, resumed.fits())
    agent = load(str(tmp_path / "agent"))
    assert agent.plays(resumed.game) is None
    assert type(agent.seat(resumed.game)) is EntityPlayer
    exploits = ExploiterConfig("brawl", **{**SMALL, "total_samples": 200, "opponent": str(tmp_path / "agent")})
    run = prepare(exploits, tmp_path / "run")
    assert isinstance(run, LeanExploiterRun) and run.copied
    right = resumed.network().arrays()
    assert all(np.array_equal(array, right[name]) for name, array in run.network().arrays().items())
    run.train(nothing)
    assert any(not np.array_equal(array, right[name]) for name, array in run.network().arrays().items())


def test_only_the_lean_learner_reads_entities() -> None:
    assert SelfPlayConfig(observations="entities").lean
    with pytest.raises(TrainingError, match="learner: expected ppo for observations as entities, got sb3"):
        SelfPlayConfig(observations="entities", learner="sb3")
    with pytest.raises(TrainingError, match="observations: expected vector or entities, got 'both'"):
        SelfPlayConfig(observations="both")

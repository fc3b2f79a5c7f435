"""Finished training runs: what is refused, what goes on as it began, and the bounds of options."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from heartrush_train import checkpoint
from heartrush_train.config import ExploiterConfig, SelfPlayConfig, TrainingError
from heartrush_train.recipes import prepare
from heartrush_train.run import CHECKPOINT, RUN, Run
from safetensors.torch import save

from tests.train.runs import nothing
from tests.train.test_run import ALONE, SMALL, bytes_of, small


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """Return the folder and the weights of a finished run."""
    folder = tmp_path_factory.mktemp("trained")
    return folder, bytes_of(small(folder).train(nothing))


@pytest.fixture
def finished_run(trained: tuple[Path, bytes], tmp_path: Path) -> Path:
    """Return a copy of the folder of a finished run."""
    return shutil.copytree(trained[0], tmp_path / "run")


def test_a_finished_run_is_not_trained_again(finished_run: Path, trained: tuple[Path, bytes]) -> None:
    again = small(finished_run)
    assert bytes_of(again.train(lambda _: pytest.fail("it was trained again"))) == trained[1]


def test_strange_checkpoints_are_refused(tmp_path: Path) -> None:
    path = tmp_path / CHECKPOINT
    path.symlink_to("/dev/zero")
    with pytest.raises(TrainingError, match=r"checkpoint\.safetensors: expected .*, but it is not a regular file"):
        checkpoint.read(path)
    path.unlink()
    for facts in ("[" * 100_000, "[1]", "{", "null"):
        path.write_bytes(save({"a": torch.zeros(2)}, {"facts": facts}))
        with pytest.raises(TrainingError, match=r"checkpoint\.safetensors: not a checkpoint"):
            checkpoint.read(path)


@pytest.mark.parametrize("length", [0, 7, 1000, -1])
def test_a_truncated_checkpoint_is_refused(length: int, finished_run: Path) -> None:
    path = finished_run / CHECKPOINT
    path.write_bytes(path.read_bytes()[:length])
    left = path.stat().st_size
    said = r"checkpoint\.safetensors: not a checkpoint, or a damaged one .* --fresh\.$"
    with pytest.raises(TrainingError, match=said):
        small(finished_run).train(nothing)
    assert path.stat().st_size == left  # what is damaged is left to be looked at


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"seed": 2}, "it was trained with seed = 1, but here it is 2"),
        ({"net_arch": (9,)}, r"it was trained with net_arch = \[8\], but here it is \[9\]"),
        ({"scenario": "mirror_duel"}, "it was trained with scenario = 'duel', but here it is 'mirror_duel'"),
        ({"rules": {"profile": "plain"}}, "it was trained with rules = {}, but here it is {'profile': 'plain'}"),
    ],
)
def test_a_run_goes_on_only_as_it_began(options: dict[str, Any], sentence: str, finished_run: Path) -> None:
    with pytest.raises(TrainingError, match=sentence):
        small(finished_run, **options).train(nothing)


def test_a_run_does_not_go_on_from_another_recipe_or_with_other_tensors(finished_run: Path) -> None:
    with pytest.raises(TrainingError, match="it was trained with recipe = 'ppo_self_play', but here it is 'exploiter'"):
        prepare(ExploiterConfig(total_samples=3000, **SMALL), finished_run).train(nothing)  # type: ignore[arg-type]
    tensors, facts = checkpoint.read(finished_run / CHECKPOINT)
    tensors["policy.action_net.bias"] = torch.zeros(3)
    checkpoint.write(finished_run / CHECKPOINT, tensors, facts)
    with pytest.raises(TrainingError, match="this run cannot load it"):
        small(finished_run).train(nothing)


def test_fresh_begins_anew_and_the_folder_says_what_is_trained(finished_run: Path) -> None:
    config = SelfPlayConfig(total_samples=3000, seed=2, **{**ALONE, "net_arch": (9,)})  # type: ignore[arg-type]
    training: Run = prepare(config, finished_run, fresh=True)
    training.train(nothing)
    assert training.update == training.updates
    run = json.loads((finished_run / RUN).read_text())
    assert run["recipe"] == "ppo_self_play" and run["config"] == training.config.as_dict()
    assert run["config"]["net_arch"] == [9] and run["scenario_digest"] == training.game.scenario.digest


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"total_samples": 0}, "total_samples: expected at least 1, got 0"),
        ({"past_self_share": 0.95}, r"past_self_share: expected 0 to 0\.9, got 0\.95"),
        ({"net_arch": (64, 0)}, "net_arch: expected 1 to 4096, got 0"),
        ({"memory": 9}, "memory: expected 0 to 8, got 9"),
    ],
)
def test_options_have_bounds(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(TrainingError, match=sentence):
        SelfPlayConfig(**options)

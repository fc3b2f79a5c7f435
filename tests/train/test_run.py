"""Training runs: the samples, the regularized policy, progress, and runs that are stopped and resumed."""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from heartrush_agents import load
from heartrush_train.config import ExploiterConfig, SelfPlayConfig
from heartrush_train.journal import Journal
from heartrush_train.recipes import prepare
from heartrush_train.recipes.ppo_self_play import SelfPlayRun
from heartrush_train.run import CHECKPOINT, JOURNAL, LOGS, RUN
from heartrush_train.sb3.policy import MagnetPolicy, network_of
from heartrush_train.schedules import geometric, linear
from sb3_contrib.common.maskable.distributions import MaskableCategorical

from heartrush_env.app.cli.main import main
from heartrush_env.games.heart_rush.game import HeartRush
from tests.app.cli.running import Out
from tests.processes import finished
from tests.train.runs import nothing

GAME = HeartRush("duel")
FEATURES, ACTIONS = len(GAME.feature_names), len(GAME.action_names)
SMALL: dict[str, Any] = {"n_envs": 16, "n_steps": 8, "batch_size": 64, "checkpoint_every": 10, "net_arch": (8,)}
SMALL["learner"] = "sb3"
ALONE = {**SMALL, "sparring": ()}
ARGUMENTS = "duel --id pupil --n-envs 16 --n-steps 8 --batch-size 64 --checkpoint-every 10 --net-arch 8".split()
ARGUMENTS += ["--rate-fights", "0", "--sparring", "", "--learner", "sb3"]
BUDGET = 12_000  # samples: five intervals and a bit
CHECKPOINTS = [2240, 4480, 6720, 8960, 11_200, 12_096]  # an update has 28 seats, less past selves', for 8 windows
ALL_FILES = {CHECKPOINT, JOURNAL, LOGS, RUN, "card.json", "policy.safetensors"}


def small(folder: Path, samples: int = 3000, **options: Any) -> SelfPlayRun:
    training = prepare(SelfPlayConfig(total_samples=samples, **{**ALONE, **options}), folder)
    assert isinstance(training, SelfPlayRun)
    return training


def bytes_of(network: Any) -> bytes:
    return b"".join(array.tobytes() for array in network.arrays().values())


# -- what is learned from, and what holds the policy -------------------------------------------------------------------


def test_only_rows_with_a_choice_are_learned_from_and_each_once(tmp_path: Path) -> None:
    training = small(tmp_path)
    training.before_update(np.random.default_rng(1))  # seats past selves
    model = training.model
    buffer, rows = model.rollout_buffer, model.env
    assert rows is not None
    buffer.reset()
    seen, chosen = rows.reset(), 0
    for step in range(SMALL["n_steps"]):  # type: ignore[call-overload]
        masks = rows.env_method("action_masks")
        chosen += sum(int(mask.sum()) > 1 for mask in masks)
        actions = np.array([mask.argmax() for mask in masks])
        marks = torch.arange(rows.num_envs) + 1000.0 * step  # by which a row is known again
        buffer.add(
            seen, actions[:, None], np.zeros(rows.num_envs), np.zeros(rows.num_envs), marks, marks,
            action_masks=np.array(masks),
        )  # fmt: skip
        seen = rows.step(actions)[0]
    buffer.compute_returns_and_advantage(torch.zeros(rows.num_envs), np.zeros(rows.num_envs))
    batches = list(buffer.get(64))
    marks_seen = torch.cat([batch.old_values for batch in batches]).tolist()
    assert 0 < chosen < SMALL["n_steps"] * rows.num_envs  # type: ignore[operator]
    assert len(set(marks_seen)) == len(marks_seen) == chosen
    assert all((batch.action_masks.sum(dim=1) > 1).all() for batch in batches)
    assert max(map(len, [batch.actions for batch in batches])) <= 64 * 1.5


def test_entropy_and_the_distance_to_the_magnet_hold_the_policy(tmp_path: Path) -> None:
    policy: Any = small(tmp_path).policy
    assert isinstance(policy, MagnetPolicy)
    torch.manual_seed(3)
    with torch.no_grad():
        for parameter in policy.magnet.parameters():
            parameter.add_(torch.randn_like(parameter))
    seen = torch.rand(6, FEATURES)
    masks = torch.zeros(6, ACTIONS, dtype=torch.bool)
    masks[:, 1:5] = True
    actions = torch.tensor([1, 2, 3, 4, 1, 2])
    policy.ent_coef, policy.magnet_coef, policy.record = 0.5, 2.0, None
    values, logs, holding = policy.evaluate_actions(seen, actions, masks.float())

    def shares(net: Any) -> Any:
        return MaskableCategorical(logits=net(seen), masks=masks).probs[:, 1:5].detach().double()

    own = shares(lambda x: policy.action_net(policy.mlp_extractor.policy_net(x)))
    magnet = shares(policy.magnet)
    entropy = -(own * own.log()).sum(dim=1)
    distance = (own * (own / magnet).log()).sum(dim=1)
    assert distance.min() > 0.01
    torch.testing.assert_close(holding.double(), 0.5 * entropy - 2.0 * distance, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(logs.double(), own.gather(1, actions[:, None] - 1).log()[:, 0], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(values, policy.predict_values(seen))
    policy.move_magnet()
    _, _, holding = policy.evaluate_actions(seen, actions, masks.float())
    torch.testing.assert_close(holding.double(), 0.5 * entropy, rtol=1e-4, atol=1e-5)
    assert not any(parameter.requires_grad for parameter in policy.magnet.parameters())


def test_actions_are_drawn_as_often_as_the_policy_says(tmp_path: Path) -> None:
    policy: Any = small(tmp_path).policy
    torch.manual_seed(2)
    legal = torch.zeros(ACTIONS)
    legal[[0, 3, 7, ACTIONS - 1]] = 1
    seen, masks = torch.rand(1, FEATURES).repeat(20_000, 1), legal.repeat(20_000, 1)
    with torch.no_grad():
        policy.action_net.bias += torch.linspace(-1, 1, ACTIONS)
        actions, values, logs = policy.forward(seen, action_masks=masks.numpy())
        shares = policy.get_distribution(seen[:1], action_masks=masks[:1]).distribution.probs[0]
        torch.testing.assert_close(values, policy.predict_values(seen))
    drawn = torch.bincount(actions, minlength=ACTIONS) / len(actions)
    assert drawn[legal == 0].sum() == 0
    torch.testing.assert_close(drawn, shares, atol=0.015, rtol=0)  # four standard deviations
    torch.testing.assert_close(logs, shares[actions].log(), atol=1e-4, rtol=1e-4)
    likeliest = policy.forward(seen[:1], deterministic=True, action_masks=masks[:1].numpy())[0]
    assert likeliest.item() == shares.argmax()


def test_the_arrays_play_as_the_policy_does(tmp_path: Path) -> None:
    policy: Any = small(tmp_path).policy
    network = network_of(policy)
    seen = np.random.default_rng(5).random((9, FEATURES), dtype=np.float32)
    masks = np.zeros((9, ACTIONS), np.int8)
    masks[:, [1, 2, 3, 7]] = 1
    there = policy.get_distribution(torch.from_numpy(seen), action_masks=masks).distribution.probs.detach().numpy()
    np.testing.assert_allclose(network.probabilities(seen, masks), there, atol=1e-6)
    np.testing.assert_allclose(network.probabilities(seen[0], masks[0]), there[0], atol=1e-6)
    np.testing.assert_allclose(network.value(seen), policy.predict_values(torch.from_numpy(seen)).detach(), atol=1e-6)


OWN_SCENARIO = """
name = "alley"
victory = "first_down"
[[fighter]]
id = "thug"
team = "street"
from = "knight"
[[fighter]]
id = "guard"
team = "watch"
from = "duelist"
hp = 12
"""


@pytest.mark.parametrize("scenario", ["brawl", "free_for_all", "own"])
def test_other_scenarios_are_trained_on_in_the_same_way(scenario: str, tmp_path: Path) -> None:
    if scenario == "own":
        (tmp_path / "alley.toml").write_text(OWN_SCENARIO)
        scenario = str(tmp_path / "alley.toml")
    training = small(tmp_path, 600, scenario=scenario, sparring=("might",), sparring_share=0.25)
    network = training.train(nothing)
    assert network.policy.sizes[0] == len(training.game.feature_names)
    assert {player.agent.id for player in training.env.players} == {"past selves", "might"}


def test_schedules() -> None:
    assert [linear(3.0, 1.0, done) for done in (0, 0.5, 1)] == [3.0, 2.0, 1.0]
    assert geometric(4.0, 1.0, 0.5) == pytest.approx(2.0) and geometric(4.0, 1.0, 1.0) == pytest.approx(1.0)


def test_the_average_is_of_all_at_first_and_then_forgets(tmp_path: Path) -> None:
    training = small(tmp_path, policy_ema=0.75)
    bias, averaged = training.policy.action_net.bias, training.average.module.action_net.bias
    by_hand = None
    for step in range(12):
        with torch.no_grad():
            bias.fill_(float(step))
        training.average.update_parameters(training.policy)
        # a share of 2/(n+2) of what is new after n, and never less than 1/4
        by_hand = 0.0 if by_hand is None else by_hand + (step - by_hand) * max(0.25, 2 / (step + 2))
        assert float(averaged[0].detach()) == pytest.approx(by_hand, rel=1e-5)


def test_the_magnet_and_the_pool_follow(tmp_path: Path) -> None:
    training = small(tmp_path, magnet_period=3, pool_size=2)
    chance = np.random.default_rng(1)
    kept = []
    for update in range(10):
        with torch.no_grad():
            training.policy.action_net.bias.fill_(float(update))
        training.update = update
        training.before_update(chance)
        kept.append((float(training.policy.magnet[-1].bias[0]), len(training.pool)))
        assert all(past.player.network in training.pool for past in training.past_selves)
    assert [magnet for magnet, _ in kept] == [0, 0, 0, 3, 3, 3, 6, 6, 6, 9]
    assert [size for _, size in kept] == [1, 1, 1, 2, 2, 2, 2, 2, 2, 2]
    assert training.pool[-1].policy.biases[-1][0] == 9.0  # the last one stays


def test_tensorboard_is_told(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    small(tmp_path, 8000, sparring=("uniform",)).train(nothing)
    logs = EventAccumulator(str(tmp_path / LOGS))
    logs.Reload()
    wanted = {"score/past selves", "score/uniform", "train/entropy", "train/distance_to_magnet", "train/value_loss"}
    assert wanted <= set(logs.Tags()["scalars"])
    entropies = [event.value for event in logs.Scalars("train/entropy")]
    assert len(entropies) > 10 and all(0 < entropy < 4 for entropy in entropies)


@pytest.mark.long  # the example of PPO in one file learns as much in the quick tests
def test_training_wins_against_a_fixed_agent(tmp_path: Path) -> None:
    """The recipe `exploiter` learns from a new network to beat an agent that only defends."""
    sizes = {"n_envs": 64, "n_steps": 16, "batch_size": 512, "net_arch": (32,), "checkpoint_every": 30}
    options = ExploiterConfig(opponent="defensive", total_samples=120_000, **sizes)  # type: ignore[arg-type]
    scores: list[float] = []
    prepare(options, tmp_path).train(lambda progress: scores.extend(progress.scores.values()))
    assert scores[-1] > 0.9, scores


def test_progress_is_a_line_of_json_for_each_checkpoint(tmp_path: Path) -> None:
    reports: list[int] = []
    training = small(tmp_path, 6000, sparring=("uniform",), sparring_share=0.5)
    training.train(lambda progress: reports.append(progress.samples))
    lines, of_update = told(tmp_path), training.samples_per_update
    assert [line["samples"] for line in lines] == [10 * of_update, 20 * of_update, 30 * of_update, 38 * of_update]
    assert reports == [of_update * update for update in range(2, training.updates + 1)]  # the first starts the clock
    for line in lines:
        assert line["seconds"] >= 0 and line["samples_per_second"] > 0
        assert {"policy_gradient_loss", "value_loss", "entropy"} <= line["losses"].keys()
        assert all(0 <= score <= 1 for score in line["scores"].values())
    assert any("uniform" in line["scores"] for line in lines)


@pytest.mark.parametrize(
    ("content", "samples", "kept"),
    [
        (b'{"samples": 10}\n{"samples": 20}\n', 20, b'{"samples": 10}\n{"samples": 20}\n'),
        (b'{"samples": 10}\n{"samples": 20}\n', 10, b'{"samples": 10}\n'),  # killed before the checkpoint was written
        (b'{"samples": 10}\n{"ro', 20, b'{"samples": 10}\n'),  # killed while the line was written
        (b'{"samples": 10}\n{"samples": 20}', 20, b'{"samples": 10}\n'),
        (b'{"samples": 10}\nnull\n{"samples": 20}\n', 20, b'{"samples": 10}\n'),
        (b'{"samples": 10}\n', 0, None),
        (b'{"ro', 20, None),
    ],
)
def test_progress_past_a_checkpoint_is_cut_off(
    content: bytes, samples: int, kept: bytes | None, tmp_path: Path
) -> None:
    path = tmp_path / JOURNAL
    path.write_bytes(content)
    Journal(path).cut(samples)
    assert (path.read_bytes() if path.exists() else None) == kept
    Journal(path).add(samples + 10, {"seconds": 1.0, "losses": {"loss": float("nan")}})
    whole = {"samples": samples + 10, "seconds": 1.0, "losses": {"loss": None}}
    assert path.read_bytes() == (kept or b"") + json.dumps(whole).encode() + b"\n"


# -- stopping and going on ---------------------------------------------------------------------------------------------

# `heartrush` for a process that sends itself the signal of that number between two checkpoints, in its 14th update.
DISTURBED = """
import os, sys
from heartrush_train.recipes.ppo_self_play import SelfPlayRun
from heartrush_env.app.cli.main import main
number, before_update = int(sys.argv.pop(1)), SelfPlayRun.before_update
def signal_before_update(training, chance):
    before_update(training, chance)
    if training.update == 13:
        os.kill(os.getpid(), number)
if number:
    SelfPlayRun.before_update = signal_before_update
sys.exit(main())
"""

STOPPED = "Stopped. The same command resumes from the last checkpoint, at 19%; 3 updates since then will be repeated."


def command(folder: Path) -> list[str]:
    return ["train", *ARGUMENTS, "--out", str(folder), "--total-samples", str(BUDGET)]


def heartrush_train(folder: Path, how: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the command in a separate process, disturbed by a signal."""
    quiet = {**os.environ, "PYTHONWARNINGS": "ignore"}
    return finished(sys.executable, "-c", DISTURBED, str(int(how)), *command(folder), text=True, env=quiet)


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Limit the size of the files that this process can write, as on a full disk."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the weights of an undisturbed run, in hexadecimal."""
    folder = tmp_path_factory.mktemp("undisturbed")
    training = prepare(SelfPlayConfig(total_samples=BUDGET, **ALONE), folder)  # type: ignore[arg-type]
    network = training.train(nothing)
    assert samples_told(folder) == CHECKPOINTS
    return bytes_of(network).hex()


def told(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of the journal in a folder."""
    return [json.loads(line) for line in (folder / JOURNAL).read_text().splitlines()]


def samples_told(folder: Path) -> list[int]:
    return [line["samples"] for line in told(folder)]


@pytest.mark.long
@pytest.mark.parametrize(
    "how",
    [
        pytest.param(signal.SIGKILL, id="kill -9"),
        pytest.param(signal.SIGINT, id="Ctrl-C", marks=pytest.mark.long),
        pytest.param(signal.SIGTERM, id="SIGTERM", marks=pytest.mark.long),  # which arrives as Ctrl-C does
    ],
)
def test_a_run_that_is_stopped_goes_on_as_if_nothing_had_happened(
    how: signal.Signals, tmp_path: Path, undisturbed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    stopped = heartrush_train(folder, how)
    assert (folder / CHECKPOINT).exists() and not (folder / "card.json").exists(), stopped.stderr
    assert samples_told(folder) == CHECKPOINTS[:1]
    assert stopped.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}.get(how, -how)
    if how != signal.SIGKILL:
        assert not (folder / ".lock").exists()
        assert stopped.stderr.splitlines()[-1] == STOPPED
    assert main(command(folder)) == 0
    assert "Resuming" in capsys.readouterr().err
    assert samples_told(folder) == CHECKPOINTS
    assert [line["losses"]["n_updates"] for line in told(folder)] == [20, 40, 60, 80, 100, 108]  # two epochs an update
    assert {path.name for path in folder.iterdir()} == ALL_FILES
    agent = load(folder)
    player: Any = agent.seat(SelfPlayConfig().game())
    assert agent.id == "pupil" and bytes_of(player.network).hex() == undisturbed
    card = json.loads((folder / "card.json").read_text())
    options = f"--total-samples {BUDGET} --batch-size 64 --net-arch 8 --checkpoint-every 10 --n-envs 16 --n-steps 8"
    assert card["training"]["command"] == f"heartrush train duel --id pupil {options} --learner sb3 --sparring ''"
    assert card["training"]["samples"] >= BUDGET


def test_an_interruption_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    before_update = SelfPlayRun.before_update

    def interrupt(training: SelfPlayRun, chance: Any) -> None:
        before_update(training, chance)
        if training.update == 13:
            raise KeyboardInterrupt

    monkeypatch.setattr(SelfPlayRun, "before_update", interrupt)
    assert main(command(tmp_path)) == 130
    assert capsys.readouterr().err.splitlines()[-1] == STOPPED
    assert samples_told(tmp_path) == CHECKPOINTS[:1] and not (tmp_path / ".lock").exists()


def test_a_full_disk_stops_training_with_a_sentence_and_it_goes_on_when_there_is_room(
    tmp_path: Path, undisturbed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    with files_of_at_most(60_000):
        code = main(command(folder))
    shown = capsys.readouterr().err
    said = f"heartrush: {folder / CHECKPOINT}: it cannot be written (File too large)."
    assert (code, shown.splitlines()[-1]) == (2, said) and "Traceback" not in shown
    assert {path.name for path in folder.iterdir()} <= {JOURNAL, LOGS, RUN}  # nothing half-written
    assert main(command(folder)) == 0
    assert bytes_of(load(folder).seat(SelfPlayConfig().game()).network).hex() == undisturbed  # type: ignore[attr-defined]
    assert samples_told(folder) == CHECKPOINTS and {path.name for path in folder.iterdir()} == ALL_FILES


def test_a_disk_too_full_for_tensorboard_is_told_in_a_sentence(tmp_path: Path, capsys: Out) -> None:
    with files_of_at_most(2000):
        code = main(command(tmp_path))
    shown = capsys.readouterr().err
    said = f"heartrush: {tmp_path}: training cannot write there (File too large)."
    assert (code, shown.splitlines()[-1]) == (2, said) and "Traceback" not in shown


@pytest.mark.long  # tests/tabletop/test_writing.py holds that a folder has one writer
def test_a_second_run_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    """The message names the process that trains in the folder, and the refused run leaves no files there."""
    reports: list[str] = []

    def try_too(_: Any) -> None:
        if not reports:
            reports.append(heartrush_train(tmp_path).stderr)

    small(tmp_path).train(try_too)
    alone = f"heartrush: {tmp_path}: expected one process at a time, but the process {os.getpid()} is writing there."
    assert reports[0].splitlines()[-1] == alone
    assert {path.name for path in tmp_path.iterdir()} == {CHECKPOINT, JOURNAL, LOGS, RUN}

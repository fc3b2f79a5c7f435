"""Exported agents: what each file holds, and that models agree with the agent played in Python."""

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from heartrush_agents import load
from safetensors.numpy import load_file

from heartrush_env import heart_rush_v0
from heartrush_env.app.cli.main import main
from heartrush_env.app.heart_rush.export import bundle
from heartrush_env.app.heart_rush.export.graph import as_onnx, for_ml_agents
from heartrush_env.app.heart_rush.export.policy import ExportError, read_policy
from heartrush_env.games.heart_rush.game import HeartRush

TOLERANCE = 1e-5
LEVELS = ("", "@easy", "@mistakes=0.3,temperature=1.7", "@temperature=0")
# 30 hit points of 40, a d8 of at most a d20, and a heart die d10: features are divided by their scale.
HP, MIGHT, HEART = 30 / 40, 8 / 20, 10 / 20


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "duelist"
    assert main(["agent", "export", "duelist", "--to", "onnx", "--out", str(folder)]) == 0
    return folder


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def session(model: bytes) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options)


def of_vectors(vectors: list[dict[str, Any]]) -> dict[str, Any]:
    return {name: np.array([vector[name] for vector in vectors], np.float32) for name in vectors[0] if name != "seat"
            and name != "window"}  # fmt: skip


def observations(seed: int) -> list[Any]:
    """Return the observations of a random fight in the public environment."""
    env, chance, found = heart_rush_v0.parallel_env(scenario="duel"), np.random.default_rng(seed), []
    shown, _ = env.reset(seed=seed)
    while env.agents:
        found += [{key: array.copy() for key, array in shown[seat].items()} for seat in env.agents]
        shown, *_ = env.step({seat: chance.choice(shown[seat]["action_mask"].nonzero()[0]) for seat in env.agents})
    return found


def test_the_model_gives_the_probabilities_of_the_vectors(exported: Path) -> None:
    vectors = read(exported / "vectors.json")["vectors"]
    arrays = of_vectors(vectors)
    inputs = {name: arrays[name] for name in ("observation", "action_mask")}
    shares, values = session((exported / "policy.onnx").read_bytes()).run(["probabilities", "value"], inputs)
    assert len(vectors) >= 48 and {vector["window"] for vector in vectors} >= {"stance", "attack", "shrug"}
    assert np.abs(shares - arrays["probabilities"]).max() < TOLERANCE
    assert np.abs(values[:, 0] - arrays["value"]).max() < TOLERANCE
    assert (shares[arrays["action_mask"] == 0] == 0).all()


@pytest.mark.parametrize(
    "id", ["duelist", "duelist@easy", "duelist@mistakes=0.3,temperature=1.7", "duelist@temperature=0"]
)
def test_the_model_plays_like_the_agent_of_the_public_door(id: str) -> None:
    """The observations are none of the exported test vectors, and are given one at a time and all at once."""
    player = load(id).seat(HeartRush("duel"))
    seen = observations(seed=3)
    expected = np.array([player.policy(one) for one in seen])
    runs = session(as_onnx(read_policy(id)))
    inputs = {
        "observation": np.array([one["observation"] for one in seen]),
        "action_mask": np.array([one["action_mask"] for one in seen], np.float32),
    }
    (shares,) = runs.run(["probabilities"], inputs)
    assert np.abs(shares - expected).max() < TOLERANCE
    (single,) = runs.run(["probabilities"], {name: array[:1] for name, array in inputs.items()})
    assert np.abs(single - shares[:1]).max() < TOLERANCE


def test_the_model_of_ml_agents_draws_legal_actions_by_their_probabilities() -> None:
    runs = session(for_ml_agents(read_policy("duelist")))
    one = observations(seed=3)[0]  # a choice of stances
    expected = load("duelist").seat(HeartRush("duel")).policy(one)
    many = 4000
    inputs = {
        "obs_0": np.repeat(one["observation"][None], many, axis=0),
        "action_masks": np.repeat(one["action_mask"][None].astype(np.float32), many, axis=0),
    }
    names = ["discrete_actions", "deterministic_discrete_actions", "probabilities", "version_number", "memory_size",
             "discrete_action_output_shape"]  # fmt: skip
    drawn, likeliest, shares, version, memory, shape = runs.run(names, inputs)
    assert {each.name for each in runs.get_outputs()} == set(names)
    assert (drawn.shape, drawn.dtype) == ((many, 1), np.int64)
    counted = np.bincount(drawn[:, 0], minlength=len(expected)) / many
    assert np.abs(counted - expected).max() < 5 * np.sqrt(0.25 / many) and (counted[expected == 0] == 0).all()
    assert (likeliest == expected.argmax()).all() and np.abs(shares - expected).max() < TOLERANCE
    assert (version.tolist(), memory.tolist(), shape.tolist()) == ([3.0], [0.0], [[55.0]])


def test_ml_agents_may_ask_with_an_empty_mask() -> None:
    """Unity runs a model on zeros when it loads the model, to read its constants."""
    runs = session(for_ml_agents(read_policy("duelist@easy")))
    inputs = {each.name: np.zeros((1, each.shape[1]), np.float32) for each in runs.get_inputs()}
    (shares,) = runs.run(["probabilities"], inputs)
    assert np.isfinite(shares).all()


def test_models_are_for_old_engines_too() -> None:
    import onnx

    for content in (as_onnx(read_policy("duelist")), for_ml_agents(read_policy("duelist@easy"))):
        model = onnx.load_from_string(content)
        assert [each.version for each in model.opset_import] == [15]
        assert all(tensor.type.tensor_type.shape.dim[0].dim_param == "batch" for tensor in model.graph.input)


def test_weights_are_those_of_the_agent(exported: Path) -> None:
    weights = load_file(exported / "policy.safetensors")
    network = load("duelist").seat(HeartRush("duel")).network  # type: ignore[attr-defined]
    assert weights.keys() == network.arrays().keys()
    assert all((weights[name] == array).all() for name, array in network.arrays().items())


def test_the_description_says_what_the_numbers_mean(exported: Path) -> None:
    told = read(exported / "policy.json")
    names = [feature["name"] for feature in told["features"]]
    assert (len(names), len(told["actions"])) == (253, 55)
    assert told["licence"] == "MIT" and told["fits"]["shape"] == "duel" and told["game"]["scenario"] == "duel"
    assert told["network"]["policy"]["sizes"] == [253, 64, 64, 55]
    scale = {feature["name"]: feature["scale"] for feature in told["features"]}
    assert (30 / scale["self hp"], 8 / scale["self might"], 10 / scale["enemy 1 heart"]) == (HP, MIGHT, HEART)
    start = dict(zip(names, told["start"]["knight_0"], strict=True))
    assert (start["self might"], start["enemy 1 heart"], start["window stance"]) == (MIGHT, HEART, 1)
    for name, digest in told["files"].items():
        assert hashlib.sha256((exported / name).read_bytes()).hexdigest() == digest
    assert set(told["files"]) | {"policy.json"} == set(os.listdir(exported))


def test_a_level_is_part_of_the_description() -> None:
    contents = bundle.contents_of(read_policy("duelist@easy"), "onnx")
    told = json.loads(contents["policy.json"])
    assert told["difficulty"]["mistakes"] == 0.65 and told["network"]["value"] is None
    assert {"stance might", "shrug", "trip 1"} <= set(told["difficulty"]["mistaken"])
    assert "pass" not in told["difficulty"]["mistaken"]


def test_the_classic_duelist_is_exported_with_its_rules() -> None:
    told = json.loads(bundle.contents_of(read_policy("classic_duelist"), "onnx")["policy.json"])
    assert told["fits"]["rules"]["edition"] == "classic" and len(told["features"]) == 262


@pytest.mark.parametrize("id", ["tactician", "uniform", "berserker@3", "equilibrium"])
def test_agents_without_a_network_are_refused(id: str) -> None:
    rules = {"profile": "plain"} if id == "equilibrium" else None
    with pytest.raises(
        ExportError,
        match=r"^Expected an agent that can be exported \(classic_duelist, duelist.*decides by rules and searches",
    ):
        read_policy(id, rules=rules)


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["agent", "export", "duelist", "--to", "onnx", "--out", str(tmp_path)]) == 2
    assert "holds other files" in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["mine.txt"]


def test_an_earlier_bundle_is_replaced_whole(exported: Path) -> None:
    (exported / "left_over.txt").write_text("of an earlier version")
    assert main(["agent", "export", "duelist", "--to", "onnx", "--out", str(exported)]) == 0
    assert not (exported / "left_over.txt").exists()
    assert [name for name in os.listdir(exported.parent) if name.startswith(".")] == []


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(policy: Any) -> Any:
        raise ModuleNotFoundError("No module named 'onnx'", name="onnx")

    monkeypatch.setitem(bundle.TARGETS, "onnx", missing)
    with pytest.raises(ExportError, match=r"needs onnx, which is not installed: pip install 'heartrush-env\[export\]'"):
        bundle.contents_of(read_policy("duelist"), "onnx")


def test_the_commands_of_the_page_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).resolve().parents[4] / "docs" / "export.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ heartrush (agent export .*)$", page, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    assert [main(command.split()) for command in commands] == [0, 0, 0]
    assert sorted(os.listdir()) == ["enemy", "my_enemy"]


def test_the_network_of_all_duels_is_refused_with_its_reason() -> None:
    with pytest.raises(
        ExportError,
        match=(
            r"^Expected an agent that can be exported \(classic_duelist, "
            r"duelist.*, or a folder.*reads the odds of hits"
        ),
    ):
        read_policy("fencer")

"""Learned agents: their folders are read as data, and refused with a one-sentence error if unfit for the game."""

import hashlib
import json
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from heartrush_agents import AgentError, available, load, register
from heartrush_agents.learned.agent import CARD, WEIGHTS, claims, shipped
from heartrush_agents.learned.network import Layers, Network
from heartrush_train.export import write_agent, write_card
from safetensors.numpy import load_file, save_file

from heartrush_env.app.cli.main import main
from heartrush_env.app.engine import Engine
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.errors import ScenarioWarning

GAME = HeartRush("duel")
FEATURES, ACTIONS = len(GAME.feature_names), len(GAME.action_names)


def random_network(inputs: int = FEATURES, outputs: int = ACTIONS, seed: int = 1) -> Network:
    chance = np.random.default_rng(seed)

    def layers(*sizes: int) -> Layers:
        pairs = list(pairwise(sizes))
        return Layers(
            tuple(chance.normal(size=pair).astype(np.float32) / 4 for pair in pairs),
            tuple(chance.normal(size=size).astype(np.float32) / 4 for _, size in pairs),
        )

    return Network(layers(inputs, 7, outputs), layers(inputs, 7, 1))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_agent(tmp_path / "pupil", "pupil", "A test's own.", random_network(), GAME, {"command": "none"})
    return tmp_path / "pupil"


def change_card(folder: Path, **changes: Any) -> None:
    write_card(folder, {**json.loads((folder / CARD).read_text()), **changes})


def change_weights(folder: Path, **changes: Any) -> None:
    """Change some weights, and write their new digest to the card."""
    arrays = {name: changes.get(name, array) for name, array in load_file(folder / WEIGHTS).items()}
    save_file({name: array for name, array in arrays.items() if array is not None}, folder / WEIGHTS)
    change_card(folder, sha256=hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest())


def test_the_network_computes_what_it_says() -> None:
    """By hand: tanh follows each layer except the last, and masked actions get probability 0."""
    network = Network(
        Layers(
            (np.array([[1.0], [2.0]], np.float32), np.array([[1.0, -1.0, 5.0]], np.float32)),
            (np.array([0.5], np.float32), np.array([0.0, 0.25, 0.0], np.float32)),
        ),
        Layers((np.array([[2.0], [-1.0]], np.float32),), (np.array([1.0], np.float32),)),
    )
    seen, mask = np.array([0.1, 0.2], np.float32), np.array([1, 1, 0], np.int8)
    inner = np.tanh(1.0)  # 0.1 + 2 * 0.2 + 0.5
    a, b = np.exp(inner), np.exp(0.25 - inner)
    np.testing.assert_allclose(network.probabilities(seen, mask), [a / (a + b), b / (a + b), 0.0], rtol=1e-6)
    many = network.probabilities(np.stack([seen, seen * 0]), np.stack([mask, mask]))
    assert many.shape == (2, 3) and many[1, 2] == 0
    np.testing.assert_allclose(many.sum(axis=1), 1.0, rtol=1e-6)
    assert network.value(seen)[0] == pytest.approx(1.0)  # 0.2 - 0.2 + 1
    assert (network.policy.sizes, network.value.sizes) == ((2, 1, 3), (2, 1))


@pytest.mark.long
def test_an_agent_away_from_its_scenario_says_so_without_value(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    away = HeartRush("mirror_duel")
    agent = load(folder)
    assert agent.caution(GAME) is agent.caution(away) is None  # its card does not tell
    change_card(folder, training={"scenario": "duel\x1b[2J", "scenario_digest": GAME.scenario.digest})
    agent = load(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ScenarioWarning)
        assert hasattr(agent.seat(GAME), "value")
    said = (
        r"The agent 'pupil' plays 'mirror_duel', but it was trained on 'duel\x1b[2J', so how well it plays here is not "
        "known, and it gives no value."
    )
    with pytest.warns(ScenarioWarning, match=f"^{re.escape(said)}$"):
        assert not hasattr(agent.seat(away), "value")
    for words in (
        ("fight", "mirror_duel", "--blue", str(folder), "--seed", "1"),
        ("match", str(folder), "might", "--scenario", "mirror_duel", "--fights", "2", "--seed", "1"),
        ("rate", "mirror_duel", "--agents", f"{folder},might", "--fights", "2", "--processes", "2"),
    ):
        assert main(words) == 0
        told = capfd.readouterr().err.splitlines()  # by the workers of `rate`, too
        assert [line for line in told if "was trained on" in line] == [f"heartrush: {said}"]
    engine = Engine(agent)
    for scenario, game in (("duel", GAME), ("mirror_duel", away)):
        request: dict[str, Any] = {
            "type": "act", "id": "1", "game": {"scenario": scenario}, "seat": game.agents[0],
            "view": {"round": 1, "window": "stance"}, "legal": ["stance might", "stance agility"], "seed": 7,
        }  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ScenarioWarning)
            (answer,) = (json.loads(line) for line in engine.answer(json.dumps(request).encode()))
        assert (answer["value"] is not None) == ("expects to win" in answer["reason"]) == (scenario == "duel")


def test_what_was_written_is_read(folder: Path) -> None:
    agent = load(folder)
    assert (agent.id, agent.description) == ("pupil", "A test's own.")
    assert load(str(folder)).id == "pupil"
    player: Any = agent.seat(GAME)
    assert player.memory == 8
    written = random_network().arrays()
    assert all((array == written[name]).all() for name, array in player.network.arrays().items())
    env = gymnasium.make("heartrush_env/HeartRush-v0", scenario="duel", seat="knight_0", opponent=str(folder))
    observation, _ = env.reset(seed=3)
    masks = observation["action_mask"]
    shares = player.policy(observation)
    assert shares.shape == (ACTIONS,) and shares[masks == 0].max() == 0 and shares.sum() == pytest.approx(1.0)
    assert (player.policies(observation["observation"][None], masks[None])[0] == shares).all()
    assert -1.0 <= player.value(observation) <= 1.0
    for _ in range(300):
        observation, _, terminated, _, info = env.step(player.act(observation, np.random.default_rng(1)))
        assert "illegal" not in info
        if terminated:
            break
    assert terminated


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (HeartRush("brawl"), "its weights are for the shape duel, but this is team"),
        (HeartRush("duel", shape="team"), "its weights are for the shape duel, but this is team"),
        (HeartRush("duel", memory=0), "it was trained with memory all, but here it is 0"),
        (
            HeartRush("duel", {"profile": "plain"}),
            r"it was trained by other rules \(profile = 'full', but here 'plain'\)",
        ),
    ],
)
def test_a_game_that_does_not_fit_is_refused(game: HeartRush, sentence: str, folder: Path) -> None:
    with pytest.raises(AgentError, match=f"The agent 'pupil' cannot take a seat at .*: {sentence}\\.$"):
        load(folder).seat(game)


def test_weights_are_played_by_the_same_tables_alone(folder: Path) -> None:
    """The weights play other scenarios of their shape and rules, but only with their own actions and features."""
    assert load(folder).plays(HeartRush("mirror_duel")) is None
    assert load(folder).plays(HeartRush("duel", decisions="stance")) is None
    change_card(folder, fits={**claims(GAME), "tables": "0" * 32})
    with pytest.raises(AgentError, match="for other tables of actions and features than this version has"):
        load(folder).seat(GAME)


@pytest.mark.parametrize(("inputs", "outputs"), [(FEATURES - 1, ACTIONS), (FEATURES, ACTIONS - 1)])
def test_weights_of_another_shape_are_refused_whatever_the_card_says(inputs: int, outputs: int, tmp_path: Path) -> None:
    write_agent(tmp_path, "pupil", "A test's own.", random_network(inputs, outputs), GAME, {})
    with pytest.raises(AgentError, match="for other tables of actions and features"):
        load(tmp_path).seat(GAME)


@pytest.mark.parametrize(
    ("change", "changes", "sentence"),
    [
        (change_card, {"format": "x"}, "with format 'heartrush-policy', got another file"),
        (change_card, {"version": 2}, "expected version 1, got 2"),
        (change_card, {"fits": {}}, "a missing or invalid field"),
        (change_card, {"fits": {**claims(GAME), "memory": -1}}, "a missing or invalid field"),
        (change_card, {"id": 7}, "a missing or invalid field"),
        (change_card, {"id": "../up"}, "a missing or invalid field"),
        (change_card, {"sha256": "0" * 64}, f"it is damaged, or not the file that {CARD} was written for"),
        (
            change_weights,
            {"policy.1.weight": np.zeros((6, ACTIONS), "f")},
            "takes 6 numbers, but the layer before it gives 7",
        ),
        (change_weights, {"policy.0.weight": np.zeros((FEATURES, 7), np.float64)}, "policy.0 is float64"),
        (change_weights, {"policy.0.bias": np.full(7, np.nan, np.float32)}, "policy.0 is not finite"),
        (change_weights, {"policy.0.bias": None}, "policy.0 is float32"),
        (change_weights, {"value.0.weight": None}, "there is no value"),
        (change_weights, {"value.1.weight": np.zeros((7, 2), "f"), "value.1.bias": np.zeros(2, "f")}, "do not fit"),
    ],
)
def test_a_card_or_weights_that_do_not_fit_are_refused(
    change: Callable[..., None], changes: dict[str, Any], sentence: str, folder: Path
) -> None:
    change(folder, **changes)
    with pytest.raises(AgentError, match=sentence):
        load(folder)


def test_damaged_and_missing_files_are_refused(folder: Path) -> None:
    weights = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(weights[:-1])
    with pytest.raises(AgentError, match="it is damaged, or not the file"):
        load(folder)
    (folder / WEIGHTS).write_bytes(b"{}")
    change_card(folder, sha256=hashlib.sha256(b"{}").hexdigest())
    with pytest.raises(AgentError, match="it does not hold a valid network"):
        load(folder)
    (folder / WEIGHTS).unlink()
    with pytest.raises(AgentError, match=r"there is no such file"):
        load(folder)
    (folder / CARD).write_text("{")
    with pytest.raises(AgentError, match="got invalid JSON"):
        load(folder)
    (folder / CARD).unlink()
    with pytest.raises(AgentError, match=r"Unknown agent .* or a folder with a card\.json"):
        load(folder)


def test_a_folder_fights_and_is_rated_from_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fight", "duel", "--blue", str(folder), "--seed", "1"]) == 0
    assert f"Knight (blue, played by {folder})" in capsys.readouterr().out
    words = ["rate", "duel", "--agents", f"{folder},uniform", "--fights", "20", "--processes", "1", "--json"]
    assert main(words) == 0
    table = json.loads(capsys.readouterr().out)
    assert {cell["row"] for cell in table["cells"]} == {"pupil", "uniform"}


# -- those that come with the package ----------------------------------------------------------------------------------


def test_the_duelist_comes_with_the_package_and_its_id_is_taken() -> None:
    assert "duelist" in shipped() and "duelist" in available()
    assert load("duelist") is load("duelist")
    with pytest.raises(AgentError, match="Expected an id that no agent of the package has"):
        register(load("duelist"))


@pytest.mark.parametrize("id", sorted(shipped()))
def test_a_shipped_card_tells_all(id: str) -> None:
    card = json.loads((shipped()[id] / CARD).read_text())
    assert card["id"] == id
    training, scores = card["training"], card["scores"]
    assert training["command"].startswith(f"heartrush train {training['config']['scenario']} --id {id}")
    assert {"python", "heartrush-env", "torch", "numpy", "stable-baselines3"} <= training["versions"].keys()
    config = training["config"]
    game = HeartRush(config["scenario"], config["rules"])
    on_map = game.scenario.battlefield is not None
    assert scores["fights"] >= (100 if on_map else 4000) and scores["command"].startswith("heartrush rate")
    for score, low, high in scores["against"].values():
        assert 0 <= low <= score <= high <= 100
    met = {"random", "uniform", "tactician"} if on_map else {"random", "uniform", "tactician", "modeller"}
    assert met <= set(scores["against"]) <= set(available())
    assert load(id).plays(game) is None
    for command in (training["command"], scores["command"]):
        assert re.findall(r"--rule (\S+)", command) == [f"{key}={value}" for key, value in config["rules"].items()]


def test_the_duelist_is_as_good_as_asked_for() -> None:
    """The test reads the scores on the card; `make test-long` measures them again."""
    against = json.loads((shipped()["duelist"] / CARD).read_text())["scores"]["against"]
    assert against["random"][0] >= 85
    learners = {"frequency", "markov_1", "markov_2", "modeller"}
    for id, (_, _, high) in against.items():
        assert id in learners or 100 - high <= 55, id


PLAY = """
import sys
class Without:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("torch", "stable_baselines3", "sb3_contrib", "tensorboard"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Without())
import gymnasium, heartrush_env
env = gymnasium.make("heartrush_env/HeartRush-v0", scenario="duel", opponent="duelist")
observation, info = env.reset(seed=1)
over = False
while not over:
    observation, reward, over, _, info = env.step(int(observation["action_mask"].argmax()))
from heartrush_env.app.cli.main import main
from heartrush_env.tabletop.errors import ScenarioWarning
assert main(["fight", "duel", "--blue", "duelist", "--seed", "1", "--rounds"]) == 0
assert main(["train", "duel"]) == 2
"""


@pytest.mark.long
def test_the_duelist_plays_where_torch_is_not_installed() -> None:
    done = subprocess.run([sys.executable, "-c", PLAY], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "played by duelist" in done.stdout
    wanted = (
        r"Training needs the package '(torch|stable_baselines3)': install it with pip install 'heartrush-env\[train\]'"
    )
    assert re.search(wanted, done.stderr)

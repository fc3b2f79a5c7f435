"""JavaScript bundles: the network, the observation and the rules against Python, and the page in a browser.

Fights of the Python engine are repeated by the module with the same seeds and choices: every observation, mask and
event must be equal, and every line of the narration. tests/corpus/test_in_node.py compares many more fights.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.app.cli.main import main
from heartrush_env.app.heart_rush.export import bundle, duel
from heartrush_env.app.heart_rush.export.policy import read_policy
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.protocol.views import view_of
from heartrush_env.tabletop.portable.files import DESCRIPTION, engine_files

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed here")
NPM = shutil.which("npm")
ONNXRUNTIME_WEB = "onnxruntime-web@1.30.0"
REACHED = 60  # seconds within which the registry must answer

VECTORS = """
import { readFileSync } from "node:fs";
import { Policy } from "./policy.mjs";
const bytes = new Uint8Array(readFileSync("policy.safetensors"));
const policy = Policy.read(JSON.parse(readFileSync("policy.json")), bytes.buffer);
const { vectors } = JSON.parse(readFileSync("vectors.json"));
console.log(JSON.stringify(vectors.map(({ observation, action_mask }) => ({
  probabilities: policy.probabilities(observation, action_mask), value: policy.value(observation),
}))));
"""
VIEWS = """
import { readFileSync } from "node:fs";
import { Policy } from "./policy.mjs";
const policy = new Policy(JSON.parse(readFileSync("policy.json")), {});
const asked = JSON.parse(readFileSync(0));
console.log(JSON.stringify(asked.map(({ seat, view }) => policy.observe(seat, view))));
"""
FIGHTS = """
import { readFileSync } from "node:fs";
import { Engine } from "./fights.mjs";
import { Story } from "./story.mjs";
const { duel, engine: described, fights } = JSON.parse(readFileSync(0));
const engine = await Engine.load(readFileSync("engine.wasm"), described);
const seen = (fight) => Object.fromEntries(fight.agents.map((agent) => [agent, {
  observation: [...fight.observation(agent)], legal: fight.legal(agent) }]));
const fight = await engine.fight(engine.scenarios[0]);
console.log(JSON.stringify(fights.map(({ seed, number, choices }) => {
  fight.start({ seed, number });
  const steps = [seen(fight)], events = [...fight.events];
  for (const each of choices) { events.push(...fight.step(each)); steps.push(seen(fight)); }
  return { steps, events, lines: new Story(duel).lines(events), over: fight.over };
})));
"""
WEB = """
import { readFileSync } from "node:fs";
import ort from "onnxruntime-web";
ort.env.wasm.numThreads = 1;
const model = new Uint8Array(readFileSync("policy.onnx"));
const session = await ort.InferenceSession.create(model, { executionProviders: ["wasm"] });
const { vectors } = JSON.parse(readFileSync("vectors.json"));
const shape = (name) => [vectors.length, vectors[0][name].length];
const rows = (name) => new ort.Tensor("float32", Float32Array.from(vectors.flatMap((each) => each[name])), shape(name));
const inputs = { observation: rows("observation"), action_mask: rows("action_mask") };
const { probabilities, value } = await session.run(inputs);
console.log(JSON.stringify({ probabilities: [...probabilities.data], value: [...value.data] }));
"""

# Two fighters that have hands free, with a whip and with bludgeons, equal in agility: they grapple, and roll for order.
WRESTLERS = {
    "name": "wrestlers",
    "victory": "first_down",
    "max_rounds": 30,
    "round_cap": "hp",
    "fighter": [
        {
            "id": name,
            "team": team,
            **{"might": 8, "agility": 8, "cunning": 8, "presence": 8, "heart": 12, "hp": 60, "armor": "light"},
            "weapon": {"size": "light", "attack_type": kind, "damage_type": damage},
            "attack_bonus": bonus,
        }
        for name, team, kind, damage, bonus in (
            ("whipper", "blue", "whip", "slashing", 2),
            ("bruiser", "red", "melee", "bludgeoning", 0),
        )
    ],
}
# Much happens in fights of these random choices: few passes, and grapples that last.
WEIGHTS = {"pass": 0.3, "stance defensive": 0.3, "grapple 1": 4.0, "break_free": 0.1, "let_go": 0.1}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "duelist"
    assert main(["agent", "export", "duelist", "--to", "js", "--out", str(folder)]) == 0
    return folder


def node(folder: Path, program: str, given: Any = None) -> Any:
    """Run a program in the folder of a bundle, and return the JSON that it prints."""
    command = [str(NODE), "--input-type=module", *(["-"] if given is None else ["-e", program])]
    text = program if given is None else json.dumps(given)
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=folder, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def play(env: ParallelFights, seed: int, fight: int, chance: np.random.Generator) -> Iterator[tuple[Any, Any]]:
    """Play a fight, and yield the observations of each window with the choices by name."""
    names = env.game.action_names
    shown, _ = env.reset(seed=seed, options={"fight": fight})
    while env.agents:
        actions = {}
        for seat in env.agents:
            legal = shown[seat]["action_mask"].nonzero()[0]
            weights = np.array([WEIGHTS.get(names[k], 1.0) for k in legal])
            actions[seat] = int(chance.choice(legal, p=weights / weights.sum()))
        yield shown, {seat: names[action] for seat, action in actions.items()}
        shown, *_ = env.step(actions)
    yield shown, None


@needs_node
def test_the_network_in_javascript_agrees_with_the_vectors(exported: Path) -> None:
    vectors = read(exported / "vectors.json")["vectors"]
    for vector, answer in zip(vectors, node(exported, VECTORS), strict=True):
        assert np.abs(np.array(answer["probabilities"]) - vector["probabilities"]).max() < 1e-5
        assert abs(answer["value"] - vector["value"]) < 1e-5
        masked = zip(answer["probabilities"], vector["action_mask"], strict=True)
        assert all(share == 0 for share, legal in masked if not legal)


@needs_node
@pytest.mark.parametrize("id", ["duelist@easy", "duelist@mistakes=0.3,temperature=1.7"])
def test_levels_in_javascript_agree_with_the_vectors(id: str, tmp_path: Path) -> None:
    assert main(["agent", "export", id, "--to", "js", "--out", str(tmp_path / "js")]) == 0
    vectors = read(tmp_path / "js" / "vectors.json")["vectors"]
    for vector, answer in zip(vectors, node(tmp_path / "js", VECTORS), strict=True):
        assert np.abs(np.array(answer["probabilities"]) - vector["probabilities"]).max() < 1e-5
        assert answer["value"] is None


@needs_node
def test_named_views_of_the_protocol_become_observations(exported: Path) -> None:
    """The views are as the protocol sends them, for duels and for team fights."""
    for scenario in ("duel", "brawl"):
        game = HeartRush(scenario)
        env, asked, expected = ParallelFights(game), [], []
        for fight in range(1):
            for shown, _ in play(env, 3, fight, np.random.default_rng(fight)):
                for seat, observation in shown.items():
                    view = view_of(game, seat, observation["observation"])
                    expected.append(observation["observation"].copy())
                    asked.append(
                        {"seat": seat, "view": {key: value for key, value in view.items() if key != "observation"}}
                    )
        folder = exported
        if scenario != "duel":
            folder = exported.parent / scenario
            folder.mkdir(exist_ok=True)
            shutil.copy(exported / "policy.mjs", folder)
            (folder / "policy.json").write_text(json.dumps(described(game)), encoding="utf-8")
        found = np.array(node(folder, VIEWS, asked))
        assert len(asked) > 40 and np.abs(found - np.array(expected)).max() < 1e-6


def described(game: HeartRush) -> dict[str, Any]:
    """Return the description of an agent as if it played this game."""
    from dataclasses import replace

    from heartrush_env.app.heart_rush.export.description import description

    mistaken = np.zeros(len(game.action_names), np.bool_)
    return description(replace(read_policy("duelist"), game=game, mistaken=mistaken), {})


@needs_node
@pytest.mark.parametrize(
    ("scenario", "rules", "fights"),
    [
        ("duel", {}, 4),
        ("mirror_duel", {}, 3),
        (WRESTLERS, {}, 4),
        ("duel", {"profile": "plain"}, 2),
        ("duel", {"profile": "levels"}, 2),
    ],
    ids=["duel", "mirror_duel", "wrestlers", "plain", "levels"],
)
def test_the_rules_in_javascript_play_the_fights_of_the_engine(
    exported: Path, scenario: Any, rules: dict[str, Any], fights: int
) -> None:
    differ(exported, scenario, rules, fights)


@needs_node
@pytest.mark.long
@pytest.mark.parametrize("scenario", ["duel", "mirror_duel", WRESTLERS], ids=["duel", "mirror_duel", "wrestlers"])
def test_many_fights_of_the_engine_are_played_in_javascript(exported: Path, scenario: Any) -> None:
    differ(exported, scenario, {}, 150)


def differ(folder: Path, scenario: Any, rules: dict[str, Any], fights: int) -> None:
    """Play fights in the engine and in JavaScript with equal choices; views, events and narration must be equal."""
    game = HeartRush(scenario, rules=rules)
    env, expected, asked, chance = ParallelFights(game), [], [], np.random.default_rng(1)
    for fight in range(fights):
        seen, choices, events = [], [], []
        for shown, chosen in play(env, 9, fight, chance):
            seen.append(
                {seat: (each["observation"].copy(), each["action_mask"].copy()) for seat, each in shown.items()}
            )
            choices += [] if chosen is None else [chosen]
            events += env.events
        asked.append({"seed": 9, "number": fight, "choices": choices})
        expected.append((seen, events))
    engine = json.loads(engine_files({"duel": game})[DESCRIPTION])
    given = {"duel": duel.duel_table(game), "engine": engine, "fights": asked}
    for (seen, events), answer in zip(expected, node(folder, FIGHTS, given), strict=True):
        assert answer["over"] and answer["events"] == events
        assert answer["lines"] == Narrator(game.scenario).tell(events)
        for there, here in zip(seen, answer["steps"], strict=True):
            for seat, (observation, mask) in there.items():
                assert np.array_equal(np.array(here[seat]["observation"], np.float32), observation)
                assert set(here[seat]["legal"]) == {game.action_names[k] for k in mask.nonzero()[0]}


@pytest.mark.parametrize(
    ("scenario", "rules", "reason"),
    [
        ("brawl", {}, "not a duel of two"),
        ("duel", {"contested": "mutual"}, "other than those of June 2025"),
        ({**WRESTLERS, "victory": "last_standing"}, {}, "go on at 0"),
    ],
    ids=["team", "rules", "last standing"],
)
def test_duels_that_the_page_cannot_play_are_named(scenario: Any, rules: dict[str, Any], reason: str) -> None:
    assert reason in str(duel.why_not_played(HeartRush(scenario, rules=rules)))


@pytest.mark.long
def test_the_classic_duelist_has_no_page_and_the_readme_says_why() -> None:
    contents = bundle.contents_of(read_policy("classic_duelist"), "js")
    assert bundle.PAGE not in contents and "There is no page to play on: its rules" in contents["README.md"].decode()
    assert "duel" not in json.loads(contents["policy.json"])


@needs_node
@pytest.mark.long
@pytest.mark.skipif(NPM is None, reason="npm is not installed here")
def test_the_model_runs_in_onnxruntime_web(tmp_path: Path) -> None:
    """The engine for browsers, WebAssembly, runs under Node; npm installs its package."""
    assert main(["agent", "export", "duelist", "--to", "onnx", "--out", str(tmp_path / "onnx")]) == 0
    install = [str(NPM), "install", "--silent", "--no-save", "--ignore-scripts", ONNXRUNTIME_WEB]
    try:
        done = subprocess.run(install, cwd=tmp_path / "onnx", capture_output=True, text=True, timeout=REACHED)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm did not install {ONNXRUNTIME_WEB} within {REACHED} seconds")
    if done.returncode:
        pytest.skip(f"npm cannot install {ONNXRUNTIME_WEB}: {done.stderr.strip()[:200]}")
    vectors = read(tmp_path / "onnx" / "vectors.json")["vectors"]
    answer = node(tmp_path / "onnx", WEB)
    expected = np.array([vector["probabilities"] for vector in vectors])
    assert np.abs(np.array(answer["probabilities"]).reshape(expected.shape) - expected).max() < 1e-5
    assert np.abs(np.array(answer["value"]) - [vector["value"] for vector in vectors]).max() < 1e-5


# A page without a screen: it can ask for elements, which hold what is written into them.
SCREEN = """
const elements = {};
const element = (id) => (elements[id] ??= {
  parentElement: {}, disabled: true, addEventListener() {}, replaceChildren() {},
  textContent: id in contents ? contents[id] : "",
});
const document = { addEventListener() {}, getElementById: element, createElement: () => ({}) };
"""


def opened(folder: Path, before: str) -> Any:
    """Run the script of a bundle's page in Node, after a statement, and return what it shows when all is loaded."""
    text = (folder / "index.html").read_text(encoding="utf-8")
    data = re.findall(r'<script type="[^"]*" id="(\w+)">(.*?)</script>', text, re.DOTALL)
    program = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)[-1]
    shown = 'console.log(JSON.stringify([element("begin").disabled, element("about").textContent]))'
    contents = f"const contents = {json.dumps(dict(data))};\n"
    return node(folder, f"{contents}{SCREEN}{before}\n{program}\nsetTimeout(() => {shown}, 1000);")


@needs_node
def test_the_script_of_the_page_prepares_a_fight(exported: Path) -> None:
    assert opened(exported, "") == [False, ""]


@needs_node
def test_the_page_says_why_an_old_browser_cannot_play(exported: Path) -> None:
    disabled, about = opened(exported, "delete globalThis.DecompressionStream;")
    assert disabled is True
    assert about == "This browser cannot play here: DecompressionStream is not defined. Newer browsers can."

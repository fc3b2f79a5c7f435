"""Bundles for Godot: the script's syntax, and the numbers that it computes in Godot, if Godot is installed.

With a Godot 4 (`godot4` or `godot`) the script runs unchanged. Debian has `godot3-server` instead: for it, the names
that Godot 4 changed are changed back, and the script is otherwise the same.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.app.cli.main import main
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.protocol.views import view_of
from tests.app.heart_rush.export.test_export_js import described, play

TOLERANCE = 1e-5
GODOT = next(filter(None, map(shutil.which, ("godot4", "godot", "godot3-server"))), None)
needs_godot = pytest.mark.skipif(GODOT is None, reason="no Godot is installed here (Debian: godot3-server)")
CHECK = """
extends SceneTree


func _init():
	var policy = load("res://enemy/heart_rush_policy.gd").new()
	print("PROBLEM ", policy.read("res://enemy"))
	var asked = JSON.parse_string(policy._text_of("res://asked.json"))
	var answers = []
	for one in asked:
		if one.has("view"):
			answers.append(policy.observe(one.seat, one.view))
		elif one.has("chance"):
			answers.append(policy.act(one.seat, one.shown, one.legal, one.chance).choice)
		else:
			answers.append([policy.probabilities(one.observation, one.action_mask), policy.value(one.observation)])
	print("ANSWERS ", JSON.stringify(answers))
	quit()
"""
IN_GODOT_3 = {
    "RefCounted": "Reference",
    "JSON.parse_string(": "parse_json(",
    "JSON.stringify(": "to_json(",
    ".is_empty()": ".empty()",
    "maxf(": "max(",
    "var windows := max": "var windows: float = max",
    "PackedStringArray": "PoolStringArray",
    "var file := FileAccess.open(path, FileAccess.READ)": "var file = _opened(path)",
}
OPENED = """

func _opened(path):
	var file = File.new()
	return file if file.open(path, File.READ) == OK else null
"""


def exported(folder: Path, id: str = "duelist") -> Path:
    assert main(["agent", "export", id, "--to", "godot", "--out", str(folder)]) == 0
    return folder


def in_godot(enemy: Path, asked: list[dict[str, Any]]) -> list[Any]:
    """Run the script in the installed Godot, and return its answers to the questions."""
    project = enemy.parent
    (project / "project.godot").write_text("config_version=4\n", encoding="utf-8")
    (project / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    script, check = (enemy / "heart_rush_policy.gd").read_text(encoding="utf-8"), CHECK.lstrip()
    if "godot3" in str(GODOT):
        for word, old in IN_GODOT_3.items():
            script, check = script.replace(word, old), check.replace(word, old)
        script += OPENED
    (enemy / "heart_rush_policy.gd").write_text(script, encoding="utf-8")
    (project / "check.gd").write_text(check, encoding="utf-8")
    quiet = [] if "godot3" in str(GODOT) else ["--headless"]
    command = [str(GODOT), *quiet, "--path", str(project), "-s", "check.gd"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120)
    said = dict(re.findall(r"^(PROBLEM|ANSWERS) (.*)$", done.stdout, re.MULTILINE))
    assert said.get("PROBLEM") == "" and "SCRIPT ERROR" not in done.stderr, done.stdout + done.stderr
    answers: list[Any] = json.loads(said["ANSWERS"])
    return answers


def test_the_script_is_gdscript_of_godot_4(tmp_path: Path) -> None:
    parser, linter = pytest.importorskip("gdtoolkit.parser").parser, pytest.importorskip("gdtoolkit.linter")
    enemy = exported(tmp_path / "enemy")
    (example,) = re.findall(r"```gdscript\n(.*?)```", (enemy / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    for script in (enemy / "heart_rush_policy.gd").read_text(encoding="utf-8"), example:
        parser.parse(script)
        assert [problem.description for problem in linter.lint_code(script)] == []


@needs_godot
@pytest.mark.parametrize(
    "id", ["duelist", *(pytest.param(id, marks=pytest.mark.long) for id in ("duelist@easy", "duelist@temperature=0"))]
)
def test_the_network_in_godot_agrees_with_the_vectors(id: str, tmp_path: Path) -> None:
    enemy = exported(tmp_path / "enemy", id)
    vectors = json.loads((enemy / "vectors.json").read_text(encoding="utf-8"))["vectors"]
    for vector, (shares, value) in zip(vectors, in_godot(enemy, vectors), strict=True):
        assert np.abs(np.array(shares) - vector["probabilities"]).max() < TOLERANCE
        assert [share for share, legal in zip(shares, vector["action_mask"], strict=True) if share and not legal] == []
        expected = vector.get("value")
        assert value is None if expected is None else abs(value - expected) < TOLERANCE


@needs_godot
@pytest.mark.parametrize("scenario", ["duel", pytest.param("brawl", marks=pytest.mark.long)])
def test_named_views_become_observations_in_godot(scenario: str, tmp_path: Path) -> None:
    enemy, game = exported(tmp_path / "enemy"), HeartRush(scenario)
    (enemy / "policy.json").write_text(json.dumps(described(game)), encoding="utf-8")
    asked, expected = [], []
    for shown, _ in play(ParallelFights(game), 3, 0, np.random.default_rng(0)):
        for seat, observation in shown.items():
            view = view_of(game, seat, observation["observation"])
            asked.append({"seat": seat, "view": {key: value for key, value in view.items() if key != "observation"}})
            expected.append(observation["observation"].copy())
    found = np.array(in_godot(enemy, asked))
    assert len(asked) > 40 and np.abs(found - np.array(expected)).max() < 1e-6


@needs_godot
def test_godot_draws_each_action_by_its_probability(tmp_path: Path) -> None:
    """Each chance is the middle of an action's part of the unit interval."""
    enemy = exported(tmp_path / "enemy")
    told = json.loads((enemy / "policy.json").read_text(encoding="utf-8"))
    vectors = json.loads((enemy / "vectors.json").read_text(encoding="utf-8"))["vectors"]
    asked, expected = [], []
    for vector in vectors[:10]:
        before = 0.0
        legal = [name for name, may in zip(told["actions"], vector["action_mask"], strict=True) if may]
        for name in legal:
            share = vector["probabilities"][told["actions"].index(name)]
            if share > 1e-3:
                shown = {"observation": vector["observation"]}
                chance = before + share / 2
                asked.append({"seat": vector["seat"], "shown": shown, "legal": legal, "chance": chance})
                expected.append(name)
            before += share
    assert len(asked) > 20 and in_godot(enemy, asked) == expected

"""The search for better numbers of an agent: where it looks, what it keeps, how it resumes, what it refuses."""

import json
import math
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from heartrush_agents import load
from heartrush_agents.base import Agent
from heartrush_agents.heart_rush.tactics.constants import USUAL, Constants
from heartrush_train import tuning
from heartrush_train.config import TrainingError
from heartrush_train.tuning import Search, Tuning, fight, measured, names_of, numbers_at

from heartrush_env.app.cli.tune import listed
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.errors import HeartRushError
from tests.app.cli.running import as_json, refusal

SEARCH = Search("tactician", ("nearer", "fear"), ("random:3", "random:4"), 2, 1, "heart_rush")


def told(agent: Agent, name: str) -> float:
    """Return a number of an agent with arguments, as its id tells it; its usual value if the id does not."""
    words = dict(word.split("=") for word in agent.id.partition("@")[2].split(",") if word)
    return float(words.get(name, agent.arguments[name].usual))


def hill(game: Any, own: Agent, other: Agent, fights: int, seed: int) -> tuple[int, int, int]:
    """Return a result that is best at nearer = 0.04 and fear = 0.125, twice and half of the usual values."""
    off = math.log(told(own, "nearer") / 0.04) ** 2 + math.log(told(own, "fear") / 0.125) ** 2
    return round(1000 * math.exp(-off)), 0, 1000


def test_the_search_moves_logarithms_within_the_bounds() -> None:
    """By hand: e to the power ln 2 doubles 0.02, 0 leaves 0.25 alone, and 9 would lead beyond 1."""
    found = numbers_at(load("tactician"), ("nearer", "fear", "push"), [math.log(2), 0.0, 9.0])
    assert found == pytest.approx({"nearer": 0.04, "fear": 0.25, "push": 1.0})


def test_numbers_reach_the_tactician() -> None:
    player: Any = load("tactician@fear=0.5,swap=0.125").seat(HeartRush("skirmish"))
    assert player._moving._positioning.constants == USUAL._replace(fear=0.5, swap=0.125) != Constants()


def test_fights_are_counted_on_both_sides() -> None:
    """The tactician always wins against an agent that never attacks; draws need no fights here."""
    game = HeartRush("duel")
    assert fight(game, load("tactician"), load("defensive"), 2, 1) == (4, 0, 4)
    assert fight(game, load("defensive"), load("tactician"), 2, 1) == (0, 0, 4)


def test_it_finds_the_top_of_a_hill_and_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cma")
    monkeypatch.setattr(tuning, "fight", hill)
    whole, parts, said = tmp_path / "whole.json", tmp_path / "parts.json", []
    Tuning(SEARCH, whole).run(25, 1e6, said.append)
    for generations in (3, 11, 25):
        Tuning(SEARCH, parts).run(generations, 1e6, said.append)
    assert json.loads(whole.read_text()) == json.loads(parts.read_text())
    found = Tuning(SEARCH, parts).numbers
    assert found == pytest.approx({"nearer": 0.04, "fear": 0.125}, rel=0.05)
    assert len(said) == 50 and said[0].startswith("generation 1: ")
    test = measured(SEARCH, found, ["random:5"], 1)
    assert test["fights"] == 1000 and test["low"] < 1 and test["share"] == test["high"] == 1


def test_what_it_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(TrainingError, match="uniform: expected an agent that takes numbers above 0"):
        names_of(load("uniform"))
    with pytest.raises(TrainingError, match=r"tactician: expected numbers among .*, got 'feer'"):
        names_of(load("tactician"), ["feer"])
    monkeypatch.setitem(sys.modules, "cma", None)
    said = refusal(capsys, "agent tune tactician random:1")
    assert "pip install 'heartrush-env[tune]'" in said


def test_a_search_of_another_command_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("cma")
    monkeypatch.setattr(tuning, "fight", hill)
    file = tmp_path / "search.json"
    words = f"agent tune tactician random:1-2 --names nearer --generations 2 --seed 1 --out {file}"
    found = as_json(capsys, f"{words} --held random:5")
    assert len(found["generations"]) == 2 and set(found["tests"]) == {"searched", "held"}
    assert [*found["numbers"]] == ["nearer"]
    said = refusal(capsys, words.replace("--names nearer", "--names fear"))
    assert "expected the search of this command, got another one" in said


def test_a_damaged_file_of_a_search_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cma")
    monkeypatch.setattr(tuning, "fight", hill)
    file = tmp_path / "search.json"
    Tuning(SEARCH, file).run(2, 1e6, lambda said: None)
    whole = json.loads(file.read_text())
    short = [whole["generations"][0], whole["generations"][1][:-1]]
    says = r"search\.json: generations: expected lists of 6 numbers from 0 to 1, got "
    for generations in (None, {}, 3, [0.5], short, [["0.5"] * 6], [[2.0] * 6], [[True] * 6]):
        file.write_text(json.dumps(whole | {"generations": generations}))
        with pytest.raises(TrainingError, match=rf"{says}.+\.$"):
            Tuning(SEARCH, file)
    del whole["generations"]
    file.write_text(json.dumps(whole))
    with pytest.raises(TrainingError, match=rf"{says}None\.$"):
        Tuning(SEARCH, file)
    for text, found in (("[1, 2]", "JSON that is not an object"), ("{", "invalid JSON")):
        file.write_text(text)
        with pytest.raises(HeartRushError, match=f"search.json: expected a search, got {found}"):
            Tuning(SEARCH, file)


def test_ranges_of_scenarios() -> None:
    assert listed(["tower", "random:8-10"]) == ("tower", "random:8", "random:9", "random:10")
    assert listed(["random:8-8"]) == ("random:8",)


@pytest.mark.parametrize("words", ["random:9-1", "random:1 --held random:9-1"])
def test_a_range_from_high_to_low_is_refused_before_the_search(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "cma", ModuleType("cma"))
    said = refusal(capsys, f"agent tune tactician {words} --seed 1 --out {tmp_path / 'search.json'}")
    assert said.endswith("SCENARIO: expected a range from low to high, got 'random:9-1'.\n")

"""`heartrush match`: what it prints, what it refuses, and that it always comes to an end."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.cli import match
from heartrush_env.core.errors import HeartRushError
from heartrush_env.records.record import read_record
from heartrush_env.records.replay import check

ROOT = Path(__file__).resolve().parents[2]
ENGINE = f"exec:{sys.executable} {ROOT / 'clients' / 'python' / 'engine.py'}"

Out = pytest.CaptureFixture[str]


def run(*words: str) -> int:
    """Run the command in this process; returns its exit code."""
    parser = argparse.ArgumentParser()
    match.add_command(parser.add_subparsers())
    try:
        arguments = parser.parse_args(["match", *words])
    except SystemExit as end:  # argparse leaves like this
        return int(end.code or 0)
    code: int = arguments.run(arguments)
    return code


def match_json(out: Out, *words: str) -> dict[str, Any]:
    """What `match --json` prints."""
    assert run(*words, "--json") == 0
    parsed: dict[str, Any] = json.loads(out.readouterr().out)
    return parsed


def test_help_gives_examples(capsys: Out) -> None:
    assert run("--help") == 0
    assert "examples:\n  heartrush match uniform" in capsys.readouterr().out


def test_a_program_and_an_agent_fight_and_are_counted(capsys: Out) -> None:
    found = match_json(capsys, ENGINE, "uniform", "--fights", "4", "--seed", "3")
    assert (found["scenario"], found["seed"], found["budget_ms"]) == ("duel", 3, 1000)
    assert [side["kind"] for side in found["sides"]] == ["program", "agent"] and found["sides"][1]["name"] == "uniform"
    assert found["sides"][0]["wins"] + found["sides"][1]["wins"] + found["draws"] == 4 == len(found["fights"])
    assert all(side["faults"] == {} and side["low"] <= side["share"] <= side["high"] for side in found["sides"])
    assert [fight["seats"]["knight_0"] for fight in found["fights"]] == [0, 1, 0, 1]
    assert match_json(capsys, ENGINE, "uniform", "--fights", "4", "--seed", "3") == found


def test_the_text_says_who_won_and_what_was_wrong(capsys: Out) -> None:
    dead = f"exec:{sys.executable} -c pass"
    assert run("might", dead, "--fights", "2", "--seed", "3", "--scenario", "mirror_duel") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "mirror_duel, fights: 2, seed 3; 95 % intervals in brackets"
    assert lines[1].startswith("  A (might) wins") and lines[1].split()[3:6] == ["2", "100.0", "%"]
    assert "draws" in lines[3] and lines[4].startswith("  B got the stand-in, dead: ")
    assert "It never said that it is ready: " in lines[4] and len(lines) == 5


def test_records_are_written_and_replay(capsys: Out, tmp_path: Path) -> None:
    found = match_json(capsys, "might", ENGINE, "--fights", "2", "--seed", "3", "--record", str(tmp_path / "new"))
    assert [fight["record"] for fight in found["fights"]] == [str(tmp_path / "new" / f"000{k}.hrr") for k in (0, 1)]
    for fight in found["fights"]:
        record = read_record(fight["record"])
        check(record)
        assert record.seats["knight_0"]["agent"] == found["sides"][fight["seats"]["knight_0"]]["name"]
        assert {record.game.teams[record.game.agents.index(seat)] for seat, side in fight["seats"].items()
                if side == fight["winner"]} == set(record.winners)  # fmt: skip
    with pytest.raises(HeartRushError, match="it holds records already"):
        run("might", "might", "--fights", "1", "--record", str(tmp_path / "new"))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nobody", "might"), "There is no agent 'nobody'"),
        (("might", "exec:"), "names no program"),
        (("might", "exec:no_such_program here"), "no_such_program cannot be started"),
        (("might", "might", "--scenario", "free_for_all"), "A match is between two teams"),
        (("might", "might", "--scenario", "no_such"), "no_such"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(words: tuple[str, ...], says: str) -> None:
    with pytest.raises(HeartRushError, match=says) as caught:
        run(*words, "--seed", "1")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("words", [("--fights", "0"), ("--fights", "many"), ("--budget-ms", "-5"), ("--seed", "1.5")])
def test_numbers_that_are_none_are_refused(capsys: Out, words: tuple[str, ...]) -> None:
    assert run("might", "might", *words) == 2
    assert "is no whole number of at least" in capsys.readouterr().err

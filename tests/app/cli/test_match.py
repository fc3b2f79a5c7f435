"""`heartrush match`: what it prints, what it refuses, and that it always comes to an end."""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.cli import match
from heartrush_env.app.cli.command import add_command
from heartrush_env.records.record import read_record
from heartrush_env.records.replay import check
from heartrush_env.tabletop import writing
from heartrush_env.tabletop.errors import HeartRushError
from tests.processes import PATIENCE, runs, started, wait_until

ROOT = Path(__file__).resolve().parents[3]
ENGINE = f"exec:{sys.executable} {ROOT / 'clients' / 'python' / 'engine.py'}"

Out = pytest.CaptureFixture[str]


def run(*words: str) -> int:
    """Run the command in this process; returns its exit code."""
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers(), match)
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
    assert "draws" in lines[3] and lines[4].startswith("  B got the fallback, dead: ")
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
    with pytest.raises(HeartRushError, match="expected a folder without records of other matches"):
        run("might", "might", "--fights", "1", "--record", str(tmp_path / "new"))


def test_an_interrupted_match_goes_over_its_own_records_and_no_others(
    capsys: Out, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("might", "uniform", "--fights", "3", "--seed", "3", "--record", str(tmp_path))
    found = match_json(capsys, *words)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert sorted(files) == ["0000.hrr", "0001.hrr", "0002.hrr"]
    (tmp_path / "0002.hrr").unlink()  # as if it had been killed there, in the midst of writing
    (tmp_path / ".0002.hrr.4194304.0.part").write_bytes(files["0002.hrr"][:-7])
    monkeypatch.setattr(writing, "_CLEANED", set())  # as in another process
    assert match_json(capsys, *words) == found
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
    for other in (
        ("might", "uniform", "--fights", "2", "--seed", "3"),
        ("might", "uniform", "--fights", "3", "--seed", "4"),
        ("uniform", "might", "--fights", "3", "--seed", "3"),
        ("might", "uniform", "--fights", "3", "--seed", "3", "--scenario", "mirror_duel"),
    ):
        with pytest.raises(HeartRushError, match="expected a folder without records of other matches"):
            run(*other, "--record", str(tmp_path))
    (tmp_path / "0001.hrr").write_bytes(files["0001.hrr"][:-7])
    with pytest.raises(HeartRushError, match=r"0001\.hrr, line \d+: expected all lines up to the record's end"):
        run(*words)
    assert (tmp_path / "0000.hrr").read_bytes() == files["0000.hrr"]


# A program that answers hello, writes down its number, and then neither answers nor leaves where its input ends.
STUBBORN = """
import os, pathlib, sys, time
hello = sys.stdin.readline()
print('{"type":"identity","protocol":1,"name":"stubborn","author":"a test","version":"1","plays":{},"options":[]}')
print('{"type":"ready"}', flush=True)
sys.stdin.readline()
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
while True:
    time.sleep(1)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize("how", ["SIGINT", pytest.param("SIGTERM", marks=pytest.mark.long), "SIGHUP"])
def test_a_signal_to_the_referee_ends_the_program(how: str, tmp_path: Path) -> None:
    number, engine, asked = getattr(signal, how), tmp_path / "engine.py", tmp_path / "asked"
    engine.write_text(STUBBORN)
    program = f"exec:{sys.executable} {engine} {asked}"
    words = ("match", program, "might", "--seed", "1", "--budget-ms", "600000")
    with started(sys.executable, "-m", "heartrush_env.app.cli.main", *words, stderr=subprocess.PIPE) as referee:
        wait_until(lambda: asked.exists() and asked.read_text().isdigit(), "it was never asked")
        asked_one = int(asked.read_text())
        assert runs(asked_one)
        referee.send_signal(number)
        _, told = referee.communicate(timeout=PATIENCE)
        assert referee.returncode == 128 + number and b"Traceback" not in told
        wait_until(lambda: not runs(asked_one), "the program still runs")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nobody", "might"), "Unknown agent 'nobody'"),
        (("might", "exec:"), "Expected a program, as in"),
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
    assert "is not a whole number of at least" in capsys.readouterr().err

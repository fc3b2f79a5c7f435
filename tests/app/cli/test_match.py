"""`heartrush match`: what it prints and records, and that it always comes to an end."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from heartrush_env.records.record import read_record
from heartrush_env.records.replay import check
from heartrush_env.tabletop import writing
from tests.app.cli.running import Out, as_json, printed, refusal
from tests.processes import PATIENCE, runs, started, wait_until

ROOT = Path(__file__).resolve().parents[3]
ENGINE = f"exec:{sys.executable} {ROOT / 'clients' / 'python' / 'engine.py'}"


def test_a_program_and_an_agent_fight_and_are_counted(capsys: Out) -> None:
    words = ("match", ENGINE, *"uniform --fights 4 --seed 3".split())
    found = as_json(capsys, *words)
    assert (found["scenario"], found["seed"], found["budget_ms"]) == ("duel", 3, 1000)
    assert [side["kind"] for side in found["sides"]] == ["program", "agent"] and found["sides"][1]["name"] == "uniform"
    assert found["sides"][0]["wins"] + found["sides"][1]["wins"] + found["draws"] == 4 == len(found["fights"])
    assert all(side["faults"] == {} and side["low"] <= side["share"] <= side["high"] for side in found["sides"])
    assert [fight["seats"]["knight_0"] for fight in found["fights"]] == [0, 1, 0, 1]
    assert as_json(capsys, *words) == found


def test_the_text_says_who_won_and_what_was_wrong(capsys: Out) -> None:
    dead = f"exec:{sys.executable} -c pass"
    lines = printed(capsys, "match --fights 2 --seed 3 --scenario mirror_duel might", dead).splitlines()
    assert lines[0] == "mirror_duel, fights: 2, seed 3; 95 % intervals in brackets"
    assert lines[1].startswith("  A (might) wins") and lines[1].split()[3:6] == ["2", "100.0", "%"]
    assert "draws" in lines[3] and lines[4].startswith("  B got the fallback, dead: ")
    assert "It never said that it is ready: " in lines[4] and len(lines) == 5


def test_records_are_written_and_replay(capsys: Out, tmp_path: Path) -> None:
    found = as_json(capsys, "match --fights 2 --seed 3 might", ENGINE, "--record", tmp_path / "new")
    assert [fight["record"] for fight in found["fights"]] == [str(tmp_path / "new" / f"000{k}.hrr") for k in (0, 1)]
    for fight in found["fights"]:
        record = read_record(fight["record"])
        check(record)
        assert record.seats["knight_0"]["agent"] == found["sides"][fight["seats"]["knight_0"]]["name"]
        assert {record.game.teams[record.game.agents.index(seat)] for seat, side in fight["seats"].items()
                if side == fight["winner"]} == set(record.winners)  # fmt: skip
    said = refusal(capsys, "match might might --fights 1 --record", tmp_path / "new")
    assert "expected a folder without records" in said


def test_an_interrupted_match_goes_over_its_own_records_and_no_others(
    capsys: Out, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("match might uniform --fights 3 --seed 3 --record", tmp_path)
    found = as_json(capsys, *words)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert sorted(files) == ["0000.hrr", "0001.hrr", "0002.hrr"]
    (tmp_path / "0002.hrr").unlink()  # as if the program had been killed while writing this file
    (tmp_path / ".0002.hrr.4194304.0.part").write_bytes(files["0002.hrr"][:-7])
    monkeypatch.setattr(writing, "_CLEANED", set())  # as in another process
    assert as_json(capsys, *words) == found
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
    for other in (
        "might uniform --fights 2 --seed 3",
        "might uniform --fights 3 --seed 4",
        "uniform might --fights 3 --seed 3",
        "might uniform --fights 3 --seed 3 --scenario mirror_duel",
    ):
        assert "expected a folder without records" in refusal(capsys, f"match {other} --record", tmp_path)
    (tmp_path / "0001.hrr").write_bytes(files["0001.hrr"][:-7])
    said = refusal(capsys, *words)
    assert re.search(r"0001\.hrr, line \d+: expected all lines up to the record's end", said)
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
@pytest.mark.parametrize(
    "how", ["SIGINT", *(pytest.param(name, marks=pytest.mark.long) for name in ("SIGTERM", "SIGHUP"))]
)
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

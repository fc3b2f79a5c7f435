"""`heartrush replay` and `heartrush fight --record`."""

from __future__ import annotations

import argparse
import io
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.cli import replay
from heartrush_env.app.cli.main import main
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.records import record as module
from heartrush_env.records.record import read_record
from tests.records.recorded import record, summed

Out = pytest.CaptureFixture[str]


def run(*words: str) -> int:
    try:
        return main(words)
    except SystemExit as end:
        return int(end.code or 0)


@pytest.fixture
def duel(tmp_path: Path) -> str:
    """A duel that the command line recorded."""
    path = str(tmp_path / "duel.hrr")
    assert run("fight", "duel", "--red", "uniform", "--blue", "random", "--seed", "7", "--record", path) == 0
    return path


def body(told: str) -> list[str]:
    """What is told of a fight, without its last line."""
    return told.splitlines()[:-1]


@pytest.mark.parametrize("how", [[], ["--rounds"]])
def test_a_replay_tells_what_the_fight_told(how: list[str], duel: str, capsys: Out) -> None:
    capsys.readouterr()
    assert run("fight", "duel", "--red", "uniform", "--blue", "random", "--seed", "7", *how) == 0
    told = capsys.readouterr().out
    assert run("replay", duel, *how) == 0
    again = capsys.readouterr().out
    assert body(again) == body(told)
    assert again.endswith("As recorded: seed 7, fight 0.\n")


def test_a_record_is_filmed_as_the_fight_was(duel: str, tmp_path: Path, capsys: Out) -> None:
    pytest.importorskip("pygame")
    live, later = tmp_path / "live.gif", tmp_path / "later.gif"
    assert run("fight", "duel", "--red=uniform", "--blue=random", "--seed=7", "--record", str(live), "--json") == 0
    capsys.readouterr()
    assert run("replay", duel, "--record", str(later), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"film": str(later), "windows": len(read_record(duel).steps) - 1}
    assert later.read_bytes() == live.read_bytes()


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("no/such/folder/x.gif", "expected an existing folder, got 'no/such/folder'"),
        ("x.avi", "Expected a file ending in .gif or .mp4"),
    ],
)
def test_a_film_that_cannot_be_is_refused_first(place: str, said: str, duel: str, capsys: Out) -> None:
    pytest.importorskip("pygame")
    assert run("replay", duel, "--record", place) == 2
    assert said in capsys.readouterr().err


def test_the_same_seed_writes_the_same_file(duel: str, tmp_path: Path) -> None:
    """And writing a fight down changes nothing of it."""
    again = tmp_path / "again.hrr"
    assert run("fight", "duel", "--red=uniform", "--blue=random", "--seed=7", "--record", str(again), "--json") == 0
    assert again.read_bytes() == Path(duel).read_bytes()
    assert [facts["agent"] for facts in read_record(duel).seats.values()] == ["random", "uniform"]
    steps = read_record(duel).steps
    assert any(len(step.actions) < 2 for step in steps[1:]), "who had one legal action is left out"


def test_many_fights_are_written_into_a_folder(tmp_path: Path, capsys: Out) -> None:
    folder = tmp_path / "duels"
    assert run("fight", "duel", "--fights", "3", "--seed", "7", "--decisions", "stance", "--record", str(folder)) == 0
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == ["000000.hrr", "000001.hrr", "000002.hrr"]
    assert [(read_record(file).seed, read_record(file).fight) for file in files] == [(7, 0), (7, 1), (7, 2)]
    capsys.readouterr()
    assert run("replay", "--check", *map(str, files)) == 0
    windows = sum(len(read_record(file).steps) - 1 for file in files)
    assert capsys.readouterr().out == f"3 fights, {windows} windows: every event agrees with the rules.\n"
    assert run("replay", "--check", "--json", str(files[0])) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"fights": 1, "windows": len(read_record(files[0]).steps) - 1, "same": True}


def test_a_replay_as_json(duel: str, capsys: Out) -> None:
    capsys.readouterr()
    assert run("fight", "duel", "--red", "uniform", "--blue", "random", "--seed", "7", "--json") == 0
    fought = json.loads(capsys.readouterr().out)
    assert run("replay", duel, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    for key in ("scenario", "digest", "seed", "fight", "fighters", "rounds", "cause", "winners", "events"):
        assert told[key] == fought[key]
    assert told["seats"] == {"knight_0": "random", "duelist_0": "uniform"}
    assert told["dice"] is None and sorted(told["rewards"].values()) in ([-1.0, 1.0], [0.0, 0.0])


def test_decisions_as_parquet(duel: str, tmp_path: Path, capsys: Out) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="datasets need the extra `data`")
    out = str(tmp_path / "out.parquet")
    capsys.readouterr()
    assert run("replay", "--dataset", out, duel, duel) == 0
    rows = parquet.read_table(out).num_rows
    assert capsys.readouterr().out == f"{out}: {rows} decisions of 2 fights.\n"
    assert run("replay", "--dataset", out, duel, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"dataset": out, "fights": 1, "decisions": rows // 2}


# -- waiting -----------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """Somebody who looks and types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def told() -> Callable[..., None]:
    """Tell a short fight, with these options."""
    recorder, happened = record(HeartRush("duel", decisions="stance", max_cycles=3), 7)

    def tell(path: Path, **options: Any) -> None:
        told = read_record(recorder.write(path / "fight.hrr"))
        given = {"rounds": False, "step": False, "pause": 0.0, **options}
        replay.tell(told, happened, argparse.Namespace(**given))

    return tell


def test_a_pause_is_made_between_windows(told: Callable[..., None], tmp_path: Path, monkeypatch: Any) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    told(tmp_path, pause=0.5)
    assert pauses == [0.5] * 3  # four parts: the beginning and three windows


def test_stepping_waits_for_enter_on_a_terminal(told: Callable[..., None], tmp_path: Path, monkeypatch: Any) -> None:
    typed = Terminal("\n" * 9)
    shown = Terminal()
    monkeypatch.setattr(sys, "stdin", typed)
    monkeypatch.setattr(sys, "stdout", shown)
    told(tmp_path, step=True)
    assert typed.tell() == 3
    assert "Round 3" in shown.getvalue()


def test_stepping_waits_for_nobody_where_there_is_no_terminal(
    told: Callable[..., None], tmp_path: Path, monkeypatch: Any, capsys: Out
) -> None:
    typed = io.StringIO("\n" * 9)
    monkeypatch.setattr(sys, "stdin", typed)
    told(tmp_path, step=True)
    assert typed.tell() == 0
    assert "Round 3" in capsys.readouterr().out


def test_who_stops_typing_sees_the_rest(told: Callable[..., None], tmp_path: Path, monkeypatch: Any) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(""))
    monkeypatch.setattr(sys, "stdout", shown)
    told(tmp_path, step=True)
    assert "Round 3" in shown.getvalue()


# -- refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["replay"], "FILE"),
        (["replay", "no.hrr"], "no.hrr: expected a record, but there is no such file."),
        (["replay", "a", "b"], "Expected one file, or several with --check or --dataset, got 2 files."),
        (["replay", "a", "--check", "--dataset", "b"], "not allowed with"),
        (["replay", "a", "--step", "--pause", "1"], "not allowed with"),
        (["replay", "a", "--pause", "-1"], "'-1' is not a number of seconds from 0 to 3600"),
        (["replay", "a", "--pause", "nan"], "'nan' is not a number of seconds from 0 to 3600"),
        (["replay", "a", "--pause", "long"], "'long' is not a number of seconds from 0 to 3600"),
        (["fight", "duel", "--record", "no/such/file"], "--record: expected an existing folder, got 'no/such'."),
        (
            ["replay", "HERE/film.gif"],
            "film.gif: expected a record, ",
        ),
        (
            ["replay", "--check", "HERE/film.gif"],
            "expected a record, FILE.hrr as written by heartrush fight --record, got a picture, a film or ",
        ),
        (["fight", "duel", "--record", "HERE/x.png"], "--record: expected a file ending in .hrr, .gif or .mp4, got '"),
        (["fight", "duel", "--record", "HERE"], "--record: expected a file for one fight, got the folder "),
        (
            ["fight", "duel", "--fights", "2", "--record", "HERE/file"],
            "--record: expected a folder for many fights, got the file ",
        ),
    ],
)
def test_bad_input_is_refused_in_one_sentence(words: list[str], said: str, tmp_path: Path, capsys: Out) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "film.gif").write_bytes(b"GIF89a\x20\x03\x58\x02\xf6\x7f\xff")
    assert run(*[word.replace("HERE", str(tmp_path)) for word in words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert printed.err.count("\n") == 1 and printed.err.endswith(".\n")
    assert {path.name for path in tmp_path.iterdir()} == {"file", "film.gif"}


@pytest.mark.parametrize("how", [[], ["--check"], ["--json"], ["--dataset", "out.parquet"]])
def test_a_damaged_record_is_refused_before_anything_is_told(how: list[str], duel: str, capsys: Out) -> None:
    path = Path(duel)
    path.write_bytes(path.read_bytes().replace(b"stance might", b"stance agility", 1))
    capsys.readouterr()
    assert run("replay", duel, *how) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1 and "SHA-256 does not match." in printed.err


@pytest.mark.parametrize("how", [[], ["--check"], ["--json"], ["--dataset", "out.parquet"]])
def test_a_record_that_lies_is_refused_before_anything_is_told(how: list[str], duel: str, capsys: Out) -> None:
    lines = [json.loads(line) for line in Path(duel).read_text().splitlines()]
    lines[-1]["end"]["winners"] = ["blue", "red"]
    Path(duel).write_bytes(summed(lines))
    capsys.readouterr()
    assert run("replay", duel, *how) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert " by the rules, got 'victory' and winners ['blue', 'red']." in printed.err


def test_help_gives_examples(capsys: Out) -> None:
    assert run("replay", "--help") == 0
    assert "examples:\n  heartrush " in capsys.readouterr().out


def test_the_suffix_of_the_examples_is_the_one_that_is_written() -> None:
    assert f"duel{module.SUFFIX}" in replay.EXAMPLES

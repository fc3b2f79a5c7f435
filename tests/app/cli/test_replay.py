"""`heartrush replay` and `heartrush fight --record`."""

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
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.records import record as module
from heartrush_env.records.record import read_record
from tests.app.cli.running import Out, as_json, printed, refusal, run
from tests.app.cli.scripted import Terminal
from tests.records.recorded import record, summed

DUEL = "fight duel --red uniform --blue random --seed 7"


@pytest.fixture
def duel(tmp_path: Path) -> str:
    """Record a duel by the command line, and return the file's path."""
    path = str(tmp_path / "duel.hrr")
    assert run(DUEL, "--record", path) == 0
    return path


@pytest.mark.parametrize("how", ["", "--rounds"])
def test_a_replay_tells_what_the_fight_told(how: str, duel: str, capsys: Out) -> None:
    capsys.readouterr()
    told = printed(capsys, f"{DUEL} {how}").splitlines()
    assert printed(capsys, f"replay {how}", duel).splitlines() == [*told[:-1], "As recorded: seed 7, fight 0."]


@pytest.mark.long
def test_a_record_is_filmed_as_the_fight_was(duel: str, tmp_path: Path, capsys: Out) -> None:
    pytest.importorskip("pygame")
    live, later = tmp_path / "live.gif", tmp_path / "later.gif"
    assert run(f"{DUEL} --json --record", live) == 0
    capsys.readouterr()
    told = as_json(capsys, "replay", duel, "--record", later)
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
    assert said in refusal(capsys, "replay", duel, "--record", place)


def test_the_same_seed_writes_the_same_file(duel: str, tmp_path: Path) -> None:
    """Two recorded runs with one seed write equal files, and recording does not change the fight."""
    again = tmp_path / "again.hrr"
    assert run(f"{DUEL} --json --record", again) == 0
    assert again.read_bytes() == Path(duel).read_bytes()
    assert [facts["agent"] for facts in read_record(duel).seats.values()] == ["random", "uniform"]
    steps = read_record(duel).steps
    assert any(len(step.actions) < 2 for step in steps[1:]), "who had one legal action is left out"


def test_many_fights_are_written_into_a_folder(tmp_path: Path, capsys: Out) -> None:
    folder = tmp_path / "duels"
    assert run("fight duel --fights 3 --seed 7 --decisions stance --record", folder) == 0
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == ["000000.hrr", "000001.hrr", "000002.hrr"]
    assert [(read_record(file).seed, read_record(file).fight) for file in files] == [(7, 0), (7, 1), (7, 2)]
    capsys.readouterr()
    windows = [len(read_record(file).steps) - 1 for file in files]
    told = printed(capsys, "replay --check", *files)
    assert told == f"3 fights, {sum(windows)} windows: every event agrees with the rules.\n"
    assert as_json(capsys, "replay --check", files[0]) == {"fights": 1, "windows": windows[0], "same": True}


def test_a_replay_as_json(duel: str, capsys: Out) -> None:
    capsys.readouterr()
    fought, told = as_json(capsys, DUEL), as_json(capsys, "replay", duel)
    for key in ("scenario", "digest", "seed", "fight", "fighters", "rounds", "cause", "winners", "events"):
        assert told[key] == fought[key]
    assert told["seats"] == {"knight_0": "random", "duelist_0": "uniform"}
    assert told["dice"] is None and sorted(told["rewards"].values()) in ([-1.0, 1.0], [0.0, 0.0])


def test_decisions_as_parquet(duel: str, tmp_path: Path, capsys: Out) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="datasets need the extra `data`")
    out = str(tmp_path / "out.parquet")
    capsys.readouterr()
    told = printed(capsys, "replay --dataset", out, duel, duel)
    rows = parquet.read_table(out).num_rows
    assert told == f"{out}: {rows} decisions of 2 fights.\n"
    found = as_json(capsys, "replay --dataset", out, duel)
    assert found == {"dataset": out, "fights": 1, "decisions": rows // 2}


# -- waiting -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def told() -> Callable[..., None]:
    """Return a function that replays a short fight with the given options."""
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


@pytest.mark.parametrize(
    ("typed", "taken"),
    [(Terminal("\n" * 9), 3), (Terminal(""), 0), (io.StringIO("\n" * 9), 0)],
    ids=["enter is typed", "whoever stops typing sees the rest", "no terminal"],
)
def test_stepping_waits_for_enter_on_a_terminal(
    typed: io.StringIO, taken: int, told: Callable[..., None], tmp_path: Path, monkeypatch: Any
) -> None:
    shown = type(typed)()
    monkeypatch.setattr(sys, "stdin", typed)
    monkeypatch.setattr(sys, "stdout", shown)
    told(tmp_path, step=True)
    assert typed.tell() == taken and "Round 3" in shown.getvalue()


# -- refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("replay HERE/film.gif", "film.gif: expected a record, "),
        (
            "replay --check HERE/film.gif",
            ", FILE.hrr as written by heartrush fight --record, got a picture, a film or ",
        ),
        ("fight duel --record HERE/x.png", "--record: expected a file ending in .hrr, .gif or .mp4, got '"),
        ("fight duel --record HERE", "--record: expected a file for one fight, got the folder "),
        ("fight duel --fights 2 --record HERE/file", "--record: expected a folder for many fights, got the file "),
    ],
)
def test_a_place_that_cannot_be_is_refused_and_stays_as_is(words: str, said: str, tmp_path: Path, capsys: Out) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "film.gif").write_bytes(b"GIF89a\x20\x03\x58\x02\xf6\x7f\xff")
    assert said in refusal(capsys, "", *(word.replace("HERE", str(tmp_path)) for word in words.split()))
    assert {path.name for path in tmp_path.iterdir()} == {"file", "film.gif"}


@pytest.mark.parametrize("how", ["", "--check", "--json", "--dataset out.parquet"])
def test_a_damaged_record_is_refused_before_anything_is_told(how: str, duel: str, capsys: Out) -> None:
    path = Path(duel)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"stance might", b"stance agility", 1))
    assert "SHA-256 does not match." in refusal(capsys, f"replay {how}", duel)
    lines = [json.loads(line) for line in content.splitlines()]
    lines[-1]["end"]["winners"] = ["blue", "red"]  # a lie whose sum is right
    path.write_bytes(summed(lines))
    assert " by the rules, got 'victory' and winners ['blue', 'red']." in refusal(capsys, f"replay {how}", duel)


def test_the_suffix_of_the_examples_is_the_one_that_is_written() -> None:
    assert f"duel{module.SUFFIX}" in replay.EXAMPLES

"""Which input a recorder accepts, and what its file says."""

import json
import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from heartrush_env import __version__
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.records import recorder as module
from heartrush_env.records.record import RecordError, read_record
from heartrush_env.records.recorder import Recorder
from heartrush_env.tabletop.errors import HeartRushError
from tests.processes import ROOT, finished
from tests.records.recorded import SHORT, lines_of, record, write

DUEL = HeartRush("duel")
SEATS = {"knight_0": {"agent": "random"}, "duelist_0": {"agent": "random"}}
ROUND = [{"type": "round", "round": 1}]


def test_the_lines_of_a_record() -> None:
    """The lines are the header, the beginning, the windows and the end, as the page of the protocol describes them."""
    recorder, happened = record(HeartRush(**SHORT), seed=7, fight=2)
    head, beginning, *steps, end = lines_of(recorder)
    assert {key: head[key] for key in ("format", "version", "heartrush_env", "seed", "fight", "dice", "started")} == {
        "format": "heartrush-record", "version": 1, "heartrush_env": __version__, "seed": 7, "fight": 2, "dice": None,
        "started": None,
    }  # fmt: skip
    assert head["seats"] == SEATS
    assert head["digest"] == recorder.game.digest
    assert [fighter["id"] for fighter in head["game"]["scenario"]["fighter"]] == ["knight", "duelist"]
    assert beginning == {"step": -1, "events": happened[0]}
    assert [step["step"] for step in steps] == [0, 1, 2]
    assert [step["events"] for step in steps] == happened[1:]
    assert all(action.startswith("stance ") for step in steps for action in step["actions"].values())
    assert end["steps"] == 3
    assert end["end"] == {"cause": "max_cycles", "winners": [], "rewards": {"knight_0": 0.0, "duelist_0": 0.0}}


def test_the_same_fight_is_the_same_bytes() -> None:
    assert record(DUEL, 7)[0].content == record(DUEL, 7)[0].content != record(DUEL, 8)[0].content


def test_actions_by_name_and_by_number_are_the_same() -> None:
    contents = []
    for action in ("stance might", DUEL.action_names.index("stance might")):
        recorder = Recorder(DUEL, (7, 0), SEATS)
        recorder.begin(ROUND)
        recorder.step({"knight_0": action, "duelist_0": None}, [], ["duelist_0"])
        recorder.end({"knight_0": 0, "duelist_0": 0})
        contents.append(recorder.content)
    assert contents[0] == contents[1]
    assert b'{"step":0,"actions":{"knight_0":"stance might"},"events":[],"fallback":["duelist_0"]}' in contents[0]


def test_what_stood_in_is_not_written_as_a_choice() -> None:
    recorder = Recorder(DUEL, (7, 0), SEATS)
    recorder.begin(ROUND)
    recorder.step({"knight_0": "take", "duelist_0": "pass"}, [], {"knight_0", "duelist_0"})
    assert json.loads(recorder._lines[1]) == {
        "step": 0, "actions": {}, "events": [], "fallback": ["knight_0", "duelist_0"],
    }  # fmt: skip


def test_dice_that_were_learned_on_the_way_and_the_time_are_written(tmp_path: Path) -> None:
    recorder = Recorder(DUEL, (7, 0), SEATS, started=datetime(2026, 3, 1, 12, tzinfo=UTC))
    recorder.begin(ROUND)
    recorder.dice = [1, 2]
    recorder.end({"knight_0": 0, "duelist_0": 0})
    read = read_record(recorder.write(tmp_path / "fight.hrr"))
    assert (read.dice, read.started) == ((1, 2), "2026-03-01T12:00:00+00:00")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"key": (-1, 0)}, "record: seed: expected a whole number from 0 to"),
        ({"key": (0, 2**63)}, "record: fight: expected a whole number from 0 to"),
        ({"key": (0.5, 0)}, "The seed: expected a whole number, got 0.5"),
        ({"seats": {"knight_0": {"agent": "random"}}},
         "seats: expected one each for knight_0, duelist_0, got ['knight_0']"),
        ({"seats": {**SEATS, "rogue_0": {}}}, "There is no agent 'rogue_0'"),
        ({"seats": {**SEATS, "knight_0": {}}},
         "seats: knight_0: agent: expected a line of text of at most 1000 characters, got None"),
        ({"seats": {**SEATS, "knight_0": {"agent": "a\x1b[2J"}}},
         "seats: knight_0: agent: expected a line of text of at most 1000 characters, got 'a\\x1b[2J'"),
        ({"seats": {**SEATS, "knight_0": {"agent": "a", "x": {1}}}}, "cannot be written as JSON"),
        ({"seats": {**SEATS, "knight_0": {"agent": "a", "x": float("nan")}}}, "cannot be written as JSON"),
        ({"seats": {**SEATS, "knight_0": {"agent": "a", "x": "x" * 2**20}}}, "expected at most 1048576 bytes"),
        ({"dice": [0]}, "expected at least 1"),
    ],
)  # fmt: skip
def test_a_recorder_says_at_once_what_is_wrong(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(HeartRushError) as refusal:
        Recorder(**{"game": DUEL, "key": (7, 0), "seats": SEATS, **changed})
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value) and str(refusal.value).endswith(".")


def test_a_recorder_is_used_in_its_order() -> None:
    recorder = Recorder(DUEL, (7, 0), SEATS)
    for early in (lambda: recorder.step({}, []), lambda: recorder.end({}), lambda: recorder.content):
        with pytest.raises(HeartRushError):
            early()
    recorder.begin(ROUND)
    with pytest.raises(HeartRushError, match="twice"):
        recorder.begin(ROUND)
    for actions, said in [
        ({"knight_0": "stance migth"}, "'stance migth'"),
        ({"knight_0": 10_000}, "10000"),
        ({"knight_0": -1}, "got -1"),
        ({"knight_0": True}, "whole number"),
        ({"wolf_0": "pass"}, "no agent 'wolf_0'"),
    ]:
        with pytest.raises(HeartRushError, match=said):
            recorder.step(actions, [])
    with pytest.raises(HeartRushError, match="no agent 'wolf_0'"):
        recorder.step({}, [], ["wolf_0"])
    recorder.end({"knight_0": 0, "duelist_0": 0})
    for late in (lambda: recorder.step({}, []), lambda: recorder.end({})):
        with pytest.raises(HeartRushError, match="out of order"):
            late()


def test_a_fight_that_is_too_long_is_refused_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FILE", 3 * module.MAX_LINE)
    recorder = Recorder(DUEL, (7, 0), SEATS)
    recorder.begin(ROUND)
    long = [{"type": "x", "words": "x" * (module.MAX_LINE - 100)}]
    with pytest.raises(RecordError, match="of at most 3 MiB"):
        for _ in range(3):
            recorder.step({}, long)


# -- the file ---------------------------------------------------------------------------------------------------------


def test_nothing_is_left_when_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder, _ = record(HeartRush(**SHORT), 7)
    write(tmp_path, b"before")

    def broken(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(RecordError, match=r"it cannot be written \(No space left on device\)\.$"):
        recorder.write(tmp_path / "fight.hrr")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("fight.hrr", b"before")]
    with pytest.raises(RecordError, match="No such file or directory"):
        recorder.write(tmp_path / "no" / "fight.hrr")


KILLED = """
import os, signal, sys
from pathlib import Path
from heartrush_env.games.heart_rush.game import HeartRush
from tests.records.recorded import SHORT, record
recorder, _ = record(HeartRush(**SHORT), 7)
whole = Path.write_bytes
def half(self, content):
    whole(self, content[: len(content) // 2])
    os.kill(os.getpid(), signal.SIGKILL)
Path.write_bytes = half
recorder.write(sys.argv[1])
"""


def test_a_record_is_never_half_written_even_by_who_is_killed(tmp_path: Path) -> None:
    path = write(tmp_path, b"before")
    end = finished(sys.executable, "-c", KILLED, str(path), cwd=ROOT)
    assert end.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"before"
    assert not [other for other in tmp_path.glob("*.hrr") if other != path], "what is left is no record by its name"


def test_a_record_replaces_what_was_there(tmp_path: Path) -> None:
    recorder, _ = record(HeartRush(**SHORT), 7)
    path = recorder.write(write(tmp_path, b"before"))
    assert path.read_bytes() == recorder.content
    assert [other.name for other in tmp_path.iterdir()] == ["fight.hrr"]

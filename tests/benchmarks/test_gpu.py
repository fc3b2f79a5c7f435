"""The scripts for a machine with a GPU: what they run, what they say, and that a stand-in runs them to the end."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from llvmlite import binding as llvm

from benchmarks import gpu, gpu_strength
from heartrush_env.app.cli.main import make_parser
from heartrush_env.tabletop.compiling.ptx import OLDEST_LLVM
from heartrush_env.tabletop.device import opening
from heartrush_env.tabletop.kernels import PLAIN
from tests.standin import StandIn

DIGESTS = Path(gpu.__file__).with_name("digests.json")
MAKE_DIGESTS = "`python -m benchmarks.gpu digests benchmarks/digests.json`"
Capture = pytest.CaptureFixture[str]
on_stand_in = pytest.mark.skipif(PLAIN or llvm.llvm_version_info < OLDEST_LLVM, reason="a device runs compiled kernels")


def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the GPU by a stand-in."""
    device = StandIn()
    monkeypatch.setattr(opening, "cuda_device", lambda number: device)


def play(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    """Run the script of digests and speeds with these words."""
    monkeypatch.setattr(sys, "argv", ["gpu", *words])
    gpu.main()


def test_a_check_compares_then_measures_and_names_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(gpu, "digest", lambda row, device: f"{row} here" if row == "map" and device != "cpu" else row)
    monkeypatch.setattr(gpu, "speed", lambda row, fights, device, seconds: {"agent-steps": 2e6})
    monkeypatch.setattr(gpu, "peer_speed", lambda fights, seconds: None)
    file = tmp_path / "digests.json"
    play(monkeypatch, "digests", str(file))
    assert json.loads(file.read_text()).keys() == gpu.COMPARED.keys() >= {"stance", "full", "melee", "map"}
    assert {"corpus_duel", "corpus_bridge", "corpus_tower"} <= gpu.COMPARED.keys()
    with pytest.raises(SystemExit, match="different from the processor: map, 500 fights compared"):
        play(monkeypatch, "check", str(file), "--rows", "stance", "map")
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "stance, 10000 fights compared", "map, 500 fights compared",
        *(f"{row}, {fights} fights" for row in ("stance", "map") for fights in gpu.SIZES[row]),
        *(f"JaxMARL SMAX 3m, {fights} fights" for fights in gpu.PEERS),
    ]  # fmt: skip
    assert lines[0].startswith("stance, 10000 fights compared: equal, ")
    assert lines[2] == "stance, 8192 fights: 2.00 M agent-steps/s"
    assert lines[-1].endswith(": not installed")


def test_a_check_stops_at_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(gpu, "digest", lambda row, device: row)
    file = tmp_path / "digests.json"
    play(monkeypatch, "digests", str(file), "--rows", "full")
    play(monkeypatch, "check", str(file), "--rows", "full", "--limit", "-1")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + len(gpu.SIZES["full"]) + len(gpu.PEERS)
    assert all(line.endswith(": no time left") for line in lines)


@pytest.mark.skipif(PLAIN, reason="plain Python takes minutes")
@pytest.mark.parametrize("row", ["corpus_duel", "corpus_melee"])
def test_the_digests_are_those_of_these_rules(row: str) -> None:
    digests = json.loads(DIGESTS.read_text())
    assert digests.keys() == gpu.COMPARED.keys()
    assert digests[row] == gpu.digest(row, "cpu"), f"the fights have changed; make them anew with {MAKE_DIGESTS}"


@pytest.mark.long
@on_stand_in
def test_a_stand_in_runs_the_check_to_its_last_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    stand_in(monkeypatch)
    fights = {"stance": 70, "full": 16}
    monkeypatch.setattr(gpu, "COMPARED", fights)
    monkeypatch.setattr(gpu, "SIZES", {row: (number,) for row, number in fights.items()})
    monkeypatch.setattr(gpu, "PEERS", (16,))
    monkeypatch.setattr(gpu, "peer_speed", lambda fights, seconds: None)
    file = tmp_path / "digests.json"
    play(monkeypatch, "digests", str(file), "--rows", *fights)
    play(monkeypatch, "check", str(file), "--rows", *fights, "--limit", "1000", "--seconds", "0.1")
    lines = capsys.readouterr().out.splitlines()
    assert [line.rpartition(": ")[0] for line in lines] == [
        *(f"{row}, {number} fights compared" for row, number in fights.items()),
        *(f"{row}, {number} fights" for row, number in fights.items()),
        "JaxMARL SMAX 3m, 16 fights",
    ]


@pytest.mark.long
@on_stand_in
def test_a_stand_in_runs_the_script_of_strength_to_its_last_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """The agents are weak after seconds; that each step ends, and what the last line holds, is checked."""
    stand_in(monkeypatch)
    sizes = ["--limit", "10", "--fights", "16", "--batch-size", "64", "--rate-fights", "20"]
    assert gpu_strength.main([str(tmp_path), *sizes]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["rows_per_second"] > 0
    assert 0 < last["plain_nash_conv"] <= 2, "best responses win every fight at 2"


def test_the_strength_of_agents_is_measured_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    asked: list[list[str]] = []

    def command(words: list[str]) -> int:
        make_parser().parse_args(words)  # ends the process if there is no such command
        asked.append(words)
        if words[0] == "train":
            folder = Path(words[words.index("--out") + 1])
            folder.mkdir(parents=True)
            training: dict[str, Any] = {"samples": 900, "seconds": 3, "nash_conv": 0.25}
            (folder / "card.json").write_text(json.dumps({"training": training}))
        return 0

    monkeypatch.setattr(gpu_strength, "heartrush", command)
    assert gpu_strength.main([str(tmp_path), "--limit", "100", "--fights", "8"]) == 0
    assert [words[0] for words in asked] == ["train", "rate", "exploit", "exploit", "train"]
    seconds = [float(words[words.index("--seconds") + 1]) for words in asked if "--seconds" in words]
    assert seconds == [33, 8, 8, 20]
    assert all(words[words.index("--device") + 1] == "cuda" for words in asked if words[0] != "rate")
    assert asked[0][asked[0].index("--sparring") + 1] == "", "no partner needs the host"
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["rows_per_second"], last["plain_nash_conv"]) == (300, 0.25)

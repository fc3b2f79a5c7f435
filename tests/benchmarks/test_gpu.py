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

Capture = pytest.CaptureFixture[str]
on_stand_in = pytest.mark.skipif(PLAIN or llvm.llvm_version_info < OLDEST_LLVM, reason="a device runs compiled kernels")


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


@pytest.mark.long
@on_stand_in
def test_a_stand_in_plays_the_fights_of_the_digests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "cuda_device", lambda number, made=StandIn(): made)  # noqa: B008
    monkeypatch.setattr(gpu, "COMPARED", {"stance": 70})
    monkeypatch.setattr(gpu, "SIZES", {"stance": (70,)})
    file = tmp_path / "digests.json"
    play(monkeypatch, "digests", str(file), "--rows", "stance")
    play(monkeypatch, "check", str(file), "--rows", "stance", "--limit", "1000", "--seconds", "0.1")


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

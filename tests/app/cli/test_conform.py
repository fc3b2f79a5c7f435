"""`heartrush conform`: its exit codes, and what it says about whom."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import pytest

from heartrush_env.app import conformance
from heartrush_env.app.cli import conform
from heartrush_env.app.cli.command import add_command
from heartrush_env.tabletop.errors import HeartRushError

ENGINE = Path(__file__).resolve().parents[3] / "clients" / "python" / "engine.py"

Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two transcripts are enough to see what is printed."""
    few = tuple(line for line in conformance.transcripts() if line.file.startswith(("1", "6")))
    monkeypatch.setattr(conformance, "transcripts", lambda: few)


def run(*words: str) -> int:
    """Run the command in this process; returns its exit code."""
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers(), conform)
    try:
        arguments = parser.parse_args(["conform", *words])
    except SystemExit as end:  # argparse leaves like this
        return int(end.code or 0)
    code: int = arguments.run(arguments)
    return code


def test_help_gives_examples(capsys: Out) -> None:
    assert run("--help") == 0
    out = capsys.readouterr().out
    assert "heartrush conform -- node" in out and "exit codes: 0" in out


def test_what_keeps_the_protocol(capsys: Out) -> None:
    assert run("--", sys.executable, str(ENGINE)) == 0
    assert capsys.readouterr().out == f"starter: {len(conformance.transcripts())} lines passed, 0 failed.\n"


def test_what_breaks_it_is_told_by_line_and_sentence(capsys: Out, tmp_path: Path) -> None:
    text = ENGINE.read_text(encoding="utf-8").replace('f"{nonce}:{choice}"', 'f"{choice}:{nonce}"')
    (tmp_path / "engine.py").write_text(text, encoding="utf-8")
    assert run("--seconds", "5", "--", sys.executable, str(tmp_path / "engine.py")) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("6_seals.jsonl, line 3: The seal is not that of ")
    assert told[0].endswith("The protocol: 'The seal is the SHA-256 of nonce, colon, choice'")
    assert told[-1].startswith("starter: ") and "1 failed" in told[-1]


def test_the_same_for_programs(capsys: Out) -> None:
    assert run("--json", "--seconds", "1", "--", sys.executable, "-c", "pass") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["identity"] is None and found["kept"] == 0
    assert found["broken"][0]["file"] == "1_hello.jsonl" and found["broken"][0]["line"] == 1
    assert "exited with code 0" in found["broken"][0]["found"] and "`hello`" in found["broken"][0]["says"]


def test_what_is_no_program_is_refused() -> None:
    with pytest.raises(HeartRushError, match="conform needs a program after --"):
        run()
    with pytest.raises(HeartRushError, match="no_such_program cannot be started"):
        run("--", "no_such_program")

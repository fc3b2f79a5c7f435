"""`heartrush conform`: its exit codes, and what it prints about an engine."""

import json
import sys
from pathlib import Path

import pytest

from heartrush_env.app import conformance
from tests.app.cli.running import Out, printed, run

ENGINE = Path(__file__).resolve().parents[3] / "clients" / "python" / "engine.py"


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check against two transcripts only, which are enough to see what is printed."""
    few = tuple(line for line in conformance.transcripts() if line.file.startswith(("1", "6")))
    monkeypatch.setattr(conformance, "transcripts", lambda: few)


def test_what_keeps_the_protocol(capsys: Out) -> None:
    told = printed(capsys, "conform --", sys.executable, ENGINE)
    assert told == f"starter: {len(conformance.transcripts())} lines passed, 0 failed.\n"


def test_what_breaks_it_is_told_by_line_and_sentence(capsys: Out, tmp_path: Path) -> None:
    text = ENGINE.read_text(encoding="utf-8").replace('f"{nonce}:{choice}"', 'f"{choice}:{nonce}"')
    (tmp_path / "engine.py").write_text(text, encoding="utf-8")
    assert run("conform --seconds 5 --", sys.executable, tmp_path / "engine.py") == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("6_seals.jsonl, line 3: The seal is not that of ")
    assert told[0].endswith("The protocol: 'The seal is the SHA-256 of nonce, colon, choice'")
    assert told[-1].startswith("starter: ") and "1 failed" in told[-1]


def test_the_same_for_programs(capsys: Out) -> None:
    assert run("conform --json --seconds 1 --", sys.executable, "-c", "pass") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["identity"] is None and found["kept"] == 0
    assert found["broken"][0]["file"] == "1_hello.jsonl" and found["broken"][0]["line"] == 1
    assert "exited with code 0" in found["broken"][0]["found"] and "`hello`" in found["broken"][0]["says"]

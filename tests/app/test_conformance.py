"""`conform` finds a broken engine, quotes the sentence that it breaks, and passes an engine that keeps the protocol."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from heartrush_env.app import conformance
from heartrush_env.app.conformance import CODES, Line, Report, conform, transcripts
from heartrush_env.protocol import program as running

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "clients" / "python" / "engine.py"
TYPES = ("hello", "set", "act", "act_batch", "open", "end", "quit")
Only = Callable[[str], None]


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "SECONDS_TO_LEAVE", 0.1)
    monkeypatch.setattr(conformance, "QUIET_SECONDS", 0.05)


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Only:
    """Return a function that limits the check to the transcripts whose names have a given beginning."""
    every = transcripts()

    def choose(begin: str) -> None:
        chosen = tuple(line for line in every if line.file.startswith(begin))
        assert chosen
        monkeypatch.setattr(conformance, "transcripts", lambda: chosen)

    return choose


def broken(tmp_path: Path, *changes: tuple[str, str], start: float = 60.0) -> Report:
    """Change the text of the starter kit's engine, and return the report about it."""
    text = ENGINE.read_text(encoding="utf-8")
    for before, after in changes:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    (tmp_path / "engine.py").write_text(text, encoding="utf-8")
    return conform([sys.executable, str(tmp_path / "engine.py")], seconds=2.0, start=start)


def test_every_line_holds_a_sentence_and_every_message_is_sent() -> None:
    sent, expected, codes = set(), set(), set()
    for line in transcripts():
        assert line.says and "expect" in line.content, line
        send = line.content.get("send", {})
        sent.add("act" if "$moment" in send else send.get("type"))
        for answer in line.content["expect"]:
            expected.add(answer if isinstance(answer, str) else answer["type"])
            codes |= set(answer.get("code", ())) if isinstance(answer, dict) else set()
    assert set(TYPES) <= sent
    assert expected == {"identity", "ready", "choice", "choices", "sealed", "error", "leaves"}
    assert set(CODES) - codes == {"internal", "too_much"}  # no request causes these at every engine


def test_the_sentences_stand_in_the_protocol_page() -> None:
    page = ROOT / "docs" / "protocol.md"
    text = " ".join(page.read_text(encoding="utf-8").split())
    assert [line.says for line in transcripts() if line.says not in text] == []


def test_what_keeps_the_protocol_passes() -> None:
    report = conform([sys.executable, str(ENGINE)])
    assert report.findings == [] and report.kept + report.skipped == len(transcripts())
    assert report.skipped == 1 and report.identity is not None and report.identity["name"] == "starter"


@pytest.mark.parametrize(
    ("file", "before", "after", "says", "found"),
    [
        pytest.param("1", 'return [IDENTITY, {"type": "ready"}]', "return [IDENTITY]", "then `ready`",
         "did not answer in time", marks=pytest.mark.long),
        ("1", '"kind": "number"', '"kind": "slider"', "then `ready`", 'got "slider"'),
        ("1", '"shapes": ["duel", "team"]', '"shapes": "duel"', "then `ready`", 'got "duel"'),
        ("1", "        if isinstance(message, dict) and", "        if json.dumps(found).count('unknown_type') or",
         "not a type of request", "exited with code 0"),
        ("1", "if line.strip() and not long:", "if not long:", "Empty lines", "It sent an unexpected line"),
        ("2", '"id": id, "choice"', '"id": id.upper(), "choice"', "the answer repeats it", 'id "a1", got "A1"'),
        ("2", "weight / sum(weights.values())", "weight", "sum to 1", "probabilities that add up to 1, got"),
        ("2", "return {action: weight /", 'return {"dance": 0.0} | {action: weight /', "legal",
         'legal actions only, got "dance"'),
        ("2", '"value": None', '"value": 3', "", "value: expected a number from -1 to 1, or null, got 3"),
        ("2", '"reason": reason', '"reason": ""', "", 'reason: expected one sentence, got ""'),
        ("2", 'if kind == "act" else []', 'if kind == "act" else [IDENTITY]', "may be freed", "It sent an unexpected"),
        ("3", 'bytes.")]', 'bytes.")] * 2', "skipped to its end", "It sent an unexpected line"),
        ("3", '[error(None, "bad_json"', '[error("?", "bad_json"', "not a JSON object", 'id null, got "?"'),
        ("3", "json.dumps(message, allow_nan=False)", "pass", "must be finite", "expected bad_json"),
        ("3", "while len(piece) >= MAX_LINE and", "while False and", "skipped to its end", "It sent an unexpected"),
        ("3", "if not legal or not all(", "if not all(", "`legal` is empty", "code: expected"),
        ("3", '"not_played", "This', '"internal", "This', "does not play", 'code: expected not_played, got "internal"'),
        ("3", 're.fullmatch("[a-z0-9_]+", need(game', 're.fullmatch(".+", need(game', "never a path", "type error"),
        ("4", 'message.get("name") not in list(settings) or', "", "no such option", "Expected an answer of type error"),
        ("4", "<= 5:", "<= 50:", "no such value", "Expected an answer of type error"),
        ("5", 'for one in message["requests"]]', 'for one in message["requests"][::-1]]', "in order", 'got "b1.3"'),
        ("5", "MAX_SEALS = 2**20, 128, 256", "MAX_SEALS = 2**20, 128, 257", "at most 256", "of type error"),
        ("5", "random.Random(seed)", "random.Random(id)", "same seed", "for the same request and seed"),
        ("5", "random.Random(seed)", "random.Random()", "same seed", "for the same request and seed"),
        ("6", 'f"{nonce}:{choice}"', 'f"{choice}:{nonce}"', "SHA-256", "The seal is not that of"),
        ("6", '"seal": hashlib', '"choice": choice, "seal": hashlib', "without revealing", "sent choice with the seal"),
        ("6", "random.SystemRandom().randbytes", "random.Random(7).randbytes", "different", "the same seal twice"),
        ("6", "sealed.pop(id)]", "sealed[id]]", "was opened", "Expected an answer of type error"),
        ("7", "            break\n", "            continue\n", "the engine exits", "It did not exit"),
    ],
)  # fmt: skip
def test_a_fault_is_named(
    tmp_path: Path, only: Only, file: str, before: str, after: str, says: str, found: str
) -> None:
    only(file)
    findings = broken(tmp_path, (before, after), start=0.2 if found == "did not answer in time" else 60.0).findings
    assert any(says in finding.line.says and found in finding.found for finding in findings), findings
    for finding in findings:
        told = str(finding)
        assert told.startswith(f"{finding.line.file}, line {finding.line.number}: ") and repr(finding.line.says) in told
        assert "\n" not in told


@pytest.mark.parametrize(
    "code", ["import time; time.sleep(600)", "pass", "while True: print('x')", "print('[' * 10**6)"]
)
def test_what_is_no_engine_at_all_breaks_every_line_and_ends(only: Only, code: str) -> None:
    only("4")
    report = conform([sys.executable, "-c", code], seconds=0.1, start=0.2)
    assert report.identity is None and report.kept == 0
    assert len(report.findings) + report.skipped == len(conformance.transcripts())


def test_what_follows_a_broken_line_is_left_out(tmp_path: Path, only: Only) -> None:
    only("6")
    report = broken(tmp_path, ('"type": "sealed"', '"type": "closed"'))
    assert [finding.line.number for finding in report.findings] == [1] and report.skipped == 4 and report.kept == 3


def test_a_line_of_a_transcript_is_where_it_says() -> None:
    for line in transcripts():
        assert isinstance(line, Line)
        text = (ROOT / "heartrush_env/protocol/transcripts" / line.file).read_text(encoding="utf-8").splitlines()
        assert json.loads(text[line.number - 1]) == line.content

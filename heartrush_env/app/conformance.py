"""Conformance checks of a program: it is sent golden transcripts of the protocol, and each answer is checked.

A line of a transcript is a JSON object with three parts: `says`, the sentence of docs/protocol.md that it tests; the
input (`send`, a message; `line`, literal text; `long`, a line of this many bytes; `close`, the end of the input); and
`expect`, the requirements on each answer. Transcripts are written by hand from the protocol, never from the output of
our engine. In the input, `$moment` is replaced by a request from moments.jsonl, `$repeat` by a list of copies, `$seeds`
by copies with different seeds, and `$option` by a number option of the engine. How well a program plays is not checked.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final

from heartrush_env.protocol.program import START_SECONDS, Message, Program, ProgramError

ANSWER_SECONDS: Final = 10.0
QUIET_SECONDS: Final = 0.1  # to wait for silence where no answer is expected
CLOSE_TO_ONE: Final = 1e-6
CODES: Final = ("bad_json", "too_long", "unknown_type", "bad_field", "bad_option", "bad_view", "illegal", "not_played",
                "nothing_sealed", "too_much", "internal")  # fmt: skip
KINDS: Final = ("number", "whole", "check", "choice", "text")
MOMENTS: Final = "moments.jsonl"
SEED: Final = 7


class Broken(Exception):
    """An error for an answer that violates a sentence of the protocol."""


@dataclass(frozen=True)
class Line:
    """A line of a transcript."""

    file: str
    number: int
    says: str
    content: Mapping[str, Any]


@dataclass(frozen=True)
class Finding:
    """A violation: a line of a transcript, and what the program did instead."""

    line: Line
    found: str  # one sentence

    def __str__(self) -> str:
        return f"{self.line.file}, line {self.line.number}: {self.found} The protocol: {self.line.says!r}"


@dataclass
class Report:
    """The result of a conformance check."""

    identity: Message | None = None
    kept: int = 0
    skipped: int = 0  # lines about features that the program, by its own identity, does not have
    findings: list[Finding] = field(default_factory=list)


@cache
def transcripts() -> tuple[Line, ...]:
    """Return all lines of all transcripts, in order."""
    lines = []
    folder = files("heartrush_env.protocol") / "transcripts"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".jsonl") and file.name != MOMENTS:
            for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                content = json.loads(text)
                lines.append(Line(file.name, number, content["says"], content))
    return tuple(lines)


@cache
def moments() -> dict[str, dict[str, Any]]:
    """Return the sample requests by name."""
    text = (files("heartrush_env.protocol") / "transcripts" / MOMENTS).read_text(encoding="utf-8")
    return {moment["name"]: moment for moment in map(json.loads, text.splitlines())}


# -- sending transcripts to a program --------------------------------------------------------------------------------


def conform(command: Sequence[str], *, seconds: float = ANSWER_SECONDS, start: float = START_SECONDS) -> Report:
    """Check a program against all transcripts.

    Args:
        command: The program and its arguments.
        seconds: Time limit for an answer, in seconds.
        start: Time limit for the first answer after a start, in seconds.
    """
    report = Report()
    desk = _Desk(command, seconds, start)
    try:
        report.identity = desk.introduce()
        failed_file = ""
        for line in transcripts():
            content = line.content
            if desk.lacks(content) or (content.get("follows") and failed_file == line.file):
                report.skipped += 1
                continue
            if content.get("restart"):
                desk.restart()
            try:
                desk.read(content)
                report.kept += 1
                failed_file = ""
            except (Broken, ProgramError) as broken:
                report.findings.append(Finding(line, str(broken)))
                failed_file = line.file
                desk.restart()  # so that late output is not taken for the next answer
    finally:
        desk.close()
    return report


class _Desk:
    """A sender of lines to a program, which is restarted after each violation."""

    def __init__(self, command: Sequence[str], seconds: float, start: float) -> None:
        self._command, self._seconds, self._start = command, seconds, start
        self._program = Program(command)  # raises here if it cannot be started
        self._fresh = True
        self._identity: Message = {}
        self._choices: dict[str, str] = {}  # by request id
        self._legal: dict[str, list[str]] = {}
        self._seals: dict[str, str] = {}

    def introduce(self) -> Message | None:
        """Return the program's identity, or None if it gives none; then restart the program."""
        try:
            self._identity = self._program.hello(self._start)
        except ProgramError:
            return None  # the transcript of hello reports the fault
        finally:
            self.restart()
        return self._identity

    def restart(self) -> None:
        """Replace the program with a new process."""
        self._program.close()
        self._program, self._fresh = Program(self._command), True

    def close(self) -> None:
        """Stop the program."""
        self._program.close()

    def lacks(self, content: Mapping[str, Any]) -> bool:
        """Return whether a line is about a feature that the program does not have, according to its own identity."""
        needs = content.get("needs")
        plays = self._identity.get("plays")
        plays = plays if isinstance(plays, dict) else {}
        if needs == "option" and self._option() is None:
            return True
        if needs == "tables" and not plays.get("tables"):
            return True
        shapes = plays.get("shapes")
        return isinstance(shapes, list) and any(moment["shape"] not in shapes for moment in _named(content.get("send")))

    def _option(self) -> Mapping[str, Any] | None:
        """Return a number option of the program, or None if it has none."""
        options = self._identity.get("options")
        for option in options if isinstance(options, list) else []:
            if isinstance(option, dict) and option.get("kind") == "number" and "max" in option:
                return option
        return None

    def read(self, content: Mapping[str, Any]) -> None:
        """Send a line's input and check all answers; raise Broken or ProgramError for a violation."""
        if "close" in content:
            self._program.close_input()
        else:
            self._send(content)
        for expected in content["expect"]:
            if expected == "leaves":
                self._check_left()
                return
            seconds = self._start if self._fresh else self._seconds
            answer = self._program.receive(seconds)
            self._fresh = False
            self.check(expected, answer)
        self._check_quiet(QUIET_SECONDS if "long" in content or not content["expect"] else 0)

    def _send(self, content: Mapping[str, Any]) -> None:
        if "long" in content:
            self._program.send_line(b"x" * content["long"], self._seconds)
        elif "line" in content:
            self._program.send_line(content["line"].encode("latin-1"), self._seconds)
        else:
            message = _filled(content["send"], self._option() or {})
            for request in message.get("requests", [message]):
                if isinstance(request, dict) and isinstance(request.get("legal"), list) and "id" in request:
                    self._legal[str(request["id"])] = request["legal"]
            self._program.send(message, self._seconds)

    def _check_left(self) -> None:
        try:
            line = self._program.receive_line(self._seconds)
        except ProgramError as error:
            if error.fault == "dead":
                self.restart()
                return
            raise Broken("It did not exit.") from None
        raise Broken(f"It answered {_short(line)} instead of exiting.")

    def _check_quiet(self, seconds: float) -> None:
        if seconds:
            time.sleep(seconds)
        try:
            line = self._program.receive_line(0)
        except ProgramError as error:
            if error.fault == "late":
                return
            raise
        raise Broken(f"It sent an unexpected line: {_short(line)}.")

    # -- answers -------------------------------------------------------------------------------------------------------

    def check(self, expected: Mapping[str, Any], answer: Message) -> None:
        """Check one answer against its requirements."""
        if not isinstance(answer, dict) or answer.get("type") != expected["type"]:
            raise Broken(f"Expected an answer of type {expected['type']}, got {_short(answer)}.")
        if "id" in expected and answer.get("id") != expected["id"]:
            raise Broken(f"Expected an answer with id {_short(expected['id'])}, got {_short(answer.get('id'))}.")
        checks = {
            "identity": self._check_identity,
            "choice": self._check_choice,
            "sealed": self._check_sealed,
            "choices": self._check_choices,
            "error": self._check_error,
        }
        if expected["type"] in checks:
            checks[expected["type"]](expected, answer)

    def _check_identity(self, _: Mapping[str, Any], answer: Message) -> None:
        if answer.get("protocol") != 1:
            raise Broken(f"protocol: expected 1, got {_short(answer.get('protocol'))}.")
        for name in ("name", "version", "description"):
            _need(isinstance(answer.get(name), str) and answer[name] != "", name, answer, "a text")
        _need(isinstance(answer.get("plays"), dict), "plays", answer, "an object")
        plays = answer["plays"]
        _need(plays.get("game") == "heart_rush", "game", plays, "heart_rush")
        _need(_all_texts(plays.get("shapes")) and plays["shapes"] != [], "shapes", plays, "a list of names")
        tables = plays.get("tables")
        sound = isinstance(tables, dict) and all(isinstance(digest, str) for digest in tables.values())
        _need(sound, "tables", plays, "an object of digests")
        _need(isinstance(answer.get("options"), list), "options", answer, "a list")
        for option in answer["options"]:
            _check_option(option)

    def _check_choice(self, expected: Mapping[str, Any], answer: Message) -> None:
        legal = self._legal.get(str(answer["id"]), [])
        choice, policy = answer.get("choice"), answer.get("policy")
        _need(choice in legal, "choice", answer, f"one of {', '.join(legal)}")
        _need(isinstance(policy, dict), "policy", answer, "an object of probabilities")
        assert isinstance(policy, dict)
        for action, share in policy.items():
            if action not in legal:
                raise Broken(f"policy: expected legal actions only, got {_short(action)}.")
            sound = _is_number(share) and 0 <= share <= 1 + CLOSE_TO_ONE
            _need(sound, f"policy, {action}", {f"policy, {action}": share}, "a number from 0 to 1")
        total = sum(policy.values())
        if abs(total - 1) > CLOSE_TO_ONE:
            raise Broken(f"policy: expected probabilities that add up to 1, got {total:g}.")
        _need(policy.get(choice, 0) > 0, "choice", answer, "an action with a probability above 0 in the policy")
        value = answer.get("value")
        _need(
            value is None or (_is_number(value) and -1 <= value <= 1), "value", answer, "a number from -1 to 1, or null"
        )
        reason = answer.get("reason")
        _need(isinstance(reason, str) and reason.strip() != "" and "\n" not in reason, "reason", answer, "one sentence")
        _need(_is_number(answer.get("ms")) and answer["ms"] >= 0, "ms", answer, "a number of at least 0")
        self._choices[answer["id"]] = str(choice)
        other = expected.get("same_as")
        if other is not None and self._choices.get(other) != choice:
            raise Broken(
                f"It chose {choice}, but it had chosen {self._choices.get(other)} for the same request and seed."
            )
        if "opens" in expected:
            nonce = answer.get("nonce")
            sound = isinstance(nonce, str) and len(nonce) == 32 and set(nonce) <= set("0123456789abcdef")
            _need(sound, "nonce", answer, "32 hexadecimal digits")
            if hashlib.sha256(f"{nonce}:{choice}".encode()).hexdigest() != self._seals.get(expected["opens"]):
                raise Broken(f"The seal is not that of {nonce}:{choice}.")

    def _check_sealed(self, _: Mapping[str, Any], answer: Message) -> None:
        seal = answer.get("seal")
        sound = isinstance(seal, str) and len(seal) == 64 and set(seal) <= set("0123456789abcdef")
        _need(sound, "seal", answer, "64 hexadecimal digits")
        leaked = [name for name in ("choice", "policy", "value", "reason", "nonce") if name in answer]
        if leaked:
            raise Broken(f"It sealed its choice and sent {', '.join(leaked)} with the seal.")
        if seal in self._seals.values():
            raise Broken("It gave the same seal twice, so it reused a nonce.")
        self._seals[answer["id"]] = str(seal)

    def _check_choices(self, expected: Mapping[str, Any], answer: Message) -> None:
        found, needed, same = answer.get("choices"), expected.get("choices"), expected.get("same_as")
        if needed is None:  # equal requests with seeds 0, 1, 2, ...
            needed = [{"type": "choice", "id": f"{answer['id']}.{seed}"} for seed in range(expected["each"])]
        if same is not None:
            needed = [{**one, "same_as": f"{same}.{seed}"} for seed, one in enumerate(needed)]
        if not isinstance(found, list) or len(found) != len(needed):
            raise Broken(f"choices: expected a list of {len(needed)}, got {_short(found)}.")
        for one, held_to in zip(found, needed, strict=True):
            self.check(held_to, one)

    def _check_error(self, expected: Mapping[str, Any], answer: Message) -> None:
        code, message = answer.get("code"), answer.get("message")
        _need(code in expected.get("code", CODES), "code", answer, " or ".join(expected.get("code", CODES)))
        _need(
            isinstance(message, str) and message.strip() != "" and "\n" not in message,
            "message",
            answer,
            "one sentence",
        )


def _check_option(option: object) -> None:
    """Check that an option has everything that a form for it needs."""
    if not isinstance(option, dict):
        raise Broken(f"An option: expected an object, got {_short(option)}.")
    for name in ("name", "description"):
        _need(isinstance(option.get(name), str) and option[name] != "", name, option, "a text")
    _need(option.get("kind") in KINDS, "kind", option, " or ".join(KINDS))
    _need("default" in option, "default", option, "a value")
    default, kind = option["default"], option["kind"]
    sound = {
        "number": _is_number(default),
        "whole": isinstance(default, int) and not isinstance(default, bool),
        "check": isinstance(default, bool),
        "choice": _all_texts(option.get("choices")) and default in option.get("choices", []),
        "text": isinstance(default, str),
    }
    _need(sound[kind], "default", option, f"a value of the kind {kind}")
    if kind in ("number", "whole"):
        for name, side in (("min", 1), ("max", -1)):
            bound = option.get(name)
            inside = bound is None or (_is_number(bound) and side * default >= side * bound)
            _need(inside, name, option, "a bound that the default respects")


def _need(sound: bool, name: str, table: Mapping[str, Any], needed: str) -> None:
    if not sound:
        raise Broken(f"{name}: expected {needed}, got {_short(table.get(name))}.")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _all_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _short(value: object) -> str:
    """Format a value on one line, shortened."""
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False)
    text = "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))
    return text if len(text) <= 100 else f"{text[:100]}..."


# -- building input --------------------------------------------------------------------------------------------------


def _named(value: object) -> Iterator[dict[str, Any]]:
    """Yield the moments that an input refers to."""
    if isinstance(value, dict):
        if "$moment" in value:
            yield moments()[value["$moment"]]
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _named(part)


def _filled(value: Any, option: Mapping[str, Any]) -> Any:
    """Return the input with all words that begin with $ replaced."""
    if isinstance(value, list):
        return [_filled(part, option) for part in value]
    if not isinstance(value, dict):
        words = {"$option": option.get("name"), "$default": option.get("default")}
        if value == "$above":
            return option.get("max", 0) + 1
        return words.get(value, value) if isinstance(value, str) else value
    if "$repeat" in value:
        return [_filled(value["of"], option)] * value["$repeat"]
    if "$seeds" in value:
        begin = value["of"]["id"]
        return [_filled({**value["of"], "id": f"{begin}.{k}", "seed": k}, option) for k in range(value["$seeds"])]
    rest = {name: _filled(part, option) for name, part in value.items() if not name.startswith("$")}
    if "$moment" not in value:
        return rest
    moment = moments()[value["$moment"]]
    request = {
        "type": "act",
        **{name: moment[name] for name in ("game", "seat", "view", "legal")},
        "seed": SEED,
        **rest,
    }
    for name, part in value.get("$in", {}).items():  # fields inside fields
        request[name] = {**request[name], **part}
    for name in value.get("$without", []):
        del request[name]
    return request

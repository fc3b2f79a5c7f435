"""The engine reading from a stream of lines, and as its own process."""

import io
import json
import subprocess
import sys
import tracemalloc
from typing import Any

import pytest
from heartrush_agents import load, register
from heartrush_agents.base import Agent

from heartrush_env.app.engine import Engine, serve
from heartrush_env.protocol.messages import MAX_LINE
from heartrush_env.tabletop.game import Observation
from tests.app.test_engine import ACT, COMMAND, Hopeful, ask, untimed
from tests.processes import PATIENCE, finished, started


def served(given: bytes, agent: str = "uniform") -> list[dict[str, Any]]:
    written = io.BytesIO()
    serve(Engine(load(agent)), io.BytesIO(given), written)
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_lines_may_be_empty_and_end_as_they_like() -> None:
    hello = b'{"type":"hello"}'
    for given in (hello, hello + b"\n", hello + b"\r\n", b"\n\r\n  \n" + hello + b"\n\n"):
        assert [answer["type"] for answer in served(given)] == ["identity", "ready"]
    assert served(b"") == served(b"\n \n") == []


def test_after_quit_nothing_is_read() -> None:
    assert served(b'{"type":"quit"}\n{"type":"hello"}\n') == []


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_a_line_may_be_as_long_as_it_may_be(end: bytes) -> None:
    padding = MAX_LINE - len(b'{"type":"hello","x":""}')
    line = b'{"type":"hello","x":"' + padding * b"x" + b'"}'
    assert [answer["type"] for answer in served(line + end)] == ["identity", "ready"]
    longer = line.replace(b'"x":"', b'"x":"x')
    (error, *rest) = served(longer + end + (b'{"type":"hello"}' if end else b""))
    assert error["code"] == "too_long" and error["id"] is None
    assert [answer["type"] for answer in rest] == (["identity", "ready"] if end else [])


class Endless(io.RawIOBase):
    """A stream that generates a line of `length` bytes while it is read, followed by a good line."""

    def __init__(self, length: int) -> None:
        self.left, self.rest = length, io.BytesIO(b'\n{"type":"hello"}\n')

    def readline(self, size: int | None = -1) -> bytes:
        if self.left > 0:
            assert size is not None and size > 0
            self.left -= size
            return b"x" * size
        return self.rest.readline()


def test_a_line_without_an_end_is_skipped_and_not_kept() -> None:
    engine, written = Engine(load("uniform")), io.BytesIO()
    tracemalloc.start()
    try:
        serve(engine, Endless(2**28), written)  # type: ignore[arg-type]  # serve uses no other method of the stream
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 8 * MAX_LINE
    assert [json.loads(line)["type"] for line in written.getvalue().splitlines()] == ["error", "identity", "ready"]


# -- a process of its own ------------------------------------------------------------------------------------------


def test_a_real_engine_answers_at_once_and_leaves_when_told() -> None:
    with started(*COMMAND, "uniform", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None

        def say(message: Any) -> None:
            assert process.stdin is not None
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()

        say({"type": "hello"})
        assert json.loads(process.stdout.readline())["name"] == "uniform"
        assert json.loads(process.stdout.readline()) == {"type": "ready"}
        say(ACT)
        here = ask(Engine(load("uniform")), ACT)[0]
        assert untimed(json.loads(process.stdout.readline())) == untimed(here)
        say({"type": "quit"})
        assert process.wait(PATIENCE) == 0
        assert process.stdout.read() == b""


def test_a_real_engine_leaves_with_the_end_of_its_input() -> None:
    given = b"nonsense\n" + b"x" * (MAX_LINE + 5) + b"\n" + json.dumps(ACT).encode()
    done = finished(*COMMAND, "uniform", input=given)
    assert done.returncode == 0
    codes = [json.loads(line).get("code") for line in done.stdout.splitlines()]
    assert codes == ["bad_json", "too_long", None] and done.stderr == b""


def test_an_agent_nobody_knows_is_refused_in_one_sentence() -> None:
    done = finished(*COMMAND, "unifrom", input=b"")
    assert done.returncode == 2 and b"did you mean 'uniform'" in done.stderr and done.stdout == b""


class Chatty(Hopeful):
    """A player that prints to the stream on which answers are sent."""

    def policy(self, observation: Observation) -> Any:
        print("hm")
        return super().policy(observation)


def test_what_an_agent_prints_is_no_answer(monkeypatch: pytest.MonkeyPatch, capfdbinary: Any) -> None:
    from heartrush_env.app.cli.engine import run

    register(Agent("chatty", "Prints.", Chatty))
    stream = io.TextIOWrapper(io.BytesIO(json.dumps(ACT).encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    arguments = type("Arguments", (), {"agent": "chatty", "think_ms": None, "schema": False, "game": "heart_rush"})
    assert run(arguments) == 0  # type: ignore[arg-type]  # it reads no other arguments
    out, err = capfdbinary.readouterr()
    assert json.loads(out)["type"] == "choice" and b"hm" in err

"""Programs that speak the protocol, and many that only pretend to: none can block its caller or outlive it."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.protocol import program as module
from heartrush_env.protocol.program import MAX_LINE, Program, ProgramError
from tests.processes import PATIENCE, runs, wait_until

ECHO = """
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        print('{"type":"identity","name":"echo"}'); print('{"type":"ready"}', flush=True)
    elif m["type"] == "quit":
        break
    else:
        print(json.dumps({"type": "choice", "id": m["id"], "choice": m.get("say")}), flush=True)
"""
ASLEEP = "import time; time.sleep(600)"
Start = Callable[[str], Program]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Yield a function that starts a Python program given as text; the programs are ended after the test."""
    monkeypatch.setattr(module, "SECONDS_TO_LEAVE", 0.1)
    started: list[Program] = []

    def begin(code: str) -> Program:
        started.append(Program([sys.executable, "-c", code], name="it"))
        return started[-1]

    yield begin
    for program in started:
        program.close()


def fault(program: Program, seconds: float = PATIENCE, **more: Any) -> ProgramError:
    """Return the error in a program's answer to a message."""
    with pytest.raises(ProgramError) as caught:
        program.ask({"type": "act", "id": "a", **more}, "choice", seconds)
    return caught.value


def test_a_program_is_asked_and_answers(start: Start) -> None:
    program = start(ECHO)
    assert program.hello()["name"] == "echo"
    for k in range(20):
        assert program.ask({"type": "act", "id": f"a{k}", "say": "ä☃"}, "choice", PATIENCE)["choice"] == "ä☃"
    program.close()
    assert program.closed and not any(thread.is_alive() for thread in program._threads)
    assert fault(program).fault == "dead"


def test_a_program_that_is_not_there_is_refused_in_a_sentence() -> None:
    with pytest.raises(ProgramError, match=r"no_such_program cannot be started \(No such file or directory\)"):
        Program(["no_such_program"])
    with pytest.raises(ProgramError, match="A program: expected a list of words"):
        Program([])


def test_one_that_never_answers_is_late(start: Start) -> None:
    program = start(ASLEEP)
    assert fault(program, 0.2).fault == "late"
    assert program._process.poll() is None
    program.close()
    assert program._process.poll() not in (None, 0)  # ended, and not by itself


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
def test_a_signal_that_does_not_wake_the_one_who_waits_is_noticed_all_the_same(start: Start) -> None:
    """A signal may arrive just before the wait begins; to simulate this, another thread receives it here."""
    program, heard, in_time = start(ASLEEP), threading.Event(), []

    class Heard(Exception):
        """The exception that the handler raises."""

    def hear(*_: Any) -> None:
        heard.set()
        raise Heard

    def tell() -> None:
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
        in_time.append(heard.wait(30.0))
        program._lines.put(b"woken")

    usual, other = signal.signal(signal.SIGUSR1, hear), threading.Timer(0.2, tell)
    try:
        other.start()
        with pytest.raises(Heard):
            program.receive_line(PATIENCE)
        other.join()
    finally:
        signal.signal(signal.SIGUSR1, usual)
    assert in_time == [True]


def test_one_that_never_reads_is_late_however_much_we_send(start: Start) -> None:
    program = start(ASLEEP)
    for _ in range(module.MESSAGES_AHEAD + 4):
        assert fault(program, 0.05, much="x" * 2**18).fault == "late"
    assert program._messages.full()
    program.close()
    assert not any(thread.is_alive() for thread in program._threads)


def test_one_that_dies_is_dead_and_its_last_words_are_told(start: Start) -> None:
    program = start(
        "import sys; sys.stdin.readline(); print('x' * 10**6, 'out of\\x1b luck', file=sys.stderr); sys.exit(3)"
    )
    told = fault(program)
    assert told.fault == fault(program).fault == "dead"
    assert str(told).startswith("it exited with code 3 after writing xxx") and len(str(told)) < 300


def test_one_that_floods_is_read_no_further_than_a_few_lines(start: Start) -> None:
    program = start('while True: print(\'{"type":"choice","id":"z"}\', flush=True)')
    assert fault(program).fault == "malformed"
    program._given_up.append("z")
    told = fault(program)
    assert told.fault == "malformed" and "1000 unrelated lines" in str(told)
    assert program._lines.qsize() <= module.LINES_AHEAD


def test_one_that_never_ends_its_line_takes_no_memory(start: Start) -> None:
    program = start("import sys\nwhile True: sys.stdout.write('x' * 2**16)")
    wait_until(lambda: len(program._line) == MAX_LINE + 1, "the line was not read up to the limit")
    assert fault(program, 0.5).fault == "late"
    assert len(program._line) == MAX_LINE + 1
    program.close()
    told = start(f"import sys; sys.stdin.readline(); print('x' * {3 * MAX_LINE}, flush=True); sys.stdin.readline()")
    assert "a line of more than 1048576 bytes" in str(fault(told))


def test_one_that_floods_its_standard_error_is_not_held_up(start: Start) -> None:
    program = start(f"import sys\nfor _ in range(100): print('x' * 10**4, file=sys.stderr)\n{ECHO}")
    assert program.ask({"type": "act", "id": "a", "say": 1}, "choice", PATIENCE)["choice"] == 1
    assert len(program._errors) <= module.TAIL


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        (bytes(range(128, 256)), "malformed", ""),
        ("garbage", "malformed", "something that is not JSON"),
        ("", "malformed", "something that is not JSON"),
        ("[1]", "malformed", "other than a JSON object with a type"),
        ("{}", "malformed", "other than a JSON object with a type"),
        ('{"type":"choice","id":"a","value":NaN}', "malformed", "NaN is not a number"),
        ('{"type":"choice","id":"a","value":1e999}', "malformed", "a number is too large"),
        ("[" * 100_000, "malformed", "nested too deeply"),
        ('{"type":"choice","id":"b"}', "malformed", "the id b, which no request has, instead of a"),
        ('{"type":"choice"}', "malformed", "the id None"),
        ('{"type":"ready","id":"a"}', "malformed", "the type ready instead of choice"),
        ('{"type":"error","id":"a","code":"not_played","message":"No."}', "refused", "it refused (not_played: No)."),
        ('{"type":"error","id":null,"code":"bad_json","message":"No."}', "refused", "it refused (bad_json: No)."),
    ],
)
def test_what_is_no_answer_is_named(start: Start, said: str | bytes, kind: str, words: str) -> None:
    line = (said if isinstance(said, bytes) else said.encode()) + b"\n"
    program = start(f"import os, sys\nfor _ in sys.stdin: os.write(1, {line!r})")
    told = fault(program)
    assert told.fault == kind and words in str(told) and "\n" not in str(told) and len(str(told)) < 400


def test_an_answer_that_comes_too_late_does_not_hit_the_next_question(start: Start, tmp_path: Path) -> None:
    late = tmp_path / "late"  # exists once the first answer is too late
    wait = f"        while not os.path.exists({str(late)!r}): time.sleep(0.01)\n"
    slow = ECHO.replace("import json, sys", "import json, os, sys, time").replace(
        "        print(json.dumps", f"{wait}        print(json.dumps"
    )
    program = start(slow)
    program.hello()
    with pytest.raises(ProgramError) as caught:
        program.ask({"type": "act", "id": "1", "say": "first"}, "choice", 0.05)
    assert caught.value.fault == "late"
    late.touch()
    assert program.ask({"type": "act", "id": "2", "say": "second"}, "choice", PATIENCE)["choice"] == "second"


def test_one_that_is_never_ready_is_late(start: Start) -> None:
    program = start('import time; print(\'{"type":"identity"}\', flush=True); time.sleep(600)')
    with pytest.raises(ProgramError) as caught:
        program.hello(0.5)
    assert caught.value.fault == "late"


@pytest.mark.skipif(os.name == "nt", reason="processes have no groups there")
def test_what_the_program_started_is_killed_too(start: Start, tmp_path: Path) -> None:
    note = tmp_path / "number"
    child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    program = start(
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        f"open({str(note)!r}, 'w').write(str(child.pid))\n"
        'print(\'{"type":"ready","id":"a"}\', flush=True)\ntime.sleep(600)'
    )
    assert program.receive(PATIENCE)["type"] == "ready"
    program.close()
    number = int(note.read_text())
    wait_until(lambda: not runs(number), "what the program had started still runs")
    assert not any(thread.is_alive() for thread in program._threads)


def test_all_programs_are_ended_when_we_leave(start: Start) -> None:
    program = start(ASLEEP)
    assert program in module._OPEN
    module.close_all()
    assert program.closed and program not in module._OPEN

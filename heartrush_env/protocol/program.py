"""A program that speaks the protocol: started, asked with a clock, and ended whatever it does.

Threads carry the bytes, so that nothing which the program does, or leaves undone, holds us up: what it says is read
line by line up to a limit, what it does not read waits in a short queue, of what it writes to its standard error the
last is kept, and it is killed at the end with all that it started. Not here: what an answer means.
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Literal

from heartrush_env.core.errors import HeartRushError
from heartrush_env.core.numbers import finite, not_finite

MAX_LINE: Final = 2**20  # bytes, the line's end not counted
MOST_PASSED_OVER: Final = 1000  # lines that answer something else, while one answer is waited for
MOST_REMEMBERED: Final = 1000  # ids that are not waited for any more
LINES_AHEAD: Final = 8  # of the program's, read before anybody asks for them
MESSAGES_AHEAD: Final = 8  # of ours, that the program has not read yet
CHUNK: Final = 2**16  # bytes
TAIL: Final = 2000  # bytes of standard error that are kept
SECONDS_TO_LEAVE: Final = 0.5  # after quit, before it is killed
SECONDS_TO_DIE: Final = 2.0  # after its output ended, or after it was killed
START_SECONDS: Final = 60.0  # an engine may have something to load first

Message = dict[str, Any]
Fault = Literal["late", "dead", "malformed", "refused", "illegal"]


class ProgramError(HeartRushError):
    """A program cannot be started, or did not answer as the protocol says; `fault` names how."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault: Fault = fault


class Program:
    """A running program that speaks the protocol; `with` ends it."""

    def __init__(self, command: Sequence[str], *, name: str | None = None) -> None:
        """Start it, without a shell.

        Args:
            command: The program and its arguments.
            name: What it is called in messages; the program's file name unless given.
        """
        if not command or not all(isinstance(word, str) and "\0" not in word for word in command):
            raise ProgramError("dead", f"A program is a list of words, as in ['node', 'engine.mjs'], not {command!r}.")
        self.command = tuple(command)
        self.name = name or Path(command[0]).name
        self._process = _start(self.command, self.name)
        self._lines: queue.Queue[bytes | None] = queue.Queue(LINES_AHEAD)  # None where the program has left
        self._messages: queue.Queue[bytes | None] = queue.Queue(MESSAGES_AHEAD)
        self._given_up: deque[str] = deque(maxlen=MOST_REMEMBERED)
        self._line = bytearray()  # what has come of the next one
        self._errors = b""
        self._closed = threading.Event()
        self._gone: ProgramError | None = None
        self._killed = False
        self._owner = os.getpid()
        self._threads = [
            threading.Thread(target=work, daemon=True, name=f"{work.__name__} {self.name}")
            for work in (self._read_answers, self._read_errors, self._write)
        ]
        for thread in self._threads:
            thread.start()
        _OPEN.add(self)

    def __enter__(self) -> Program:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- what is said ----------------------------------------------------------------------------------------------

    def hello(self, seconds: float = START_SECONDS) -> Message:
        """Ask who it is, wait until it is ready, and return its identity."""
        deadline = time.monotonic() + seconds
        self.send({"type": "hello", "protocol": 1}, seconds)
        identity: Message | None = None
        for _ in range(MOST_PASSED_OVER):
            answer = self.receive(deadline - time.monotonic())
            if answer["type"] == "identity":
                identity = answer
            elif answer["type"] == "ready" and identity is not None:
                return identity
            elif answer["type"] == "error":
                raise ProgramError("refused", f"{self.name} refused hello ({_why(answer)}).")
        raise ProgramError("malformed", f"{self.name} answered hello with something else {MOST_PASSED_OVER} times.")

    def set(self, name: str, value: Any, seconds: float = START_SECONDS) -> None:
        """Set an option."""
        self.ask({"type": "set", "id": f"set {name}"[:128], "name": name, "value": value}, "ready", seconds)

    def ask(self, message: Mapping[str, Any], wanted: str | Sequence[str], seconds: float) -> Message:
        """Send a message and wait for the answer of this id, of one of these types.

        Answers that come too late for an earlier message are passed over.

        Raises:
            ProgramError: late, dead, malformed, or refused where it answered with an error.
        """
        id, deadline = message["id"], time.monotonic() + seconds
        kinds = (wanted,) if isinstance(wanted, str) else tuple(wanted)
        try:
            self.send(message, seconds)
            return self._answer_to(id, kinds, deadline)
        except ProgramError:
            self._given_up.append(id)
            raise

    def _answer_to(self, id: str, kinds: tuple[str, ...], deadline: float) -> Message:
        for _ in range(MOST_PASSED_OVER):
            answer = self.receive(deadline - time.monotonic())
            found = answer.get("id")
            if answer["type"] == "error" and (found == id or found is None):
                raise ProgramError("refused", f"{self.name} refused ({_why(answer)}).")
            if found == id and answer["type"] in kinds:
                return answer
            if found == id:
                raise self._malformed(f"the type {_shown(answer['type'])}, needed: {' or '.join(kinds)}")
            if found not in self._given_up:
                raise self._malformed(f"the id {_shown(found)}, which nothing asked bears, needed: {_shown(id)}")
        raise self._malformed(f"{MOST_PASSED_OVER} lines that answer something else")

    def send(self, message: Mapping[str, Any], seconds: float) -> None:
        """Send a message; late if the program does not read what was sent before."""
        line = json.dumps(message, allow_nan=False, ensure_ascii=False).encode("utf-8", "replace")
        if len(line) > MAX_LINE:
            raise HeartRushError(f"A message has {len(line)} bytes, allowed: {MAX_LINE}.")
        self.send_line(line, seconds)

    def send_line(self, line: bytes, seconds: float) -> None:
        """Send a line as it stands."""
        if self._gone:
            raise self._gone
        try:
            self._messages.put(line + b"\n", timeout=max(0.0, seconds))
        except queue.Full:
            raise self._late() from None

    def receive(self, seconds: float) -> Message:
        """The next answer, whatever it answers: an object with a type."""
        return self.parse(self.receive_line(seconds))

    def receive_line(self, seconds: float) -> bytes:
        """The next line."""
        if self._gone:
            raise self._gone
        try:
            line = self._lines.get(timeout=max(0.0, seconds)) if seconds > 0 else self._lines.get_nowait()
        except queue.Empty:
            raise self._late() from None
        if line is None:
            self._gone = self._dead()
            raise self._gone
        return line

    def parse(self, line: bytes) -> Message:
        """A line as an answer."""
        if len(line) > MAX_LINE:
            raise self._malformed(f"a line of more than {MAX_LINE} bytes")
        try:
            answer = json.loads(line.decode(), parse_constant=not_finite, parse_float=finite)
        except (ValueError, RecursionError) as error:
            reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
            raise self._malformed(f"what is not JSON ({reason})") from None
        if not isinstance(answer, dict) or not isinstance(answer.get("type"), str):
            raise self._malformed("what is not a JSON object with a type")
        return answer

    def _malformed(self, what: str) -> ProgramError:
        return ProgramError("malformed", f"{self.name} answered with {what}.")

    def _late(self) -> ProgramError:
        return ProgramError("late", f"{self.name} did not answer in time.")

    def _dead(self) -> ProgramError:
        """How it left, with the last that it wrote to its standard error."""
        try:
            code: int | None = self._process.wait(SECONDS_TO_DIE)
        except subprocess.TimeoutExpired:
            code = None
        self._kill()
        self._threads[1].join(SECONDS_TO_DIE)
        left = "closed its output" if code is None else f"left with exit code {code}"
        said = [line for line in self._errors.decode("utf-8", "replace").splitlines() if line.strip()]
        last = f", and its last words were {_shown(said[-1].strip())}" if said else ""
        return ProgramError("dead", f"{self.name} {left}{last}.")

    def close_input(self) -> None:
        """Send nothing any more: what it reads comes to its end."""
        with suppress(queue.Full):
            self._messages.put(None, timeout=SECONDS_TO_DIE)

    # -- threads -------------------------------------------------------------------------------------------------------

    def _read_answers(self) -> None:
        """Cut what the program says into lines; of one that is too long, no more is kept than shows that."""
        line = self._line
        while chunk := _read(self._process.stdout):
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                line += end[: MAX_LINE + 1 - len(line)]
                if not self._put(bytes(line)):
                    return
                line.clear()
            line += rest[: MAX_LINE + 1 - len(line)]
        self._put(None)

    def _put(self, line: bytes | None) -> bool:
        """Hand a line over, waiting for room; False once nobody will ask any more."""
        while not self._closed.is_set():
            try:
                self._lines.put(line, timeout=0.1)
                return True
            except queue.Full:
                continue
        return False

    def _read_errors(self) -> None:
        while chunk := _read(self._process.stderr):
            self._errors = (self._errors + chunk)[-TAIL:]

    def _write(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        try:
            while (line := self._messages.get()) is not None:
                view = memoryview(line)
                while view:
                    view = view[pipe.write(view) :]
            pipe.close()
        except (OSError, ValueError):  # it does not read any more, and what it says tells why
            return

    # -- the end -----------------------------------------------------------------------------------------------------

    @property
    def closed(self) -> bool:
        """It has been ended."""
        return self._closed.is_set()

    def close(self) -> None:
        """Tell it to leave, and kill it with all that it started if it does not."""
        if self._closed.is_set() or self._owner != os.getpid():  # a forked process leaves its parent's alone
            return
        self._closed.set()
        self._gone = self._gone or ProgramError("dead", f"{self.name} was ended.")
        try:
            self._messages.put_nowait(b'{"type":"quit"}\n')
            self._messages.put_nowait(None)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(SECONDS_TO_LEAVE)
        except queue.Full:  # it has not read for long, so it would not read this
            pass
        finally:  # even if Ctrl-C is pressed once more meanwhile
            self._kill()
        self._unblock_writer()
        for thread in self._threads:
            thread.join(SECONDS_TO_LEAVE)
        if not any(thread.is_alive() for thread in self._threads):  # else some other process holds a pipe open
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                assert pipe is not None
                with suppress(OSError):
                    pipe.close()
        _OPEN.discard(self)

    def _kill(self) -> None:
        """Kill the process and all that it started, once: later the number of its group may be another's."""
        if self._killed:
            return
        self._killed = True
        if os.name != "nt":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        if self._process.poll() is None:
            self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(SECONDS_TO_DIE)

    def _unblock_writer(self) -> None:
        """Let the writing thread find the end of its queue."""
        while True:
            try:
                self._messages.get_nowait()
            except queue.Empty:
                break
        self._messages.put(None)


_OPEN: set[Program] = set()


@atexit.register
def close_all() -> None:
    """End all programs that still run, so that nothing that we started is left behind."""
    for program in list(_OPEN):
        program.close()


def _start(command: tuple[str, ...], name: str) -> subprocess.Popen[bytes]:
    own_group: dict[str, Any] = (
        {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
        if os.name == "nt"
        else {"start_new_session": True}  # so that all that it starts can be killed with it
    )
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, **own_group)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ProgramError(
            "dead", f"{name} cannot be started ({reason}), needed: a program and its arguments."
        ) from None


def _read(pipe: IO[bytes] | None) -> bytes:
    assert pipe is not None
    try:
        return pipe.read(CHUNK) or b""
    except (OSError, ValueError):
        return b""


def _why(answer: Message) -> str:
    return f"{_shown(answer.get('code'))}: {_shown(answer.get('message'))}"


def _shown(value: object) -> str:
    """A value of the program's, for the middle of a sentence: one line, cut short."""
    text = " ".join(value.split()) if isinstance(value, str) else " ".join(repr(value).split())
    text = "".join(letter if letter.isprintable() else "?" for letter in text).rstrip(".")
    return text if len(text) <= 120 else f"{text[:120]}..."

"""A running program that implements the protocol: it is started, queried with time limits, and always stopped.

Threads transfer the bytes, so the program can never block the caller. Its output is read line by line up to a limit,
unread input waits in a short queue, and the tail of its standard error is kept. At the end the program is killed along
with every process that it started. This module does not interpret answers.
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

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.numbers import finite, not_finite

MAX_LINE: Final = 2**20  # bytes, excluding the line break
MOST_PASSED_OVER: Final = 1000  # unrelated lines tolerated while waiting for an answer
MOST_REMEMBERED: Final = 1000  # ids whose answers are no longer awaited
LINES_AHEAD: Final = 8  # lines of output that are read ahead
MESSAGES_AHEAD: Final = 8  # messages that are queued before the program reads them
CHUNK: Final = 2**16  # bytes
TAIL: Final = 2000  # bytes of standard error that are kept
LONGEST_WAIT: Final = 0.5  # seconds per wait: a signal that arrives just before a wait begins is noticed at its end
SECONDS_TO_LEAVE: Final = 0.5  # between `quit` and killing the program
SECONDS_TO_DIE: Final = 2.0  # for the program to exit once its output has ended or it was killed
START_SECONDS: Final = 60.0  # an engine may have to load something first

Message = dict[str, Any]
Fault = Literal["late", "dead", "malformed", "refused", "illegal"]


class ProgramError(HeartRushError):
    """An error for a program that cannot be started or that violated the protocol; `fault` names the kind of fault."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault: Fault = fault


class Program:
    """A running program that implements the protocol; as a context manager, it is stopped on exit."""

    def __init__(self, command: Sequence[str], *, name: str | None = None) -> None:
        """Start the program, without a shell.

        Args:
            command: The program and its arguments.
            name: Its name in messages; by default the program's file name.
        """
        if not command or not all(isinstance(word, str) and "\0" not in word for word in command):
            raise ProgramError(
                "dead", f"A program: expected a list of words, as in ['node', 'engine.mjs'], got {command!r}."
            )
        self.command = tuple(command)
        self.name = name or Path(command[0]).name
        self._process = _start(self.command, self.name)
        self._lines: queue.Queue[bytes | None] = queue.Queue(LINES_AHEAD)  # None once the program has exited
        self._messages: queue.Queue[bytes | None] = queue.Queue(MESSAGES_AHEAD)
        self._given_up: deque[str] = deque(maxlen=MOST_REMEMBERED)
        self._line = bytearray()  # the start of the next line
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

    # -- messages --------------------------------------------------------------------------------------------------

    def hello(self, seconds: float = START_SECONDS) -> Message:
        """Send `hello`, wait until the program is ready, and return its identity."""
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
        raise ProgramError(
            "malformed", f"{self.name} sent {MOST_PASSED_OVER} answers to hello, but not identity and then ready."
        )

    def set(self, name: str, value: Any, seconds: float = START_SECONDS) -> None:
        """Set an option, and wait until the program is ready."""
        self.ask({"type": "set", "id": f"set {name}"[:128], "name": name, "value": value}, "ready", seconds)

    def ask(self, message: Mapping[str, Any], wanted: str | Sequence[str], seconds: float) -> Message:
        """Send a message and wait for its answer, which must have one of these types.

        Late answers to earlier messages are skipped.

        Raises:
            ProgramError: The program is late or dead, or its answer is malformed or an error.
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
                raise self._malformed(f"the type {_shown(answer['type'])} instead of {' or '.join(kinds)}")
            if found not in self._given_up:
                raise self._malformed(f"the id {_shown(found)}, which no request has, instead of {_shown(id)}")
        raise self._malformed(f"{MOST_PASSED_OVER} unrelated lines")

    def send(self, message: Mapping[str, Any], seconds: float) -> None:
        """Send a message; raise ProgramError ("late") if the program does not read the earlier messages in time."""
        line = json.dumps(message, allow_nan=False, ensure_ascii=False).encode("utf-8", "replace")
        if len(line) > MAX_LINE:
            raise HeartRushError(f"Expected a message of at most {MAX_LINE} bytes, got {len(line)}.")
        self.send_line(line, seconds)

    def send_line(self, line: bytes, seconds: float) -> None:
        """Send a line unchanged."""
        if self._gone:
            raise self._gone
        try:
            self._messages.put(line + b"\n", timeout=max(0.0, seconds))
        except queue.Full:
            raise self._late() from None

    def receive(self, seconds: float) -> Message:
        """Return the next answer to any request: an object with a type."""
        return self.parse(self.receive_line(seconds))

    def receive_line(self, seconds: float) -> bytes:
        """Return the next line."""
        if self._gone:
            raise self._gone
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            try:
                line = self._lines.get(timeout=min(left, LONGEST_WAIT)) if left > 0 else self._lines.get_nowait()
                break
            except queue.Empty:
                if left <= LONGEST_WAIT:
                    raise self._late() from None
        if line is None:
            self._gone = self._dead()
            raise self._gone
        return line

    def parse(self, line: bytes) -> Message:
        """Parse a line as an answer."""
        if len(line) > MAX_LINE:
            raise self._malformed(f"a line of more than {MAX_LINE} bytes")
        try:
            answer = json.loads(line.decode(), parse_constant=not_finite, parse_float=finite)
        except (ValueError, RecursionError) as error:
            reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
            raise self._malformed(f"something that is not JSON ({reason})") from None
        if not isinstance(answer, dict) or not isinstance(answer.get("type"), str):
            raise self._malformed("something other than a JSON object with a type")
        return answer

    def _malformed(self, what: str) -> ProgramError:
        return ProgramError("malformed", f"{self.name} answered with {what}.")

    def _late(self) -> ProgramError:
        return ProgramError("late", f"{self.name} did not answer in time.")

    def _dead(self) -> ProgramError:
        """Return the error for a program that has exited, with the last line of its standard error."""
        try:
            code: int | None = self._process.wait(SECONDS_TO_DIE)
        except subprocess.TimeoutExpired:
            code = None
        self._kill()
        self._threads[1].join(SECONDS_TO_DIE)
        left = "closed its output" if code is None else f"exited with code {code}"
        said = [line for line in self._errors.decode("utf-8", "replace").splitlines() if line.strip()]
        last = f" after writing {_shown(said[-1].strip())}" if said else ""
        return ProgramError("dead", f"{self.name} {left}{last}.")

    def close_input(self) -> None:
        """Close the program's input."""
        with suppress(queue.Full):
            self._messages.put(None, timeout=SECONDS_TO_DIE)

    # -- threads -------------------------------------------------------------------------------------------------------

    def _read_answers(self) -> None:
        """Split the program's output into lines, keeping only enough of an overlong line to recognize it."""
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
        """Queue a line, waiting for room; return False once the program is closed."""
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
        except (OSError, ValueError):  # the program no longer reads; its output will show why
            return

    # -- the end -----------------------------------------------------------------------------------------------------

    @property
    def closed(self) -> bool:
        """Whether the program has been stopped."""
        return self._closed.is_set()

    def close(self) -> None:
        """Send `quit`, wait briefly, then kill the program and every process that it started."""
        if self._closed.is_set() or self._owner != os.getpid():  # a fork must not end its parent's program
            return
        self._closed.set()
        self._gone = self._gone or ProgramError("dead", f"{self.name} was ended.")
        try:
            self._messages.put_nowait(b'{"type":"quit"}\n')
            self._messages.put_nowait(None)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(SECONDS_TO_LEAVE)
        except queue.Full:  # the program has stopped reading, so it would not read this either
            pass
        finally:  # even if Ctrl-C is pressed again
            self._kill()
        self._unblock_writer()
        for thread in self._threads:
            thread.join(SECONDS_TO_LEAVE)
        if not any(thread.is_alive() for thread in self._threads):  # otherwise another process holds a pipe open
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                assert pipe is not None
                with suppress(OSError):
                    pipe.close()
        _OPEN.discard(self)

    def _kill(self) -> None:
        """Kill the process and its group, only once: later, the group's id may belong to other processes."""
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
        """Discard all queued messages, and queue the end marker for the writing thread."""
        while True:
            try:
                self._messages.get_nowait()
            except queue.Empty:
                break
        self._messages.put(None)


_OPEN: set[Program] = set()


@atexit.register
def close_all() -> None:
    """Stop all programs that are still running."""
    for program in list(_OPEN):
        program.close()


def _start(command: tuple[str, ...], name: str) -> subprocess.Popen[bytes]:
    own_group: dict[str, Any] = (
        {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
        if os.name == "nt"
        else {"start_new_session": True}  # so that the program's child processes can be killed with it
    )
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, **own_group)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ProgramError("dead", f"{name} cannot be started ({reason}).") from None


def _read(pipe: IO[bytes] | None) -> bytes:
    assert pipe is not None
    try:
        return pipe.read(CHUNK) or b""
    except (OSError, ValueError):
        return b""


def _why(answer: Message) -> str:
    return f"{_shown(answer.get('code'))}: {_shown(answer.get('message'))}"


def _shown(value: object) -> str:
    """Format a value from the program on one line, shortened, for the middle of a sentence."""
    text = " ".join(value.split()) if isinstance(value, str) else " ".join(repr(value).split())
    text = "".join(letter if letter.isprintable() else "?" for letter in text).rstrip(".")
    return text if len(text) <= 120 else f"{text[:120]}..."

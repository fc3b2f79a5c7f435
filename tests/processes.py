"""Processes that tests start: signals work in them as at a terminal, and they end with their test in every case."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 600.0  # seconds: how long a test waits for what is sure to come, however busy the machine is


@contextmanager
def started(*words: str, **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Run a command for the length of a block, in a session of its own; at the block's end the whole session is killed.

    The options are those of `subprocess.Popen`. A process started here heeds SIGINT and SIGHUP even if the tests
    themselves run where they are ignored, as in the background jobs of a script or under nohup.
    """
    with _heeding_signals():
        process = subprocess.Popen(words, start_new_session=True, **options)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        process.wait()


def finished(
    *words: str, input: Any = None, patience: float = PATIENCE, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """Run a command to its end, for at most `patience` seconds; return its exit code and its output."""
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    if input is not None:
        pipes["stdin"] = subprocess.PIPE
    with started(*words, **pipes) as process:
        out, err = process.communicate(input, timeout=patience)
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def at_terminal(*words: str, env: dict[str, str], answers: Sequence[tuple[bytes, bytes]] = ()) -> bytes:
    """Run a command at a pseudo-terminal to its end, and return what the terminal shows.

    Each answer is typed once its prompt is shown after the previous answer; every answer must be asked for.
    """
    import pty

    ours, theirs = pty.openpty()
    left, seen, at = list(answers), b"", 0
    with started(*words, stdin=theirs, stdout=theirs, stderr=theirs, env=env) as running:
        os.close(theirs)
        with suppress(OSError):  # Linux raises it at the end of the output
            while part := os.read(ours, 4096):
                seen += part
                if left and seen[at:].endswith(left[0][0]):
                    at = len(seen)
                    os.write(ours, left.pop(0)[1])
        os.close(ours)
        assert running.wait(PATIENCE) == 0 and not left
    return seen


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a process that imports the packages of this source tree."""
    path = os.pathsep.join([*(str(ROOT / part) for part in (".", "agents", "train")), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, **more}


def wait_until(ready: Callable[[], bool], what: str) -> None:
    """Wait for an event that is certain to come; fail with `what` if it does not."""
    end = time.monotonic() + PATIENCE
    while not ready():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def runs(number: int) -> bool:
    """Return whether a process is running; an ended process does not count, even if its parent has not reaped it."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{number}/stat")
    return not (status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] == "Z")


@contextmanager
def _heeding_signals() -> Iterator[None]:
    """Give both signals a handler while a process starts: an ignored signal would stay ignored in the process."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread may set handlers
        yield
        return
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)]
    usual = {number: signal.signal(number, signal.default_int_handler) for number in numbers}
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)

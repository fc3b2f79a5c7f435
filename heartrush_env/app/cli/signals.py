"""Signals that ask a command to terminate: SIGTERM and SIGHUP are treated like Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

INTERRUPTED: Final = 130  # the exit code after Ctrl-C
ENDING: Final = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Ended(KeyboardInterrupt):
    """Raised when a signal asks the command to terminate."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Run a command so that SIGTERM or SIGHUP raises Ended, and the command cleans up as after Ctrl-C.

    A signal that is ignored, as under nohup, stays ignored. While the first signal is being handled, further signals
    have no effect. Only the main thread can handle signals; in other threads the context manager does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, _: Any) -> None:
        for each in usual:
            signal.signal(each, signal.SIG_IGN)
        raise Ended(number)

    usual = [number for number in ENDING if signal.getsignal(number) is signal.SIG_DFL]
    for number in usual:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in usual:
            signal.signal(number, signal.SIG_DFL)

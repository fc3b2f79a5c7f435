"""Signals that ask a command to end: SIGTERM and SIGHUP are treated like Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

INTERRUPTED: Final = 130  # the exit code after Ctrl-C
ENDING: Final = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Ended(KeyboardInterrupt):
    """A signal asked the command to end."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Raise Ended on SIGTERM or SIGHUP, so that the command ends and cleans up as after Ctrl-C.

    A signal that is ignored stays ignored, as under nohup. While the first signal is being handled, further ones have
    no effect. Only the main thread can handle signals; in other threads this does nothing.
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

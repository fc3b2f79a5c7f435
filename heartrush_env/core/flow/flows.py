"""Flows as they are written: the decorators, and the fields of a record that flows play on."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import update_wrapper
from typing import Any

from heartrush_env.core.records import Field, record
from heartrush_env.core.rule import Claimed

DONE, WAITS, CALLS = range(
    3
)  # the outcomes of playing a flow: it is over, the fight rests, or another frame must be played
START = "start"  # the wait of a frame that has not begun


class FlowError(Exception):
    """A flow that cannot be cut into steps, with the file and line of the fault."""


def stack(frames: int, numbers: int) -> list[Field]:
    """The fields of a record that flows play on: room for `frames` frames of `numbers` numbers each."""
    frame = record([("flow", "i1"), ("at", "i1"), ("numbers", "i2", (numbers,))])
    return [("depth", "i1"), ("frames", frame, (frames,))]


class Flow(Claimed):
    """A generator function that a machine plays in steps."""

    def __init__(self, function: Callable[..., Any], needs: str | None, keeping: tuple[Any, Any] | None) -> None:
        update_wrapper(self, function)
        self.function = function
        self.needs = needs  # the field that a record must have; without it the flow is over at once
        self.keeping = keeping  # an interrupt's functions: one to call before it first asks, one at its end
        self.runs: list[Any] = []  # its compiled steps, one for each machine that plays it

    @property
    def name(self) -> str:
        """The flow's name in words."""
        return self.function.__name__.replace("_", " ")

    @property
    def takes(self) -> tuple[str, ...]:
        """The names of its parameters."""
        code = self.function.__code__
        return code.co_varnames[: code.co_argcount]

    def __call__(self, fight: Any, log: Any, *numbers: int) -> Generator[Any, None, None]:
        """Run the page as written, in plain Python, as a generator of its waits' answers."""
        if self.needs is not None and self.needs not in fight.dtype.names:
            return
        if self.keeping is not None:
            self.keeping[0](fight)
        yield from self.function(fight, log, *numbers)
        if self.keeping is not None:
            self.keeping[1](fight)


def flow(function: Any = None, *, needs: str | None = None) -> Any:
    """Make a generator function a flow; if the record lacks the field that it `needs`, the flow is over at once."""
    return Flow(function, needs, None) if function is not None else lambda given: Flow(given, needs, None)


def interrupts(keep: Callable[[Any], Any], restore: Callable[[Any], Any]) -> Any:
    """A decorator like `flow` for flows that ask in the middle of something.

    `keep(fight)` is called before the flow first asks, and `restore(fight)` at its end if it has asked.
    """

    def interrupt(function: Any = None, *, needs: str | None = None) -> Any:
        keeping = keep, restore
        return Flow(function, needs, keeping) if function is not None else lambda given: Flow(given, needs, keeping)

    return interrupt


def name_of(function: Any) -> str:
    """The name under which a page finds the function with which an interrupt keeps or restores."""
    return f"_{function.__name__}"

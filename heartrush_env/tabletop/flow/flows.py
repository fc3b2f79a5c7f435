"""The decorators for flows, and the fields that flows need in a record."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import update_wrapper
from typing import Any

from heartrush_env.tabletop.records import Field, record
from heartrush_env.tabletop.rule import Claimed

DONE, WAITS, CALLS = range(
    3
)  # the results of playing a flow: it is over, the fight pauses, or another frame must be played
START = "start"  # the wait of a frame that has not begun


class FlowError(Exception):
    """An error for a flow that cannot be cut into steps; the message names the file and line of the fault."""


def stack(frames: int, numbers: int) -> list[Field]:
    """Return the fields that flows need in a record: room for `frames` frames of `numbers` numbers each."""
    frame = record([("flow", "i1"), ("at", "i1"), ("numbers", "i2", (numbers,))])
    return [("depth", "i1"), ("frames", frame, (frames,))]


class Flow(Claimed):
    """A generator function that a machine plays in steps."""

    def __init__(self, function: Callable[..., Any], needs: str | None, keeping: tuple[Any, Any] | None) -> None:
        update_wrapper(self, function)
        self.function = function
        self.needs = needs  # the field that a record must have; without it the flow is over at once
        self.keeping = keeping  # an interrupt's functions: one to call before its first `ask`, one at its end

    @property
    def name(self) -> str:
        """The flow's name in words."""
        return self.function.__name__.replace("_", " ")

    @property
    def takes(self) -> tuple[str, ...]:
        """The names of the flow's parameters."""
        code = self.function.__code__
        return code.co_varnames[: code.co_argcount]

    def __call__(self, fight: Any, log: Any, *numbers: int) -> Generator[Any, None, None]:
        """Run the page as plain Python, and yield what the call at each wait returns."""
        if self.needs is not None and self.needs not in fight.dtype.names:
            return
        if self.keeping is not None:
            self.keeping[0](fight)
        yield from self.function(fight, log, *numbers)
        if self.keeping is not None:
            self.keeping[1](fight)


def flow(function: Any = None, *, needs: str | None = None) -> Any:
    """Turn a generator function into a flow, which is over at once if the record lacks the field `needs`."""
    return Flow(function, needs, None) if function is not None else lambda given: Flow(given, needs, None)


def interrupts(keep: Callable[[Any], Any], restore: Callable[[Any], Any]) -> Any:
    """Return a decorator like `flow` for flows that ask in the middle of another flow's work.

    `keep(fight)` is called before the flow's first `ask`. `restore(fight)` is called at its end if it reached an `ask`.
    """

    def interrupt(function: Any = None, *, needs: str | None = None) -> Any:
        keeping = keep, restore
        return Flow(function, needs, keeping) if function is not None else lambda given: Flow(given, needs, keeping)

    return interrupt


def name_of(function: Any) -> str:
    """Return the global name of an interrupt's save or restore function in the generated code."""
    return f"_{function.__name__}"

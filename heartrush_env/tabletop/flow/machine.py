"""The machine that plays a page: it compiles and runs the steps, and reads and writes a paused fight's position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.flow.flows import DONE, START, WAITS, Flow, FlowError
from heartrush_env.tabletop.flow.lowering import Lowering
from heartrush_env.tabletop.flow.page import (
    KEPT,
    Page,
    Wait,
    longest_chain,
    read_pages,
    recursive_calls,
)
from heartrush_env.tabletop.flow.steps import ADVANCE, StepsModule

_SMALLEST, _LARGEST = -(2**15), 2**15 - 1  # of a frame's numbers


class Machine:
    """A machine that plays a flow and all flows that it reaches, on records with the fields of `stack`.

    `advance(fight, log)` is compiled: it plays until the fight pauses at a wait or the flow is over. `source` is the
    generated module that holds `advance` and the steps of all flows.
    """

    def __init__(
        self,
        root: Flow,
        *,
        frames: int,
        numbers: int,
        without: str | None = None,
        counts: Mapping[str, int] | None = None,
        nested: int | None = None,
    ) -> None:
        """Compile the pages; raise FlowError if they cannot be played with the `frames` and `numbers` given to `stack`.

        `nested` is the number of windows inside other windows for which the records have room, if it is checked here.
        The machine's records lack the field `without`, so flows that need it are never played. The numbers that frames
        keep are indices of fighters, but for those in `counts`, which stay below the given counts.
        """
        self.counts = counts or {}
        self.pages = read_pages(root)
        self._numbers, self._frames = numbers, frames
        cyclic = recursive_calls(self.pages)
        # The frames and the interrupts that direct calls need.
        self.deepest = longest_chain(root, self.pages, cyclic, without)
        self.nested = longest_chain(root, self.pages, cyclic, without, interrupts_only=True)
        if self.deepest > frames:
            raise FlowError(f"{root.function.__name__}: expected flows at most {frames} deep, got {self.deepest}")
        if nested is not None and self.nested > nested:
            raise FlowError(f"{root.function.__name__}: expected at most {nested} nested interrupts, got {self.nested}")
        steps = StepsModule(root, self.pages)
        questions = {flow: page.idle() for flow, page in self.pages.items()}
        for flow, page in self.pages.items():
            idle = {called: questions[called] for called in self.pages if self.pages[called].fight == page.fight}
            room = {called: frames - longest_chain(called, self.pages, cyclic) for called in cyclic[flow]}
            if any(len(self.pages[called].parameters) > numbers for called in room):
                raise page.fault(page.tree, f"it gives more than {numbers} numbers to a flow that leads back to it")
            steps.add(page, Lowering(page, steps.runs, room, numbers, idle).function())
        self.advance: Any = steps.compile(self._driver(root, steps.runs, cyclic))
        self.source = steps.text
        self._by_name = {flow.name: page for flow, page in self.pages.items()}
        self._by_number = list(self.pages.values())

    def number(self, flow: Flow) -> int:
        """Return the number that identifies a flow in frames."""
        return self.pages[flow].number

    def slot(self, flow: Flow, wait: str, name: str) -> int:
        """Return the index in a frame's numbers at which this wait of the flow keeps the number `name`."""
        return self.pages[flow].by_name()[wait].keeps.index(name)

    def kept_numbers(self) -> NDArray[np.int64]:
        """Return how many numbers a frame keeps, as an array indexed by flow number and wait number."""
        most = max(len(page.waits) for page in self.pages.values())
        kept = np.zeros((len(self.pages), most + 1), np.int64)
        for page in self.pages.values():
            kept[page.number, 0] = min(len(page.parameters), self._numbers)
            for wait in page.waits.values():
                kept[page.number, wait.at] = len(wait.keeps)
        return kept

    # ---- position of a fight

    def begin(self, fight: Any) -> None:
        """Put a fight at the beginning of the page."""
        self.put(fight, [{"flow": self._by_number[0].flow.name, "at": START}])

    def frames(self, fight: Any) -> list[dict[str, Any]]:
        """Return a paused fight's frames in words, the outermost first; empty once the page is over."""
        shown: list[dict[str, Any]] = []
        for frame in fight.frames[: int(fight.depth)]:
            page = self._by_number[frame.flow]
            wait = self._wait(page, int(frame.at))
            kept = wait.keeps if wait is not None else page.parameters
            numbers = {_shown(name): int(frame.numbers[k]) for k, name in enumerate(kept)}
            shown.append({"flow": page.flow.name, "at": wait.name if wait is not None else START, **numbers})
        return shown

    def where(self, fight: Any) -> str:
        """Return the position of a fight on one line: "whole fight@engagement > engagement@stance", or "over"."""
        return " > ".join(f"{frame['flow']}@{frame['at']}" for frame in self.frames(fight)) or "over"

    def put(self, fight: Any, frames: Sequence[Mapping[str, Any]]) -> None:
        """Put a fight at the position of these frames; raise ValueError if they do not fit the page."""
        if len(frames) > self._frames:
            raise ValueError(f"expected at most {self._frames} frames, got {len(frames)}.")
        read = [self._read(frame) for frame in frames]
        expected: Flow | None = self._by_number[0].flow
        for k, (page, wait, _) in enumerate(read):
            if page.flow is not expected:
                allowed = f"{expected.name!r}" if expected is not None else "none below a wait for choices"
                raise ValueError(f"frame {k}: expected {allowed}, got flow {page.flow.name!r}.")
            expected = wait.calls if wait is not None else None
        if expected is not None and frames:
            below = frames[-1]["at"]
            raise ValueError(f"expected frames that end in a wait for choices, got no frame below {below!r}.")
        fight.depth = len(frames)
        for k in range(len(fight.frames)):
            self._write(fight.frames[k], *(read[k] if k < len(read) else (self._by_number[0], None, [])))

    @staticmethod
    def _write(frame: Any, page: Page, wait: Wait | None, numbers: Sequence[int]) -> None:
        frame.flow = page.number
        frame.at = wait.at if wait is not None else 0
        frame.numbers[:] = 0
        frame.numbers[: len(numbers)] = numbers

    def window(self, fight: Any) -> Any:
        """Return the window at which a fight waits; None if the fight is over or the wait names no window."""
        if fight.depth == 0:
            return None
        frame = fight.frames[int(fight.depth) - 1]
        wait = self._wait(self._by_number[frame.flow], int(frame.at))
        return wait.asks if wait is not None else None

    def plays(self, fight: Any) -> list[Flow]:
        """Return the flows that a fight is in, the outermost first."""
        return [self._by_number[frame.flow].flow for frame in fight.frames[: int(fight.depth)]]

    def is_in(self, fight: Any, name: str) -> bool:
        """Return whether a fight is in the flow of this name."""
        return any(flow.name == name for flow in self.plays(fight))

    def interrupted(self, fight: Any) -> int:
        """Return how many interrupts in the fight's frames have reached an `ask` and so have saved something."""
        kept = 0
        for frame in fight.frames[: int(fight.depth)]:
            page = self._by_number[frame.flow]
            wait = self._wait(page, int(frame.at))
            if page.flow.keeping is not None and wait is not None:
                kept += wait.calls is None or bool(frame.numbers[wait.keeps.index(KEPT)])
        return kept

    @staticmethod
    def _wait(page: Page, at: int) -> Wait | None:
        return next((wait for wait in page.waits.values() if wait.at == at), None)

    def _read(self, frame: Mapping[str, Any]) -> tuple[Page, Wait | None, list[int]]:
        """Parse a frame in words into its page, wait and numbers; raise ValueError if it does not fit the pages."""
        if not isinstance(frame, Mapping):
            raise ValueError(f"expected a frame as an object with flow and at, got {type(frame).__name__}.")
        page = self._by_name.get(str(frame.get("flow")))
        if page is None:
            raise ValueError(f"flow: expected {', '.join(self._by_name)}, got {frame.get('flow')!r}.")
        waits: dict[str, Wait | None] = {START: None, **page.by_name()}
        if not isinstance(frame.get("at"), str) or frame["at"] not in waits:
            raise ValueError(f"{page.flow.name}: at: expected {', '.join(waits)}, got {frame.get('at')!r}.")
        wait = waits[frame["at"]]
        kept = [_shown(name) for name in (wait.keeps if wait is not None else page.parameters)]
        if set(frame) != {"flow", "at", *kept}:
            wrong = sorted(map(str, set(frame) ^ {"flow", "at", *kept}))
            raise ValueError(
                f"{page.flow.name}: expected the fields flow, at, {kept}, but {wrong[0]!r} is missing or unknown."
            )
        numbers = [frame[name] for name in kept]
        for name, number in zip(kept, numbers, strict=True):
            if isinstance(number, bool) or not isinstance(number, int) or not _SMALLEST <= number <= _LARGEST:
                allowed = f"{_SMALLEST} to {_LARGEST}"
                raise ValueError(f"{page.flow.name}: {name}: expected {allowed}, got {number!r}.")
        return page, wait, numbers

    def _driver(self, root: Flow, runs: Mapping[Flow, str], cyclic: Mapping[Flow, set[Flow]]) -> str:
        """Return the code of `advance`: it enters the innermost flow that is not called directly, then its callers."""
        called = {flow for calls in cyclic.values() for flow in calls}
        lines: list[str] = []
        for flow in [root, *(flow for flow in self.pages if flow in called and flow is not root)]:
            page = self.pages[flow]
            given = [f"frame.numbers[{k}]" if k < self._numbers else "0" for k in range(len(page.parameters))]
            lines += [
                f"        {'elif' if lines else 'if'} frame.flow == {page.number}:",
                f"            comes = {runs[flow]}({', '.join(['fight', 'log', 'base', 'frame.at', *given])})",
            ]
        edges = [
            f"above.flow == {page.number} and above.at == {wait.at}"
            for flow, page in self.pages.items()
            for wait in page.waits.values()
            if wait.calls in cyclic[flow]
        ]
        search = [
            "        base = fight.depth - 1",
            "        while base > 0:",
            "            above = fight.frames[base - 1]",
            f"            if {' or '.join(edges)}:",
            "                break",
            "            base -= 1",
        ]
        return "\n".join(
            [
                f"def {ADVANCE}(fight, log):",
                "    while fight.depth > 0:",
                *(search if edges else ["        base = 0"]),
                "        frame = fight.frames[base]",
                f"        comes = {DONE}",
                *lines,
                f"        if comes == {WAITS}:",
                "            return",
                f"        if comes == {DONE}:",
                "            fight.depth = base",
            ]
        )


def _shown(name: str) -> str:
    return name.lstrip("_")

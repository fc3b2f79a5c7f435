"""Flows: a round is written as a page of generators, and played as compiled steps that may rest at any wait.

A flow is a generator function over a fight's record. `yield ask(...)` rests there if `ask` answers yes, and
`yield from other(fight, log, ...)` plays another flow:

    @flow
    def engagement(fight, log):
        yield ask(fight, STANCE)
        reveal_all(fight, log)
        for k in range(len(PHASES)):
            yield from phase(fight, log, k)

    MACHINE = Machine(engagement, frames=8, numbers=2)

Each flow is cut at its waits and compiled into a function that can be entered at any of them. Flows call one another
directly. Only when the fight comes to rest does each of them write a frame, the innermost first: its flow, its wait,
and the numbers that it still needs. `advance` enters the outermost flow again, which enters the one that it waits for.
So each place on the page that plays a flow has one call of it, and the compiler can merge the page into one function.
A flow that may reach itself again is not called directly; `advance` plays it by itself, then resumes the flow that
waits for it. If the record has no room for it and everything that it calls, it is skipped.

Around a wait, a flow may use `if`, `while`, and `for` over a range; between waits it may use anything. Only whole
numbers are kept across a wait. A record that flows play on has the fields of `stack`.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import update_wrapper
from typing import Any

import numpy as np
from numba import config
from numpy.typing import NDArray

from heartrush_env.core.records import Field, record
from heartrush_env.core.rule import Claimed, compiled, only_with

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


# ------------------------------------------------------------------------------------------------------- decorators


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

    def __call__(self, fight: Any, log: Any, *numbers: int) -> Generator[Any, None, None]:
        """Run the page as written, as a generator of its waits' answers; this works only without compilation."""
        if not config.DISABLE_JIT:  # type: ignore[attr-defined]
            raise RuntimeError(
                f"{self.function.__name__} is a flow: a machine's `advance` plays it; "
                "it can be called only where NUMBA_DISABLE_JIT=1 is set."
            )
        return self._read(fight, log, *numbers)

    def _read(self, fight: Any, log: Any, *numbers: int) -> Generator[Any, None, None]:
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


# ---------------------------------------------------------------------------------------------------------- parsing


@dataclass
class Wait:
    """A place at which a flow may rest."""

    name: str
    at: int
    asks: Any = None  # the window that it asks, if it names one
    calls: Flow | None = None
    keeps: tuple[str, ...] = ()  # names of the numbers that are kept


@dataclass
class Page:
    """A flow's source, with its waits."""

    flow: Flow
    tree: ast.FunctionDef
    file: str
    waits: dict[ast.AST, Wait] = field(default_factory=dict)  # by the statement
    names: set[str] = field(default_factory=set)  # of its local variables
    number: int = 0
    source: str = ""  # of its steps

    def __post_init__(self) -> None:
        arguments = self.tree.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults or len(arguments.args) < 2:
            raise self.fault(self.tree, "a flow takes fight, log and numbers, each by its place")
        self.fight, self.log, *self.parameters = [argument.arg for argument in arguments.args]
        self.names = {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name) and _is_store(node)}
        self.names |= set(self.parameters)
        for statement in self.tree.body:
            self._check(statement)
        by_name: dict[str, Wait] = {}
        for place, wait in self.waits.items():
            if by_name.setdefault(wait.name, wait) is not wait:
                raise self.fault(place, f"a second wait {wait.name!r}; move it into a separate flow")

    def fault(self, node: Any, words: str) -> FlowError:
        """The error for a fault in the page, with its line."""
        return FlowError(f"{self.file}:{getattr(node, 'lineno', self.tree.lineno)}: {words}")

    def lookup(self, name: str) -> Any:
        """The object that a name refers to outside the function; None if there is none."""
        return self.flow.function.__globals__.get(name, getattr(builtins, name, None))

    def by_name(self) -> dict[str, Wait]:
        """The waits by name, in the order of the page."""
        return {wait.name: wait for wait in self.waits.values()}

    def _check(self, statement: ast.stmt) -> None:
        """Number the waits in a statement, and refuse a statement that cannot be cut."""
        if not has_wait(statement):
            self._check_calls(statement)
            return
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Yield | ast.YieldFrom):
            self.waits[statement] = self._wait(statement, statement.value)
            return
        if isinstance(statement, ast.For):
            self._check_range(statement)
        elif not isinstance(statement, ast.If | ast.While) or has_wait(statement.test):
            raise self.fault(
                statement, "allowed around a yield: if, while, and for over a range; each yield on its own"
            )
        if isinstance(statement, ast.For | ast.While) and statement.orelse:
            raise self.fault(statement, "a loop around a yield must not have an else")
        for inner in [*statement.body, *statement.orelse]:
            self._check(inner)

    def _check_range(self, loop: ast.For) -> None:
        call = loop.iter
        ranges = isinstance(call, ast.Call) and ast.unparse(call.func) == "range" and len(call.args) == 1
        if not ranges or not isinstance(loop.target, ast.Name):
            raise self.fault(loop, "a for around a yield must iterate over range(end)")
        inside = [node for part in loop.body for node in ast.walk(part)]
        if any(isinstance(node, ast.Name) and node.id == loop.target.id and _is_store(node) for node in inside):
            raise self.fault(loop, f"{loop.target.id} is changed inside its loop")

    def _check_calls(self, statement: ast.AST) -> None:
        for node in ast.walk(statement):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Name) and isinstance(self.lookup(called.id), Flow):
                raise self.fault(node, f"{called.id} is a flow; play it by yield from")

    def _wait(self, statement: ast.stmt, node: ast.Yield | ast.YieldFrom) -> Wait:
        call = node.value
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords or has_wait(call):
            raise self.fault(statement, "a yield must be followed by a call of a named function without keywords")
        name, at = call.func.id, len(self.waits) + 1
        called = self.lookup(name)
        if isinstance(node, ast.YieldFrom):
            if not isinstance(called, Flow):
                raise self.fault(statement, f"{name} is not a flow; call it without yield from")
            own = [argument.arg for argument in _parse(called)[0].args.args][2:]
            given = [ast.unparse(argument) for argument in call.args]
            if given[:2] != [self.fight, self.log] or len(given) != len(own) + 2:
                raise self.fault(statement, f"{name} takes {', '.join([self.fight, self.log, *own])}")
            return Wait(called.name, at, calls=called)
        if isinstance(called, Flow):
            raise self.fault(statement, f"{name} is a flow; play it by yield from")
        window = call.args[1] if len(call.args) > 1 else None
        if isinstance(window, ast.Name) and window.id not in self.names and self.lookup(window.id) is not None:
            words = window.id.lower().replace("_", " ").removesuffix(" window")
            return Wait(words, at, asks=self.lookup(window.id))
        return Wait(name.replace("_", " "), at)


def _parse(flow: Flow) -> tuple[ast.FunctionDef, str]:
    """The source of a flow with the line numbers of its file, and the file."""
    lines, first = inspect.getsourcelines(flow.function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    ast.increment_lineno(tree, first - 1)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    return function, inspect.getsourcefile(flow.function) or "?"


def has_wait(node: ast.AST) -> bool:
    """Whether there is a yield in the node."""
    return any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(node))


def _is_store(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


# --------------------------------------------------------------------------------------------------------- liveness


class Liveness:
    """The variables that are still needed at each wait of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.needed: dict[ast.AST, set[str]] = {}  # by the statement of the wait
        self.at_end = {KEPT} if page.flow.keeping else set()
        self._before(page.tree.body, set(self.at_end), set(), set())

    def _before(self, body: Sequence[ast.stmt], after: set[str], broken: set[str], continued: set[str]) -> set[str]:
        """The variables needed before these statements, given those needed after them and after the loop."""
        for statement in reversed(body):
            after = self._before_one(statement, after, broken, continued)
        return after

    def _before_one(self, statement: ast.stmt, after: set[str], broken: set[str], continued: set[str]) -> set[str]:
        if isinstance(statement, ast.Return):
            return set(self.at_end)
        if isinstance(statement, ast.Break):
            return set(broken)
        if isinstance(statement, ast.Continue):
            return set(continued)
        if isinstance(statement, ast.If):
            inside = self._before(statement.body, after, broken, continued)
            return self._loads(statement.test) | inside | self._before(statement.orelse, after, broken, continued)
        if isinstance(statement, ast.While | ast.For):
            return self._before_loop(statement, after)
        if statement in self.page.waits:
            self.needed[statement] = self.needed.get(statement, set()) | after
            kept = {KEPT} if self.at_end and self.page.waits[statement].calls is None else set()
            return (after - kept) | self._loads(statement) | self.at_end
        stored = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and _is_store(node)}
        if isinstance(statement, ast.AugAssign):
            stored = set()
        return (after - stored) | self._loads(statement)

    def _before_loop(self, loop: ast.While | ast.For, after: set[str]) -> set[str]:
        needs: set[str] = set()
        own: set[str] = set()
        if isinstance(loop, ast.For):
            own = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
            needs = own | ({end_of(loop)} if has_wait(loop) and not self.is_constant(loop_end(loop)) else set())
        else:
            needs = self._loads(loop.test)
        head = after | needs
        while True:
            grown = head | self._before(loop.body, head, after, head)
            if grown == head:
                break
            head = grown
        return (head - own - {end_of(loop)}) | self._loads(loop.iter) if isinstance(loop, ast.For) else head

    def _loads(self, node: ast.AST) -> set[str]:
        found = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        if not isinstance(node, ast.AugAssign):
            found = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and not _is_store(inner)}
        return found & self.page.names

    def is_constant(self, node: ast.expr) -> bool:
        """Whether an expression consists only of literals and of names from outside the function."""
        local = self.page.names | {self.page.fight, self.page.log}
        return not any(isinstance(inner, ast.Name) and inner.id in local for inner in ast.walk(node))


def loop_end(loop: ast.For) -> ast.expr:
    """The end of a loop over range(end)."""
    assert isinstance(loop.iter, ast.Call)
    return loop.iter.args[0]


def end_of(loop: Any) -> str:
    """The name under which a loop's end is kept."""
    return f"{loop.target.id}_end" if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) else ""


# --------------------------------------------------------------------------------------------------------- lowering

KEPT = "_kept"  # whether an interrupt has asked already


class Lowering:
    """Turns one page into a function that can be entered at any of its waits.

    Its `_at` is the wait at which it is entered, and 0 once that wait is reached; statements before it are skipped.
    """

    def __init__(self, page: Page, runs: Mapping[Flow, str], room: Mapping[Flow, int], numbers: int) -> None:
        """`runs` names the function of each flow; `room` holds flows that must not be called directly, see Machine."""
        self.page, self.runs, self.room, self.numbers = page, runs, room, numbers
        self.numbers_of = {flow: number for number, flow in enumerate(runs)}
        self.live = Liveness(page)
        for statement, wait in page.waits.items():
            needed = self.live.needed.get(statement, set())
            wait.keeps = tuple(sorted(needed - ({KEPT} if wait.calls is None else set())))
            if len(wait.keeps) > numbers:
                words = f"it keeps {', '.join(wait.keeps)}, allowed: {numbers} numbers"
                raise page.fault(statement, words)

    def function(self) -> ast.FunctionDef:
        """The steps as a function of the fight, the log, the depth, the wait to enter at, and the flow's parameters."""
        page, run = self.page, self.runs[self.page.flow]
        made = self._statements(f"def {run}({', '.join([page.fight, page.log, '_depth', '_at', *page.parameters])}): 0")
        function = made[0]
        assert isinstance(function, ast.FunctionDef)
        kept = {name for wait in page.waits.values() for name in wait.keeps} - set(page.parameters)
        head = [f"{name} = 0" for name in sorted(kept | self.live.at_end)]
        head += [f"{page.fight}.depth = _depth + 1"] if self.room else []
        for wait in page.waits.values():
            head += [*self._restoring(wait)]
        body = page.tree.body[page.flow.function.__doc__ is not None :]
        function.body = [
            *(made for text in head for made in self._statements(text)),
            *self._body(body),
            *self._statements(self._ending()),
        ]
        return function

    def _restoring(self, wait: Wait) -> Iterator[str]:
        """Statements that restore a flow's variables at a wait."""
        fight = self.page.fight
        taken = [f"    {name} = int({fight}.frames[_depth].numbers[{k}])" for k, name in enumerate(wait.keeps)]
        if self.live.at_end and wait.calls is None:
            taken.append(f"    {KEPT} = 1")
        if taken:
            yield "\n".join([f"if _at == {wait.at}:", *taken])

    def _ending(self) -> str:
        """Statements that end the flow."""
        if self.page.flow.keeping is None:
            return f"return {DONE}"
        restore = name_of(self.page.flow.keeping[1])
        return f"if {KEPT} != 0: {restore}({self.page.fight})\nreturn {DONE}"

    def _statements(self, text: str, where: ast.AST | None = None) -> list[ast.stmt]:
        """Parse statements, with the file and line of a place on the page."""
        body = ast.parse(text).body
        line = getattr(where, "lineno", self.page.tree.lineno)
        for statement in body:
            for node in ast.walk(statement):
                if isinstance(node, ast.stmt | ast.expr | ast.arg | ast.keyword):
                    node.lineno = node.end_lineno = line
        return body

    def _body(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Lower statements, some with waits; those without are skipped on the way to a later wait."""
        last = max((k for k, statement in enumerate(body) if has_wait(statement)), default=-1)
        made: list[ast.stmt] = []
        plain: list[ast.stmt] = []
        for statement in body[: last + 1]:
            if not has_wait(statement):
                plain += self._plain(statement)
                continue
            made += self._under("_at == 0", plain) if plain else []
            plain = []
            made += self._cut(statement)
        return [*made, *(done for statement in body[last + 1 :] for done in self._plain(statement))]

    def _under(self, condition: str, body: list[ast.stmt]) -> list[ast.stmt]:
        """Wrap statements in a condition or a loop."""
        made = self._statements(
            f"{condition if condition.startswith(('while', 'for')) else 'if ' + condition}: 0", body[0]
        )
        assert isinstance(made[0], ast.If | ast.While | ast.For)
        made[0].body = body
        return made

    def _plain(self, statement: ast.stmt) -> list[ast.stmt]:
        """Lower a statement without waits; a return from it runs the end of the flow."""
        left = Leaving(self).visit(statement)
        return left if isinstance(left, list) else [left]

    def _ends_by(self, statement: ast.AST) -> list[ast.stmt]:
        """The statements that a return becomes in the steps."""
        return self._statements(self._ending(), statement)

    def _cut(self, statement: ast.stmt) -> list[ast.stmt]:
        """Lower a statement with waits."""
        if statement in self.page.waits:
            return self._wait(statement)
        if isinstance(statement, ast.If):
            return self._branch(statement)
        assert isinstance(statement, ast.While | ast.For)
        return self._while(statement) if isinstance(statement, ast.While) else self._for(statement)

    def _is_behind(self, body: Sequence[ast.stmt]) -> str:
        """The condition under which the flow is on its way to a wait in these statements."""
        found = [wait.at for place, wait in self.page.waits.items() for part in body if place in ast.walk(part)]
        if len(found) == 1:
            return f"_at == {found[0]}"
        return f"{min(found)} <= _at <= {max(found)}"  # waits are numbered in the order of the page

    def _wait(self, statement: ast.stmt) -> list[ast.stmt]:
        wait, page = self.page.waits[statement], self.page
        assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Yield | ast.YieldFrom)
        call = statement.value.value
        assert isinstance(call, ast.Call)
        fight = page.fight
        saving = [
            f"{fight}.frames[_depth].flow = {page.number}",
            f"{fight}.frames[_depth].at = {wait.at}",
            *(f"{fight}.frames[_depth].numbers[{k}] = {name}" for k, name in enumerate(wait.keeps)),
        ]
        numbers = [ast.unparse(argument) for argument in call.args[2:]]
        if wait.calls is None:
            lines = []
            if page.flow.keeping is not None:
                lines = [f"if {KEPT} == 0:", f"    {name_of(page.flow.keeping[0])}({fight})", f"    {KEPT} = 1"]
            rest = [*saving, f"{fight}.depth = _depth + 1", f"return {WAITS}"]
            lines += [f"if {ast.unparse(call)}:", *(f"    {line}" for line in rest)]
        elif wait.calls in self.room:
            frame = f"{fight}.frames[_depth + 1]"
            called = [f"{frame}.numbers[{k}] = {number}" for k, number in enumerate(numbers)]
            called += [f"{frame}.flow = {self.numbers_of[wait.calls]}", f"{frame}.at = 0"]
            rest = [*called, *saving, f"{fight}.depth = _depth + 2", f"return {CALLS}"]
            lines = [f"if _depth < {self.room[wait.calls]}:", *(f"    {line}" for line in rest)]
        else:
            return self._statements("\n".join(self._call(wait, numbers, saving)), statement)
        come = [f"if _at == {wait.at}:", "    _at = 0", "elif _at == 0:", *(f"    {line}" for line in lines)]
        return self._statements("\n".join(come), statement)

    def _call(self, wait: Wait, numbers: Sequence[str], saving: Sequence[str]) -> list[str]:
        """A direct call of another flow, from its beginning or from the wait in its frame."""
        assert wait.calls is not None
        frame = f"{self.page.fight}.frames[_depth + 1]"
        given = [f"_number_{k}" for k in range(len(numbers))]
        first = [f"{name} = {number}" for name, number in zip(given, numbers, strict=True)]
        again = [f"_inner = int({frame}.at)"]
        again += [f"{name} = int({frame}.numbers[{k}])" for k, name in enumerate(given) if k < self.numbers]
        called = ", ".join([self.page.fight, self.page.log, "_depth + 1", "_inner", *given])
        return [
            f"if _at == 0 or _at == {wait.at}:",
            *(f"    {name} = 0" for name in ["_inner", *given]),
            "    if _at == 0:",
            *(f"        {line}" for line in first or ["pass"]),
            "    else:",
            *(f"        {line}" for line in again),
            "        _at = 0",
            f"    _comes = {self.runs[wait.calls]}({called})",
            f"    if _comes != {DONE}:",
            *(f"        {line}" for line in [*saving, "return _comes"]),
        ]

    def _branch(self, statement: ast.If) -> list[ast.stmt]:
        condition = f"_at == 0 and ({ast.unparse(statement.test)})"
        if any(map(has_wait, statement.body)):
            condition += f" or {self._is_behind(statement.body)}"
        other = "_at == 0"
        if any(map(has_wait, statement.orelse)):
            other += f" or {self._is_behind(statement.orelse)}"
        made = self._statements(f"if {condition}: 0\nelif {other}: 0", statement)
        first = made[0]
        assert isinstance(first, ast.If) and isinstance(first.orelse[0], ast.If)
        first.body = self._body(statement.body)
        if statement.orelse:
            first.orelse[0].body = self._body(statement.orelse)
        else:
            first.orelse = []
        return made

    def _while(self, statement: ast.While) -> list[ast.stmt]:
        condition = f"_at == 0 and ({ast.unparse(statement.test)}) or {self._is_behind(statement.body)}"
        return self._under(f"while {condition}", self._body(statement.body))

    def _for(self, statement: ast.For) -> list[ast.stmt]:
        assert isinstance(statement.target, ast.Name)
        name, kept, end = statement.target.id, end_of(statement), ast.unparse(loop_end(statement))
        start = f"if _at == 0:\n    {name} = 0"
        if not self.live.is_constant(loop_end(statement)):
            start, end = f"{start}\n    {kept} = {end}", kept
        loop = self._under(f"for {name} in range({name}, {end})", self._body(statement.body))
        entered = self._under(f"_at == 0 or {self._is_behind(statement.body)}", loop)
        return [*self._statements(start, statement), *entered]


class Leaving(ast.NodeTransformer):
    """Rewrites the returns of a flow."""

    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering

    def visit_Return(self, node: ast.Return) -> Any:
        """Replace a return with the statements that end the flow."""
        if node.value is not None:
            raise self.lowering.page.fault(node, "a flow must not return a value")
        return self.lowering._ends_by(node)  # noqa: SLF001  # its own helper


def name_of(function: Any) -> str:
    """The name under which a page finds the function with which an interrupt keeps or restores."""
    return f"_{function.__name__}"


# ---------------------------------------------------------------------------------------------------------- machine


class Machine:
    """Plays a flow and all flows that it reaches, on records with the fields of `stack`.

    `advance(fight, log)` is compiled: it plays on until the fight rests at a wait, or the flow is over.
    """

    def __init__(self, root: Flow, *, frames: int, numbers: int) -> None:
        """`frames` and `numbers` are those of `stack`. A page that cannot be played with them raises FlowError."""
        self.pages = read_pages(root)
        self._numbers, self._frames = numbers, frames
        self._name = f"{root.function.__module__.rpartition('.')[2]}_{root.function.__name__}"
        runs = {flow: f"_{self._name}_{flow.function.__name__}" for flow in self.pages}
        if len(set(runs.values())) < len(runs):
            raise FlowError(f"{root.function.__name__}: two of its flows have the same name")
        cyclic = recursive_calls(self.pages)
        self.deepest = longest_chain(root, self.pages, cyclic)  # the frames and interrupts that direct calls need
        self.nested = longest_chain(root, self.pages, cyclic, interrupts_only=True)
        if self.deepest > frames:
            raise FlowError(f"{root.function.__name__}: its flows nest {self.deepest} deep, allowed: {frames} frames")
        for flow, page in self.pages.items():
            room = {called: frames - longest_chain(called, self.pages, cyclic) for called in cyclic[flow]}
            if any(len(self.pages[called].parameters) > numbers for called in room):
                raise page.fault(page.tree, f"it gives more than {numbers} numbers to a flow that leads back to it")
            self._compile(page, Lowering(page, runs, room, numbers), runs)
        self.advance: Any = self._driver(root, runs, cyclic)
        self._by_name = {flow.name: page for flow, page in self.pages.items()}
        self._by_number = list(self.pages.values())

    def number(self, flow: Flow) -> int:
        """The number that stands for a flow in frames."""
        return self.pages[flow].number

    def slot(self, flow: Flow, wait: str, name: str) -> int:
        """The index at which a frame that rests at this wait of the flow keeps a number."""
        return self.pages[flow].by_name()[wait].keeps.index(name)

    def kept_numbers(self) -> NDArray[np.int64]:
        """How many numbers a frame keeps, by the numbers of its flow and of its wait."""
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
        """The frames of a fight at rest in words, the outermost first; empty once the page is over."""
        shown: list[dict[str, Any]] = []
        for frame in fight.frames[: int(fight.depth)]:
            page = self._by_number[frame.flow]
            wait = self._wait(page, int(frame.at))
            kept = wait.keeps if wait is not None else page.parameters
            numbers = {_shown(name): int(frame.numbers[k]) for k, name in enumerate(kept)}
            shown.append({"flow": page.flow.name, "at": wait.name if wait is not None else START, **numbers})
        return shown

    def where(self, fight: Any) -> str:
        """The position of a fight in one line: "whole fight@engagement > engagement@stance", or "over"."""
        return " > ".join(f"{frame['flow']}@{frame['at']}" for frame in self.frames(fight)) or "over"

    def put(self, fight: Any, frames: Sequence[Mapping[str, Any]]) -> None:
        """Put a fight at the position of these frames; ValueError, with a sentence, if they do not fit the page."""
        if len(frames) > self._frames:
            raise ValueError(f"found {len(frames)} frames, allowed: at most {self._frames}.")
        read = [self._read(frame) for frame in frames]
        expected: Flow | None = self._by_number[0].flow
        for k, (page, wait, _) in enumerate(read):
            if page.flow is not expected:
                allowed = f"{expected.name!r}" if expected is not None else "none below a wait for choices"
                raise ValueError(f"frame {k}: found flow {page.flow.name!r}, allowed here: {allowed}.")
            expected = wait.calls if wait is not None else None
        if expected is not None and frames:
            below = frames[-1]["at"]
            raise ValueError(f"found nothing below {below!r}, allowed: frames that end where a fight rests.")
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
        """The window at which a fight waits; None if the fight is over or the wait has no name."""
        if fight.depth == 0:
            return None
        frame = fight.frames[int(fight.depth) - 1]
        wait = self._wait(self._by_number[frame.flow], int(frame.at))
        return wait.asks if wait is not None else None

    def plays(self, fight: Any) -> list[Flow]:
        """The flows that a fight is in, the outermost first."""
        return [self._by_number[frame.flow].flow for frame in fight.frames[: int(fight.depth)]]

    def is_in(self, fight: Any, name: str) -> bool:
        """Whether a fight is in the flow of this name."""
        return any(flow.name == name for flow in self.plays(fight))

    def interrupted(self, fight: Any) -> int:
        """How many interrupts the fight is in that have already asked, and so keep something."""
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
        """The page, wait and numbers of a frame in words."""
        if not isinstance(frame, Mapping):
            raise ValueError(f"found a frame that is {type(frame).__name__}, allowed: an object with flow and at.")
        page = self._by_name.get(str(frame.get("flow")))
        if page is None:
            raise ValueError(f"found flow {frame.get('flow')!r}, allowed: {', '.join(self._by_name)}.")
        waits: dict[str, Wait | None] = {START: None, **page.by_name()}
        if not isinstance(frame.get("at"), str) or frame["at"] not in waits:
            raise ValueError(f"{page.flow.name}: found at {frame.get('at')!r}, allowed: {', '.join(waits)}.")
        wait = waits[frame["at"]]
        kept = [_shown(name) for name in (wait.keeps if wait is not None else page.parameters)]
        if set(frame) != {"flow", "at", *kept}:
            wrong = sorted(map(str, set(frame) ^ {"flow", "at", *kept}))
            raise ValueError(f"{page.flow.name}: {wrong[0]!r} is missing or unknown, allowed: flow, at, {kept}.")
        numbers = [frame[name] for name in kept]
        for name, number in zip(kept, numbers, strict=True):
            if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < _LARGEST:
                raise ValueError(f"{page.flow.name}: found {name} {number!r}, allowed: 0 to {_LARGEST - 1}.")
        return page, wait, numbers

    # ---- compilation

    def _compile(self, page: Page, lowering: Lowering, runs: Mapping[Flow, str]) -> None:
        """Make the function of a page's steps in the page's own module, so that it sees the same names."""
        flow = page.flow
        names = flow.function.__globals__
        if flow.keeping is not None:
            for function in flow.keeping:
                names[name_of(function)] = function
        steps = lowering.function()
        page.source = ast.unparse(steps)
        module = ast.fix_missing_locations(ast.Module([steps], []))
        exec(compile(module, page.file, "exec"), names)
        made = compiled(names[runs[flow]])
        flow.runs.append(only_with(flow.needs, DONE)(made) if flow.needs is not None else made)
        for caller in self.pages:
            caller.function.__globals__[runs[flow]] = flow.runs[-1]

    def _driver(self, root: Flow, runs: Mapping[Flow, str], cyclic: Mapping[Flow, set[Flow]]) -> Any:
        """The function that plays until the fight rests, outward from the last flow that was not called directly."""
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
        name = f"_{self._name}_advance"
        text = "\n".join(
            [
                f"def {name}(fight, log):",
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
        names = root.function.__globals__
        exec(compile(text, self._by_root(root), "exec"), names)
        names[name] = compiled(names[name])
        return names[name]

    def _by_root(self, root: Flow) -> str:
        return self.pages[root].file


_LARGEST = 2**15  # of the numbers of a frame


def _shown(name: str) -> str:
    return name.lstrip("_")


def read_pages(root: Flow) -> dict[Flow, Page]:
    """The pages of a flow and of all flows that it reaches, numbered breadth-first in the order of their calls."""
    pages: dict[Flow, Page] = {}
    waiting = [root]
    for flow in waiting:
        if flow in pages:
            continue
        pages[flow] = Page(flow, *_parse(flow), number=len(pages))
        waiting += [wait.calls for wait in pages[flow].waits.values() if wait.calls is not None]
    return pages


def recursive_calls(pages: Mapping[Flow, Page]) -> dict[Flow, set[Flow]]:
    """For each flow, the calls that lead back to it; these flows must not be called directly."""
    calls = {flow: {w.calls for w in page.waits.values() if w.calls is not None} for flow, page in pages.items()}
    reached: dict[Flow, set[Flow]] = {}
    for flow in pages:
        found: set[Flow] = set()
        waiting = list(calls[flow])
        while waiting:
            called = waiting.pop()
            if called not in found:
                found.add(called)
                waiting += calls[called]
        reached[flow] = found
    return {flow: {called for called in calls[flow] if called is flow or flow in reached[called]} for flow in pages}


def longest_chain(
    root: Flow, pages: Mapping[Flow, Page], cyclic: Mapping[Flow, set[Flow]], *, interrupts_only: bool = False
) -> int:
    """The number of frames, or of interrupts, in the deepest chain of direct calls from the root."""
    below = [wait.calls for wait in pages[root].waits.values() if wait.calls is not None]
    direct = [flow for flow in below if flow not in cyclic[root]]
    own = int(root.keeping is not None or not interrupts_only)
    return own + max(
        (longest_chain(flow, pages, cyclic, interrupts_only=interrupts_only) for flow in direct), default=0
    )

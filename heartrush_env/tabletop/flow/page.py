"""The source of a flow, read and checked: its waits and its calls of other flows."""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from heartrush_env.tabletop.flow.flows import Flow, FlowError

KEPT = "_kept"  # the variable that shows whether an interrupt has reached an `ask`


@dataclass
class Wait:
    """A place at which a flow may pause."""

    name: str
    at: int
    asks: Any = None  # the window that it opens, if it names one
    calls: Flow | None = None
    keeps: tuple[str, ...] = ()  # names of the numbers that are kept


@dataclass
class Page:
    """A flow's source, with its waits."""

    flow: Flow
    tree: ast.FunctionDef
    file: str
    waits: dict[ast.AST, Wait] = field(default_factory=dict)  # keyed by statement
    names: set[str] = field(default_factory=set)  # of its local variables
    number: int = 0

    def __post_init__(self) -> None:
        arguments = self.tree.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults or len(arguments.args) < 2:
            raise self.fault(
                self.tree, "a flow takes only positional arguments without defaults: fight, log, then numbers"
            )
        self.fight, self.log, *self.parameters = [argument.arg for argument in arguments.args]
        self.names = {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name) and is_store(node)}
        self.names |= set(self.parameters)
        for statement in self.tree.body:
            self._check(statement)
        self._tell_apart()

    def fault(self, node: Any, words: str) -> FlowError:
        """Return the error for a fault in the page, with its file and line."""
        return FlowError(f"{self.file}:{getattr(node, 'lineno', self.tree.lineno)}: {words}")

    def idle(self) -> str | None:
        """Return the condition on the fight alone under which the flow's first statement returns; None without one."""
        first = self.tree.body[self.flow.function.__doc__ is not None]
        if not isinstance(first, ast.If) or first.orelse or not isinstance(first.body[0], ast.Return):
            return None
        about = {node.id for node in ast.walk(first.test) if isinstance(node, ast.Name)}
        return ast.unparse(first.test) if about == {self.fight} else None

    def lookup(self, name: str) -> Any:
        """Return the object that a name refers to outside the function, or None."""
        return self.flow.function.__globals__.get(name, getattr(builtins, name, None))

    def by_name(self) -> dict[str, Wait]:
        """Return the waits by name, in the order of the page."""
        return {wait.name: wait for wait in self.waits.values()}

    def _tell_apart(self) -> None:
        """Give each wait a name of its own: add a flow's constant arguments, and number names that are still equal."""
        played = [wait.calls for wait in self.waits.values()]
        for place, wait in self.waits.items():
            if wait.calls is not None and played.count(wait.calls) > 1:
                assert isinstance(place, ast.Expr)
                given = asked_or_called(place).args[2:]
                wait.name = " ".join([wait.name, *(_words(part) for part in given if self._is_constant(part))])
        times: Counter[str] = Counter()
        for wait in self.waits.values():
            times[wait.name] += 1
            if times[wait.name] > 1:
                wait.name = f"{wait.name} {times[wait.name]}"

    def _is_constant(self, node: ast.expr) -> bool:
        """Return whether an argument is a number, or a constant from outside the function."""
        inner = node.operand if isinstance(node, ast.UnaryOp) else node
        return isinstance(inner, ast.Constant) or self._outside(inner) is not None

    def _outside(self, node: ast.expr | None) -> Any:
        """Return what a name such as MOVE or terms.MOVE refers to outside the function, or None."""
        if isinstance(node, ast.Name):
            return None if node.id in self.names else self.lookup(node.id)
        if isinstance(node, ast.Attribute):
            module = self._outside(node.value)
            return getattr(module, node.attr, None) if isinstance(module, ModuleType) else None
        return None

    def _check(self, statement: ast.stmt) -> None:
        """Check that a statement can be cut into steps, and number its waits; raise FlowError if it cannot."""
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
                statement, "a yield must be a statement of its own, inside nothing but if, while, and for over a range"
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
        if any(isinstance(node, ast.Name) and node.id == loop.target.id and is_store(node) for node in inside):
            raise self.fault(loop, f"{loop.target.id} is changed inside its loop")

    def _check_calls(self, statement: ast.AST) -> None:
        for node in ast.walk(statement):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Name) and isinstance(self.lookup(called.id), Flow):
                raise self.fault(node, f"{called.id} is a flow; call it with yield from")

    def _wait(self, statement: ast.stmt, node: ast.Yield | ast.YieldFrom) -> Wait:
        call = node.value
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords or has_wait(call):
            raise self.fault(statement, "a yield must be followed by a call of a named function without keywords")
        name, at = call.func.id, len(self.waits) + 1
        called = self.lookup(name)
        if isinstance(node, ast.YieldFrom):
            if not isinstance(called, Flow):
                raise self.fault(statement, f"{name} is not a flow; call it without yield from")
            own = called.takes[2:]
            given = [ast.unparse(argument) for argument in call.args]
            if given[:2] != [self.fight, self.log] or len(given) != len(own) + 2:
                raise self.fault(statement, f"{name} takes {', '.join([self.fight, self.log, *own])}")
            return Wait(called.name, at, calls=called)
        if isinstance(called, Flow):
            raise self.fault(statement, f"{name} is a flow; call it with yield from")
        window = call.args[1] if len(call.args) > 1 else None
        if window is not None and (asks := self._outside(window)) is not None:
            return Wait(_words(window).removesuffix(" window"), at, asks=asks)
        return Wait(name.replace("_", " "), at)


def parse(flow: Flow) -> tuple[ast.FunctionDef, str]:
    """Return a flow's function definition, with the line numbers of its file, and the file."""
    lines, first = inspect.getsourcelines(flow.function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    ast.increment_lineno(tree, first - 1)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    return function, inspect.getsourcefile(flow.function) or "?"


def has_wait(node: ast.AST) -> bool:
    """Return whether the node contains a yield."""
    return any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(node))


def is_store(node: ast.Name) -> bool:
    """Return whether a name is written, not read."""
    return not isinstance(node.ctx, ast.Load)


def _words(constant: ast.expr) -> str:
    """Return a constant of the source in words: LATE_MOVE and terms.LATE_MOVE are "late move"."""
    name = constant.attr if isinstance(constant, ast.Attribute) else ast.unparse(constant)
    return name.lower().replace("_", " ")


def loop_end(loop: ast.For) -> ast.expr:
    """Return the end of a loop over range(end)."""
    assert isinstance(loop.iter, ast.Call)
    return loop.iter.args[0]


def asked_or_called(statement: ast.Expr) -> ast.Call:
    """Return the call in a yield."""
    assert isinstance(statement.value, ast.Yield | ast.YieldFrom) and isinstance(statement.value.value, ast.Call)
    return statement.value.value


def end_of(loop: Any) -> str:
    """Return the name of the variable that keeps the end of a for loop; "" for any other loop."""
    return f"{loop.target.id}_end" if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) else ""


# -- pages that call one another --------------------------------------------------------------------------------------


def read_pages(root: Flow) -> dict[Flow, Page]:
    """Return the pages of a flow and of all flows that it reaches, numbered breadth-first in call order."""
    pages: dict[Flow, Page] = {}
    waiting = [root]
    for flow in waiting:
        if flow in pages:
            continue
        pages[flow] = Page(flow, *parse(flow), number=len(pages))
        waiting += [wait.calls for wait in pages[flow].waits.values() if wait.calls is not None]
    return pages


def recursive_calls(pages: Mapping[Flow, Page]) -> dict[Flow, set[Flow]]:
    """Return, for each flow, the flows that it calls and that lead back to it; they must not be called directly."""
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
    root: Flow,
    pages: Mapping[Flow, Page],
    cyclic: Mapping[Flow, set[Flow]],
    without: str | None = None,
    *,
    interrupts_only: bool = False,
) -> int:
    """Return the number of frames, or of interrupts alone, in the deepest chain of direct calls from the root.

    Flows that need the field `without` are left out: records that lack it never play them.
    """
    below = [wait.calls for wait in pages[root].waits.values() if wait.calls is not None]
    direct = [flow for flow in below if flow not in cyclic[root] and (without is None or flow.needs != without)]
    own = int(root.keeping is not None or not interrupts_only)
    return own + max(
        (longest_chain(flow, pages, cyclic, without, interrupts_only=interrupts_only) for flow in direct), default=0
    )

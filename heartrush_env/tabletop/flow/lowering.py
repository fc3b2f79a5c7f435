"""Lowering of a page to one plain function that can be entered at any of its waits."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from heartrush_env.tabletop.flow.flows import CALLS, DONE, WAITS, Flow, name_of
from heartrush_env.tabletop.flow.liveness import Liveness
from heartrush_env.tabletop.flow.page import KEPT, Page, Wait, asked_or_called, end_of, loop_end


class Lowering:
    """The lowering of one page to a function that can be entered at any of its waits.

    The function's `_at` is the wait to enter at, and becomes 0 once that wait is reached. Statements before it are
    skipped.
    """

    def __init__(
        self,
        page: Page,
        runs: Mapping[Flow, str],
        room: Mapping[Flow, int],
        numbers: int,
        idle: Mapping[Flow, str | None],
    ) -> None:
        """Prepare a page whose waits each keep at most `numbers` numbers.

        `runs` holds the name of each flow's function. `room` holds, for each flow that must not be called directly, the
        depth from which there is no room for it. `idle` holds, for some flows, a condition on the fight under which the
        flow returns at once; callers test it before the call.
        """
        self.page, self.runs, self.room, self.numbers, self.idle = page, runs, room, numbers, idle
        self.numbers_of = {flow: number for number, flow in enumerate(runs)}
        self.live = Liveness(page)
        for statement, wait in page.waits.items():
            needed = self.live.needed.get(statement, set())
            wait.keeps = tuple(sorted(needed - ({KEPT} if wait.calls is None else set())))
            if len(wait.keeps) > numbers:
                words = f"expected at most {numbers} numbers to keep, got {', '.join(wait.keeps)}"
                raise page.fault(statement, words)

    def function(self) -> ast.FunctionDef:
        """Return the steps as a function of the fight, the log, the depth, the wait to enter at, and the parameters."""
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
        """Yield the code that restores a flow's variables at a wait."""
        fight = self.page.fight
        taken = [f"    {name} = int({fight}.frames[_depth].numbers[{k}])" for k, name in enumerate(wait.keeps)]
        if self.live.at_end and wait.calls is None:
            taken.append(f"    {KEPT} = 1")
        if taken:
            yield "\n".join([f"if _at == {wait.at}:", *taken])

    def _ending(self) -> str:
        """Return the code that ends the flow."""
        if self.page.flow.keeping is None:
            return f"return {DONE}"
        restore = name_of(self.page.flow.keeping[1])
        return f"if {KEPT} != 0: {restore}({self.page.fight})\nreturn {DONE}"

    def _statements(self, text: str, where: ast.AST | None = None) -> list[ast.stmt]:
        """Parse code into statements, with the line number of a node of the page."""
        body = ast.parse(text).body
        line = getattr(where, "lineno", self.page.tree.lineno)
        for statement in body:
            for node in ast.walk(statement):
                if isinstance(node, ast.stmt | ast.expr | ast.arg | ast.keyword):
                    node.lineno = node.end_lineno = line
        return body

    def _has_wait(self, node: ast.AST) -> bool:
        """Return whether a fight may pause in the node."""
        return any(inner in self.page.waits for inner in ast.walk(node))

    def _body(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Lower statements; on the way to a later wait, those without waits are skipped."""
        last = max((k for k, statement in enumerate(body) if self._has_wait(statement)), default=-1)
        made: list[ast.stmt] = []
        plain: list[ast.stmt] = []
        for statement in body[: last + 1]:
            if not self._has_wait(statement):
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
        """Lower a statement in which no fight pauses; a return from it runs the end of the flow."""
        left = Passing(self).visit(statement)
        return left if isinstance(left, list) else [left]

    def _ends_by(self, statement: ast.AST) -> list[ast.stmt]:
        """Return the statements that replace a return."""
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
        """Return an expression that tests whether the flow is on its way to a wait in these statements."""
        found = [wait.at for place, wait in self.page.waits.items() for part in body if place in ast.walk(part)]
        if len(found) == 1:
            return f"_at == {found[0]}"
        return f"{min(found)} <= _at <= {max(found)}"  # waits are numbered in the order of the page

    def _keeping(self) -> list[str]:
        """Return the code that an interrupt runs before its first `ask`."""
        if self.page.flow.keeping is None:
            return []
        keep = name_of(self.page.flow.keeping[0])
        return [f"if {KEPT} == 0:", f"    {keep}({self.page.fight})", f"    {KEPT} = 1"]

    def _wait(self, statement: ast.stmt) -> list[ast.stmt]:
        wait, page = self.page.waits[statement], self.page
        assert isinstance(statement, ast.Expr)
        call, fight = asked_or_called(statement), page.fight
        saving = [
            f"{fight}.frames[_depth].flow = {page.number}",
            f"{fight}.frames[_depth].at = {wait.at}",
            *(f"{fight}.frames[_depth].numbers[{k}] = {name}" for k, name in enumerate(wait.keeps)),
        ]
        numbers = [ast.unparse(argument) for argument in call.args[2:]]
        if wait.calls is None:
            rest = [*saving, f"{fight}.depth = _depth + 1", f"return {WAITS}"]
            lines = [*self._keeping()]
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
        """Return the code that calls another flow directly, from its beginning or from the wait in its frame."""
        assert wait.calls is not None
        frame = f"{self.page.fight}.frames[_depth + 1]"
        given = [f"_number_{k}" for k in range(len(numbers))]
        first = [f"{name} = {number}" for name, number in zip(given, numbers, strict=True)]
        again = [f"_inner = int({frame}.at)"]
        again += [f"{name} = int({frame}.numbers[{k}])" for k, name in enumerate(given) if k < self.numbers]
        called = ", ".join([self.page.fight, self.page.log, "_depth + 1", "_inner", *given])
        idle = self.idle.get(wait.calls)
        begins = "_at == 0" if idle is None else f"_at == 0 and not ({idle})"
        return [
            f"if {begins} or _at == {wait.at}:",
            *(f"    {name} = 0" for name in ["_inner", *given]),
            *(
                ["    if _at == 0:", *(f"        {line}" for line in first), "    else:"]
                if first
                else ["    if _at != 0:"]
            ),
            *(f"        {line}" for line in again),
            "        _at = 0",
            f"    _comes = {self.runs[wait.calls]}({called})",
            f"    if _comes != {DONE}:",
            *(f"        {line}" for line in [*saving, "return _comes"]),
        ]

    def _branch(self, statement: ast.If) -> list[ast.stmt]:
        condition = f"_at == 0 and ({ast.unparse(statement.test)})"
        if any(map(self._has_wait, statement.body)):
            condition += f" or {self._is_behind(statement.body)}"
        other = "_at == 0"
        if any(map(self._has_wait, statement.orelse)):
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


class Passing(ast.NodeTransformer):
    """A transformer of statements in which no fight pauses: it replaces their returns."""

    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering

    def visit_Return(self, node: ast.Return) -> Any:
        """Replace a return with the statements that end the flow."""
        if node.value is not None:
            raise self.lowering.page.fault(node, "a flow must not return a value")
        return self.lowering._ends_by(node)  # noqa: SLF001  # its own helper

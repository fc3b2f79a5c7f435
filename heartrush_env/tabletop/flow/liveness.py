"""Analysis of which variables of a page are still needed at each of its waits, so that only these are kept."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from heartrush_env.tabletop.flow.page import KEPT, Page, end_of, has_wait, is_store, loop_end


class Liveness:
    """The variables that are still needed at each wait of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.needed: dict[ast.AST, set[str]] = {}  # keyed by the statement of the wait
        self.at_end = {KEPT} if page.flow.keeping else set()
        self._before(page.tree.body, set(self.at_end), set(), set())

    def _before(self, body: Sequence[ast.stmt], after: set[str], broken: set[str], continued: set[str]) -> set[str]:
        """Return the variables needed before these statements.

        `after` holds the variables needed after the statements, `broken` the variables needed after a break, and
        `continued` the variables needed at the next iteration.
        """
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
        stored = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and is_store(node)}
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
            found = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and not is_store(inner)}
        return found & self.page.names

    def is_constant(self, node: ast.expr) -> bool:
        """Return whether an expression consists only of literals and names from outside the function."""
        local = self.page.names | {self.page.fight, self.page.log}
        return not any(isinstance(inner, ast.Name) and inner.id in local for inner in ast.walk(node))

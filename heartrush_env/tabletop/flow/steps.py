"""The generated module of a machine: the steps of all its flows and `advance`, as one source that people can read."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from typing import Any

from heartrush_env.tabletop.flow.flows import DONE, Flow, name_of
from heartrush_env.tabletop.flow.page import Page, is_store
from heartrush_env.tabletop.rule import compiled, only_with

ADVANCE = "_advance"


class StepsModule:
    """The steps of a machine's flows, gathered page by page and then compiled together.

    The module keeps the names of the pages. A name that means different objects on two pages gets the name of the
    second page's module in front. Tracebacks and debuggers show the lines of the pages.
    """

    def __init__(self, root: Flow, pages: Mapping[Flow, Page]) -> None:
        """Prepare the module of a machine that plays `root`."""
        self._summary = f'"""The steps of the flow `{root.name}`, generated from the flows below."""'
        self._pages = pages
        self._functions: list[tuple[ast.FunctionDef, str]] = []  # each with the file of its page
        # Numba can load machine code from disk only if the module in which it was defined can be imported.
        self._names: dict[str, Any] = {"__name__": root.function.__module__}
        self.runs: dict[Flow, str] = {}  # the names of the functions that play the flows
        for flow in pages:
            name = f"play_{flow.function.__name__}"
            self.runs[flow] = name if name not in self.runs.values() else f"{name}_{len(self.runs)}"

    @property
    def text(self) -> str:
        """The module's source."""
        return "\n\n\n".join([self._summary, *(ast.unparse(function) for function, _ in self._functions)]) + "\n"

    def add(self, page: Page, steps: ast.FunctionDef) -> None:
        """Add the steps of a page, which must have no docstring."""
        names = [node for node in ast.walk(steps) if isinstance(node, ast.Name)]
        local = {argument.arg for argument in steps.args.args} | {node.id for node in names if is_store(node)}
        for node in names:
            if node.id not in local and (found := self._meaning(page, node.id)) is not None:
                node.id = self._name(page, node.id, found)
        told = ast.parse(f'"""The flow `{page.flow.name}` of {page.flow.function.__module__}."""').body
        steps.body = [*told, *steps.body]
        self._functions.append((steps, page.file))

    def _meaning(self, page: Page, name: str) -> Any:
        """Return the object that a page's global name refers to; None for built-ins and the module's own functions."""
        if name in self.runs.values() or hasattr(builtins, name):
            return None
        for function in page.flow.keeping or ():
            if name == name_of(function):
                return function
        # A caller tests the condition under which another flow returns at once, in the names of that flow's page.
        return next(
            (found for other in (page, *self._pages.values()) if (found := other.lookup(name)) is not None), None
        )

    def _name(self, page: Page, name: str, found: Any) -> str:
        """Return a name for an object; no other object of the module has this name."""
        if self._names.setdefault(name, found) is not found:
            name = f"{page.flow.function.__module__.rpartition('.')[2]}_{name}"
            self._names[name] = found
        return name

    def compile(self, driver: str) -> Any:
        """Compile all steps, and the function `advance` with this source; return `advance`."""
        function = ast.parse(driver).body[0]
        assert isinstance(function, ast.FunctionDef)
        self._functions.append((function, "<advance>"))
        for made, file in self._functions:
            module = ast.fix_missing_locations(ast.Module([made], []))
            exec(compile(module, file, "exec"), self._names)
        for flow, run in self.runs.items():
            play = compiled(self._names[run])
            self._names[run] = only_with(flow.needs, DONE)(play) if flow.needs is not None else play
        return compiled(self._names[ADVANCE])

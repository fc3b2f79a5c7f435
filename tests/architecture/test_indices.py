"""No compiled function counts an index from the end: machine code would read the memory before the array."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.layout import functions

MARKS = {
    "compiled", "inlined", "called", "rule", "kernel", "entry_point", "only_with", "on_map", "by_turns", "flow",
    "interrupt", "chosen_again",
}  # fmt: skip
OF_UNITS = {"may", "do", "any_of", "write", "settle", "note", "advantage", "total"}  # methods of classes of choices


def is_compiled(function: ast.FunctionDef) -> bool:
    marks = (mark.func if isinstance(mark, ast.Call) else mark for mark in function.decorator_list)
    is_of_unit = function.name.removesuffix("_in_").split("_in_")[0] in OF_UNITS and not function.returns
    return is_of_unit or any(isinstance(mark, ast.Name) and mark.id in MARKS for mark in marks)


def from_the_end(function: ast.AST) -> Iterator[str]:
    """Yield the indices in a function that are negative numbers or NOBODY."""
    for part in ast.walk(function):
        if isinstance(part, ast.Subscript):
            places = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
            for place in places:
                negative = isinstance(place, ast.UnaryOp) and isinstance(place.op, ast.USub)
                if negative or (isinstance(place, ast.Name) and place.id == "NOBODY"):
                    yield ast.unparse(part)


def test_no_compiled_function_counts_from_the_end() -> None:
    compiled = [(module, function) for module, function in functions() if is_compiled(function)]
    assert len(compiled) > 500, "of more functions than these, machine code is made"
    found = [f"{module}.{each.name}: {index}" for module, each in compiled for index in from_the_end(each)]
    assert found == []


@pytest.mark.parametrize("index", ["rows[-1]", "table[2, -k]", "fighters[NOBODY]"])
def test_such_indices_are_found(index: str) -> None:
    assert list(from_the_end(ast.parse(f"x = {index}"))) == [index]

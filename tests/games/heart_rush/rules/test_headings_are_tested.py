"""Every heading that a rule claims has a test that names it, and every heading that a test names is claimed."""

from __future__ import annotations

import ast
from pathlib import Path

from heartrush_env.games.heart_rush.headings import BOOK

HERE = Path(__file__).parent


def named_headings() -> dict[str, set[str]]:
    """The headings in the `heading` markers of the tests beside this one, each with the tests that name it."""
    named: dict[str, set[str]] = {}
    for path in sorted(HERE.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        words = {
            target.id: node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
            for marker in function.decorator_list:
                if isinstance(marker, ast.Call) and ast.unparse(marker.func) == "pytest.mark.heading":
                    for argument in marker.args:
                        heading = words[argument.id] if isinstance(argument, ast.Name) else ast.literal_eval(argument)
                        named.setdefault(heading, set()).add(f"{path.relative_to(HERE).as_posix()}::{function.name}")
    return named


def test_every_claimed_heading_is_named_by_a_test() -> None:
    missing = {claim.heading for claim in BOOK.claims()} - set(named_headings())
    assert missing == set()


def test_every_named_heading_is_claimed() -> None:
    unknown = set(named_headings()) - {claim.heading for claim in BOOK.claims()}
    assert unknown == set()

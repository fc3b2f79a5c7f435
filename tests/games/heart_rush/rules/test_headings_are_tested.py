"""Every heading that a rule claims has a test that names it, and every heading that a test names is claimed."""

import ast
from pathlib import Path

from heartrush_env.games.heart_rush.headings import BOOK

HERE = Path(__file__).parent
CLAIMED = {claim.heading for claim in BOOK.claims()}


def whole(words: str) -> str:
    """Return the one claimed heading that ends with these words, or the words if it is not one."""
    found = [heading for heading in CLAIMED if f" > {heading}".endswith(f" > {words}")]
    return words if words in CLAIMED or len(found) != 1 else found[0]


def named_headings() -> dict[str, set[str]]:
    """Return the headings in the `heading` markers of the tests beside this one, each with the tests that name it.

    A marker names a heading by its last words. A file whose tests all hold one heading marks them in `pytestmark`. A
    heading of one case of a test counts for the test.
    """
    named: dict[str, set[str]] = {}
    for path in sorted(HERE.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        shared = [
            node.value for node in tree.body if isinstance(node, ast.Assign) and "pytestmark" in ast.unparse(node)
        ]
        tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
        for function in tests:
            for marker in (*shared, *(node for case in function.decorator_list for node in ast.walk(case))):
                if isinstance(marker, ast.Call) and ast.unparse(marker.func) == "pytest.mark.heading":
                    for argument in marker.args:
                        name = f"{path.relative_to(HERE).as_posix()}::{function.name}"
                        named.setdefault(whole(ast.literal_eval(argument)), set()).add(name)
    return named


def test_every_claimed_heading_is_named_by_a_test() -> None:
    assert CLAIMED - set(named_headings()) == set()


def test_every_named_heading_is_claimed() -> None:
    assert set(named_headings()) - CLAIMED == set()

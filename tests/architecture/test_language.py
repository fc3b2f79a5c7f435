"""Docstrings, messages and help keep to plain English, without the habits that native readers stumble over.

The list is short on purpose: each entry has no legitimate use in these texts, and each names its cure.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.architecture.layout import ROOT, modules

# Docstrings that open with a clause in place of a subject.
OPENINGS = {
    r"(Who|Whom|Whose|Whoever|Those who|Those whom|Those that) ": "name the subject, as in 'A fighter that ...'",
    r"What (?!if\b)[^?]*$": "name the thing itself: 'The damage', not 'What it takes'",
}

# Phrases with a plain equivalent.
PHRASES = {
    r"\banew\b": "again",
    r"\bshall\b": "must, or will",
    r"\bby chance\b": "at random, or by luck",
    r"\bso many\b": "this many, or a number of",
    r"\bof late\b": "recently",
    r"\bunless (given|told otherwise)\b": "by default",
    r"(?<![Tt]here )\bis no (?!(longer|larger|better|stronger|further|farther|other|more|less)\b)\w+": "is not a ...",
    r"\bof ours\b": "the package's",
    r"\bin dots\b": "in pixels",
    r"\bwho is it in\b": "that plays like it in",
}


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """The docstring of a module and of each class and function in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.value


def faults_in(source: str) -> list[tuple[int, str]]:
    """The line and the cure of each fault in the texts of a source."""
    tree = ast.parse(source)
    found = []
    for text in docstrings(tree):
        opening = str(text.value).partition("\n")[0]
        found += [(text.lineno, f"{opening!r}: {cure}") for form, cure in OPENINGS.items() if re.match(form, opening)]
    for text in ast.walk(tree):
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            for form, cure in PHRASES.items():
                found += [(text.lineno, f"{match[0]!r}: {cure}") for match in re.finditer(form, text.value)]
    return found


def test_the_packages_speak_plainly() -> None:
    faults = [
        f"{file.relative_to(ROOT)}:{line}: {fault}"
        for file in modules().values()
        for line, fault in faults_in(file.read_text(encoding="utf-8"))
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "text",
    [
        "Who is surprised loses the whole first round.",
        "What a fighter may do beside, on a map.",
        "Those who yield lose.",
        "The ground is painted anew.",
        "'x' is no number of the list.",
        "The seed; by chance unless given.",
        "After so many rounds.",
    ],
)
def test_dialect_is_found(text: str) -> None:
    assert faults_in(f'"""{text}"""')


@pytest.mark.parametrize(
    "text",
    [
        "A surprised fighter loses its entire first round.",
        "Whether the fighter may attack.",
        "There is no agent of this name.",
        "The effect is no longer in force.",
        "What if nobody attacks?",
    ],
)
def test_plain_english_passes(text: str) -> None:
    assert not faults_in(f'"""{text}"""')

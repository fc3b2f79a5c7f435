"""Docstrings, messages and help use plain English, without the habits that native readers stumble over.

The list is short on purpose: each entry has no legitimate use in these texts, and each names its cure.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.architecture.layout import ROOT, modules

FILES = [*modules().values(), *sorted((ROOT / "docs-site").rglob("*.py"))]

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


# First words of functions' docstrings. Add a verb when a new docstring needs one.
VERBS = frozenset(
    """
    Add Advance Allocate Allow Answer Append Apply Approximate Ask Assign Attach Begin Bind Bring Build Bury Call
    Carry Cast Catch Change Check Choose Claim Clear Close Collect Combine Commit Compare Compile Complete Compose
    Compute Concatenate Connect Continue Convert Copy Count Create Dash Deal Decide Decode Decorate Defeat Define
    Delay Delete Deliver Describe Discard Do Drag Draw Drop Emit Encode End Enforce Engage Enlarge Enter Evict
    Exchange Exclude Extend Fill Film Find Finish Fix Flush Follow Forbid Forget Format Free Give Go Grow Guard Heal
    Hide Hurt Import Inflict Introduce Invalidate Iterate Join Judge Keep Kill Land Lay Learn Leave Let Limit List Load
    Lock Log Look Lower Make Manage Mark Match Measure Move Narrate Note Notify Offer Open Order Pad Parse Pass Pay
    Phrase Pickle Place Plan Play Plot Prepare Prevent Print Process Push Put Queue Race Raise Rate Read Receive
    Recompute Record Reduce Refuse Register Regrow Remember Remove Render Repeat Replace Replay Report Reset Resolve
    Respond Restore Resume Return Reveal Reweight Rewrite Rise Roll Rout Run Sample Save Scale Score Scramble Search
    Seat Send Separate Serve Set Shoot Shorten Show Shut Simulate Sleep Solve Spend Split Squeeze Start Step Stop Store
    Subtract Suppress Suspend Swap Switch Take Tell Throw Tint Trace Track Trade Train Trip Turn Update Use Value
    Wait Wake Warn Watch Weaken Widen Work Wrap Write Yield
    """.split()
)


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield the docstrings of a module and of the classes and functions in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.value


def faults_in(source: str) -> list[tuple[int, str]]:
    """Return the line and the cure of each fault in the docstrings and strings of a source."""
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
        for file in FILES
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


def is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function is read like an attribute and so is described by a noun."""
    return any("property" in ast.unparse(decorator) for decorator in function.decorator_list)


def nouns_in(source: str) -> list[tuple[int, str]]:
    """Return the line and the docstring of each function whose docstring does not begin with a known verb."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds))
    texts = [(each.lineno, ast.get_docstring(each) or "") for each in functions if not is_property(each)]
    return [(line, text) for line, text in texts if text and text.split()[0].strip(",.:;") not in VERBS]


def test_a_function_is_described_by_a_verb() -> None:
    faults = [
        f"{file.relative_to(ROOT)}:{line}: {text.splitlines()[0]!r}"
        for file in FILES
        for line, text in nouns_in(file.read_text(encoding="utf-8"))
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("text", ["The damage of a hit.", "Whether it hits.", "Fighters that stand."])
def test_a_noun_is_found(text: str) -> None:
    assert nouns_in(f'def hit():\n    """{text}"""\n')
    assert not nouns_in(f'@property\ndef hit():\n    """{text}"""\n')


# The forms of an error message that "expected X, got Y" replaces.
OLD_MESSAGES = re.compile(r"[,;] (allowed|needed)( in $|\b.*:)|\b(allowed|needed):( |$)")


def old_messages_in(source: str) -> list[tuple[int, str]]:
    """Return the line and the text of each message that lists what is allowed instead of what was expected."""
    tree = ast.parse(source)
    described = {id(text) for text in docstrings(tree)}
    texts = [
        (text.lineno, text.value)
        for text in ast.walk(tree)
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and id(text) not in described
    ]
    return [(line, text) for line, text in texts if OLD_MESSAGES.search(text)]


def test_messages_say_what_was_expected() -> None:
    faults = [
        f"{file.relative_to(ROOT)}:{line}: {text!r}"
        for file in FILES
        for line, text in old_messages_in(file.read_text(encoding="utf-8"))
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "text", ["f'hp is {hp}, allowed: 1 to 9.'", "f'{path}: it is no record, needed: a record.'", "'; allowed: none'"]
)
def test_an_old_message_is_found(text: str) -> None:
    assert old_messages_in(f"raise ValueError({text})")
    assert not old_messages_in('def hit():\n    """Return the hit points, allowed: 1 to 9."""\n')

"""The words of the game and the numbers that represent them agree: each constant has the position of its word."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.layout import tree

# Constants whose names differ from their words, because the words have a second meaning.
OTHERWISE = {"STRIKE": "attack", "NO_DAMAGE_TYPE": "none", "SILENT": "none"}
MODULES = ("heartrush_env.games.heart_rush.rules.terms", "heartrush_env.games.heart_rush.state.record")


def lists() -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield each list of words with the constants that are numbered right after it."""
    for module in MODULES:
        name, words = "", list[str]()
        for node in tree(module).body:
            if not isinstance(node, ast.Assign):
                continue
            target = node.targets[0]
            if isinstance(target, ast.Tuple) and ast.unparse(node.value).startswith("range("):
                yield name, words, [ast.unparse(part) for part in target.elts]
            elif isinstance(target, ast.Name) and target.id == "DEEDS":  # the words of ORDER that are choices
                name, words = "DEEDS", [word for word in words if " " not in word]
            elif isinstance(target, ast.Name) and isinstance(node.value, ast.Tuple):
                parts = [part.value for part in node.value.elts if isinstance(part, ast.Constant)]
                name, words = target.id, [part for part in parts if isinstance(part, str)]


LISTS = {name: (words, constants) for name, words, constants in lists()}


def test_every_list_of_words_is_read() -> None:
    assert {"STANCES", "STATUSES", "CONDITIONS", "CAUSES", "DEEDS", "HIT_CAUSES", "ROLL_KINDS", "WINDOWS"} <= set(LISTS)


@pytest.mark.parametrize("name", LISTS)
def test_each_constant_stands_where_its_word_does(name: str) -> None:
    words, constants = LISTS[name]
    assert len(words) == len(constants)
    for word, constant in zip(words, constants, strict=True):
        assert OTHERWISE.get(constant, word) == word and (constant in OTHERWISE or word in constant.lower())

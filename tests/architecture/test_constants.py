"""A fact is written once: no two modules define a constant of equal name and value, or of an equal compound value."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from tests.architecture.layout import modules, tree

# Names that mean something else in each of these modules, or facts that two modules keep apart on purpose.
SANCTIONED = {
    "NOBODY": "the framework's choices have it, and a game that does not use them has its own",
    "FORMAT_VERSION": "each format of files counts its own versions",
    "ITERATIONS": "each solver stops where it has converged",
    "SEED": "each command has a seed of its own",
    "YARDSTICK": "training and its reports compare with the same agent, and neither imports the other",
    "START_SECONDS": "an agent's limits are known without the library that the protocol needs",
    "MAX_BATCH": "an agent's limits are known without the library that the protocol needs",
    "COLORED": "a terminal's colors are known without a game",
    "COLOR": "a terminal's colors are known without a game",
}
FEWEST_PARTS = 3  # a value with this many parts counts under any name


def constants(module: str) -> Iterator[tuple[str, Any]]:
    """Yield the names, without outer underscores, and values of a module's constants that are written as literals."""
    for node in tree(module).body:
        if isinstance(node, ast.Assign):
            names, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            names, value = [node.target], node.value
        else:
            continue
        for name in names:
            if isinstance(name, ast.Name) and name.id.isupper():
                try:
                    yield name.id.strip("_"), ast.literal_eval(value)
                except ValueError:
                    continue


def twice(places: dict[Any, set[str]]) -> dict[Any, list[str]]:
    """Return the facts that are found in more than one place."""
    return {fact: sorted(found) for fact, found in places.items() if len(found) > 1}


def test_no_constant_is_defined_twice_with_one_name_and_value() -> None:
    places: dict[Any, set[str]] = defaultdict(set)
    for module in modules():
        for name, value in constants(module):
            if name not in SANCTIONED:
                places[name, repr(value)].add(module)
    assert twice(places) == {}


def test_no_value_of_several_parts_is_written_twice() -> None:
    places: dict[Any, set[str]] = defaultdict(set)
    for module in modules():
        for name, value in constants(module):
            parts = isinstance(value, tuple | list | set | frozenset | dict) and len(value) >= FEWEST_PARTS
            if parts and name not in SANCTIONED:
                places[repr(value)].add(f"{module}.{name}")
    assert twice(places) == {}

"""The packages and their layers, read from the sources without importing them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "heartrush_env": ROOT / "heartrush_env",
    "heartrush_agents": ROOT / "agents" / "heartrush_agents",
    "heartrush_train": ROOT / "train" / "heartrush_train",
}

# From the bottom up: a package may import from its own layer and from lower ones. The longest name that matches counts.
LAYERS = (
    ("heartrush_env.tabletop",),
    ("heartrush_env.tabletop.render",),
    ("heartrush_env.games.heart_rush.rules", "heartrush_env.games.heart_rush.state"),  # the state that the rules change
    ("heartrush_env.games.heart_rush.scenario",),
    (
        "heartrush_env.games.heart_rush.engine",  # runs the rules
        "heartrush_env.games.heart_rush.editions",
        "heartrush_env.games.heart_rush.abilities",
    ),
    ("heartrush_env.games.heart_rush.encoding",),
    ("heartrush_env.games", "heartrush_env.games.heart_rush"),  # the game itself and its batches
    ("heartrush_env.games.heart_rush.board", "heartrush_env.games.heart_rush.words"),
    ("heartrush_env.envs", "heartrush_env.heart_rush_v0", "heartrush_env.heart_rush_classic_v0", "heartrush_env"),
    ("heartrush_env.records",),
    ("heartrush_env.protocol",),
    ("heartrush_env.research",),
    ("heartrush_agents",),
    ("heartrush_train",),
    ("heartrush_env.app",),
)


@dataclass(frozen=True)
class Import:
    """An import of one module by another."""

    importer: str
    imported: str
    kind: str  # "", "lazy" inside a function, "typing" under TYPE_CHECKING


@cache
def modules() -> dict[str, Path]:
    """Return the file of every module of the packages by the module's dotted name."""
    found = {}
    for package, folder in PACKAGES.items():
        for file in sorted(folder.rglob("*.py")):
            parts = (package, *file.relative_to(folder).with_suffix("").parts)
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def tree(module: str) -> ast.Module:
    """Return a module's syntax tree."""
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


def imports_of(module: str) -> Iterator[Import]:
    """Yield a module's imports of the packages' own modules, at any place in its file."""
    yield from _imports(module, tree(module), "")


def _imports(module: str, node: ast.AST, kind: str) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        inner = kind
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            inner = "typing"
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = kind or "lazy"
        if isinstance(child, ast.ImportFrom) and child.module and not child.level:
            for alias in child.names:
                whole = f"{child.module}.{alias.name}"
                imported = whole if whole in modules() else child.module
                if imported in modules():
                    yield Import(module, imported, kind)
        elif isinstance(child, ast.Import):
            for alias in child.names:
                if alias.name in modules():
                    yield Import(module, alias.name, kind)
        yield from _imports(module, child, inner)


def layer_of(module: str) -> int:
    """Return the layer of a module."""
    found = {package: layer for layer, names in enumerate(LAYERS) for package in names}
    parts = module.split(".")
    return next(found[name] for end in range(len(parts), 0, -1) if (name := ".".join(parts[:end])) in found)


def package_of(module: str) -> str:
    """Return the package of a module, such as "tabletop" or "heartrush_agents"; "" for the entry points."""
    outer, _, rest = module.partition(".")
    inner = rest.partition(".")[0]
    if outer != "heartrush_env":
        return outer
    return inner if (PACKAGES[outer] / inner).is_dir() and inner else ""


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield every function and method with the name of its module."""
    for module in modules():
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.FunctionDef):
                yield module, node

"""One digest of the sources that machine code is built from: code built from other sources is not used."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from heartrush_env.tabletop.claims import PACKAGE

# Folders without a compiled function.
NEVER_COMPILED = {"envs", "render", "protocol", "records", "app", "analysis", "bridges", "board", "words"}


@cache
def source_digest() -> str:
    """Return a digest of every source file that machine code may come from."""
    return _digest(PACKAGE, NEVER_COMPILED)[:16]


@cache
def digest_elsewhere(file: str) -> str:
    """Return a digest of the sources of another package that contains this file; empty for a file of this package."""
    path = Path(file)
    if path.is_relative_to(PACKAGE) or not path.is_file():
        return ""
    folder = path.parent
    while (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    return _digest(folder, set())


def _digest(folder: Path, without: set[str]) -> str:
    """Return a digest of the sources below a folder, except for sources in folders of these names."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        inside = path.relative_to(folder)
        if without.isdisjoint(inside.parts):
            digest.update(inside.as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()

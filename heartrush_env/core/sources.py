"""The sources that machine code is made of, as one digest: code of other sources is not used."""

from __future__ import annotations

import hashlib
from functools import cache

from heartrush_env.core.claims import PACKAGE

# Folders without a compiled function.
NEVER_COMPILED = {"envs", "render", "protocol", "records", "cli", "analysis", "bridges", "narration"}


@cache
def source_digest() -> str:
    """A digest of every source file that machine code may come from."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        if NEVER_COMPILED.isdisjoint(path.relative_to(PACKAGE).parts):
            digest.update(path.relative_to(PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]

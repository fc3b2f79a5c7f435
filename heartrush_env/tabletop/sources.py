"""The source files from which machine code is built; machine code that was built from other sources is not used.

A kernel depends on the framework, on the package that defines it, and on the packages that this package needs. An edit
in a game's folder therefore recompiles that game and the solvers and agents that need it, but no other game.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final

# Modules that read and check data or write messages. They hold no compiled functions or constants for them.
NEVER_COMPILED: Final = (
    "arguments.py", "claims.py", "entries.py", "entry_code.py", "errors.py", "files.py", "library.py", "modules.py",
    "registry.py", "sources.py", "text.py", "validate.py", "waiting.py", "writing.py", "compiling/building.py",
    "compiling/code_cache.py", "compiling/closing.py", "compiling/platforms.py", "compiling/ptx.py",
    "compiling/retargeting.py", "compiling/wasm.py", "batch/slots.py", "batch/snapshots.py", "device", "portable",
    "render", "scenario/library.py", "scenario/maps.py", "scenario/reading.py",
)  # fmt: skip


def unknown_purpose(kernel: str, fields: Collection[str]) -> tuple[str, float]:
    """Return "" and 0.0: the purpose and the seconds are unknown."""
    return "", 0.0


@dataclass(frozen=True, eq=False)
class Sources:
    """The source files of a package from which machine code is built.

    A package states them in its `__init__.py`:

        SOURCES = Sources(__file__, "the rules of Heart Rush", without=("board", "words"))

    For a package that states none, everything in its outermost package counts.

    Attributes:
        file: The package's `__init__.py`.
        compiles: A noun phrase for messages: what is compiled from these sources.
        without: Folders and files of the package, relative to its folder, that machine code never depends on.
        needs: The sources of other packages whose functions and constants are compiled, too.
        tells: Returns what a kernel is for (such as "for maps", or nothing) and the seconds that its compilation takes
            on the machine of tabletop/waiting.py (0 if unknown), given its name and the names of all fields of the
            records that it takes.
    """

    file: str
    compiles: str
    without: tuple[str, ...] = ()
    needs: tuple[Sources, ...] = ()
    tells: Callable[[str, Collection[str]], tuple[str, float]] = unknown_purpose

    @cached_property
    def folder(self) -> Path:
        """The package's folder."""
        return Path(self.file).resolve().parent

    @cached_property
    def place(self) -> str:
        """The package's path from the folder in which Python finds it, such as "heartrush_env/games/heart_rush"."""
        return self.folder.relative_to(_outermost(self.folder).parent).as_posix()

    @property
    def name(self) -> str:
        """The name of the package's folder, in letters, digits and underscores."""
        return re.sub(r"\W", "_", self.folder.name)

    @cached_property
    def digest(self) -> str:
        """A digest of all source files that the machine code depends on."""
        digest = hashlib.sha256()
        for part in (FRAMEWORK, *self._all()):
            for path in part.files():
                digest.update(path.relative_to(part.folder).as_posix().encode())
                digest.update(path.read_bytes())
        return digest.hexdigest()[:16]

    @property
    def key(self) -> str:
        """The name of the folder that keeps machine code built from these sources."""
        return f"{self.name}-{self.digest}"

    def files(self) -> list[Path]:
        """Return the package's own files that machine code may depend on: its code, and the tables of its constants."""
        found = [path for path in self.folder.rglob("*") if path.suffix in (".py", ".toml")]
        return [path for path in sorted(found) if self.counts(path)]

    def counts(self, path: Path) -> bool:
        """Return whether machine code may depend on a file of the package."""
        inside = path.relative_to(self.folder)
        return {inside.as_posix(), *(folder.as_posix() for folder in inside.parents)}.isdisjoint(self.without)

    def _all(self) -> list[Sources]:
        """Return these sources and all that they need, each once."""
        found = [self]
        for part in found:
            found += [needed for needed in part.needs if needed not in found]
        return found


FRAMEWORK: Final = Sources(__file__, "the framework", without=NEVER_COMPILED)


def sources_of(module: str, file: str) -> Sources | None:
    """Return the sources that the nearest package around a module states, or else those of its outermost package.

    Return None for code that is in no file, as in notebooks.
    """
    while module:
        found = getattr(sys.modules.get(module), "SOURCES", None)
        if isinstance(found, Sources):
            return found
        module = module.rpartition(".")[0]
    path = Path(file)
    return _whole(_outermost(path.resolve().parent)) if path.is_file() else None


@cache
def _whole(folder: Path) -> Sources:
    """Return the sources of a package that states none; always the same object, which caches its digest."""
    return Sources(str(folder / "__init__.py"), f"the rules of {folder.name}")


def _outermost(folder: Path) -> Path:
    """Return the folder of the outermost package around a folder; the folder itself if it is not a package."""
    while (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    return folder

"""`heartrush machine doctor`: describes this installation for bug reports, with the space that compiled code takes."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from heartrush_env import __version__
from heartrush_env.tabletop.claims import PACKAGE
from heartrush_env.tabletop.registry import game_names, sources_of_game
from heartrush_env.tabletop.text import escaped

DISTRIBUTION: Final = "heartrush-env"
SETTINGS: Final = ("HEARTRUSH_", "NUMBA_")  # prefixes of environment variables that affect play
# The name of a folder of compiled code: a package, and a digest of its sources; old versions wrote the digest alone.
OF_SOURCES: Final = re.compile(r"(?:(\w+)-)?[0-9a-f]{16}")
NOT_FOR_USERS: Final = ("dev", "docs-site")  # extras needed only to develop the package
NO_CODE: Final = 1  # exit code if no fight can be played

ABOUT = (
    "Prints the version, the platform, where machine code comes from, the packages and the caches with "
    f"their sizes. The exit code is {NO_CODE} if no fight can be played."
)
EXAMPLES = """examples:
  heartrush machine doctor              # paste this into a report of a fault
  heartrush machine doctor --json
  heartrush machine doctor --clear      # deletes all compiled code; it is compiled again when needed"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--clear", action="store_true", help="delete all compiled code first")


def run(arguments: argparse.Namespace) -> int:
    """Print the findings, after clearing the caches if requested."""
    cleared = sum(map(_clear, _folders())) if arguments.clear else None
    found = findings()
    if cleared is not None:
        found["cleared"] = cleared
    if arguments.json:
        print(json.dumps(found))
    else:
        print(*map(escaped, lines(found)), sep="\n")
    return NO_CODE if "none" in (code["source"] for code in found["machine_code"].values()) else 0


def findings() -> dict[str, Any]:
    """Collect the facts as JSON-able data."""
    return {
        "version": __version__,
        "installed_in": str(PACKAGE),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "executable": sys.executable,
        "platform": platform.platform(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "encoding": sys.stdout.encoding,
        "machine_code": {name: _machine_code(name) for name in game_names()},
        **_packages(),
        "settings": {name: value for name, value in sorted(os.environ.items()) if name.startswith(SETTINGS)},
        "caches": [_cache(folder) for folder in _folders()],
    }


def lines(found: dict[str, Any]) -> Iterator[str]:
    """Yield the facts as readable lines."""
    yield f"heartrush-env {found['version']} in {found['installed_in']}"
    yield f"{found['implementation']} {found['python']}, {found['executable']}"
    processors = f"{found['processors']} processors" if found["processors"] else "unknown processors"
    yield f"{found['platform']}, {found['machine']}, {processors}; the console writes {found['encoding']}"
    for name, code in found["machine_code"].items():
        yield f"machine code of {name}: {code['words']}"
    yield f"packages: {', '.join(f'{name} {number}' for name, number in found['packages'].items())}"
    yield f"extras: {', '.join(found['extras']) or 'none'}; not installed: {', '.join(found['missing']) or 'none'}"
    for name, value in found["settings"].items():
        yield f"setting: {name}={value}"
    for cache in found["caches"]:
        amount = f"{cache['bytes'] / 1e6:.1f} MB in {cache['files']} files" if cache["files"] else "nothing"
        yield f"compiled code in {cache['folder']}: {amount}"
        for name, kept in cache["packages"].items():
            current = (
                f", {kept['current_bytes'] / 1e6:.1f} MB of them for this version" if kept["current_bytes"] else ""
            )
            yield f"  {name}: {kept['bytes'] / 1e6:.1f} MB{current}"
    if "cleared" in found:
        yield f"cleared: {found['cleared'] / 1e6:.1f} MB; the next start compiles what it needs"
    else:
        yield "`heartrush machine doctor --clear` deletes compiled code; it is compiled again when a fight needs it"


def _machine_code(game: str) -> dict[str, str]:
    """Report where the machine code of a game comes from."""
    from heartrush_env.tabletop.kernels import PLAIN
    from heartrush_env.tabletop.library import fits, why_no_library
    from heartrush_env.tabletop.modules import RUNNER, why_no_modules

    try:
        sources = sources_of_game(game)
    except Exception as fault:  # a game of another package may fail in any way
        return {"source": "none", "words": f"none, because the game cannot be imported: {fault}"}
    if PLAIN:
        return {"source": "python", "words": "none is used (NUMBA_DISABLE_JIT); fights are played as plain Python"}
    if sources is not None and fits(sources):
        return {"source": "library", "words": "the library of this installation; nothing is compiled"}
    why = why_no_library(sources)
    if find_spec("numba") is None:
        if not why_no_modules(sources):
            words = f"the WebAssembly modules of this installation, which {RUNNER} {version(RUNNER)} runs"
            return {"source": "modules", "words": f"{words}; nothing is compiled beforehand ({why})"}
        needed = f"`pip install '{DISTRIBUTION}[jit]'` installs Numba, which compiles the rules"
        return {"source": "none", "words": f"none, so no fight can be played ({why}); {needed}"}
    return {"source": "numba", "words": f"Numba {version('numba')} compiles the rules when they are needed ({why})"}


def _packages() -> dict[str, Any]:
    """List the installed packages that this package can use, and the complete and incomplete extras."""
    try:
        needed = requires(DISTRIBUTION) or []
    except PackageNotFoundError:  # running from a checkout that is not installed
        needed = ["numpy", "gymnasium", "pettingzoo", "safetensors", "numba; extra == 'jit'"]
    installed: dict[str, str] = {}
    extras: dict[str, bool] = {}
    for need in needed:
        named, of_extra = re.match(r"[\w.-]+", need), re.search(r"extra == ['\"]([\w-]+)['\"]", need)
        extra = of_extra[1] if of_extra else ""
        if named is None or extra in NOT_FOR_USERS:
            continue
        try:
            installed[named[0]] = version(named[0])
        except PackageNotFoundError:
            extras[extra] = False
        extras.setdefault(extra, True)
    extras.pop("", None)
    return {
        "packages": dict(sorted(installed.items())),
        "extras": sorted(extra for extra, whole in extras.items() if whole),
        "missing": sorted(extra for extra, whole in extras.items() if not whole),
    }


def _folders() -> list[Path]:
    """List the folders that may hold compiled code."""
    from heartrush_env.tabletop.compiling.code_cache import cache_directory, temporary_directory

    return [folder for folder in dict.fromkeys((cache_directory(), temporary_directory())) if folder is not None]


def _compiled(folder: Path) -> list[Path]:
    """List the folders of compiled code in a cache folder, one for each version of the sources."""
    try:
        return sorted(each for each in folder.iterdir() if OF_SOURCES.fullmatch(each.name) and not each.is_symlink())
    except OSError:
        return []


def _size(folder: Path) -> list[int]:
    """List the sizes of the nonempty files in a folder, skipping files that are deleted meanwhile."""
    sizes = []
    for file in folder.rglob("*"):
        try:
            sizes.append(file.stat().st_size if file.is_file() else 0)
        except OSError:
            continue
    return [size for size in sizes if size]


def _cache(folder: Path) -> dict[str, Any]:
    """Measure a cache folder: its total size, and the size of each package's compiled code."""
    sizes = {each.name: _size(each) for each in _compiled(folder)}
    current = _current()
    packages: dict[str, dict[str, int]] = {}
    for name, found in sizes.items():
        match = OF_SOURCES.fullmatch(name)
        package = (match and match[1]) or "older versions"
        kept = packages.setdefault(package, {"bytes": 0, "current_bytes": 0})
        kept["bytes"] += sum(found)
        kept["current_bytes"] += sum(found) if name in current else 0
    total = {"files": sum(map(len, sizes.values())), "bytes": sum(map(sum, sizes.values()))}
    return {"folder": str(folder), **total, "packages": packages}


def _current() -> set[str]:
    """Return the names of the folders that keep the compiled code of the installed games, solvers and agents."""
    from heartrush_agents.heart_rush.tactics import SOURCES as ODDS

    from heartrush_env.research import SOURCES as SOLVERS

    found = {ODDS.key, SOLVERS.key}
    for name in game_names():
        with suppress(Exception):  # _machine_code reports the faults of another package's game
            sources = sources_of_game(name)
            found |= set() if sources is None else {sources.key}
    return found


def _clear(folder: Path) -> int:
    """Delete the compiled code in a cache folder, and return the number of bytes freed."""
    freed = 0
    for each in _compiled(folder):
        before = sum(_size(each))
        shutil.rmtree(each, ignore_errors=True)
        freed += before - sum(_size(each))
    return freed

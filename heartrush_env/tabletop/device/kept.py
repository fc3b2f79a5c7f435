"""The PTX of kernels: taken from the wheel if it was made of these sources, or made once and kept on disk.

In a wheel, the PTX of a game is in files beside the game's library of machine code, with a note that has a digest of
each. On disk it is beside the machine code that is compiled for the processor.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from heartrush_env.tabletop.compiling.code_cache import keep, kept
from heartrush_env.tabletop.kernels import CHECKED, Kernel, Kind
from heartrush_env.tabletop.sources import Sources

EMITTERS: Final = ("compiling/ptx.py", "compiling/closing.py", "device/device.py")  # the modules that make the text
NOTE: Final = "machine_code.ptx.json"


def ptx_of(kernel: Kernel, kinds: Sequence[Kind]) -> bytes:
    """Return the PTX of a kernel for these argument kinds; it is made if neither the wheel nor the disk has it."""
    sources, symbol = kernel.sources, kernel.symbol(kinds)
    if sources is None:
        return _made(kernel, kinds)
    found = None if CHECKED else _of_wheel(sources, symbol)
    if found is not None:
        return found
    versions = (*map(version, ("numba", "llvmlite")), *(["checked"] if CHECKED else []))
    name = f"{'-'.join((symbol, _emitter(), *versions))}.ptx"
    found = kept(sources.key, name)
    if found is None:
        found = _made(kernel, kinds)
        keep(sources.key, name, found)
    return found


def write_texts(folder: Path, sources: Sources, texts: Mapping[str, str]) -> None:
    """Write the PTX of a game's kernels, by symbol, into the folder of its library."""
    contents = {symbol: text.encode() for symbol, text in texts.items()}
    for symbol, content in contents.items():
        (folder / _file(symbol)).write_bytes(content)
    if contents:
        sums = {symbol: hashlib.sha256(content).hexdigest() for symbol, content in contents.items()}
        note = {"sources": sources.digest, "emitter": _emitter(), "sha256": sums}
        (folder / NOTE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")


def _of_wheel(sources: Sources, symbol: str) -> bytes | None:
    """Return a kernel's PTX from the folder of its package, or None if it is missing, damaged or of other sources."""
    try:
        note = json.loads((sources.folder / NOTE).read_bytes())
        content = (sources.folder / _file(symbol)).read_bytes()
        wanted = note["sha256"][symbol]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    fits = note.get("sources") == sources.digest and note.get("emitter") == _emitter()
    return content if fits and hashlib.sha256(content).hexdigest() == wanted else None


def _file(symbol: str) -> str:
    """Return the name of the file that has a kernel's PTX."""
    return f"machine_code.{symbol}.ptx"


def _made(kernel: Kernel, kinds: Sequence[Kind]) -> bytes:
    """Return the PTX of a kernel, made now."""
    from heartrush_env.tabletop.compiling import ptx

    return ptx.ptx_of(kernel, kinds).encode()


@cache
def _emitter() -> str:
    """Return a digest of the modules that make the PTX."""
    folder = Path(__file__).parents[1]
    return hashlib.sha256(b"".join((folder / name).read_bytes() for name in EMITTERS)).hexdigest()[:16]

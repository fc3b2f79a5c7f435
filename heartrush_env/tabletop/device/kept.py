"""The PTX of kernels: taken from the wheel if it was made of these sources, or made once and kept on disk.

In a wheel, the PTX of all kernels of a game is in one file beside the game's library of machine code, packed together
because the texts are much alike, with a note that says what is where. On disk, each text is beside the machine code
that is compiled for the processor.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path
from typing import Final

from heartrush_env.tabletop.compiling.code_cache import keep, kept
from heartrush_env.tabletop.kernels import CHECKED, Kernel, Kind
from heartrush_env.tabletop.sources import Sources

EMITTERS: Final = (  # the modules that make the text
    "compiling/ptx.py", "compiling/closing.py", "compiling/retargeting.py", "device/device.py",
)  # fmt: skip
NOTE, TEXTS = "machine_code.ptx.json", "machine_code.ptx.xz"
PACKED: Final = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "pb": 0}  # fits text


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
    if not texts:
        return
    contents = {symbol: text.encode() for symbol, text in texts.items()}
    packed = lzma.compress(b"".join(contents.values()), filters=[PACKED])
    ends = accumulate(map(len, contents.values()))
    places = {symbol: (end - len(contents[symbol]), end) for symbol, end in zip(contents, ends, strict=True)}
    note = {"sources": sources.digest, "emitter": _emitter(), "sha256": hashlib.sha256(packed).hexdigest()}
    (folder / TEXTS).write_bytes(packed)
    (folder / NOTE).write_text(json.dumps({**note, "places": places}, indent=1) + "\n", encoding="utf-8")


def _of_wheel(sources: Sources, symbol: str) -> bytes | None:
    """Return a kernel's PTX from the folder of its package, or None if it is missing, damaged or of other sources."""
    try:
        note = json.loads((sources.folder / NOTE).read_bytes())
        if (note["sources"], note["emitter"]) != (sources.digest, _emitter()):
            return None
        packed = (sources.folder / TEXTS).read_bytes()
        first, end = note["places"][symbol]
        return _unpacked(packed)[first:end] if hashlib.sha256(packed).hexdigest() == note["sha256"] else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


@lru_cache(1)
def _unpacked(packed: bytes) -> bytes:
    """Return the texts of a game's kernels, one after another."""
    return lzma.decompress(packed)


def _made(kernel: Kernel, kinds: Sequence[Kind]) -> bytes:
    """Return the PTX of a kernel, made now."""
    from heartrush_env.tabletop.compiling import ptx

    return ptx.ptx_of(kernel, kinds).encode()


@cache
def _emitter() -> str:
    """Return a digest of the modules that make the PTX."""
    folder = Path(__file__).parents[1]
    return hashlib.sha256(b"".join((folder / name).read_bytes() for name in EMITTERS)).hexdigest()[:16]

"""The machine-code libraries included in a wheel, one per game, so that nothing is compiled and Numba is not needed.

A library is used if it was built from its game's sources (tabletop/sources.py), is undamaged, and the processor has the
instructions that it needs. It is in the game's own folder, under a fixed name, beside a note with all of these facts.
No other file is ever loaded.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np

from heartrush_env.tabletop.sources import Sources

SUFFIX: Final = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
LIBRARY: Final = f"machine_code{SUFFIX}"
NOTE: Final = "machine_code.json"
# The instructions that a processor must have, in NumPy's names; older NumPy versions know only the second tuple.
INSTRUCTIONS: Final = {"x86-64-v3": (("X86_V3",), ("AVX2", "FMA3", "F16C"))}
ENTER: Final = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


class Unfit(Exception):
    """An error for a library that cannot be used; the message gives the reason."""


def library_code(symbol: str, sources: Sources) -> Any:
    """Return the machine code of this name that was built from these sources; None if no fitting library has it."""
    library, _ = _library(sources)
    found: Callable[..., Any] | None = None
    if library is not None and hasattr(library, symbol):
        found = ENTER((symbol, library))
    return found


def fits(sources: Sources) -> bool:
    """Return whether this installation has a usable library for these sources."""
    return _library(sources)[0] is not None


def why_no_library(sources: Sources | None) -> str:
    """Return why no library has the machine code of these sources, as a phrase to be put in parentheses."""
    if sources is None:
        return "code that is in no file has no library"
    return _library(sources)[1] or "the library of this installation holds no such code"


@cache
def _library(sources: Sources) -> tuple[ctypes.CDLL | None, str]:
    """Return the library of these sources, or None and the reason why it is not used."""
    try:
        return _load(sources), ""
    except Unfit as reason:
        return None, str(reason)


def _load(sources: Sources) -> ctypes.CDLL:
    note, _ = checked(sources, LIBRARY, "library of machine code")
    if not has_instructions(str(note.get("processor"))):
        raise Unfit(
            f"the library of machine code is for {note.get('processor')}, whose instructions this machine lacks"
        )
    try:
        return ctypes.CDLL(str(sources.folder / LIBRARY))
    except OSError as fault:
        raise Unfit(f"the library of machine code cannot be loaded: {fault}") from None


def checked(sources: Sources, name: str, noun: str) -> tuple[dict[str, Any], bytes]:
    """Return the note and the content of a file in the folder of these sources; raise Unfit if it does not fit."""
    folder = sources.folder
    path = folder / name
    try:
        note, content = json.loads((folder / NOTE).read_bytes()), path.read_bytes()
    except FileNotFoundError:
        raise Unfit(f"this installation has no {noun}") from None
    except (OSError, ValueError) as fault:
        raise Unfit(f"the {noun} cannot be read: {fault}") from None
    if path.resolve().parent != folder.resolve():
        raise Unfit(f"the {noun} is a link to another folder")
    if not isinstance(note, dict) or note.get("sha256") != hashlib.sha256(content).hexdigest():
        raise Unfit(f"the {noun} is damaged")
    if note.get("sources") != sources.digest:
        raise Unfit(f"the {noun} was made of other sources")
    return note, content


def write_note(sources: Sources, path: Path, processor: str) -> None:
    """Write the note that `checked` reads beside a file that is made of these sources."""
    sum_of_it = hashlib.sha256(path.read_bytes()).hexdigest()
    note = {"processor": processor, "sources": sources.digest, "sha256": sum_of_it}
    path.with_name(NOTE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")


def has_instructions(processor: str) -> bool:
    """Return whether this machine's processor runs code that was built for `processor`."""
    if processor not in INSTRUCTIONS:
        return True  # the baseline of its processor family
    inside = "numpy._core" if hasattr(np, "_core") else "numpy.core"  # public NumPy shows the features only as text
    features: dict[str, bool] = import_module(f"{inside}._multiarray_umath").__cpu_features__
    known = next((names for names in INSTRUCTIONS[processor] if all(name in features for name in names)), None)
    return known is not None and all(features[name] for name in known)

"""The machine-code library included in a wheel, so that nothing is compiled and Numba is not needed.

The library is used if it was built from this package's sources, is undamaged, and the processor has the instructions
that it needs. It is in the package's own folder, under a fixed name, beside a note with all of these facts. No other
file is ever loaded.
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

from heartrush_env.tabletop.claims import PACKAGE
from heartrush_env.tabletop.sources import source_digest

SUFFIX: Final = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
LIBRARY: Final = f"machine_code{SUFFIX}"
NOTE: Final = "machine_code.json"
# The instructions that a processor must have, in NumPy's names; older NumPy versions know only the second tuple.
INSTRUCTIONS: Final = {"x86-64-v3": (("X86_V3",), ("AVX2", "FMA3", "F16C"))}
ENTER: Final = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


class Unfit(Exception):
    """The library cannot be used; the message gives the reason."""


def library_code(symbol: str) -> Any:
    """Return the machine code of this name; None if no fitting library has it."""
    library, _ = _library(PACKAGE)
    found: Callable[..., Any] | None = None
    if library is not None and hasattr(library, symbol):
        found = ENTER((symbol, library))
    return found


def fits() -> bool:
    """Return whether this installation has a library that is used."""
    return _library(PACKAGE)[0] is not None


def why_no_library() -> str:
    """Return why the library has no machine code, in words for a parenthesis."""
    return _library(PACKAGE)[1] or "the library of this installation holds no such code"


@cache
def _library(folder: Path) -> tuple[ctypes.CDLL | None, str]:
    """Return the library of a folder, or None and the reason why it is not used."""
    try:
        return _load(folder), ""
    except Unfit as reason:
        return None, str(reason)


def _load(folder: Path) -> ctypes.CDLL:
    path = folder / LIBRARY
    try:
        note, content = json.loads((folder / NOTE).read_bytes()), path.read_bytes()
    except FileNotFoundError:
        raise Unfit("this installation has no library of machine code") from None
    except (OSError, ValueError) as fault:
        raise Unfit(f"the library of machine code cannot be read: {fault}") from None
    if path.resolve().parent != folder.resolve():
        raise Unfit("the library of machine code is a link to another folder")
    if not isinstance(note, dict) or note.get("sha256") != hashlib.sha256(content).hexdigest():
        raise Unfit("the library of machine code is damaged")
    if note.get("sources") != source_digest():
        raise Unfit("the library of machine code was made of other sources")
    if not has_instructions(str(note.get("processor"))):
        raise Unfit(f"the library of machine code is for {note.get('processor')} processors, which this one is not")
    try:
        return ctypes.CDLL(str(path))
    except OSError as fault:
        raise Unfit(f"the library of machine code cannot be loaded: {fault}") from None


def has_instructions(processor: str) -> bool:
    """Return whether this processor runs code for processors of this kind."""
    if processor not in INSTRUCTIONS:
        return True  # the baseline of its processor family
    inside = "numpy._core" if hasattr(np, "_core") else "numpy.core"  # public NumPy shows the features only as text
    features: dict[str, bool] = import_module(f"{inside}._multiarray_umath").__cpu_features__
    known = next((names for names in INSTRUCTIONS[processor] if all(name in features for name in names)), None)
    return known is not None and all(features[name] for name in known)

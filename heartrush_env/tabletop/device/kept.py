"""The PTX of kernels on disk: made once, and kept beside the machine code that is compiled for the processor."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from heartrush_env.tabletop.compiling.code_cache import keep, kept
from heartrush_env.tabletop.kernels import Kernel, Kind

ENTRY: Final = b"play_slot_of_thread"  # the function that the GPU runs
EMITTER: Final = Path(__file__).parents[1] / "compiling" / "ptx.py"


def ptx_of(kernel: Kernel, kinds: Sequence[Kind]) -> bytes:
    """Return the PTX of a kernel for these argument kinds; it is made if no earlier process has kept it."""
    sources = kernel.sources
    name = f"{kernel.symbol(kinds)}-{_emitter()}.ptx"
    made = None if sources is None else kept(sources.key, name)
    if made is None:
        from heartrush_env.tabletop.compiling import ptx

        made = ptx.ptx_of(kernel, kinds).encode()
        if sources is not None:
            keep(sources.key, name, made)
    return made


@cache
def _emitter() -> str:
    """Return a digest of the module that makes the PTX."""
    return hashlib.sha256(EMITTER.read_bytes()).hexdigest()[:16]

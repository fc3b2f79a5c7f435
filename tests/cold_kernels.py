"""Run kernels of fights as plain Python if no earlier command has compiled them, which takes up to two minutes.

`make test` compiles the kernels of usual fights first, so that tests play these as machine code. Fights of other kinds
are short in these tests. The long tests, and those marked `compiles`, compile all that they play.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush import SOURCES
from heartrush_env.tabletop import kernels
from heartrush_env.tabletop.kernels import PLAIN, Kernel, kinds_of


class Missing(Exception):
    """No earlier command has compiled the kernel."""


compiles = True  # whether the running test compiles kernels of fights
_opening = False  # whether the machine code of such a kernel is being looked for
_missing: set[str] = set()
_prepare = Kernel.prepare


def prepare(kernel: Kernel, *arguments: Any) -> Callable[[], None]:
    """Return a function that runs the kernel with these arguments, as machine code if that is kept."""
    global _opening
    kinds = kinds_of(arguments)
    fights = kernel.sources is SOURCES and any(kind is not None and kind[0].names for kind in kinds)
    if compiles or kernels._noted is not None or not fights:
        return _prepare(kernel, *arguments)
    symbol = kernel.symbol(kinds)
    if symbol not in _missing:
        _opening = True
        try:
            return _prepare(kernel, *arguments)
        except Missing:
            _missing.add(symbol)
        finally:
            _opening = False

    def call() -> None:
        with np.errstate(over="ignore"):
            kernel.function(*arguments)

    return call


def install() -> None:
    """Make kernels of fights look for their machine code before they compile."""
    if PLAIN:
        return
    from heartrush_env.tabletop.compiling import jit

    compiling = jit.compiling

    @contextmanager
    def compile_if_wanted(what: str, seconds: float = 0.0) -> Iterator[None]:
        if _opening:
            raise Missing(what)
        with compiling(what, seconds):
            yield

    jit.compiling = compile_if_wanted
    Kernel.prepare = prepare

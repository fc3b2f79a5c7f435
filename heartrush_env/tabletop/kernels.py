"""Kernels: functions that Python calls and machine code executes.

Machine code is taken from a library of the installation (tabletop/library.py) if one fits. Otherwise Numba compiles a
kernel when it is first called. Without Numba, Wasmtime runs the kernel's WebAssembly module, if the installation has
one (tabletop/modules.py). With `NUMBA_DISABLE_JIT=1`, kernels run as plain Python. With `NUMBA_BOUNDSCHECK=1`, Numba
compiles all of them, and an index outside its array raises an error.

A `kernel` takes arrays and whole numbers and returns nothing: it writes its results into the arrays. Its arguments
are laid out once, as words in memory (the address and the shape of each array, and each number), and a call passes the
address of the first word. An `entry_point` takes and returns anything that Numba supports; only Numba compiles it.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import c_int64, c_void_p
from functools import cached_property, partial, wraps
from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.library import library_code, why_no_library
from heartrush_env.tabletop.modules import RUNNER, Module, module_code, why_no_modules
from heartrush_env.tabletop.records import layout
from heartrush_env.tabletop.rule import Making, compiled, mark
from heartrush_env.tabletop.sources import Sources, sources_of

F = TypeVar("F", bound=Callable[..., Any])
Kind = tuple[np.dtype[Any], int] | None  # an array's dtype and number of dimensions; None for a whole number
# Takes the addresses of a result, of an error and of the first word; returns 0 on success.
Enter = Callable[[c_void_p, c_void_p, c_int64], int]

PLAIN: Final = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CHECKED: Final = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")  # whether array bounds are checked
FRAMEWORK: Final = f"{__package__}."
ROOM: Final = 2  # words before the arguments, where Numba's code may write a result and an error
WORD: Final = 8  # bytes


class Kernel:
    """A function that runs as machine code, compiled separately for each combination of argument kinds."""

    def __init__(self, function: Callable[..., None], sources: Sources | None = None) -> None:
        """Turn a function into a kernel.

        Args:
            function: The function.
            sources: The sources of the game whose rules it calls; by default, those of the function's own package.
        """
        if sources is None and function.__module__.startswith(FRAMEWORK):
            raise TypeError(
                f"kernel {function.__qualname__}: expected the sources of a game, since it is defined in the "
                "framework, got none"
            )
        self.function = compiled(function)
        self.sources = sources or sources_of(function.__module__, function.__code__.co_filename)
        self.name = re.sub(r"\W", "_", function.__qualname__)
        self._code: dict[tuple[Any, ...], tuple[Enter | Module, list[Kind]]] = {}

    def __call__(self, *arguments: Any) -> None:
        """Run the kernel once with these arguments."""
        self.prepare(*arguments)()

    def prepare(self, *arguments: Any) -> Callable[[], None]:
        """Return a function that runs the kernel with these arguments; only one thread at a time may call it.

        The arrays are not copied: each call reads and writes their current contents.
        """
        if PLAIN and _noted is None:
            return partial(self.function, *arguments)
        kinds = kinds_of(arguments)
        if _noted is not None:
            _noted[self.symbol(kinds)] = self, kinds
            return partial(self.function, *arguments)
        enter = self._enter(kinds)
        if isinstance(enter, Module):
            return enter.prepare(self.name, arguments, self.words)
        words = np.array([*[0] * ROOM, *self.words(arguments)], np.int64)
        first = words.ctypes.data
        # C types, because converting Python integers at each call would take about 25 % of its time.
        result, fault, given = c_void_p(first), c_void_p(first + WORD), c_int64(first + ROOM * WORD)

        def call() -> None:
            if enter(result, fault, given):
                raise SystemError(f"{name}: its machine code reports an unknown fault.")

        name, call.keeps = self.name, (words, arguments)  # type: ignore[attr-defined]  # kept alive with the call
        return call

    def words(
        self, arguments: Sequence[Any], address: Callable[[NDArray[Any]], int] = lambda array: array.ctypes.data
    ) -> list[int]:
        """Return the words of these arguments; `address` returns the address of an array's first byte."""
        numbers: list[int] = []
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                if not argument.flags.c_contiguous:
                    raise ValueError(f"{self.name}: expected a contiguous array, got one with gaps.")
                numbers += [address(argument), *argument.shape]
            else:
                numbers.append(int(argument))
        return numbers

    @property
    def parameters(self) -> list[str]:
        """The names of the kernel's parameters."""
        code = self.function.__code__
        return list(code.co_varnames[: code.co_argcount])

    def _enter(self, kinds: list[Kind]) -> Enter | Module:
        """Return the machine code for these argument kinds, cached by the identity of their dtypes."""
        known = tuple(kind if kind is None else (id(kind[0]), kind[1]) for kind in kinds)
        if known not in self._code:
            self._code[known] = self._open(kinds), kinds
        return self._code[known][0]

    def _open(self, kinds: list[Kind]) -> Enter | Module:
        symbol = self.symbol(kinds)
        found: Enter | Module | None = None if CHECKED or self.sources is None else library_code(symbol, self.sources)
        if found is not None:
            return found
        try:
            compiler = _compiler(self.name, self.sources)
        except NoCompiler:
            found = None if CHECKED else module_code(symbol, self.sources)
            if found is None:
                raise
            return found
        compiled_now: Enter = compiler.compile_kernel(self.function, symbol, kinds, self.sources)
        return compiled_now

    def symbol(self, kinds: Sequence[Kind]) -> str:
        """Return the name of the kernel's machine code for these argument kinds."""
        taken = ("number" if kind is None else f"{kind[1]} {layout(kind[0])}" for kind in kinds)
        words = [self.function.__module__, *taken]
        return f"{self.name}_{hashlib.sha256('; '.join(words).encode()).hexdigest()[:16]}"


def kinds_of(arguments: Sequence[Any]) -> list[Kind]:
    """Return the kind of each argument."""
    return [(given.dtype, given.ndim) if isinstance(given, np.ndarray) else None for given in arguments]


_noted: dict[str, tuple[Kernel, Sequence[Kind]]] | None = None


@contextmanager
def noting() -> Iterator[dict[str, tuple[Kernel, Sequence[Kind]]]]:
    """Run kernels as plain Python in the block; record each called kernel and its argument kinds by symbol."""
    global _noted
    _noted = {}
    try:
        yield _noted
    finally:
        _noted = None


def kernel(function: Callable[..., None]) -> Kernel:
    """Turn a function into a kernel."""
    return Kernel(function)


class EntryPoint:
    """The machine code of one function, compiled by Numba."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def code(self) -> Callable[..., Any]:
        """The function's Numba dispatcher, or the plain function if compilation is off."""
        if PLAIN:
            return self._function
        function = self._function
        sources = sources_of(function.__module__, function.__code__.co_filename)
        dispatcher: Callable[..., Any] = _compiler(function.__qualname__, sources).entry_point(function, sources)
        return dispatcher


def entry_point(function: F) -> F:
    """Compile a function with Numba, for callers in Python and in compiled code; cache its machine code on disk."""
    opened = EntryPoint(function)

    @wraps(function)
    def call(*arguments: Any) -> Any:
        return opened.code(*arguments)

    return cast(F, mark(call, Making(function)))


class NoCompiler(HeartRushError):
    """An error for code that has to be compiled where Numba is missing."""


def _compiler(wanted: str, sources: Sources | None) -> Any:
    """Return the module that compiles; if a package is missing, raise an error with the command that installs it."""
    try:
        from heartrush_env.tabletop.compiling import jit
    except ModuleNotFoundError as missing:
        package, does = "jit", "compiles the rules on the first start"
        if why_no_modules(sources).startswith(RUNNER):
            package, does = RUNNER, "runs the WebAssembly modules of this installation"
        raise NoCompiler(
            f"{wanted}: expected machine code ({why_no_library(sources)}) or {missing.name} to compile it, got "
            f"neither; `pip install 'heartrush-env[{package}]'` {does}."
        ) from None
    return jit

"""Compilation with Numba: a kernel and all functions it calls are compiled once for each set of argument types.

Rule functions are plain Python functions, marked with how to compile them. Numba sees a dispatcher in place of each
rule function. The dispatcher is created when Numba reads the first compiled function that calls the rule function.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from types import FunctionType
from typing import Any, Final

import numba
from numba.core import sigutils
from numba.core import types as numba_types
from numba.core.registry import cpu_target
from numba.extending import typeof_impl

from heartrush_env.tabletop.compiling.arguments import Kind, reader
from heartrush_env.tabletop.compiling.code_cache import CodeCache, identity_of
from heartrush_env.tabletop.compiling.linking import PartCompiler, ProgramCompiler, UnfoldedCompiler
from heartrush_env.tabletop.library import ENTER
from heartrush_env.tabletop.rule import Making
from heartrush_env.tabletop.sources import Sources
from heartrush_env.tabletop.units import written
from heartrush_env.tabletop.waiting import compiling

types: Any = numba_types
NUMBA_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy", "boundscheck": False}
# Functions that Python never calls through Numba need no wrappers, which would take about 33 % of the first start.
INNER_OPTIONS: Final[dict[str, Any]] = {**NUMBA_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


@typeof_impl.register(FunctionType)
def _type_of_function(function: Any, purpose: Any) -> Any:
    """Return Numba's type for a marked function: that of its dispatcher or its own code; None if it is not marked."""
    making = getattr(function, "making", None)
    if making is None:
        return None
    if making.code is not None:
        return _type_of_code(making)
    return types.Dispatcher(_dispatcher(making))


@cache
def _type_of_code(making: Making) -> Any:
    """Return Numba's type for a function that supplies its own code."""
    assert making.code is not None
    written_by_itself = making.code()
    typing = cpu_target.typing_context
    typing.refresh()  # otherwise Numba registers a new function only when the next compilation begins
    return typing.resolve_value_type(written_by_itself)


@cache
def _dispatcher(making: Making) -> Any:
    """Return the dispatcher of an inner function."""
    compiler = UnfoldedCompiler if making.unfolds else PartCompiler
    dispatcher = _part(making.function, compiler, forceinline=making.inline)
    if making.field is not None:
        _compile_only_with(dispatcher, making.field, making.otherwise)
    return dispatcher


def _part(function: Any, compiler: Any, **options: Any) -> Any:
    """Return a dispatcher that compiles a function into a part."""
    dispatcher = _njit(function, compiler, **INNER_OPTIONS, **options)
    _compile_without_stopwatch(dispatcher)
    _compile_for_wide_integers(dispatcher)
    return dispatcher


def _njit(function: Any, compiler: Any, **options: Any) -> Any:
    return numba.njit(pipeline_class=compiler, **options)(function)


def for_python(function: Callable[..., Any]) -> Any:
    """Return a dispatcher for Python's calls of a function that calls rule functions; it is not cached on disk."""
    return numba.njit(**NUMBA_OPTIONS)(function)


def _compile_without_stopwatch(dispatcher: Any) -> None:
    """Make the dispatcher compile a part, or find it compiled, without timing it.

    Numba starts two timers whenever a function is requested, and each running timer records every LLVM pass. This takes
    about 10 % of the first start.
    """

    def compile_at_once(arguments: tuple[Any, ...]) -> Any:
        found = dispatcher.overloads.get(arguments)
        if found is None:
            with dispatcher._compiling_counter:  # noqa: SLF001  # Numba detects recursion with it
                found = dispatcher._compiler.compile(arguments, None)  # noqa: SLF001
            dispatcher.add_overload(found)
        return found.entry_point

    dispatcher.compile = compile_at_once


def _compile_for_wide_integers(dispatcher: Any) -> None:
    """Make the dispatcher compile a function once for integers of all sizes, by widening their types to 64 bits.

    Numba would otherwise compile each function again for every mixture of small and large integers that reaches it,
    which doubles the time of the first start.
    """
    compile_exactly = dispatcher.compile

    def compile_widely(signature: Any) -> Any:
        arguments, _ = sigutils.normalize_signature(signature)  # type: ignore[no-untyped-call]  # Numba has no types
        return compile_exactly(tuple(_widest(kind) for kind in arguments))

    dispatcher.compile = compile_widely


def _widest(kind: Any) -> Any:
    """Return the 64-bit integer type for smaller integers, literals and flags; return other types unchanged."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.Boolean) or (isinstance(kind, types.Integer) and kind.bitwidth < 64):
        return types.int64
    return kind


def _compile_only_with(dispatcher: Any, field: str, otherwise: Any) -> None:
    """Make the dispatcher return the machine code of a constant function for records without the field.

    All functions with this constant and number of parameters share the code. Compiling one for each function would take
    about 14 % of the first start of fights without abilities.
    """
    compile_function = dispatcher.compile

    def compile_for(wanted: Any) -> Any:
        arguments, _ = sigutils.normalize_signature(wanted)  # type: ignore[no-untyped-call]  # Numba has no types here
        if field in arguments[0].fields:
            return compile_function(wanted)
        constant = _constant(len(arguments), otherwise)
        code = constant.compile(wanted)
        widest = tuple(_widest(kind) for kind in arguments)
        dispatcher.overloads[widest] = constant.overloads[widest]
        return code

    dispatcher.compile = compile_for


@lru_cache(maxsize=None, typed=True)  # keeps True and 1 apart
def _constant(parameters: int, value: Any) -> Any:
    """Return the dispatcher of a function that returns a constant for any arguments."""
    names = ", ".join(f"argument_{number}" for number in range(parameters))
    return _part(eval(f"lambda {names}: value", {"value": value}), PartCompiler)


def entry_point(function: Callable[..., Any], sources: Sources | None) -> Any:
    """Return a function's dispatcher for calls from Python, cached on disk if its sources are files."""
    dispatcher = _njit(function, ProgramCompiler, **NUMBA_OPTIONS)
    _compile_for_wide_integers(dispatcher)
    if sources is not None:
        _keep(dispatcher, CodeCache(function, identity_of(function), sources))
    _tell(dispatcher, function, sources, ())
    return dispatcher


def compile_kernel(function: Callable[..., Any], symbol: str, kinds: Sequence[Kind], sources: Sources | None) -> Any:
    """Return a kernel compiled for these argument kinds, as a function of the address of its argument words.

    Its code is loaded from disk if possible. Otherwise it is compiled and, if its sources are files, stored there.
    """
    program = compiled_kernel(function, symbol, kinds, sources, keep=True)
    return ENTER(program.library.get_pointer_to_function(program.fndesc.llvm_func_name))


def compiled_kernel(
    function: Callable[..., Any], symbol: str, kinds: Sequence[Kind], sources: Sources | None, *, keep: bool = False
) -> Any:
    """Return Numba's result of compiling a kernel; with `keep`, it is loaded from disk or stored there."""
    names: dict[str, Any] = {"run": function}
    reads, place = [], 0
    for number, kind in enumerate(kinds):
        names[f"read_{number}"] = reader(place, kind)
        reads.append(f"read_{number}(words)")
        place += 1 if kind is None else 1 + kind[1]
    body = [f"run({', '.join(reads)})"]
    # Kept code names the package, so whichever module asks first must not decide it.
    plain = written(symbol, "words", body, names, "A kernel.", compiles=lambda made: made, package=function.__module__)
    dispatcher = _njit(plain, ProgramCompiler, **INNER_OPTIONS)
    if keep and sources is not None:
        _keep(dispatcher, CodeCache(function, symbol.encode(), sources))
    _tell(dispatcher, function, sources, kinds)
    dispatcher.compile((types.int64,))
    return dispatcher.overloads[types.int64,]


def _keep(dispatcher: Any, cache: CodeCache) -> None:
    dispatcher._cache = cache  # noqa: SLF001  # Numba has no public way to set a custom cache


def _tell(dispatcher: Any, function: Callable[..., Any], sources: Sources | None, kinds: Sequence[Kind]) -> None:
    """Make the dispatcher report each compilation of a function that takes arguments of these kinds."""
    compiler = dispatcher._compiler  # noqa: SLF001  # Numba has no public hook for cache misses
    compile_in_silence = compiler.compile
    name = function.__name__

    def compile_and_tell(arguments: Any, result: Any) -> Any:
        subject, seconds = (name, 0.0) if sources is None else _subject(name, sources, kinds)
        with compiling(subject, seconds), without_collections():
            return compile_in_silence(arguments, result)

    compiler.compile = compile_and_tell


def _subject(name: str, sources: Sources, kinds: Sequence[Kind]) -> tuple[str, float]:
    """Return a phrase for what is compiled, and the seconds that it takes where it was timed (0 if unknown)."""
    purpose, seconds = sources.tells(
        name, {field for kind in kinds if kind is not None for field in kind[0].names or ()}
    )
    return f"{' '.join(filter(None, (sources.compiles, purpose)))} ({name})", seconds


@contextmanager
def without_collections() -> Iterator[None]:
    """Run the block without Python's garbage collector, which finds little there and takes about 10 % of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()

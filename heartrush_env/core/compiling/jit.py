"""Numba's part: it compiles a kernel with all that the kernel calls, once for each kind of arguments.

Rule functions are plain Python with a note of how machine code is made of them. Numba sees a dispatcher in place of
each, which is made when the first compiled function that calls it is read.
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

import heartrush_env.core.compiling.aliases  # noqa: F401  # which teaches Numba
from heartrush_env.core.compiling.arguments import Kind, reader
from heartrush_env.core.compiling.code_cache import CodeCache, identity_of
from heartrush_env.core.compiling.linking import PartCompiler, ProgramCompiler, UnfoldedCompiler
from heartrush_env.core.library import ENTER
from heartrush_env.core.rule import Making
from heartrush_env.core.units import written
from heartrush_env.core.waiting import compiling

types: Any = numba_types
MAP_FIELD: Final = "cells"  # of the records of fights on a map
HOOKS_FIELD: Final = "hooks"  # of the records of fights with abilities
# Seconds of one core for the kernels that play fights, on the timed machine: with abilities or not, on a map or not.
TO_PLAY: Final = "play_slots"
SECONDS: Final = {(False, False): 15.0, (False, True): 32.0, (True, False): 30.0, (True, True): 48.0}
NUMBA_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy", "boundscheck": False}
# What Python does not call through Numba needs no entrance by Numba, which would cost a third of the first start.
INNER_OPTIONS: Final[dict[str, Any]] = {**NUMBA_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


@typeof_impl.register(FunctionType)
def _type_of_function(function: Any, purpose: Any) -> Any:
    """The dispatcher of a marked function, in place of the function that compiled code calls by its name."""
    making = getattr(function, "making", None)
    if making is None:
        return None
    if making.code is not None:
        return _type_of_code(making)
    return types.Dispatcher(_dispatcher(making))


@cache
def _type_of_code(making: Making) -> Any:
    """The type of a function that writes its own code."""
    assert making.code is not None
    written_by_itself = making.code()
    typing = cpu_target.typing_context
    typing.refresh()  # it is new, and Numba learns of new functions at the beginning of a compilation only
    return typing.resolve_value_type(written_by_itself)


@cache
def _dispatcher(making: Making) -> Any:
    """The dispatcher of an inner function."""
    inline: dict[str, Any] = {} if making.inline is None else {"forceinline": making.inline}
    compiler = UnfoldedCompiler if making.unfolds else PartCompiler
    dispatcher = _part(making.function, compiler, **inline)
    if making.field is not None:
        _compile_only_with(dispatcher, making.field, making.otherwise)
    return dispatcher


def _part(function: Any, compiler: Any, **options: Any) -> Any:
    """The dispatcher of a function that becomes a part."""
    dispatcher = _njit(function, compiler, **INNER_OPTIONS, **options)
    _compile_without_stopwatch(dispatcher)
    _compile_for_wide_integers(dispatcher)
    return dispatcher


def _njit(function: Any, compiler: Any, **options: Any) -> Any:
    return numba.njit(pipeline_class=compiler, **options)(function)


def for_python(function: Callable[..., Any]) -> Any:
    """A function that calls rule functions, compiled for calls from Python and kept nowhere."""
    return numba.njit(**NUMBA_OPTIONS)(function)


def _compile_without_stopwatch(dispatcher: Any) -> None:
    """Compile a part, or find it compiled, and do not time it.

    Numba starts two stopwatches whenever it asks for a function, and all that run note each step of LLVM: a tenth of
    the first start.
    """

    def compile_at_once(arguments: tuple[Any, ...]) -> Any:
        found = dispatcher.overloads.get(arguments)
        if found is None:
            with dispatcher._compiling_counter:  # noqa: SLF001  # by which Numba finds rules that call themselves
                found = dispatcher._compiler.compile(arguments, None)  # noqa: SLF001
            dispatcher.add_overload(found)
        return found.entry_point

    dispatcher.compile = compile_at_once


def _compile_for_wide_integers(dispatcher: Any) -> None:
    """Compile one machine function for integers of all sizes, so that a byte field and a counter are the same type.

    Numba would otherwise compile each function again for every mixture of small and large integers that reaches it,
    which doubles the time of the first start.
    """
    compile_exactly = dispatcher.compile

    def compile_widely(signature: Any) -> Any:
        arguments, _ = sigutils.normalize_signature(signature)  # type: ignore[no-untyped-call]  # Numba's own lack
        return compile_exactly(tuple(_widest(kind) for kind in arguments))

    dispatcher.compile = compile_widely


def _widest(kind: Any) -> Any:
    """The 64-bit integer type for smaller integers, literals and flags; other types unchanged."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.Boolean) or (isinstance(kind, types.Integer) and kind.bitwidth < 64):
        return types.int64
    return kind


def _compile_only_with(dispatcher: Any, field: str, otherwise: Any) -> None:
    """For records without the field, the dispatcher gives the machine code of a function that returns the constant.

    All functions with as many parameters and the same constant share it: compiling one for each would take a seventh
    of the first start of fights without abilities.
    """
    compile_function = dispatcher.compile

    def compile_for(wanted: Any) -> Any:
        arguments, _ = sigutils.normalize_signature(wanted)  # type: ignore[no-untyped-call]  # as above
        if field in arguments[0].fields:
            return compile_function(wanted)
        constant = _constant(len(arguments), otherwise)
        code = constant.compile(wanted)
        widest = tuple(_widest(kind) for kind in arguments)
        dispatcher.overloads[widest] = constant.overloads[widest]
        return code

    dispatcher.compile = compile_for


@lru_cache(maxsize=None, typed=True)  # True is not 1
def _constant(parameters: int, value: Any) -> Any:
    """The dispatcher of a function that returns a constant, whatever its arguments are."""
    names = ", ".join(f"argument_{number}" for number in range(parameters))
    return _part(eval(f"lambda {names}: value", {"value": value}), PartCompiler)


def entry_point(function: Callable[..., Any]) -> Any:
    """A function's dispatcher for calls from Python."""
    dispatcher = _njit(function, ProgramCompiler, **NUMBA_OPTIONS)
    _compile_for_wide_integers(dispatcher)
    _keep(dispatcher, CodeCache(function, identity_of(function)))
    _tell(dispatcher, _subject(function, ()))
    return dispatcher


def compile_kernel(function: Callable[..., Any], symbol: str, kinds: Sequence[Kind]) -> Any:
    """The machine code of a kernel for these kinds of arguments, as a function of the addresses of its words."""
    program = compiled_kernel(function, symbol, kinds, keep=True)
    return ENTER(program.library.get_pointer_to_function(program.fndesc.llvm_func_name))


def compiled_kernel(function: Callable[..., Any], symbol: str, kinds: Sequence[Kind], *, keep: bool) -> Any:
    """Numba's result of compiling a kernel, which is looked for on disk first and kept there if asked to."""
    names: dict[str, Any] = {"run": function}
    reads, place = [], 0
    for number, kind in enumerate(kinds):
        names[f"read_{number}"] = reader(place, kind)
        reads.append(f"read_{number}(words)")
        place += 1 if kind is None else 1 + kind[1]
    plain = written(symbol, "words", [f"run({', '.join(reads)})"], names, "A kernel.", compiles=lambda made: made)
    dispatcher = _njit(plain, ProgramCompiler, **INNER_OPTIONS)
    if keep:
        _keep(dispatcher, CodeCache(function, symbol.encode()))
    _tell(dispatcher, _subject(function, kinds), _seconds(function, kinds))
    dispatcher.compile((types.int64,))
    return dispatcher.overloads[types.int64,]


def _keep(dispatcher: Any, cache: CodeCache) -> None:
    dispatcher._cache = cache  # noqa: SLF001  # Numba has no public door for one's own


def _subject(function: Callable[..., Any], kinds: Sequence[Any]) -> str:
    """A description of what is compiled, for messages."""
    on_map = _some_record_has(MAP_FIELD, kinds)
    part = "the solver" if ".solver." in function.__module__ else "the rules for maps" if on_map else "the rules"
    return f"{part} ({function.__name__})"


def _seconds(function: Callable[..., Any], kinds: Sequence[Any]) -> float:
    """Return how long a kernel takes on the timed machine; 0 for one that takes a few seconds at most."""
    if not function.__name__.startswith(TO_PLAY):
        return 0.0
    return SECONDS[_some_record_has(HOOKS_FIELD, kinds), _some_record_has(MAP_FIELD, kinds)]


def _some_record_has(field: str, kinds: Sequence[Any]) -> bool:
    """Return whether one of the records that a kernel takes has this field."""
    return any(kind is not None and field in (kind[0].names or ()) for kind in kinds)


def _tell(dispatcher: Any, subject: str, seconds: float = 0.0) -> None:
    """Report each compilation."""
    compiler = dispatcher._compiler  # noqa: SLF001  # Numba has no public door for what is asked only without the cache
    compile_in_silence = compiler.compile

    def compile_and_tell(arguments: Any, result: Any) -> Any:
        with compiling(subject, seconds), without_collections():
            return compile_in_silence(arguments, result)

    compiler.compile = compile_and_tell


@contextmanager
def without_collections() -> Iterator[None]:
    """Keep Python's garbage collector still: in a compilation it finds little, and takes a tenth of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()

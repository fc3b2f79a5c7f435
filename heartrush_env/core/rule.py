"""The one place where rule functions are registered and compiled.

`@rule("Combat > Taking Damage", "R-10")` claims a heading of the rule text for a function and names the rulings that it
follows; `@compiled` is for machinery that holds no rule. Both give the same Numba options, and with
`NUMBA_DISABLE_JIT=1` both leave plain Python behind. Compiled code is cached under a digest of all sources that
compiled functions may call, because Numba itself does not notice an edited callee in another file.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import cache, wraps
from inspect import signature
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
from numba.core import sigutils

from heartrush_env.core.claims import PACKAGE, record_claim
from heartrush_env.core.code_cache import CodeCache
from heartrush_env.core.linking import PartCompiler, ProgramCompiler
from heartrush_env.core.waiting import compiling

F = TypeVar("F", bound=Callable[..., Any])

# Folders without a compiled function.
NEVER_COMPILED = {"envs", "render", "protocol", "records", "cli", "analysis", "bridges", "narration"}
MAP_FIELD = "cells"  # of the records of fights on a map
NUMBA_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}
# Functions that only compiled code calls need no door for Python, which would cost a third of the first start.
INNER_OPTIONS: dict[str, Any] = {
    **NUMBA_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": PartCompiler,
}  # fmt: skip


class Claimed:
    """An object that claims a heading but is compiled elsewhere: a page of core/flow."""


def rule(heading: str, *rulings: str, hot: bool = False) -> Callable[[F], F]:
    """Claim a heading of the rule text for a function, and compile it; `hot` compiles it into each of its callers."""

    def claim(function: F) -> F:
        record_claim(function, heading, rulings)
        if isinstance(function, Claimed):
            return function
        return inlined(function) if hot else compiled(function)

    return claim


def compiled(function: F) -> F:
    """Compile a function for use by compiled code, on its first call. From Python, call it through `uncompiled`."""
    return _compile(function, INNER_OPTIONS)


def _compile(function: F, options: dict[str, Any]) -> F:
    dispatcher: F = numba.njit(**options)(function)
    if hasattr(dispatcher, "compile"):
        _compile_for_wide_integers(dispatcher)
    return dispatcher


def uncompiled(function: Any) -> Callable[..., Any]:
    """The plain Python version of a compiled function that calls no other, for callers that run it once."""
    plain: Callable[..., Any] = getattr(function, "py_func", function)
    return plain


def inlined(function: F) -> F:
    """Compile a small function into each of its callers."""
    return _compile(function, {**INNER_OPTIONS, "forceinline": True})


def called(function: F) -> F:
    """Compile a large function once, without inlining it into its callers.

    Numba compiles a function into its callers, too, where the first caller that it meets is an inlined one.
    """
    return _compile(function, {**INNER_OPTIONS, "forceinline": False})


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
    types: Any = numba.types
    kind = types.unliteral(kind)
    if isinstance(kind, types.Boolean) or (isinstance(kind, types.Integer) and kind.bitwidth < 64):
        return types.int64
    return kind


def only_with(field: str, otherwise: Any) -> Callable[[F], F]:
    """Compile a function only for records that have this field; for others it is the constant `otherwise`.

    The first argument is the record. Kinds of records that lack the field are compiled without the function and all
    that only it calls, so that what they do not use costs them neither time nor compilation.
    """

    def keep(function: F) -> F:
        if not hasattr(function, "compile"):

            def choose(record: Any, *arguments: Any) -> Any:
                return function(record, *arguments) if field in record.dtype.names else otherwise

            return cast(F, wraps(function)(choose))
        dispatcher: Any = function
        names = ", ".join(signature(dispatcher.py_func).parameters)
        stand_in = eval(f"lambda {names}: otherwise", {"otherwise": otherwise})  # Numba wants the same parameters
        compiler, compile_one = dispatcher._compiler, dispatcher.compile  # noqa: SLF001  # Numba has no public door

        def compile_for(wanted: Any) -> Any:
            arguments, _ = sigutils.normalize_signature(wanted)  # type: ignore[no-untyped-call]  # as below
            compiler.py_func = dispatcher.py_func if field in arguments[0].fields else stand_in
            try:
                return compile_one(wanted)
            finally:
                compiler.py_func = dispatcher.py_func

        dispatcher.compile = compile_for
        return function

    return keep


def entry_point(function: F) -> F:
    """Compile a function that Python calls directly, and keep its machine code on disk between processes."""
    dispatcher: Any = _compile(function, {**NUMBA_OPTIONS, "pipeline_class": ProgramCompiler})
    if hasattr(dispatcher, "enable_caching"):
        dispatcher._cache = CodeCache(function, source_digest)  # noqa: SLF001  # Numba has no public door for one's own
        compiler = dispatcher._compiler  # noqa: SLF001  # nor for what is asked only where the cache has nothing
        compile_in_silence = compiler.compile

        def compile_and_tell(arguments: Any, result: Any) -> Any:
            with compiling(_subject(function, arguments)):
                return compile_in_silence(arguments, result)

        compiler.compile = compile_and_tell
    return cast(F, dispatcher)


def version(function: F, name: str, **names: Any) -> F:
    """The plain Python of a function in which some global names mean something else, to be compiled for itself.

    Args:
        function: A function of a module; what it calls by these names is for each version to say.
        name: What tells its code in the cache from that of other versions.
        names: What the names mean.
    """
    plain: Any = uncompiled(function)
    made: Any = FunctionType(plain.__code__, {**plain.__globals__, **names}, plain.__name__, plain.__defaults__)
    made.__qualname__, made.__doc__ = f"{plain.__qualname__}_{name}", plain.__doc__
    return cast(F, made)


def _subject(function: Callable[..., Any], arguments: Any) -> str:
    """A description of what is compiled, for messages."""
    kinds = [getattr(argument, "dtype", argument) for argument in arguments]
    on_map = any(MAP_FIELD in getattr(kind, "fields", ()) for kind in kinds)
    part = "the solver" if ".solver." in function.__module__ else "the rules for maps" if on_map else "the rules"
    return f"{part} ({function.__name__})"


def direct(dispatcher: F) -> F:
    """Return a function that calls one machine-code version of an entry point without checking argument types again.

    Numba takes milliseconds at every call to recognise records within records. The caller promises that all calls have
    arguments of the same types and memory layouts as the first, and that no other has called with these types before.
    """
    if not hasattr(dispatcher, "overloads"):
        return dispatcher
    compiled_once: list[Any] = []

    def call(*arguments: Any) -> Any:
        if compiled_once:
            return compiled_once[0](*arguments)
        result = dispatcher(*arguments)
        compiled_once.append(list(dispatcher.overloads.values())[-1].entry_point)
        return result

    return cast(F, call)


@cache
def source_digest() -> str:
    """A digest of every source file that compiled code may come from, and of the versions that compile it."""
    digest = hashlib.sha256()
    for version in (sys.version, numba.__version__, repr(sorted(NUMBA_OPTIONS.items()))):
        digest.update(version.encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        if NEVER_COMPILED.isdisjoint(path.relative_to(PACKAGE).parts):
            digest.update(path.relative_to(PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]

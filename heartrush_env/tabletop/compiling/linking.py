"""Linking of one machine-code program for each entry point, optimised once.

By default, Numba links and optimises a function together with all that it calls, and repeats this for each of its
callers: a tree of small rules is compiled as many times as it is deep. Here an inner function stays a part, a separate
module that is never run. The entry point gathers the parts below it and compiles them together, once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llvmlite.binding import Linkage
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from heartrush_env.tabletop.compiling.contexts import target_of, typing_of
from heartrush_env.tabletop.compiling.known import KnownRecord
from heartrush_env.tabletop.compiling.shortcuts import steps


class Arguments(tuple[Any, ...]):
    """The types of a function's arguments, with a short text.

    Numba writes out this text before each pass; the default text fills pages if the types are records.
    """

    def __str__(self) -> str:
        return f"({len(self)} types)"


class PartCompiler(Compiler):
    """A compiler that turns an inner function into a part."""

    def __init__(self, typing: Any, target: Any, library: Any, arguments: Any, *rest: Any) -> None:
        part = Part(target.codegen(), "part")
        super().__init__(typing_of(typing), target_of(target), part, Arguments(arguments), *rest)  # type: ignore[no-untyped-call]

    def define_pipelines(self) -> Any:
        return steps(self.state)


class UnfoldedCompiler(PartCompiler):
    """A compiler that turns an inner function into a part that is always inlined for records with known fields."""

    def __init__(self, typing: Any, target: Any, library: Any, arguments: Any, *rest: Any) -> None:
        super().__init__(typing, target, library, arguments, *rest)
        if any(isinstance(kind, KnownRecord) for kind in arguments):
            self.state.flags.forceinline = True


class ProgramCompiler(Compiler):
    """A compiler that turns an entry point into a program."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        program = Program(_WithoutVectors(target.codegen()), "program")
        program.enable_object_caching()
        super().__init__(typing_of(typing), target_of(target), program, *rest)  # type: ignore[no-untyped-call]


class Part(JITCodeLibrary):
    """The code of one inner function, without the code of the functions it calls."""

    @property
    def codegen(self) -> Any:
        return _WithoutEnvironments(self._codegen)

    @property
    def calls(self) -> list[Any]:
        """The libraries of the functions that this one calls."""
        return self._linking_libraries

    @property
    def module(self) -> Any:
        """The module with the function's own code."""
        return self._final_module

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    def _get_module_for_linking(self) -> Any:
        """Return the part with everything that it calls, for callers that Numba compiles in its default way."""
        if self._shared_module is None:
            module = self._final_module.clone()
            parts, others = sort_out([self])
            link(module, parts[1:])
            for library in others:
                module.link_in(library._get_module_for_linking(), preserve=True)  # noqa: SLF001
            close(module, parts, Linkage.linkonce_odr)
            self._shared_module = module
        return self._shared_module


class Program(JITCodeLibrary):
    """The code of an entry point and of all parts below it."""

    @property
    def module(self) -> Any:
        """The optimised code."""
        return self._final_module

    def finalize(self) -> None:
        parts, others = sort_out(self._linking_libraries)
        link(self._final_module, parts)
        close(self._final_module, parts, Linkage.private)
        # Libraries that Numba has finished itself become private as well. Only then does LLVM see that they report
        # no errors, so that no call needs an error check.
        for library in others:
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)  # noqa: SLF001
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.private
        self._linking_libraries = []
        super().finalize()  # type: ignore[no-untyped-call]


def sort_out(libraries: Iterable[Any]) -> tuple[list[Part], list[Any]]:
    """Return the parts among these libraries with all parts that they call, and the libraries that Numba finished."""
    found = dict.fromkeys(libraries)
    waiting = list(found)
    while waiting:
        library = waiting.pop()
        if isinstance(library, Part):
            new = [called for called in library.calls if called not in found]
            found.update(dict.fromkeys(new))
            waiting += new
    parts = [library for library in found if isinstance(library, Part)]
    return parts, [library for library in found if not isinstance(library, Part)]


def link(module: Any, parts: Iterable[Part]) -> None:
    """Add the parts to a module; their functions stay visible to each other."""
    for part in parts:
        module.link_in(part.module, preserve=True)


def close(module: Any, parts: Iterable[Part], linkage: Linkage) -> None:
    """Make the parts' functions internal, so that LLVM can inline them, or remove them if nothing calls them."""
    for part in parts:
        for function in part.module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                module.get_function(function.name).linkage = linkage


class _Like:
    """Numba's code generator with changes."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)


class _WithoutEnvironments(_Like):
    """Numba's code generator for functions that never run on their own and therefore need no environment."""

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing: the code is not in memory."""


class _WithoutVectors(_Like):
    """Numba's code generator for programs in which LLVM makes no vectors of loops.

    Rules loop over a few fighters, dice or squares. With vectors, fights with abilities take twice as much code, and no
    fight is faster; on targets with narrow vectors, LLVM takes them apart again or fails.
    """

    def _module_pass_manager(self, **options: Any) -> Any:
        """Return the passes that optimise a module."""
        return self._codegen._module_pass_manager(**{**options, "loop_vectorize": False})  # noqa: SLF001

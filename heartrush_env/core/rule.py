"""The one place where rule functions are registered and marked for compilation.

`@rule("Combat > Taking Damage", "R-10")` claims a heading of the rule text for a function and names the rulings that it
follows; `@compiled` is for machinery that holds no rule. Both leave the function as it is, plain Python, and note how
machine code is to be made of it. Machine code exists behind kernels (core/kernels.py), for all that a kernel calls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar, cast

from heartrush_env.core.claims import record_claim

F = TypeVar("F", bound=Callable[..., Any])


class Claimed:
    """An object that claims a heading but is compiled elsewhere: a page of core/flow."""


@dataclass(frozen=True, eq=False)
class Making:
    """How machine code is made of a function.

    Attributes:
        function: The function.
        inline: Whether it becomes a part of each of its callers; None leaves that to the compiler.
        unfolds: Whether it becomes one for records of which some fields are known.
        field: The field without which a record, its first argument, gets a constant instead.
        otherwise: The constant.
        code: For functions that Numba cannot read: what writes their code, by the compiler's own means.
    """

    function: Callable[..., Any]
    inline: bool | None = None
    unfolds: bool = False
    field: str | None = None
    otherwise: Any = None
    code: Callable[[], Any] | None = None


def mark(function: F, making: Making) -> F:
    """Note on a function how machine code is made of it."""
    function.making = making  # type: ignore[attr-defined]
    return function


def rule(heading: str, *rulings: str, hot: bool = False, unfolds: bool = False) -> Callable[[F], F]:
    """Claim a heading of the rule text for a function, and compile it.

    `hot` compiles it into each of its callers, and `unfolds` does so where `unfolded` does.
    """

    def claim(function: F) -> F:
        record_claim(function, heading, rulings)
        if isinstance(function, Claimed):
            return function
        return inlined(function) if hot else unfolded(function) if unfolds else compiled(function)

    return claim


def compiled(function: F) -> F:
    """Compile a function for use by compiled code. Python calls it as plain Python."""
    return mark(function, Making(function))


def inlined(function: F) -> F:
    """Compile a small function into each of its callers."""
    return mark(function, Making(function, inline=True))


def unfolded(function: F) -> F:
    """Compile a function once, but into each of its callers for records of which some fields are known.

    So much is ruled out for those that the whole still fits into the processor's cache of instructions.
    """
    return mark(function, Making(function, unfolds=True))


def called(function: F) -> F:
    """Compile a large function once, without inlining it into its callers.

    Numba compiles a function into its callers, too, where the first caller that it meets is an inlined one.
    """
    return mark(function, Making(function, inline=False))


def only_with(field: str, otherwise: Any) -> Callable[[F], F]:
    """Compile a function only for records that have this field; for others it is the constant `otherwise`.

    The first argument is the record. Kinds of records that lack the field are compiled without the function and all
    that only it calls, so that what they do not use costs them neither time nor compilation.
    """

    def keep(function: F) -> F:
        def choose(record: Any, *arguments: Any) -> Any:
            return function(record, *arguments) if field in record.dtype.names else otherwise

        making: Making = function.making  # type: ignore[attr-defined]
        return cast(F, mark(wraps(function)(choose), replace(making, field=field, otherwise=otherwise)))

    return keep


def version(function: F, name: str, **names: Any) -> F:
    """A function in which some global names mean something else, to be compiled for itself.

    Args:
        function: A function of a module; what it calls by these names is for each version to say.
        name: What tells its machine code from that of other versions.
        names: What the names mean.
    """
    plain: Any = function
    made: Any = FunctionType(plain.__code__, {**plain.__globals__, **names}, plain.__name__, plain.__defaults__)
    made.__qualname__, made.__doc__ = f"{plain.__qualname__}_{name}", plain.__doc__
    return cast(F, made)

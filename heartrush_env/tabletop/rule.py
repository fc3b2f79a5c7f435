"""The one place where rule functions are registered and marked for compilation.

`@rule("Combat > Taking Damage", "R-10")` claims a heading of the rule text for a function and names the rulings that it
follows; `@compiled` is for functions that hold no rule. Both leave a function as plain Python and attach a note on
how to compile it. Only a kernel (tabletop/kernels.py) and the functions that it calls are run as machine code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, TypeVar, cast

from heartrush_env.tabletop.claims import record_claim

F = TypeVar("F", bound=Callable[..., Any])


class Claimed:
    """An object that claims a heading but is compiled elsewhere, such as a flow (tabletop/flow)."""


@dataclass(frozen=True, eq=False)
class Making:
    """A note on how a function is compiled to machine code.

    Attributes:
        function: The function.
        inline: Whether it is always inlined into its callers; otherwise the compiler decides where inlining pays.
        unfolds: Whether it is always inlined for records with known fields.
        field: The field that the first argument, a record, must have; for other records, the result is a constant.
        otherwise: The constant.
        code: Returns a compiled function, made with the compiler's own tools, for a function that Numba cannot read.
    """

    function: Callable[..., Any]
    inline: bool = False
    unfolds: bool = False
    field: str | None = None
    otherwise: Any = None
    code: Callable[[], Any] | None = None


def mark(function: F, making: Making) -> F:
    """Attach to a function a note on how to compile it."""
    function.making = making  # type: ignore[attr-defined]
    return function


def rule(heading: str, *rulings: str, hot: bool = False, unfolds: bool = False) -> Callable[[F], F]:
    """Claim a heading of the rule text for a function, and compile it.

    `hot` inlines the function into each of its callers; `unfolds` inlines it only for records with known fields.
    """

    def claim(function: F) -> F:
        record_claim(function, heading, rulings)
        if isinstance(function, Claimed):
            return function
        return inlined(function) if hot else unfolded(function) if unfolds else compiled(function)

    return claim


def compiled(function: F) -> F:
    """Mark a function to be compiled for its compiled callers; Python calls it as plain Python."""
    return mark(function, Making(function))


def inlined(function: F) -> F:
    """Mark a small function to be inlined into each of its compiled callers."""
    return mark(function, Making(function, inline=True))


def unfolded(function: F) -> F:
    """Mark a function to be compiled once, but inlined into each of its callers for records with known fields.

    The known fields rule out so much code that the whole still fits into the processor's instruction cache.
    """
    return mark(function, Making(function, unfolds=True))


def only_with(field: str, otherwise: Any) -> Callable[[F], F]:
    """Compile a function only for records that have this field; for other records, it returns the constant `otherwise`.

    The first argument is the record. For record types that lack the field, the function and everything that only it
    calls are not compiled, so they cost neither running time nor compilation time.
    """

    def keep(function: F) -> F:
        def choose(record: Any, *arguments: Any) -> Any:
            return function(record, *arguments) if field in record.dtype.names else otherwise

        making: Making = function.making  # type: ignore[attr-defined]
        return cast(F, mark(wraps(function)(choose), replace(making, field=field, otherwise=otherwise)))

    return keep

"""Shortcuts in Numba's compilation of rules: most of the first start is spent in Numba's own Python code.

The answers to repeated queries are cached, and a part skips the passes that find nothing in a rule.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from numba.core.compiler import DefaultPassBuilder
from numba.core.compiler_machinery import PassManager
from numba.core.types.functions import BaseFunction

# Passes for constructs that no rule contains: `with`, closures, comprehensions, `raise`, dead code by type, arithmetic
# with whole arrays, functions that Numba inlines itself, literals. Running them takes about 10 % of the first start.
NEEDLESS: Final = {
    "WithLifting", "InlineClosureLikes", "MakeFunctionToJitFunction", "RewriteDynamicRaises", "DeadBranchPrune",
    "RewriteSemanticConstants", "NopythonRewrites", "InlineInlinables", "InlineOverloads", "FindLiterallyCalls",
    "LiteralUnroll", "LiteralPropagationSubPipelinePass", "NoPythonSupportedFeatureValidation", "DumpParforDiagnostics",
}  # fmt: skip
_try_each = BaseFunction.get_call_type


def steps(state: Any) -> list[PassManager]:
    """Return Numba's passes for compiling a function, without the needless ones."""
    usual = DefaultPassBuilder.define_nopython_pipeline(state)  # type: ignore[no-untyped-call]  # Numba has no types
    manager = PassManager("rule")  # type: ignore[no-untyped-call]
    for step, purpose in usual.passes:
        if step.__name__ not in NEEDLESS:
            manager.add_pass(step, purpose)  # type: ignore[no-untyped-call]
    manager.finalize()  # type: ignore[no-untyped-call]
    return [manager]


@cache
def _signature(function: Any, typing: Any, arguments: tuple[Any, ...]) -> Any:
    """Return the signature that one of Numba's functions uses for these argument types."""
    return _try_each(function, typing, arguments, {})


def _remembered_signature(function: Any, typing: Any, arguments: Any, named: Any) -> Any:
    """Return the signature that one of Numba's functions uses for these argument types, from a cache if possible.

    Numba tries all versions of an operator each time it types or lowers it: 9,600 times for 760 kinds of arguments.
    This takes about 12 % of the first start.
    """
    if named:
        return _try_each(function, typing, arguments, named)
    return _signature(function, typing, tuple(arguments))


BaseFunction.get_call_type = _remembered_signature  # type: ignore[assignment, method-assign]

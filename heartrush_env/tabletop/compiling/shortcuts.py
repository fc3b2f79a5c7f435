"""Shortcuts in Numba's compilation of rules: most of the first start is spent in Numba's own Python code.

The answers to repeated queries are cached, and a part skips the passes that find nothing in a rule.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from numba.core import types as numba_types
from numba.core.compiler import DefaultPassBuilder
from numba.core.compiler_machinery import PassManager

types: Any = numba_types
# Passes for constructs that no rule contains: `with`, closures, comprehensions, `raise`, dead code by type, arithmetic
# with whole arrays, functions that Numba inlines itself, literals. Running them takes about 10 % of the first start.
NEEDLESS: Final = {
    "WithLifting", "InlineClosureLikes", "MakeFunctionToJitFunction", "RewriteDynamicRaises", "DeadBranchPrune",
    "RewriteSemanticConstants", "NopythonRewrites", "InlineInlinables", "InlineOverloads", "FindLiterallyCalls",
    "LiteralUnroll", "LiteralPropagationSubPipelinePass", "NoPythonSupportedFeatureValidation", "DumpParforDiagnostics",
}  # fmt: skip


def steps(state: Any) -> list[PassManager]:
    """Return Numba's passes for compiling a function, except for those in NEEDLESS."""
    usual = DefaultPassBuilder.define_nopython_pipeline(state)  # type: ignore[no-untyped-call]  # Numba has no types
    manager = PassManager("rule")  # type: ignore[no-untyped-call]
    for step, purpose in usual.passes:
        if step.__name__ not in NEEDLESS:
            manager.add_pass(step, purpose)  # type: ignore[no-untyped-call]
    manager.finalize()  # type: ignore[no-untyped-call]
    return [manager]


class RememberedFunction(types.Function):  # type: ignore[misc]  # Numba has no types here
    """One of Numba's functions, with the signatures that it uses for argument types.

    Numba tries all versions of an operator each time it types or lowers it: 9,600 times for 760 kinds of arguments.
    This takes about 12 % of the first start.
    """

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """Return the signature that the function uses for these argument types, from a cache if possible."""
        return super().get_call_type(context, args, kws) if kws else _signature(self, context, tuple(args))


@cache
def _signature(function: Any, typing: Any, arguments: tuple[Any, ...]) -> Any:
    return types.Function.get_call_type(function, typing, arguments, {})


@cache
def remembered(function: Any) -> Any:
    """Return a copy of one of Numba's functions that caches its signatures."""
    made: Any = RememberedFunction.__new__(RememberedFunction)
    vars(made).update(vars(function))
    return made

"""Shortcuts on Numba's way from a rule to machine code: most of the first start is Numba's own Python code.

What Numba would ask again and again is asked once, and a part skips the steps that find nothing in a rule.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from numba.core.compiler import DefaultPassBuilder
from numba.core.compiler_machinery import PassManager
from numba.core.types.functions import BaseFunction

# Steps for what no rule contains: `with`, closures, comprehensions, `raise`, dead code by type, arithmetic with whole
# arrays, functions that Numba inlines itself, literals. To look for them takes a tenth of the first start.
NEEDLESS: Final = {
    "WithLifting", "InlineClosureLikes", "MakeFunctionToJitFunction", "RewriteDynamicRaises", "DeadBranchPrune",
    "RewriteSemanticConstants", "NopythonRewrites", "InlineInlinables", "InlineOverloads", "FindLiterallyCalls",
    "LiteralUnroll", "LiteralPropagationSubPipelinePass", "NoPythonSupportedFeatureValidation", "DumpParforDiagnostics",
}  # fmt: skip
_try_each = BaseFunction.get_call_type


def steps(state: Any) -> list[PassManager]:
    """Numba's steps of compiling a function, without the needless ones."""
    usual = DefaultPassBuilder.define_nopython_pipeline(state)  # type: ignore[no-untyped-call]  # Numba's own lack
    manager = PassManager("rule")  # type: ignore[no-untyped-call]
    for step, purpose in usual.passes:
        if step.__name__ not in NEEDLESS:
            manager.add_pass(step, purpose)  # type: ignore[no-untyped-call]
    manager.finalize()  # type: ignore[no-untyped-call]
    return [manager]


@cache
def _signature(function: Any, typing: Any, arguments: tuple[Any, ...]) -> Any:
    """The signature by which one of Numba's functions takes these arguments."""
    return _try_each(function, typing, arguments, {})


def _remembered_signature(function: Any, typing: Any, arguments: Any, named: Any) -> Any:
    """The signature by which one of Numba's functions takes these arguments, worked out once for each kind of them.

    Numba tries all versions of an operator each time it reads one or writes its code: 9,600 times for 760 kinds of
    arguments, which takes an eighth of the first start.
    """
    if named:
        return _try_each(function, typing, arguments, named)
    return _signature(function, typing, tuple(arguments))


BaseFunction.get_call_type = _remembered_signature  # type: ignore[assignment, method-assign]

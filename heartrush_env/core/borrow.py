"""Arrays that somebody else keeps alive.

Numba counts the references to an array at every call that it is handed to, with an instruction that all threads have to
wait for. An entry point whose caller holds the arrays anyway borrows them, and nothing is counted.
"""

from __future__ import annotations

from typing import Any

from llvmlite.ir import Constant
from numba.core import config
from numba.extending import intrinsic


def _borrow(typing: Any, array: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        borrowed = context.make_array(array)(context, builder, arguments[0])
        borrowed.meminfo = Constant(borrowed.meminfo.type, None)
        borrowed.parent = Constant(borrowed.parent.type, None)
        return borrowed._getvalue()  # noqa: SLF001  # Numba's own door

    return array(array), code


def _the_same(array: Any) -> Any:
    return array


# The same array without the count of its references, for as long as the caller holds it.
borrow: Any = _the_same if config.DISABLE_JIT else intrinsic(_borrow)  # type: ignore[attr-defined]

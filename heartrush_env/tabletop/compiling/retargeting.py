"""Machine code for other machines: the closed module of a kernel that was compiled here, emitted for a target.

Numba compiles a kernel for the processor that runs it. The closed module of the kernel calls nothing outside itself, so
the same module becomes an object file for any target that LLVM knows, once its text names that target.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from llvmlite import binding as llvm

from heartrush_env.tabletop.compiling.closing import close_module
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.kernels import Kernel, Kind

OWN_PROCESSOR: Final = re.compile(r' ?"(target-cpu|target-features|tune-cpu|probe-stack)"="[^"]*"')


class Target(NamedTuple):
    """A kind of machine, in LLVM's words."""

    triple: str
    processor: str = ""
    features: str = ""
    relocation: str = "default"

    def machine(self) -> Any:
        """Return LLVM's target machine, which emits code."""
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        try:
            target = llvm.Target.from_triple(self.triple)
        except RuntimeError:
            found = ".".join(map(str, llvm.llvm_version_info))
            raise HeartRushError(f"{self.triple}: expected LLVM with this target, got LLVM {found} without.") from None
        return target.create_target_machine(
            cpu=self.processor, features=self.features, opt=3, reloc=self.relocation, codemodel="default"
        )


WASM: Final = Target("wasm32-unknown-unknown", features="+bulk-memory,+simd128,+sign-ext,+nontrapping-fptoint")


def closed_kernel(kernel: Kernel, kinds: Sequence[Kind], program: Any = None) -> Any:
    """Return the closed module of a kernel for these argument kinds, which exports the kernel under its symbol.

    Args:
        kernel: The kernel.
        kinds: The argument kinds.
        program: Numba's result of compiling the kernel for them; by default it is loaded from disk or compiled here.
    """
    symbol = kernel.symbol(kinds)
    if program is None:
        from heartrush_env.tabletop.compiling import jit  # only here, because builds import Numba late

        program = jit.compiled_kernel(kernel.function, symbol, kinds, kernel.sources, keep=True)
    return close_module(program, symbol)


def retarget(text: str, target: Target, machine: Any) -> Any:
    """Return the LLVM module of a text that was made for this processor, for the machine of a target instead."""
    text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{machine.target_data}"', text, flags=re.MULTILINE)
    text = re.sub(r"^target triple = .*$", f'target triple = "{target.triple}"', text, flags=re.MULTILINE)
    module = llvm.parse_assembly(OWN_PROCESSOR.sub("", text))
    module.verify()
    return module


def object_for(module: Any, target: Target) -> bytes:
    """Return the object file of a closed module for a target; it exports what the module exports."""
    machine = target.machine()
    emitted: bytes = machine.emit_object(retarget(str(module), target, machine))
    return emitted

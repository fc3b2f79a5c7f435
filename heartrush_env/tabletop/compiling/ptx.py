"""Kernels for GPUs: the module of a compiled kernel, emitted as PTX, the assembly language of NVIDIA's driver.

On a GPU each thread plays one slot. The thread copies the words of the kernel's arguments, shortens the list of slots
to its own slot, and calls the kernel. The kernel comes from the module that the processor runs, so all results are
equal to the processor's, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from llvmlite import binding as llvm

from heartrush_env.tabletop.compiling.retargeting import Target, closed_kernel, retarget
from heartrush_env.tabletop.device.device import ENTRY, DeviceError
from heartrush_env.tabletop.kernels import WORD, Kernel, Kind

GPU: Final = Target("nvptx64-nvidia-cuda", "sm_80", "+ptx80")  # the oldest GPU architecture that the code runs on
OLDEST_LLVM: Final = (20, 0, 0)  # earlier versions have pointers with types, and no calling convention for entries
REGISTERS: Final = 64  # that a thread may use; with more, fewer threads run at once
# Patterns of the text and what replaces them: comments go, and labels are numbered within their function alone.
SHORTER: Final = {r"[ \t]*//.*": "", r"\n\s*\n": "\n", r"\$L__BB\d+_": "$L"}
MOVING: Final = ("slots", "numbers")  # a kernel's parameters of which each thread takes its own item

# The part of the entry that GPUs and the processor share: it calls the kernel for the slot at place `k` of the list.
ONE_SLOT: Final = """
define internal void @play_one_slot(ptr %given, i64 %k) {{
  %words = alloca [{words} x i64], align 8
  %result = alloca i64, align 8
  %fault = alloca i64, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %words, ptr align 8 %given, i64 {size}, i1 false)
  %bytes = shl i64 %k, 3
{moves}
  %address = ptrtoint ptr %words to i64
  %status = call i32 @{symbol}(ptr %result, ptr %fault, i64 %address)
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %fail, label %end
fail:
  call void @llvm.trap()
  unreachable
end:
  ret void
}}
"""
MOVE: Final = """
  %place_{name} = getelementptr i64, ptr %words, i64 {place}
  %first_{name} = load i64, ptr %place_{name}, align 8
  %own_{name} = add i64 %first_{name}, %bytes
  store i64 %own_{name}, ptr %place_{name}, align 8
  %length_{name} = getelementptr i64, ptr %words, i64 {length}
  store i64 1, ptr %length_{name}, align 8
"""
OF_THREAD: Final = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @{entry}(ptr %given, i64 %slots) {{
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %wide_thread = zext i32 %thread to i64
  %wide_width = zext i32 %width to i64
  %wide_block = zext i32 %block to i64
  %first = mul i64 %wide_block, %wide_width
  %k = add i64 %first, %wide_thread
  %is_mine = icmp ult i64 %k, %slots
  br i1 %is_mine, label %play, label %done
play:
  call void @play_one_slot(ptr %given, i64 %k)
  br label %done
done:
  ret void
}}
"""
ON_PROCESSOR: Final = """
define void @{entry}(ptr %given, i64 %k) {{
  call void @play_one_slot(ptr %given, i64 %k)
  ret void
}}
"""
DECLARED: Final = {  # what the entries call, by name
    "llvm.memcpy.p0.p0.i64": "declare void @llvm.memcpy.p0.p0.i64(ptr noalias, ptr noalias, i64, i1 immarg)",
    "llvm.trap": "declare void @llvm.trap()",
}


def has_ptx(kernel: Kernel) -> bool:
    """Return whether a GPU plays a kernel, which then takes slots and autoreset, and LLVM can make its PTX."""
    return {"slots", "autoreset"} <= set(kernel.parameters) and llvm.llvm_version_info >= OLDEST_LLVM


def ptx_of(kernel: Kernel, kinds: Sequence[Kind], program: Any = None) -> str:
    """Return the PTX of a kernel for these argument kinds; its entry takes the address of the words and a number.

    Args:
        kernel: The kernel.
        kinds: The argument kinds.
        program: Numba's result of compiling the kernel for them; by default it is loaded from disk or compiled here.
    """
    if llvm.llvm_version_info < OLDEST_LLVM:
        found = ".".join(map(str, llvm.llvm_version_info))
        raise DeviceError(
            f"{kernel.name}: expected LLVM 20 or newer, which Numba 0.62 has, to compile it for a GPU, got {found}."
        )
    machine = GPU.machine()
    emitted: str = machine.emit_assembly(retarget(_with_entry(kernel, kinds, OF_THREAD, program), GPU, machine))
    for pattern, short in SHORTER.items():
        emitted = re.sub(pattern, short, emitted)
    first, entry, rest = emitted.partition(f".entry {ENTRY.decode()}(")
    return first + entry + rest.replace(")", f")\n.maxnreg {REGISTERS}", 1)


def module_for_processor(kernel: Kernel, kinds: Sequence[Kind]) -> str:
    """Return the LLVM text of the kernel with an entry that plays slot number `k`, for a processor: for tests."""
    return _with_entry(kernel, kinds, ON_PROCESSOR)


def _with_entry(kernel: Kernel, kinds: Sequence[Kind], entry: str, program: Any = None) -> str:
    """Return the text of the kernel's closed module with a further entry, from which alone it can be called."""
    symbol, module = kernel.symbol(kinds), closed_kernel(kernel, kinds, program)
    module.get_function(symbol).linkage = llvm.Linkage.internal
    defined = [function for function in module.functions if not function.is_declaration and function.name != symbol]
    for number, function in enumerate(defined):
        function.name = f"part_{number}"  # Numba's names are half of the text
    lines = str(module).splitlines()
    words, moves = 0, []
    for name, kind in zip(kernel.parameters, kinds, strict=True):
        if name in MOVING:
            moves.append(MOVE.format(name=name, place=words, length=words + 1))
        words += 1 if kind is None else 1 + kind[1]
    one = ONE_SLOT.format(words=words, size=words * WORD, moves="".join(moves), symbol=symbol)
    declared = [line for line in lines if line.startswith("declare")]
    missing = [DECLARED[name] for name in DECLARED if not any(f"@{name}(" in line for line in declared)]
    return "\n".join([*lines, *missing, one, entry.format(entry=ENTRY.decode())])

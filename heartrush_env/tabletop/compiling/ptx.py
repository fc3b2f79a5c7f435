"""Kernels for GPUs: the module of a compiled kernel, emitted as PTX, the assembly language of NVIDIA's driver.

On a GPU each thread plays one slot. The thread copies the words of the kernel's arguments, shortens the list of slots
to its own slot, and calls the kernel. That is the kernel of the processor in every instruction, so all results are
equal to the processor's, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from llvmlite import binding as llvm

from heartrush_env.tabletop.compiling import jit
from heartrush_env.tabletop.compiling.building import close_module
from heartrush_env.tabletop.device.kept import ENTRY
from heartrush_env.tabletop.kernels import Kernel, Kind

TRIPLE: Final = "nvptx64-nvidia-cuda"
OLDEST: Final = "sm_80"  # the oldest GPU architecture that the code runs on
FEATURES: Final = "+ptx80"
WORD: Final = 8  # bytes
MOVING: Final = ("slots", "numbers")  # a kernel's parameters of which each thread takes its own item

# The part of the entry that GPUs and the processor share: it calls the kernel for the slot at place `k` of the list.
ONE_SLOT: Final = """
define internal void @play_one_slot(ptr %given, i64 %k) {{
  %words = alloca [{words} x i64], align 8
  %result = alloca i64, align 8
  %fault = alloca i64, align 8
{room}  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %words, ptr align 8 %given, i64 {size}, i1 false)
  %bytes = shl i64 %k, 3
{moves}
  %list = load i64, ptr %place_slots, align 8
  %item = inttoptr i64 %list to ptr
  %slot = load i64, ptr %item, align 8
{brought}
  %address = ptrtoint ptr %words to i64
  %status = call i32 @{symbol}(ptr %result, ptr %fault, i64 %address)
{returned}
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
# A GPU interleaves the stacks of neighbouring threads, so that they read one field of their fights in one access. A
# thread therefore plays on a copy of its slot on its stack.
BRING: Final = """
  %where_{name} = getelementptr i64, ptr %words, i64 {place}
  %all_{name} = load i64, ptr %where_{name}, align 8
  %skipped_{name} = mul i64 %slot, {size}
  %there_{name} = add i64 %all_{name}, %skipped_{name}
  %outer_{name} = inttoptr i64 %there_{name} to ptr
  call void @copy_{wide}(ptr %inner_{name}, ptr %outer_{name}, i64 {steps})
  %here_{name} = ptrtoint ptr %inner_{name} to i64
  %shown_{name} = sub i64 %here_{name}, %skipped_{name}
  store i64 %shown_{name}, ptr %where_{name}, align 8
"""
RETURN: Final = """
  call void @copy_{wide}(ptr %outer_{name}, ptr %inner_{name}, i64 {steps})
"""
ROOM: Final = "  %inner_{name} = alloca [{size} x i8], align 16\n"
COPY_WIDE: Final = """
define internal void @copy_{wide}(ptr %to, ptr %from, i64 %steps) noinline {{
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %source = getelementptr {kind}, ptr %from, i64 %i
  %target = getelementptr {kind}, ptr %to, i64 %i
  %value = load {kind}, ptr %source, align {wide}
  store {kind} %value, ptr %target, align {wide}
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %steps
  br i1 %more, label %loop, label %done
done:
  ret void
}}
"""
KINDS: Final = {16: "<4 x i32>", 8: "i64", 4: "i32", 2: "i16", 1: "i8"}

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
COPY: Final = "declare void @llvm.memcpy.p0.p0.i64(ptr noalias, ptr noalias, i64, i1 immarg)"


def ptx_of(kernel: Kernel, kinds: Sequence[Kind], local: Mapping[str, int] = MappingProxyType({})) -> str:
    """Return the PTX of a kernel for these argument kinds; its entry takes the address of the words and a number."""
    target = llvm_target(TRIPLE)
    machine = target.create_target_machine(cpu=OLDEST, features=FEATURES, opt=3)
    text = _retargeted(_with_entry(kernel, kinds, OF_THREAD, local), str(machine.target_data), TRIPLE)
    module = llvm.parse_assembly(text)
    module.verify()
    emitted: str = machine.emit_assembly(module)
    return emitted


def module_for_processor(kernel: Kernel, kinds: Sequence[Kind], local: Mapping[str, int] = MappingProxyType({})) -> str:
    """Return the LLVM text of the kernel with an entry that plays slot number `k`, for a processor: for tests."""
    return _with_entry(kernel, kinds, ON_PROCESSOR, local)


def llvm_target(triple: str) -> Any:
    """Return LLVM's target for a triple."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(triple)


def _with_entry(kernel: Kernel, kinds: Sequence[Kind], entry: str, local: Mapping[str, int]) -> str:
    """Return the text of the kernel's closed module with a further entry, from which alone it can be called."""
    symbol = kernel.symbol(kinds)
    program = jit.compiled_kernel(kernel.function, symbol, kinds, kernel.sources)
    module = close_module(program, symbol)
    module.get_function(symbol).linkage = llvm.Linkage.internal
    defined = [function for function in module.functions if not function.is_declaration and function.name != symbol]
    for number, function in enumerate(defined):
        function.name = f"part_{number}"  # Numba's names are half of the text
    lines = [line for line in str(module).splitlines() if "@llvm.prefetch" not in line]
    words, moves, room, brought, returned, wides = 0, [], "", "", "", set()
    for name, kind in zip(kernel.parameters, kinds, strict=True):
        if name in MOVING:
            moves.append(MOVE.format(name=name, place=words, length=words + 1))
        if name in local:
            size = local[name]
            wide = next(step for step in KINDS if size % step == 0)
            wides.add(wide)
            facts = {"name": name, "place": words, "size": size, "wide": wide, "steps": size // wide}
            room, brought = room + ROOM.format(**facts), brought + BRING.format(**facts)
            returned += RETURN.format(**facts)
        words += 1 if kind is None else 1 + kind[1]
    one = ONE_SLOT.format(
        words=words,
        size=words * WORD,
        moves="".join(moves),
        symbol=symbol,
        room=room,
        brought=brought,
        returned=returned,
    )
    one += "".join(COPY_WIDE.format(wide=wide, kind=KINDS[wide]) for wide in wides)
    copy = "" if any("@llvm.memcpy.p0.p0.i64(" in line and line.startswith("declare") for line in lines) else COPY
    return "\n".join([*lines, copy, one, entry.format(entry=ENTRY.decode())])


def _retargeted(text: str, layout: str, triple: str) -> str:
    """Return the text of a module for another machine: its data layout and triple, and no features of a processor."""
    text = re.sub(r'^target datalayout = ".*"$', f'target datalayout = "{layout}"', text, flags=re.MULTILINE)
    text = re.sub(r'^target triple = ".*"$', f'target triple = "{triple}"', text, flags=re.MULTILINE)
    return re.sub(r' ?"(target-cpu|target-features|tune-cpu|probe-stack)"="[^"]*"', "", text)

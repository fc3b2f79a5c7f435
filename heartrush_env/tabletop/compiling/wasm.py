"""WebAssembly: the closed modules of kernels as one module, which imports nothing and exports its memory.

The object file that LLVM emits is nearly such a module. It calls nothing outside itself, and its data already has
addresses, so there is nothing to link. The memory, the stack and the table of functions that an object file imports
are defined here instead, and the kernels are exported. The format: https://webassembly.github.io/spec/core/binary
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from llvmlite import binding as llvm

from heartrush_env.tabletop.compiling.closing import join_modules
from heartrush_env.tabletop.errors import HeartRushError

EMITS: Final = """
import sys
from llvmlite import binding as llvm
from heartrush_env.tabletop.compiling.retargeting import WASM, object_for
sys.stdout.buffer.write(object_for(llvm.parse_assembly(sys.stdin.buffer.read().decode()), WASM))
"""  # reads a module's text and writes its object file
HEAD: Final = b"\0asm\1\0\0\0"
STACK: Final = 1 << 20  # bytes
PAGE: Final = 1 << 16  # bytes, in which memory is measured
IDENTITY: Final = "identity"  # the name of the section that holds a digest of the others
# The numbers of sections, in the order in which a module has them; sections with number 0 have names.
NAMED, TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, CODE, DATA = *range(8), 10, 11
ORDER: Final = (TYPE, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, 9, CODE, DATA)
ABORTED: Final = (3, 0xC0000409)  # the exit codes of processes on Windows that end themselves
OF_FUNCTION, OF_TABLE, OF_MEMORY, OF_GLOBAL = range(4)  # kinds of imports and exports
# The one function that LLVM calls for what the machine lacks: it multiplies numbers of 128 bits.
MULTIPLY: Final = """
define hidden i128 @__multi3(i128 %a, i128 %b) {
  %a_shifted = lshr i128 %a, 64
  %b_shifted = lshr i128 %b, 64
  %a_low = trunc i128 %a to i64
  %b_low = trunc i128 %b to i64
  %a_high = trunc i128 %a_shifted to i64
  %b_high = trunc i128 %b_shifted to i64
  %a0 = and i64 %a_low, 4294967295
  %b0 = and i64 %b_low, 4294967295
  %a1 = lshr i64 %a_low, 32
  %b1 = lshr i64 %b_low, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %carry = lshr i64 %p00, 32
  %p01_low = and i64 %p01, 4294967295
  %p10_low = and i64 %p10, 4294967295
  %sum = add i64 %carry, %p01_low
  %middle = add i64 %sum, %p10_low
  %low_part = and i64 %p00, 4294967295
  %low_rest = shl i64 %middle, 32
  %low = or i64 %low_part, %low_rest
  %p01_high = lshr i64 %p01, 32
  %p10_high = lshr i64 %p10, 32
  %middle_high = lshr i64 %middle, 32
  %h1 = add i64 %p11, %p01_high
  %h2 = add i64 %h1, %p10_high
  %h3 = add i64 %h2, %middle_high
  %cross = mul i64 %a_low, %b_high
  %other_cross = mul i64 %a_high, %b_low
  %h4 = add i64 %h3, %cross
  %high = add i64 %h4, %other_cross
  %wide_low = zext i64 %low to i128
  %wide_high = zext i64 %high to i128
  %placed = shl i128 %wide_high, 64
  %product = or i128 %placed, %wide_low
  ret i128 %product
}
"""
LINKED: Final = ("__linear_memory", "__stack_pointer", "__indirect_function_table")  # what linkers define
RELOCATED: Final = 5  # bytes of a number that a linker may change, however small it is
# Kinds of such numbers: those with a sign, and those that are followed by a second number in "reloc.CODE".
SIGNED, WITH_ADDEND = (1, 4), (3, 4)
# Memory is zero at first, so data is written without its longer runs of zeros; a piece of data takes 8 bytes more.
FILLED: Final = re.compile(rb"[^\0](?:\0{0,15}[^\0])*")
# In the section "linking": the number of the table of symbols, two further kinds of symbols, and flags.
SYMBOLS, OF_DATA, OF_SECTION, UNDEFINED, RENAMED = 8, 1, 3, 0x10, 0x40


def wasm_of(modules: Iterable[Any], symbols: Sequence[str]) -> bytes:
    """Return the WebAssembly module of closed LLVM modules, which exports these symbols.

    It also exports `memory` and `heap`, the first address that is free.
    """
    return complete(_emitted(str(join_modules(modules, MULTIPLY))), symbols)


def _emitted(text: str) -> bytes:
    """Return the object file of a module's text; a process of its own emits it, because LLVM ends one if it fails."""
    found = subprocess.run([sys.executable, "-c", EMITS], input=text.encode(), capture_output=True, check=False)
    if found.returncode < 0 or (sys.platform == "win32" and found.returncode in ABORTED):
        number = llvm.llvm_version_info[0]
        raise HeartRushError(f"WebAssembly: expected kernels that LLVM {number} can write, got one at which it stops.")
    if found.returncode:
        lines = found.stderr.decode(errors="replace").strip().splitlines()
        reason = lines[-1].rstrip(".") if lines else f"the exit code {found.returncode}"
        raise HeartRushError(f"WebAssembly: expected an object file of the kernels, got {reason}.")
    return found.stdout


def complete(code: bytes, symbols: Sequence[str]) -> bytes:
    """Return the module of an object file that imports only what linkers define."""
    found = list(_sections(code))
    sections = {number: body for number, _, body in found if number != NAMED}
    named = {name: body for number, name, body in found if number == NAMED}
    places = _functions(named["linking"])
    imports = _imports(sections.pop(IMPORT, b"\0"))
    if strange := [name for name in imports if name not in LINKED] + [name for name in symbols if name not in places]:
        raise HeartRushError(f"WebAssembly: expected kernels that need nothing else, got {strange[0]}.")
    data = list(_data(sections.get(DATA, b"\0")))
    heap = -(-max((address + len(content) for address, content in data), default=0) // 16) * 16 + STACK
    if "__indirect_function_table" in imports:
        sections[TABLE] = _list([imports["__indirect_function_table"]])
    sections[MEMORY] = _list([b"\0" + _number(-(-heap // PAGE))])
    sections[GLOBAL] = _list([_global(heap, changes=True), _global(heap, changes=False)])  # the stack grows downwards
    exports = [("memory", OF_MEMORY, 0), ("heap", OF_GLOBAL, 1)]
    exports += [(symbol, OF_FUNCTION, places[symbol]) for symbol in symbols]
    sections[EXPORT] = _list([_name(name) + bytes([kind]) + _number(place) for name, kind, place in exports])
    sections[CODE] = _shortened(sections[CODE], named.get("reloc.CODE", b"\0\0"))
    sections[DATA] = _list([_piece(address, content) for address, content in _filled(data)])
    written = b"".join(_section(number, sections[number]) for number in ORDER if number in sections)
    return HEAD + written + _section(NAMED, _name(IDENTITY) + hashlib.sha256(written).hexdigest()[:32].encode())


def identity(module: bytes) -> str:
    """Return the digest that identifies a module."""
    return next(body for _, name, body in _sections(module) if name == IDENTITY).decode()


def heap(module: bytes) -> int:
    """Return the first free address of a module's memory."""
    reader = Reader(next(body for number, _, body in _sections(module) if number == GLOBAL))
    reader.number()
    for _ in range(2):  # that of the stack, and the heap
        reader.take(3)
        address = reader.number()
        reader.take(1)
    return address


# -- reading -----------------------------------------------------------------------------------------------------------


class Reader:
    """Bytes, read one item after another."""

    def __init__(self, content: bytes) -> None:
        self.content, self.place = content, 0

    def take(self, size: int) -> bytes:
        """Return the next bytes."""
        self.place += size
        return self.content[self.place - size : self.place]

    def number(self) -> int:
        """Return the next number, which is not negative."""
        value, shift, byte = 0, 0, 0x80
        while byte & 0x80:
            (byte,) = self.take(1)
            value |= (byte & 0x7F) << shift
            shift += 7
        return value

    def name(self) -> str:
        """Return the next name."""
        return self.take(self.number()).decode()

    def rest(self) -> bytes:
        """Return all that is left."""
        return self.take(len(self.content) - self.place)


def _sections(code: bytes) -> Iterator[tuple[int, str, bytes]]:
    """Yield the number, the name and the content of each section of a module or an object file."""
    reader = Reader(code[len(HEAD) :])
    while reader.place < len(reader.content):
        number = reader.number()
        body = Reader(reader.take(reader.number()))
        yield number, body.name() if number == NAMED else "", body.rest()


def _imports(section: bytes) -> dict[str, bytes]:
    """Return what an object file imports by name, each with its description."""
    reader, found = Reader(section), {}
    for _ in range(reader.number()):
        reader.name()
        name, (kind,), start = reader.name(), reader.take(1), reader.place
        if kind == OF_FUNCTION:
            reader.number()
        elif kind == OF_GLOBAL:
            reader.take(2)
        else:
            reader.take(kind == OF_TABLE)
            for _ in range(1 + reader.number()):  # the least size, and after the flag 1 the most
                reader.number()
        found[name] = section[start : reader.place]
    return found


def _functions(linking: bytes) -> dict[str, int]:
    """Return the number of each function that an object file defines, by its symbol."""
    reader, found = Reader(linking), {}
    reader.number()  # the version
    while reader.place < len(linking):
        number, table = reader.number(), Reader(reader.take(reader.number()))
        for _ in range(table.number() if number == SYMBOLS else 0):
            (kind,), flags = table.take(1), table.number()
            if kind == OF_DATA:
                table.name()
                for _ in range(0 if flags & UNDEFINED else 3):  # its segment, and where it is there
                    table.number()
                continue
            place = table.number()
            if kind != OF_SECTION and (not flags & UNDEFINED or flags & RENAMED):
                name = table.name()
                if kind == OF_FUNCTION and not flags & UNDEFINED:
                    found[name] = place
    return found


def _data(section: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the address and the content of each piece of an object file's data."""
    reader = Reader(section)
    for _ in range(reader.number()):
        reader.take(2)  # flags and the instruction before the address
        address = reader.number()
        reader.take(1)
        yield address, reader.take(reader.number())


def _relocations(section: bytes) -> dict[int, bool]:
    """Return where in the code are numbers that a linker may change, each with whether it has a sign."""
    reader, found = Reader(section), {}
    reader.number()  # the section that they are in
    for _ in range(reader.number()):
        (kind,), place = reader.take(1), reader.number()
        for _ in range(1 + (kind in WITH_ADDEND)):
            reader.number()
        found[place] = kind in SIGNED
    return found


# -- writing -----------------------------------------------------------------------------------------------------------


def _number(value: int) -> bytes:
    """Return a number that is not negative."""
    return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80]) + _number(value >> 7)


def _signed(value: int) -> bytes:
    """Return a number that may be negative."""
    rest = value >> 7
    if rest == -(value >> 6 & 1):  # all further bits repeat the highest one of these seven
        return bytes([value & 0x7F])
    return bytes([value & 0x7F | 0x80]) + _signed(rest)


def _sized(content: bytes) -> bytes:
    return _number(len(content)) + content


def _name(text: str) -> bytes:
    return _sized(text.encode())


def _list(items: Sequence[bytes]) -> bytes:
    return _number(len(items)) + b"".join(items)


def _section(number: int, body: bytes) -> bytes:
    return bytes([number]) + _sized(body)


def _constant(value: int) -> bytes:
    return b"\x41" + _signed(value) + b"\x0b"  # `i32.const`, the value, `end`


def _global(value: int, *, changes: bool) -> bytes:
    """Return a variable or a constant of 32 bits."""
    return bytes([0x7F, changes]) + _constant(value)


def _piece(address: int, content: bytes) -> bytes:
    """Return a piece of data at an address."""
    return b"\0" + _constant(address) + _sized(content)


def _filled(data: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield pieces of data, with their addresses, without longer runs of zeros."""
    for address, content in data:
        for found in FILLED.finditer(content):
            yield address + found.start(), found.group()


def _shortened(section: bytes, relocations: bytes) -> bytes:
    """Return the code of an object file, in which numbers that a linker may change take as few bytes as they need."""
    has_sign, reader, functions = _relocations(relocations), Reader(section), []
    places = sorted(has_sign)
    for _ in range(reader.number()):
        size = reader.number()
        start, end = reader.place, reader.place + size
        parts = []
        for place in places[bisect_left(places, start) : bisect_left(places, end)]:
            parts.append(reader.take(place - reader.place))
            number = Reader(reader.take(RELOCATED)).number()
            parts.append(_signed(number - (number >> 34 << 35)) if has_sign[place] else _number(number))
        functions.append(_sized(b"".join([*parts, reader.take(end - reader.place)])))
    return _list(functions)

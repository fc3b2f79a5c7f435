"""Kernels for other machines: object files for several, and WebAssembly modules that Node runs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.compiling import code_cache, retargeting, wasm
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.kernels import PLAIN, Kernel, kinds_of
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.sources import Sources

pytestmark = pytest.mark.skipif(PLAIN, reason="modules are made of compiled kernels")
NODE = shutil.which("node")
SOURCES = Sources(__file__, "a toy")
ADDED = np.array([3, 5, 7, 9, 11])
ALMOST_ZERO = np.repeat([0, 4, 0, 5], 100)  # each number takes 8 bytes, of which Numba keeps all


@compiled
def cube(number):
    """Return the cube of a number, and some more."""
    return number**3 + ADDED[number % 5] + ALMOST_ZERO[number % 100]


def cubes(numbers, results, added):
    """Write the cube of each number, plus a number."""
    for k in range(len(numbers)):
        results[k] = cube(numbers[k]) + added


def backwards(numbers, results, added):
    """Write the cubes of the numbers in the opposite order."""
    for k in range(len(numbers)):
        results[len(numbers) - 1 - k] = cube(numbers[k]) + added


def sums(numbers, results, added):
    """Write the sum of all numbers below each number, plus a number; LLVM multiplies 128 bits instead of adding."""
    for k in range(len(numbers)):
        total = added
        for number in range(numbers[k]):
            total += number * added
        results[k] = total


def collect(numbers, results, added):
    """Count each number in a new array, for which Numba allocates memory."""
    collected = np.zeros(len(numbers) + added, np.int64)
    for k in range(len(numbers)):
        collected[numbers[k]] += added
    results[:] = collected[: len(results)]


CUBES, BACKWARDS, SUMS, COLLECT = (Kernel(function, SOURCES) for function in (cubes, backwards, sums, collect))
KINDS = kinds_of((np.zeros(3, np.int64), np.zeros(3, np.int64), 1))
CALLS = """
import { readFileSync } from "node:fs";
const [path, given] = process.argv.slice(1);
const module = new WebAssembly.Module(readFileSync(path));
const { exports } = new WebAssembly.Instance(module);
const words = exports.heap.value, data = words + 80;
exports.memory.grow(1);
new BigInt64Array(exports.memory.buffer, words).set([0, 0, data, 3, data + 24, 3, 7].map(BigInt));
const numbers = new BigInt64Array(exports.memory.buffer, data, 6);
const results = Object.entries(JSON.parse(given)).map(([symbol, taken]) => {
  numbers.set(taken.map(BigInt));
  exports[symbol](words, words + 8, BigInt(words + 16));
  return [...numbers.slice(3)].map(String);
});
const identity = new TextDecoder().decode(WebAssembly.Module.customSections(module, "identity")[0]);
console.log(JSON.stringify({ results, identity, imports: WebAssembly.Module.imports(module) }));
"""


@pytest.mark.skipif(NODE is None, reason="node is not installed here")
def test_node_runs_a_module_of_three_kernels(tmp_path: Path) -> None:
    """By hand: 8 + 7 + 7, 27 + 9 + 7 and 64 + 11 + 7; and 7 + 7 (0 + ... + n - 1) for the sums, in 64 bits."""
    kernels, large = (CUBES, BACKWARDS, SUMS), 2**33
    symbols = [kernel.symbol(KINDS) for kernel in kernels]
    modules = [retargeting.closed_kernel(kernel, KINDS) for kernel in kernels]
    assert b"__multi3" in retargeting.object_for(modules[2], retargeting.WASM), "LLVM no longer multiplies 128 bits"
    code = wasm.wasm_of(modules, symbols)
    (tmp_path / "cubes.wasm").write_bytes(code)
    given = json.dumps(dict(zip(symbols, ([2, 3, 4], [2, 3, 4], [2, 3, large]), strict=True)))
    command = [str(NODE), "--input-type=module", "-e", CALLS, str(tmp_path / "cubes.wasm"), given]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    wrapped = (7 + 7 * (large * (large - 1) // 2) + 2**63) % 2**64 - 2**63
    assert found["results"] == [["22", "43", "82"], ["82", "43", "22"], ["14", "28", str(wrapped)]]
    assert found["identity"] == wasm.identity(code) and found["imports"] == []
    assert code.count(ADDED.tobytes().rstrip(b"\0")) == 1, "kernels share a table that both read"
    assert bytes(16) not in code, "memory that is zero at first needs no zeros"
    assert b"\x80\x80\x80\x80" not in code, "small numbers take few bytes"


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, b"\0"), (63, b"\x3f"), (64, b"\xc0\0"), (-64, b"\x40"), (-65, b"\xbf\x7f"), (-123456, b"\xc0\xbb\x78")],
)
def test_a_number_that_may_be_negative_has_the_bytes_of_its_format(value: int, written: bytes) -> None:
    """The last one is the example that Wikipedia's article on LEB128 works out."""
    assert wasm._signed(value) == written


def test_a_kernel_that_is_kept_on_disk_becomes_the_same_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(code_cache.VARIABLE, str(tmp_path))
    made: list[Any] = [retargeting.closed_kernel(CUBES, KINDS) for _ in range(2)]
    assert code_cache.USED[-1].compiled is False
    assert str(made[0]) == str(made[1])


@pytest.mark.parametrize(
    ("triple", "head"),
    [
        ("aarch64-unknown-linux-gnu", b"\x7fELF"),
        ("arm64-apple-macosx11", b"\xcf\xfa\xed\xfe"),
        ("x86_64-pc-windows-msvc", b"\x64\x86"),
    ],
)
def test_a_kernel_becomes_an_object_file_of_another_platform(triple: str, head: bytes) -> None:
    """The heads are those of ELF, Mach-O and COFF."""
    code = retargeting.object_for(retargeting.closed_kernel(CUBES, KINDS), retargeting.Target(triple, relocation="pic"))
    assert code.startswith(head)
    assert CUBES.symbol(KINDS).encode() in code


def test_a_kernel_that_allocates_memory_is_refused() -> None:
    with pytest.raises(
        HeartRushError, match=r"^collect_\w+: expected a kernel that calls nothing outside itself, got NRT_"
    ):
        retargeting.closed_kernel(COLLECT, KINDS)


def test_a_kernel_whose_target_lacks_something_is_refused() -> None:
    module = retargeting.closed_kernel(CUBES, KINDS)
    text = str(module).replace("define ", "declare i32 @getpid()\n\ndefine ", 1)
    head, start, rest = text.partition("B0:\n")
    code = retargeting.object_for(f"{head}{start}  %pid = call i32 @getpid()\n{rest}", retargeting.WASM)
    with pytest.raises(HeartRushError, match=r"^WebAssembly: expected kernels that need nothing else, got getpid\.$"):
        wasm.complete(code, [CUBES.symbol(KINDS)])


def test_kernels_at_which_llvm_ends_its_process_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wasm, "EMITS", "import os; os.abort()")
    with pytest.raises(HeartRushError, match=r"^WebAssembly: expected kernels that LLVM \d+ can write, got one at"):
        wasm.wasm_of([retargeting.closed_kernel(CUBES, KINDS)], [CUBES.symbol(KINDS)])


@pytest.mark.parametrize(
    ("program", "found"),
    [("raise MemoryError('no room.')", r"MemoryError: no room"), ("raise SystemExit(4)", r"the exit code 4")],
)
def test_other_failures_to_write_a_module_give_their_own_reason(
    monkeypatch: pytest.MonkeyPatch, program: str, found: str
) -> None:
    monkeypatch.setattr(wasm, "EMITS", program)
    with pytest.raises(HeartRushError, match=rf"^WebAssembly: expected an object file of the kernels, got {found}\.$"):
        wasm.wasm_of([retargeting.closed_kernel(CUBES, KINDS)], [CUBES.symbol(KINDS)])


@pytest.mark.parametrize("code", [3, 0xC0000409])
def test_exit_codes_of_aborted_processes_on_windows_are_known(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    done: Any = subprocess.CompletedProcess([], code, b"", b"")
    monkeypatch.setattr(subprocess, "run", lambda *arguments, **options: done)
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(HeartRushError, match="got one at which it stops"):
        wasm._emitted("")

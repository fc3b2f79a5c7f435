"""PTX: the text that GPUs run, made from the module of the processor's kernel."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from llvmlite import binding as llvm

from heartrush_env.tabletop.compiling import code_cache, ptx
from heartrush_env.tabletop.device import kept
from heartrush_env.tabletop.device.device import DeviceError
from heartrush_env.tabletop.kernels import PLAIN, Kernel, kinds_of
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.sources import Sources

pytestmark = pytest.mark.skipif(
    PLAIN or llvm.llvm_version_info < ptx.OLDEST_LLVM, reason="PTX is made of compiled kernels, by a new LLVM"
)
SOURCES = Sources(__file__, "a toy")


@compiled
def cube(number):
    """Return the cube of a number."""
    return number * number * number


def cubes(slots, numbers, results, added):
    """Write the cubes of the slots' own numbers, plus a number."""
    for k in range(len(slots)):
        results[slots[k]] = cube(numbers[k]) + added


CUBES = Kernel(cubes, SOURCES)
KINDS = kinds_of((np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64), 1))


def test_the_text_has_one_entry_and_needs_nothing_else() -> None:
    text = ptx.ptx_of(CUBES, KINDS)
    assert re.findall(r"\.entry (\w+)", text) == ["play_slot_of_thread"]
    assert ".extern" not in text
    assert ".target sm_80" in text


def test_ptxas_assembles_it(tmp_path: Path) -> None:
    assembler = shutil.which("ptxas")
    if assembler is None:
        pytest.skip("ptxas is not installed")
    (tmp_path / "cubes.ptx").write_text(ptx.ptx_of(CUBES, KINDS))
    command = [assembler, "-arch=sm_80", str(tmp_path / "cubes.ptx"), "-o", str(tmp_path / "cubes.cubin")]
    assert subprocess.run(command, capture_output=True).returncode == 0


def test_it_is_made_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(code_cache.VARIABLE, str(tmp_path))
    first = kept.ptx_of(CUBES, KINDS)
    (file,) = tmp_path.rglob("*.ptx")
    made: list[object] = []
    monkeypatch.setattr(ptx, "ptx_of", lambda *given: made.append(given) or "made again")
    assert kept.ptx_of(CUBES, KINDS) == first
    assert not made
    file.write_bytes(file.read_bytes()[:-1])  # damaged
    assert kept.ptx_of(CUBES, KINDS) == b"made again"


def test_another_emitter_makes_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(code_cache.VARIABLE, str(tmp_path))
    kept.ptx_of(CUBES, KINDS)
    monkeypatch.setattr(kept, "EMITTERS", ("device/device.py",))
    kept._emitter.cache_clear()
    try:
        kept.ptx_of(CUBES, KINDS)
    finally:
        kept._emitter.cache_clear()
    assert len(list(tmp_path.rglob("*.ptx"))) == 2


def test_a_wheel_brings_it_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text of other sources, of another emitter, or a damaged one is not used."""
    monkeypatch.setenv(code_cache.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(ptx, "ptx_of", lambda *given: "made here")
    sources = Sources(str(tmp_path / "__init__.py"), "a toy")
    vars(sources)["digest"] = "0123"
    kernel = Kernel(cubes, sources)
    symbol = kernel.symbol(KINDS)
    kept.write_texts(tmp_path, sources, {"before": "another text", symbol: "of the wheel", "after": "a third"})
    assert kept.ptx_of(kernel, KINDS) == b"of the wheel"
    text, note = tmp_path / kept.TEXTS, tmp_path / kept.NOTE
    good = note.read_text()
    for old, new in (("0123", "4567"), (kept._emitter(), "89ab"), ('"sha256"', '"sha1"'), (symbol, "lost")):
        assert old in good
        note.write_text(good.replace(old, new))
        assert kept.ptx_of(kernel, KINDS) == b"made here"
    note.write_text(good)
    text.write_bytes(text.read_bytes()[:-1] + b"X")
    assert kept.ptx_of(kernel, KINDS) == b"made here"
    text.unlink()
    assert kept.ptx_of(kernel, KINDS) == b"made here"


def test_an_old_llvm_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvm, "llvm_version_info", (15, 0, 7))
    with pytest.raises(DeviceError, match=r"cubes: expected LLVM 20 or newer, .* for a GPU, got 15\.0\.7"):
        ptx.ptx_of(CUBES, KINDS)

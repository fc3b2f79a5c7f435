"""The library of machine code: used if it fits, else refused with a reason, and equal to what Numba compiles."""

import ctypes
import json
import lzma
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from platform import machine as machine_name
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from llvmlite import binding as llvm

from heartrush_env.app.cli import warm
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.load import shipped_scenarios
from heartrush_env.tabletop import kernels, library
from heartrush_env.tabletop.claims import PACKAGE
from heartrush_env.tabletop.device import kept
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.kernels import PLAIN, Kernel, noting
from heartrush_env.tabletop.sources import Sources
from tests.outside_game import SOURCES as OUTSIDE
from tests.processes import PATIENCE, finished
from tests.tabletop import toy_library
from tests.tabletop.test_sources import play

ROOT = PACKAGE.parent
EDITIONS = ("june2025", "classic")
WITHOUT_NUMBA = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numba", "llvmlite"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
"""
compiled_only = pytest.mark.skipif(PLAIN, reason="plain Python looks for no machine code")


def process(program: str, *folders: Path, patience: float = PATIENCE, **variables: str) -> Any:
    """Run a program in a process of its own in which modules come from these folders first."""
    path = os.pathsep.join([*map(str, folders), str(ROOT), *sys.path])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0", "PYTHONPATH": path, **variables}
    command = (sys.executable, "-W", "ignore", "-c", program)
    return finished(*command, patience=patience, text=True, env=environment, cwd=folders[0])


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the toys' libraries."""
    folder = tmp_path_factory.mktemp("built")
    done = process("from pathlib import Path\nfrom tests.tabletop import toy_library\ntoy_library.main(Path())", folder)
    assert done.returncode == 0 and done.stdout.startswith("tabletop multiply_"), done.stderr
    return folder


@compiled_only
def test_each_package_has_a_library_of_its_own(built: Path, numba_asked: list[str]) -> None:
    """The note of a library contains the digest of that package's sources alone."""
    assert [path.name for path in sorted(built.iterdir())] == ["TAG", "outside_game", "tabletop"]
    for said in (OUTSIDE, toy_library.multiply.sources):
        assert said is not None
        assert json.loads((built / said.name / library.NOTE).read_text())["sources"] == said.digest
    here = Sources(str(built / "outside_game" / "__init__.py"), "the rules of Stones")
    vars(here)["digest"] = OUTSIDE.digest
    rewards = np.zeros((1, 2), np.float32)
    Kernel(toy_library.pay.function, here)(np.array([[1, 2]]), rewards)
    assert rewards.tolist() == [[3, 6]] and numba_asked == []
    assert library.library_code(toy_library.multiply.symbol([(np.dtype(np.int64), 1), None]), here) is None


@compiled_only
@pytest.mark.skipif(llvm.llvm_version_info < (20, 0, 0), reason="PTX needs a new LLVM")
def test_kernels_that_play_slots_have_ptx_beside_the_library(built: Path) -> None:
    sources, kinds = toy_library.double.sources, [(np.dtype(np.int64), 1), (np.dtype(np.int64), 1), None]
    assert sources is not None
    note = json.loads((built / "tabletop" / kept.NOTE).read_text())
    named = [name.rpartition("_")[0] for name in note["places"]]
    assert named == ["double", "spread_ends", "find_asked", "draw_actions", "choose"]
    assert note["sources"] == sources.digest
    texts = lzma.decompress((built / "tabletop" / kept.TEXTS).read_bytes())
    first, end = note["places"][toy_library.double.symbol(kinds)]
    assert texts[first:end].count(b".entry play_slot_of_thread(") == 1
    assert not (built / "outside_game" / kept.NOTE).exists()


HEADS = {  # of the file and, after it, of the kind of machine, by platform
    "linux-x86_64": ("machine_code.so", b"\x7fELF", 18, b"\x3e\0"),
    "linux-arm64": ("machine_code.so", b"\x7fELF", 18, b"\xb7\0"),
    "macos-arm64": ("machine_code.dylib", b"\xcf\xfa\xed\xfe", 4, b"\x0c\0\0\1"),
    "macos-x86_64": ("machine_code.dylib", b"\xcf\xfa\xed\xfe", 4, b"\7\0\0\1"),
    "windows-x86_64": ("machine_code.dll", b"MZ", 0, b"MZ"),
}


@compiled_only
@pytest.mark.skipif(shutil.which("lld") is None, reason="links with LLVM's linker")
@pytest.mark.skipif(llvm.llvm_version_info < (20, 0, 0), reason="another LLVM may lack a platform")
def test_one_machine_builds_the_libraries_of_all_platforms(tmp_path: Path) -> None:
    """The library for Linux on x86-64 is called here, too."""
    program = (
        f"from pathlib import Path\nfrom tests.tabletop import toy_library\ntoy_library.main(Path(), {list(HEADS)})"
    )
    done = process(program, tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(HEADS)
    for platform, (name, head, at, machine) in HEADS.items():
        content = (tmp_path / platform / "tabletop" / name).read_bytes()
        assert content.startswith(head) and content[at : at + len(machine)] == machine
        assert content.count(b"multiply_") and (tmp_path / platform / "TAG").read_text().strip()
    notes = [json.loads((tmp_path / platform / "tabletop" / library.NOTE).read_text()) for platform in HEADS]
    assert {note["processor"] for note in notes} == {"x86-64-v3", "generic", "apple-m1"}
    if sys.platform == "linux" and machine_name() == "x86_64" and library.has_instructions("x86-64-v3"):
        here = ctypes.CDLL(str(tmp_path / "linux-x86_64" / "tabletop" / "machine_code.so"))
        symbol = toy_library.multiply.symbol([(np.dtype(np.int64), 1), None])
        numbers, result = np.array([1, 2, 3]), np.zeros(2, np.int64)
        words = np.array([numbers.ctypes.data, 3, 5])
        assert library.ENTER((symbol, here))(result.ctypes.data, result[1:].ctypes.data, words.ctypes.data) == 0
        assert numbers.tolist() == [5, 10, 15]


def test_without_the_linker_the_build_for_other_platforms_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from heartrush_env.tabletop.compiling import building

    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(HeartRushError, match=r"expected LLVM's linker lld to link for other platforms"):
        building.build_libraries(tmp_path, lambda: None, ["linux-arm64"])


@pytest.fixture
def folder(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the toy's library folder, to stand for the package's own folder."""
    copy = tmp_path / "package"
    shutil.copytree(built / "tabletop", copy)
    return copy


@pytest.fixture
def toys(folder: Path) -> Sources:
    """Return the sources of the toy, as if its package were in this folder."""
    toys = Sources(str(folder / "__init__.py"), "the toys")
    assert toy_library.multiply.sources is not None
    vars(toys)["digest"] = toy_library.multiply.sources.digest
    return toys


def product(factor: int, toys: Sources) -> list[int]:
    """Return 1, 2 and 3 multiplied by a kernel that has not been called before."""
    numbers = np.array([1, 2, 3])
    Kernel(toy_library.multiply.function, toys)(numbers, factor)
    return numbers.tolist()


@pytest.fixture
def numba_asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of the kernels that Numba is asked to compile; it compiles nothing in this test."""
    asked: list[str] = []

    class Compiler:
        @staticmethod
        def compile_kernel(function: Any, symbol: str, kinds: Any, sources: Sources) -> Callable[[int, int, int], int]:
            asked.append(function.__name__)
            return lambda result, fault, words: 0

    monkeypatch.setattr(kernels, "_compiler", lambda wanted, sources: Compiler)
    return asked


@compiled_only
def test_a_library_that_fits_answers_and_numba_is_not_asked(toys: Sources, numba_asked: list[str]) -> None:
    assert product(7, toys) == [7, 14, 21] and numba_asked == []


@compiled_only
def test_a_prepared_call_reads_what_the_arrays_hold_then(toys: Sources, numba_asked: list[str]) -> None:
    numbers = np.array([1, 2, 3])
    triple = Kernel(toy_library.multiply.function, toys).prepare(numbers, 3)
    triple()
    numbers[1] = -5
    triple()
    assert numbers.tolist() == [9, -15, 27] and numba_asked == []


@compiled_only
def test_a_kernel_that_the_library_lacks_is_compiled(toys: Sources, numba_asked: list[str]) -> None:
    Kernel(toy_library.multiply.function, toys)(np.ones(3), 2)
    assert numba_asked == ["multiply"]
    assert library.why_no_library(toys) == "the library of this installation holds no such code"


@compiled_only
def test_with_bounds_checked_the_library_is_not_asked(
    toys: Sources, numba_asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "CHECKED", True)
    product(7, toys)
    assert numba_asked == ["multiply"]


def cut(folder: Path) -> None:
    path = folder / library.LIBRARY
    path.write_bytes(path.read_bytes()[:5000])


def change(folder: Path) -> None:
    path = folder / library.LIBRARY
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def link(folder: Path) -> None:
    path = folder / library.LIBRARY
    path.rename(folder.parent / "elsewhere")
    path.symlink_to(folder.parent / "elsewhere")


def note(folder: Path, **changes: str) -> None:
    path = folder / library.NOTE
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


SPOILED: dict[str, tuple[Callable[[Path], Any], str]] = {
    "gone": (lambda folder: (folder / library.LIBRARY).unlink(), "has no library"),
    "without a note": (lambda folder: (folder / library.NOTE).unlink(), "has no library"),
    "with half a note": (lambda folder: (folder / library.NOTE).write_text('{"sha256":'), "cannot be read"),
    "with another note": (lambda folder: (folder / library.NOTE).write_text("[]"), "is damaged"),
    "cut off": (cut, "is damaged"),
    "changed": (change, "is damaged"),
    "a link": (link, "is a link to another folder"),
    "of other sources": (lambda folder: note(folder, sources="0123456789abcdef"), "was made of other sources"),
}


@pytest.mark.parametrize(("spoil", "words"), SPOILED.values(), ids=SPOILED)
def test_a_library_that_does_not_fit_is_not_loaded(
    spoil: Callable[[Path], Any], words: str, toys: Sources, numba_asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(toys.folder)
    monkeypatch.setattr("ctypes.CDLL", lambda path: pytest.fail("it is loaded"))
    assert library.library_code("multiply", toys) is None and words in library.why_no_library(toys)
    product(2, toys)
    assert numba_asked == ([] if PLAIN else ["multiply"])


@pytest.mark.parametrize("older", [False, True], ids=["NumPy says it in one word", "older NumPy says it in three"])
def test_a_processor_without_the_instructions_is_spared_them(
    older: bool, toys: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    features = {"AVX2": True, "FMA3": False, "F16C": True} if older else {"X86_V3": False, "AVX2": True}
    monkeypatch.setattr(library, "import_module", lambda name: SimpleNamespace(__cpu_features__=features))
    note(toys.folder, processor="x86-64-v3")
    assert library.library_code("multiply", toys) is None
    assert "is for x86-64-v3, whose instructions this machine lacks" in library.why_no_library(toys)
    assert not library.has_instructions("x86-64-v3") and library.has_instructions("generic")
    features.update(dict.fromkeys(features, True))
    assert library.has_instructions("x86-64-v3")


def test_without_numba_and_library_a_sentence_says_how_to_get_one(tmp_path: Path) -> None:
    program = f"{WITHOUT_NUMBA}\nfrom tests.tabletop.toy_library import play\nplay()"
    said = process(program, tmp_path).stderr.splitlines()[-1]
    assert said.endswith(
        "multiply: expected machine code (this installation has no library of machine code) or numba to "
        "compile it, got neither; `pip install 'heartrush-env[jit]'` compiles the rules on the first start."
    )


def test_without_a_c_compiler_the_build_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from heartrush_env.tabletop.compiling import building

    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(HeartRushError, match=r"expected a C compiler to link it \(cc, gcc or clang"):
        building.build_libraries(tmp_path, lambda: None)


def test_an_array_with_gaps_is_refused() -> None:
    if not PLAIN:
        with pytest.raises(ValueError, match="multiply: expected a contiguous array"):
            Kernel(toy_library.multiply.function)(np.arange(6)[::2], 2)


def kernels_of(scenario: str, edition: str) -> set[str]:
    """Return the kernels, with their kinds, that a scenario needs."""
    with noting() as found:
        batch: Any = HeartRush(scenario, {"edition": edition}).batch(2, record=True)
        batch.start([0, 1], 7, [0, 1])
        batch.step(batch.masks.argmax(axis=2), autoreset=True)
        batch.restore(0, batch.snapshot(0))
        batch.state(1)
    return set(found)


@pytest.mark.long
def test_what_is_warmed_is_all_that_the_shipped_scenarios_need() -> None:
    with noting() as found:
        for part in ("fights", "maps", "classic"):
            warm.PARTS[part][1]()
    needed = {
        name for scenario in shipped_scenarios() for edition in EDITIONS for name in kernels_of(scenario, edition)
    }
    assert needed <= set(found)
    assert len(needed) >= 15  # kernels that play, show and write the state of five kinds


@pytest.mark.long
def test_the_whole_library_plays_the_same_fights_without_numba(tmp_path: Path) -> None:
    """Compare the fights, byte for byte, with those of Numba's code and of plain Python."""
    package = tmp_path / "heartrush_env"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "machine_code.*"))
    build = ("-m", "heartrush_env.app.cli.main", "machine", "warm", "--library", str(tmp_path))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0", "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    done = finished(sys.executable, "-W", "ignore", *build, patience=3 * PATIENCE, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    cases = [(scenario, edition) for scenario in ("duel", "melee", "giant", "skirmish") for edition in EDITIONS]
    program = f"""
from tests.tabletop.test_sources import play
print(*(play(scenario, 2, edition) for scenario, edition in {cases}))
"""
    loaded = "import sys\nprint('numba' in sys.modules)"
    runs = {
        "library": process(f"{WITHOUT_NUMBA}{program}{loaded}", tmp_path),
        "Numba": process(f"{program}{loaded}", ROOT),
        "plain Python": process(f"{program}{loaded}", ROOT, NUMBA_DISABLE_JIT="1"),
    }
    assert all(run.returncode == 0 for run in runs.values()), [run.stderr[-500:] for run in runs.values()]
    seen, uses_numba = zip(*(run.stdout.splitlines() for run in runs.values()), strict=True)
    assert len(set(seen)) == 1 and len(set(seen[0].split())) == len(cases)
    assert uses_numba == ("False", "True", "False")


def test_the_fights_that_are_compared_differ() -> None:
    assert play("duel", 1) != play("mirror_duel", 1)

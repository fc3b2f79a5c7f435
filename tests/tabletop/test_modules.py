"""WebAssembly modules of kernels: played by Wasmtime without a library and without Numba, or refused with a reason."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from heartrush_env.app.cli import doctor
from heartrush_env.tabletop import kernels, library, modules
from heartrush_env.tabletop.claims import PACKAGE
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.kernels import PLAIN, Kernel, NoCompiler
from heartrush_env.tabletop.sources import Sources
from tests.processes import PATIENCE
from tests.tabletop import toy_library
from tests.tabletop.test_library import ROOT, WITHOUT_NUMBA, process

pytestmark = pytest.mark.skipif(PLAIN, reason="plain Python looks for no machine code")
pytest.importorskip("wasmtime")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the toys' modules."""
    folder = tmp_path_factory.mktemp("built")
    program = "from pathlib import Path\nfrom tests.tabletop import toy_library\ntoy_library.main(Path(), ['anywhere'])"
    done = process(program, folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "anywhere" / "TAG").read_text() == "any\n"
    return folder / "anywhere" / "tabletop"


@pytest.fixture
def toys(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sources:
    """Return the sources of the toy, as if its package were in a folder with its modules, and Numba were missing."""

    def missing(wanted: str, sources: Any) -> NoReturn:
        raise NoCompiler(f"{wanted}: no Numba")

    monkeypatch.setattr(kernels, "_compiler", missing)
    shutil.copytree(built, tmp_path / "package")
    toys = Sources(str(tmp_path / "package" / "__init__.py"), "the toys")
    assert toy_library.multiply.sources is not None
    vars(toys)["digest"] = toy_library.multiply.sources.digest
    return toys


def test_a_call_reads_and_writes_what_the_arrays_hold_then(toys: Sources) -> None:
    numbers = np.array([1, 2, 3])
    triple = Kernel(toy_library.multiply.function, toys).prepare(numbers, 3)
    triple()
    numbers[1] = -5
    triple()
    assert numbers.tolist() == [9, -15, 27]


def test_two_calls_of_one_module_keep_their_arrays_apart(toys: Sources) -> None:
    multiply = Kernel(toy_library.multiply.function, toys)
    few, many = np.array([1, 2, 3]), np.arange(100_000)  # more than the memory with which the module begins
    double_few, triple_many = multiply.prepare(few, 2), multiply.prepare(many, 3)
    double_few()
    triple_many()
    double_few()
    assert few.tolist() == [4, 8, 12] and many.tolist() == list(range(0, 300_000, 3))


def test_arrays_that_are_empty_or_may_not_be_written_are_read(toys: Sources) -> None:
    double, slots, numbers = Kernel(toy_library.double.function, toys), np.array([2, 0]), np.array([1, 2, 3])
    slots.flags.writeable = False
    double(slots, numbers, True)
    double(np.zeros(0, np.int64), numbers, True)
    assert numbers.tolist() == [2, 2, 6]


def test_arrays_for_which_a_module_has_no_room_are_refused(toys: Sources) -> None:
    multiply = Kernel(toy_library.multiply.function, toys)
    large = np.lib.stride_tricks.as_strided(np.zeros(1, np.int64), (2**30,), (8,), writeable=False)
    with pytest.raises(HeartRushError, match=r"^multiply: expected at most 4 GiB of arrays for WebAssembly, got 8\.0 "):
        multiply(large, 2)
    code: Any = modules.module_code(multiply.symbol([(np.dtype(np.int64), 1), None]), toys)
    code._store.set_limits(memory_size=2 * modules.PAGE)
    with pytest.raises(HeartRushError, match=r"^multiply: expected 2 MiB of memory for a WebAssembly module, got no m"):
        code.prepare("multiply", (np.arange(100_000), 2), multiply.words)()


def test_a_kernel_that_no_module_holds_is_refused(toys: Sources) -> None:
    with pytest.raises(NoCompiler):
        Kernel(toy_library.multiply.function, toys)(np.ones(3), 2)


def test_with_bounds_checked_no_module_is_asked(toys: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "CHECKED", True)
    with pytest.raises(NoCompiler):
        Kernel(toy_library.multiply.function, toys)(np.array([1, 2, 3]), 2)


def spoil_note(folder: Path) -> None:
    path = folder / library.NOTE
    path.write_text(json.dumps({**json.loads(path.read_text()), "sources": "0123456789abcdef"}))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda folder: (folder / modules.MODULES).unlink(), "this installation has no file of WebAssembly modules"),
        (lambda folder: (folder / modules.MODULES).write_bytes(b"PK"), "the file of WebAssembly modules is damaged"),
        (spoil_note, "the file of WebAssembly modules was made of other sources"),
    ],
)
def test_modules_that_do_not_fit_are_not_run(spoil: Callable[[Path], Any], words: str, toys: Sources) -> None:
    spoil(toys.folder)
    assert modules.why_no_modules(toys) == words
    assert modules.module_code("multiply", toys) is None


def test_the_doctor_says_that_modules_are_run(toys: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "sources_of_game", lambda game: toys)
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    said = doctor._machine_code("heart_rush")
    assert said["source"] == "modules"
    assert said["words"].startswith("the WebAssembly modules of this installation, which wasmtime ")
    monkeypatch.setattr(modules, "find_spec", lambda name: None)
    assert doctor._machine_code("heart_rush")["source"] == "none"


def test_modules_without_wasmtime_say_how_to_get_it(tmp_path: Path) -> None:
    program = f"""{WITHOUT_NUMBA}
from heartrush_env.tabletop import modules
modules._modules, modules.find_spec = lambda sources: ({{}}, ""), lambda name: None
from tests.tabletop.toy_library import play
play()
"""
    said = process(program, tmp_path).stderr.splitlines()[-1]
    assert said.endswith(
        "multiply: expected machine code (this installation has no library of machine code) or numba to compile it, "
        "got neither; `pip install 'heartrush-env[wasmtime]'` runs the WebAssembly modules of this installation."
    )


@pytest.mark.long
def test_modules_play_the_public_environments_without_numba(tmp_path: Path) -> None:
    """Compare the fights, byte for byte, with those of Numba's code."""
    package = tmp_path / "heartrush_env"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "machine_code.*"))
    build = """
from pathlib import Path
from heartrush_env.app.heart_rush.warming import PARTS
from heartrush_env.tabletop.compiling.building import build_libraries
build_libraries(Path("built"), PARTS["fights"][1], ["anywhere"])
"""
    done = process(build, tmp_path, patience=3 * PATIENCE)
    assert done.returncode == 0, done.stderr
    shutil.copytree(tmp_path / "built" / "anywhere" / "heartrush_env", package, dirs_exist_ok=True)
    program = """
import sys
import numpy as np
from heartrush_env import heart_rush_v0
from tests.tabletop.test_sources import play
def vectors(threads):
    vec = heart_rush_v0.make_vec(6, "melee", seed=7, num_threads=threads)
    seen, found = vec.reset()[0], []
    for _ in range(60):
        seen = vec.step(seen["action_mask"].argmax(axis=2))[0]
        found.append(seen["observation"].tobytes())
    return hash(b"".join(found))
print(play("duel", 2), play("melee", 2), vectors(1), vectors(2))
print("numba" in sys.modules, "wasmtime" in sys.modules)
"""
    runs = [
        process(f"{hidden}\n{program}", folder, PYTHONHASHSEED="0")
        for hidden, folder in ((WITHOUT_NUMBA, tmp_path), ("", ROOT))
    ]
    assert all(run.returncode == 0 and run.stderr == "" for run in runs), [run.stderr[-500:] for run in runs]
    (by_modules, played), (by_numba, compiled) = (run.stdout.splitlines() for run in runs)
    assert by_modules == by_numba and len(set(by_modules.split())) == 3
    assert (played, compiled) == ("False True", "True False")

"""The starter kit for C plays the fights of Python. Skipped without a C compiler or Wasmtime's library."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.app.cli.main import main
from heartrush_env.tabletop.registry import open_game
from tests.in_node import needs_compiled_kernels
from tests.processes import finished

ROOT = Path(__file__).resolve().parents[2]
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
pytestmark = [needs_compiled_kernels, pytest.mark.skipif(COMPILER is None, reason="no C compiler is installed here")]
wasmtime = pytest.importorskip("wasmtime")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the compiled program, the module and the header."""
    folder = tmp_path_factory.mktemp("c")
    assert main(["machine", "wasm", str(folder), "--for", "duel", "--header"]) == 0
    libraries = list(Path(wasmtime.__file__).parent.glob("*/_libwasmtime.so"))
    if not libraries:
        pytest.skip("Wasmtime's Python package has no shared library for Linux here")
    flags = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", f"-I{folder}", f"-I{Path(__file__).parent}"]
    kit, library = ROOT / "clients" / "c" / "duel.c", libraries[0]
    done = finished(
        str(COMPILER),
        *flags,
        str(kit),
        str(library),
        f"-Wl,-rpath,{library.parent}",
        "-o",
        str(folder / "duel"),
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def played(seed: int, digits: str) -> list[str]:
    """Return the lines that the program prints, of the fight that Python plays."""
    game = open_game({"scenario": "duel"})
    batch: Any = game.batch(1, record=True)
    batch.start([0], seed, [0])
    lines, left = [], list(digits)
    kinds = game.telling.data["kind"][3][2]  # type: ignore[attr-defined]
    while True:
        log = batch.logs[0]
        for event in log.events[: int(log.count)]:
            who = [game.agents[number] for number in (event.fighter, event.other) if number >= 0]
            lines.append(" ".join(map(str, [kinds[event.kind], *who, event.amount, event.before, event.after])))
        if batch.ended[0]:
            return [*lines, *(f"{agent} {paid:+g}" for agent, paid in zip(game.agents, batch.rewards[0], strict=True))]
        actions = []
        for seat, agent in enumerate(game.agents):
            legal = batch.legal(0, seat)
            actions.append(legal[min(int(left.pop(0)) if left else 0, len(legal) - 1)])
            lines.append(f"{agent}: {game.action_names[actions[-1]]}")
        batch.step(np.array([actions], np.int64))


@pytest.mark.parametrize("seed", [7, 2**40])
def test_a_c_program_plays_the_fight_of_python(folder: Path, seed: int) -> None:
    digits = "".join(random.Random(seed).choice("0123456") for _ in range(400))
    done = finished(str(folder / "duel"), str(seed), digits, text=True, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines == played(seed, digits) and len(lines) > 50


def test_a_module_that_is_missing_or_another_is_refused(folder: Path, tmp_path: Path) -> None:
    said = finished(str(folder / "duel"), text=True, cwd=tmp_path)
    assert (said.returncode, said.stderr) == (1, "duel: expected the module engine.wasm in this folder.\n")
    (tmp_path / "engine.wasm").write_bytes((folder / "engine.wasm").read_bytes()[:-1] + b"-")
    said = finished(str(folder / "duel"), text=True, cwd=tmp_path)
    assert said.stderr == "duel: expected the engine.wasm that was written with duel.h.\n"


@pytest.mark.parametrize("scenario", ["duel", "bridge"])
def test_the_structures_of_a_header_have_the_sizes_of_the_records(scenario: str, tmp_path: Path) -> None:
    from heartrush_env.tabletop.portable.describing import Described
    from heartrush_env.tabletop.portable.header import header_of

    described = Described()
    described.add(scenario, open_game({"scenario": scenario}))
    (tmp_path / "fight.h").write_text(header_of(described.data("0123"), scenario, 1 << 20))
    (tmp_path / "fight.c").write_text('#include "fight.h"\nint main(void) { return 0; }\n')
    done = finished(str(COMPILER), "-c", str(tmp_path / "fight.c"), "-o", str(tmp_path / "fight.o"), text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "_Static_assert" in (tmp_path / "fight.h").read_text()

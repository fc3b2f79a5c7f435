"""Compiled code on disk: under a digest of its game's sources, found by the next process, and equal to plain Python."""

import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents.heart_rush.tactics import SOURCES as ODDS

from heartrush_env.games.heart_rush import SOURCES as HEART_RUSH
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research import SOURCES as SOLVERS
from heartrush_env.tabletop import sources
from heartrush_env.tabletop.arrays import fill
from heartrush_env.tabletop.claims import PACKAGE
from heartrush_env.tabletop.kernels import PLAIN, Kernel, kernel
from heartrush_env.tabletop.sources import Sources
from tests.architecture.layout import functions, imports_of, modules, tree
from tests.architecture.test_indices import is_compiled

ROOT = PACKAGE.parent
SMALL_QUESTION = """
import json
from heartrush_env.tabletop.compiling.code_cache import USED
from heartrush_env.games.heart_rush.engine.pools import Duel
duel = Duel()
duel.fill_pools()
print(json.dumps([int(duel.check[0].source[0]), [used.compiled for used in USED]]))
"""


def ask(program: str, **variables: str) -> str:
    """Return the last line that a Python process prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the package, and let the copy's framework count in digests."""
    copy = tmp_path / "heartrush_env"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "*.toml"))
    (copy / "games" / "chess").mkdir()
    (copy / "games" / "chess" / "__init__.py").write_text("")
    monkeypatch.setattr(sources, "FRAMEWORK", replace(sources.FRAMEWORK, file=str(copy / "tabletop" / "sources.py")))
    return copy


def digests(package: Path) -> dict[str, str]:
    """Return the digests of the copy's games and of its solvers."""
    heart_rush = replace(HEART_RUSH, file=str(package / "games" / "heart_rush" / "__init__.py"))
    chess = Sources(str(package / "games" / "chess" / "__init__.py"), "the rules of chess")
    solvers = replace(SOLVERS, file=str(package / "research" / "__init__.py"), needs=(heart_rush,))
    return {"heart_rush": heart_rush.digest, "chess": chess.digest, "solvers": solvers.digest}


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("tabletop/rng.py", {"heart_rush", "chess", "solvers"}),
        ("tabletop/choosing.py", {"heart_rush", "chess", "solvers"}),
        ("games/heart_rush/rules/dice.py", {"heart_rush", "solvers"}),
        ("games/heart_rush/rules/feats.py", {"heart_rush", "solvers"}),
        ("games/heart_rush/rules/board/squares.py", {"heart_rush", "solvers"}),
        ("games/heart_rush/kernel.py", {"heart_rush", "solvers"}),
        ("games/chess/kernel.py", {"chess"}),
        ("games/chess/words/rules.py", {"chess"}),
        ("research/zero_sum.py", {"solvers"}),
        ("games/heart_rush/data/ability_facts.toml", {"heart_rush", "solvers"}),
        ("games/heart_rush/data/scenarios/duel.toml", set()),
        ("games/heart_rush/board/ansi.py", set()),
        ("games/heart_rush/words/narrator.py", set()),
        ("games/heart_rush/scenario/load.py", set()),
        ("tabletop/validate.py", set()),
        ("envs/parallel.py", set()),
        ("app/cli/main.py", set()),
    ],
)
def test_an_edit_changes_the_digests_of_the_code_that_depends_on_it(
    package: Path, source: str, changed: set[str]
) -> None:
    """A new file counts too, and the name of a folder that one game leaves out means nothing in another game."""
    before = digests(package)
    assert digests(package) == before
    file = package / source
    file.parent.mkdir(exist_ok=True)
    file.write_text((file.read_text() if file.exists() else "") + "\n")
    after = digests(package)
    assert {name for name in before if before[name] != after[name]} == changed


def test_a_renamed_source_changes_the_digest(package: Path) -> None:
    before = digests(package)
    (package / "games" / "heart_rush" / "rules" / "dice.py").rename(
        package / "games" / "heart_rush" / "rules" / "bones.py"
    )
    assert digests(package)["heart_rush"] != before["heart_rush"]


SAID = (sources.FRAMEWORK, HEART_RUSH, SOLVERS, ODDS)


def counts(module: str) -> bool:
    """Return whether a module is among the sources of its package."""
    path = modules()[module].resolve()
    package = max((said for said in SAID if path.is_relative_to(said.folder)), key=lambda said: len(said.folder.parts))
    return package.counts(path)


@pytest.mark.long
def test_what_is_left_out_is_there_and_holds_no_compiled_function() -> None:
    for said in SAID:
        assert [name for name in said.without if not (said.folder / name).exists()] == []
    of_packages = [
        module for module, path in modules().items() if any(path.resolve().is_relative_to(s.folder) for s in SAID)
    ]
    left_out = {module for module in of_packages if not counts(module)}
    assert len(left_out) > 50
    assert {module for module, function in functions() if module in left_out and is_compiled(function)} == set()


def test_no_source_of_heart_rush_imports_what_is_left_out() -> None:
    """No constant can therefore reach a compiled function from modules that are left out."""
    game = "heartrush_env.games.heart_rush."
    counted = [module for module in modules() if module.startswith(game) and counts(module)]
    assert len(counted) > 100
    assert [
        (module, found.imported)
        for module in counted
        for found in imports_of(module)
        if found.imported.startswith(game) and found.kind == "" and not counts(found.imported)
    ] == []


def test_no_module_with_compiled_functions_takes_a_constant_from_what_is_left_out() -> None:
    compiles = {module for module, function in functions() if is_compiled(function)}
    taken = [
        (module, node.module, alias.name)
        for module in compiles
        for node in ast.walk(tree(module))
        if isinstance(node, ast.ImportFrom) and node.module in modules()
        for alias in node.names
        if alias.name.isupper() and any(modules()[node.module].resolve().is_relative_to(s.folder) for s in SAID)
        if not counts(node.module)
    ]
    assert taken == []


def test_a_package_that_says_nothing_is_counted_from_its_outermost_folder(tmp_path: Path) -> None:
    inner = tmp_path / "other" / "inner"
    inner.mkdir(parents=True)
    files = [
        tmp_path / "other" / "__init__.py", inner / "__init__.py", inner / "odds.py", tmp_path / "other" / "dice.py",
    ]  # fmt: skip
    for file in files:
        file.write_text("SIDES = 6\n")
    found = []
    for file in [tmp_path / "unrelated.py", *files]:
        file.write_text("SIDES = 8\n")
        sources._whole.cache_clear()
        said = sources.sources_of("other.inner.odds", str(files[2]))
        assert said is not None
        found.append((said.name, said.place, said.digest))
    assert {(name, place) for name, place, _ in found} == {("other", "other")}
    assert len(set(found)) == len(found) == 5


def test_the_nearest_package_that_says_its_sources_has_them() -> None:
    assert sources.sources_of("heartrush_env.games.heart_rush.engine.rounds", __file__) is HEART_RUSH
    assert sources.sources_of("heartrush_env.research.teams.kernel", __file__) is SOLVERS
    assert HEART_RUSH.place == "heartrush_env/games/heart_rush" and ODDS.place == "heartrush_agents/heart_rush/tactics"
    assert sources.sources_of("__main__", "<written look>") is None


def test_a_kernel_of_the_framework_names_its_game() -> None:
    with pytest.raises(
        TypeError, match="kernel fill: expected the sources of a game, since it is defined in the framework, got none"
    ):
        kernel(fill)
    assert Kernel(fill, HEART_RUSH).sources is HEART_RUSH


@pytest.mark.parametrize(
    ("kernel", "fields", "told"),
    [
        ("play_slots", {"n"}, ("", 15.0)),
        ("play_slots_compact", {"n", "cells"}, ("for maps", 32.0)),
        ("play_slots", {"hooks", "cells"}, ("for abilities and maps", 48.0)),
        ("write_state", {"hooks"}, ("for abilities", 0.0)),
    ],
)
def test_heart_rush_says_what_a_kernel_is_for(kernel: str, fields: set[str], told: tuple[str, float]) -> None:
    assert HEART_RUSH.tells(kernel, fields) == told and HEART_RUSH.compiles == "the rules of Heart Rush"


# -- code on disk ------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_next_process_compiles_nothing(tmp_path: Path) -> None:
    variables = {"HEARTRUSH_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    answer, compiled = json.loads(ask(SMALL_QUESTION, **variables))
    assert compiled == [True]
    written = listing(tmp_path)
    assert written and {path.parent.name for path in written} == {f"heart_rush-{HEART_RUSH.digest}"}
    assert json.loads(ask(SMALL_QUESTION, **variables)) == [answer, [False]]
    assert listing(tmp_path) == written


PLAY_OUTSIDE = """
import json
import numpy as np
from heartrush_env.tabletop.registry import open_game
from heartrush_env.games.heart_rush import SOURCES
from heartrush_env.tabletop.compiling.code_cache import USED
batch = open_game({"game": "stones"}).batch(1)
batch.start([0], 0, [0])
batch.step(np.array([[1, 2]]))
print(json.dumps([batch.rewards[0].tolist(), [used.compiled for used in USED], SOURCES.digest]))
"""


def test_a_game_outside_the_package_is_compiled_kept_and_compiled_again_after_an_edit(tmp_path: Path) -> None:
    """The game is registered by an entry point, as in an installed distribution."""
    shutil.copytree(ROOT / "tests" / "outside_game", tmp_path / "stones", ignore=shutil.ignore_patterns("__pycache__"))
    metadata = tmp_path / "stones-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: stones\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[heartrush_env.games]\nstones = stones.opening\n")
    variables = {
        "HEARTRUSH_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0", "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT), *sys.path]),
    }  # fmt: skip

    def played() -> list[Any]:
        rewards, compiled, digest = json.loads(ask(PLAY_OUTSIDE, **variables))
        assert digest == HEART_RUSH.digest
        return [rewards, compiled]

    assert played() == [[3.0, 6.0], [True]]
    assert played() == [[3.0, 6.0], [False]]
    words, rules = tmp_path / "stones" / "words.py", tmp_path / "stones" / "rules.py"
    words.write_text(words.read_text() + 'SUBTITLE = "A game"\n')
    assert played() == [[3.0, 6.0], [False]]
    rules.write_text(rules.read_text().replace("WORTH = 3", "WORTH = 100"))
    assert played() == [[100.0, 200.0], [True]]
    folders = [folder.name for folder in (tmp_path / "cache").iterdir()]
    assert len(folders) == 2 and all(name.startswith("stones-") for name in folders)


def listing(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return every file below a folder, with its size and its time of writing."""
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*.nb*")}


def play(scenario: str, fights: int, edition: str = "june2025") -> str:
    """Return a digest of all that is seen in some fights of random legal actions."""
    game = HeartRush(scenario, {"edition": edition})
    batch: Any = game.batch(fights, record=True)
    batch.start(range(fights), 7, range(fights))
    rng = np.random.default_rng(0)
    digest = hashlib.sha256()
    for _ in range(60):
        actions = np.where(batch.masks, rng.random(batch.masks.shape), -1.0).argmax(axis=2)
        batch.step(actions, autoreset=True)
        for array in (batch.observations, batch.masks, batch.rewards, batch.terminated, batch.truncated, batch.out):
            digest.update(array.tobytes())
        told = [batch.events(slot) for slot in range(fights)]
        digest.update(json.dumps([told, [batch.snapshot(slot) for slot in range(fights)]]).encode())
    return digest.hexdigest()


@pytest.mark.skipif(PLAIN, reason="there is nothing compiled to compare with")
@pytest.mark.parametrize("scenario", ["duel", pytest.param("giant", marks=pytest.mark.long)])
def test_plain_python_plays_the_same_fight_byte_for_byte(scenario: str) -> None:
    program = f"from tests.tabletop.test_sources import play\nprint(play({scenario!r}, 2))"
    assert ask(program, NUMBA_DISABLE_JIT="1") == play(scenario, 2)

"""Compiled code on disk: under a digest of all sources, found by the next process, and the same as plain Python."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop import sources
from heartrush_env.tabletop.kernels import PLAIN, kernel

ROOT = Path(sources.PACKAGE).parent
SMALL_QUESTION = """
import json
from heartrush_env.tabletop.compiling.code_cache import USED
from heartrush_env.games.heart_rush.engine.pools import Duel
duel = Duel()
duel.fill_pools()
print(json.dumps([int(duel.check[0].source[0]), [used.compiled for used in USED]]))
"""


def ask(program: str, **variables: str) -> str:
    """What a Python process of its own prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package's sources which the digest looks at instead."""
    copy = tmp_path / "heartrush_env"
    shutil.copytree(sources.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(sources, "PACKAGE", copy)
    return copy


def digest() -> str:
    return sources.source_digest.__wrapped__()


@pytest.mark.parametrize(
    "source",
    [
        "games/heart_rush/rules/dice.py",
        "games/heart_rush/rules/attack_rolls.py",
        "games/heart_rush/engine/rounds.py",
        "games/heart_rush/kernel.py",
    ],
)
def test_an_edited_source_changes_the_digest(package: Path, source: str) -> None:
    before = digest()
    assert before == digest()
    (package / source).write_text((package / source).read_text() + "\n")
    assert digest() != before


def test_a_new_and_a_renamed_source_change_the_digest(package: Path) -> None:
    digests = [digest()]
    (package / "games" / "heart_rush" / "rules" / "feats.py").write_text("")
    digests.append(digest())
    (package / "games" / "heart_rush" / "rules" / "feats.py").rename(
        package / "games" / "heart_rush" / "rules" / "talents.py"
    )
    digests.append(digest())
    assert len(set(digests)) == 3


@pytest.mark.parametrize("source", ["envs/parallel.py", "games/heart_rush/board/ansi.py", "app/cli/main.py"])
def test_what_holds_no_compiled_code_leaves_the_digest_alone(package: Path, source: str) -> None:
    before = digest()
    (package / source).write_text((package / source).read_text() + "\n")
    assert digest() == before


def test_machine_code_of_another_package_has_its_sources_in_its_name(tmp_path: Path) -> None:
    """The folder up to the last with an __init__, so that a constant of any module counts."""
    inner = tmp_path / "other" / "inner"
    inner.mkdir(parents=True)
    files = [
        tmp_path / "other" / "__init__.py",
        inner / "__init__.py",
        inner / "odds.py",
        tmp_path / "other" / "dice.py",
    ]
    for file in files:
        file.write_text("SIDES = 6\n")
    names = []
    for file in [tmp_path / "unrelated.py", *files]:
        file.write_text("SIDES = 8\n")
        sources.digest_elsewhere.cache_clear()
        made: Any = {}
        exec(compile("def look(pools): pass", str(files[2]), "exec"), made)
        names.append(kernel(made["look"])._symbol([]))
    assert len(set(names)) == len(names) and len(names) == 5
    assert sources.digest_elsewhere(sources.__file__) == "" == sources.digest_elsewhere("<written look>")


def test_the_next_process_compiles_nothing(tmp_path: Path) -> None:
    variables = {"HEARTRUSH_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    answer, compiled = json.loads(ask(SMALL_QUESTION, **variables))
    assert compiled == [True]
    written = listing(tmp_path)
    assert written and {path.parent.name for path in written} == {sources.source_digest()}
    assert json.loads(ask(SMALL_QUESTION, **variables)) == [answer, [False]]
    assert listing(tmp_path) == written


def listing(folder: Path) -> dict[Path, tuple[int, int]]:
    """Every file below a folder, with its size and when it was written."""
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*.nb*")}


def play(scenario: str, fights: int, edition: str = "june2025") -> str:
    """A digest of all that is seen in some fights of random legal actions."""
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

"""The starter kits are short, complete and without dependencies: conforming engines, and front ends for any engine."""

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from heartrush_env.app.conformance import conform
from heartrush_env.app.referee import Side, match
from heartrush_env.games.heart_rush.game import HeartRush
from tests.processes import finished

CLIENTS = Path(__file__).resolve().parents[2] / "clients"
MOST_LINES = 219
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed here")

PYTHON_ENGINE = [sys.executable, str(CLIENTS / "python" / "engine.py")]
NODE_ENGINE = [str(NODE), str(CLIENTS / "javascript" / "engine.mjs")]
PYTHON_FRONT_END = [sys.executable, str(CLIENTS / "python" / "front_end.py")]
NODE_FRONT_END = [str(NODE), str(CLIENTS / "javascript" / "front_end.mjs")]
FILES = sorted(path.relative_to(CLIENTS).as_posix() for path in CLIENTS.glob("*/*.*") if path.suffix != ".pyc")
LIBRARIES = {"discord/bot.py": {"discord"}}  # libraries that a kit may need
OUR_ENGINE = """
import sys
from heartrush_agents import load
from heartrush_env.app.engine import Engine, serve
serve(Engine(load("uniform")), sys.stdin.buffer, sys.stdout.buffer)
"""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a program to its end."""
    return finished(*words, encoding="utf-8")


@pytest.mark.parametrize("name", FILES)
def test_each_is_short_and_needs_nothing(name: str) -> None:
    text = (CLIENTS / name).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES and max(map(len, text.splitlines())) <= 120
    starts = (f"`{program} {Path(name).name}`" in text[:900] for program in ("node", "python"))
    assert "heartrush " in text[:900] or any(starts)
    if name.endswith(".py"):
        imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import)]
        named = {alias.name for node in imports for alias in node.names}
        named |= {node.module or "" for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)}
        assert {module.split(".")[0] for module in named} <= set(sys.stdlib_module_names) | LIBRARIES.get(name, set())
    elif name.endswith(".mjs"):
        assert all(module.startswith("node:") for module in re.findall(r'from "([^"]+)"', text))
        assert "require(" not in text


def test_each_stands_in_the_readme() -> None:
    text = (CLIENTS / "README.md").read_text(encoding="utf-8")
    assert len(FILES) > 5
    for name in FILES:
        assert f"({name})" in text


@needs_node
def test_the_node_engine_keeps_the_protocol() -> None:  # the Python one: tests/app/test_conformance.py
    report = conform(NODE_ENGINE)
    assert report.findings == [] and report.skipped == 1


@pytest.mark.parametrize(
    ("front_end", "engine"),
    [
        (PYTHON_FRONT_END, PYTHON_ENGINE),
        pytest.param(PYTHON_FRONT_END, NODE_ENGINE, marks=needs_node),
        pytest.param(NODE_FRONT_END, PYTHON_ENGINE, marks=needs_node),
        pytest.param(NODE_FRONT_END, NODE_ENGINE, marks=needs_node),
    ],
)
def test_a_front_end_drives_an_engine_through_a_series(front_end: list[str], engine: list[str]) -> None:
    done = run(*front_end, "--all", *engine)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    moments = CLIENTS.parent / "heartrush_env/protocol/transcripts/moments.jsonl"
    samples = [json.loads(line) for line in moments.read_text(encoding="utf-8").splitlines()]
    assert lines[1:-2:2] == [sample["says"] for sample in samples]
    for sample, line in zip(samples, lines[2:-2:2], strict=True):
        assert line.strip().split("  (")[0] in sample["legal"] and "(mixes: " in line
    assert lines[-2].startswith("Sealed, then opened: stance ")
    assert lines[-1] == f"All {len(samples)} moments in one batch: answered."


@pytest.mark.parametrize("front_end", [PYTHON_FRONT_END, pytest.param(NODE_FRONT_END, marks=needs_node)])
def test_a_front_end_asks_our_engine_for_one_decision(front_end: list[str]) -> None:
    done = run(*front_end, sys.executable, "-c", OUR_ENGINE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("uniform ") and len(done.stdout.splitlines()) == 3


@pytest.mark.parametrize("front_end", [PYTHON_FRONT_END, pytest.param(NODE_FRONT_END, marks=needs_node)])
@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (('"choice": choice, "policy"', '"choice": "dance", "policy"'), "which is not legal"),
        (("weight / sum(weights.values())", "weight"), "do not add up to 1"),
        (('f"{nonce}:{choice}"', 'f"{choice}"'), "opened another choice"),
        (('if kind == "hello":', 'if kind == "hello" and sys.exit():'), "left before its identity"),
        (("    if not legal or not all(", "    if all("), "refused (illegal)"),
    ],
)
def test_front_ends_trust_no_engine(tmp_path: Path, front_end: list[str], changed: tuple[str, str], words: str) -> None:
    text = Path(PYTHON_ENGINE[1]).read_text(encoding="utf-8")
    assert text.count(changed[0]) == 1
    (tmp_path / "engine.py").write_text(text.replace(*changed), encoding="utf-8")
    done = run(*front_end, "--all", sys.executable, str(tmp_path / "engine.py"))
    assert done.returncode == 1 and words in done.stderr and "Traceback" not in done.stderr


@needs_node
def test_a_node_program_and_a_python_program_play_a_refereed_match(tmp_path: Path) -> None:
    sides = Side("python", command=tuple(PYTHON_ENGINE)), Side("node", command=tuple(NODE_ENGINE))
    result = match(*sides, HeartRush("duel"), fights=4, seed=3, budget_ms=600_000, record=tmp_path)
    assert result.faults(0) == result.faults(1) == {}
    assert len(result.fights) == len(list(tmp_path.glob("*.hrr"))) == 4
    assert all(fought.winner is not None for fought in result.fights)

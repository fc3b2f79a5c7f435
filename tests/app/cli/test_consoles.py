"""Consoles that cannot show every name, and Ctrl-C while the program loads."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.processes import finished

ROOT = Path(__file__).resolve().parents[3]
NAMES = "Łukasz", "剣士"
SCENARIO = """
name = "Łódź"
victory = "first_down"
heroes = ["blue"]
[[fighter]]
from = "knight"
name = "Łukasz"
team = "blue"
[[fighter]]
from = "duelist"
name = "剣士"
team = "red"
"""
COMMANDS = {
    "fight": ["fight", "{file}", "--seed", "1"],
    "rounds": ["fight", "{file}", "--seed", "1", "--rounds"],
    "fights": ["fight", "{file}", "--seed", "1", "--fights", "2"],
    "replay": ["replay", "{record}"],
    "simulate": ["encounter", "simulate", "{file}", "-n", "4", "--processes", "1"],
    "rate": ["rate", "{file}", "--agents", "uniform,random", "--fights", "2", "--processes", "1"],
    "check": ["check", "{file}"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    (folder / "łódź.toml").write_text(SCENARIO, encoding="utf-8")
    words = ["fight", str(folder / "łódź.toml"), "--seed", "1", "--record", str(folder / "剣.hrr")]
    assert finished(sys.executable, "-m", "heartrush_env.app.cli.main", *words).returncode == 0
    return folder


@pytest.mark.parametrize(("command", "encoding"), [*((command, "ascii") for command in COMMANDS), ("fight", "cp1252")])
def test_a_console_shows_names_outside_its_code_page_by_escapes(command: str, encoding: str, folder: Path) -> None:
    places = {"file": str(folder / "łódź.toml"), "record": str(folder / "剣.hrr")}
    words = [word.format(**places) for word in COMMANDS[command]]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = finished(sys.executable, "-m", "heartrush_env.app.cli.main", *words, env=environment)
    shown = done.stdout.decode(encoding)
    assert b"Traceback" not in done.stderr and b"Error" not in done.stderr and done.returncode == 0
    if command in ("fight", "rounds", "replay", "simulate"):
        assert "\\u0141ukasz" in shown and "\\u5263\\u58eb" in shown
    elif command == "rate":
        assert "d\\u017a: 2 fights" in shown


def test_json_stays_json_on_any_console(folder: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    words = ["encounter", "simulate", str(folder / "łódź.toml"), "-n", "2", "--processes", "1", "--json"]
    done = finished(sys.executable, "-m", "heartrush_env.app.cli.main", *words, env=environment)
    assert json.loads(done.stdout)["scenario"] == "Łódź"


def test_an_interrupt_while_the_program_loads_ends_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "gymnasium.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(5)\n"
    )
    path = os.pathsep.join([str(tmp_path), str(ROOT), os.environ.get("PYTHONPATH", "")])
    code = "import sys; from heartrush_command import main; sys.exit(main())"
    done = finished(sys.executable, "-c", code, env={**os.environ, "PYTHONPATH": path}, encoding="utf-8")
    assert (done.returncode, done.stderr) == (130, "heartrush: interrupted while it was loading.\n")


def test_the_command_loads_nothing_before_its_guard() -> None:
    code = "import sys; known = set(sys.modules); import heartrush_command; print(*sorted(set(sys.modules) - known))"
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = finished(sys.executable, "-c", code, env={**os.environ, "PYTHONPATH": path}, encoding="utf-8")
    assert done.stdout.split() == ["heartrush_command"]

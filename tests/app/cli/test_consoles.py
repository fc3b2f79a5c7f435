"""Consoles that cannot show every name, and Ctrl-C while the program loads."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from tests.processes import environment, finished

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
    "record": ["fight", "{file}", "--seed", "1", "--record", "{record}"],
    "fight": ["fight", "{file}", "--seed", "1"],
    "rounds": ["fight", "{file}", "--seed", "1", "--rounds"],
    "fights": ["fight", "{file}", "--seed", "1", "--fights", "2"],
    "replay": ["replay", "{record}"],
    "simulate": ["encounter", "simulate", "{file}", "-n", "4", "--processes", "1"],
    "rate": ["rate", "{file}", "--agents", "uniform,random", "--fights", "2", "--processes", "1"],
    "check": ["check", "{file}"],
    "json": ["encounter", "simulate", "{file}", "-n", "2", "--processes", "1", "--json"],
}


RUN_ALL = """
import json, sys
from heartrush_env.app.cli.main import main
for words in json.loads(sys.argv[1]):
    code = main(words)
    print(f"> {code}", flush=True)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    (folder / "łódź.toml").write_text(SCENARIO, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def in_ascii(folder: Path) -> dict[str, str]:
    """What each command shows on a console that knows ASCII alone; one process runs them all, to load once."""
    return shown_by(COMMANDS, "ascii", folder)


def shown_by(commands: dict[str, list[str]], encoding: str, folder: Path) -> dict[str, str]:
    places = {"file": str(folder / "łódź.toml"), "record": str(folder / "剣.hrr")}
    words = json.dumps([[word.format(**places) for word in command] for command in commands.values()])
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = finished(sys.executable, "-c", RUN_ALL, words, env=environment)
    assert b"Traceback" not in done.stderr and b"Error" not in done.stderr and done.returncode == 0
    *shown, rest = re.split(r"^> 0\r?\n", done.stdout.decode(encoding), flags=re.MULTILINE)
    assert len(shown) == len(commands) and rest == ""
    return dict(zip(commands, shown, strict=True))


@pytest.mark.parametrize("command", ["fight", "rounds", "replay", "simulate"])
def test_a_console_shows_names_outside_its_code_page_by_escapes(command: str, in_ascii: dict[str, str]) -> None:
    assert "\\u0141ukasz" in in_ascii[command] and "\\u5263\\u58eb" in in_ascii[command]


def test_the_name_of_a_scenario_is_shown_by_escapes(in_ascii: dict[str, str]) -> None:
    assert "d\\u017a: 2 fights" in in_ascii["rate"]


def test_json_stays_json_on_any_console(in_ascii: dict[str, str]) -> None:
    assert json.loads(in_ascii["json"])["scenario"] == "Łódź"


def test_a_code_page_of_windows_shows_what_it_has(folder: Path) -> None:
    """It has neither letter."""
    shown = shown_by({"fight": COMMANDS["fight"]}, "cp1252", folder)["fight"]
    assert "\\u0141ukasz" in shown and "\\u5263\\u58eb" in shown


def test_an_interrupt_while_the_program_loads_ends_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "gymnasium.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(5)\n"
    )
    ours = environment()
    ours["PYTHONPATH"] = os.pathsep.join([str(tmp_path), ours["PYTHONPATH"]])
    code = "import sys; from heartrush_command import main; sys.exit(main())"
    done = finished(sys.executable, "-c", code, env=ours, encoding="utf-8")
    assert (done.returncode, done.stderr) == (130, "heartrush: interrupted while it was loading.\n")


def test_the_command_loads_nothing_before_its_guard() -> None:
    code = "import sys; known = set(sys.modules); import heartrush_command; print(*sorted(set(sys.modules) - known))"
    done = finished(sys.executable, "-c", code, env=environment(), encoding="utf-8")
    assert done.stdout.split() == ["heartrush_command"]

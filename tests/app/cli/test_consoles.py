"""Consoles that cannot show every letter of a name, interactive terminals, and Ctrl-C during loading."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from heartrush_env.app.cli.main import BAD_INPUT
from tests.app.cli.scripted import DUEL
from tests.processes import at_terminal, environment, finished

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
    """Return what each command shows on an ASCII console; one process runs all commands, so that it loads once."""
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


@pytest.mark.parametrize("command", [pytest.param("fight", marks=pytest.mark.long), "rounds", "replay", "simulate"])
def test_a_console_shows_names_outside_its_code_page_by_escapes(command: str, in_ascii: dict[str, str]) -> None:
    assert "\\u0141ukasz" in in_ascii[command] and "\\u5263\\u58eb" in in_ascii[command]


def test_the_name_of_a_scenario_is_shown_by_escapes(in_ascii: dict[str, str]) -> None:
    assert "d\\u017a: 2 fights" in in_ascii["rate"]


def test_json_stays_json_on_any_console(in_ascii: dict[str, str]) -> None:
    assert json.loads(in_ascii["json"])["scenario"] == "Łódź"


@pytest.mark.long
def test_a_code_page_of_windows_shows_what_it_has(folder: Path) -> None:
    """The code page cp1252 has none of these letters, so they are shown as escapes."""
    shown = shown_by({"fight": COMMANDS["fight"]}, "cp1252", folder)["fight"]
    assert "\\u0141ukasz" in shown and "\\u5263\\u58eb" in shown


def test_an_interrupt_while_the_program_loads_ends_in_a_sentence(tmp_path: Path) -> None:
    interrupts = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(5)\n"
    (tmp_path / "gymnasium.py").write_text(interrupts)
    ours = environment()
    ours["PYTHONPATH"] = os.pathsep.join([str(tmp_path), ours["PYTHONPATH"]])
    code = "import sys; from heartrush_command import main; sys.exit(main())"
    done = finished(sys.executable, "-c", code, env=ours, encoding="utf-8")
    assert (done.returncode, done.stderr) == (130, "heartrush: interrupted while it was loading.\n")


def test_the_command_loads_nothing_before_its_guard() -> None:
    code = "import sys; known = set(sys.modules); import heartrush_command; print(*sorted(set(sys.modules) - known))"
    done = finished(sys.executable, "-c", code, env=environment(), encoding="utf-8")
    assert done.stdout.split() == ["heartrush_command"]


# -- `heartrush play` --------------------------------------------------------------------------------------------------

NO_COLORS = [pytest.param(*each, marks=pytest.mark.long) for each in (({"NO_COLOR": "1"}, False), ({}, None))]
PROGRAM = """
import argparse, sys
from heartrush_env.app.cli import play
from heartrush_env.app.cli.command import fill
parser = argparse.ArgumentParser()
fill(parser.add_subparsers().add_parser("play"), play)
arguments = parser.parse_args(["play", *sys.argv[1:]])
sys.exit(arguments.run(arguments))
"""


def test_without_a_terminal_play_is_refused_in_a_sentence() -> None:
    """Without a terminal no person can answer; a script has to pass --scripted."""
    words = (sys.executable, "-m", "heartrush_env.app.cli.main", "play", *DUEL)
    done = finished(*words, input="c\n", text=True, env=environment())
    assert (done.returncode, done.stdout) == (BAD_INPUT, "")
    assert done.stderr == (
        "heartrush: heartrush play: expected a terminal as standard input, got another file; with "
        "--scripted it reads the answers from standard input, one per line.\n"
    )


@pytest.mark.long
def test_bytes_that_are_no_text_are_survived() -> None:
    """Play goes on after invalid bytes from a pipe, where neither input nor output is UTF-8."""
    plain = environment(LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="ascii:strict")
    typed = b"\xff\xfe\xc3\nc\n\xc3\xbc\n10\nq\ny\n"
    done = finished(sys.executable, "-c", PROGRAM, *DUEL, "--scripted", input=typed, env=plain)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"CUNNING" in done.stdout and b"You leave." in done.stdout and done.stdout.isascii()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("more", "colored"), [({"NO_COLOR": ""}, True), *NO_COLORS])
def test_at_a_terminal_the_stance_is_not_echoed(more: dict[str, str], colored: bool | None) -> None:
    """Other answers are echoed, colors are shown where they are wanted, and plain boxes on a dumb terminal."""
    kind = "dumb" if colored is None else "xterm"
    answers = [(b"while you type): ", b"cunnin\n"), (b"Your choice: ", b"shov\n"), (b"while you type): ", b"\x04")]
    look = environment(TERM=kind, COLUMNS="80", **more)
    seen = at_terminal(sys.executable, "-c", PROGRAM, *DUEL, env=look, answers=answers)
    assert b"CUNNING" in seen and b"cunnin\r" not in seen and b"shov\r" in seen
    assert b"Traceback" not in seen
    assert (b"\x1b[1;35m" in seen) == bool(colored)
    assert ("╭".encode() in seen) == (kind != "dumb")


def test_rich_is_imported_by_a_fight_and_not_before() -> None:
    program = "from heartrush_env.app.cli import play; import sys; print('rich' in sys.modules)"
    done = finished(sys.executable, "-c", program, text=True, env=environment())
    assert (done.stdout, done.stderr) == ("False\n", "")

"""What the command line says to people: mistyped words, interrupts, warnings, and help."""

from __future__ import annotations

import itertools
import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from heartrush_env.app.cli import fight
from heartrush_env.app.cli.main import FAMILIES, GROUPS, Family, main
from heartrush_env.app.heart_rush.encounters import answers
from heartrush_env.app.server.running import listen
from heartrush_env.tabletop.errors import HeartRushError

Out = pytest.CaptureFixture[str]

RATS = """
heroes = "blue"
max_rounds = 3
[[fighter]]
from = "knight"
team = "blue"
[[fighter]]
from = "giant_rat"
team = "red"
"""


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["figth", "duel"], "fight"),
        (["simulat"], "encounter simulate"),
        (["solve"], "duel solve"),
        (["fight", "duel", "--decisions", "stanc"], "stance"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_one_that_is_like_it(words: list[str], meant: str, capsys: Out) -> None:
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2 and f"did you mean {meant}" in capsys.readouterr().err


def test_a_port_in_use_names_the_option_for_another() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(HeartRushError, match=f"Port {port} of 127.0.0.1 is in use; --port takes another number"):
            listen("127.0.0.1", port)


def test_an_interrupt_shows_what_was_counted(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    whole = fight.play

    def interrupted(*words: object) -> Iterator[fight.Fight]:
        yield from itertools.islice(whole(*words), 3)
        raise KeyboardInterrupt

    monkeypatch.setattr(fight, "play", interrupted)
    assert main(["fight", "duel", "--fights", "50", "--seed", "1", "--decisions", "stance"]) == 130
    shown = capsys.readouterr()
    assert shown.out.startswith("3 fights, seed 1, ")
    assert shown.err.splitlines()[-1] == "heartrush fight: interrupted after 3 of 50 fights; the counts are of those."


class Stopped:
    """A way to play fights that Ctrl-C interrupts after some calls."""

    def __init__(self, whole: Callable[..., Any], calls: int) -> None:
        self.whole, self.calls = whole, calls

    def __call__(self, *words: Any, **more: Any) -> Any:
        self.calls -= 1
        if self.calls < 0:
            raise KeyboardInterrupt
        return self.whole(*words, **more)


@pytest.mark.parametrize("players", [["--heroes", "might"], []], ids=["one player", "a range"])
def test_an_interrupt_of_simulate_shows_what_was_counted(
    players: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    """Each player of the party is tried with one fight first, and the fourth try with two is not reached."""
    path = tmp_path / "rats.toml"
    path.write_text(RATS)
    each = 1 if players else 3
    monkeypatch.setattr(answers, "watch", Stopped(answers.watch, each + 1))
    words = ["encounter", "simulate", str(path), *players, "--monsters", "might", "--seed", "5", "--processes", "1"]
    assert main([*words, "--json"]) == 130
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert found["interrupted"]
    counts = [found["fights"]] if players else [each["fights"] for each in found["players"].values()]
    assert counts == [3, *[1] * (each - 1)], "a fight of each, and two more of the first"
    said = f"heartrush encounter simulate: interrupted after {sum(counts)} fights; the answer is of those."
    assert shown.err.splitlines()[-1] == said


def test_an_interrupt_before_each_player_has_a_fight_is_too_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    path = tmp_path / "rats.toml"
    path.write_text(RATS)
    monkeypatch.setattr(answers, "watch", Stopped(answers.watch, 1))
    assert main(["encounter", "simulate", str(path), "--monsters", "might", "--seed", "5", "--processes", "1"]) == 130
    shown = capsys.readouterr()
    assert not shown.out and shown.err.splitlines()[-1].endswith("too soon for answers.")


WALLED = """
heroes = "blue"
max_rounds = 1
[[fighter]]
from = "knight"
team = "blue"
at = [0, 0]
[[fighter]]
from = "giant_rat"
team = "red"
at = [4, 0]
[battlefield]
map = ["..#..", "..#.."]
"""


@pytest.mark.parametrize(
    "words",
    [
        ["fight", "PATH"],
        ["encounter", "simulate", "PATH", "-n", "1", "--heroes", "might", "--monsters", "might", "--processes", "1"],
    ],
)
def test_a_warning_is_given_once_and_names_the_file(
    words: list[str], tmp_path: Path, capsys: Out, plainly: None
) -> None:
    path = tmp_path / "walled.toml"
    path.write_text(WALLED)
    assert main([*(str(path) if word == "PATH" else word for word in words), "--seed", "1"]) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if "can reach no enemy" in line]
    assert len(told) == 1 and told[0].startswith(f"heartrush: {path}: ")


def test_help_groups_the_commands_by_purpose(capsys: Out) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    heads = [line for line in shown.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert heads == ["options:", *(f"{head}:" for head, _ in GROUPS), "examples:"]
    for head, modules in GROUPS:
        part = shown.split(f"\n{head}:\n")[1].split("\n\n")[0]
        listed = [line.split()[0] for line in part.splitlines() if line.startswith("  ") and line[2] != " "]
        names = [each.name if isinstance(each, Family) else short_name(each) for each in modules]
        assert set(listed) >= {"list" if name == "listings" else name for name in names}
    assert sum(len(modules) for _, modules in GROUPS) <= 20, "more commands than a person takes in at one glance"


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_family_lists_its_commands(family: Family, capsys: Out) -> None:
    with pytest.raises(SystemExit):
        main([family.name, "--help"])
    listed = capsys.readouterr().out.split("\ncommands:\n")[1]
    assert [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "] == family.parts


def test_each_command_is_in_one_group() -> None:
    grouped = [each for _, modules in GROUPS for each in modules]
    names = [name for each in grouped for name in (each.parts if isinstance(each, Family) else [short_name(each)])]
    app = Path(fight.__file__).parents[1]
    commands = [
        file.stem
        for file in (*(app / "cli").glob("*.py"), *(app / "heart_rush" / "commands").glob("*.py"))
        if file.stem not in ("main", "command") and "def add_arguments" in file.read_text(encoding="utf-8")
    ]
    assert sorted(names) == sorted(commands)


def short_name(module: ModuleType) -> str:
    """Return the name of a module without those of its packages."""
    return module.__name__.rpartition(".")[2]

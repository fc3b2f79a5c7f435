"""Messages of the command line: mistyped words, interrupts, warnings, and help."""

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.cli import fight
from heartrush_env.app.cli.arguments import with_time
from heartrush_env.app.cli.command import module_of
from heartrush_env.app.cli.main import FAMILIES, GROUPS
from heartrush_env.app.encounters import answers
from heartrush_env.tabletop.errors import HeartRushError
from tests.app.cli.running import Out, printed, run

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


def test_an_interrupt_shows_what_was_counted(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    whole = fight.play

    def interrupted(*words: object) -> Iterator[fight.Fight]:
        yield from itertools.islice(whole(*words), 3)
        raise KeyboardInterrupt

    monkeypatch.setattr(fight, "play", interrupted)
    assert run("fight duel --fights 50 --seed 1 --decisions stance") == 130
    shown = capsys.readouterr()
    assert shown.out.startswith("3 fights, seed 1, ")
    assert shown.err.splitlines()[-1] == "heartrush fight: interrupted after 3 of 50 fights; the counts are of those."


class Stopped:
    """A function that plays fights, wrapped so that Ctrl-C seems to be pressed after a number of calls."""

    def __init__(self, whole: Callable[..., Any], calls: int) -> None:
        self.whole, self.calls = whole, calls

    def __call__(self, *words: Any, **more: Any) -> Any:
        self.calls -= 1
        if self.calls < 0:
            raise KeyboardInterrupt
        return self.whole(*words, **more)


SIMULATE = "encounter simulate --monsters might --seed 5 --processes 1"


@pytest.fixture
def rats(tmp_path: Path) -> Path:
    path = tmp_path / "rats.toml"
    path.write_text(RATS)
    return path


@pytest.mark.parametrize("players", [["--heroes", "might"], []], ids=["one player", "a range"])
def test_an_interrupt_of_simulate_shows_what_was_counted(
    players: list[str], rats: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    """Every player plays one fight, and the first one two more; the call after that is interrupted."""
    each = 1 if players else 3
    monkeypatch.setattr(answers, "watch", Stopped(answers.watch, each + 1))
    assert run(SIMULATE, rats, *players, "--json") == 130
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert found["interrupted"]
    counts = [found["fights"]] if players else [each["fights"] for each in found["players"].values()]
    assert counts == [3, *[1] * (each - 1)], "a fight of each, and two more of the first"
    said = f"heartrush encounter simulate: interrupted after {sum(counts)} fights; the answer is of those."
    assert shown.err.splitlines()[-1] == said


def test_an_interrupt_before_all_have_fought_is_too_soon(
    rats: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    monkeypatch.setattr(answers, "watch", Stopped(answers.watch, 1))
    assert run(SIMULATE, rats) == 130
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
    ["fight", "encounter simulate -n 1 --heroes might --monsters might --processes 1"],
    ids=["fight", "simulate"],
)
def test_a_warning_is_given_once_and_names_the_file(words: str, tmp_path: Path, capsys: Out, plainly: None) -> None:
    path = tmp_path / "walled.toml"
    path.write_text(WALLED)
    assert run(f"{words} --seed 1", path) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if "can reach no enemy" in line]
    assert len(told) == 1 and told[0].startswith(f"heartrush: {path}: ")


def test_help_groups_the_commands_by_purpose(capsys: Out) -> None:
    shown = printed(capsys, "--help")
    heads = [line for line in shown.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert heads == ["options:", *(f"{head}:" for head in GROUPS), "examples:"]
    for head, members in GROUPS.items():
        part = shown.split(f"\n{head}:\n")[1].split("\n\n")[0]
        listed = [line.split()[0] for line in part.splitlines() if line.startswith("  ") and line[2] != " "]
        assert listed == [*members]
    assert sum(map(len, GROUPS.values())) <= 20, "more commands than a person takes in at one glance"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_lists_its_commands(family: str, capsys: Out) -> None:
    listed = printed(capsys, family, "--help").split("\ncommands:\n")[1]
    parts = [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "]
    assert parts == [*FAMILIES[family]]


def test_each_command_is_in_one_group() -> None:
    grouped = [name for members in GROUPS.values() for name in members]
    commands_of = [part for name in grouped for part in FAMILIES.get(name, [name])]
    names = [module_of(name).rpartition(".")[2] for name in commands_of]
    app = Path(fight.__file__).parents[1]
    commands = [
        file.stem
        for file in (*(app / "cli").glob("*.py"), *(app / "heart_rush" / "commands").glob("*.py"))
        if file.stem not in ("main", "command") and "def add_arguments" in file.read_text(encoding="utf-8")
    ]
    assert sorted(set(names)) == sorted(commands)
    assert {name for name in names if names.count(name) > 1} == {"exploit"}  # which is found by itself and with duels


@pytest.mark.parametrize(
    ("ids", "timed"),
    [
        (["thinker", "tactician"], ["thinker@think_ms=50", "tactician"]),
        (["exec:./engine", "thinker@trust=0"], ["exec:./engine", "thinker@trust=0,think_ms=50"]),
        (["thinker@think_ms=7", "thinker@rollouts=9"], ["thinker@think_ms=7", "thinker@rollouts=9"]),
    ],
)
def test_a_time_is_given_to_those_without_another_budget(ids: list[str], timed: list[str]) -> None:
    assert with_time(ids, 50) == timed
    assert with_time(ids, None) == ids


def test_nobody_who_thinks() -> None:
    said = "--think-ms: expected an agent that takes think_ms, such as thinker, got uniform"
    with pytest.raises(HeartRushError, match=said):
        with_time(["uniform"], 50)

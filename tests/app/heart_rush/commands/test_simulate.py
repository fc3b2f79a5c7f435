"""`heartrush encounter simulate`: the answer, sweeps, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.cli.main import main

SCENARIO = """
name = "rats"
heroes = "blue"
max_rounds = 5
[[fighter]]
from = "knight"
team = "blue"
hp = 12
[[fighter]]
id = "rat"
from = "giant_rat"
team = "red"
hp = 8
"""


@pytest.fixture
def rats(tmp_path: Path) -> str:
    path = tmp_path / "rats.toml"
    path.write_text(SCENARIO)
    return str(path)


def quick(scenario: str, *more: str) -> list[str]:
    agents = ["--heroes", "might", "--monsters", "might"]
    return ["encounter", "simulate", scenario, *agents, "-n", "4", "--processes", "1", "--seed", "5", *more]


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_an_answer_as_json_and_as_text(rats: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(quick(rats, "--json")) == 0
    found = printed(capsys)
    assert (found["scenario"], found["fights"], found["seed"], found["party"]) == ("rats", 4, 5, ["knight_0"])
    assert found["agents"] == {"blue": "might", "red": "might"}
    assert found["win"]["count"] + found["loss"]["count"] + found["draw"]["count"] == 4
    assert main(quick(rats)) == 0
    text = capsys.readouterr().out
    assert text.startswith("rats: Knight against Giant Rat\n4 fights, seed 5; all played by might;")
    assert f"the party wins        {100 * found['win']['share']:5.1f} %" in text


def test_by_default_three_players_show_the_range(rats: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The range comes first, the table of who played how many fights after it, and then one player's fights."""
    words = ["encounter", "simulate", rats, "-n", "4", "--processes", "1", "--seed", "5"]
    assert main([*words, "--json"]) == 0
    found = printed(capsys)
    agents = {name: each["agents"] for name, each in found["players"].items()}
    assert agents == {
        "beginner": {"blue": "uniform", "red": "wolf_pack"},
        "practised": {"blue": "swordmaster", "red": "wolf_pack"},
        "reader": {"blue": "commander", "red": "wolf_pack"},
    }
    wins = [each["win"]["share"] for each in found["players"].values()]
    assert found["range"] == {"low": min(wins), "high": max(wins)} and found["seconds"] is None
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "rats: Knight against Giant Rat"
    assert lines[2].startswith(
        f"The party wins {100 * min(wins):.0f} to {100 * max(wins):.0f} % of fights, depending on who"
    )
    assert [line.split("  ")[0] for line in lines[5:8]] == [
        "a beginner (uniform)",
        "a practised player (swordmaster)",
        "a reader of habits (commander)",
    ]
    assert all(" 4 " in line for line in lines[5:8]) and lines[9].startswith("The monsters are played by wolf_pack.")
    assert "The fights of a practised player (swordmaster):" in lines


def test_as_many_fights_as_fit_into_the_seconds(rats: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encounter", "simulate", rats, "--seconds", "1", "--processes", "1", "--json"]) == 0
    found = printed(capsys)
    assert found["seconds"] == 1 and all(1 < each["fights"] <= 1000 for each in found["players"].values())
    assert main(["encounter", "simulate", rats, "--heroes", "might", "--monsters", "might", "--seconds", "1"]) == 0
    assert " fights, as many as fit into about 1 s, seed " in capsys.readouterr().out


def test_a_sweep_shows_each_player(rats: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "encounter",
        "simulate",
        rats,
        "-n",
        "2",
        "--processes",
        "1",
        "--monsters",
        "might",
        "--sweep",
        "rat.hp=5,6",
        "--json",
    ]
    assert main(words) == 0
    assert [each["values"] for each in printed(capsys)] == [
        {"rat.hp": hp, "heroes": agent} for hp in (5, 6) for agent in ("uniform", "swordmaster", "commander")
    ]


def test_a_report_shows_the_range_and_the_table(rats: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["encounter", "simulate", rats, "-n", "2", "--processes", "1", "--report", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert (
        text.index("% of fights, depending on who plays it") < text.index("a beginner (uniform)") < text.index("<svg")
    )


def test_the_party_the_agents_and_the_rules_are_as_asked(rats: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(quick(rats, "--party", "red", "--agents", "red=cunning", "--rule", "zero_hp=all_out", "--json")) == 0
    found = printed(capsys)
    assert (found["party"], found["monsters"], found["heroes_choose"]) == (["rat_0"], ["knight_0"], False)
    assert found["agents"] == {"blue": "might", "red": "cunning"}


def test_sweeps(rats: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(quick(rats, "--sweep", "rat.count=1,2", "--json")) == 0
    one, two = printed(capsys)
    assert (one["values"], two["values"]) == ({"rat.count": 1}, {"rat.count": 2})
    assert (one["monsters"], two["monsters"]) == (["rat_0"], ["rat_0", "rat_1"])
    assert main(quick(rats, "--sweep", "rat.count=1,2", "--sweep", "rat.hp=5,6")) == 0
    assert [line.split("  ")[0] for line in capsys.readouterr().out.splitlines()[3:]] == [
        "1, 5",
        "1, 6",
        "2, 5",
        "2, 6",
    ]


def test_reports(rats: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = [tmp_path / "one.html", tmp_path / "two.html"]
    assert main(quick(rats, "--report", str(pages[0]))) == 0
    assert main(quick(rats, "--report", str(pages[1]), "--sweep", "rat.hp=5,6")) == 0
    one, two = (page.read_text(encoding="utf-8") for page in pages)
    assert (one.count("<svg"), two.count("<svg")) == (4, 1) and "<title>rats</title>" in one and "rat.hp" in two
    assert "the party wins" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--sweep", "wolf.hp=3"], "wolf.hp: unknown fighter or table 'wolf'"),
        (["--sweep", "rat.hp"], "Expected a sweep such as orc.count=2,3,4, got 'rat.hp'."),
        (["--sweep", "rat.hp=0"], "hp: expected a whole number from 1 to 1000, got 0"),
        (["--sweep", "rat.count=9"], "expected 2 to 8 fighters, on a map to 16, got 10"),
        (["--party", "green"], "party: expected a team of"),
        (["--agents", "red"], "'red' is not a list such as red=tactician,green=uniform"),
        (["--heroes", "nobody"], "'nobody'"),
        (["--seconds", "3"], "simulate: expected -n or --seconds, got both"),
        (["--report", "x.txt"], "x.txt: expected a name ending in .html"),
        (["-n", "0"], "'0' is not a whole number of at least 1"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    words: list[str], says: str, rats: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code: int | str | None = main(quick(rats, *words))
    except SystemExit as ended:  # argparse's own
        code = ended.code
    error = capsys.readouterr().err
    assert code == 2 and says in error and error.count("\n") == 1


def test_a_scenario_without_a_party_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encounter", "simulate", "brawl"]) == 2
    assert (
        "'brawl': name the party's team (blue or red), since the scenario has heroes on every side"
        in capsys.readouterr().err
    )


def test_a_day_of_several_fights(rats: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encounter", "simulate", rats, *quick(rats, "--rest", "bad_long", "--json")[2:]]) == 0
    found = printed(capsys)
    assert (found["days"], [stage["rest"] for stage in found["fights"]]) == (4, ["none", "bad_long"])
    assert set(found["fighters"]) == {"knight_0"} and found["fights"][0]["fight"]["fights"] == 4
    day = tmp_path / "day.toml"
    day.write_text(
        f"name = 'long one'\n[[fight]]\nscenario = 'rats.toml'\n[[fight]]\nscenario = {rats!r}\nrest = 'none'"
    )
    words = quick(rats)
    words.remove(rats)
    assert main([*words, "--day", str(day)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("long one: 4 days, seed 5;") and "  all fights won   " in text and "at once" in text


def test_a_day_has_a_range_too(rats: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encounter", "simulate", rats, rats, "-n", "3", "--processes", "1", "--json"]) == 0
    found = printed(capsys)
    shares = [each["won"]["share"] for each in found["players"].values()]
    assert found["range"] == {"low": min(shares), "high": max(shares)}
    assert [each["agents"] for each in found["players"].values()] == [["uniform"], ["swordmaster"], ["commander"]]
    assert main(["encounter", "simulate", rats, rats, "-n", "3", "--processes", "1"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("The party wins all fights of day on ") and "a reader of habits (commander)" in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["RATS", "--rest", "short"], "but --rest is given for one fight"),
        ([], "simulate: expected a scenario, several with rests between them, or --day, but no scenario is given"),
        (["RATS", "RATS", "--sweep", "rat.hp=1,2"], "--sweep: expected a single scenario, got a day"),
        (["RATS", "--day", "x.toml"], "--day: expected the file alone"),
        (["RATS", "RATS", "--rest", "nap"], "--rest: expected none, short, long or bad_long, got 'nap'"),
        (["--day", "no.toml"], "no.toml"),
    ],
)
def test_what_is_wrong_with_a_day_is_said_in_one_sentence(
    words: list[str], says: str, rats: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [rats if word == "RATS" else word for word in words]
    assert main(["encounter", "simulate", *given, "--heroes", "might", "--monsters", "might", "-n", "2"]) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1

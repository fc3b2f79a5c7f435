"""`heartrush encounter simulate`: the answer, sweeps, and refusals."""

from pathlib import Path

import pytest

from tests.app.cli.running import Out, as_json, printed, refusal, run

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


RANGE = "encounter simulate --processes 1 --seed 5"  # three players, from whom the range is made
QUICK = f"{RANGE} --heroes might --monsters might -n 4"


def test_an_answer_as_json_and_as_text(rats: str, capsys: Out) -> None:
    found = as_json(capsys, QUICK, rats)
    assert (found["scenario"], found["fights"], found["seed"], found["party"]) == ("rats", 4, 5, ["knight_0"])
    assert found["agents"] == {"blue": "might", "red": "might"}
    assert found["win"]["count"] + found["loss"]["count"] + found["draw"]["count"] == 4
    text = printed(capsys, QUICK, rats)
    assert text.startswith("rats: Knight against Giant Rat\n4 fights, seed 5; all played by might;")
    assert f"the party wins        {100 * found['win']['share']:5.1f} %" in text


def test_by_default_three_players_show_the_range(rats: str, tmp_path: Path, capsys: Out) -> None:
    """First comes the range, then the table of players and their numbers of fights, then one player's fights."""
    words, page = f"{RANGE} -n 4", tmp_path / "page.html"
    found = as_json(capsys, words, rats)
    agents = {name: each["agents"] for name, each in found["players"].items()}
    assert agents == {
        "beginner": {"blue": "uniform", "red": "wolf_pack"},
        "practised": {"blue": "swordmaster", "red": "wolf_pack"},
        "reader": {"blue": "commander", "red": "wolf_pack"},
    }
    wins = [each["win"]["share"] for each in found["players"].values()]
    assert found["range"] == {"low": min(wins), "high": max(wins)} and found["seconds"] is None
    lines = printed(capsys, words, rats, "--report", page).splitlines()
    assert lines[0] == "rats: Knight against Giant Rat"
    span = f"The party wins {100 * min(wins):.0f} to {100 * max(wins):.0f} % of fights, depending on who"
    assert lines[2].startswith(span)
    players = ["a beginner (uniform)", "a practised player (swordmaster)", "a reader of habits (commander)"]
    assert [line.split("  ")[0] for line in lines[5:8]] == players
    assert all(" 4 " in line for line in lines[5:8]) and lines[9].startswith("The monsters are played by wolf_pack.")
    assert "The fights of a practised player (swordmaster):" in lines
    text = page.read_text(encoding="utf-8")
    parts = ("% of fights, depending on who plays it", "a beginner (uniform)", "<svg")
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)


def test_as_many_fights_as_fit_into_the_seconds(rats: str, capsys: Out) -> None:
    found = as_json(capsys, "encounter simulate --seconds 1 --processes 1", rats)
    assert found["seconds"] == 1 and all(1 < each["fights"] <= 1000 for each in found["players"].values())
    told = printed(capsys, "encounter simulate --heroes might --monsters might --seconds 1", rats)
    assert " fights, as many as fit into about 1 s, seed " in told


def test_a_sweep_shows_each_player(rats: str, capsys: Out) -> None:
    found = as_json(capsys, f"{RANGE} -n 2 --monsters might --sweep rat.hp=5,6", rats)
    assert [each["values"] for each in found] == [
        {"rat.hp": hp, "heroes": agent} for hp in (5, 6) for agent in ("uniform", "swordmaster", "commander")
    ]


def test_the_party_the_agents_and_the_rules_are_as_asked(rats: str, capsys: Out) -> None:
    found = as_json(capsys, f"{QUICK} --party red --agents red=cunning --rule zero_hp=all_out", rats)
    assert (found["party"], found["monsters"], found["heroes_choose"]) == (["rat_0"], ["knight_0"], False)
    assert found["agents"] == {"blue": "might", "red": "cunning"}


def test_sweeps(rats: str, capsys: Out) -> None:
    one, two = as_json(capsys, f"{QUICK} --sweep rat.count=1,2", rats)
    assert (one["values"], two["values"]) == ({"rat.count": 1}, {"rat.count": 2})
    assert (one["monsters"], two["monsters"]) == (["rat_0"], ["rat_0", "rat_1"])
    lines = printed(capsys, f"{QUICK} --sweep rat.count=1,2 --sweep rat.hp=5,6", rats).splitlines()
    assert [line.split("  ")[0] for line in lines[3:]] == ["1, 5", "1, 6", "2, 5", "2, 6"]


def test_reports(rats: str, tmp_path: Path, capsys: Out) -> None:
    pages = [tmp_path / "one.html", tmp_path / "two.html"]
    told = printed(capsys, f"{QUICK} --report", pages[0], rats)
    assert run(f"{QUICK} --sweep rat.hp=5,6 --report", pages[1], rats) == 0
    one, two = (page.read_text(encoding="utf-8") for page in pages)
    assert (one.count("<svg"), two.count("<svg")) == (4, 1) and "<title>rats</title>" in one and "rat.hp" in two
    assert "the party wins" in told


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (f"{QUICK} RATS --sweep wolf.hp=3", "wolf.hp: unknown fighter or table 'wolf'"),
        (f"{QUICK} RATS --sweep rat.hp", "Expected a sweep such as orc.count=2,3,4, got 'rat.hp'."),
        (f"{QUICK} RATS --sweep rat.hp=0", "hp: expected a whole number from 1 to 1000, got 0"),
        (f"{QUICK} RATS --sweep rat.count=9", "expected 2 to 8 fighters, on a map to 16, got 10"),
        (f"{QUICK} RATS --party green", "party: expected a team of"),
        (f"{QUICK} RATS --agents red", "'red' is not a list such as red=tactician,green=uniform"),
        (f"{QUICK} RATS --heroes nobody", "'nobody'"),
        (f"{QUICK} RATS --seconds 3", "simulate: expected -n or --seconds, got both"),
        (f"{QUICK} RATS --report x.txt", "x.txt: expected a name ending in .html"),
        (f"{QUICK} RATS -n 0", "'0' is not a whole number of at least 1"),
        (f"{QUICK} RATS --rest short", "but --rest is given for one fight"),
        (f"{QUICK} RATS RATS --sweep rat.hp=1,2", "--sweep: expected a single scenario, got a day"),
        (f"{QUICK} RATS --day x.toml", "--day: expected the file alone"),
        (f"{QUICK} RATS RATS --rest nap", "--rest: expected none, short, long or bad_long, got 'nap'"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(words: str, says: str, rats: str, capsys: Out) -> None:
    assert says in refusal(capsys, "", *(rats if word == "RATS" else word for word in words.split()))


def test_a_day_of_several_fights(rats: str, tmp_path: Path, capsys: Out) -> None:
    found = as_json(capsys, f"{QUICK} --rest bad_long", rats, rats)
    assert (found["days"], [stage["rest"] for stage in found["fights"]]) == (4, ["none", "bad_long"])
    assert set(found["fighters"]) == {"knight_0"} and found["fights"][0]["fight"]["fights"] == 4
    day = tmp_path / "day.toml"
    fights = f"[[fight]]\nscenario = 'rats.toml'\n[[fight]]\nscenario = {rats!r}\nrest = 'none'"
    day.write_text(f"name = 'long one'\n{fights}")
    text = printed(capsys, f"{QUICK} --day", day)
    assert text.startswith("long one: 4 days, seed 5;") and "  all fights won   " in text and "at once" in text


def test_a_day_has_a_range_too(rats: str, capsys: Out) -> None:
    words = ("encounter simulate -n 3 --processes 1", rats, rats)
    found = as_json(capsys, *words)
    shares = [each["won"]["share"] for each in found["players"].values()]
    assert found["range"] == {"low": min(shares), "high": max(shares)}
    assert [each["agents"] for each in found["players"].values()] == [["uniform"], ["swordmaster"], ["commander"]]
    text = printed(capsys, *words)
    assert text.startswith("The party wins all fights of day on ") and "a reader of habits (commander)" in text

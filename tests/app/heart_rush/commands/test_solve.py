"""`heartrush duel solve`: what it prints, writes and refuses."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from heartrush_env.app.cli.main import main
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.full_rules.table import PlayedTable
from heartrush_env.research.kinds import load_tablebase

Out = pytest.CaptureFixture[str]
PLAIN = ("--rule", "profile=plain")
LEVELS = ("--rule", "profile=levels")


def run(*words: str) -> int:
    """Run the command line in this process; returns its exit code."""
    try:
        return main(words)
    except SystemExit as end:  # argparse leaves like this
        return int(end.code or 0)


def test_help_gives_examples(capsys: Out) -> None:
    assert run("duel", "solve", "--help") == 0
    assert "examples:\n  heartrush duel solve duel --rule profile=plain\n" in capsys.readouterr().out


def test_a_solution_and_what_it_says_of_an_agent(capsys: Out, tmp_path: Path) -> None:
    path = tmp_path / "duel.npz"
    words = ("duel", *PLAIN, "--decisions", "stance", "--exploit", "uniform", "--out", str(path), "--json")
    assert run("duel", "solve", *words) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert printed.err == ""
    assert (found["scenario"], found["states"], found["rounds"]) == ("duel", 19200, None)
    assert abs(found["nash_conv"]) < 1e-6 and sum(found["mixes"]["knight_0"].values()) == pytest.approx(1)
    assert found["exploited"]["agent"] == "uniform" and found["exploited"]["nash_conv"] > 0.5
    assert found["exploited"]["against_the_solution"] == pytest.approx({"knight_0": 0, "duelist_0": 0}, abs=1e-9)
    assert load_tablebase(path, HeartRush("duel", {"profile": "plain"}, decisions="stance")).value == found["value"]


def test_a_classic_duel(capsys: Out, tmp_path: Path) -> None:
    """Without a cap it is June's duel with mutual contests; nobody gains by acting first."""
    path = Path(fight_file(tmp_path, "ab", hp=3))
    path.write_text(path.read_text().replace("hp = 3", "hp = 5", 1))
    words = (str(path), *PLAIN, "--json")
    assert run("duel", "solve", *words, "--rule", "contested=mutual") == 0
    june = json.loads(capsys.readouterr().out)
    assert run("duel", "solve", *words, "--rule", "edition=classic", "--exploit", "might") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["value"], found["mixes"], found["states"]) == (june["value"], june["mixes"], june["states"])
    assert found["value"] > 0.1 and found["acting_first"] == 0 and found["engages"] == {"ann_0": True, "bob_0": True}
    assert found["exploited"]["nash_conv"] > 0.01 > found["nash_conv"]
    assert run("duel", "solve", "duel", *PLAIN, "--rule", "edition=classic", "--out", str(tmp_path / "duel.npz")) == 2
    assert "--out: expected a duel of June 2025, got 'duel', which is classic" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["duel solve FIGHT --exploit might", "duel exploit might FIGHT"])
def test_best_responses_in_a_classic_duel_show_how_far_they_are(
    words: str, capsys: Out, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence first, then the rounds of both seats together; at the end the line is empty."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    path = fight_file(tmp_path, "ab")
    assert run(*(path if word == "FIGHT" else word for word in words.split()), *PLAIN, "--rule", "edition=classic") == 0
    said = capsys.readouterr().err
    _, sentence, shown = said.partition("Best responses to might: 1 states, for each seat up to 1000 rounds back ")
    assert sentence
    first, second = (
        [int(done) for done in re.findall(r"(\d+) of 2000 rounds", part)]
        for part in re.split("1000 of 2000", shown, maxsplit=1)
    )
    assert first == [*range(1, first[-1] + 1)] and second == [*range(1001, second[-1] + 1)] and second[-1] < 2000
    assert said.endswith(" \r")


def test_a_table_for_people(capsys: Out) -> None:
    assert run("duel", "solve", "mirror_duel", *PLAIN, "--decisions", "stance", "--exploit", "defensive") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "mirror_duel: 14400 states, decisions stance"
    assert lines[-1] == "  as fencer_1: loses 1.0000 to a best response, 1.0000 to the solution"


def fight_file(folder: Path, teams: str, hp: int = 1) -> str:
    """A fight of fighters with d4s and claws, one for each letter, which is its team."""
    fighters = [
        f'[[fighter]]\nid = "{name}"\nteam = "{team}"\nhp = {hp}\nmight = 4\nagility = 4\ncunning = 4\npresence = 4\n'
        'heart = 4\nweapon = {size = "ultralight", natural = true, attack_type = "melee", damage_type = "none"}'
        for name, team in zip(("ann", "bob", "cid", "dan", "eve"), teams, strict=False)
    ]
    path = folder / "fight.toml"
    path.write_text("\n".join(['victory = "first_down"\nmax_rounds = 1000', *fighters]))
    return str(path)


def test_a_duel_with_levels(capsys: Out, tmp_path: Path) -> None:
    """Of equals, so worth nothing; what makes a poor benchmark is not worked out with levels."""
    assert run("duel", "solve", fight_file(tmp_path, "ab"), *LEVELS, "--rule", "cunning_split=false", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["value"] == pytest.approx(0, abs=1e-12) and abs(found["nash_conv"]) < 1e-9
    assert (found["label"], found["warnings"]) == ("exact", None)


def test_a_duel_to_the_death(capsys: Out, tmp_path: Path) -> None:
    """Where fighters may go on below 0 hit points, the fatigue that is left out is named beside the cap."""
    path = Path(fight_file(tmp_path, "ab", hp=3))
    path.write_text(f'heroes = ["a"]\n{path.read_text()}'.replace("first_down", "last_standing"))
    assert run("duel", "solve", str(path), *PLAIN, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["states"], found["fatigue_rounds"], found["rounds"]) == (6 * 3, 100, None)
    assert abs(found["nash_conv"]) < 1e-9 and found["cap_bound"] <= 1e-5 and found["value"] > 0.2
    assert run("duel", "solve", str(path), *PLAIN) == 0
    told = capsys.readouterr().out
    assert "The round cap and fatigue change that by at most" in told and "more if they count rounds." in told
    assert run("duel", "exploit", "uniform", str(path), *PLAIN) == 0
    assert "The round cap and fatigue change that by at most" in capsys.readouterr().out
    assert run("duel", "analyse", str(path), *PLAIN, "--agent", "uniform", "--state", "0,3,4,4") == 0
    assert "ann_0 0 hp d4, bob_0 3 hp d4: value" in capsys.readouterr().out
    assert run("duel", "solve", str(path), *PLAIN, "--rule", "fatigue_rounds=2") == 2
    assert "expected fatigue and the round cap to change the value by at most" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("duel",), "got at least 576576"),
        (("duel", *PLAIN, "--out", "no/such/folder/duel.npz"), "expected an existing folder, got no/such/folder"),
        (("duel", *PLAIN, "--exploit", "repeat_last"), "it relies on past reveals, but memory=0 shows none"),
        (("melee", *PLAIN), "'melee' cannot be solved: it has 8 fighters"),
    ],
)
def test_refusals_come_before_any_work(
    words: tuple[str, ...], said: str, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*_: object, **__: object) -> None:
        raise AssertionError("it worked")

    monkeypatch.setattr("heartrush_env.research.kinds.read_duel", work)
    monkeypatch.setattr("heartrush_env.research.full_rules.solve.Search", work)
    assert run("duel", "solve", *words) == 2
    assert said in capsys.readouterr().err


def test_what_makes_a_duel_a_poor_benchmark_is_told(capsys: Out, tmp_path: Path) -> None:
    """The shipped duel is sound; one with a cap of one round is not: the cap ends every round without a hit."""
    assert run("duel", "solve", "duel", *PLAIN, "--json") == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == []
    short = Path(fight_file(tmp_path, "ab"))
    short.write_text(short.read_text().replace("max_rounds = 1000", "max_rounds = 1"))
    assert run("duel", "solve", str(short), *PLAIN) == 0
    assert "\nWarning: The round cap decides: " in capsys.readouterr().out


def test_one_against_two(capsys: Out, tmp_path: Path) -> None:
    """By what is worked out by hand in test_teams.py: the solo mixes evenly, and the pair takes two unlike stances."""
    words = (fight_file(tmp_path, "abb"), *PLAIN, "--rule", "windows_per_round=0", "--rule", "contested=if_able")
    assert run("duel", "solve", *words, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    third = pytest.approx(1 / 3)
    assert (found["label"], found["solo"], found["pair"]) == ("exact", "ann_0", ["bob_0", "cid_0"])
    assert found["mixes"]["ann_0"] == {"might": third, "agility": third, "cunning": third, "defensive": 0}
    pair = found["mixes"]["bob_0+cid_0"]
    assert len(pair) == 16 and sum(pair.values()) == pytest.approx(1) and pair["might+might"] == 0
    assert found["states"] == 3, "all stand, or one of the pair is down"
    assert found["value"] < -0.5 and found["helped"] == []
    assert run("duel", "solve", *words) == 0
    assert "ann_0 against bob_0 and cid_0, who decide as one" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("teams", "words", "said"),
    [
        ("abb", ["--exploit", "uniform"], "--exploit is for the exact solution of a duel of two, and 'fight' is one"),
        ("abb", LEVELS, "the setting levels is on, and only the profile 'plain' is solved"),
        ("aabb", [], "it has 4 fighters, and only duels of two are solved"),
    ],
)
def test_what_teams_are_refused(teams: str, words: list[str], said: str, capsys: Out, tmp_path: Path) -> None:
    assert run("duel", "solve", fight_file(tmp_path, teams), *PLAIN, *words) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dule", *PLAIN], "expected ambush, brawl"),
        (["duel", "--positions", "2000"], "expected at most 2000 positions (max_positions)"),
        (["melee", *PLAIN], "only duels of two are solved"),
        (["duel", *PLAIN, "--exploit", "nobody"], "Unknown agent 'nobody'"),
        (["duel", *PLAIN, "--exploit", "duelist"], "cannot take a seat"),
        (
            ["duel", *PLAIN, "--decisions", "stance", "--out", "no/such/place.npz"],
            "expected an existing folder, got no/such",
        ),
    ],
)
def test_bad_input_is_refused_in_one_sentence(words: list[str], said: str, capsys: Out) -> None:
    assert run("duel", "solve", *words) == 2
    printed = capsys.readouterr()
    assert said in printed.err and printed.out == ""
    assert printed.err.count("\n") == 1 and printed.err.endswith(".\n") and printed.err.startswith("heartrush")


@pytest.mark.long
def test_a_small_duel_under_full_rules(capsys: Out, tmp_path: Path) -> None:
    path = tmp_path / "brawl.npz"
    assert run("duel", "solve", "examples/small_brawl.toml", "--out", str(path), "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["label"], found["rounds"], found["window"]) == ("exact", 3, "stance")
    assert found["gap"] < 1e-6 and found["least"] - 1e-9 <= found["value"] <= found["best"] + 1e-9
    for mix in found["mixes"].values():
        assert sum(mix.values()) == pytest.approx(1)
    assert {case["agent"] for case in found["beaten"]} == set(found["mixes"]) and len(found["beaten"]) == 6
    assert PlayedTable.load(path, HeartRush("examples/small_brawl.toml")).value == found["value"]


@pytest.mark.long
def test_rounds_that_are_left_open_are_told(capsys: Out) -> None:
    assert run("duel", "solve", "examples/small_brawl.toml", "--rounds", "1") == 0
    printed = capsys.readouterr().out
    assert "surely from" in printed and "Only 1 rounds are solved; later ones are left open." in printed
    assert "when its stance beats the other's" in printed and "dirty_strike 1" in printed


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("examples/small_brawl.toml", "--exploit", "uniform"), "--exploit is for duels under the profiles"),
        (("examples/small_brawl.toml", "--positions", "100"), "it has more than 100 positions"),
        (("duel", "--positions", "2000"), "rounds = fewer, which leaves later rounds open"),
    ],
)
def test_what_full_rules_do_not_take(words: tuple[str, ...], reason: str, capsys: Out) -> None:
    assert run("duel", "solve", *words) == 2
    assert reason in capsys.readouterr().err

"""`heartrush duel solve`: what it prints and writes, and what it refuses before any work."""

import json
import re
import sys
from pathlib import Path

import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.full_rules.table import PlayedTable
from heartrush_env.research.solve import load_tablebase
from tests.app.cli.running import Out, as_json, printed, refusal, run

PLAIN = "--rule profile=plain"
LEVELS = "--rule profile=levels"


@pytest.mark.compiles
def test_a_solution_and_what_it_says_of_an_agent(capsys: Out, tmp_path: Path) -> None:
    path = tmp_path / "duel.npz"
    assert run(f"duel solve duel {PLAIN} --decisions stance --exploit uniform --json --out", path) == 0
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert shown.err == ""
    assert (found["scenario"], found["states"], found["rounds"]) == ("duel", 19200, None)
    assert abs(found["nash_conv"]) < 1e-6 and sum(found["mixes"]["knight_0"].values()) == pytest.approx(1)
    assert found["exploited"]["agent"] == "uniform" and found["exploited"]["nash_conv"] > 0.5
    assert found["exploited"]["against_the_solution"] == pytest.approx({"knight_0": 0, "duelist_0": 0}, abs=1e-9)
    assert load_tablebase(path, HeartRush("duel", {"profile": "plain"}, decisions="stance")).value == found["value"]


@pytest.mark.long
def test_a_classic_duel(capsys: Out, tmp_path: Path) -> None:
    """Without a cap, the classic duel has the value of June's duel with mutual contests; acting first gains nothing."""
    path = Path(fight_file(tmp_path, "ab", hp=3))
    path.write_text(path.read_text().replace("hp = 3", "hp = 5", 1))
    june = as_json(capsys, f"duel solve {PLAIN} --rule contested=mutual", path)
    found = as_json(capsys, f"duel solve {PLAIN} --rule edition=classic --exploit might", path)
    assert (found["value"], found["mixes"], found["states"]) == (june["value"], june["mixes"], june["states"])
    assert found["value"] > 0.1 and found["acting_first"] == 0 and found["engages"] == {"ann_0": True, "bob_0": True}
    assert found["exploited"]["nash_conv"] > 0.01 > found["nash_conv"]
    said = refusal(capsys, f"duel solve duel {PLAIN} --rule edition=classic --out", tmp_path / "duel.npz")
    assert "--out: expected a duel of June 2025, got 'duel', which is classic" in said


@pytest.mark.parametrize("words", ["duel solve FIGHT --exploit might", "duel exploit might FIGHT"])
def test_best_responses_in_a_classic_duel_show_how_far_they_are(
    words: str, capsys: Out, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence is shown first, then the progress of both seats in one count; at the end the line is cleared."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    path = fight_file(tmp_path, "ab")
    assert run(f"{words} {PLAIN} --rule edition=classic".replace("FIGHT", path)) == 0
    said = capsys.readouterr().err
    _, sentence, shown = said.partition("Best responses to might: 1 states, for each seat up to 1000 rounds back ")
    assert sentence
    first, second = (
        [int(done) for done in re.findall(r"(\d+) of 2000 rounds", part)]
        for part in re.split("1000 of 2000", shown, maxsplit=1)
    )
    assert first == [*range(1, first[-1] + 1)] and second == [*range(1001, second[-1] + 1)] and second[-1] < 2000
    assert said.endswith(" \r")


@pytest.mark.compiles
def test_a_table_for_people(capsys: Out) -> None:
    lines = printed(capsys, f"duel solve mirror_duel {PLAIN} --decisions stance --exploit defensive").splitlines()
    assert lines[0] == "mirror_duel: 14400 states, decisions stance"
    assert lines[-1] == "  as fencer_1: loses 1.0000 to a best response, 1.0000 to the solution"


def fight_file(folder: Path, teams: str, hp: int = 1) -> str:
    """Write a fight of fighters with d4s and claws, one for each letter of `teams`, and return its path."""
    fighters = [
        f'[[fighter]]\nid = "{name}"\nteam = "{team}"\nhp = {hp}\nmight = 4\nagility = 4\ncunning = 4\npresence = 4\n'
        'heart = 4\nweapon = {size = "ultralight", natural = true, attack_type = "melee", damage_type = "none"}'
        for name, team in zip(("ann", "bob", "cid", "dan", "eve"), teams, strict=False)
    ]
    path = folder / "fight.toml"
    path.write_text("\n".join(['victory = "first_down"\nmax_rounds = 1000', *fighters]))
    return str(path)


@pytest.mark.long
def test_a_duel_with_levels(capsys: Out, tmp_path: Path) -> None:
    """The duel is between equals, so its value is 0; with levels, warnings about poor benchmarks are not computed."""
    found = as_json(capsys, f"duel solve {LEVELS} --rule cunning_split=false", fight_file(tmp_path, "ab"))
    assert found["value"] == pytest.approx(0, abs=1e-12) and abs(found["nash_conv"]) < 1e-9
    assert (found["label"], found["warnings"]) == ("exact", None)


def test_a_duel_to_the_death(capsys: Out, tmp_path: Path) -> None:
    """If fighters may go on below 0 hit points, the answer names the neglected fatigue along with the round cap."""
    path = Path(fight_file(tmp_path, "ab", hp=3))
    path.write_text(f'heroes = ["a"]\n{path.read_text()}'.replace("first_down", "last_standing"))
    found = as_json(capsys, f"duel solve {PLAIN}", path)
    assert (found["states"], found["fatigue_rounds"], found["rounds"]) == (6 * 3, 100, None)
    assert abs(found["nash_conv"]) < 1e-9 and found["cap_bound"] <= 1e-5 and found["value"] > 0.2
    told = printed(capsys, f"duel solve {PLAIN}", path)
    assert "The round cap and fatigue change that by at most" in told and "more if they count rounds." in told
    told = printed(capsys, f"duel exploit {PLAIN} uniform", path)
    assert "The round cap and fatigue change that by at most" in told
    told = printed(capsys, f"duel analyse {PLAIN} --agent uniform --state 0,3,4,4", path)
    assert "ann_0 0 hp d4, bob_0 3 hp d4: value" in told
    said = refusal(capsys, f"duel solve {PLAIN} --rule fatigue_rounds=2", path)
    assert "expected fatigue and the round cap to change the value by at most" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("duel", "got at least 576576"),
        (f"duel {PLAIN} --out no/such/folder/duel.npz", "expected an existing folder, got no/such/folder"),
        (f"duel {PLAIN} --exploit repeat_last", "it relies on past reveals, but memory=0 shows none"),
        (f"melee {PLAIN}", "'melee' cannot be solved: it has 8 fighters"),
    ],
)
def test_refusals_come_before_any_work(words: str, said: str, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    for work in ("solve.read_duel", "full_rules.solve.Search"):
        monkeypatch.setattr(f"heartrush_env.research.{work}", lambda *_, **__: pytest.fail("it worked"))
    assert said in refusal(capsys, f"duel solve {words}")


def test_what_makes_a_duel_a_poor_benchmark_is_told(capsys: Out, tmp_path: Path) -> None:
    """The shipped duel causes no warning; in a duel capped at one round, the cap ends every fight without a hit."""
    assert as_json(capsys, f"duel solve duel {PLAIN}")["warnings"] == []
    short = Path(fight_file(tmp_path, "ab"))
    short.write_text(short.read_text().replace("max_rounds = 1000", "max_rounds = 1"))
    assert "\nWarning: The round cap decides: " in printed(capsys, f"duel solve {PLAIN}", short)


@pytest.mark.long
def test_one_against_two(capsys: Out, tmp_path: Path) -> None:
    """As worked out by hand in test_teams.py, the solo mixes evenly, and the pair takes two different stances."""
    path = fight_file(tmp_path, "abb")
    words = f"duel solve {path} {PLAIN} --rule windows_per_round=0 --rule contested=if_able"
    found = as_json(capsys, words)
    third = pytest.approx(1 / 3)
    assert (found["label"], found["solo"], found["pair"]) == ("exact", "ann_0", ["bob_0", "cid_0"])
    assert found["mixes"]["ann_0"] == {"might": third, "agility": third, "cunning": third, "defensive": 0}
    pair = found["mixes"]["bob_0+cid_0"]
    assert len(pair) == 16 and sum(pair.values()) == pytest.approx(1) and pair["might+might"] == 0
    assert found["states"] == 3, "all stand, or one of the pair is down"
    assert found["value"] < -0.5 and found["helped"] == []
    assert "ann_0 against bob_0 and cid_0, who decide as one" in printed(capsys, words)


@pytest.mark.parametrize(
    ("teams", "words", "said"),
    [
        (
            "abb",
            "--exploit uniform",
            "--exploit: expected a duel of two fighters, got 'fight', which is one against two",
        ),
        ("abb", LEVELS, "the setting levels is on, and only the profile 'plain' is solved"),
        ("aabb", "", "it has 4 fighters, and only duels of two are solved"),
    ],
)
def test_what_teams_are_refused(teams: str, words: str, said: str, capsys: Out, tmp_path: Path) -> None:
    assert said in refusal(capsys, f"duel solve {PLAIN} {words}", fight_file(tmp_path, teams))


@pytest.mark.long
def test_a_small_duel_under_full_rules(capsys: Out, tmp_path: Path) -> None:
    path = tmp_path / "brawl.npz"
    found = as_json(capsys, "duel solve examples/small_brawl.toml --out", path)
    assert (found["label"], found["rounds"], found["window"]) == ("exact", 3, "stance")
    assert found["gap"] < 1e-6 and found["least"] - 1e-9 <= found["value"] <= found["best"] + 1e-9
    for mix in found["mixes"].values():
        assert sum(mix.values()) == pytest.approx(1)
    assert {case["agent"] for case in found["beaten"]} == set(found["mixes"]) and len(found["beaten"]) == 6
    assert PlayedTable.load(path, HeartRush("examples/small_brawl.toml")).value == found["value"]


@pytest.mark.long
def test_rounds_that_are_left_open_are_told(capsys: Out) -> None:
    shown = printed(capsys, "duel solve examples/small_brawl.toml --rounds 1")
    assert "surely from" in shown and "Only 1 rounds are solved; later ones are left open." in shown
    assert "when its stance beats the other's" in shown and "dirty_strike 1" in shown

"""The command line: what it prints, what it refuses, and how it exits."""

import argparse
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.cli import fight
from heartrush_env.app.cli.command import fill
from heartrush_env.app.cli.fight import count, play, split_teams, who_plays
from heartrush_env.app.cli.main import make_parser
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import CAUSES
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.state.events import EVENTS
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.games.heart_rush.words.words import CAUSE_WORDS, condition_name
from tests.app.cli.running import Out, as_json, printed, refusal, run
from tests.processes import PATIENCE, at_terminal, environment, finished, started
from tests.shipped import ON_MAP, SHIPPED

# -- help and refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "examples:\n  heartrush "),
        ("fight", "examples:\n  heartrush "),
        ("machine bench", "examples:\n  heartrush "),
        ("rules", "examples:\n  heartrush "),
        ("replay", "examples:\n  heartrush "),
        ("arena", "examples:\n  heartrush arena duelist\n"),
        ("match", "examples:\n  heartrush match uniform"),
        ("rate", "examples:\n  heartrush rate\n"),
        ("conform", "heartrush conform -- node"),
        ("conform", "exit codes: 0"),
        ("duel analyse", "examples:\n  heartrush duel analyse duel --rule profile=plain\n"),
        ("exploit", "examples:\n  heartrush exploit uniform duel --rule profile=plain\n"),
        ("duel exploit", "`heartrush duel exploit` is the same command."),
        ("duel solve", "examples:\n  heartrush duel solve duel --rule profile=plain\n"),
    ],
)
def test_help_gives_examples(words: str, said: str, capsys: Out) -> None:
    assert said in printed(capsys, words, "--help")


def test_version(capsys: Out) -> None:
    assert printed(capsys, "--version").startswith("heartrush-env ")


def test_all_own_options_of_fight_are_known_to_be_no_teams() -> None:
    """An unknown option counts as a team's, so the list of the command's own options must be complete."""
    parser = argparse.ArgumentParser()
    fill(parser, fight)
    own = [option for action in parser._actions for option in action.option_strings if option.startswith("--")]
    for option in own:
        assert split_teams(["fight", "duel", option, "x"]) == (["fight", "duel", option, "x"], {})
    words = ["fight", "--red", "might", "duel", "--blue=random", "--seed", "3"]
    assert split_teams(words) == (["fight", "duel", "--seed", "3"], {"red": "might", "blue": "random"})


# -- fight -----------------------------------------------------------------------------------------------------------


def test_a_fight_is_told_from_the_first_stance_to_the_end(capsys: Out) -> None:
    shown = printed(capsys, "fight duel --red uniform --blue random --seed 7")
    assert "Knight (blue, played by random): 40 hp, heart d8, might d8, agility d6, cunning d6, presence d4" in shown
    assert "Duelist (red, played by uniform)" in shown
    assert "\x1b" not in shown
    rounds = re.findall(r"^Round (\d+)$", shown, re.MULTILINE)
    assert [int(number) for number in rounds] == list(range(1, len(rounds) + 1))
    assert len(re.findall(r"^  Stances: Knight \w+, Duelist \w+$", shown, re.MULTILINE)) == len(rounds)
    assert re.search(r"^(Red|Blue) won: no other side is left standing\.$|^A draw: ", shown, re.MULTILINE)
    assert shown.endswith("The same fight again: --seed 7\n")


ROLL = re.compile(r": ((?:\[?[\w' -]+: \d+\]?|[a-z-]+ \d+)(?: [+-] (?:\[?[\w' -]+: \d+\]?|[a-z-]+ \d+))*) = (\d+)")


@pytest.mark.parametrize("scenario", SHIPPED)
def test_every_roll_adds_up_and_no_die_shows_more_than_it_has(scenario: str, capsys: Out) -> None:
    """The printed rolls let a reader check each attack by hand: dice in brackets do not count, all else does."""
    checked = 0
    teams = [f"--{team}=random" for team in load_scenario(scenario).teams]
    for seed in range(1 if scenario in ON_MAP else 4):
        for line in printed(capsys, "fight", scenario, "--seed", seed, *teams).splitlines():
            for sides, face in re.findall(r"d(\d+): (\d+)", line):
                assert 1 <= int(face) <= int(sides), line
            if match := ROLL.search(line):
                counted = re.findall(r"([+-]?) ?(\[?)[\w' -]+?:? (\d+)\]?(?= [+-] |$)", match[1])
                total = sum(int(f"{sign or '+'}{value}") for sign, out, value in counted if not out)
                assert total == int(match[2]), line
                checked += 1
    assert checked > 20


def test_everything_that_may_be_told_has_words() -> None:
    for cause in CAUSES:
        assert CAUSE_WORDS.get(cause) or condition_name(cause)
    assert all(hasattr(Narrator, f"_tell_{event}") for event in EVENTS)


def test_a_fight_on_a_map_shows_the_ground_and_who_stands_where(capsys: Out) -> None:
    shown = printed(capsys, "fight skirmish --seed 4")
    assert "in bright light; squares are given as (column, row), (0, 0) at the top left:\n  ......" in shown
    assert "armor 6, shield 2, at (2, 4)\n" in shown
    assert re.search(r"^    Knight 1 runs to \(\d+, \d+\)\.$", shown, re.MULTILINE)


def test_the_same_seed_is_the_same_fight(capsys: Out) -> None:
    first, again, other = (printed(capsys, f"fight brawl --seed {seed} --rounds") for seed in "556")
    assert first == again != other


def test_rounds_are_told_in_a_line_each(capsys: Out) -> None:
    shown = printed(capsys, "fight duel --seed 7 --rounds --decisions stance")
    first = next(line for line in shown.splitlines() if line.startswith("Round "))
    assert re.fullmatch(r"Round 1: Knight \w+, Duelist \w+\. Knight \d+ hp, heart d\d+.*; Duelist .*\.", first)


def test_json_of_a_fight(capsys: Out) -> None:
    found = as_json(capsys, "fight duel --red might --seed 7")
    assert found["agents"] == {"blue": "uniform", "red": "might"}
    assert found["fighters"] == {"knight_0": "blue", "duelist_0": "red"}
    assert (found["scenario"], found["seed"], found["fight"]) == ("duel", 7, 0)
    assert found["events"][-1] == {"type": "end", "cause": found["cause"], "winners": found["winners"]}
    reveals = [event["stances"]["duelist_0"] for event in found["events"] if event["type"] == "reveal"]
    assert reveals == ["might"] * found["rounds"]


def test_settings_from_the_command_line(capsys: Out) -> None:
    found = as_json(capsys, "fight duel --seed 7 --rule profile=plain --rule fatigue_rounds=5")
    assert not {"wound", "condition", "maneuver"} & {event["type"] for event in found["events"]}


def test_a_scenario_of_ones_own(tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(
        'name = "ours"\nvictory = "first_down"\n'
        + "".join(f'[[fighter]]\nfrom = "knight"\nteam = "{team}"\n' for team in ("left", "right"))
    )
    found = as_json(capsys, "fight", path, "--left", "might", "--seed", "1")
    assert found["agents"] == {"left": "might", "right": "uniform"}


def test_many_fights_are_counted(capsys: Out) -> None:
    words = "fight duel --red defensive --fights 30 --seed 7 --decisions stance"
    found = as_json(capsys, words)
    assert found["fights"] == 30
    counts = [team["count"] for team in found["teams"].values()]
    assert sum(counts) + found["draws"]["count"] == 30
    assert found["teams"]["blue"]["count"] > 25  # a team that only defends does not win
    for share in (*found["teams"].values(), found["draws"]):
        assert 0 <= share["low"] <= share["share"] <= share["high"] <= 1
    assert re.search(rf"won by blue \(uniform\) +{found['teams']['blue']['count']} ", printed(capsys, words))


def test_the_count_is_of_the_same_fights_that_are_told(capsys: Out) -> None:
    """With one seed, fight 0 of those counted is the fight that `fight` narrates."""
    told = as_json(capsys, "fight duel --seed 3")
    arguments = make_parser().parse_args(["fight", "duel", "--fights", "2"])
    game = HeartRush("duel")
    fights = list(play(arguments, game, {"blue": "uniform", "red": "uniform"}, 3))
    assert fights[0].events == told["events"]
    assert count(game, who_plays(game, {}), iter(fights))["fights"] == 2


# -- rules, bench, schema -------------------------------------------------------------------------------------------


def test_rules_lists_every_heading(capsys: Out) -> None:
    shown = printed(capsys, "rules")
    assert re.search(r"^    More than 10 Damage +rules/taking_damage.py: marks_wound$", shown, re.MULTILINE)
    counted = r"\n\d+ headings of the rule chapters: \d+ implemented \(\d+ of them in part\), \d+ later, \d+"
    assert re.search(counted, shown)
    found = as_json(capsys, "rules")
    assert {heading["status"] for heading in found["headings"]} == {"played", "out"}
    assert "R-1" in found["rulings"]


def test_rules_shows_a_heading_with_its_functions_and_rulings(capsys: Out) -> None:
    shown = printed(capsys, "rules same stance combat")
    assert shown.startswith("Combat > The Engagement > Attack Resolution Process > Same Stance Combat\n")
    assert "games/heart_rush/rules/attack_rolls.py: is_contest" in shown and "R-9" in shown and "R-41" in shown


def test_rules_that_no_heading_names_are_found_by_what_functions_and_rulings_say(capsys: Out) -> None:
    shown = printed(capsys, "rules pushed")
    assert shown.startswith("Combat > ")
    assert "games/heart_rush/rules/might_push.py: may_follow\n" in shown and "R-71  A push goes in" in shown
    assert "Environment > Forced Movement\n" in shown
    grappling = shown.split("Grappling\n")[1].split("\n\n")[0]
    assert grappling.count(".py: ") == 1  # others of that heading do not speak of it
    assert "R-71  A push goes in" in printed(capsys, "rules R-71")


def test_a_heading_wins_over_what_is_said_elsewhere(capsys: Out) -> None:
    lines = printed(capsys, "rules forced movement").splitlines()
    assert [line for line in lines if line and not line.startswith(" ")] == ["Environment > Forced Movement"]


@pytest.mark.parametrize("words", ["fight", "play", "match"])
def test_help_says_that_there_are_random_maps(words: str, capsys: Out) -> None:
    said = " ".join(printed(capsys, words, "--help").split())
    assert "a TOML file, random:N for a fair fight on a map made from the seed N, or one of ambush, " in said


def test_a_swap_says_what_is_in_hand_now() -> None:
    """The archer carries a rapier, d8, and a light shield, which adds 1; its longbow is a d12."""
    narrator = Narrator(load_scenario("skirmish"))
    rapier = {"weapon_die": 8, "attack_type": "melee", "damage_type": "piercing", "shield": 1}
    bow = {"weapon_die": 12, "attack_type": "ranged", "damage_type": "piercing", "shield": 0}
    told = [narrator.tell([{"type": "swap", "fighter": "archer_0", **held}]) for held in (rapier, bow)]
    assert told == [
        ["    Archer 1 now holds its rapier, melee piercing d8, and a shield of 1."],
        ["    Archer 1 now holds its longbow, ranged piercing d12."],
    ]
    unknown = narrator.tell([{"type": "swap", "fighter": "knight_0", **bow, "damage_type": "none"}])
    assert unknown == ["    Knight 1 now holds ranged d12."]


@pytest.mark.long
def test_bench_measures_every_door(capsys: Out) -> None:
    found = as_json(capsys, "machine bench --seconds 0.05 --envs 8")
    units = [figure["unit"] for figure in found["figures"]]
    assert units == ["agent-steps/s", *["decisions/s", "fights/s"] * 2, *["env-steps/s"] * 2, "s"]
    assert [unit for figure, unit in zip(found["figures"], units, strict=True) if "classic" in figure["name"]] == [
        "decisions/s", "fights/s", "env-steps/s",
    ]  # fmt: skip
    assert all(figure["value"] > 0 for figure in found["figures"] if figure["unit"] != "fights/s")


def test_the_schema_is_printed_and_takes_a_message(capsys: Out) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json.loads(printed(capsys, "engine --schema")))
    assert validator.is_valid({"type": "hello"}) and not validator.is_valid({"type": "helo"})


# -- as a program --------------------------------------------------------------------------------------------------


def program(*words: str) -> list[str]:
    """Return the command line of the installed program, or of the module if the program is not installed."""
    installed = shutil.which("heartrush", path=str(Path(sys.executable).parent))
    return [installed or sys.executable, *([] if installed else ["-m", "heartrush_env.app.cli.main"]), *words]


def test_the_program_runs_and_exits(tmp_path: Path) -> None:
    """The program runs from a folder outside the source tree, and exits with the right codes."""
    words = program("fight", "duel", "--red", "uniform", "--blue", "random", "--seed", "7")
    done = finished(*words, text=True, cwd=tmp_path, env=environment())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("duel: ")
    refused = finished(*program("fight", "x"), text=True, cwd=tmp_path, env=environment())
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)


def test_a_reader_may_stop_reading() -> None:
    """A closed pipe, as in `heartrush rules | head -1`, causes no error."""
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started(*program("rules", "--json"), **pipes, env=environment()) as pipe:
        assert pipe.stdout is not None and pipe.stderr is not None
        assert pipe.stdout.readline() == b"{\n"
        pipe.stdout.close()
        assert pipe.stderr.read() == b""
        assert pipe.wait(PATIENCE) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("no_color", "colored"), [("", True), ("1", False)])
def test_colors_only_where_somebody_looks(no_color: str, colored: bool) -> None:
    seen = at_terminal(*program("rules", "cover"), env=environment(NO_COLOR=no_color, TERM="xterm"))
    assert (b"\x1b[1m" in seen) == colored


def test_a_fight_is_filmed(tmp_path: Path, capsys: Out) -> None:
    pytest.importorskip("pygame", reason="pictures need the extra render")
    film = tmp_path / "duel.gif"
    assert run("fight duel --seed 1 --record", film) == 0
    assert film.read_bytes().startswith(b"GIF89a")
    said = refusal(capsys, "fight duel --fights 2 --record", film)
    assert "--record: expected a folder for the records of many fights, got the film " in said

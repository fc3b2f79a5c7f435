"""Homebrew abilities on sheets that scenarios name, and of random characters."""

import json
from pathlib import Path

import pytest

from heartrush_env.app.cli.main import main
from heartrush_env.games.heart_rush.rules.abilities import SLOTS
from heartrush_env.games.heart_rush.scenario.advancement import random_character, random_party
from heartrush_env.games.heart_rush.scenario.homebrew import declarations_in
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.scenario.stat_blocks import as_data, read_sheet
from heartrush_env.tabletop.errors import ScenarioError

EXAMPLES = Path(__file__).parents[4] / "examples" / "homebrew"
FURY = (EXAMPLES / "cornered_fury.toml").read_text()
BOAR = """[fighter]
id = "boar"
might = 8
agility = 4
cunning = 4
presence = 4
heart = 8
hp = 30
abilities = ["cornered_fury"]
"""
FIGHT = """[[fighter]]
from = "boar.toml"
team = "wild"
[[fighter]]
from = "boar.toml"
team = "tame"
"""


def written(folder: Path, **files: str) -> Path:
    """Write TOML files into a folder; return the path of the fight."""
    for name, content in files.items():
        (folder / f"{name}.toml").write_text(content)
    return folder / "fight.toml"


def owned_in(path: Path) -> list[list[str]]:
    """Return the homebrew abilities of each fighter of a scenario."""
    return [[one.name for one in sheet.abilities if one.made is not None] for sheet in load_scenario(path).fighters]


@pytest.mark.parametrize("named", [True, False])
def test_a_scenario_plays_what_a_sheet_declares_or_names(tmp_path: Path, named: bool) -> None:
    sheet = 'homebrew = "fury.toml"\n' + BOAR if named else BOAR + FURY
    fight = written(tmp_path, fury=FURY, boar=sheet, fight=FIGHT)
    assert owned_in(fight) == [["cornered_fury"], ["cornered_fury"]]
    fight.write_text('homebrew = "fury.toml"\n' + FIGHT)
    assert owned_in(fight) == [["cornered_fury"], ["cornered_fury"]], "equal declarations are one"


def test_a_sheet_in_json_keeps_its_declarations(tmp_path: Path) -> None:
    written(tmp_path, boar=BOAR + FURY)
    sheet = read_sheet(tmp_path / "boar.toml")
    (tmp_path / "boar.json").write_text(json.dumps(as_data(sheet)))
    assert read_sheet(tmp_path / "boar.json") == sheet
    assert as_data(sheet)["effects"]["cornered_fury"]["name"] == "Cornered Fury"
    assert owned_in(written(tmp_path, fight=FIGHT.replace(".toml", ".json"))) == [["cornered_fury"]] * 2


def test_two_declarations_of_one_id_are_a_fault(tmp_path: Path) -> None:
    other = BOAR + FURY.replace("1d6", "2d6")
    fight = written(tmp_path, boar=BOAR + FURY, bear=other, fight=FIGHT.replace("boar", "bear", 1))
    with pytest.raises(ScenarioError, match="expected an id of its own, got 'cornered_fury'; an earlier one has it"):
        load_scenario(fight)


def test_all_faults_of_the_declarations_of_a_sheet_are_told_at_once(tmp_path: Path) -> None:
    fight = written(tmp_path, boar=BOAR + FURY.replace("1d6", "9d7").replace('"attack"', '"atack"'), fight=FIGHT)
    with pytest.raises(ScenarioError) as caught:
        load_scenario(fight)
    told = [str(fault) for fault in caught.value.faults]
    assert len(told) == 2 and all(f"{tmp_path / 'boar.toml'}, ability 1 (cornered_fury)" in fault for fault in told)


def test_a_sheet_takes_homebrew_only_from_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "fights").mkdir()
    fight = written(tmp_path / "fights", boar='homebrew = "../fury.toml"\n' + BOAR, fight=FIGHT)
    written(tmp_path, fury=FURY)
    with pytest.raises(ScenarioError, match="homebrew: expected a TOML file in the scenario's folder"):
        load_scenario(fight)


def test_the_commands_show_and_check_such_a_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, boar=BOAR + FURY, list=BOAR.replace("[fighter]", "[[fighter]]") + FURY)
    for name in ("boar", "list"):
        main(["check", str(tmp_path / f"{name}.toml")])
        assert "'cornered_fury' is homebrew, which has no price" in capsys.readouterr().out
    assert main(["sheet", str(tmp_path / "boar.toml"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ability"][0]["id"] == "cornered_fury"
    assert main(["sheet", str(tmp_path / "boar.toml")]) > 0
    assert "expected no homebrew abilities in text, got some; write a JSON file instead." in capsys.readouterr().err


def test_random_characters_own_homebrew_abilities_where_they_have_room() -> None:
    made = {
        id: one
        for path in ("cornered_fury", "stone_skin")
        for id, one in declarations_in(EXAMPLES / f"{path}.toml").items()
    }
    owned = [random_character(seed, 30, made)["abilities"] for seed in range(12)]
    counts = {id: sum(id in each for each in owned) for id in made}
    assert all(0 < count < 12 for count in counts.values())
    plain = [random_character(seed, 30)["abilities"] for seed in range(12)]
    assert [[id for id in each if id not in made] for each in owned] == plain, "nothing else changes"
    for seed in range(3):
        assert all(len(sheet.abilities) <= SLOTS for sheet in load_scenario(random_party(seed, made)).fighters)


def test_a_random_sheet_brings_the_declarations_that_it_owns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(EXAMPLES / "cornered_fury.toml")
    for seed in range(6):
        assert main(["sheet", "random", "--seed", str(seed), "--homebrew", file, "--json"]) == 0
        (tmp_path / f"{seed}.json").write_text(capsys.readouterr().out)
    sheets = [read_sheet(tmp_path / f"{seed}.json") for seed in range(6)]
    assert {"ability" in sheet for sheet in sheets} == {True, False}
    assert all(("cornered_fury" in sheet["abilities"]) == ("ability" in sheet) for sheet in sheets)

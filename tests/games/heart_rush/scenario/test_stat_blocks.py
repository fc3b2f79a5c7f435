"""Sheets of fighters: written and read as text, JSON and TOML, and named in scenarios."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.cli.main import BAD_INPUT, main
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.scenario.stat_blocks import (
    as_data,
    checked,
    fields_of,
    read_sheet,
    read_stat_block,
    sheet_of,
    stat_block,
)
from heartrush_env.tabletop.errors import ScenarioError, ScenarioWarning

RED = {"from": "rogue", "id": "other", "team": "red"}
PHANTOM = """\
Phantom Knight; elite
M
10/6/10/8, HD 10, HP 50, w 15
A 6, D 8 (physical 8, magic 4)
Speed 60 ft
"""
ARCHER = """\
Archer
M
4/8/8/6, HD 8, HP 25, w 10
A ranged 30 ft + 5, D 2 (piercing 4)
"""
VETERAN: dict[str, Any] = {
    "id": "veteran", "name": "Old Tam", "role": "has seen it all", "might": 8, "agility": 6, "cunning": 6,
    "presence": 4, "heart": 10, "heart_now": 6, "hp": 60, "hp_now": 23, "weapon": "spear", "armor": "medium",
    "shield": "light_shield", "size": "small", "speed": 45, "attack_bonus": 2, "defense_bonus": 1,
    "wound_threshold": 20, "wounds": [12, 15], "rush": 3, "thrown": 4,
    "spare_weapon": {"size": "light", "attack_type": "melee", "damage_type": "slashing", "reach": True},
    "spare_shield": "heavy_shield", "spare_speed": 40,
    "talents": ["clobber"], "destiny_talents": ["quick", "kick_em_while_theyre_down"], "abilities": ["sentinel"],
}  # fmt: skip
VETERAN_TEXT = """\
Old Tam (veteran); has seen it all
S
8/6/6/4, HD 6 of 10, HP 23 of 60, w 20
A spear + 2, D medium armor + light shield + 1
Speed 45 ft
Rush points 3
Thrown weapons 4
Wounds 12, 15
Spare light melee slashing reach + heavy shield, 40 ft
"""


@pytest.mark.parametrize("id", [*catalog.fighters(), *catalog.monsters()])
def test_every_shipped_sheet_survives_each_form(id: str, tmp_path: Path) -> None:
    sheet = sheet_of(id)
    (tmp_path / "sheet.txt").write_text(stat_block(sheet))
    (tmp_path / "sheet.json").write_text(json.dumps(as_data(sheet)))
    assert read_sheet(tmp_path / "sheet.json") == sheet
    line = catalog.stat_line(id)
    figures = {key: line[key] for key in ("might", "heart", "hp", "size") if key in line}
    again = read_sheet(tmp_path / "sheet.txt")
    assert figures.items() <= again.items()
    plain = [{**fields_of(one), "talents": [], "abilities": [], "team": "blue"} for one in (sheet, again)]
    for one in plain:
        one.pop("talents"), one.pop("abilities"), one.pop("parts", None)
    ours, theirs = (load_scenario({"fighter": [one, RED]}) for one in plain)
    stat_line = load_scenario({"fighter": [{"from": id, "team": "blue"}, RED]})
    assert ours.digest == theirs.digest == stat_line.digest


def test_a_stat_block_as_the_guide_prints_it() -> None:
    # Size; four dice, heart die, hit points, wound threshold; bonuses; then its abilities.
    lines = stat_block(sheet_of("phantom_knight")).splitlines()
    assert lines[:5] == PHANTOM.splitlines()
    assert [line.partition(":")[0] for line in lines[5:]] == ["Ghostly", "Punish Aggression", "Spectral Chains", "Fade"]
    assert stat_block(sheet_of("queen_rat")).startswith("Queen Rat; elite, the publisher's example\n")
    assert stat_block(sheet_of("ogre")).startswith("Ogre; standard, ours\n")
    assert "w /" in stat_block(sheet_of("skeleton")) and stat_block(sheet_of("ogre")).splitlines()[1] == "L"


def test_everything_that_a_sheet_can_say_is_written_and_read() -> None:
    written = stat_block(VETERAN)
    assert written.startswith(VETERAN_TEXT)
    assert "Quick (destiny): The fighter is 20 feet a round faster. It is 40 feet faster." in written
    assert read_stat_block(written, "here") == VETERAN


def test_an_attack_without_a_die_is_written_by_its_kind_and_range() -> None:
    weapon = {"size": "none", "attack_type": "ranged", "range": 30}
    sheet = read_stat_block(ARCHER, "here")
    assert (sheet["weapon"], sheet["defense_vs"]) == (weapon, {"piercing": 4})
    assert stat_block(sheet).startswith(ARCHER)
    assert stat_block(sheet_of("bandit_archer")).splitlines()[3] == "A ranged 30 ft + 5, D 2"


def test_a_text_written_by_hand_is_read() -> None:
    text = "Grim; a brute of our own\r\n\nL2\n 12/4/4/4, HD 8, HP 45, w /\nA maul + 3, D 5\nbowl over: knocks down\n"
    assert read_stat_block(text, "here") == {
        "id": "grim", "name": "Grim", "role": "a brute of our own", "size": "L2", "might": 12, "agility": 4,
        "cunning": 4, "presence": 4, "heart": 8, "hp": 45, "wound_threshold": 0, "weapon": "maul", "attack_bonus": 3,
        "defense_bonus": 5, "abilities": ["bowl_over"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        (1, "", "line 1: expected a name, as in 'Phantom Knight; elite', got ''."),
        (2, "XL", "line 2: expected a size, as in 'M', 'L' or 'L2', got 'XL'."),
        (3, "10/6/10, HD 10, HP 50, w 15", "line 3: expected dice and figures"),
        (3, "10/6/10/7, HD 10, HP 50, w 15", "presence: expected 2, 4, 6, 8, 10, 12 or 20, got 7."),
        (4, "A 6", "line 4: expected attack and defense, as in 'A 6, D 8', got 'A 6'."),
        (4, "A spaer, D 8", "line 4: got 'A spaer, D 8', but there is no weapon 'spaer' (did you mean 'spear'?)."),
        (4, "A 6, D havy armor", "but there is no armor or shield 'havy armor' (did you mean 'heavy armor'?)"),
        (5, "Fadde: away", "line 5: got 'Fadde: away', but a line begins with "),
        (4, "A light slashing, D 8", "here: weapon: attack_type is missing; expected melee, ranged, thrown or whip."),
        (5, "Speed fast", "line 5: got 'Speed fast', but 'fast' is not a whole number of at most 4 digits."),
        (4, "A ²+, D 8", "there is no weapon '²+'."),
        (4, "A 99999, D 8", "but '99999' is not a whole number of at most 4 digits."),
        (4, "A 6, D 8 (holy 4)", "here: defense_vs: expected a table of whole numbers from 0 to 30 by bludgeoning, "),
        (4, "A 6, D 8 (magic)", "but 'magic' is not a whole number of at most 4 digits."),
        (3, "10/6/10/4, HD 10, HP 99999, w 15", "expected dice and figures"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line: int, text: str, said: str) -> None:
    lines = [*PHANTOM.splitlines()[:4], "Fade: away"]
    lines[line - 1] = text
    with pytest.raises(ScenarioError) as caught:
        read_stat_block("\n".join(lines) if text else "", "here")
    assert said in str(caught.value) and str(caught.value).endswith(".") and "\n" not in str(caught.value)


def test_what_a_text_would_not_say_again_is_refused() -> None:
    said = r"^sheet 'veteran': expected names that can be read back from text, got one that cannot; write a JSON"
    with pytest.raises(ScenarioError, match=said):
        stat_block({**VETERAN, "role": "old; and grey", "name": "Tam; the elder"})


def test_a_sheet_is_checked_key_by_key() -> None:
    with pytest.raises(ScenarioError, match=r"here: unknown field 'migt' \(did you mean 'might'\?\), expected "):
        checked({**VETERAN, "migt": 4}, "here")
    with pytest.raises(ScenarioError, match=r"^here: heart is missing; expected heart and hp\.$"):
        checked({key: VETERAN[key] for key in ("might", "agility", "cunning", "presence")}, "here")
    with pytest.raises(ScenarioError, match=r"^here: talents: unknown talent 'clober' \(did you mean 'clobber'"):
        checked({**VETERAN, "talents": ["clober"]}, "here")


# -- in scenarios ----------------------------------------------------------------------------------------------------

SCENARIO = """
[[fighter]]
from = "sheets/{name}"
team = "blue"
hp = 30

[[fighter]]
from = "rogue"
team = "red"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    plain = {key: value for key, value in sheet_of("ogre").items() if key != "abilities"}
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "ogre.txt").write_text(stat_block(plain))
    (tmp_path / "sheets" / "ogre.json").write_text(json.dumps({"fighter": plain}))
    figures = "\n".join(f"{key} = {json.dumps(value)}" for key, value in plain.items())
    (tmp_path / "sheets" / "ogre.toml").write_text(f"[fighter]\n{figures}\n")
    return tmp_path


@pytest.mark.parametrize("kind", ["txt", "json", "toml"])
def test_a_scenario_names_a_sheet_and_overrides_it(folder: Path, kind: str) -> None:
    (folder / "fight.toml").write_text(SCENARIO.format(name=f"ogre.{kind}"))
    ogre = load_scenario(folder / "fight.toml").fighters[0]
    assert (ogre.agent, ogre.name, ogre.might, ogre.hp) == ("ogre_0", "Ogre", 10, 30)
    assert (ogre.attack_bonus, ogre.size) == (8, "large")


@pytest.mark.parametrize("name", ["../ogre.txt", "../sheets/../../ogre.txt", "/etc/ogre.txt", "sheets/ogre.txt"])
def test_a_sheet_outside_the_folder_is_refused_also_by_a_link(folder: Path, name: str) -> None:
    inside = folder / "inside"
    inside.mkdir()
    (inside / "sheets").symlink_to(folder / "sheets")
    (inside / "fight.toml").write_text(SCENARIO.replace("sheets/{name}", name))
    with pytest.raises(ScenarioError, match=r"from: expected a sheet in the scenario's folder, got '.*'\.$"):
        load_scenario(inside / "fight.toml")


# -- the command -----------------------------------------------------------------------------------------------------


def test_the_command_prints_a_sheet_in_both_forms(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", "phantom knight"]) == 0
    assert capsys.readouterr().out == stat_block(sheet_of("phantom_knight"))
    assert main(["sheet", "queen_rat", "--json"]) == 0
    held = json.loads(capsys.readouterr().out)
    assert held["fighter"] == sheet_of("queen_rat")
    assert held["effects"]["queen_rat.filthy_bite"]["effect"] == "A creature that it wounds is poisoned 2."
    assert main(["sheet", str(folder / "sheets" / "ogre.json")]) == 0
    assert capsys.readouterr().out == (folder / "sheets" / "ogre.txt").read_text()


@pytest.mark.parametrize(
    ("given", "said"),
    [("orge", "unknown fighter or monster 'orge' (did you mean 'ogre'?)"), ("none.json", "expected a")],
)
def test_the_command_refuses_in_a_sentence(given: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", given]) == BAD_INPUT
    assert said in capsys.readouterr().err


# -- with their abilities ----------------------------------------------------------------------------------------------


def owned(fighter: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """Return the abilities of a fighter, each with whether it is the destiny version."""
    scenario = {"fighter": [{"team": "blue", **fighter}, {"from": "rogue", "team": "red"}]}
    return [(ability.name, ability.destined) for ability in load_scenario(scenario).fighters[0].abilities]


def test_a_monster_brings_its_abilities_only_if_asked() -> None:
    asked = {"from": "giant_rat", "with_abilities": True}
    assert owned({"from": "giant_rat"}) == owned({**asked, "with_abilities": False}) == []
    assert owned(asked) == [("pack", False)]


def test_they_come_beside_those_that_a_fighter_lists_and_none_comes_twice() -> None:
    listed = {"talents": ["vampiric_mark"], "abilities": ["wolf.hamstring", "pack"]}
    brought = owned({"from": "giant_rat", "with_abilities": True, **listed})
    assert brought == [("vampiric_mark", False), ("wolf.hamstring", False), ("pack", False)]


def test_abilities_that_fights_do_not_play_are_left_out_with_one_warning() -> None:
    leg = {"from": "skittering_horror_leg", "id": "leg", "team": "blue", "with_abilities": True}
    wolf, ogre = {"from": "wolf", "team": "red", "with_abilities": True}, {"from": "ogre", "team": "red"}
    with pytest.warns(ScenarioWarning) as warned:
        loaded = load_scenario({"fighter": [leg, wolf, ogre]})
    assert [len(sheet.abilities) for sheet in loaded.fighters] == [1, 1, 0]
    assert [str(warning.message) for warning in warned] == [
        "scenario dict: fights do not play 'skittering_horror_leg.shudder' of leg_0 yet, and leave it out."
    ]
    assert warned[0].filename == __file__


def test_an_ability_without_what_it_needs_is_played_with_a_warning() -> None:
    with pytest.warns(ScenarioWarning) as warned:
        assert owned({"from": "giant_rat", "abilities": ["draconic_presence"]}) == [("draconic_presence", False)]
    assert [str(warning.message) for warning in warned] == [
        "scenario dict, fighter 1: 'draconic_presence' needs presence d12, but the scenario plays all the same."
    ]
    assert warned[0].filename == __file__


def test_a_sheet_in_a_file_brings_its_own(folder: Path) -> None:
    (folder / "sheets" / "rat.txt").write_text(
        stat_block({**sheet_of("giant_rat"), "abilities": ["pack", "martial_master"]})
    )
    scenario = SCENARIO.format(name="rat.txt")
    (folder / "fight.toml").write_text(scenario)
    with pytest.raises(ScenarioError, match="got 'martial_master', which is not implemented yet"):
        load_scenario(folder / "fight.toml")
    (folder / "fight.toml").write_text(scenario.replace("hp = 30", "with_abilities = true"))
    with pytest.warns(ScenarioWarning, match="fights do not play 'martial_master' of giantrat_0 yet"):
        loaded = load_scenario(folder / "fight.toml")
    assert [ability.name for ability in loaded.fighters[0].abilities] == ["pack"]


def test_a_sheet_with_abilities_says_how_a_scenario_brings_them_in(capsys: pytest.CaptureFixture[str]) -> None:
    """The hint goes to standard error, so the text can be kept as a sheet; a hydra's head has no abilities."""
    assert main(["sheet", "Phantom Knight"]) == 0
    kept, said = capsys.readouterr()
    assert 'from = "phantom_knight"' in said and "with_abilities = true beside it brings them." in said
    assert "with_abilities" not in kept
    assert (main(["sheet", "hydra_head"]), capsys.readouterr().err) == (0, "")

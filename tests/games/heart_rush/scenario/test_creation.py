"""Fighters against the creation rules: what experience buys, and the ranges of a monster's tier."""

import json
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.cli.main import BAD_INPUT, main
from heartrush_env.games.heart_rush.scenario.creation import Report, character_report, is_monster, monster_report
from heartrush_env.games.heart_rush.scenario.stat_blocks import completed, sheet_of

# d6 and d6, d4 and d4 to hand out, heart d8, 40 hit points: nothing bought.
BEGINNER = {"id": "novice", "might": 6, "agility": 4, "cunning": 6, "presence": 4, "heart": 8, "hp": 40}


def character(xp: int | None = None, **more: Any) -> Report:
    return character_report(completed({**BEGINNER, **more}), xp)


def monster(tier: str = "", **more: Any) -> Report:
    return monster_report(completed({**BEGINNER, "attack_bonus": 4, **more}), tier)


def beyond(report: Report) -> list[str]:
    return [finding.text for finding in report.findings if finding.beyond]


# -- prices ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "spent"),
    [  # The samples have spent 15 points; the sheet does not show the mage's 3 for another talent and 1 for an aspect.
        ("knight", 15), ("rogue", 15), ("archer", 15), ("duelist", 15), ("barbarian", 15), ("spear_guard", 15),
        ("mage", 11), ("healer", 15),
    ],
)  # fmt: skip
def test_the_samples_cost_what_the_book_says(id: str, spent: int) -> None:
    report = character_report(completed(sheet_of(id)), 15)
    assert report.legal and report.summary == f"{spent} of 15 experience points spent, bloodmark 1."


def test_a_knight_of_bloodmark_2_costs_30() -> None:
    # Might d6 to d8: 8. 40 to 50 hit points: 4 + 1. Three talents: 3, 4, 5. The first destiny level: 5.
    report = character(
        might=8, hp=50, armor="heavy", shield="heavy_shield", weapon="war_hammer", talents=["clobber", "last_stand"],
        destiny_talents=["iron_constitution"],
        abilities=["in_the_thick_of_it", "guardians_sacrifice", "violent_defense"],
    )  # fmt: skip
    assert report.legal and report.summary == "30 of 30 experience points spent, bloodmark 2."
    assert [finding.text for finding in report.findings[:4]] == [
        "dice 8/4/6/4: 8 experience points",
        "50 hit points: 5 experience points",
        "clobber, last_stand and iron_constitution: 12 experience points",
        "1 destiny level: 5 experience points",
    ]


@pytest.mark.parametrize(
    ("figures", "spent"),
    [
        ({}, 0),
        ({"might": 4, "agility": 6}, 0),  # the start's dice, handed out otherwise
        ({"agility": 6}, 6),  # a third d6
        ({"might": 10, "cunning": 8}, 8 + 10 + 8),
        ({"presence": 12}, 8 + 10 + 12 + 6),  # presence from d6, and one of the others up from d4
        ({"hp": 60}, 5 + 6),
        ({"hp": 60, "destiny_talents": ["hulking"]}, 3 + 5 + 3 + 4),  # each purchase 2 cheaper
        ({"talents": ["quick", "feint", "fury", "rage"]}, 3 + 4 + 5 + 6),
        ({"destiny_talents": ["quick", "feint"]}, 3 + 4 + 5 + 6),
        ({"destiny_talents": ["quick", "feint"], "abilities": ["versatile_training"]}, 2 + 3 + 3 + 4),
        # Three picks of a Martial Master count for nothing: here two destiny levels and one talent.
        ({"destiny_talents": ["quick", "feint"], "talents": ["fury"], "abilities": ["martial_master"]}, 3 + 4),
    ],
)
def test_prices(figures: dict[str, Any], spent: int) -> None:
    report = character(**figures)
    assert report.summary.startswith(f"{spent} of "), report.summary
    assert not beyond(report)


@pytest.mark.parametrize(
    ("figures", "bloodmark", "budget"),
    [
        ({"might": 8}, 1, 15),
        ({"might": 10}, 2, 30),
        ({"abilities": ["sentinel", "grappler"]}, 2, 30),
        ({"abilities": ["execute", "elusive"]}, 3, 50),
        ({"abilities": ["blitz"]}, 4, 80),
        ({"abilities": ["relentless"]}, 5, 120),
        ({"abilities": ["relentless", "veteran"]}, 6, 160),
        ({"heart": 10}, 7, 200),
    ],
)
def test_the_bloodmark_that_holds_a_character(figures: dict[str, Any], bloodmark: int, budget: int) -> None:
    report = character(**figures)
    assert report.summary.endswith(f" of {budget} experience points spent, bloodmark {bloodmark}.")
    assert report.legal


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({"attack_bonus": 2, "weapon": "rapier"}, "attack_bonus 2, 2 beyond 0"),
        ({"rush": 3}, "rush 3, 2 beyond 1"),
        ({"wound_threshold": 15}, "wound_threshold 15, 5 beyond 10"),
        ({"wound_threshold": 0}, "wound_threshold 0 (never), beyond 10"),
        ({"hp": 57}, "57 hit points, 7 beyond the 50 of whole purchases"),
        ({"might": 20}, "might d20, beyond d12, or the paragon 'titanic_strength'"),
        # 60, less 15 for heavy armor and 5 for a heavy weapon.
        ({"armor": "heavy", "weapon": "maul", "speed": 55},
         "speed 55, 15 feet beyond the 40 that its equipment leaves"),
        ({"abilities": ["pack"]}, "'pack', a monster's ability instead of one of the combat legacy"),
        ({"abilities": ["power_strike"]}, "'power_strike' needs 'brutal_attacks'"),
        ({"talents": ["bunker_down"]}, "'bunker_down' needs a shield"),
        ({"abilities": ["sentinel", "grappler", "called_shot"]},
         "3 specializations, 1 beyond the 2 that bloodmark 2 brings"),
    ],
)  # fmt: skip
def test_what_is_beyond_the_rules_is_said_with_its_measure(figures: dict[str, Any], said: str) -> None:
    assert beyond(character(**figures)) == [said]


@pytest.mark.parametrize(
    "figures",
    [
        {"wound_threshold": 20, "abilities": ["tough_as_nails", "i_didnt_feel_a_thing"]},
        {"might": 20, "abilities": ["titanic_strength"]},
        {"speed": 80, "talents": ["quick"], "weapon": "rapier"},
        {"speed": 100, "destiny_talents": ["quick"], "talents": ["juggernaut"], "armor": "heavy", "weapon": "maul"},
        {"speed": 30, "rush": 0},
    ],
)
def test_abilities_allow_more(figures: dict[str, Any]) -> None:
    assert not beyond(character(**figures))


def test_given_experience_is_the_limit() -> None:
    assert beyond(character(29, might=10, agility=6, abilities=["sentinel", "execute"])) == [
        "1 signature, 1 beyond the 0 that bloodmark 1 brings"
    ]
    assert beyond(character(20, might=10, agility=6)) == ["24 experience points spent, 4 beyond the 20 there are"]
    assert beyond(character(150, heart=10)) == ["heart d10, 50 experience points too early"]
    assert character(10**18, heart=20).legal


# -- tiers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tier", "figures", "said"),
    [
        ("elite", {"hp": 50, "wound_threshold": 15, "abilities": ["pack", "bowl_over"]}, []),
        ("minion", {"hp": 20, "wound_threshold": 0, "abilities": ["pack"]}, []),
        ("minion", {"hp": 22, "wound_threshold": 4, "abilities": []},
         ["hit points 22, 2 above 10 to 20", "wound threshold 4, 1 below 5 to 8"]),
        ("standard", {"hp": 25, "wound_threshold": 0, "abilities": ["pack"]},
         ["never wounded, which only minions may be"]),
        ("boss", {"hp": 300, "wound_threshold": 18, "abilities": ["pack", "bowl_over"]}, []),
        ("minion", {"hp": 10, "wound_threshold": 8, "abilities": ["pack", "bowl_over"]}, ["abilities 2, 1 above 1"]),
    ],
)  # fmt: skip
def test_a_monster_is_held_against_its_tier(tier: str, figures: dict[str, Any], said: list[str]) -> None:
    report = monster(tier, **figures)
    assert beyond(report) == said and report.summary == f"Tier {tier}."


@pytest.mark.parametrize(
    ("hp", "tier"), [(5, "minion"), (22, "minion"), (23, "standard"), (40, "standard"), (61, "boss")]
)
def test_the_nearest_tier_is_taken_where_none_is_named(hp: int, tier: str) -> None:
    assert monster(hp=hp).summary == f"Tier {tier}, by its hit points."


def test_flat_bonuses_make_a_monster() -> None:
    assert is_monster({"attack_bonus": 2}) and is_monster({"defense_bonus": 1, "weapon": "none"})
    assert is_monster({"weapon": "rapier", "abilities": ["pack"]})
    assert not is_monster({"attack_bonus": 2, "weapon": "rapier"}) and not is_monster({"abilities": ["sentinel"]})


# -- the command -----------------------------------------------------------------------------------------------------

FIGHT = """
[[fighter]]
from = "knight"
team = "blue"
rush = 2

[[fighter]]
from = "ogre"
team = "red"
"""


def test_a_scenario_is_checked_and_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "fight.toml"
    file.write_text(FIGHT)
    assert main(["check", str(file)]) == 1
    printed = capsys.readouterr().out
    assert "knight_0: a character\n  beyond  rush 2, 1 beyond 1\n" in printed
    assert "ogre_0: a monster\n  ok      hit points 40, within 25 to 40\n" in printed
    assert "  Tier standard.\n" in printed
    assert "  ok      abilities 0, 1 below 1 to 2\n" in printed, "`from` leaves abilities out"
    assert printed.endswith("1 of 2 beyond the creation rules; the scenario plays.\n")


PRINTED = """
[[fighter]]
from = "Knight"
team = "blue"
weapon = "War Hammer"
armor = "Heavy"
shield = "Heavy Shield"
size = "Medium"
talents = ["Cruelty", "fury"]
destiny_talents = ["Iron Constitution"]
abilities = ["In the Thick of It", "Brutal-Attacks", "Violent Defense"]
conditions = { "Off-Balanced" = 2 }

[[fighter]]
from = "Phantom Knight"
team = "red"
with_abilities = true

[[fighter]]
from = "Hydra"
team = "red"
parts = { "Hydra Head" = [2, 3] }
"""


@pytest.mark.filterwarnings("ignore::heartrush_env.tabletop.errors.ScenarioWarning")
def test_printed_names_are_checked_as_ids_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three talents cost 3, 4 and 5 points, a destiny version 5 more; a phantom knight has four abilities."""
    file = tmp_path / "printed.toml"
    file.write_text(PRINTED)
    assert main(["check", str(file)]) == 1
    printed = capsys.readouterr().out
    assert "  ok      cruelty, fury and iron_constitution: 12 experience points\n" in printed
    assert "  ok      1 destiny level: 5 experience points\n" in printed
    assert "  ok      2 specializations, within the 2 that bloodmark 2 brings\n" in printed
    assert "  beyond  abilities 4, 1 above 2 to 3\n" in printed, "with_abilities brings those of the stat block"
    assert "hydrahead_2: a monster\n" in printed


def test_a_sheet_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["sheet", "phantom_knight"])
    file = tmp_path / "phantom.txt"
    file.write_text(capsys.readouterr().out)
    assert main(["check", str(file), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)["phantomknight"]
    assert (report["kind"], report["legal"], report["summary"]) == ("monster", False, "Tier elite.")
    assert {"beyond": True, "text": "abilities 4, 1 above 2 to 3"} in report["findings"]


def test_a_list_of_fighters_without_teams_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "party.toml"
    figures = "\n".join(f"{key} = {json.dumps(value)}" for key, value in {**BEGINNER, "might": 8}.items())
    file.write_text(f"[[fighter]]\n{figures}\n\n[[fighter]]\n{figures}\n")
    assert main(["check", str(file)]) == 0
    said = "  8 of 15 experience points spent, bloodmark 1.\n\nAll within the creation rules.\n"
    assert capsys.readouterr().out.endswith(said)
    assert main(["check", str(file), "--xp", "7"]) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            FIGHT.replace("rush = 2", "rush = 99"),
            "rush: expected a whole number from 0 to 20 (rush points of the first round), got 99",
        ),
        (FIGHT.replace("red", "blue"), "expected at least two teams, got only 'blue'"),
        ("[fighter]\nmight = 4\n", "agility is missing; expected agility, cunning, presence, heart and hp"),
        ("", "expected a table 'fighter' with a sheet"),
    ],
)
def test_a_file_that_no_fight_can_hold_is_refused(
    content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "broken.toml"
    file.write_text(content)
    assert main(["check", str(file)]) == BAD_INPUT
    assert said in capsys.readouterr().err

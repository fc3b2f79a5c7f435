"""Advancement: prices of what a character may take next, and random characters and parties within the rules."""

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.cli.main import BAD_INPUT, main
from heartrush_env.games.heart_rush.rules.abilities import SLOTS
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import LISTS, abilities
from heartrush_env.games.heart_rush.scenario.advancement import purchases, random_character, random_party
from heartrush_env.games.heart_rush.scenario.creation import character_report
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.scenario.stat_blocks import completed
from heartrush_env.tabletop.errors import ScenarioError

BEGINNER = {"id": "novice", "might": 6, "agility": 4, "cunning": 6, "presence": 4, "heart": 8, "hp": 40}


def offered(xp: int, **more: Any) -> dict[tuple[str, str], int]:
    """Return the costs of all that a character may take next, by kind and name."""
    return {(kind, name): cost for kind, name, cost, _ in purchases(completed({**BEGINNER, **more}), xp)}


def kinds(xp: int, **more: Any) -> set[str]:
    return {kind for kind, _ in offered(xp, **more)}


@pytest.mark.parametrize(
    ("more", "kind", "name", "cost"),
    [
        ({}, "die", "might d8", 8),  # the size of the new die
        ({}, "die", "presence d6", 6),
        ({}, "hit points", "50 hit points", 40 // 10 + 1),
        ({"hp": 60}, "hit points", "70 hit points", 60 // 10 + 1),
        ({}, "talent", "quick", 3),  # three, and one for each talent
        ({"talents": ["rage", "fury"]}, "talent", "quick", 5),
        ({"talents": ["rage"], "destiny_talents": ["fury"]}, "talent", "quick", 5),
        ({"talents": ["rage"]}, "destiny level", "rage", 5),  # five, and one for each destiny level
        ({"talents": ["rage"], "destiny_talents": ["fury"]}, "destiny level", "rage", 6),
        ({"hp": 60, "talents": ["hulking"]}, "destiny level", "hulking", 5 - 2 * 2),  # two purchases, each 2 cheaper
    ],
)
def test_prices_of_the_next_purchase(more: dict[str, Any], kind: str, name: str, cost: int) -> None:
    assert offered(30, **more)[kind, name] == cost


def test_a_purchase_brings_the_fields_with_it() -> None:
    found = {name: after for _, name, _, after in purchases(completed({**BEGINNER, "talents": ["rage", "fury"]}), 30)}
    assert (found["might d8"]["might"], found["50 hit points"]["hp"]) == (8, 50)
    assert (found["rage"]["talents"], found["rage"]["destiny_talents"]) == (["fury"], ["rage"])
    assert found["quick"]["talents"] == ["rage", "fury", "quick"]


def test_what_a_character_may_not_take_is_not_offered() -> None:
    names = {name for _, name in offered(15, might=12, destiny_talents=["rage"])}
    assert names.isdisjoint({"might d14", "might d20", "rage"})  # the largest die, and both versions owned
    assert "shield_master" not in names and ("talent", "shield_master") in offered(15, shield="light_shield")
    assert ("talent", "lockdown") in offered(15) and not offered(15, talents=["lockdown"]).get(("talent", "lockdown"))


def test_the_combat_legacy_is_free_and_limited_by_the_bloodmark() -> None:
    assert kinds(5).isdisjoint({"specialization", "signature", "mastery", "paragon"})
    assert "specialization" in kinds(15) and "signature" not in kinds(15)
    assert "specialization" not in kinds(15, abilities=["brutal_attacks"])
    assert offered(30, abilities=["brutal_attacks"])["signature", "power_strike"] == 0
    assert ("signature", "power_strike") not in offered(30)  # it needs Brutal Attacks
    assert ("paragon", "veteran") not in offered(120) and ("paragon", "veteran") in offered(160)  # bloodmark 6


@pytest.mark.parametrize("xp", [0, 5, 15, 30, 50, 80, 120, 160, 500])
def test_random_characters_are_legal_and_spend_what_they_can(xp: int) -> None:
    for seed in range(8):
        character = random_character(seed, xp)
        report = character_report(completed(character), xp)
        assert report.legal, [finding.text for finding in report.findings if finding.beyond]
        cheapest = min(cost for kind, _, cost, _ in purchases(completed(character), xp) if kind == "hit points")
        assert report.spent <= xp < report.spent + cheapest
        assert sum(len(character[key]) for key in LISTS) <= SLOTS


def test_random_characters_are_the_same_for_a_seed_and_differ_between_seeds() -> None:
    assert random_character(3, 50) == random_character(3, 50)
    assert len({json.dumps(random_character(seed, 50)) for seed in range(20)}) == 20
    owned = {id for seed in range(40) for key in LISTS for id in random_character(seed, 120)[key]}
    assert {abilities()[id].kind for id in owned} >= {"martial", "handmagic", "specialization", "signature", "paragon"}


def test_random_parties_are_of_equal_experience_and_load_without_a_warning() -> None:
    sizes = set()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seed in range(12):
            fighters = load_scenario(f"random_party:{seed}").fighters
            sizes.add(len(fighters))
            assert [fighter.team for fighter in fighters].count("blue") * 2 == len(fighters)
    assert sizes == {2, 4, 6}
    reports = [character_report(completed(fighter)) for fighter in random_party(4)["fighter"]]
    marks = [mark["xp"] for mark in catalog.data("creation.toml")["bloodmark"]]
    assert all(report.legal for report in reports) and max(report.spent for report in reports) <= max(marks) + 80


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: random_character(-1, 5), "random character: seed: expected 0 or more, got -1."),
        (lambda: random_character(1, -5), "random character: xp: expected 0 or more, got -5."),
        (lambda: random_party(-1), "random party: seed: expected 0 or more, got -1."),
    ],
)
def test_negative_seeds_and_experience_are_refused(make: Any, words: str) -> None:
    with pytest.raises(ScenarioError) as error:
        make()
    assert str(error.value) == words


def test_check_lists_what_a_character_may_take_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", "random", "--xp", "30", "--seed", "7"]) == 0
    file = tmp_path / "hero.txt"
    file.write_text(capsys.readouterr().out)
    assert main(["check", str(file), "--xp", "50", "--next"]) == 0
    shown = capsys.readouterr().out
    assert "experience points left:" in shown and "  signature (free): " in shown
    assert main(["check", str(file), "--xp", "50", "--next", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out).values()
    assert {purchase["kind"] for purchase in found["next"]} >= {"die", "hit points", "talent", "signature"}


def test_a_monster_has_no_next_purchase(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", "wolf"]) == 0
    file = tmp_path / "wolf.txt"
    file.write_text(capsys.readouterr().out)
    assert main(["check", str(file), "--next"]) == 0
    assert "left:" not in capsys.readouterr().out


def test_a_seed_needs_a_random_character(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", "knight", "--seed", "7"]) == BAD_INPUT
    assert (
        "sheet: expected --xp, --seed and --homebrew only for 'random', got them for 'knight'."
        in capsys.readouterr().err
    )

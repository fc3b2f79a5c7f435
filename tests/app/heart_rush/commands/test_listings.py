"""`heartrush list`: everything that has a name is listed from the live objects, readably and completely."""

import json
import re
import sys
from typing import Any

import pytest

from heartrush_env.app.heart_rush.commands.listings import LISTINGS
from heartrush_env.games.heart_rush.encoding.features import feature_names
from heartrush_env.games.heart_rush.encoding.shapes import SHAPES, Shape
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from tests.app.cli.running import Out, refusal, run
from tests.envs.test_bad_input import RED, fight, fighter


def listed(capsys: Out, *words: str) -> str:
    assert run("list", *words) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    return shown.out


@pytest.mark.parametrize("name", LISTINGS)
def test_a_listing_is_a_table_and_json(name: str, capsys: Out) -> None:
    head, *lines = listed(capsys, name).splitlines()
    items = json.loads(listed(capsys, name, "--json"))[name]
    assert len(lines) == len(items) > 2, "in a pipe each item is one line"
    assert head.split("  ")[0] == next(iter(LISTINGS[name].columns))
    assert "None" not in "".join(lines) and "\x1b" not in head


@pytest.mark.parametrize("name", LISTINGS)
def test_a_listing_fits_a_terminal(name: str, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    lines = listed(capsys, name).splitlines()
    assert max(map(len, lines)) <= 80
    whole = " ".join(" ".join(lines).split())
    for row in LISTINGS[name].rows():
        assert " ".join(row[0].split()) in whole and all(word in whole for word in row[-1].split())


def test_everything_is_listed_with_its_figures() -> None:
    kinds: dict[str, Any] = {
        "fighters": catalog.fighters(), "monsters": catalog.monsters(), "weapons": catalog.arms(),
        "weapon_sizes": catalog.weapon_sizes(), "armors": catalog.armors(), "shields": catalog.shields(),
        "sizes": catalog.sizes(), "conditions": catalog.conditions(),
    }  # fmt: skip
    for name, known in kinds.items():
        assert [item["id"] for item in LISTINGS[name].items()] == list(known)
    assert [item["glyph"] for item in LISTINGS["terrain"].items()] == list(catalog.terrain())
    assert [item["name"] for item in LISTINGS["scenarios"].items()] == list(shipped_scenarios())


def test_the_actions_of_a_shape_are_listed_in_their_order() -> None:
    """The duel's table begins with pass and the four stances, and an attack follows the 28 actions without a target."""
    duel = [item for item in LISTINGS["actions"].items() if item["shape"] == "duel"]
    assert [item["action"] for item in duel] == list(range(55))
    stances = [f"stance {name}" for name in ("might", "agility", "cunning", "defensive")]
    assert [item["name"] for item in duel[:5]] == ["pass", *stances] and duel[28]["name"] == "attack 1"
    assert {item["shape"] for item in LISTINGS["actions"].items()} == set(SHAPES)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=lambda shape: shape.name)
def test_every_number_of_an_observation_is_a_listed_feature(shape: Shape) -> None:
    listed = {item["feature"] for item in LISTINGS["features"].items()}
    owner, square = re.compile(r"^(self|enemy \d+|ally \d+|object \d+) "), re.compile(r"^square -?\d+,-?\d+")
    for name in feature_names(shape, turns=True):
        assert square.sub("square X,Y", owner.sub("", name)) in listed, name


@pytest.mark.parametrize("id", [*catalog.fighters(), *catalog.monsters()])
def test_the_figures_of_a_fighter_are_those_that_it_fights_with(id: str) -> None:
    items = {item["id"]: item for item in (*LISTINGS["fighters"].items(), *LISTINGS["monsters"].items())}
    sheet = load_scenario(fight({"from": id, "team": "blue"}, RED)).fighters[0]
    item = items[id]
    for key in ("might", "agility", "cunning", "presence", "heart", "hp", "size", "attack_bonus", "wound_threshold"):
        assert item[key] == getattr(sheet, key), key
    assert catalog.armors()[item["armor"]].defense_bonus + item["defense_bonus"] == sheet.armor
    weapon = item.get("weapon", sheet.weapon.id)
    if isinstance(weapon, dict):  # made of properties, such as one that shoots 30 feet
        assert {key: getattr(sheet.weapon, key) for key in weapon} == weapon
    else:
        assert weapon == sheet.weapon.id


@pytest.mark.parametrize("key", ["size", "armor", "shield", "attack_bonus", "defense_bonus", "wound_threshold", "rush"])
def test_a_default_on_the_page_is_the_one_that_is_played(key: str) -> None:
    usual = {item["field"]: item["default"] for item in LISTINGS["fields"].items() if item["table"] == "fighter"}
    on_map = {"battlefield": {"map": ["...."]}}
    red, plain = {**RED, "at": [3, 0]}, fighter(at=[0, 0])
    given = load_scenario(fight({**plain, key: usual[key]}, red, **on_map))
    assert given.digest == load_scenario(fight(plain, red, **on_map)).digest


def test_lists_are_named_as_people_write_them(capsys: Out) -> None:
    assert listed(capsys, "Weapon") == listed(capsys, "weapons")
    assert listed(capsys, "weapon sizes") == listed(capsys, "weapon_sizes")
    assert listed(capsys, "Enemies") == listed(capsys, "enemies")
    said = refusal(capsys, "list weapons sword")
    assert "expected a name after `enemies` only, got 'sword' after weapons." in said
    said = refusal(capsys, "list wepons")
    assert "unknown list 'wepons' (did you mean 'weapons'?), expected fields, fighters" in said
    overview = listed(capsys)
    assert all(re.search(rf"^{name} ", overview, re.M) for name in LISTINGS)
    assert json.loads(listed(capsys, "--json"))["lists"].keys() == {*LISTINGS, "enemies"}


def test_a_character_is_described_by_its_id_or_its_name(capsys: Out) -> None:
    for given in ("berserker", "Berserker", "Hrolf Redhand", "hrolf redhand"):
        assert listed(capsys, "enemies", given).startswith("Hrolf Redhand (berserker)\n"), given
    assert "unknown character 'Hrolf Redhant'" in refusal(capsys, "list enemies", "Hrolf Redhant")

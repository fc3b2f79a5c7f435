"""The reader of an invented game's scenarios: sample fighters, agents, settings and squares, all faults at once."""

from pathlib import Path
from typing import Any

import pytest

from heartrush_env.tabletop.errors import HeartRushError, ScenarioError
from heartrush_env.tabletop.scenario.library import Library
from heartrush_env.tabletop.scenario.reader import Ground, Reader, TableScenario
from heartrush_env.tabletop.scenario.settings import Settings
from heartrush_env.tabletop.validate import Faults, whole

FIGHTERS = 'field_mouse = { hp = 2 }\ncat = { hp = 9, team = "cats" }\n'
BARN = 'name = "barn"\nrounds = 4\n[[fighter]]\nfrom = "field_mouse"\nteam = "mice"\n[[fighter]]\nfrom = "cat"\n'
SETTINGS = Settings({"rounds": {"meaning": "the last round", "number": [9, 1, 20]}})


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """Return the reader of a package with one scenario; it refuses fighters with 7 hit points."""
    scenarios = tmp_path / "barnyard" / "data" / "scenarios"
    scenarios.mkdir(parents=True)
    (tmp_path / "barnyard" / "__init__.py").write_text("")
    (scenarios.parent / "fighters.toml").write_text(FIGHTERS)
    (scenarios / "barn.toml").write_text(BARN)
    monkeypatch.syspath_prepend(str(tmp_path))

    def complete(fighter: dict[str, Any], where: str) -> dict[str, Any]:
        if fighter["hp"] == 7:
            raise ScenarioError(f"{where}: expected any other number, got 7.")
        return fighter

    def check(scenario: TableScenario, where: str, faults: Faults) -> None:
        with faults.caught():
            if scenario.rules["rounds"] == 13:
                raise ScenarioError(f"{where}: expected a lucky number, got 13.")

    ground = Ground(4, 2, {".": "straw", "#": "wall"}, blocked="#")
    fields = {"rounds": whole(1, 20)}
    return Reader(Library("barnyard"), SETTINGS, fields, {"hp": whole(1, 9)}, {"hp": 5}, 4, 2, ground, complete, check)


def mice(*more: dict[str, Any], field: list[str] | None = None, **options: Any) -> dict[str, Any]:
    """Return a scenario of a cat and these fighters of the mice."""
    fighters = [{"from": "cat"}, *({"team": "mice", **one} for one in more)]
    return {"fighter": fighters, **options, **({} if field is None else {"battlefield": {"map": field}})}


def test_a_shipped_scenario_is_read_by_its_name(reader: Reader) -> None:
    scenario = reader.read("barn", {})
    assert (scenario.name, scenario.sides, scenario.map) == ("barn", ("mice", "cats"), None)
    assert [(it["agent"], it["hp"]) for it in scenario.fighters] == [("fieldmouse_0", 2), ("cat_0", 9)]
    assert scenario.rules == {"rounds": 4} and reader.read("barn", {"rounds": 6}).rules == {"rounds": 6}


def test_fighters_of_one_name_are_numbered(reader: Reader) -> None:
    scenario = reader.read(mice({"from": "field_mouse"}, {}, {"from": "field_mouse", "hp": 3}), {})
    shown = [(it["agent"], it["hp"]) for it in scenario.fighters]
    assert shown == [("cat_0", 9), ("fieldmouse_0", 2), ("fighter_0", 5), ("fieldmouse_1", 3)]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("shed", "unknown scenario 'shed', expected barn, a path ending in .toml or a dict."),
        ({"fighter": [{"from": "cat"}]}, "scenario: expected 2 to 4 fighters, got 1."),
        (mice({"from": "dog"}), "scenario, fighter 2: unknown fighter 'dog'"),
        (mice({"hp": 7}), "scenario, fighter 2: expected any other number, got 7."),
        (mice({}, rounds=13), "scenario: expected a lucky number, got 13."),
        ({"fighter": [{"from": "cat"}, {"hp": 1}]}, "scenario, fighter 2: expected a team, got a fighter without one."),
        ({"fighter": [{"from": "cat"}] * 2}, "scenario: expected fighters of 2 teams, got cats."),
        (mice({"at": [0, 0]}), "scenario: fighter_0: at: expected no square without a map, got (0, 0)."),
        (mice({}, field=["..#."]), "scenario: cat_0: at: expected a square, because there is a map, got None."),
        (mice({"at": [2, 0]}, field=["..#."]), "fighter_0: at: expected an open square of the map, got [2, 0]."),
        (mice({"at": [4, 0]}, field=["..#."]), "fighter_0: at: expected an open square of the map, got [4, 0]."),
        (mice({"at": [1, 0]}, {"at": [1, 0]}, field=["...."]), "fighter_1: at: expected a free square, got that of"),
        (mice({}, field=["....", "..."]), "scenario, battlefield: map: expected 4 squares in row 1"),
    ],
)
def test_a_fault_is_told_in_a_sentence(reader: Reader, given: Any, why: str) -> None:
    with pytest.raises(HeartRushError) as refused:
        reader.read(given, {})
    assert why in str(refused.value)


def test_faults_of_all_fighters_are_told_at_once(reader: Reader) -> None:
    with pytest.raises(ScenarioError) as refused:
        reader.read(mice({"hp": 0}, {"hp": 10, "tail": 1}), {})
    said = str(refused.value)
    assert (
        "fighter 2: hp: expected" in said
        and "fighter 3: hp: expected" in said
        and "fighter 3: unknown field 'tail'" in said
    )

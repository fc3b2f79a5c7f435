"""Changes to scenarios by the path of a field, sweeps, and the sides of an encounter."""

from typing import Any

import pytest
from heartrush_agents import AgentError

from heartrush_env.app.encounters.answers import Amount
from heartrush_env.app.encounters.changes import Sweep, change, id_of, read_sweep, variants
from heartrush_env.app.encounters.players import ONE
from heartrush_env.app.encounters.sides import encounter
from heartrush_env.app.encounters.sweeping import sweep, sweep_text
from heartrush_env.games.heart_rush.scenario.load import load_scenario, scenario_table
from heartrush_env.tabletop.errors import ScenarioError

ORCS: dict[str, Any] = {
    "name": "orcs",
    "heroes": ["blue"],
    "fighter": [
        {"from": "knight", "team": "blue", "hp": 9},
        {"id": "orc", "name": "Grom", "from": "orc_warrior", "team": "red", "hp": 9},
        {"id": "orc", "from": "orc_warrior", "team": "red", "hp": 9},
        {"from": "giant_rat", "team": "red", "hp": 9},
    ],
}


def ids(table: dict[str, Any]) -> list[str]:
    return [id_of(fighter) for fighter in table["fighter"]]


@pytest.mark.parametrize(
    ("text", "path", "values"),
    [
        ("orc.count=2,3,4", "orc.count", (2, 3, 4)),
        ("rules.zero_hp=all_out,all_choose", "rules.zero_hp", ("all_out", "all_choose")),
        ("orc.weapon='war hammer', maul", "orc.weapon", ("war hammer", "maul")),
        ("orc.wounds=[3, 4],[]", "orc.wounds", ([3, 4], [])),
        ("rules.levels=true,false", "rules.levels", (True, False)),
    ],
)
def test_sweeps_are_read(text: str, path: str, values: tuple[Any, ...]) -> None:
    assert read_sweep(text) == Sweep(path, values)


@pytest.mark.parametrize("text", ["orc.count", "=2,3", "orc.count="])
def test_a_sweep_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(ScenarioError, match=r"Expected a sweep such as orc\.count=2,3,4, got"):
        read_sweep(text)


def test_a_field_of_all_fighters_with_an_id_changes() -> None:
    changed = change(ORCS, "orc.hp", 30)
    assert [fighter["hp"] for fighter in changed["fighter"]] == [9, 30, 30, 9]
    assert [fighter["hp"] for fighter in ORCS["fighter"]] == [9] * 4, "the table itself does not"
    assert change(ORCS, "giantrat.conditions.prone", 1)["fighter"][3]["conditions"] == {"prone": 1}


def test_fields_of_the_scenario_and_its_settings_change() -> None:
    assert change(ORCS, "max_rounds", 7)["max_rounds"] == 7
    talkative = change({**ORCS, "rules": {"levels": True}}, "rules.talk", "open")
    assert talkative["rules"] == {"levels": True, "talk": "open"}


@pytest.mark.parametrize(
    ("count", "found"),
    [
        (0, ["knight", "giantrat"]),
        (1, ["knight", "orc", "giantrat"]),
        (2, ["knight", "orc", "orc", "giantrat"]),
        (4, ["knight", "orc", "orc", "orc", "orc", "giantrat"]),
    ],
)
def test_the_number_of_a_kind_changes_in_its_place(count: int, found: list[str]) -> None:
    changed = change(ORCS, "orc.count", count)
    assert ids(changed) == found
    assert len(load_scenario(changed).fighters) == len(found)


def test_another_of_a_kind_on_a_map_stands_on_the_nearest_free_square() -> None:
    """The serpent is two squares wide, with the knight on its left and a wall on its right."""
    table = {
        "name": "cave",
        "battlefield": {"map": ["...#..", "...#..", "......", "......"]},
        "fighter": [
            {"from": "knight", "team": "blue", "at": [0, 0]},
            {"from": "sand_serpent", "team": "red", "at": [1, 0]},
        ],
    }
    changed = change(table, "sandserpent.count", 3)
    assert [fighter["at"] for fighter in changed["fighter"]] == [[0, 0], [1, 0], [0, 2], [2, 2]]
    load_scenario(changed)
    with pytest.raises(ScenarioError, match="expected a free square for another sandserpent"):
        change(table, "sandserpent.count", 6)


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("ork.hp", 3, r"ork.hp: unknown fighter or table 'ork' \(did you mean 'orc'\?\)"),
        ("orc.count", -1, "orc.count: expected a whole number from 0 to 16, got -1"),
        ("orc.count", "two", "orc.count: expected a whole number from 0 to 16, got 'two'"),
    ],
)
def test_changes_that_cannot_be_made_are_refused(path: str, value: Any, says: str) -> None:
    with pytest.raises(ScenarioError, match=says):
        change(ORCS, path, value)


def test_sweeps_are_combined() -> None:
    found = variants(ORCS, [Sweep("orc.count", (1, 2)), Sweep("orc.hp", (5, 6))])
    assert [list(given.values()) for given, _ in found] == [[1, 5], [1, 6], [2, 5], [2, 6]]
    assert ids(found[0][1]) == ["knight", "orc", "giantrat"] and found[3][1]["fighter"][1]["hp"] == 6
    with pytest.raises(ScenarioError, match="at most 100 combinations"):
        variants(ORCS, [Sweep("orc.hp", tuple(range(11))), Sweep("orc.heart", tuple(range(10)))])


def test_a_sweep_simulates_each_value_with_the_same_dice() -> None:
    done: list[tuple[int, int]] = []

    def seat(table: Any) -> Any:
        return {ONE: encounter(table, heroes="might", monsters="might")}

    how = Amount(seed=5, fights=3, processes=1)
    found = sweep(
        change(ORCS, "giantrat.count", 0), [Sweep("orc.count", (1, 2, 1))], seat, how, lambda *at: done.append(at)
    )
    assert [each["values"] for each in found] == [{"orc.count": 1}, {"orc.count": 2}, {"orc.count": 1}]
    assert found[0] == found[2] and found[0]["rounds"] != found[1]["rounds"]
    assert done == [(3, 9), (6, 9), (9, 9)]
    head, *lines = sweep_text(found).splitlines()[2:]
    assert head.split()[:2] == ["orc.count", "band"] and [line.split()[0] for line in lines] == ["1", "2", "1"]


def test_the_party_is_the_heroes_or_the_team_that_is_named() -> None:
    assert encounter(ORCS).heroes == ("knight_0",)
    assert encounter(ORCS, party="red").heroes == ("orc_0", "orc_1", "giantrat_0")
    for heroes, what in ([], "no heroes"), (["blue", "red"], "heroes on every side"):
        with pytest.raises(ScenarioError, match=f"'orcs': name the party's team .*, since the scenario has {what}"):
            encounter({**ORCS, "heroes": heroes})
    with pytest.raises(
        ScenarioError, match=r"party: expected a team of 'orcs' \(blue or red\), got 'rad' \(did you mean 'red'\?\)"
    ):
        encounter(ORCS, party="rad")


def test_each_team_has_its_agent() -> None:
    met = encounter(ORCS, heroes="might", monsters="cunning", agents={"red": "uniform"})
    assert {team: agent.id for team, agent in met.agents.items()} == {"blue": "might", "red": "uniform"}
    with pytest.raises(AgentError, match=r"Expected a team of 'orcs' \(blue or red\), got 'green'"):
        encounter(ORCS, agents={"green": "uniform"})


def test_a_scenarios_table_is_what_its_file_says() -> None:
    assert scenario_table("brawl")["fighter"][1] == {"from": "rogue", "team": "blue"}
    assert scenario_table({"fighter": []})["name"] == "scenario"
    assert load_scenario(scenario_table("ambush")).digest == load_scenario("ambush").digest

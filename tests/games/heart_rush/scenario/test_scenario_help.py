"""Help for a scenario's author: all faults at once, names as people write them, a warning of unreachable enemies."""

import copy
import random
import tomllib
import warnings
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.cli.main import BAD_INPUT, main
from heartrush_env.games.heart_rush.scenario import catalog, fields
from heartrush_env.games.heart_rush.scenario.battlefield import battlefield_fields
from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.tabletop.errors import HeartRushError, RulesError, ScenarioError, ScenarioWarning
from heartrush_env.tabletop.validate import MOST_LISTED, Field, look_up
from tests.envs.test_bad_input import RED, fight, fighter


def faults(scenario: Any, rules: Any = None) -> list[str]:
    """Return the faults for which a scenario is refused, each a sentence; the message lists them."""
    with pytest.raises(HeartRushError) as caught:
        load_scenario(scenario, rules)
    found = [str(fault) for fault in caught.value.faults or [caught.value]]
    for sentence in found:
        assert sentence in str(caught.value) and sentence.endswith(".") and "\n" not in sentence
    return found


# -- all faults at once ----------------------------------------------------------------------------------------------

LAIR = """
victory = "first_blood"
heroes = "bleu"
max_rounds = 0
colour = "grey"

[rules]
talking = "open"
advantage_cap = 99

[battlefield]
light = "dusky"
map = ["....", "..?.", ".!?."]

[[fighter]]
id = "Knight"
team = "blue"
might = 7
agility = 6
cunning = 6
presence = 6
heart = 8
hp = 40
weapon = "longsord"
conditions = { dazd = 1, prone = 2 }
at = [0, 0]

[[fighter]]
from = "rouge"
team = "red"
at = [9, 9]

[[fighter]]
id = "archer"
team = "red"
wounds = [60, 60]
hp = 100
hp_now = 500
spare_shield = "light_shield"
at = [1, 1]
"""

ALL_THAT_IS_WRONG = [
    "got 'first_blood'",
    "max_rounds: expected a whole number from 1 to ",
    "unknown field 'colour'",
    "[rules]: unknown setting 'talking'",
    "[rules]: advantage_cap: expected a whole number from 0 to 10 (levels), got 99",
    "[battlefield]: light: expected bright, dim or dark, got 'dusky'",
    "got '?' in row 1, column 2",
    "got '!' in row 2, column 1",
    "fighter 1 (Knight): id: expected a word of at most 100 lower-case letters",
    "fighter 1 (Knight): might: expected 2, 4, 6, 8, 10, 12 or 20, got 7",
    "fighter 1 (Knight): weapon: expected ",
    "got 'rouge' (did you mean 'rogue'?)",
    "fighter 3 (archer): spare_shield needs spare_weapon",
    "fighter 3 (archer): might is missing; expected might, agility, cunning, presence and heart",
    "got 'bleu' (did you mean 'blue'?)",
    "fighter 1 (Knight): conditions: unknown condition 'dazd'",
    "fighter 1 (Knight): conditions: prone: expected a whole number from 1 to 1",
    "fighter 3 (archer): wounds: expected a sum below the 100 hp, got 120",
    "fighter 3 (archer): hp_now: expected a whole number",
]


def test_all_faults_of_a_file_come_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lair.toml"
    file.write_text(LAIR)
    found = faults(file)
    for part in ALL_THAT_IS_WRONG:
        assert sum(part in fault for fault in found) == 1, (part, found)
    assert len(found) == len(ALL_THAT_IS_WRONG), found
    assert all(fault.startswith(str(file)) for fault in found)
    assert main(["fight", str(file)]) == BAD_INPUT
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"heartrush: {file} has {len(found)} faults:" and len(lines) == 1 + len(found)


def test_what_hangs_on_a_fault_is_no_fault() -> None:
    """A bad value is reported, and nothing that would only follow from it."""
    for given in (
        {"hp": 0, "hp_now": 2000 - 1500, "wounds": [30]},
        {"heart": 7, "heart_now": 12},
        {"team": "Blue"},
        {"spare_weapon": "dager", "spare_shield": "none", "at": [0, 0]},
        {"at": [0], "from": "knight"},
        {"size": "biggish", "at": [3, 0]},
        {"from": "rouge", "hp": 30, "at": [0, 0]},
    ):
        field = {"battlefield": {"map": ["......"] * 3}} if "at" in given else {}
        red = {**RED, "at": [5, 2]} if field else RED
        found = faults(fight(fighter(**given), red, heroes="blue" if "team" not in given else [], **field))
        assert len(found) == 1, found


def test_one_fault_is_raised_as_it_is_and_several_as_their_kind() -> None:
    with pytest.raises(ScenarioError) as caught:
        load_scenario(fight(fighter(might=7), RED))
    assert not caught.value.faults and str(caught.value).count("\n") == 0
    for scenario, rules, kind in (
        (fight(fighter(might=7), {**RED, "might": 7}), {}, ScenarioError),
        ("duel", {"talks": 1, "edition": "june"}, RulesError),
        (fight(fighter(might=7), RED), {"edition": "june"}, ScenarioError),
    ):
        with pytest.raises(HeartRushError) as several:
            load_scenario(scenario, rules)
        assert type(several.value) is kind and len(several.value.faults) == 2


def test_places_are_checked_for_everybody() -> None:
    rows = ["...", ".#.", "..."]
    at = {(1, 1): "is wall", (3, 0): "got column 3, row 0", (0, 0): "", (0, 1): ""}
    found = faults(fight(*(fighter(at=list(place)) for place in at), {**RED, "at": [0, 1]}, battlefield={"map": rows}))
    assert [any(part in fault for fault in found) for part in (*filter(None, at.values()), "already in")] == [True] * 3
    assert len(found) == 3


def test_the_list_of_faults_ends() -> None:
    with pytest.raises(ScenarioError) as caught:
        load_scenario(fight(*[fighter(might=7, agility=7, cunning=7, presence=7)] * 7, RED))
    assert len(caught.value.faults) == 28 and "\n  and 3 more." in str(caught.value)
    assert str(caught.value).count("\n") == MOST_LISTED + 1


# -- names as people write them --------------------------------------------------------------------------------------


def same(one: Any, other: Any) -> Scenario:
    """Check that two ways to write a scenario give the same one, and return it."""
    loaded = load_scenario(one)
    assert loaded == load_scenario(other)
    return loaded


@pytest.mark.parametrize("written", ["long sword", "long_sword", "Long-Sword", "LONGSWORD", " longsword "])
def test_a_weapon_is_named_as_people_write_it(written: str) -> None:
    same(fight(fighter(weapon=written), RED), fight(fighter(weapon="longsword"), RED))


def test_every_kind_of_name_is_taken_as_people_write_it() -> None:
    written = {
        "victory": "First Down", "round_cap": "HP", "rules": {"zero_hp": "all out", "edition": "June 2025"},
        "battlefield": {"map": ["......"] * 3, "light": "Dim"},
        "fighter": [
            {"from": "Spear-Guard", "team": "blue", "at": [0, 0], "armor": "Heavy", "shield": "heavy shield",
             "conditions": {"Off-Balanced": 1}, "spare_weapon": {"size": "Ultra-light", "attack_type": "Melee"}},
            {"from": "wind touched wraith", "team": "red", "at": [5, 2], "size": "Large"},
        ],
    }  # fmt: skip
    proper = {
        "victory": "first_down", "round_cap": "hp", "rules": {"zero_hp": "all_out", "edition": "june2025"},
        "battlefield": {"map": ["......"] * 3, "light": "dim"},
        "fighter": [
            {"from": "spear_guard", "team": "blue", "at": [0, 0], "armor": "heavy", "shield": "heavy_shield",
             "conditions": {"off_balanced": 1}, "spare_weapon": {"size": "ultralight", "attack_type": "melee"}},
            {"from": "wind_touched_wraith", "team": "red", "at": [5, 2], "size": "large"},
        ],
    }  # fmt: skip
    same(written, proper)
    assert same("Mirror Duel", "mirror_duel").name == "mirror_duel"
    assert same("FREE-FOR-ALL", "free_for_all").name == "free_for_all"


def test_a_condition_is_given_once_however_it_is_written() -> None:
    found = faults(fight(fighter(conditions={"off_balanced": 1, "Off-Balanced": 2}), RED))
    assert len(found) == 1 and "got off_balanced twice" in found[0]


@pytest.mark.parametrize("written", ["long", "sword", "long sword of doom", "-", "", " ", "lóngsword"])
def test_other_names_are_no_names(written: str) -> None:
    assert look_up(written, catalog.weapons()) is None
    assert "weapon: expected" in faults(fight(fighter(weapon=written), RED))[0]


def test_no_two_names_of_a_kind_are_written_alike() -> None:
    conditions = catalog.conditions()
    every = (catalog.weapons(), catalog.armors(), catalog.shields(), catalog.sizes(), conditions, shipped_scenarios(),
             [*catalog.fighters(), *catalog.monsters()])  # fmt: skip
    for names in every:
        for name in names:
            for written in (name, name.upper(), name.replace("_", " ").title(), name.replace("_", "-")):
                assert look_up(written, names) == name


# -- nobody to reach -------------------------------------------------------------------------------------------------


def on_map(rows: list[str], knight: dict[str, Any], rogue: dict[str, Any]) -> dict[str, Any]:
    return fight(fighter(id="knight", **knight), fighter(id="rogue", team="red", **rogue), battlefield={"map": rows})


WALLED = ["..#..", "..#..", "..#.."]
WHY = "walls or drops without a door lie in between."
SHUT = "knight_0 and rogue_0 can reach no enemy"
WEST, EAST = {"at": [0, 1]}, {"at": [4, 1]}
CLOSED_OFF: dict[str, tuple[list[str], dict[str, Any], dict[str, Any], str]] = {
    "a wall": (WALLED, WEST, EAST, SHUT),
    "a wall, with bows": (WALLED, {**WEST, "weapon": "longbow"}, {**EAST, "weapon": "longbow"}, SHUT),
    "a ditch": (["..v..", "..v..", "..v.."], WEST, EAST, SHUT),
    "a ditch, with a bow": (["..v.."] * 3, {**WEST, "weapon": "longbow"}, EAST, "rogue_0 can reach no enemy"),
}


@pytest.mark.parametrize("case", CLOSED_OFF)
def test_who_can_reach_no_enemy_is_warned_of(case: str) -> None:
    rows, knight, rogue, said = CLOSED_OFF[case]
    with pytest.warns(ScenarioWarning) as warned:
        load_scenario(on_map(rows, knight, rogue))
    assert len(warned) == 1 and str(warned[0].message).startswith(f"scenario dict: {said}: walls")
    assert warned[0].filename == __file__


@pytest.mark.parametrize(
    ("rows", "knight", "rogue"),
    [
        (["..#..", "..+..", "..#.."], WEST, EAST),
        (["..#..", "../..", "..#.."], WEST, EAST),
        (["..#..", "..#..", "....."], WEST, EAST),
        (["..v..", "..v..", "..v.."], {**WEST, "weapon": "longbow"}, {**EAST, "weapon": "shortbow"}),
        ([".v..."], {"at": [0, 0], "weapon": "longspear"}, {"at": [2, 0], "weapon": "longspear"}),
        (["..w.."] * 3, WEST, EAST),
        # The door is too narrow for one, but the other comes through it.
        (["..#.."] * 2 + ["..+.."], {"at": [0, 0], "size": "L2"}, {"at": [4, 0]}),
        ([".#", "#."], {"at": [0, 0]}, {"at": [1, 1]}),
    ],
)
def test_who_can_reach_an_enemy_is_not_warned_of(rows: list[str], knight: Any, rogue: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load_scenario(on_map(rows, knight, rogue))


def test_shipped_and_random_scenarios_give_no_warnings() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in (*shipped_scenarios(), *(f"random:{seed}" for seed in range(20))):
            load_scenario(name)


def test_the_command_line_warns_on_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "shut.toml"
    rows = ", ".join(map(repr, WALLED))
    one = '[[fighter]]\nfrom = "knight"\nteam = "{}"\nat = [{}, 1]\n'
    file.write_text(f"[battlefield]\nmap = [{rows}]\n" + one.format("blue", 0) + one.format("red", 4))
    assert main(["fight", str(file), "--blue", "nobody"]) == BAD_INPUT
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"heartrush: {file}: knight_0 and knight_1 can reach no enemy: {WHY}"
    assert "nobody" in second


# -- the table of fields ---------------------------------------------------------------------------------------------


def test_every_field_says_what_it_means_and_what_holds_without_it() -> None:
    named = (fields.scenario_fields(), fields.fighter_fields(), fields.weapon_fields(), fields.CONDITION_FIELDS)
    tables: list[dict[str, Field]] = [*named, battlefield_fields()]
    for table in tables:
        for key, field in table.items():
            assert field.meaning and not field.meaning.endswith("."), key
            assert field.usually or field.usual is not None, key
            assert field.usual is None or field.usually or field.fits(field.usual), key


# -- whatever it holds -----------------------------------------------------------------------------------------------

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 7, 10**5000, 1.5, float("nan"), "", " ", "blue", "knight", "Knight_0", "rogue_0", "\x1b",
    "a" * 500, [], [1], [1, 2], [[1]], {}, {"a": 1}, (), b"x", {1: 2}, {"source": 5}, {"prone": 1}, "longsword", "L4",
    {"grappled": {"source": "rogue_0"}}, {"creature_climber": {"source": "rogue_0"}}, ["..."] * 2, [0, 0], [31, 31],
    {"size": "heavy", "attack_type": "melee"},
)  # fmt: skip


@pytest.mark.filterwarnings("ignore::heartrush_env.tabletop.errors.ScenarioWarning")
def test_whatever_a_scenario_holds_it_is_loaded_or_refused_in_sentences() -> None:
    chance = random.Random(8)
    tables = [tomllib.loads(catalog.scenarios()[name].read_text(encoding="utf-8")) for name in ("duel", "skirmish")]
    loaded = 0
    for _ in range(400):
        scenario = copy.deepcopy(chance.choice(tables))
        fighters = scenario["fighter"]
        for _ in range(chance.randint(1, 4)):
            field = scenario.get("battlefield")
            places = [scenario, *fighters, *fighters, *([field] if isinstance(field, dict) else [])]
            keys = [*fields.scenario_fields(), *battlefield_fields()], [*fields.fighter_fields(), "bogus"]
            place = chance.choice(places)
            place[chance.choice(keys[any(place is fighter for fighter in fighters)])] = chance.choice(ODD)
        try:
            loaded += load_scenario(scenario) is not None
        except HeartRushError as refusal:
            for fault in refusal.faults or (refusal,):
                assert str(fault).isprintable() and str(fault).endswith(".")
    assert 0 < loaded < 200

"""Scenarios: what loads, what it resolves to, and how faults are refused."""

import copy
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.games.heart_rush.rules.terms import MAX_FIGHTERS, MOST_FIGHTERS
from heartrush_env.games.heart_rush.scenario.catalog import Weapon
from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.tabletop.errors import HeartRushError, RulesError, ScenarioError

KNIGHT = {
    "id": "knight", "team": "blue", "might": 8, "agility": 6, "cunning": 6, "presence": 4, "heart": 8, "hp": 40,
    "weapon": "longsword", "armor": "medium",
}  # fmt: skip
ROGUE = {"from": "rogue", "team": "red"}
KNIGHT_TOML = """
name = "test"
victory = "first_down"
heroes = ["blue"]
max_rounds = 50
[[fighter]]
id = "knight"
team = "blue"
might = 8
agility = 6
cunning = 6
presence = 4
heart = 8
hp = 40
weapon = "longsword"
armor = "medium"
conditions = { dazed = 2, frightened = { levels = 3, source = "rogue_0" } }
[[fighter]]
from = "rogue"
team = "red"
weapon = { size = "light", attack_type = "melee", damage_type = "piercing" }
[rules]
talk = "team"
"""
KNIGHT_DICT = {
    "name": "test",
    "victory": "first_down",
    "heroes": ["blue"],
    "max_rounds": 50,
    "fighter": [
        {**KNIGHT, "conditions": {"dazed": 2, "frightened": {"levels": 3, "source": "rogue_0"}}},
        {**ROGUE, "weapon": {"size": "light", "attack_type": "melee", "damage_type": "piercing"}},
    ],
    "rules": {"talk": "team"},
}


def duel(knight: Mapping[str, Any] = {}, rogue: Mapping[str, Any] = {}, **top: Any) -> dict[str, Any]:
    """Return a knight against a rogue, with the given fields on top."""
    return {"fighter": [{**KNIGHT, **knight}, {**ROGUE, **rogue}], **top}


def refusal(scenario: Any, rules: Any = None) -> str:
    """Return the sentence with which a scenario is refused."""
    with pytest.raises((ScenarioError, RulesError)) as caught:
        load_scenario(scenario, rules)
    assert isinstance(caught.value, HeartRushError)
    message = str(caught.value)
    assert message.endswith(".") and "\n" not in message and ". " not in message, message
    return message


# ------------------------------------------------------------------------------------------------- what loads


@pytest.mark.parametrize("name", shipped_scenarios())
def test_shipped_scenarios_load(name: str) -> None:
    scenario = load_scenario(name)
    assert scenario.name == name
    assert 2 <= len(scenario.fighters) <= (MAX_FIGHTERS if scenario.battlefield is None else MOST_FIGHTERS)
    assert len({sheet.agent for sheet in scenario.fighters}) == len(scenario.fighters)


def test_the_shipped_scenarios_are_those_promised() -> None:
    without_map = ("brawl", "duel", "free_for_all", "giant", "melee", "mirror_duel")
    on_maps = ("ambush", "bridge", "dragon", "skirmish", "tower", "warband")
    assert shipped_scenarios() == tuple(sorted(without_map + on_maps))
    assert [load_scenario(name).battlefield is None for name in without_map + on_maps] == [True] * 6 + [False] * 6


def test_the_duel_is_between_unequal_heroes() -> None:
    scenario = load_scenario("duel")
    knight, duelist = scenario.fighters
    assert (scenario.victory, scenario.max_rounds, scenario.round_cap) == ("first_down", 200, "draw")
    assert scenario.heroes == scenario.teams == ("blue", "red") and knight.hero and duelist.hero
    assert [knight.might, knight.agility, knight.cunning] != [duelist.might, duelist.agility, duelist.cunning]


def test_the_mirror_duel_is_fair_by_construction() -> None:
    left, right = (asdict(sheet) for sheet in load_scenario("mirror_duel").fighters)
    assert {key for key in left if left[key] != right[key]} == {"agent", "name", "team"}


def test_the_giant_may_be_climbed_and_everyone_is_a_team_in_the_free_for_all() -> None:
    *heroes, giant = load_scenario("giant").fighters
    assert all(giant.size_rank - hero.size_rank >= 2 for hero in heroes) and not giant.hero
    scenario = load_scenario("free_for_all")
    assert len(scenario.teams) == len(scenario.fighters)


def test_a_fighter_is_resolved() -> None:
    knight, rogue = load_scenario(duel()).fighters
    assert knight.weapon == Weapon("longsword", "Long Sword", "heavy", 12, "melee", "slashing", 2, False, False)
    assert (knight.armor, knight.shield, knight.shield_hands) == (4, 0, 0)
    assert knight.speed == 60 - 10 - 5  # medium armor, heavy weapon
    assert (knight.heart_now, knight.hp_now, knight.wounds, knight.wound_threshold) == (8, 40, (), 10)
    assert (knight.name, knight.agent, knight.size, knight.size_rank) == ("Knight", "knight_0", "medium", 0)
    assert not knight.hero
    assert (rogue.id, rogue.name, rogue.cunning, rogue.weapon.id, rogue.armor) == ("rogue", "Rogue", 8, "dagger", 2)


def test_defaults_of_a_scenario() -> None:
    scenario = load_scenario(duel())
    assert (scenario.victory, scenario.heroes) == ("last_standing", ())
    assert (scenario.max_rounds, scenario.round_cap) == (200, "draw")


def test_a_heroic_team_may_be_named_alone() -> None:
    assert [sheet.hero for sheet in load_scenario(duel(heroes="red")).fighters] == [False, True]


def test_two_of_one_id_are_counted_and_numbered() -> None:
    bandit = {"from": "bandit", "team": "red"}
    scenario = load_scenario({"fighter": [bandit, KNIGHT, bandit]})
    assert [sheet.agent for sheet in scenario.fighters] == ["bandit_0", "knight_0", "bandit_1"]
    assert [sheet.name for sheet in scenario.fighters] == ["Bandit 1", "Knight", "Bandit 2"]
    assert scenario.teams == ("red", "blue")


def test_fields_win_over_the_stat_line() -> None:
    orc = load_scenario(duel(rogue={"from": "orc_warrior", "hp": 12, "name": "Ugg"})).fighters[1]
    assert (orc.id, orc.agent, orc.name, orc.hp, orc.might) == ("orcwarrior", "orcwarrior_0", "Ugg", 12, 10)


def test_a_monster_has_flat_bonuses_in_place_of_weapon_and_armor() -> None:
    ogre = load_scenario(duel(rogue={"from": "ogre"})).fighters[1]
    assert (ogre.weapon.die, ogre.weapon.natural, ogre.weapon.damage_type, ogre.weapon.hands) == (0, True, "none", 0)
    assert (ogre.attack_bonus, ogre.armor, ogre.shield, ogre.speed) == (8, 4, 0, 60)


def test_without_a_weapon_one_strikes_bare_handed() -> None:
    bare = {key: value for key, value in KNIGHT.items() if key != "weapon"}
    weapon = load_scenario({"fighter": [bare, ROGUE]}).fighters[0].weapon
    assert (weapon.die, weapon.attack_type, weapon.damage_type, weapon.natural) == (4, "melee", "bludgeoning", True)


@pytest.mark.parametrize(
    ("parts", "die", "hands"),
    [
        ({"size": "heavy", "attack_type": "melee"}, 12, 2),
        ({"size": "heavy", "attack_type": "whip"}, 12, 1),
        ({"size": "heavy", "attack_type": "thrown"}, 12, 1),
        ({"size": "light", "attack_type": "ranged"}, 8, 2),
        ({"size": "light", "attack_type": "melee", "reach": True}, 8, 1),
        ({"size": "ultralight", "attack_type": "thrown"}, 4, 1),
        ({"size": "improvised", "attack_type": "melee"}, 4, 1),
        ({"size": "heavy", "attack_type": "melee", "natural": True}, 12, 0),
        ({"size": "none", "attack_type": "ranged", "range": 30}, 0, 0),
    ],
)
def test_a_weapon_put_together(parts: dict[str, Any], die: int, hands: int) -> None:
    weapon = load_scenario(duel({"weapon": parts})).fighters[0].weapon
    assert (weapon.die, weapon.hands, weapon.damage_type) == (die, hands, "none")
    assert weapon.reach == parts.get("reach", False)


def test_conditions_stand_in_the_order_of_all_conditions() -> None:
    by_rogue = {"source": "rogue_0"}
    conditions = {"wet": 1, "frightened": {"levels": 3, **by_rogue}, "dazed": 2, "grappled": by_rogue}
    start = load_scenario(duel({"conditions": conditions})).fighters[0].conditions
    found = [(condition.name, condition.levels, condition.source) for condition in start]
    assert found == [("dazed", 2, None), ("frightened", 3, "rogue_0"), ("grappled", 1, "rogue_0"), ("wet", 1, None)]


def test_two_fighters_may_grapple_each_other() -> None:
    knight, rogue = ({"conditions": {"grappled": {"source": other}}} for other in ("rogue_0", "knight_0"))
    assert len(load_scenario(duel(knight, rogue)).fighters) == 2


def test_wounds_lower_where_a_fighter_starts_and_a_hero_may_start_below_zero() -> None:
    assert load_scenario(duel({"wounds": [15, 2]})).fighters[0].hp_now == 23
    assert load_scenario(duel({"hp_now": -39}, heroes="blue")).fighters[0].hp_now == -39


def test_rules_win_over_the_scenario() -> None:
    scenario = duel(rules={"talk": "team", "wounds": True, "edition": "december2025"})
    settings = load_scenario(scenario, {"profile": "plain"}).settings
    assert (settings.talk, settings.wounds, settings.shrug_per_round) == ("team", False, "once")


def test_without_conditions_the_three_levels_remain() -> None:
    scenario = duel({"conditions": {"dazed": 1, "off_balanced": 2, "weakened": 3}})
    assert len(load_scenario(scenario, {"profile": "levels"}).fighters[0].conditions) == 3


def test_a_file_a_path_and_a_dict_are_the_same(tmp_path: Path) -> None:
    file = tmp_path / "ambush.toml"
    file.write_text(KNIGHT_TOML, encoding="utf-8")
    assert load_scenario(file) == load_scenario(str(file)) == load_scenario(KNIGHT_DICT)
    file.write_text("\ufeff" + KNIGHT_TOML, encoding="utf-8")  # as some editors begin a file
    assert load_scenario(file) == load_scenario(KNIGHT_DICT)
    file.write_text(KNIGHT_TOML.replace('name = "test"\n', ""), encoding="utf-8")
    assert load_scenario(file).name == "ambush", "a file without a name is called after itself"


def test_a_scenario_can_be_copied_and_sent_and_loading_leaves_the_dict_alone() -> None:
    before = copy.deepcopy(KNIGHT_DICT)
    scenario = load_scenario(KNIGHT_DICT)
    assert before == KNIGHT_DICT
    assert pickle.loads(pickle.dumps(scenario)) == copy.deepcopy(scenario) == scenario
    assert hash(scenario) == hash(copy.deepcopy(scenario))


# --------------------------------------------------------------------------------------------------- the digest

# Trained weights, solved duels and records name these digests: without a map nothing may change them.
DIGESTS = {
    "brawl": "3e2089c59a52f4e6210f509acfd89e9652593e7bd295080a1a2e33ea48d2516b",
    "duel": "1c0e9638d570b3adf01d3d86e7a0f1e3a407301c0d805028dcdff7df514f1431",
    "free_for_all": "8acc475ff9ebb1fc44d9e53c88b4de1595c4caaf89f86b65d77f6f3305d87f77",
    "giant": "1ba47f8be0f6dcc78ed1c82e3dc12fe18c2360dca5051b9d3daf7600d077ae93",
    "melee": "f7714d4c6bbe9ea813d0fd1a0161ef0650006f1360bee00db281f55546f009b0",
    "mirror_duel": "feca236f7866316829ea57132f87c85361cc4005c2a4781da34e5c70e892d7e7",
}


@pytest.mark.parametrize("name", DIGESTS)
def test_the_digests_of_fights_without_a_map_stay(name: str) -> None:
    assert load_scenario(name).digest == DIGESTS[name]


def test_the_digest_is_the_same_in_every_process() -> None:
    module = "heartrush_env.games.heart_rush.scenario.load"
    program = [sys.executable, "-c", f"from {module} import load_scenario; print(load_scenario('melee').digest)"]
    digests = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        digests.add(subprocess.run(program, capture_output=True, text=True, check=True, env=environment).stdout.strip())
    assert digests == {load_scenario("melee").digest}


def test_the_digest_does_not_hear_names_for_people() -> None:
    renamed = duel({"name": "Sir Bors"}, name="other")
    assert load_scenario(renamed).digest == load_scenario(duel()).digest
    by_parts = duel({"weapon": {"size": "heavy", "attack_type": "melee", "damage_type": "slashing"}})
    assert load_scenario(by_parts).digest == load_scenario(duel()).digest


@pytest.mark.parametrize(
    "changed",
    [
        duel({"hp": 41}),
        duel({"presence": 6}),
        duel({"conditions": {"prone": 1}}),
        duel({"surprised": True}),
        duel(max_rounds=199),
        duel(heroes="blue"),
        duel(victory="first_down"),
        duel(rules={"fatigue_rounds": 99}),
        {"fighter": [ROGUE, KNIGHT]},
    ],
)
def test_the_digest_hears_everything_else(changed: dict[str, Any]) -> None:
    digest = load_scenario(changed).digest
    assert len(digest) == 64 and digest != load_scenario(duel()).digest


# --------------------------------------------------------------------------------------------- what is refused

BAD_FIGHTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({"migth": 8}, ["unknown field 'migth'", "did you mean 'might'", "expected id, from, template"]),
    ({"might": 7}, ["might: expected", "got 7", "4, 6, 8, 10, 12 or 20"]),
    ({"might": True}, ["might: expected", "got true", "4, 6, 8, 10, 12 or 20"]),
    ({"might": 8.0}, ["might: expected", "got 8.0"]),
    ({"heart": "d8"}, ["heart: expected", "got 'd8'"]),
    ({"heart": 2}, ["heart: expected", "got 2"]),
    ({"hp": -5}, ["hp: expected", "got -5", "a whole number from 1 to 1000"]),
    ({"hp": 0}, ["hp: expected", "got 0"]),
    ({"hp": True}, ["hp: expected", "got true"]),
    ({"hp": 40.0}, ["hp: expected", "got 40.0"]),
    ({"hp": None}, ["hp: expected", "got None"]),
    ({"id": "Knight"}, ["id: expected", "got 'Knight'", "lower-case letters"]),
    ({"id": "knight_1"}, ["id: expected", "got 'knight_1'"]),
    ({"id": ""}, ["id: expected", "got ''"]),
    ({"id": 5}, ["id: expected", "got 5"]),
    ({"id": "two\nlines"}, ["id: expected", "got 'two\\nlines'"]),
    ({"team": "Blue"}, ["team: expected", "got 'Blue'"]),
    ({"team": ["blue"]}, ["team: expected", "got ['blue']"]),
    ({"name": ""}, ["name: expected", "got ''", "a line of text"]),
    ({"from": "knigth"}, ["from: expected", "got 'knigth'", "did you mean 'knight'", "goblin_scout"]),
    ({"from": ["knight"]}, ["from: expected", "got ['knight']"]),
    ({"weapon": "longsowrd"}, ["weapon: expected", "got 'longsowrd'", "did you mean 'longsword'", "rapier"]),
    ({"weapon": 5}, ["weapon: expected", "got 5"]),
    ({"weapon": {"size": "heavy"}}, ["weapon: attack_type is missing", "melee, ranged, thrown or whip"]),
    ({"weapon": {"attack_type": "melee"}}, ["weapon: size is missing", "heavy, light, ultralight, improvised or none"]),
    ({"weapon": {"size": "huge", "attack_type": "melee"}}, ["weapon: size: expected", "got 'huge'"]),
    ({"weapon": {"size": "light", "attack_type": "meele"}}, ["did you mean 'melee'"]),
    ({"weapon": {"size": "light", "attack_type": "melee", "damage_type": "fire"}},
     ["damage_type: expected", "got 'fire'"]),
    ({"weapon": {"size": "light", "attack_type": "melee", "die": 8}}, ["weapon: unknown field 'die'"]),
    ({"weapon": {"size": "light", "attack_type": "whip", "reach": True}},
     ["reach: expected attack_type 'melee'", "got 'whip'"]),
    ({"armor": "plate"}, ["armor: expected", "got 'plate'", "none, light, medium or heavy"]),
    ({"armor": 4}, ["armor: expected", "got 4"]),
    ({"shield": "heavy_sheild"}, ["shield: expected", "got 'heavy_sheild'", "did you mean 'heavy_shield'"]),
    ({"shield": "light_shield"}, ["shield: expected 'none' with weapon 'longsword'", "got 'light_shield'"]),
    ({"size": "huge"}, ["size: expected", "got 'huge'", "large, L2"]),
    ({"size": "small"},
     ["for a fighter of size 'small', got 'longsword', which is heavy", "light, ultralight or improvised"]),
    ({"size": "tiny", "weapon": "rapier"}, ["for a fighter of size 'tiny'", "expected ultralight or improvised"]),
    ({"speed": -1}, ["speed: expected", "got -1"]),
    ({"attack_bonus": -1}, ["attack_bonus: expected", "got -1", "from 0 to 30"]),
    ({"defense_bonus": 31}, ["defense_bonus: expected", "got 31", "from 0 to 30"]),
    ({"wound_threshold": "/"}, ["wound_threshold: expected", "got '/'", "0 for never"]),
    ({"wounds": 12}, ["wounds: expected", "got 12", "a list of ranks"]),
    ({"wounds": [0]}, ["wounds: expected", "got [0]", "a list of ranks"]),
    ({"wounds": [True]}, ["wounds: expected", "got [True]"]),
    ({"wounds": [20, 20]}, ["wounds: expected a sum below the 40 hp", "got 40"]),
    ({"hp_now": 41}, ["hp_now: expected", "got 41", "from 1 to 40"]),
    ({"hp_now": 0}, ["hp_now: expected", "got 0", "from 1 to 40"]),
    ({"hp_now": 39, "wounds": [15]}, ["hp_now: expected", "got 39", "from 1 to 25", "wounds"]),
    ({"heart_now": 10}, ["heart_now: expected", "got 10", "expected 4, 6 or 8"]),
    ({"heart_now": 5}, ["heart_now: expected", "got 5"]),
    ({"surprised": 1}, ["surprised: expected", "got 1", "true or false"]),
    ({"conditions": ["prone"]}, ["conditions: expected", "got ['prone']", "a table"]),
    ({"conditions": {"dazd": 1}}, ["unknown condition 'dazd'", "did you mean 'dazed'", "wet"]),
    ({"conditions": {"dazed": 6}}, ["dazed: expected", "got 6", "a whole number from 1 to 5"]),
    ({"conditions": {"dazed": 0}}, ["dazed: expected", "got 0"]),
    ({"conditions": {"dazed": True}}, ["dazed: expected", "got true"]),
    ({"conditions": {"prone": 2}}, ["prone: expected", "got 2", "from 1 to 1"]),
    ({"conditions": {"vulnerability": 4}}, ["vulnerability: expected", "got 4", "from 1 to 3"]),
    ({"conditions": {"dazed": {"level": 1}}}, ["unknown field 'level'", "did you mean 'levels'"]),
    ({"conditions": {"dazed": {"source": "rogue_0"}}},
     ["dazed: expected levels without a source, got the source 'rogue_0'"]),
    ({"conditions": {"frightened": 1}}, ["frightened: source is missing", "expected frightened = {source"]),
    ({"conditions": {"charmed": {"levels": 2}}}, ["charmed: source is missing"]),
    ({"conditions": {"entangled": 1}}, ["entangled: source is missing"]),
    ({"conditions": {"enraged": {"source": "rogue"}}},
     ["source: expected", "got 'rogue'", "another fighter (rogue_0)"]),
    ({"conditions": {"enraged": {"source": 1}}}, ["source: expected", "got 1"]),
    ({"conditions": {"aggravated": {"source": "knight_0"}}},
     ["source: expected", "got 'knight_0'", "another fighter (rogue_0)"]),
    ({"conditions": {"grappled": {"source": "knight_0"}}},
     ["source: expected", "got 'knight_0'", "an enemy (rogue_0)"]),
    ({"conditions": {"creature_climber": {"source": "rogue_0"}}}, ["two sizes larger (there is none)"]),
    ({"conditions": {"grappling": 1}}, ["expected grappled with a source on the other fighter", "got grappling"]),
    ({"conditions": {"climbed_on": 1}},
     ["expected creature_climber with a source on the other fighter", "got climbed_on"]),
    ({"conditions": {"surprised": 1}}, ["surprised is not a condition", "surprised = true"]),
    ({"conditions": {"unconscious": 1}}, ["unconscious is not a condition"]),
    ({"abilities": ["martial_master"]}, ["abilities: expected", "got 'martial_master', which is not implemented yet"]),
    ({"talents": ["cleaver"]}, ["talents", "'cleaver'"]),
    ({"rush": 21}, ["rush: expected", "got 21", "from 0 to 20"]),
    ({"at": [0, 0]}, ["at is [0, 0]", "there is no [battlefield]"]),
    ({"spare_weapon": "dagger", "spare_speed": 30}, ["spare_speed is 30", "there is no [battlefield]"]),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "parts"), BAD_FIGHTERS)
def test_a_wrong_fighter_is_one_sentence(fields: dict[str, Any], parts: list[str]) -> None:
    message = refusal(duel(fields))
    assert message.startswith("scenario dict, fighter 1")
    for part in parts:
        assert part in message, message


BAD_SCENARIOS: list[tuple[Any, list[str]]] = [
    ("dule", ["unknown scenario 'dule'", "did you mean 'duel'", "mirror_duel", "a path ending in .toml or a dict"]),
    ("", ["unknown scenario ''"]),
    (5, ["unknown scenario 5"]),
    (None, ["unknown scenario None"]),
    ([KNIGHT, ROGUE], ["unknown scenario [", "a dict"]),
    ({}, ["fighters", "got 0", "2 to 8"]),
    ({"fighter": []}, ["fighters", "got 0"]),
    ({"fighter": [KNIGHT]}, ["fighters", "got 1", "2 to 8"]),
    ({"fighter": [KNIGHT] * 5 + [ROGUE] * 4}, ["fighters", "got 9", "2 to 8 fighters, on a map to 16"]),
    ({"fighter": KNIGHT}, ["fighter: expected", "got {", "a list of tables"]),
    ({"fighter": [KNIGHT, "rogue"]}, ["a list of tables"]),
    ({"fighter": [KNIGHT, KNIGHT]}, ["expected at least two teams", "got only 'blue'"]),
    ({"fighter": [{"id": "a", "team": "b"}, ROGUE]}, ["fighter 1 (a): might is missing", "or from = a fighter"]),
    ({"fighter": [{}, ROGUE]}, ["fighter 1: id is missing", "team"]),
    ({"fighter": [KNIGHT, {"from": "rogue"}]}, ["fighter 2: team is missing; expected team."]),
    (duel(fighters=[]), ["unknown field 'fighters'", "did you mean 'fighter'"]),
    (duel(victory="first_blood"), ["victory: expected", "got 'first_blood'", "first_down or last_standing"]),
    (duel(heroes="green"), ["heroes: expected", "got 'green'", "blue or red"]),
    (duel(heroes=["blue", "bleu"]), ["heroes: expected", "got 'bleu'", "did you mean 'blue'"]),
    (duel(heroes=True), ["heroes: expected", "got true"]),
    (duel(heroes={"blue": 1}), ["heroes: expected", "got {'blue': 1}"]),
    (duel(max_rounds=0), ["max_rounds: expected", "got 0", "from 1 to 10000"]),
    (duel(max_rounds=True), ["max_rounds: expected", "got true"]),
    (duel(round_cap="win"), ["round_cap: expected", "got 'win'", "draw or hp"]),
    (duel(name=3), ["name: expected", "got 3"]),
    (duel(rules=["plain"]), ["rules: expected", "got ['plain']", "a table"]),
    (duel(rules={"talks": "open"}), ["[rules]", "unknown setting 'talks'", "did you mean 'talk'"]),
    (duel(rules={"edition": "classical"}), ["[rules]", "did you mean 'classic'"]),
    (duel(battlefield=["..", ".."]), ["got ['..', '..']", "a table"]),
    ("random:x", ["scenario: expected", "got 'random:x'", "a whole number from 0"]),
    ("random:", ["scenario: expected", "got 'random:'"]),
    ("random:9223372036854775808", ["from 0 to 9223372036854775807"]),
    (duel({"name": "Ann"}, {"name": "Ann"}), ["fighter 2: name: expected", "got 'Ann'", "no earlier fighter"]),
    (duel(victory="first_down", heroes="blue", knight={"hp_now": 0}), ["hp_now: expected", "got 0", "from 1 to 40"]),
    (duel(heroes="red", knight={"hp_now": 0}), ["hp_now: expected", "got 0", "from 1 to 40"]),
    (duel(heroes="blue", knight={"hp_now": -40}), ["hp_now: expected", "got -40", "from -39 to 40"]),
    (duel(heroes="blue", knight={"hp_now": -30, "wounds": [10]}, rules={"death_at": "reduced_maximum"}),
     ["hp_now: expected", "got -30", "from -29 to 30"]),
    (duel({"wounds": [5]}, rules={"wounds": False}), ["wounds: expected", "got [5]", "the setting 'wounds' is off"]),
    (duel({"conditions": {"prone": 1}}, rules={"profile": "levels"}),
     ["prone: expected only dazed, off_balanced and weakened"]),
    (duel({"conditions": {"dazed": 1}}, rules={"profile": "plain"}), ["dazed: expected no conditions"]),
    ({"fighter": [{**KNIGHT, "conditions": {"grappled": {"source": "rogue_0"}}}] * 2 + [ROGUE]},
     ["fighter 2 (knight)", "can grapple only one other", "'rogue_0' already grapples 'knight_0'"]),
    ({"fighter": [{**KNIGHT, "conditions": {"grappled": {"source": "knight_1"}}}, KNIGHT, ROGUE]},
     ["source: expected", "got 'knight_1'", "an enemy (rogue_0)"]),
]  # fmt: skip


@pytest.mark.parametrize(("scenario", "parts"), BAD_SCENARIOS)
def test_a_wrong_scenario_is_one_sentence(scenario: Any, parts: list[str]) -> None:
    message = refusal(scenario)
    for part in parts:
        assert part in message, message


def test_wrong_rules_are_one_sentence() -> None:
    assert "rules: unknown setting 'profil' (did you mean 'profile'?)" in refusal("duel", {"profil": "plain"})
    assert "got 'plain'" in refusal("duel", "plain")


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("name = \n", ["broken TOML", "line 1"]),
        ("a = 1\na = 2\n", ["broken TOML", "line 2"]),
        (f"a = {'7' * 5000}\n", ["broken TOML"]),
        (f"a = {'[' * 5000}{']' * 5000}\n", ["broken TOML", "too deep"]),
        (KNIGHT_TOML.replace("might = 8", "might = 7"), ["fighter 1 (knight)", "might: expected", "got 7"]),
        ("", ["fighters", "got 0"]),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, content: str, parts: list[str]) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(content, encoding="utf-8")
    message = refusal(str(file))
    assert message.startswith(str(file))
    for part in parts:
        assert part in message


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.toml").startswith(f"{tmp_path / 'none.toml'}: expected a")
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    assert "not a regular file" in refusal(folder)
    latin = tmp_path / "latin.toml"
    latin.write_bytes('name = "Höhle"'.encode("latin-1"))
    assert "cannot be read as UTF-8" in refusal(latin)


def test_a_scenario_holds_plain_data() -> None:
    scenario = load_scenario("melee")
    assert isinstance(scenario, Scenario)
    assert json.loads(json.dumps(asdict(scenario)))["name"] == "melee"

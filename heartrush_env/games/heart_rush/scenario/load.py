"""Load scenarios: the fighters, their equipment, the rules and the victory condition.

`load_scenario` turns a shipped name, a TOML file or a dict with the same structure into an immutable `Scenario`. It
looks up names, fills in defaults and expands settings. All errors of a scenario are raised as one ScenarioError (or
RulesError for settings), which names the source, the expected values and the value found.
"""

import hashlib
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from heartrush_env.games.heart_rush.rules.terms import DAMAGE_TYPES, MAX_FIGHTERS, MOST_FIGHTERS
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import LISTS
from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield, Body, place_bodies, read_battlefield
from heartrush_env.games.heart_rush.scenario.fields import MIN_FIGHTERS, ScenarioTable, fighter_fields, scenario_fields
from heartrush_env.games.heart_rush.scenario.fighters import Draft, FighterReader, with_stat_line
from heartrush_env.games.heart_rush.scenario.homebrew import Homebrew, read_homebrew
from heartrush_env.games.heart_rush.scenario.loadouts import listed, unplayed
from heartrush_env.games.heart_rush.scenario.lookup import find_scenario
from heartrush_env.games.heart_rush.scenario.objects import read_objects
from heartrush_env.games.heart_rush.scenario.parts import parts_of
from heartrush_env.games.heart_rush.scenario.reachability import out_of_reach
from heartrush_env.games.heart_rush.scenario.settings import BEFORE, Settings
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, ObjectSheet, Owned, Scenario
from heartrush_env.games.heart_rush.scenario.tiers import scaled
from heartrush_env.tabletop.errors import ScenarioError, ScenarioWarning
from heartrush_env.tabletop.validate import Faults, check_value, join_or, one_of, read_table


def load_scenario(scenario: str | Path | Mapping[str, Any], rules: Mapping[str, Any] | None = None) -> Scenario:
    """Load a scenario with the settings to play it under.

    Args:
        scenario: A shipped name such as "duel"; "random:", "random_duel:", "unseen_duel:" or "random_party:" followed
            by a seed; a TOML file's path; or a dict with the same structure.
        rules: Settings that override the scenario's. An edition or a profile overrides all settings that it determines.

    Raises:
        ScenarioError: The scenario cannot be found or read, or is invalid.
        RulesError: A setting is invalid.
    """
    given, where, name = find_scenario(scenario)
    known, faults = scenario_fields(), Faults()
    fields = read_table(given, known, where, ScenarioError, faults=faults)
    usual = {key: fields.get(key, known[key].usual) for key in known}
    settings = faults.attempt(lambda: Settings.parse(usual["rules"], where=f"{where}, [rules]"), Settings())
    own = {} if rules is None else rules
    settings = faults.attempt(lambda: Settings.parse(own, where="rules", base=settings), settings)
    field = faults.attempt(lambda: _field(fields, where), None)
    on_map, listed_fighters = "battlefield" in given, usual["fighter"]
    homebrew = read_homebrew(usual["ability"], where, faults)
    reader = FighterReader(where, on_map, usual["victory"], settings, faults, homebrew)
    drafts = reader.drafts(listed_fighters if len(listed_fighters) <= MOST_FIGHTERS else ())
    with faults.caught():
        if "fighter" in fields or "fighter" not in given:
            _check_number(max(len(listed_fighters), len(drafts)), where, on_map)
    teams = tuple(dict.fromkeys(draft.fields["team"] for draft in drafts))
    heroes = faults.attempt(lambda: _heroes(usual["heroes"], drafts, teams, where), None)
    sheets = reader.sheets(drafts, heroes)
    if field is not None:
        sheets = faults.attempt(lambda: _placed(field, drafts, sheets), sheets)
    objects = read_objects(usual["object"], field, where, faults)
    faults.settle(where)
    loaded = Scenario(
        name=fields.get("name", name),
        victory=usual["victory"],
        heroes=heroes or (),
        max_rounds=usual["max_rounds"],
        round_cap=usual["round_cap"],
        battlefield=field,
        objects=objects,
        fighters=sheets,
        teams=teams,
        settings=settings,
        digest="",
    )
    for warning in _warnings(loaded, drafts, where, homebrew):
        warnings.warn(warning, ScenarioWarning, stacklevel=2)
    return _with_digest(loaded)


def with_an_ability(scenario: Scenario) -> Scenario:
    """Return the scenario with one ability added: the smallest change that makes it a fight with abilities."""
    first, *others = scenario.fighters
    owner = replace(first, abilities=(Owned("vampiric_mark", destined=False),))
    return _with_digest(replace(scenario, fighters=(owner, *others)))


def scenario_table(scenario: str | Path | Mapping[str, Any]) -> ScenarioTable:
    """Return a scenario's table as written, with a name; it may be edited and passed to `load_scenario`."""
    given, where, name = find_scenario(scenario)
    table = ScenarioTable({"name": name, **given})
    table.where = where
    return table


def written_fighters(scenario: str | Path | Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the fighters of a valid scenario, each merged with the stat line named by its `from`.

    Abilities are listed by their ids, including those that `with_abilities` adds.
    """
    given = scenario_table(scenario)
    tables = [read_table(one, fighter_fields(), "fighter", ScenarioError) for one in given["fighter"]]
    made = read_homebrew(given.get("ability", ()), "scenario", Faults())
    entries = {id: one.entry for id, one in made.items()}
    parts = [part for table in tables for part in parts_of("", table, "fighter")]
    fighters = [with_stat_line(table, scaled(table, "fighter")) for table in (*tables, *parts)]
    return [{**each, **{key: listed(each, key, "fighter", entries) for key in LISTS}} for each in fighters]


def shipped_scenarios() -> tuple[str, ...]:
    """Return the names of the scenarios shipped with the package, in alphabetical order."""
    return tuple(catalog.scenarios())


def _warnings(scenario: Scenario, drafts: Sequence[Draft], where: str, homebrew: Mapping[str, Homebrew]) -> list[str]:
    """Return the warnings about a valid scenario: fighters that cannot reach any enemy, and abilities left out."""
    found = []
    if scenario.battlefield is not None:
        agents = out_of_reach(_opened(scenario.battlefield, scenario.objects), scenario.fighters)
        if agents:
            found.append(
                f"{where}: {join_or(agents, 'and')} can reach no enemy: walls or drops without a door lie in between."
            )
    left_out = [f"{id!r} of {draft.agent}" for draft in drafts for id in unplayed(draft.fields, draft.where, homebrew)]
    if left_out:
        them = "it" if len(left_out) == 1 else "them"
        found.append(f"{where}: fights do not play {join_or(left_out, 'and')} yet, and leave {them} out.")
    return found


def _opened(field: Battlefield, objects: Sequence[ObjectSheet]) -> Battlefield:
    """Return the battlefield with every object that can be opened or collapsed made passable."""
    rows = [list(row) for row in field.rows]
    for thing in objects:
        x, y = thing.at
        if thing.effect != "drop" and field.terrain(x, y).blocks_way:
            rows[y][x] = "."
    return replace(field, rows=tuple(map("".join, rows)))


def _check_number(count: int, where: str, on_map: bool) -> None:
    """Raise ScenarioError if there are too few or too many fighters; parts of creatures count."""
    most = MOST_FIGHTERS if on_map else MAX_FIGHTERS
    if not MIN_FIGHTERS <= count <= most:
        beyond = "" if on_map or count < MIN_FIGHTERS else f", on a map to {MOST_FIGHTERS}"
        raise ScenarioError(f"{where}: expected {MIN_FIGHTERS} to {most} fighters{beyond}, got {count}.")


def _heroes(
    given: str | Sequence[str], drafts: Sequence[Draft], teams: Sequence[str], where: str
) -> tuple[str, ...] | None:
    """Return the hero teams, or None if a fault leaves the teams unknown.

    Raises:
        ScenarioError: There are fewer than two teams, or a hero team has no fighter.
    """
    if len(drafts) < MIN_FIGHTERS or any("team" in draft.broken for draft in drafts):
        return None
    if len(teams) < 2:
        raise ScenarioError(f"{where}: expected at least two teams, got only {teams[0]!r}.")
    heroes = tuple(dict.fromkeys([given] if isinstance(given, str) else given))
    for team in heroes:
        check_value(team, one_of(teams), f"{where}: heroes", ScenarioError)
    return heroes


def _field(fields: Mapping[str, Any], where: str) -> Battlefield | None:
    """Return the battlefield of a scenario's fields, if it has one."""
    return read_battlefield(fields["battlefield"], f"{where}, [battlefield]") if "battlefield" in fields else None


def _placed(field: Battlefield, drafts: Sequence[Draft], sheets: Sequence[FighterSheet]) -> tuple[FighterSheet, ...]:
    """Return the fighters with their squares; fighters whose square or size is invalid get none."""
    bodies = []
    for draft, sheet in zip(drafts, sheets, strict=True):
        if draft.broken & {"at", "size"} or sheet.part_of is not None:
            continue
        others = {condition.name: condition.source for condition in sheet.conditions}
        at = tuple(draft.fields["at"]) if "at" in draft.fields else None
        bodies.append(
            Body(draft.where, sheet.agent, sheet.size, at, others.get("creature_climber"), others.get("grappled"))
        )
    places = place_bodies(field, bodies)
    sides = {sheet.agent: sheet.side for sheet in sheets}
    return tuple(
        replace(sheet, at=places.get(body), side=sides.get(body, sheet.side))
        for sheet in sheets
        for body in [sheet.part_of or sheet.agent]
    )


def _with_digest(scenario: Scenario) -> Scenario:
    """Return the scenario with its digest, which covers everything that can affect play, but no display names."""
    content = asdict(scenario)
    spares = [fighter["spare"] for fighter in content["fighters"] if fighter["spare"] is not None]
    weapons = [carrier["weapon"] for carrier in (*content["fighters"], *spares)]
    weapons += [thing["item"] for thing in content["objects"] if thing["item"] is not None]
    for part in (content, *content["fighters"], *content["objects"], *weapons):
        del part["name"]
    for weapon in weapons:
        del weapon["id"]
        if not weapon["range"]:  # keeps the digests from before weapons had ranges of their own
            del weapon["range"]
        if not weapon["element"]:  # keeps the digests from before there were cantrips
            del weapon["element"]
    del content["digest"]
    if not content["objects"]:  # keeps the digests from before objects existed
        del content["objects"]
    content["settings"]["windows_per_round"] = scenario.windows_per_round
    for key in BEFORE:  # trained weights and records refer to digests older than these settings
        if content["settings"][key] == getattr(Settings, key):
            del content["settings"][key]
    for fighter in content["fighters"]:
        del fighter["side"]
        for owned in fighter["abilities"]:
            if owned["made"] is None:
                del owned["made"]
            else:
                del owned["made"]["name"], owned["made"]["effect"]
        fighter["talents"] = fighter.pop("abilities")  # the key's name before fights had abilities
        usual = {
            "thrown": 1,
            "part_of": None,
            "to_grow": False,
            "companion_of": None,
            "armor_vs": (0,) * len(DAMAGE_TYPES),
        }
        for key, value in usual.items():
            if fighter[key] == value:
                del fighter[key]
    if scenario.battlefield is None:  # keeps the digests of fights without a map
        del content["battlefield"]
        for fighter in content["fighters"]:
            if fighter["spare"] is None:
                del fighter["spare"]
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return replace(scenario, digest=hashlib.sha256(canonical.encode()).hexdigest())

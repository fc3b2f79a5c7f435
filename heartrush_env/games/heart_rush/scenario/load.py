"""Load scenarios: the fighters, their equipment, the rules and the victory condition.

`load_scenario` turns a shipped name, a TOML file or a dict with the same structure into an immutable `Scenario`: names
are looked up, defaults filled in, settings expanded. All errors of a scenario are raised as one ScenarioError (or
RulesError for settings). It names the source, the value found and the values allowed.
"""

import hashlib
import json
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from heartrush_env.games.heart_rush.rules.terms import (
    ABILITIES,
    DIE_LADDER,
    MAX_FIGHTERS,
    MOST_FIGHTERS,
)
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import LISTS
from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield, Body, place_bodies, read_battlefield
from heartrush_env.games.heart_rush.scenario.catalog import Weapon
from heartrush_env.games.heart_rush.scenario.fields import (
    MAX_HP,
    MIN_FIGHTERS,
    MOST_SPEED,
    ScenarioTable,
    fighter_fields,
    scenario_fields,
    weapon_of,
)
from heartrush_env.games.heart_rush.scenario.loadouts import listed, loadout, unplayed
from heartrush_env.games.heart_rush.scenario.objects import read_objects
from heartrush_env.games.heart_rush.scenario.parts import check_most, check_part, parts_of
from heartrush_env.games.heart_rush.scenario.random_duels import random_duel
from heartrush_env.games.heart_rush.scenario.random_scenarios import random_scenario
from heartrush_env.games.heart_rush.scenario.reachability import out_of_reach
from heartrush_env.games.heart_rush.scenario.reading import parsed, text_of
from heartrush_env.games.heart_rush.scenario.settings import BEFORE, Settings
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, ObjectSheet, Owned, Scenario, Spare
from heartrush_env.games.heart_rush.scenario.start_conditions import (
    check_conditions,
    check_one_end_each,
    start_conditions,
)
from heartrush_env.games.heart_rush.scenario.stat_blocks import with_sheets
from heartrush_env.games.heart_rush.scenario.tiers import scaled
from heartrush_env.tabletop.errors import ScenarioError, ScenarioWarning
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import (
    Faults,
    Field,
    check_value,
    join_or,
    look_up,
    number_of,
    one_of,
    read_table,
    unknown_name,
    whole,
)

# Prefixes of generated scenarios; a seed follows the prefix.
RANDOM: Final[dict[str, Callable[[int], dict[str, Any]]]] = {
    "random:": random_scenario,
    "random_duel:": random_duel,
    "unseen_duel:": partial(random_duel, unseen=True),
}
MAX_SEED: Final = 2**63 - 1
LONGEST_SEED: Final = 100  # digits, including leading zeros


def load_scenario(scenario: str | Path | Mapping[str, Any], rules: Mapping[str, Any] | None = None) -> Scenario:
    """Load a scenario with the settings to play it under.

    Args:
        scenario: A shipped name such as "duel"; "random:", "random_duel:" or "unseen_duel:" followed by a seed; a TOML
            file's path; or a dict with the same structure.
        rules: Settings that override the scenario's settings. An edition or a profile among them overrides all of them.

    Raises:
        ScenarioError: The scenario cannot be found or read, or is invalid.
        RulesError: A setting is invalid.
    """
    given, where, name = _find(scenario)
    known, faults = scenario_fields(), Faults()
    fields = read_table(given, known, where, ScenarioError, faults=faults)
    usual = {key: fields.get(key, known[key].usual) for key in known}
    settings, field = Settings(), None
    with faults.caught():
        settings = Settings.parse(usual["rules"], where=f"{where}, [rules]")
    with faults.caught():
        settings = Settings.parse({} if rules is None else rules, where="rules", base=settings)
    with faults.caught():
        if "battlefield" in fields:
            field = read_battlefield(fields["battlefield"], f"{where}, [battlefield]")
    on_map = "battlefield" in given
    drafts: list[_Draft] = []
    few = usual["fighter"] if len(usual["fighter"]) <= MOST_FIGHTERS else ()
    for number, fighter in enumerate(few, start=1):
        drafts.append(_draft(fighter, number, where, on_map, drafts, faults))
    for body in tuple(drafts):
        with faults.caught():
            for part in parts_of(body.agent, body.fields, body.where):
                drafts.append(_draft(part, len(drafts) + 1, where, on_map, drafts, faults))
    with faults.caught():
        if "fighter" in fields or "fighter" not in given:
            _check_number(max(len(usual["fighter"]), len(drafts)), where, on_map)
    teams = tuple(dict.fromkeys(draft.fields["team"] for draft in drafts))
    heroes: tuple[str, ...] | None = None  # unknown
    with faults.caught():
        if len(drafts) >= MIN_FIGHTERS and not any("team" in draft.broken for draft in drafts):
            heroes = _heroes(usual["heroes"], teams, where)
    names = _display_names(drafts, faults)
    sheets = tuple(
        _sheet(draft, display, heroes, usual["victory"], settings, on_map, faults)
        for draft, display in zip(drafts, names, strict=True)
    )
    if not any("id" in draft.broken for draft in drafts):  # all names are known
        for draft, sheet in zip(drafts, sheets, strict=True):
            check_conditions(draft.where, sheet, sheets, settings, faults)
            with faults.caught():
                check_part(draft.where, draft.fields, sheet, sheets, settings)
        with faults.caught():
            check_one_end_each([draft.where for draft in drafts], sheets)
        with faults.caught():
            check_most([draft.where for draft in drafts], [draft.fields for draft in drafts])
    with faults.caught():
        if field is not None:
            sheets = _placed(field, drafts, sheets)
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
    _warn_of_the_unreachable(loaded, where)
    left_out = [f"{id!r} of {draft.agent}" for draft in drafts for id in unplayed(draft.fields, draft.where)]
    if left_out:
        message = f"{where}: fights do not play {join_or(left_out, 'and')} yet, and leave them out."
        warnings.warn(message, ScenarioWarning, stacklevel=2)
    return _with_digest(loaded)


def with_an_ability(scenario: Scenario) -> Scenario:
    """Return the scenario with one ability added: the smallest change that makes it a fight with abilities."""
    first, *others = scenario.fighters
    owner = replace(first, abilities=(Owned("vampiric_mark", destined=False),))
    return _with_digest(replace(scenario, fighters=(owner, *others)))


def scenario_table(scenario: str | Path | Mapping[str, Any]) -> ScenarioTable:
    """Return a scenario's table as written, with a name; it may be edited and passed to `load_scenario`."""
    given, where, name = _find(scenario)
    table = ScenarioTable({"name": name, **given})
    table.where = where
    return table


def written_fighters(scenario: str | Path | Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the fighters of a valid scenario, each merged with the stat line named by its `from`.

    Abilities are listed by their ids, including those that `with_abilities` adds.
    """
    tables = [
        read_table(one, fighter_fields(), "fighter", ScenarioError) for one in scenario_table(scenario)["fighter"]
    ]
    parts = [part for table in tables for part in parts_of("", table, "fighter")]
    fighters = [_with_stat_line(table, scaled(table, "fighter")) for table in (*tables, *parts)]
    return [{**each, **{key: listed(each, key, "fighter") for key in LISTS}} for each in fighters]


def _warn_of_the_unreachable(scenario: Scenario, where: str) -> None:
    """Warn of fighters that cannot reach any enemy because of walls or drops."""
    if scenario.battlefield is None:
        return
    agents = out_of_reach(_opened(scenario.battlefield, scenario.objects), scenario.fighters)
    if agents:
        message = f"{where}: {join_or(agents, 'and')} can reach no enemy: walls or drops without a door lie in between."
        warnings.warn(message, ScenarioWarning, stacklevel=3)


def _opened(field: Battlefield, objects: Sequence[ObjectSheet]) -> Battlefield:
    """Return the battlefield with every object that can be opened or collapsed made passable."""
    rows = [list(row) for row in field.rows]
    for thing in objects:
        x, y = thing.at
        if thing.effect != "drop" and field.terrain(x, y).blocks_way:
            rows[y][x] = "."
    return replace(field, rows=tuple(map("".join, rows)))


def shipped_scenarios() -> tuple[str, ...]:
    """Return the names of the scenarios shipped with the package, in alphabetical order."""
    return tuple(catalog.scenarios())


# ------------------------------------------------------------------------------------------------ keys of a file


_NEEDED: Final = ("id", "team", *ABILITIES, "heart", "hp")
_SPARE: Final = ("spare_weapon", "spare_shield", "spare_speed")
_ONLY_ON_MAPS: Final = ("at", "spare_speed")


# --------------------------------------------------------------------------------------------------------- lookup


def _find(scenario: object) -> tuple[Mapping[str, Any], str, str]:
    """Return a scenario's content, its source for error messages, and its default name."""
    if isinstance(scenario, Mapping):
        return scenario, ScenarioTable.of(scenario).where, "scenario"
    if isinstance(scenario, Path) or (isinstance(scenario, str) and (scenario.endswith(".toml") or "/" in scenario)):
        path = Path(scenario)
        content = parsed(text_of(path, f"a TOML file or {join_or(shipped_scenarios())}"), str(path))
        return with_sheets(content, path.parent, str(path)), str(path), path.stem
    if isinstance(scenario, str):
        for kind, generated in RANDOM.items():
            if scenario.startswith(kind):
                return generated(_seed(scenario, kind)), scenario, scenario
    shipped = catalog.scenarios()
    name = look_up(scenario, shipped)
    if name is None:
        raise ScenarioError(
            f"{unknown_name('scenario', scenario, shipped)}, {', '.join(f'{kind}<seed>' for kind in RANDOM)}, "
            "a path ending in .toml or a dict."
        )
    return parsed(shipped[name].read_text(encoding="utf-8"), f"{name}.toml"), f"{name}.toml", name


def _seed(name: str, kind: str) -> int:
    """Return the seed in a name such as random:7."""
    seed = name.removeprefix(kind)
    if not (seed.isascii() and seed.isdigit()) or len(seed) > LONGEST_SEED or int(seed) > MAX_SEED:
        raise ScenarioError(f"scenario is {show(name)}, allowed: {kind} and a whole number from 0 to {MAX_SEED}.")
    return int(seed)


# ------------------------------------------------------------------------------------------------------- fighters


@dataclass(frozen=True)
class _Draft:
    """A fighter's fields, checked one by one but not yet against each other."""

    agent: str
    fields: dict[str, Any]  # including its stat line, and stand-ins for broken values
    named: bool  # its display name is given explicitly
    where: str  # source, for error messages
    broken: frozenset[str]  # keys whose values are missing or invalid; checks that depend on them are skipped


# Stand-ins for broken keys while the rest of a file is checked.
_STAND_INS: Final = {**dict.fromkeys(ABILITIES, 6), "heart": DIE_LADDER[-1], "hp": MAX_HP}
_HANGS_ON: Final = {"hp": ("hp_now", "wounds"), "heart": ("heart_now",)}  # keys that are checked against a broken one


def _check_number(count: int, where: str, on_map: bool) -> None:
    """Raise ScenarioError if there are too few or too many fighters; parts of creatures count."""
    most = MOST_FIGHTERS if on_map else MAX_FIGHTERS
    if not MIN_FIGHTERS <= count <= most:
        beyond = "" if on_map or count < MIN_FIGHTERS else f", on a map to {MOST_FIGHTERS}"
        raise ScenarioError(f"{where}: number of fighters is {count}, allowed: {MIN_FIGHTERS} to {most}{beyond}.")


def _draft(
    given: Mapping[str, Any], number: int, where: str, on_map: bool, earlier: Sequence[_Draft], faults: Faults
) -> _Draft:
    """Check a fighter's fields one by one, and assign its agent name: `<id>_<index among fighters with that id>`."""
    place = f"{where}, fighter {number}"
    if isinstance(given.get("id"), str):
        place += f" ({show(given['id'])[1:-1]})"
    own = read_table(given, fighter_fields(), place, ScenarioError, faults=faults)
    broken = {key for key in fighter_fields() if key in given and key not in own}
    with faults.caught():
        _check_map_fields(own, given, place, on_map)
    figures: dict[str, Any] = {}
    with faults.caught():
        figures = scaled(own, place)
    fields = _with_stat_line(own, figures)
    missing = [] if "from" in broken else [key for key in _NEEDED if key not in fields and key not in broken]
    with faults.caught():
        if missing:
            rest = "" if "from" in own or missing == ["team"] else ", or from = a fighter or monster"
            raise ScenarioError(f"{place}: {missing[0]} is missing, needed: {join_or(missing, 'and')}{rest}.")
    broken |= {key for key in _NEEDED if key not in fields}
    for key in [key for part in broken for key in _HANGS_ON.get(part, ())]:
        fields.pop(key, None)
    fields = {"id": f"?{number}", "team": f"?{number}", **_STAND_INS, **fields}
    count = sum(draft.fields["id"] == fields["id"] for draft in earlier)
    return _Draft(f"{fields['id']}_{count}", fields, "name" in own, place, frozenset(broken))


def _check_map_fields(own: Mapping[str, Any], all: Mapping[str, Any], place: str, on_map: bool) -> None:
    """Check that map keys are given only with a map, and spare equipment only with a spare weapon."""
    given = [key for key in _ONLY_ON_MAPS if key in own]
    if given and not on_map:
        raise ScenarioError(
            f"{place}: {given[0]} is {show(own[given[0]])}, but there is no [battlefield] to use it on."
        )
    beside = [key for key in _SPARE if key in own]
    if beside and "spare_weapon" not in all:
        raise ScenarioError(f"{place}: {beside[0]} is given without spare_weapon, needed: both, or neither.")


def _with_stat_line(own: dict[str, Any], figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return a fighter's fields merged over the stat line named by `from` and the figures of its template."""
    if "from" not in own:
        return dict(own)
    letters = own["from"].replace("_", "")  # ids contain only letters
    return {"id": letters, **catalog.stat_line(own["from"]), **figures, **own}


def _display_names(drafts: Sequence[_Draft], faults: Faults) -> list[str]:
    """Return a display name for each fighter; equal names that were not given explicitly are numbered."""
    wanted = [draft.fields.get("name", draft.fields["id"].capitalize()) for draft in drafts]
    shared = Counter(wanted)
    numbers: Counter[str] = Counter()
    names: list[str] = []
    for draft, name in zip(drafts, wanted, strict=True):
        if not draft.named and shared[name] > 1:
            numbers[name] += 1
            name = f"{name} {numbers[name]}"
        with faults.caught():
            if name in names:
                message = f"{draft.where}: name is {show(name)}, an earlier fighter's, allowed: another name."
                raise ScenarioError(message)
        names.append(name)
    return names


def _heroes(given: str | Sequence[str], teams: tuple[str, ...], where: str) -> tuple[str, ...]:
    """Return the hero teams; raise ScenarioError if one has no fighter or there are fewer than two teams."""
    if len(teams) < 2:
        raise ScenarioError(f"{where}: all fighters are of team {teams[0]!r}, allowed: two teams or more.")
    heroes = tuple(dict.fromkeys([given] if isinstance(given, str) else given))
    for team in heroes:
        check_value(team, one_of(teams), f"{where}: heroes", ScenarioError)
    return heroes


def _sheet(
    draft: _Draft,
    name: str,
    heroes: Sequence[str] | None,
    victory: str,
    settings: Settings,
    on_map: bool,
    faults: Faults,
) -> FighterSheet:
    """Resolve a fighter's fields; its square on a map is set later, once all fighters are known."""
    where = draft.where
    fields = {key: field.usual for key, field in fighter_fields().items() if field.usual is not None} | draft.fields
    hero = (heroes is None or fields["team"] in heroes) and "part_of" not in fields
    size, (weapon, shield) = fields["size"], (catalog.NO_WEAPON, catalog.shield("none"))
    with faults.caught():
        weapon, shield = _in_hand(fields, where)
    spare = None
    with faults.caught():
        if "spare_weapon" in fields:
            spare = _spare(fields, where, on_map)
    armor = catalog.armor(fields["armor"])
    wounds: tuple[int, ...] = ()
    with faults.caught():
        wounds = _wounds(fields, settings, where)
    hp_now = 0 if fields["to_grow"] else fields.get("hp_now", fields["hp"] - sum(wounds))
    heart_now = fields.get("heart_now", fields["heart"])
    with faults.caught():
        if not fields["to_grow"]:
            allowed = _hp_range(fields["hp"], sum(wounds), hero, victory, settings)
            check_value(hp_now, allowed, f"{where}: hp_now", ScenarioError)
    with faults.caught():
        allowed = number_of(die for die in DIE_LADDER if die <= fields["heart"])
        check_value(heart_now, allowed, f"{where}: heart_now", ScenarioError)
    return FighterSheet(
        agent=draft.agent,
        id=fields["id"],
        name=name,
        team=fields["team"],
        hero=hero,
        **{ability: fields[ability] for ability in ABILITIES},
        heart=fields["heart"],
        heart_now=heart_now,
        hp=fields["hp"],
        hp_now=hp_now,
        weapon=weapon,
        armor=armor.defense_bonus + fields["defense_bonus"],
        shield=shield.defense_bonus,
        shield_hands=shield.hands,
        size=size,
        size_rank=catalog.size_rank(size, where),
        side=max(1, catalog.size_rank(size, where)),
        speed=_speed(fields, weapon, shield, on_map),
        attack_bonus=fields["attack_bonus"],
        wound_threshold=fields["wound_threshold"],
        wounds=wounds,
        rush=fields["rush"],
        thrown=fields["thrown"],
        abilities=loadout(fields, settings, where, faults),
        surprised=fields["surprised"],
        at=None,
        spare=spare,
        conditions=start_conditions(fields["conditions"], where, faults),
        part_of=fields.get("part_of"),
        to_grow=fields["to_grow"],
    )


def _in_hand(fields: Mapping[str, Any], where: str) -> tuple[Weapon, catalog.Shield]:
    """Return the weapon and shield in hand; the default weapon is unarmed, or none with a flat attack bonus."""
    usual = "none" if fields["attack_bonus"] else "unarmed"
    return _carried(fields.get("weapon", usual), fields["shield"], fields["size"], where)


def _spare(fields: Mapping[str, Any], where: str, on_map: bool) -> Spare:
    """Return the weapon and shield that a fighter can swap to; without a map, its speed stays the same."""
    weapon, shield = _carried(fields["spare_weapon"], fields["spare_shield"], fields["size"], where, "spare_")
    told = {**fields, "speed": fields["spare_speed"]} if "spare_speed" in fields else fields
    speed = _speed(told, weapon, shield, on_map) if on_map else _speed(fields, *_in_hand(fields, where), on_map)
    return Spare(weapon, shield.defense_bonus, shield.hands, speed)


def _carried(weapon: object, shield: str, size: str, where: str, kind: str = "") -> tuple[Weapon, catalog.Shield]:
    """Return a weapon and a shield after checking that a fighter can hold both; `kind` is the prefix of their keys."""
    held = weapon_of(weapon, f"{where}: {kind}weapon")
    _check_weapon_size(held, size, f"{where}: {kind}weapon")
    beside = catalog.shield(shield, where)
    _check_hands(held, beside, where, kind)
    return held, beside


def _check_weapon_size(weapon: Weapon, size: str, place: str) -> None:
    """Raise ScenarioError if the weapon is too big for the fighter's size."""
    ranks = catalog.sizes()
    fitting = [
        id for id, weapon_size in catalog.weapon_sizes().items() if ranks[weapon_size.smallest_wielder] <= ranks[size]
    ]
    if weapon.die and weapon.size not in fitting:
        raise ScenarioError(
            f"{place} {weapon.id!r} is {weapon.size}, too big for size {size!r}, allowed: {join_or(fitting)}."
        )


def _check_hands(weapon: Weapon, shield: catalog.Shield, where: str, kind: str) -> None:
    """Raise ScenarioError if weapon and shield need more than two hands."""
    if weapon.hands + shield.hands > 2:
        raise ScenarioError(
            f"{where}: {kind}shield is {shield.id!r} with {kind}weapon {weapon.id!r}, which needs two hands, "
            f"allowed: {kind}shield 'none' or a one-handed weapon."
        )


def _wounds(fields: Mapping[str, Any], settings: Settings, where: str) -> tuple[int, ...]:
    """Return the ranks of a fighter's starting wounds; their sum must be less than its maximum hit points."""
    wounds = tuple(fields["wounds"])
    if wounds and not settings.wounds:
        raise ScenarioError(f"{where}: wounds is {show(list(wounds))}, but the setting wounds is off, allowed: none.")
    if sum(wounds) >= fields["hp"]:
        raise ScenarioError(f"{where}: wounds sum to {sum(wounds)}, allowed: less than the {fields['hp']} hp.")
    return wounds


def _hp_range(hp: int, wounds: int, hero: bool, victory: str, settings: Settings) -> Field:
    """Return the allowed starting hit points: within its wounds, alive, and above 0 unless it may fight on there."""
    fights_on = victory == "last_standing" and settings.may_choose_at_zero(hero)
    lasts = hp - wounds if settings.death_at == "reduced_maximum" else hp
    return whole(1 - lasts if fights_on else 1, hp - wounds, "the most that wounds leave" if wounds else "")


def _speed(fields: Mapping[str, Any], weapon: Weapon, shield: catalog.Shield, on_map: bool) -> int:
    """Return the speed in feet per round: the scenario's value, or what equipment leaves; at most 60 on a map."""
    speed: int = fields.get("speed", catalog.speed_left(catalog.armor(fields["armor"]), shield, weapon))
    return min(speed, MOST_SPEED) if on_map else speed


# ------------------------------------------------------------------------------------------------------------ maps


def _placed(field: Battlefield, drafts: Sequence[_Draft], sheets: Sequence[FighterSheet]) -> tuple[FighterSheet, ...]:
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


# ---------------------------------------------------------------------------------------------------------- digest


def _with_digest(scenario: Scenario) -> Scenario:
    """Return the scenario with its digest, computed from everything that can affect play, so without display names."""
    content = asdict(scenario)
    spares = [fighter["spare"] for fighter in content["fighters"] if fighter["spare"] is not None]
    weapons = [carrier["weapon"] for carrier in (*content["fighters"], *spares)]
    weapons += [thing["item"] for thing in content["objects"] if thing["item"] is not None]
    for part in (content, *content["fighters"], *content["objects"], *weapons):
        del part["name"]
    for weapon in weapons:
        del weapon["id"]
    del content["digest"]
    if not content["objects"]:  # keeps the digests from before objects existed
        del content["objects"]
    content["settings"]["windows_per_round"] = scenario.windows_per_round
    for key in BEFORE:  # trained weights and records refer to digests older than these settings
        if content["settings"][key] == getattr(Settings, key):
            del content["settings"][key]
    for fighter in content["fighters"]:
        del fighter["side"]
        fighter["talents"] = fighter.pop("abilities")  # the key's name when no fighter could have any
        for key, value in (("thrown", 1), ("part_of", None), ("to_grow", False)):
            if fighter[key] == value:
                del fighter[key]
    if scenario.battlefield is None:  # keeps the digests of fights without a map
        del content["battlefield"]
        for fighter in content["fighters"]:
            if fighter["spare"] is None:
                del fighter["spare"]
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return replace(scenario, digest=hashlib.sha256(canonical.encode()).hexdigest())

"""Sheets of single fighters: as tables in JSON and TOML files, and as text in the rulebook's stat-block style.

    Phantom Knight; elite
    M
    10/6/10/8, HD 10, HP 50, w 15
    A 6, D 8
    Speed 60 ft
    Fade: Once a fight it fades until the next round ...

A sheet is a dict of the scenario's fighter fields, with its abilities and a few facts for readers. `sheet_of` makes the
sheet of a shipped fighter or monster, and `read_sheet` reads one from a file of any of the three formats. A JSON or
TOML file may declare homebrew abilities of the sheet, or name a file of them. Whether the creation rules allow a sheet
is not checked here.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from heartrush_env.games.heart_rush.rules.terms import ABILITIES
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import LISTS, AbilityEntry, abilities, key_of, named_abilities
from heartrush_env.games.heart_rush.scenario.fields import fighter_fields, weapon_fields, weapon_of
from heartrush_env.games.heart_rush.scenario.homebrew import ABILITY, read_homebrew, with_homebrew
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.files import parse_json
from heartrush_env.tabletop.scenario.reading import parsed, text_of
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import (
    Faults,
    Field,
    join_or,
    list_of,
    look_up,
    read_table,
    suggestion,
    table,
    text,
    unknown_name,
)

KINDS: Final = (".json", ".toml", ".txt")  # file name extensions of sheets
FIGHTER: Final = "fighter"  # the table of a sheet in JSON and TOML
FOR_READERS: Final = ("role", ABILITY)  # keys that a scenario's fighter does not have
NEEDED: Final = (*ABILITIES, "heart", "hp")
# Keys of a scenario's fighter that a sheet does not have.
_OF_SCENARIOS: Final = (
    "from",
    "template",
    "team",
    "at",
    "surprised",
    "conditions",
    "with_abilities",
    "part_of",
    "to_grow",
    "companion_of",
)
_NO_SHEETS: Final = ("tier", "origin", "most", "rest", "note")

_ORIGINS: Final = {"rulebook": "", "generator": ", the publisher's example", "ours": ", ours"}
_SIZE_CODES: Final = {
    "minuscule": "Min",
    "tiny": "T",
    "small": "S",
    "medium": "M",
    "large": "L",
}  # L2 and larger are written as they are
MOST_DIGITS: Final = 4
_DESTINY: Final = " (destiny)"


@cache
def sheet_fields() -> dict[str, Field]:
    """Return the keys of a sheet."""
    return {
        **{key: field for key, field in fighter_fields().items() if key not in _OF_SCENARIOS},
        "role": text().about("a short description"),
        ABILITY: list_of(table(), "a list of tables, one per ability").about("homebrew abilities of its own"),
    }


def sheet_of(id: str) -> dict[str, Any]:
    """Return the sheet of the sample fighter or monster with this id, including its abilities."""
    entry = catalog.stat_block(id)
    role = entry.get("role") or entry["tier"] + _ORIGINS[entry["origin"]]
    kept = {key: value for key, value in entry.items() if key not in _NO_SHEETS}
    return checked({**kept, "id": plain_id(entry["id"]), "role": role}, id)


def checked(given: object, where: str) -> dict[str, Any]:
    """Return a sheet after checking its keys and values; without an id, derive it from the name.

    Raises:
        ScenarioError: A key or a value is wrong, or figures are missing.
    """
    sheet = read_table(given, sheet_fields(), where, ScenarioError)
    missing = [key for key in NEEDED if key not in sheet]
    if missing:
        raise ScenarioError(f"{where}: {missing[0]} is missing; expected {join_or(missing, 'and')}.")
    if "id" not in sheet:
        sheet["id"] = plain_id(sheet.get("name", ""))
        if not sheet["id"]:
            raise ScenarioError(f"{where}: id is missing; expected an id, or a name with letters from a to z.")
    for key in ("weapon", "spare_weapon"):
        if key in sheet:
            weapon_of(sheet[key], f"{where}: {key}")
    faults = Faults()
    made = read_homebrew(sheet.get(ABILITY, ()), where, faults)
    faults.settle(where)
    for key in LISTS:
        if key in sheet:
            sheet[key] = list(named_abilities(sheet[key], key, where, {id: one.entry for id, one in made.items()}))
    return sheet


def plain_id(name: str) -> str:
    """Return the letters a to z of a name in lowercase, as in agent names."""
    return re.sub("[^a-z]", "", name.lower())


def fields_of(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a sheet that a scenario's fighter can have."""
    return {key: value for key, value in sheet.items() if key not in FOR_READERS}


def as_data(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sheet for a JSON or TOML file; the effects of its abilities are for front-ends only, never read back."""
    known, destined = _known(sheet), sheet.get("destiny_talents", ())
    listed = [id for key in LISTS for id in sheet.get(key, ())]
    effects = {
        id: {"name": known[id].name, "chapter": known[id].chapter, "effect": _effect(known[id], id in destined)}
        for id in listed
    }
    declared = {ABILITY: sheet[ABILITY]} if ABILITY in sheet else {}
    return {FIGHTER: {key: value for key, value in sheet.items() if key != ABILITY}, **declared, "effects": effects}


def _known(sheet: Mapping[str, Any]) -> Mapping[str, AbilityEntry]:
    """Return all abilities that a sheet may list, by id: the shipped ones, and the homebrew ones that it declares."""
    made = read_homebrew(sheet.get(ABILITY, ()), "sheet", Faults())
    return {**abilities(), **{id: one.entry for id, one in made.items()}}


# --------------------------------------------------------------------------------------------------------- files


def read_sheet(path: str | Path) -> dict[str, Any]:
    """Return the sheet in a `.json`, `.toml` or `.txt` file.

    Raises:
        ScenarioError: The file cannot be read or does not hold a sheet.
    """
    file = Path(path)
    if file.suffix not in KINDS:
        raise ScenarioError(f"{file}: expected a sheet's file, ending in {join_or(KINDS)}.")
    content = text_of(file, f"a sheet that ends in {join_or(KINDS)}")
    if file.suffix == ".txt":
        return read_stat_block(content, str(file))
    return checked(_table_of(content, file), str(file))


def with_sheets(scenario: Mapping[str, Any], folder: Path, where: str) -> dict[str, Any]:
    """Return a scenario file's table, with each `from` that names a sheet file replaced by the sheet's fields.

    The homebrew abilities that the sheets declare join those of the scenario; equal declarations are one.

    Raises:
        ScenarioError: A sheet cannot be read, or is outside the scenario's folder.
    """
    fighters, declared = scenario.get(FIGHTER), scenario.get(ABILITY, [])
    if not isinstance(fighters, list) or not isinstance(declared, list):
        return dict(scenario)
    declared, merged = [*declared], []
    for given in fighters:
        sheet = _sheet_named_by(given, folder, where)
        merged.append(given if sheet is None else {**fields_of(sheet), **_without_from(given)})
        declared += [one for one in (sheet or {}).get(ABILITY, ()) if one not in declared]
    return {**scenario, FIGHTER: merged, **({ABILITY: declared} if declared else {})}


def _without_from(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a fighter's table without its `from`."""
    return {key: value for key, value in given.items() if key != "from"}


def _sheet_named_by(given: Any, folder: Path, where: str) -> dict[str, Any] | None:
    """Return the sheet in the file that the `from` of a fighter's table names, or None if it names no file."""
    name = given.get("from") if isinstance(given, Mapping) else None
    if not isinstance(name, str) or not name.endswith(KINDS):
        return None
    file = folder / name
    if Path(name).is_absolute() or not file.resolve().is_relative_to(folder.resolve()):
        raise ScenarioError(f"{where}: from: expected a sheet in the scenario's folder, got {show(name)}.")
    return read_sheet(file)


def _table_of(content: str, file: Path) -> object:
    """Return the fighter's table in a JSON or TOML file, with the homebrew abilities that the file brings."""
    if file.suffix == ".toml":
        held: object = parsed(content, str(file))
    else:
        try:
            held = parse_json(content)
        except ValueError as problem:
            raise ScenarioError(f"{file}: broken JSON: {problem}.") from None
    if not isinstance(held, Mapping) or not isinstance(held.get(FIGHTER), Mapping):
        raise ScenarioError(f"{file}: expected a table {FIGHTER!r} with a sheet, got {show(held)}.")
    with_made = with_homebrew(held, file.parent, str(file))
    return {**held[FIGHTER], **({ABILITY: with_made[ABILITY]} if ABILITY in with_made else {})}


# --------------------------------------------------------------------------------------------------- writing text


def stat_block(sheet: Mapping[str, Any]) -> str:
    """Return a sheet as text.

    Raises:
        ScenarioError: The text would be read back differently, for instance because a name contains a semicolon.
    """
    where = f"sheet {sheet['id']!r}"
    if sheet.get(ABILITY):
        raise ScenarioError(f"{where}: expected no homebrew abilities in text, got some; write a JSON file instead.")
    written = "\n".join(_lines(sheet)) + "\n"
    if completed(read_stat_block(written, where)) != completed(sheet):
        raise ScenarioError(
            f"{where}: expected names that can be read back from text, got one that cannot; write a JSON file instead."
        )
    return written


def head(sheet: Mapping[str, Any]) -> list[str]:
    """Return the size, dice and bonuses of a sheet, each as one line."""
    full = completed(sheet)
    dice = "/".join(str(full[ability]) for ability in ABILITIES)
    threshold = full["wound_threshold"] or "/"
    heart, hp = (_of(full[now], full[whole]) for now, whole in (("heart_now", "heart"), ("hp_now", "hp")))
    versus = ", ".join(f"{kind} {bonus}" for kind, bonus in full.get("defense_vs", {}).items())
    return [
        _SIZE_CODES.get(full["size"], full["size"]),
        f"{dice}, HD {heart}, HP {hp}, w {threshold}",
        f"A {_attack(full)}, D {_defense(full)}" + f" ({versus})" * bool(versus),
    ]


def _lines(sheet: Mapping[str, Any]) -> list[str]:
    name = sheet.get("name", sheet["id"].capitalize())
    known = "" if plain_id(name) == sheet["id"] else f" ({sheet['id']})"
    first = f"{name}{known}" + (f"; {sheet['role']}" if "role" in sheet else "")
    more = [f"{label} {line.write(sheet)}" for label, line in _MORE.items() if any(key in sheet for key in line.keys)]
    return [first, *head(sheet), *more, *ability_lines(sheet)]


def ability_lines(sheet: Mapping[str, Any]) -> list[str]:
    """Return the abilities of a sheet with their effects, one line each."""
    known = abilities()
    listed = [(known[id], key == "destiny_talents") for key in LISTS for id in sheet.get(key, ())]
    return [f"{entry.name}{_DESTINY * destiny}: {_effect(entry, destiny)}" for entry, destiny in listed]


def _effect(entry: AbilityEntry, destiny: bool) -> str:
    return f"{entry.effect} {entry.destiny}" if destiny else entry.effect


def _of(now: int, full: int) -> str:
    return str(full) if now == full else f"{now} of {full}"


def completed(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sheet, or a scenario's fighter, with all defaults filled in."""
    usual = {key: field.usual for key, field in sheet_fields().items() if field.usual is not None}
    full = {**usual, "name": sheet["id"].capitalize(), **sheet}
    full.setdefault("weapon", "none" if full["attack_bonus"] else "unarmed")
    full.setdefault("heart_now", full["heart"])
    full.setdefault("hp_now", full["hp"] - sum(full["wounds"]))
    return {key: list(value) if isinstance(value, tuple) else value for key, value in full.items()}


def _attack(full: Mapping[str, Any]) -> str:
    parts = [] if full["weapon"] == "none" else [_weapon(full["weapon"])]
    return " + ".join([*parts, *[str(full["attack_bonus"])] * (full["attack_bonus"] > 0 or not parts)])


def _defense(full: Mapping[str, Any]) -> str:
    worn = [catalog.armors()[full["armor"]].name, catalog.shields()[full["shield"]].name]
    parts = [name.lower() for name, id in zip(worn, (full["armor"], full["shield"]), strict=True) if id != "none"]
    return " + ".join([*parts, *[str(full["defense_bonus"])] * (full["defense_bonus"] > 0 or not parts)])


def _weapon(weapon: str | Mapping[str, Any]) -> str:
    """Return a weapon in words: its name, or the properties of a custom weapon."""
    if isinstance(weapon, str):
        return catalog.weapon(weapon).name.lower()
    words = [weapon[key] for key in ("size", "attack_type", "damage_type") if weapon.get(key, "none") != "none"]
    far = [f"{weapon['range']} ft"] if "range" in weapon else []
    return " ".join([*words, *far, *(key for key in ("reach", "natural") if weapon.get(key))])


@dataclass(frozen=True)
class _Line:
    """A line of a stat block, which is left out if the sheet has none of the line's keys."""

    keys: tuple[str, ...]
    write: Callable[[Mapping[str, Any]], str]
    read: Callable[[str], dict[str, Any]]  # raises ValueError for an unreadable text


def _whole(said: str) -> int:
    """Return the whole number in a text of at most MOST_DIGITS digits."""
    if not said.isdecimal() or len(said) > MOST_DIGITS:
        raise ValueError(f"{show(said)} is not a whole number of at most {MOST_DIGITS} digits")
    return int(said)


def _number(key: str, unit: str = "") -> _Line:
    """Return a line format for one whole number."""
    return _Line((key,), lambda sheet: f"{sheet[key]}{unit}", lambda said: {key: _whole(said.removesuffix(unit))})


def _write_spare(sheet: Mapping[str, Any]) -> str:
    parts = [_weapon(sheet["spare_weapon"])]
    if sheet.get("spare_shield", "none") != "none":
        parts.append(catalog.shields()[sheet["spare_shield"]].name.lower())
    return " + ".join(parts) + (f", {sheet['spare_speed']} ft" if "spare_speed" in sheet else "")


def _read_spare(said: str) -> dict[str, Any]:
    held, _, speed = said.partition(", ")
    weapon, _, shield = held.partition(" + ")
    found = {"spare_weapon": _weapon_in(weapon)}
    if shield:
        found["spare_shield"] = _worn(shield).get("shield", shield)
    return found | ({"spare_speed": _whole(speed.removesuffix(" ft"))} if speed else {})


def _read_parts(said: str) -> dict[str, Any]:
    words = [part.split(" ") for part in said.split(", ")]
    if not all(len(each) == 4 and each[2] == "of" for each in words):
        raise ValueError("parts are written as in 'hydra_head 3 of 6'")
    return {"parts": {kind: [_whole(standing), _whole(all_of_them)] for kind, standing, _, all_of_them in words}}


_MORE: Final = {
    "Speed": _number("speed", " ft"),
    "Rush points": _number("rush"),
    "Thrown weapons": _number("thrown"),
    "Wounds": _Line(
        ("wounds",),
        lambda sheet: ", ".join(map(str, sheet["wounds"])),
        lambda said: {"wounds": [_whole(rank) for rank in said.split(", ")]},
    ),
    "Spare": _Line(("spare_weapon",), _write_spare, _read_spare),
    "Parts": _Line(
        ("parts",),
        lambda sheet: ", ".join(f"{kind} {some} of {whole}" for kind, (some, whole) in sheet["parts"].items()),
        _read_parts,
    ),
}

# --------------------------------------------------------------------------------------------------- reading text


_FIRST: Final = re.compile(r"(?P<name>[^;()]+?)(?: \((?P<id>[a-z]+)\))?(?:; (?P<role>.+))?")
_FIGURES: Final = re.compile(
    r"(\d{1,4})/(\d{1,4})/(\d{1,4})/(\d{1,4}), HD (?:(?P<heart_now>\d{1,4}) of )?(?P<heart>\d{1,4}), "
    r"HP (?:(?P<hp_now>-?\d{1,4}) of )?(?P<hp>\d{1,4}), w (?P<wound_threshold>\d{1,4}|/)"
)
_BONUSES: Final = re.compile(r"A (?P<attack>.+), D (?P<defense>[^()]+?)(?: \((?P<versus>.+)\))?")
_FORM: Final = (
    (_FIRST, "a name, as in 'Phantom Knight; elite'"),
    (re.compile("|".join([*_SIZE_CODES.values(), *(size for size in catalog.sizes() if size not in _SIZE_CODES)])),
     "a size, as in 'M', 'L' or 'L2'"),
    (_FIGURES, "dice and figures, as in '10/6/10/8, HD 10, HP 50, w 15'"),
    (_BONUSES, "attack and defense, as in 'A 6, D 8'"),
)  # fmt: skip


def read_stat_block(content: str, where: str) -> dict[str, Any]:
    """Return the sheet in a stat block's text.

    Raises:
        ScenarioError: A line cannot be read, or the sheet is invalid.
    """
    lines = [line.strip() for line in content.splitlines() if line.strip()]
    found = []
    for number, (form, wanted) in enumerate(_FORM):
        line = lines[number] if number < len(lines) else ""
        match = form.fullmatch(line)
        if match is None:
            raise ScenarioError(f"{where}, line {number + 1}: expected {wanted}, got {show(line)}.")
        found.append(match)
    first, size, figures, bonuses = found
    sheet: dict[str, Any] = {key: value for key, value in first.groupdict().items() if value is not None}
    sheet["size"] = next((id for id, code in _SIZE_CODES.items() if code == size[0]), size[0])
    sheet |= {ability: int(die) for ability, die in zip(ABILITIES, figures.groups(), strict=False)}
    sheet |= {key: 0 if value == "/" else int(value) for key, value in figures.groupdict().items() if value is not None}
    for number, line in enumerate(lines[3:], start=4):
        try:
            read = _bonuses(bonuses) if number == 4 else _further(line)
        except ValueError as problem:
            raise ScenarioError(f"{where}, line {number}: got {show(line)}, but {problem}.") from None
        for key, value in read.items():
            sheet[key] = sheet[key] + value if key in LISTS and key in sheet else value
    return checked(sheet, where)


def _bonuses(match: re.Match[str]) -> dict[str, Any]:
    """Return the keys that the line of attack and defense sets."""
    sheet: dict[str, Any] = {}
    for part in match["attack"].split(" + "):
        sheet |= {"attack_bonus": _whole(part)} if part.isdecimal() else {"weapon": _weapon_in(part)}
    sheet.setdefault("weapon", "none")
    for part in match["defense"].split(" + "):
        if part.isdecimal():
            sheet["defense_bonus"] = _whole(part)
        else:
            sheet |= _worn(part)
    if match["versus"]:
        pairs = [part.rpartition(" ")[::2] for part in match["versus"].split(", ")]
        sheet["defense_vs"] = {kind: _whole(bonus) for kind, bonus in pairs}
    return sheet


def _further(line: str) -> dict[str, Any]:
    """Return the keys that a line below the bonuses sets: a line of _MORE, or an ability."""
    for label, more in _MORE.items():
        if line.startswith(f"{label} ") and ": " not in line:
            return more.read(line.removeprefix(f"{label} "))
    name, colon, _ = line.partition(":")
    known = {entry.name: entry for entry in abilities().values()}
    found = look_up(name.removesuffix(_DESTINY), known)
    if found is None:
        start = join_or([*_MORE, "an ability and a colon"])
        close = suggestion(name, known) if colon else ""
        raise ValueError(f"a line begins with {start}, and there is no ability {show(name)}{close}")
    return {"destiny_talents" if name.endswith(_DESTINY) else key_of(known[found]): [known[found].id]}


def _worn(part: str) -> dict[str, str]:
    """Return the id of the armor or shield with this name, as {"armor" or "shield": id}."""
    named: dict[str, Mapping[str, Any]] = {"armor": catalog.armors(), "shield": catalog.shields()}
    known = {entry.name.lower(): {key: id} for key, all in named.items() for id, entry in all.items() if id != "none"}
    found = look_up(part, known)
    if found is None:
        raise ValueError(f"there is no {unknown_name('armor or shield', part, known).removeprefix('unknown ')}")
    return known[found]


def _weapon_in(part: str) -> str | dict[str, Any]:
    """Return a weapon's id by its name, or a custom weapon's table from the words for its properties."""
    names = {weapon.name.lower(): id for id, weapon in catalog.arms().items()}
    if found := look_up(part, names):
        return names[found]
    properties, far, _ = part.partition(" ft")
    words = properties.split()
    weapon: dict[str, Any] = {"range": _whole(words.pop())} if far else {}
    for word in words:
        key = next((key for key, field in weapon_fields().items() if word == key or word in field.words), None)
        if key is None:
            raise ValueError(f"there is no weapon {show(part)}{suggestion(part, names)}")
        weapon[key] = True if word == key else word
    return {"size": "none", **weapon}

"""`heartrush list`: everything that a scenario or a command may name, with its figures. Also writes docs/scenario.md.

Listings are generated from live objects: the field tables that validate files, and the content of the data files.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from heartrush_env.app.cli.terminal import codes
from heartrush_env.games.heart_rush.rules.terms import ABILITIES
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import abilities
from heartrush_env.games.heart_rush.scenario.battlefield import LARGEST_RANK, battlefield_fields
from heartrush_env.games.heart_rush.scenario.fields import (
    CONDITION_FIELDS,
    fighter_fields,
    scenario_fields,
    weapon_fields,
)
from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from heartrush_env.games.heart_rush.scenario.objects import object_fields
from heartrush_env.games.heart_rush.scenario.settings import KEYS, Settings
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.text import escaped
from heartrush_env.tabletop.validate import Field, look_up, unknown_name

Item = dict[str, Any]

MOST_NAMES = 8  # most names that a field's row on the page lists
NARROWEST_LAST = 12  # minimum width of the last column in a terminal, in characters

EXAMPLES = """examples:
  heartrush list                      the names of all lists
  heartrush list weapons
  heartrush list fields               the fields of a scenario
  heartrush list monsters --json"""


@dataclass(frozen=True)
class Listing:
    """A list of named things of one kind."""

    about: str  # one sentence
    columns: Mapping[str, str | Callable[[Item], Any]]  # headings, each with an item key or a function of an item
    items: Callable[[], list[Item]]  # JSON-able, each with all facts about one thing
    wide: Mapping[str, str | Callable[[Item], Any]] = field(default_factory=dict)  # additional columns of the page

    def rows(self, wide: bool = False) -> list[list[str]]:
        """Return the cells of each item as text."""
        shown = [*self.columns.values(), *(self.wide.values() if wide else ())]
        return [[_cell(item[show] if isinstance(show, str) else show(item)) for show in shown] for item in self.items()]


def add_command(commands: Any) -> None:
    """Add `list` to the command line."""
    parser = commands.add_parser(
        "list",
        help="list fighters, monsters, weapons and everything else with a name",
        description="Lists everything that scenarios and commands may name, with its figures.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("what", nargs="?", metavar="WHAT", help=f"one of {', '.join(LISTINGS)}")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print one list, or the names of all lists."""
    if arguments.what is None:
        overview = {name: listing.about for name, listing in LISTINGS.items()}
        if arguments.json:
            print(json.dumps({"lists": overview}, indent=1))
        else:
            print("\n".join(table(("list", "holds"), [[*item] for item in overview.items()])))
        return 0
    name = look_up(arguments.what, LISTINGS) or look_up(f"{arguments.what}s", LISTINGS)
    if name is None:
        raise HeartRushError(f"{unknown_name('list', arguments.what, LISTINGS)}.")
    listing = LISTINGS[name]
    if arguments.json:
        print(json.dumps({name: listing.items()}, indent=1))
    else:
        print("\n".join(table(list(listing.columns), listing.rows())))
    return 0


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Format a table as text; on a terminal the last column is wrapped, in a pipe each row is one line."""
    color = codes()
    widths = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head) - 1)]
    indent = sum(widths) + 2 * len(widths)
    room = None
    if sys.stdout.isatty():
        room = max(NARROWEST_LAST, shutil.get_terminal_size().columns - indent)
    lines = []
    for number, row in enumerate((head, *rows)):
        begin = "".join(f"{cell:<{width}}  " for cell, width in zip(row, widths, strict=False))
        parts = [row[-1]] if room is None else textwrap.wrap(row[-1], room, break_on_hyphens=False) or [""]
        for part in (begin + parts[0], *(" " * indent + part for part in parts[1:])):
            line = escaped(part.rstrip())
            lines.append(f"{color['bold']}{line}{color['end']}" if number == 0 else line)
    return lines


def _cell(value: Any) -> str:
    """Format a value for a table cell."""
    if value is None or value == "":
        return "-"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


# -- the listings ----------------------------------------------------------------------------------------------------


def usual(field: Field) -> str:
    """Describe the default of a field in words."""
    return field.usually or json.dumps(field.usual)


def _fields(tables: Mapping[str, Mapping[str, Field]]) -> list[Item]:
    return [
        {
            "table": name,
            "field": key,
            "allowed": field.allowed or "[]",
            "default": None if field.usually else field.usual,
            "left_out": usual(field),
            "meaning": field.meaning,
        }
        for name, table in tables.items()
        for key, field in table.items()
    ]


def all_fields() -> dict[str, Mapping[str, Field]]:
    """Return the tables of a scenario file with their fields."""
    return {
        "scenario": scenario_fields(),
        "fighter": fighter_fields(),
        "weapon": weapon_fields(),
        "condition": CONDITION_FIELDS,
        "battlefield": battlefield_fields(),
        "object": object_fields(),
    }


def _fighters() -> list[Item]:
    return [{"id": id, **_stat_line(line), "role": catalog.role(id)} for id, line in catalog.fighters().items()]


def _monsters() -> list[Item]:
    facts = {line["id"]: {key: line[key] for key in ("tier", "origin")} for line in catalog.bestiary()}
    return [{"id": id, **_stat_line(line), **facts[id]} for id, line in catalog.monsters().items()]


def _stat_line(line: Mapping[str, Any]) -> Item:
    """Return a stat line completed with default values."""
    usually = {key: field.usual for key, field in fighter_fields().items() if isinstance(field.usual, int | str)}
    shown = ("size", "armor", "shield", "attack_bonus", "defense_bonus", "wound_threshold")
    return {**{key: usually[key] for key in shown}, **line}


def _dice(item: Item) -> str:
    return " ".join(f"{item[die]:>2}" for die in (*ABILITIES, "heart"))


def _range(item: Item) -> str:
    return f"{item['range']}" if item["range"] == item["furthest"] else f"{item['range']} to {item['furthest']}"


def _weapons() -> list[Item]:
    return [
        {**asdict(weapon), "range": catalog.carries(weapon), "furthest": catalog.furthest(weapon)}
        for weapon in catalog.weapons().values()
    ]


def _sizes() -> list[Item]:
    return [
        {"id": id, "rank": rank, "squares": None if rank > LARGEST_RANK else max(1, rank)}
        for id, rank in catalog.sizes().items()
    ]


def _weapon_sizes() -> list[Item]:
    return [{"id": id, **asdict(size)} for id, size in catalog.weapon_sizes().items()]


def _scenarios() -> list[Item]:
    return [_scenario(load_scenario(name)) for name in shipped_scenarios()]


def _scenario(scenario: Scenario) -> Item:
    field = scenario.battlefield
    return {
        "name": scenario.name,
        "teams": {team: sum(sheet.team == team for sheet in scenario.fighters) for team in scenario.teams},
        "map": None if field is None else [field.width, field.height],
        "victory": scenario.victory,
        "max_rounds": scenario.max_rounds,
        "about": catalog.about_scenario(scenario.name),
    }


def _settings() -> list[Item]:
    return [
        {"setting": field.name, "default": field.default, "allowed": KEYS[field.name].allowed}
        for field in fields(Settings)
    ]


def _agents() -> list[Item]:
    from heartrush_agents import available, load  # imports the agents' code, so only when needed

    known = {id: load(id) for id in available()}
    return [{"id": id, "levels": list(agent.levels), "description": agent.description} for id, agent in known.items()]


def _abilities() -> list[Item]:
    from heartrush_env.games.heart_rush.abilities import coverage  # imports the engine, so only when needed

    played, lacking = coverage.implemented_ids(), coverage.left_out()
    return [
        {**asdict(entry), "played": entry.id in played, "left_out": lacking.get(entry.id, "")}
        for entry in abilities().values()
    ]


_PENALTY: dict[str, str | Callable[[Item], Any]] = {
    "defence": "defense_bonus",
    "speed": lambda item: -item["speed_penalty"],
}

LISTINGS: dict[str, Listing] = {
    "fields": Listing(
        "The fields of a scenario file and their allowed values.",
        {"table": "table", "field": "field", "holds": lambda item: (
            f"{item['meaning']}; allowed: {item['allowed']}; left out: {item['left_out']}"
        )},
        lambda: _fields(all_fields()),
    ),
    "fighters": Listing(
        "Sample fighters: `from = \"knight\"`. Dice are might, agility, cunning, presence, heart.",
        {"fighter": "id", "dice": _dice, "hp": "hp", "weapon": "weapon", "armor": "armor",
         "shield": "shield", "role": "role"},
        _fighters,
    ),
    "monsters": Listing(
        "Monsters: `from = \"queen_rat\"`. Dice as for fighters; bonuses to attack and defense; 0: takes no wounds.",
        {"monster": "id", "size": "size", "dice": _dice, "hp": "hp", "+hit": "attack_bonus",
         "+def": "defense_bonus", "wound": "wound_threshold", "tier": "tier"},
        _monsters,
        wide={"speed": "speed", "origin": "origin"},
    ),
    "abilities": Listing(
        "Talents, legacy abilities and those of monsters, by id; fights play those marked.",
        {"ability": "id", "played": "played", "effect": "effect"},
        _abilities,
    ),
    "weapons": Listing(
        "Weapons: `weapon = \"longsword\"`. Ranges are in squares; the far end is at disadvantage, or for reach.",
        {"weapon": "id", "size": "size", "die": "die", "attack": "attack_type", "damage": "damage_type",
         "hands": "hands", "range": _range},
        _weapons,
        wide={"name": "name"},
    ),
    "weapon_sizes": Listing(
        "Sizes of weapons, including custom weapons of a scenario.",
        {"size": "id", "die": "die", "speed": lambda item: -item["speed_penalty"], "wielder": "smallest_wielder"},
        _weapon_sizes,
    ),
    "armors": Listing(
        "Suits of armor: `armor = \"medium\"`. Speed is in feet per round.",
        {"armor": "id", **_PENALTY, "name": "name"},
        lambda: [asdict(armor) for armor in catalog.armors().values()],
    ),
    "shields": Listing(
        "Shields: `shield = \"light_shield\"`. Their bonus is added to that of the armor.",
        {"shield": "id", **_PENALTY, "hands": "hands", "name": "name"},
        lambda: [asdict(shield) for shield in catalog.shields().values()],
    ),
    "sizes": Listing(
        "Size categories, smallest first. Rules compare ranks; the width on a map is in squares.",
        {"size": "id", "rank": "rank", "squares": "squares"},
        _sizes,
    ),
    "conditions": Listing(
        "Conditions: `conditions = {dazed = 2}`, and `{grappled = {source = \"rogue_0\"}}` for one with a source.",
        {"condition": "id", "levels": "max_level", "fades": "fading", "source": "needs_source", "effect": "effect"},
        lambda: [asdict(condition) for condition in catalog.conditions().values()],
    ),
    "terrain": Listing(
        "Kinds of squares on a map. Enter is the cost of entering, in squares of a dash.",
        {"glyph": "glyph", "terrain": "id", "enter": lambda item: "no" if item["blocks_way"] else item["cost"],
         "lines": lambda item: "blocked" if item["blocks_line"] else "free", "cover": "cover", "about": "about"},
        lambda: [asdict(kind) for kind in catalog.terrain().values()],
    ),
    "scenarios": Listing(
        "The scenarios shipped with the package.",
        {"scenario": "name", "fighters": lambda item: " v ".join(map(str, item["teams"].values())),
         "map": lambda item: item["map"] and "x".join(map(str, item["map"])), "about": "about"},
        _scenarios,
    ),
    "settings": Listing(
        "Settings of the rules: `[rules]` of a scenario, `--rule KEY=VALUE` on the command line.",
        {"setting": "setting", "default": lambda item: json.dumps(item["default"]), "allowed": "allowed"},
        _settings,
    ),
    "agents": Listing(
        "Agents: `--red tactician`, `load(\"tactician\")`.",
        {"agent": "id", "description": "description"},
        _agents,
    ),
}  # fmt: skip


# -- the page --------------------------------------------------------------------------------------------------------

ON_THE_PAGE = ("fighters", "monsters", "weapons", "weapon_sizes", "armors", "shields", "sizes", "conditions", "terrain")
TITLES = {
    "scenario": "The file",
    "fighter": "`[[fighter]]`",
    "weapon": "`weapon = {...}`: a custom weapon",
    "condition": "`conditions = {name = {...}}`: one condition",
    "battlefield": "`[battlefield]`",
    "object": "`[[object]]`: something to use, on a map",
}
INTRODUCTION = """\
A scenario defines the fighters, equipment, rules and victory condition of a fight. It is a TOML file or a dict of the
same shape. The shipped files in `heartrush_env/games/heart_rush/data/scenarios/` are good starting points.
`heartrush list` prints the tables of this page in a terminal, or with `--json` as data.

Names can be spelled in several ways: `Long Sword`, `long_sword` and `longsword` are equal. All errors in a file are
reported together. Each error gives the place, the value found and the values allowed. A fighter that can reach no enemy
is allowed, but causes a warning. A file may have at most 256 KiB.

A fighter can have a file of its own, called a sheet. `heartrush sheet knight` prints one as text, and with `--json` as
JSON. In a scenario of the same folder, `from = "knight.txt"` refers to it. A sheet has the fields of `[[fighter]]`
below, except `team`, `at`, `from`, `surprised`, `conditions`, `with_abilities`, `part_of` and `to_grow`. It also has a
`role`. In JSON and TOML the fields are in a table `fighter`. With `with_abilities = true` a fighter has the abilities
of the monster or sheet that `from` names. `heartrush check` checks the fighters of a scenario or a sheet against the
rules for creating characters and monsters.

A creature with several parts is one `[[fighter]]` with `parts`. For the hydra of the [bestiary](bestiary.md),
`from = "hydra"` and `with_abilities = true` are enough to include its heads. Each part is a fighter of its own, listed
after all other fighters. Parts that may still grow are in the scenario from the start. They are out of the fight until
they grow, but count toward its number of fighters. To give a part keys of its own, write it as a fighter with
`part_of = "hydra_0"`, and with `to_grow = true` if it is to grow. On a map, parts are where their body is. Parts fall
with their body, so a side is beaten when its bodies are."""


def scenario_page(head: str) -> str:
    """Return the page of a scenario's fields and names as Markdown; `head` is its first line."""
    lines = [head, "# Scenarios", "", INTRODUCTION, ""]
    for name, known in all_fields().items():
        rows = [[f"`{key}`", _short(field), usual(field), field.meaning] for key, field in known.items()]
        lines += [f"## {TITLES[name]}", "", *markdown(("field", "may be", "left out", "meaning"), rows), ""]
    lines += ["`[rules]` holds [settings](settings.md); [battlefields](battlefield.md) have a page of their own.", ""]
    for name in ON_THE_PAGE:
        listing = LISTINGS[name]
        rows = [[f"`{first}`", *rest] for first, *rest in listing.rows(wide=True)]
        lines += [f"## {name.replace('_', ' ').capitalize()}", "", listing.about, ""]
        lines += [*markdown([*listing.columns, *listing.wide], rows), ""]
    return "\n".join(lines[:-1]) + "\n"


def _short(field: Field) -> str:
    """Describe a field's allowed values, replacing a long list of names by a reference to a table below."""
    if len(field.words) > MOST_NAMES:
        return f"one of {len(field.words)} names below" + ", or a table" * field.fits({})
    return field.allowed or "`[]`"


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    bar = "\\|"
    return [f"| {' | '.join(cell.replace('|', bar) for cell in row)} |" for row in (head, ["---"] * len(head), *rows)]

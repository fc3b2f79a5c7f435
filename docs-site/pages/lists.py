"""Tables for docs/: a scenario's fields and names, settings, actions, features, and headings of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from heartrush_env.app.cli.game_lists import Column
from heartrush_env.app.cli.rules import places, tally
from heartrush_env.app.heart_rush.commands.listings import LISTINGS, all_fields, usual
from heartrush_env.games.heart_rush.encoding.entities import KIND, layout_of
from heartrush_env.games.heart_rush.encoding.features import feature_parts, features
from heartrush_env.games.heart_rush.encoding.ground import VIEW
from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
from heartrush_env.games.heart_rush.headings import BOOK
from heartrush_env.games.heart_rush.rules.terms import MOST_OBJECTS
from heartrush_env.games.heart_rush.scenario.settings import EDITIONS, KEYS, PROFILES, Settings
from heartrush_env.tabletop.files import toml_value
from heartrush_env.tabletop.tables import Feature
from heartrush_env.tabletop.validate import Field
from pages.markdown import lines, table

ON_PAGE = ("ability", "effect")  # parts of a scenario whose names are on a page of their own
MOST_NAMES = 8  # in the row of a field; a longer list of names has a table of its own
FIELDS = {
    "scenario": "The file",
    "fighter": "`[[fighter]]`",
    "weapon": "`weapon = {...}`: a custom weapon",
    "condition": "`conditions = {name = {...}}`: one condition",
    "battlefield": "`[battlefield]`",
    "object": "`[[object]]`: something to use, on a map",
    "ability": "`[[ability]]`: a homebrew ability, explained on [its page](homebrew.md)",
    "when": "`when = {...}`: the conditions of a homebrew ability",
    "effect": "`effects = [{...}]`: an effect of a homebrew ability",
}
# The lists of names on the page of scenarios, each with further columns.
NAMES: dict[str, dict[str, Column]] = {
    "fighters": {},
    "monsters": {"speed": "speed", "origin": "origin"},
    "weapons": {"name": "name"},
    "weapon_sizes": {}, "armors": {}, "shields": {}, "sizes": {}, "conditions": {}, "terrain": {},
}  # fmt: skip
PARTS = {
    "moment": "The moment",
    "fighter, lasting": "A fighter: constant during a fight",
    "fighter, changing": "A fighter: changing during a fight",
    "bonds": "An enemy or ally: bonds with the viewer",
    "ground": "On a map: the ground",
    "viewer's place": "On a map: the viewer",
    "other's place": "On a map: an enemy or ally",
    "square": f"On a map: each square around the viewer, X and Y from -{VIEW} to {VIEW}",
    "object": f"On a map: each object (`object 1` to `object {MOST_OBJECTS}`)",
    "moment in turns": "In the classic edition: the moment",
    "fighter in turns": "In the classic edition: the viewer, an enemy or ally",
    "occasion": "With abilities: the moment",
    "loadout": "With abilities: the viewer, an enemy or ally",
    "own way": "On a map: the path of a dash that the viewer is choosing",
    "own pick": "With abilities: the part that the viewer is asked for",
}


def scenario_fields() -> str:
    """Return a table of the fields of each part of a scenario file."""
    found: list[str] = []
    for name, known in all_fields().items():
        place = "on its page" if name in ON_PAGE else "below"
        rows = [[f"`{key}`", _short(field, place), usual(field), field.meaning] for key, field in known.items()]
        found += [f"## {FIELDS[name]}", "", *table(("field", "may be", "left out", "meaning"), rows), ""]
    return lines(found[:-1])


def _short(field: Field, place: str) -> str:
    """Describe a field's allowed values, replacing a long list of names by a reference to the place of their table."""
    if len(field.words) > MOST_NAMES:
        return f"one of {len(field.words)} names {place}" + ", or a table" * field.fits({})
    return field.allowed or "`[]`"


def scenario_names() -> str:
    """Return a table for each list of names that a scenario may use."""
    found: list[str] = []
    for name, more in NAMES.items():
        listing = LISTINGS[name]
        rows = [[f"`{first}`", *rest] for first, *rest in listing.rows(*more.values())]
        found += [f"## {name.replace('_', ' ').capitalize()}", "", listing.about, ""]
        found += [*table([*listing.columns, *more], rows), ""]
    return lines(found[:-1])


def settings() -> str:
    """Return a table of all settings, a table of the editions, and a table of the profiles."""
    rows = [
        (f"`{field.name}`", f"`{toml_value(field.default)}`", KEYS[field.name].allowed) for field in fields(Settings)
    ]
    found = table(("setting", "default", "allowed"), rows)
    editions = {name: listed.settings for name, listed in EDITIONS.items()}
    for title, sets in (("Editions", editions), ("Profiles", PROFILES)):
        found += ["", f"## {title}", "", *_settings_of(sets)]
    return lines(found)


def _settings_of(sets: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a table of settings with one column for each of the given editions or profiles."""
    rows = [
        (f"`{key}`", *(f"`{toml_value(values[key])}`" for values in sets.values())) for key in next(iter(sets.values()))
    ]
    return table(("setting", *(f"`{name}`" for name in sets)), rows)


def actions() -> str:
    """Return one table of actions for each shape."""
    every, found = LISTINGS["actions"].items(), list[str]()
    for shape in SHAPES.values():
        names = [item["name"] for item in every if item["shape"] == shape.name]
        found += [f"## Shape `{shape.name}`: {len(names)} actions", ""]
        found += [f"Places for enemies: {shape.enemies}; for allies: {shape.allies}.", ""]
        found += [*table(("number", "action"), _rows_of_actions(names)), ""]
    return lines(found[:-1])


def _rows_of_actions(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return one row for each action, with its number; all dash actions share one row."""
    rows, dashes = [], [number for number, name in enumerate(names) if name.startswith("dash ")]
    for number, name in enumerate(names):
        if number in dashes[:1]:
            rows.append((f"{number} to {dashes[-1]}", f"`{name}` to `{names[dashes[-1]]}`, row by row from the north"))
        elif number not in dashes:
            rows.append((str(number), f"`{name}`"))
    return rows


def feature_tables() -> str:
    """Return the number of features of each shape, and a table of the features of each part of an observation."""
    sizes = [
        (f"`{shape.name}`", *(str(len(known)) for known in both))
        for shape in SHAPES.values()
        for both in [[features(shape, turns) for turns in (False, True)]]
    ]
    found = table(("shape", "features", "in the classic edition"), sizes)
    for part, known in feature_parts().items():
        found += ["", f"## {PARTS[part]}", "", *_feature_table(known)]
    return lines(found)


def _feature_table(known: Iterable[Feature]) -> list[str]:
    """Return a table of features."""
    rows = [(f"`{each.name}`", f"{each.low:g} to {each.high:g}", each.meaning) for each in known]
    return table(("feature", "range", "meaning"), rows)


def entities() -> str:
    """Return a table of the features that begin each relation of entities, and one of the arrays' sizes."""
    layouts = {shape.name: layout_of(shape, shape.fighters, False).parts for shape in SHAPES.values()}
    sizes = [
        (f"`{name}`", *(" x ".join(map(str, of[name].shape)) if name in of else "" for of in layouts.values()))
        for name in layouts["map"]
    ]
    kinds = [(f"`{f.name}`", f"{f.low:g} to {f.high:g}", f.meaning) for f in KIND.features]
    return lines(
        [
            *table(("feature", "range", "meaning"), kinds),
            "",
            *table(("array", *(f"`{name}`" for name in layouts)), sizes),
        ]
    )


def rule_headings() -> str:
    """Return the number of headings that are implemented, and a table of all headings with their functions."""
    every = BOOK.headings()
    rows = []
    for heading in every:
        where = places(heading) if not heading.see else f"see {heading.see}"
        status = {"played": "partly implemented" if heading.why else "played", "later": "later", "out": "no rule"}
        rulings = sorted({r for claim in heading.claims for r in claim.rulings}, key=lambda r: int(r[2:]))
        rows.append((heading.path, status[heading.status], heading.why, where, " ".join(rulings)))
    head = ("heading", "status", "missing part, or reason", "functions", "rulings")
    return lines([tally(BOOK, every), "", *table(head, rows)])

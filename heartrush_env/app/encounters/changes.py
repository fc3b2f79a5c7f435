"""Changes to a scenario's table by the path of a field, as in `orc.count=3`, and sweeps over several values."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from heartrush_env.app.encounters.desk import Desk, Table, desk_of
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.registry import DEFAULT_GAME
from heartrush_env.tabletop.validate import is_whole, unknown_name

MOST_VALUES: Final = 100  # of all sweeps together


@dataclass(frozen=True)
class Sweep:
    """A field and the values that it takes in turn."""

    path: str
    values: tuple[Any, ...]


def read_sweep(text: str) -> Sweep:
    """Parse PATH=A,B,C; values are written as in TOML, and words need no quotes."""
    path, equals, listed = text.partition("=")
    if not (path.strip() and equals and listed.strip()):
        raise ScenarioError(f"Expected a sweep such as orc.count=2,3,4, got {text!r}.")
    try:
        values = tomllib.loads(f"values = [{listed}]")["values"]
    except tomllib.TOMLDecodeError:
        values = [_value(part) for part in listed.split(",")]
    return Sweep(path.strip(), tuple(values))


def _value(text: str) -> Any:
    """Return the parsed TOML value, or the text itself if it is not TOML."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text.strip()


def variants(
    table: Mapping[str, Any], sweeps: Sequence[Sweep], game: str = DEFAULT_GAME
) -> list[tuple[dict[str, Any], Table]]:
    """Return each combination of the sweeps' values, by path, with the table that has these values."""
    found: list[tuple[dict[str, Any], Table]] = []
    for values in product(*(sweep.values for sweep in sweeps)):
        if len(found) == MOST_VALUES:
            raise ScenarioError(f"The sweeps: expected at most {MOST_VALUES} combinations, got more.")
        given = dict(zip((sweep.path for sweep in sweeps), values, strict=True))
        changed: Table = deepcopy(desk_of(game).copy(table))
        for path, value in given.items():
            changed = change(changed, path, value, game)
        found.append((given, changed))
    return found


def change(table: Mapping[str, Any], path: str, value: Any, game: str = DEFAULT_GAME) -> Table:
    """Return the table with a new value at a path.

    A path is a field of the scenario (`max_rounds`), a field of a table in it (`rules.zero_hp`), or a field of all
    fighters with an id (`orc.hp`, `orc.conditions.prone`). `orc.count` is their number.
    """
    desk = desk_of(game)
    changed = deepcopy(desk.copy(table))
    head, dot, rest = path.partition(".")
    if not dot or head in ("rules", "battlefield"):
        _set(changed, path.split("."), value)
        return changed
    ids = [id_of(fighter) for fighter in changed.get("fighter", ())]
    if head not in ids:
        known = [*dict.fromkeys(ids), "rules", *desk.fields(table)]
        raise ScenarioError(f"{path}: {unknown_name('fighter or table', head, known)}.")
    if rest == "count":
        return with_count(changed, head, value, desk)
    for fighter in changed["fighter"]:
        if id_of(fighter) == head:
            _set(fighter, rest.split("."), value)
    return changed


def _set(table: Table, keys: Sequence[str], value: Any) -> None:
    """Set a key in a table or in a nested table."""
    *way, last = keys
    for key in way:
        inner = table.get(key)
        table[key] = inner = dict(inner) if isinstance(inner, Mapping) else {}
        table = inner
    table[last] = value


def id_of(fighter: Mapping[str, Any]) -> str:
    """Return the id of a scenario's fighter: its own id, or its stat line's id without underscores."""
    return str(fighter.get("id", str(fighter.get("from", "")).replace("_", "")))


def with_count(table: Table, id: str, count: Any, desk: Desk) -> Table:
    """Return the table with `count` fighters of an id, by deleting the last ones or adding copies of the last one.

    On a map, copies are placed on the nearest free squares.
    """
    if not is_whole(count) or not 0 <= count <= desk.most:
        raise ScenarioError(f"{id}.count: expected a whole number from 0 to {desk.most}, got {count!r}.")
    fighters = list(table["fighter"])
    places = [place for place, fighter in enumerate(fighters) if id_of(fighter) == id]
    for place in reversed(places[count:]):
        del fighters[place]
    for more in range(count - len(places)):
        last = fighters[places[-1]]
        copy = {key: value for key, value in last.items() if key != "name"}
        if "at" in copy:
            copy["at"] = desk.beside(desk.copy(table, fighter=fighters), places[-1] + more)
        fighters.insert(places[-1] + more + 1, copy)
    return desk.copy(table, fighter=fighters)

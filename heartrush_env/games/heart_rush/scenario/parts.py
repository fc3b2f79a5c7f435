"""Creatures with several parts: the parts that a fighter brings, and checks of each part against its creature.

A part is a fighter of its own, such as a head of a hydra. Parts that may still grow are in the scenario from the
start, but out of the fight.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.settings import EDITIONS, Settings
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import is_whole, join_or, look_up, unknown_name

_OF_BODY: Final = ("team", "with_abilities", "surprised")  # keys that parts take from their body
_AT_START: Final = ("hp_now", "wounds", "conditions", "surprised")  # keys not allowed for a part that is still to grow


def kinds() -> tuple[str, ...]:
    """Return the monsters that are parts of other monsters."""
    return tuple(id for id in catalog.monsters() if "most" in catalog.stat_block(id))


def parts_of(agent: str, fields: Mapping[str, Any], where: str) -> list[dict[str, Any]]:
    """Return a fighter's parts as scenario tables, from its keys or, with `with_abilities`, from its stat block."""
    given = fields.get("parts")
    if given is None:
        own = fields.get("with_abilities") and "from" in fields
        given = catalog.stat_block(fields["from"]).get("parts", {}) if own else {}
    tables = []
    for name, numbers in given.items():
        kind = look_up(name, kinds())
        if kind is None:
            raise ScenarioError(f"{where}: parts: {unknown_name('part', name, kinds())}.")
        standing, whole = _numbers(numbers, catalog.stat_block(kind)["most"], f"{where}: parts: {kind}")
        shared = {"from": kind, "part_of": agent, **{key: fields[key] for key in _OF_BODY if key in fields}}
        tables += [shared if k < standing else {**shared, "to_grow": True, "surprised": False} for k in range(whole)]
    return tables


def _numbers(given: object, most: int, place: str) -> tuple[int, int]:
    """Return the number of parts present at the start and the total number of parts."""
    if isinstance(given, list) and len(given) == 2 and all(map(is_whole, given)) and 0 <= given[0] <= given[1] <= most:
        return given[0], given[1]
    raise ScenarioError(
        f"{place}: expected the number of parts at the start and the number in all, at most {most}, got {show(given)}."
    )


def check_part(
    where: str, fields: Mapping[str, Any], sheet: FighterSheet, sheets: Sequence[FighterSheet], settings: Settings
) -> None:
    """Check that a part's body is a fighter of its team that is not itself a part."""
    if sheet.part_of is None:
        if sheet.to_grow:
            raise ScenarioError(f"{where}: to_grow needs part_of, which is missing.")
        return
    bodies = [other.agent for other in sheets if other.team == sheet.team and other.part_of is None]
    if sheet.part_of not in bodies:
        raise ScenarioError(
            f"{where}: part_of: expected a fighter of its team that is not itself a part ({join_or(bodies)}), "
            f"got {show(sheet.part_of)}."
        )
    if EDITIONS[settings.edition].page == "classic":
        raise ScenarioError(f"{where}: part_of: expected no parts in the classic edition, got {show(sheet.part_of)}.")
    if "at" in fields:
        raise ScenarioError(
            f"{where}: at: a part has no square of its own, because it is always where {sheet.part_of} is; "
            f"got {show(fields['at'])}."
        )
    early = [key for key in _AT_START if sheet.to_grow and fields.get(key)]
    if early:
        raise ScenarioError(
            f"{where}: {early[0]}: expected none for a part that has yet to grow, got {show(fields[early[0]])}."
        )


def check_most(places: Sequence[str], tables: Sequence[Mapping[str, Any]]) -> None:
    """Raise ScenarioError if a creature has more parts of a kind than that kind allows."""
    found: Counter[tuple[str, str]] = Counter()
    for place, fields in zip(places, tables, strict=True):
        if "part_of" not in fields or fields.get("from") not in kinds():
            continue
        body, kind = fields["part_of"], fields["from"]
        found[body, kind] += 1
        most = catalog.stat_block(kind)["most"]
        if found[body, kind] > most:
            raise ScenarioError(
                f"{place}: expected at most {most} parts of {body} from {kind!r}, got {found[body, kind]}."
            )

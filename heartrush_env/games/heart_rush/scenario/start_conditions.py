"""The conditions that fighters start a fight with, each checked on its own and against the other fighters."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from heartrush_env.games.heart_rush.rules.terms import CONDITIONS, DAZED, OFF_BALANCED, WEAKENED
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.fields import CONDITION_FIELDS
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, StartCondition
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import Faults, check_value, join_or, look_up, read_table, whole

# Conditions that follow from another fighter's condition, and so cannot be given themselves.
_OTHER_ENDS: Final = {"grappling": "grappled", "climbed_on": "creature_climber"}
# Words that look like conditions but are something else.
_NO_CONDITIONS: Final = {
    "surprised": "write surprised = true instead",
    "unconscious": "fighters only become so during a fight",
}
# The conditions of the cunning effect. They remain in play without conditions if the settings have levels.
_LEVELS: Final = tuple(CONDITIONS[condition] for condition in (DAZED, OFF_BALANCED, WEAKENED))
_CLIMBABLE_FROM: Final = 2  # minimum size difference between a climbed creature and its climber


def start_conditions(given: Mapping[str, Any], where: str, faults: Faults) -> tuple[StartCondition, ...]:
    """Return one fighter's starting conditions, in the catalog's order."""
    place, found = f"{where}: conditions", {}
    for name, value in given.items():
        with faults.caught():
            name = look_up(name, (*_NO_CONDITIONS, *_OTHER_ENDS, *catalog.conditions())) or name
            if name in _NO_CONDITIONS:
                raise ScenarioError(
                    f"{place}: {name} is not a condition that a scenario can give; {_NO_CONDITIONS[name]}."
                )
            if name in _OTHER_ENDS:
                raise ScenarioError(
                    f"{place}: expected {_OTHER_ENDS[name]} with a source on the other fighter, got {name}."
                )
            condition = catalog.condition(name, place).id
            if condition in found:
                raise ScenarioError(f"{place}: expected each condition at most once, got {condition} twice.")
            found[condition] = _start_condition(condition, value, place)
    return tuple(found[name] for name in catalog.conditions() if name in found)


def _start_condition(name: str, given: object, place: str) -> StartCondition:
    """Return one starting condition, given as its levels or as a table of levels and source."""
    condition = catalog.condition(name, place)
    place = f"{place}: {name}"
    levels, source = given, None
    if isinstance(given, Mapping):
        parts = read_table(given, CONDITION_FIELDS, place, ScenarioError)
        levels, source = parts.get("levels", 1), parts.get("source")
    check_value(levels, whole(1, condition.max_level, "levels"), place, ScenarioError)
    assert isinstance(levels, int)
    if condition.needs_source and source is None:
        raise ScenarioError(f"{place}: source is missing; expected {name} = {{source = the name of an agent}}.")
    if source is not None and not condition.needs_source:
        raise ScenarioError(f"{place}: expected levels without a source, got the source {show(source)}.")
    return StartCondition(name, levels, source)


def check_conditions(
    where: str, sheet: FighterSheet, sheets: Sequence[FighterSheet], settings: Settings, faults: Faults
) -> None:
    """Check a fighter's conditions against the settings and the other fighters."""
    for condition in sheet.conditions:
        place = f"{where}: conditions: {condition.name}"
        with faults.caught():
            if not settings.conditions and not (settings.levels and condition.name in _LEVELS):
                played = f"only {join_or(_LEVELS, 'and')}" if settings.levels else "no conditions"
                raise ScenarioError(f"{place}: expected {played}, because the setting 'conditions' is off.")
            if condition.source is not None:
                _check_source(place, condition, sheet, sheets)


def _check_source(place: str, condition: StartCondition, sheet: FighterSheet, sheets: Sequence[FighterSheet]) -> None:
    """Check that the source is another fighter; for a grapple or a climb, it must be an enemy."""
    hold = condition.name in _OTHER_ENDS.values()
    sources = {other.agent: other for other in sheets if other.agent != sheet.agent}
    if hold:
        sources = {agent: other for agent, other in sources.items() if other.team != sheet.team}
    if condition.name == "creature_climber":
        larger = sheet.size_rank + _CLIMBABLE_FROM
        sources = {agent: other for agent, other in sources.items() if other.size_rank >= larger}
    if condition.source not in sources:
        kind = {"grappled": "an enemy", "creature_climber": "an enemy at least two sizes larger"}
        raise ScenarioError(
            f"{place}: source: expected {kind.get(condition.name, 'another fighter')} "
            f"({join_or(sources) if sources else 'there is none'}), got {show(condition.source)}."
        )


def check_one_end_each(places: Sequence[str], sheets: Sequence[FighterSheet]) -> None:
    """Raise ScenarioError if one fighter grapples more than one other fighter (R-52)."""
    held: dict[str, str] = {}
    for place, sheet in zip(places, sheets, strict=True):
        for condition in sheet.conditions:
            if condition.name != "grappled" or condition.source is None:
                continue
            if condition.source in held:
                raise ScenarioError(
                    f"{place}: conditions: grappled: source: a fighter can grapple only one other, "
                    f"and {show(condition.source)} already grapples {held[condition.source]!r}."
                )
            held[condition.source] = sheet.agent

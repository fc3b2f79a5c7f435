"""The talents and abilities that a fighter brings to a fight: its own lists and those of its stat block."""

import warnings
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from heartrush_env.games.heart_rush.rules.abilities import SLOTS
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import (
    LISTS,
    AbilityEntry,
    abilities,
    clashes,
    key_of,
    named_abilities,
    unmet_needs,
)
from heartrush_env.games.heart_rush.scenario.homebrew import Homebrew, too_many_dice
from heartrush_env.games.heart_rush.scenario.sheets import Owned
from heartrush_env.tabletop.errors import ScenarioError, ScenarioWarning
from heartrush_env.tabletop.validate import Faults


def loadout(
    fields: Mapping[str, Any], where: str, faults: Faults, homebrew: Mapping[str, Homebrew] = MappingProxyType({})
) -> tuple[Owned, ...]:
    """Return a fighter's playable abilities; record faults, such as unknown abilities or more abilities than slots."""
    played, entries = played_ids(), {id: made.entry for id, made in homebrew.items()}
    owned: list[Owned] = []
    lists: dict[str, tuple[str, ...]] = dict.fromkeys(LISTS, ())
    for key in LISTS:
        with faults.caught():
            lists[key] = named = listed(fields, key, where, entries)
            waiting = [name for name in named if name not in played and name not in homebrew]
            if waiting and not fields["with_abilities"]:
                fitting = ", ".join(name for name in played if key.endswith(key_of(abilities()[name])))
                raise ScenarioError(
                    f"{where}: {key}: expected {fitting}, got {waiting[0]!r}, which is not implemented yet."
                )
            owned += [
                Owned(name, destined=key == "destiny_talents", made=homebrew.get(name))
                for name in named
                if name in played or name in homebrew
            ]
    for clash in clashes(lists, where):
        with faults.caught():
            raise ScenarioError(clash)
    for unmet in unmet_needs({**fields, **lists}, where):  # breaks only creation rules; warns load_scenario's caller
        warnings.warn(f"{unmet[:-1]}, but the scenario plays all the same.", ScenarioWarning, stacklevel=5)
    with faults.caught():
        if len(owned) > SLOTS:
            raise ScenarioError(f"{where}: expected at most {SLOTS} talents and abilities, got {len(owned)}.")
    with faults.caught():
        if fault := too_many_dice(one.made for one in owned if one.made is not None):
            raise ScenarioError(f"{where}: abilities: {fault}.")
    return tuple(owned)


def played_ids() -> Collection[str]:
    """Return the ids of the abilities that fights play, in alphabetical order."""
    from heartrush_env.games.heart_rush.abilities.all import NUMBERS

    return NUMBERS.keys()


def unplayed(
    fields: Mapping[str, Any], where: str, homebrew: Mapping[str, Homebrew] = MappingProxyType({})
) -> list[str]:
    """Return the abilities that a fighter with `with_abilities` must leave out, as fights do not support them yet."""
    if not fields.get("with_abilities"):
        return []
    entries = {id: made.entry for id, made in homebrew.items()}
    known = {*played_ids(), *homebrew}
    return [id for key in LISTS for id in listed(fields, key, where, entries) if id not in known]


def listed(
    fields: Mapping[str, Any], key: str, where: str, homebrew: Mapping[str, AbilityEntry] = MappingProxyType({})
) -> tuple[str, ...]:
    """Return the ids under a key: those that a fighter lists, then those of its stat block if it has `with_abilities`.

    Raises:
        ScenarioError: A name is unknown, belongs under another key, or is listed twice.
    """
    own = named_abilities(fields.get(key, ()), key, where, homebrew)
    if not fields.get("with_abilities") or "from" not in fields:
        return own
    named = {id for other in LISTS for id in named_abilities(fields.get(other, ()), other, where, homebrew)}
    return own + tuple(id for id in catalog.stat_block(fields["from"]).get(key, ()) if id not in named)

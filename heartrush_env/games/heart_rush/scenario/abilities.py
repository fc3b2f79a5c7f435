"""Abilities by the names that sheets use: their facts from the data files, and checks of a sheet's lists.

Talents, legacy abilities and monster abilities share one table, by id. What an ability does in a fight is elsewhere.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.validate import join_or, look_up, unknown_name

TALENTS, LEGACY, MONSTERS = "Talents", "Combat Legacy", "Monsters"
ORIGINS: Final = ("rulebook", "generator", "ours")  # sources of monsters
LISTS: Final = ("talents", "destiny_talents", "abilities")  # keys of a sheet


@dataclass(frozen=True)
class AbilityEntry:
    """An ability's facts."""

    id: str
    name: str
    chapter: str  # TALENTS, LEGACY or MONSTERS
    kind: str  # talents: martial, ...; legacy: specialization, ...; monsters: the first of ORIGINS
    effect: str  # in a sentence or two
    frequency: str = "passive"
    instant: bool = False
    uses_action: bool = False
    repeatable: bool = False
    requires: Mapping[str, Any] = field(default_factory=dict)
    edition: str = ""  # the only edition that has it
    outside: str = ""  # why the ability has no effect in a fight
    destiny: str = ""  # its destiny version in a sentence or two
    params: Mapping[str, Any] = field(default_factory=dict)
    destiny_params: Mapping[str, Any] = field(default_factory=dict)


@cache
def abilities() -> Mapping[str, AbilityEntry]:
    """Return all abilities by id: talents, legacy abilities and monster abilities."""
    ranked = sorted(catalog.bestiary(), key=lambda line: ORIGINS.index(line["origin"]), reverse=True)
    owners = {id: line["origin"] for line in ranked for id in line["abilities"]}
    listed = [
        *(AbilityEntry(chapter=TALENTS, **entry) for entry in catalog.data("talents.toml")["talent"]),
        *(AbilityEntry(chapter=LEGACY, **entry) for entry in catalog.data("legacy.toml")["ability"]),
        *(
            AbilityEntry(chapter=MONSTERS, kind=owners[entry["id"]], **entry)
            for entry in catalog.data("monsters.toml")["ability"]
        ),
    ]
    return MappingProxyType({entry.id: entry for entry in listed})


def key_of(entry: AbilityEntry) -> str:
    """Return the sheet key that lists an ability in its base version."""
    return "talents" if entry.chapter == TALENTS else "abilities"


def named_abilities(
    given: Sequence[str], key: str, where: str, homebrew: Mapping[str, AbilityEntry] = MappingProxyType({})
) -> tuple[str, ...]:
    """Return the ids of the abilities that a sheet lists under a key, in any spelling.

    Args:
        given: The names listed.
        key: The key of the list.
        where: The source, for error messages.
        homebrew: The scenario's own abilities, by id.

    Raises:
        ScenarioError: A name is unknown, belongs under another key, or is listed twice.
    """
    known = {**abilities(), **homebrew} if homebrew else abilities()
    fitting = [id for id, entry in known.items() if (key_of(entry) == "talents") == (key != "abilities")]
    ids = []
    for name in given:
        id = look_up(name, known)
        if id is None:
            raise ScenarioError(f"{where}: {key}: {unknown_name(_NOUN[key], name, fitting)}.")
        if id not in fitting:
            raise ScenarioError(
                f"{where}: {key}: expected {id!r} under {key_of(known[id])}, since its chapter is {known[id].chapter}."
            )
        ids.append(id)
    for id, times in Counter(ids).items():
        if times > 1 and not known[id].repeatable:
            raise ScenarioError(f"{where}: {key}: expected {id!r} at most once, got it {times} times.")
    return tuple(ids)


_NOUN: Final = {"talents": "talent", "destiny_talents": "talent", "abilities": "ability"}


def clashes(lists: Mapping[str, Sequence[str]], where: str) -> list[str]:
    """Return the reasons, one sentence each, why no fighter can have all the abilities listed under LISTS together.

    Abilities are given as ids from `named_abilities`; homebrew abilities go with all others.
    """
    both = [id for id in lists["talents"] if id in lists["destiny_talents"]]
    found = [f"{where}: expected {id!r} in talents or in destiny_talents, got it in both." for id in both]
    known = abilities()
    bound = [(id, known[id].edition) for id in dict.fromkeys(id for key in LISTS for id in lists[key]) if id in known]
    (one, its), *others = [pair for pair in bound if pair[1]] or [("", "")]
    return found + [
        f"{where}: expected abilities of one edition, got {one!r}, which exists only in {its}, and {other!r}, "
        f"only in {theirs}."
        for other, theirs in others
        if theirs != its
    ]


def unmet_needs(fields: Mapping[str, Any], where: str, bloodmark: int | None = None) -> list[str]:
    """Return a sentence for each requirement of its abilities that a fighter does not meet.

    Requirements that the data gives only in words are not checked.

    Args:
        fields: The fields of a fighter: its ability dice, its shield, and the ids of its abilities under LISTS.
        where: The location that the sentences name.
        bloodmark: The fighter's bloodmark, if known.
    """
    owned = dict.fromkeys(id for key in LISTS for id in fields[key])
    found = []
    for id in (id for id in owned if id in abilities()):
        needs = abilities()[id].requires
        unmet = [repr(other) for other in needs.get("all_of", ()) if other not in owned]
        if "one_of" in needs and not owned.keys() & needs["one_of"]:
            unmet.append(join_or(map(repr, needs["one_of"])))
        unmet += [f"{ability} d{die}" for ability, die in needs.get("dice", {}).items() if fields[ability] < die]
        if needs.get("shield") and fields["shield"] == "none":
            unmet.append("a shield")
        if bloodmark is not None and bloodmark < needs.get("bloodmark", 0):
            unmet.append(f"bloodmark {needs['bloodmark']}")
        found += [f"{where}: {id!r} needs {need}." for need in unmet]
    return found

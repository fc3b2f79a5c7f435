"""The standard fights in which abilities are measured, and what single abilities need in them besides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from heartrush_env.games.heart_rush.abilities.all import NUMBERS, PLAYED
from heartrush_env.games.heart_rush.scenario.abilities import AbilityEntry, abilities, key_of
from heartrush_env.games.heart_rush.scenario.settings import Settings

Scenario = dict[str, Any]
TEAMS: Final = ("blue", "red")
OWNER: Final = "first"  # ends the id of the fighter with the ability, which begins with its team
FIGHTER: Final[Mapping[str, Any]] = {
    "might": 8, "agility": 8, "cunning": 8, "presence": 6, "heart": 8, "hp": 50, "wound_threshold": 12,
}  # fmt: skip
KITS: Final[Mapping[str, Mapping[str, str]]] = {
    "blade": {"weapon": "shortsword", "armor": "medium", "shield": "light_shield"},
    "axe": {"weapon": "greataxe", "armor": "heavy"},
    "bow": {"weapon": "longbow", "armor": "light", "spare_weapon": "dagger"},
}
FIRE: Final = {"weapon": "fire_bolt", "spare_weapon": "blast_of_fire"}
SPECIAL: Final[Mapping[str, Mapping[str, str]]] = {
    "club": {"weapon": "club", "armor": "medium", "shield": "light_shield"},
    "dagger": {"weapon": "dagger", "armor": "medium", "shield": "light_shield"},
    "fire": {"armor": "medium", **FIRE},
    "fists": {"weapon": "unarmed", "armor": "medium"},
    "halberd": {"weapon": "halberd", "armor": "heavy"},
    "light bow": {"weapon": "shortbow", "armor": "medium", "spare_weapon": "mace"},
    "two blades": {"weapon": "shortsword", "armor": "medium", "spare_weapon": "rapier"},
    "unarmored": {"weapon": "shortsword"},
    "whip": {"weapon": "whip", "armor": "medium", "shield": "light_shield"},
}
FRIEND: Final = "blade"  # the kit of the owner's companions
GROUND: Final = (
    "..............",
    "..............",
    "......,,......",
    "....l....l....",
    "......##......",
    "....l....l....",
    "......,,......",
    "..............",
    "..............",
)
ROWS: Final = (3, 5, 4, 2)  # of a team's fighters on the ground, in the first column or the last but one
ROUNDS: Final = 60


@dataclass(frozen=True)
class Case:
    """The additions to the standard fights for one ability.

    Attributes:
        kits: The names of the owner's kits.
        owners: Further fields of the first fighter of both teams, in all fights.
        gift: Further fields of the owner alone.
        friends: The number of the owner's companions.
        friend_kit: The kit of the companions.
        shared: Whether the owner's companions have the ability as well.
        light: The light; with less than bright light all fights are on the map.
        zero_hp: The setting `zero_hp`.
    """

    kits: Sequence[str] = tuple(KITS)
    owners: Mapping[str, Any] = field(default_factory=dict)
    gift: Mapping[str, Any] = field(default_factory=dict)
    friends: int = 1
    friend_kit: str = FRIEND
    shared: bool = False
    light: str = "bright"
    zero_hp: str = "all_out"


ANIMAL: Final = "beast_companion"  # whoever has this talent has an animal
TO_LEND: Final = {"talents": ["perfect_defense", "destined_for_glory"]}
CASES: Final[Mapping[str, Case]] = {
    "backstab": Case(kits=["dagger"]),
    "blood_bond": Case(shared=True),
    "chain_warden": Case(kits=["halberd"]),
    "commanders_call": Case(owners=TO_LEND),
    "devastation_strike": Case(owners={"talents": ["brutal_criticals"]}),
    "dual_wielder": Case(kits=["two blades"]),
    "elemental_paragon": Case(kits=["fire"], owners={"abilities": ["warcaster"]}),
    "fists_knees_and_elbows": Case(kits=["fists"]),
    "frenzy": Case(owners={"talents": ["brutal_criticals"]}),
    "fury": Case(zero_hp="all_choose"),
    "hordebreaker": Case(friends=2),
    "hottest_flames": Case(kits=["fire"], owners={"abilities": ["warcaster"]}),
    "improved_commanders_call": Case(owners=TO_LEND),
    "infuriating": Case(owners={"talents": ["aggravator"]}),
    "judoka": Case(kits=["fists"]),
    "light_footed": Case(kits=["unarmored"]),
    "master_grappler": Case(kits=["fists"]),
    "nights_embrace": Case(light="dim"),
    "ogre.thick_hide": Case(kits=["club"], friend_kit="club"),
    "phalanx": Case(friends=2),
    "savior": Case(zero_hp="all_choose"),
    "unarmed_combatant": Case(kits=["fists"]),
    "undying_fury": Case(zero_hp="all_choose"),
    "veteran": Case(owners={"abilities": ["battle_spirited"]}),
    "war_borne": Case(friends=2),
    "warcaster": Case(kits=["light bow"], gift=FIRE),
    "whipmaster": Case(kits=["whip"]),
}


@dataclass(frozen=True)
class Arm:
    """One standard fight: without the ability, and with it on each side."""

    kit: str
    without: Scenario
    with_it: Mapping[str, Scenario]  # by the owner's team


def arms_of(id: str, destiny: bool, maps: bool = True) -> Iterator[Arm]:
    """Yield the standard fights of one version of an ability; without `maps`, only those off maps if there are any."""
    entry, case = abilities()[id], CASES.get(id, Case())
    own = {"destiny_talents" if destiny else key_of(entry): [id]}
    kits = [kit for kit in case.kits if not entry.requires.get("shield") or "shield" in _kit(kit)]
    only_map = PLAYED[NUMBERS[id]].needs == "cells" or case.light != "bright"
    for kit in kits:
        for on_map in (True,) if only_map else (False, True)[: 1 + maps]:
            scenarios = [_scenario(entry, case, kit, on_map, team, own) for team in ("", *TEAMS)]
            yield Arm(kit, scenarios[0], dict(zip(TEAMS, scenarios[1:], strict=True)))


def _kit(name: str) -> Mapping[str, str]:
    return {**KITS, **SPECIAL}[name]


def required(entry: AbilityEntry) -> dict[str, Any]:
    """Return the fields that the requirements of an ability, and of what it requires, ask of a fighter."""
    fields: dict[str, Any] = dict(entry.requires.get("dice", {}))
    for other in (*entry.requires.get("all_of", ()), *entry.requires.get("one_of", ())[:1]):
        if other in NUMBERS:
            fields = joined(fields, required(abilities()[other]), {key_of(abilities()[other]): [other]})
    return fields


def joined(*fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a fighter from several parts; later parts add to its lists and replace its other fields."""
    found: dict[str, Any] = {}
    for part in fields:
        for key, value in part.items():
            found[key] = [*found.get(key, []), *value] if isinstance(value, list) else value
    return found


def _scenario(
    entry: AbilityEntry, case: Case, kit: str, on_map: bool, owner: str, own: Mapping[str, list[str]]
) -> Scenario:
    """Return a fight between two equal teams; in the owner's team, if there is one, the first has the ability too."""
    fighters: list[dict[str, Any]] = []
    for team, column in zip(TEAMS, (1, len(GROUND[0]) - 2), strict=True):
        gift = joined(case.gift, own) if team == owner else {}
        first = joined(FIGHTER, _kit(kit), case.owners, required(entry), gift, {"id": team + OWNER})
        friend = joined(FIGHTER, _kit(case.friend_kit), gift if case.shared else {})
        members = [first, *[{**friend, "id": f"{team}friend"}] * case.friends]
        if any(ANIMAL in first.get(key, ()) for key in ("talents", "destiny_talents")):
            members.append({"id": f"{team}animal", "from": ANIMAL, "companion_of": f"{team}{OWNER}_0"})
        places = [{"at": [column, row]} if on_map else {} for row in ROWS]
        fighters += [{**member, **place, "team": team} for member, place in zip(members, places, strict=False)]
    scenario: Scenario = {"name": f"worth: {kit}", "victory": "last_standing", "max_rounds": ROUNDS}
    if on_map:
        scenario["battlefield"] = {"map": list(GROUND), "light": case.light}
    rules = {"edition": entry.edition or Settings().edition, "zero_hp": case.zero_hp}
    return {**scenario, "rules": rules, "fighter": fighters}

"""The start of a view: public facts about the fighters of a scenario, before anything has happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.encoding.fighter import FIGHTER, MOST_RUSH
from heartrush_env.games.heart_rush.rules.terms import ABILITIES, DEFEATED, STANDING, STATUSES
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, ObjectSheet
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.views import short

Numbers = list[float]
Fields = Mapping[str, Any]  # a view, or a fighter's fields in it, by name
Owners = Mapping[str, str]  # each fighter's name as the owner of blocks, such as "enemy 1", by agent; the viewer first

AS_IN_SHEET = ("name", "team", "hero", *ABILITIES, "armor", "shield", "attack_bonus", "size")
OF_WEAPON = ("name", "die", "attack_type", "damage_type")
# Relations of a fighter to the source of its condition, as named in its own view, and in the view of the source.
BONDS = {
    "frightened": "frightens_me",
    "enraged": "enrages_me",
    "aggravated": "enrages_me",
    "charmed": "charms_me",
    "grappled": "grapples_me",
    "creature_climber": "climbed_by_me",
}
OTHER_ENDS = {"grappled": "grappled_by_me", "creature_climber": "climbs_on_me"}
CONDITIONS_OF_OTHER_ENDS = {"grappled": "grappling", "creature_climber": "climbed_on"}


def public_fields(sheet: FighterSheet) -> dict[str, Any]:
    """Return the public facts about a fighter that come from the scenario and never change."""
    return {
        **{field: getattr(sheet, field) for field in AS_IN_SHEET},
        "hp_max": sheet.hp,
        "heart_max": sheet.heart,
        "wound_threshold": sheet.wound_threshold,
        "weapon": {part: getattr(sheet.weapon, part) for part in OF_WEAPON},
        **({"part_of": sheet.part_of} if sheet.part_of else {}),
        **({"companion_of": sheet.companion_of} if sheet.companion_of else {}),
    }


def misfit(public: Fields, told: Fields) -> str | None:
    """Return the first difference between the given fields and the scenario, or None."""
    for name, known in public.items():
        given = told.get(name)
        if name == "weapon" and given is not None:
            given = {part: given.get(part) for part in known}
        if given is not None and given != known:
            return f"{name}: expected {known!r}, as in the scenario, got {show(given)}"
    return None


def with_each_hand(sheet: FighterSheet, objects: Sequence[ObjectSheet] = ()) -> list[FighterSheet]:
    """Return the fighter as it starts, and a copy for each other weapon and shield that it can hold later."""
    spare = sheet.spare
    hands = [sheet] if spare is None else [sheet, replace(sheet, weapon=spare.weapon, shield=spare.shield)]
    for weapon in [thing.item for thing in objects if thing.item is not None]:
        for shield in dict.fromkeys(hand.shield for hand in tuple(hands)) | {0: None}:
            hands.append(replace(sheet, weapon=weapon, shield=shield))
    return hands


def starting_block(sheet: FighterSheet, fighters: Sequence[FighterSheet], forgets: bool) -> Numbers:
    """Return a fighter's block before anything has happened.

    Args:
        sheet: The fighter.
        fighters: All fighters of the scenario.
        forgets: Whether observations show nothing of the past.
    """
    conditions = {start.name: start.levels for start in sheet.conditions}
    for start in (start for other in fighters for start in other.conditions if start.source == sheet.agent):
        if start.name in CONDITIONS_OF_OTHER_ENDS:
            conditions[CONDITIONS_OF_OTHER_ENDS[start.name]] = 1
    block = [0.0] * len(FIGHTER)
    said = {name: True for name in ("present", "armed", "action", "interaction", "dash")}
    FIGHTER.show(
        {
            **said,
            **{name: getattr(sheet, name) for name in ("hero", "wound_threshold", "armor", "shield", "attack_bonus")},
            "abilities": {ability: getattr(sheet, ability) for ability in ABILITIES},
            "weapon_die": sheet.weapon.die,
            "attack_type": sheet.weapon.attack_type,
            "damage_type": sheet.weapon.damage_type,
            "size": sheet.size_rank,
            "status": STATUSES[DEFEATED if sheet.to_grow else STANDING],
            "hp_max": sheet.hp,
            "hp": sheet.hp_now,
            "hp_share": max(-1.0, sheet.hp_now / sheet.hp),
            "wounds": 0 if forgets else sum(sheet.wounds),
            "heart_max": sheet.heart,
            "heart": sheet.heart_now,
            "rush": min(sheet.rush, MOST_RUSH),
            "conditions": conditions,
        },
        block,
    )
    return short(np.array(block, np.float32))


def starting_relations(viewer: FighterSheet, other: FighterSheet) -> list[str]:
    """Return the relations between another fighter and the viewer before anything has happened."""
    mine = [BONDS[start.name] for start in viewer.conditions if start.source == other.agent and start.name in BONDS]
    its = [start.name for start in other.conditions if start.source == viewer.agent]
    return mine + [OTHER_ENDS[name] for name in its if name in OTHER_ENDS]

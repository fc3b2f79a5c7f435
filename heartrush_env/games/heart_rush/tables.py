"""Scenarios written as complete plain data, which `scenario/load.py` reads."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from heartrush_env.games.heart_rush.rules.terms import DAMAGE_TYPES
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import LISTS, key_of
from heartrush_env.games.heart_rush.scenario.catalog import Weapon
from heartrush_env.games.heart_rush.scenario.fields import MOST_BONUS
from heartrush_env.games.heart_rush.scenario.homebrew import table_of
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, ObjectSheet, Scenario, Spare, StartCondition
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.text import show

AS_WRITTEN: Final = ("team", "might", "agility", "cunning", "presence", "heart", "heart_now", "hp", "hp_now", "size",
                     "speed", "attack_bonus", "wound_threshold", "surprised", "rush",
                     "thrown")  # fmt: skip


def scenario_table(scenario: Scenario) -> dict[str, Any]:
    """Return the scenario as a dict for `load_scenario`, with every field and all settings given.

    Raises:
        HeartRushError: The scenario was not made by `load_scenario` and cannot be expressed as a dict.
    """
    try:
        written = _written(scenario)
        same = load_scenario(written) == scenario
    except ValueError:
        same = False
    if not same:
        raise HeartRushError(f"Expected a scenario that was loaded, got {show(scenario.name)}, which has no table.")
    return written


def _written(scenario: Scenario) -> dict[str, Any]:
    field = scenario.battlefield
    ground = {} if field is None else {"map": list(field.rows), "drop": field.drop, "light": field.light}
    return {
        "name": scenario.name,
        "victory": scenario.victory,
        "heroes": list(scenario.heroes),
        "max_rounds": scenario.max_rounds,
        "round_cap": scenario.round_cap,
        "fighter": [_fighter(sheet) for sheet in scenario.fighters],
        **({"ability": [table_of(made) for made in scenario.homebrew.values()]} if scenario.homebrew else {}),
        "rules": asdict(scenario.settings),
        **({"battlefield": ground} if ground else {}),
        **({"object": [_object(thing) for thing in scenario.objects]} if scenario.objects else {}),
    }


def _object(thing: ObjectSheet) -> dict[str, Any]:
    """Return an object in the form of a scenario file."""
    told: dict[str, Any] = {"name": thing.name, "at": list(thing.at), "cost": thing.cost, "effect": thing.effect}
    if thing.check is not None:
        told |= {"check": thing.check, "number": thing.number}
    if thing.effect == "collapse":
        told |= {"squares": thing.squares, "save": thing.save, "damage": f"{thing.dice}d{thing.die}"}
    if thing.item is not None:
        told["item"] = _weapon(thing.item)
    return told


def _fighter(sheet: FighterSheet) -> dict[str, Any]:
    """Return a fighter in the form of a scenario file."""
    suit = _suit(sheet)
    bonus = sheet.armor - suit.defense_bonus
    versus = {kind: bonus + more for kind, more in zip(DAMAGE_TYPES, sheet.armor_vs, strict=True) if more}
    return {
        "id": sheet.id,
        "name": sheet.name,
        **{key: getattr(sheet, key) for key in AS_WRITTEN},
        "weapon": _weapon(sheet.weapon),
        "armor": suit.id,
        "defense_bonus": bonus,
        **({"defense_vs": versus} if versus else {}),
        "shield": _shield(sheet),
        "wounds": list(sheet.wounds),
        "conditions": {condition.name: _condition(condition) for condition in sheet.conditions},
        **({"part_of": sheet.part_of, "to_grow": sheet.to_grow} if sheet.part_of else {}),
        **({"companion_of": sheet.companion_of} if sheet.companion_of else {}),
        **({} if sheet.at is None or sheet.part_of else {"at": list(sheet.at)}),
        **_spare(sheet),
        **_loadout(sheet),
    }


def _suit(sheet: FighterSheet) -> catalog.Armor:
    """Return a suit that leaves a possible bonus for the rest of the armor, against every kind of damage.

    With an explicit speed, nothing else about a suit matters.
    """
    suits = list(catalog.armors().values())
    totals = [sheet.armor + more for more in sheet.armor_vs]
    fitting = [
        suit for suit in suits if all(0 <= total - suit.defense_bonus <= MOST_BONUS for total in (sheet.armor, *totals))
    ]
    return next((suit for suit in fitting if suit.defense_bonus == sheet.armor), (fitting or suits)[0])


def _loadout(sheet: FighterSheet) -> dict[str, list[str]]:
    """Return the lists of a fighter's talents and other abilities, without those that are empty."""
    lists: dict[str, list[str]] = {key: [] for key in LISTS}
    for owned in sheet.abilities:
        lists["destiny_talents" if owned.destined else key_of(owned.entry)].append(owned.name)
    return {key: names for key, names in lists.items() if names}


def _spare(sheet: FighterSheet) -> dict[str, Any]:
    """Return the fields of a fighter's spare weapon, if it has one."""
    spare = sheet.spare
    if spare is None:
        return {}
    speed = {} if sheet.at is None else {"spare_speed": spare.speed}
    return {"spare_weapon": _weapon(spare.weapon), "spare_shield": _shield(spare), **speed}


def _shield(carrier: FighterSheet | Spare) -> str:
    """Return the id of the shield with the same bonus and number of hands."""
    shields = [(shield.defense_bonus, shield.hands) for shield in catalog.shields().values()]
    return list(catalog.shields())[shields.index((carrier.shield, carrier.shield_hands))]


def _weapon(weapon: Weapon) -> str | dict[str, Any]:
    """Return a weapon's name, or its properties if it is a custom weapon."""
    if weapon.id in catalog.arms():
        return weapon.id
    told = {key: getattr(weapon, key) for key in ("size", "attack_type", "damage_type", "reach", "natural")}
    return {**told, "range": weapon.range} if weapon.range else told


def _condition(condition: StartCondition) -> int | dict[str, Any]:
    """Return a condition's levels, with its source if it has one."""
    if condition.source is None:
        return condition.levels
    return {"levels": condition.levels, "source": condition.source}

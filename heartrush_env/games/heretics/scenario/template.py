"""The record of a scenario's first moment."""

from __future__ import annotations

from typing import Any

from heartrush_env.games.heretics.scenario.sheets import Battlefield, Scenario, Sheet
from heartrush_env.games.heretics.settings import in_numbers
from heartrush_env.games.heretics.terms import ABILITIES, CONDITIONS, FEET_A_SQUARE, OBJECTIVES
from heartrush_env.games.heretics.weapons import NO_ITEM, WEAPON_NAMES
from heartrush_env.tabletop.choosing import NOBODY

ROLLED = 2  # the surprise that both sides roll for


def fill(fight: Any, scenario: Scenario) -> None:
    """Write a scenario into a fresh record."""
    for name, value in in_numbers(scenario.rules).items():
        fight.rules[name] = value
    sides = scenario.sides
    fight.free_side = fight.free_again = NOBODY
    fight.heroes = 0 if scenario.heroes is None else sides.index(scenario.heroes)
    words = {"roll": ROLLED, "none": NOBODY}
    fight.surprise = words[scenario.surprise] if scenario.surprise in words else sides.index(scenario.surprise)
    if scenario.objective is not None:
        kind, team, count = scenario.objective
        fight.objective, fight.objective_team = OBJECTIVES.index(kind), sides.index(team)
        fight.objective_count = count
    for i, sheet in enumerate(scenario.fighters):
        _fill_fighter(fight.fighters[i], i, sheet, scenario)
    for side in sides:
        members = [i for i, sheet in enumerate(scenario.fighters) if sheet.team == side]
        leader = max(members, key=lambda i: (scenario.fighters[i].hd, scenario.fighters[i].hp, -i))
        fight.fighters[leader].leader = True
    if scenario.battlefield is not None:
        _fill_map(fight, scenario.battlefield)


def _fill_fighter(fighter: Any, i: int, sheet: Sheet, scenario: Scenario) -> None:
    fighter.index, fighter.hp, fighter.hp_max, fighter.hd = i, sheet.hp, sheet.max_hp, sheet.hd
    fighter.ability[:] = sheet.abilities
    fighter.armor, fighter.speed, fighter.natural = sheet.armor, sheet.speed // FEET_A_SQUARE, sheet.natural
    fighter.to_hit, fighter.fixed_to_hit = sheet.to_hit or 0, sheet.to_hit is not None
    fighter.held = NO_ITEM if sheet.held is None else WEAPON_NAMES.index(sheet.held)
    fighter.loaded, fighter.shield = True, sheet.shield
    fighter.inventory[:] = NO_ITEM
    for slot, item in enumerate(sheet.inventory):
        fighter.inventory[slot] = WEAPON_NAMES.index(item)
    fighter.afflicted = sum(1 << CONDITIONS.index(word) for word in sheet.conditions)
    fighter.grappler, fighter.turn = NOBODY, NOBODY
    fighter.hero = sheet.role == "hero" and sheet.team == scenario.heroes
    fighter.steady, fighter.fearless = sheet.steady, sheet.fearless
    fighter.fears = sum(1 << scenario.tags.index(tag) for tag in sheet.fears)
    fighter.fearsome = 0 if sheet.fearsome is None else 1 << scenario.tags.index(sheet.fearsome)
    if sheet.on_hit is not None:
        ability, fighter.hit_number, condition = sheet.on_hit
        fighter.hit_ability, fighter.hit_condition = ABILITIES.index(ability), CONDITIONS.index(condition)
    if sheet.at is not None:
        fighter.x, fighter.y = sheet.at


def _fill_map(fight: Any, field: Battlefield) -> None:
    fight.width, fight.height = len(field.rows[0]), len(field.rows)
    for y, row in enumerate(field.rows):
        for name, glyph in (("walls", "#"), ("water", "~"), ("small_hazards", "^"), ("fires", "*")):
            fight[name][y] = sum(1 << x for x, found in enumerate(row) if found == glyph)
    for x, y in field.exits:
        fight.exits[y] |= 1 << x

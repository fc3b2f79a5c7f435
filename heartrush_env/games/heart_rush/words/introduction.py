"""The words before a fight: its rules in a line, the fighters with their players and gear, and the map."""

from __future__ import annotations

from collections.abc import Mapping

from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, Scenario
from heartrush_env.games.heart_rush.words.words import VICTORIES, square_in_words


def introduction(scenario: Scenario, players: Mapping[str, str]) -> list[str]:
    """Introduce the fighters, their gear and their players in lines of text."""
    rules = f"{scenario.name}: {VICTORIES[scenario.victory]}; after round {scenario.max_rounds} it is over."
    brackets = "Dice in [brackets] do not count: advantage drops the lowest, disadvantage the highest."
    return [
        rules,
        brackets,
        "",
        *(line for sheet in scenario.fighters for line in _fighter(sheet, players[sheet.team])),
        *_ground(scenario),
    ]


def _ground(scenario: Scenario) -> list[str]:
    """Return the lines of the map before any fighter has moved; none without a map."""
    field = scenario.battlefield
    if field is None:
        return []
    rows = [f"  {row}" for row in field.rows]
    if scenario.objects:
        things = [f"{thing.name} at {square_in_words(thing.at)}" for thing in scenario.objects]
        rows += [f"There: {', '.join(things)}."]
    return ["", f"The map, in {field.light} light; squares are given as (column, row), (0, 0) at the top left:", *rows]


def _fighter(sheet: FighterSheet, player: str) -> list[str]:
    """Describe a fighter before its first round: what it is, who plays it, and its gear."""
    dice = ", ".join(f"{ability} d{getattr(sheet, ability)}" for ability in ("might", "agility", "cunning", "presence"))
    hp = f"{sheet.hp} hp" if sheet.hp_now == sheet.hp else f"{sheet.hp_now} of {sheet.hp} hp"
    place = f", at {square_in_words(sheet.at)}" if sheet.at else ""
    return [
        f"{sheet.name} ({sheet.team}, played by {player}): {hp}, heart d{sheet.heart_now}, {dice}",
        f"  {_weapon(sheet)}, armor {sheet.armor}, shield {sheet.shield}{place}",
    ]


def _weapon(sheet: FighterSheet) -> str:
    """Describe the weapon of a fighter, or its bonus if it attacks without a die."""
    weapon = sheet.weapon
    if not weapon.die:
        return f"attacks with +{sheet.attack_bonus}"
    kind = "" if weapon.damage_type == "none" else f", {weapon.damage_type}"
    favored = catalog.damage_types()[weapon.damage_type]
    bonus = f" (one more d{weapon.die} in {favored})" if favored else ""
    extra = f", +{sheet.attack_bonus}" if sheet.attack_bonus else ""
    return f"{weapon.name.lower()} d{weapon.die}, {weapon.attack_type}{kind}{bonus}{extra}"

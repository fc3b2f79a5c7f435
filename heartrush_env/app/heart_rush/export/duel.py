"""The duels that the page of a bundle can show, and the words that it shows them in."""

from __future__ import annotations

from typing import Any

from heartrush_env.app.heart_rush.alone.words import scenario_words, terms
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.settings import JUNE, Settings
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet
from heartrush_env.games.heart_rush.words.menu import deeds

PLAYED_RULES = ("levels", "maneuvers", "wounds", "windows_per_round", "advantage_cap")  # settings that may vary
FREE_RULES = (
    "profile", "conditions", "thrown", "fatigue_rounds", "death_at", "helpless_dies", "zero_hp", "opportunity_first",
    "options_on_rolls", "help_lasts",
)  # fmt: skip  # irrelevant in such duels
OF_SHEET = ("might", "agility", "cunning")
OF_TERMS = ("tells", "conditions", "causes", "moves", "hits", "out")


def why_not_played(game: HeartRush) -> str | None:
    """Return why the page cannot show the fights of a game, as a clause, or None if it can."""
    scenario = game.scenario
    if game.shape.name != "duel" or len(scenario.fighters) != 2 or scenario.battlefield is not None:
        return "its scenario is not a duel of two fighters without a map and abilities"
    if scenario.victory != "first_down":
        return "its fighters may go on at 0 hit points"
    usual = {name: getattr(Settings(), name) for name in game.rules} | JUNE
    for name, value in game.rules.items():
        if name not in (*PLAYED_RULES, *FREE_RULES) and value != usual[name]:
            return f"its rules are other than those of June 2025 ({name} = {value})"
    if game.rules["death_at"] != "maximum":
        return "wounds bring death nearer in it"
    one, other = scenario.fighters
    if one.size_rank != other.size_rank:
        return "its fighters differ in size"
    return next((reason for sheet in (one, other) if (reason := _why_not_sheet(sheet))), None)


def _why_not_sheet(sheet: FighterSheet) -> str | None:
    """Return why the page cannot show a fighter, as a clause, or None if it can."""
    if (
        sheet.surprised
        or sheet.conditions
        or sheet.wounds
        or (sheet.hp_now, sheet.heart_now) != (sheet.hp, sheet.heart)
    ):
        return f"{sheet.name} does not begin in full health"
    if sheet.weapon.attack_type == "thrown":
        return f"{sheet.name} has a thrown weapon"
    if any(sheet.armor_vs):
        return f"{sheet.name} has another defense against some kinds of damage"
    return None


def duel_table(game: HeartRush) -> dict[str, Any]:
    """Return the facts and the words of a duel as JSON-able data."""
    scenario, shared = game.scenario, terms(game.action_names)
    pair = scenario.fighters[0], scenario.fighters[1]
    told = scenario_words(game)
    return {
        **told,
        **{name: shared[name] for name in OF_TERMS},
        "fighters": [
            {**words, **{name: getattr(sheet, name) for name in OF_SHEET}, "hp_max": sheet.hp}
            for words, sheet in zip(told["fighters"], scenario.fighters, strict=True)
        ],
        "words": {sheet.agent: _words(game, other) for sheet, other in (pair, pair[::-1])},
    }


def _words(game: HeartRush, enemy: FighterSheet) -> dict[str, str]:
    """Return the menu text of each action against this enemy, in menu order."""
    found = deeds(dict(enumerate(game.action_names)), [enemy.name], [])
    return {game.action_names[choice.value]: choice.words for deed in found for choice in deed.actions}

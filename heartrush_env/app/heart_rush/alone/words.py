"""The words of Heart Rush as data, so that programs without Python narrate fights and offer choices as Python does.

`terms` are the words that all scenarios share, and `scenario_words` are those of one scenario. story.mjs and menu.mjs
put them together, in the lines of the narrator (games/heart_rush/words/narrator.py) and of the menu (words/offers.py).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from heartrush_agents.heart_rush.tactics.terrain import DOOR_COST

from heartrush_env import __version__
from heartrush_env.games.heart_rush.abilities.unit import FOUND
from heartrush_env.games.heart_rush.encoding.features import features
from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
from heartrush_env.games.heart_rush.engine.offers import BY_NAME
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.choices import Target
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.movement import COMPASS, STEP_X, STEP_Y
from heartrush_env.games.heart_rush.rules.terms import (
    ATTACK_TYPES,
    CONDITIONS,
    DAMAGE_TYPES,
    STANCES,
    STATUSES,
)
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.catalog import Terrain, Weapon
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, ObjectSheet, Spare
from heartrush_env.games.heart_rush.state.record import ENDINGS, WINDOWS
from heartrush_env.games.heart_rush.words.menu import BY_ACTION, BY_RUSH, BY_STANCE
from heartrush_env.games.heart_rush.words.words import (
    CAUSE_WORDS,
    HITS,
    MOVES,
    OUT,
    ability_name,
    beats_by,
    condition_name,
)
from heartrush_env.records.record import FORMAT, FORMAT_VERSION
from heartrush_env.tabletop.game import tables_digest

Data = dict[str, Any]
SCALED = ("way dx", "way dy", "self hit", "self hp", "pick by")
OF_WEAPON = ("name", "die", "attack_type", "damage_type", "hands")
OF_SHEET = ("agent", "name", "team", "shield", "shield_hands", "speed", "part_of")


def terms(action_names: Iterable[str]) -> Data:
    """Return the words for these actions, and for everything else that scenarios share."""
    terrain, every = catalog.terrain().values(), features(SHAPES["able_map"])
    return {
        "stances": list(STANCES),
        "windows": list(WINDOWS),
        "statuses": list(STATUSES),
        "endings": list(ENDINGS),
        "attack_types": list(ATTACK_TYPES),
        "damage_types": list(DAMAGE_TYPES),
        "glyphs": [kind.glyph for kind in terrain],
        "costs": {kind.glyph: cost for kind in terrain if (cost := _cost(kind)) is not None},
        "steps": {way: [int(x), int(y)] for way, x, y in zip(COMPASS, STEP_X, STEP_Y, strict=True)},
        "payments": {"action": BY_ACTION, "rush": BY_RUSH, "stance": BY_STANCE},
        "actions": {word: _action(word) for word in sorted({name.split()[0] for name in action_names})},
        "tells": {word: BY_NAME[word].tells for word in sorted({name.split()[0] for name in action_names})},
        "conditions": {condition: _condition(condition) for condition in CONDITIONS},
        "scales": {feature.name: feature.scale for feature in every if feature.name in SCALED},
        "causes": CAUSE_WORDS,
        "moves": MOVES,
        "hits": HITS,
        "out": OUT,
    }


def _cost(kind: Terrain) -> int | None:
    """Return the squares of movement that an enemy that walks counts for a square; None where it does not go."""
    if kind.id == "closed_door":
        return DOOR_COST
    return kind.cost if kind.may_stand else None


def _action(word: str) -> Data:
    """Return the words of an action for menus, and what they depend on."""
    choice = BY_NAME[word]
    found: Data = {"words": choice.words, "target": choice.target.name.lower() if choice.target else ""}
    if choice.target == Target.COMPANION:
        found["target"] = Target.ALLY.name.lower()
    if choice.words_by_rush:
        found["by_rush"] = choice.words_by_rush
    if choice.levels != 1:
        found["levels"] = choice.levels
    if choice.needs == ABILITY_FIELD and not choice.answers:
        found["uses"] = True
    return found


def _condition(condition: str) -> Data:
    """Return a condition's display name, whether it has levels, and its wording as a cause."""
    name = condition_name(condition)
    leveled = catalog.conditions()[condition].leveled
    return {"name": name, "leveled": leveled, "cause": CAUSE_WORDS.get(condition) or name}


def scenario_words(game: HeartRush) -> Data:
    """Return the facts of a game's scenario that its narration, its menus and its pictures show."""
    scenario = game.scenario
    field, beats, homebrew = scenario.battlefield, beats_by(scenario.settings), scenario.homebrew
    owned = {one.name for sheet in scenario.fighters for one in scenario.slots_of(sheet)}
    return {
        "title": scenario.name,
        "teams": list(scenario.teams),
        "fighters": [
            {**_sheet(sheet), "loadout": [one.name for one in scenario.slots_of(sheet)]} for sheet in scenario.fighters
        ],
        "beats": [f"{one} {other}" for one in STANCES for other in (*STANCES, None) if beats(one, other)],
        "objects": [_object(thing) for thing in scenario.objects],
        "abilities": {name: ability_name(name, homebrew) for name in sorted(owned)},
        "picks": {name: picks for name in sorted(owned) if (picks := _picks(name))},
        "has_abilities": scenario.has_abilities,
        "ground": None if field is None else {"width": field.width, "height": field.height},
    }


def record_head(game: HeartRush) -> Data:
    """Return what the first line of a record says of a game, for records that are written without Python."""
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "heartrush_env": __version__,
        "game": json.dumps(game.as_table(), separators=(",", ":"), allow_nan=False),  # as text: 1.0 stays 1.0
        "digest": game.digest,
        "tables": tables_digest(game),
    }


def _sheet(sheet: FighterSheet) -> Data:
    """Return a fighter as it starts."""
    return {
        **{name: getattr(sheet, name) for name in OF_SHEET},
        "hp": sheet.hp_now,
        "heart": sheet.heart_now,
        "heart_max": sheet.heart,
        "wounds": sum(sheet.wounds),
        "conditions": {condition.name: condition.levels for condition in sheet.conditions},
        "status": "defeated" if sheet.to_grow else "standing",
        "weapon": _weapon(sheet.weapon),
        "spare": _spare(sheet.spare),
    }


def _weapon(weapon: Weapon) -> Mapping[str, Any]:
    return {name: getattr(weapon, name) for name in OF_WEAPON}


def _spare(spare: Spare | None) -> Data | None:
    if spare is None:
        return None
    facts = {name: getattr(spare, name) for name in ("shield", "shield_hands", "speed")}
    return {"weapon": _weapon(spare.weapon), **facts}


def _picks(ability: str) -> list[list[str]]:
    """Return the words of the options of each part that an ability asks for."""
    return [list(pick.words) for pick in FOUND[ability].picks] if ability in FOUND else []


def _object(thing: ObjectSheet) -> Data:
    item = None if thing.item is None else _weapon(thing.item)
    return {"name": thing.name, "at": list(thing.at), "effect": thing.effect, "item": item}

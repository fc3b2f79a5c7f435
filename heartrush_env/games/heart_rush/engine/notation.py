"""Notation: a fight as plain data for readers, and as one line.

The line names the scenario's fighters by agent, each with only the fields that differ from its start:

    r3 stance | knight_0 hp=31 heart=6 dazed=2 action=0 | rogue_0 hp=12 wounds=11/1

It contains what players would write down between two rounds or windows. Only a snapshot contains the dice to come and
the choices of an open window.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.abilities.all import PLAYED
from heartrush_env.games.heart_rush.rules.abilities import LETTERS, OCCASIONS
from heartrush_env.games.heart_rush.rules.choices import BY_TURNS
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.space import CLOSED_DOOR, OPEN_DOOR, RUBBLE
from heartrush_env.games.heart_rush.rules.terms import (
    ATTACK_TYPES,
    CLIMBED_ON,
    CONDITIONS,
    CREATURE_CLIMBER,
    GRAPPLED,
    GRAPPLING,
    MAP_SIDE,
    MELEE,
    NO_STANCE,
    NOBODY,
    SOURCED,
    STANCES,
    STATUSES,
)
from heartrush_env.games.heart_rush.scenario.catalog import terrain as terrain_by_glyph
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.state.record import ENDINGS, INSTANT_WINDOW, SHRUG_WINDOW, WINDOWS

# Conditions that are described with their source. Who holds or rides whom is described by the fighter that does it.
SHOWN_WITH_SOURCE = [k for k in SOURCED if k not in (GRAPPLING, GRAPPLED, CREATURE_CLIMBER, CLIMBED_ON)]


def describe(fight: Any, scenario: Scenario) -> dict[str, Any]:
    """Return the public facts of a fight as plain data."""
    window = WINDOWS[fight.window]
    agents = [sheet.agent for sheet in scenario.fighters]
    return {
        "round": int(fight.round_number),
        "window": window,
        "phase": STANCES[fight.phase] if fight.engaged and fight.window != 0 else None,
        **_describe_turns(fight, scenario),
        **_describe_field(fight, scenario),
        **_describe_occasion(fight, agents),
        "cause": ENDINGS[fight.ending] or None,
        "winners": [scenario.teams[fight.winner]] if fight.winner != NOBODY else [],
        "fighters": {sheet.agent: _describe_fighter(fight, i, scenario) for i, sheet in enumerate(scenario.fighters)},
    }


def _describe_turns(fight: Any, scenario: Scenario) -> dict[str, Any]:
    """Return priority, the side that was engaged, and the fighters in the engagement, where sides take turns."""
    if not has_turns(fight):
        return {}
    sides = {name: scenario.teams[fight[field]] if fight[field] != NOBODY else None for name, field in SIDES.items()}
    joined = [sheet.agent for i, sheet in enumerate(scenario.fighters) if fight.fighters[i].joined]
    return {"turns": {**sides, "passed": int(fight.passes), "joined": joined}}


def _describe_field(fight: Any, scenario: Scenario) -> dict[str, Any]:
    """Return the ground of a fight on a map, with its doors and objects as they are now."""
    field = scenario.battlefield
    if field is None:
        return {}
    glyphs = {terrain.code: terrain.glyph for terrain in terrain_by_glyph().values()}
    cells = fight.cells.reshape(MAP_SIDE, MAP_SIDE)[: field.height, : field.width]
    rows = ["".join(glyphs[int(code)] for code in row) for row in cells]
    things = [
        {"at": list(sheet.at), "effect": sheet.effect, "used": bool(thing.used), "item": bool(thing.has_item)}
        for sheet, thing in zip(scenario.objects, fight.objects, strict=False)
    ]
    objects = {"objects": things} if things else {}
    return {"battlefield": {"map": rows, "drop": field.drop, "light": field.light, **objects}}


def _describe_occasion(fight: Any, agents: Sequence[str]) -> dict[str, Any]:
    """Return the occasion for instants, the instants still to be done and the requests asked, with abilities."""
    if not _has_abilities(fight):
        return {}
    occasion = OCCASIONS[fight.occasion] if fight.window == INSTANT_WINDOW else None
    stack = [
        {"fighter": agents[declared.fighter], "ability": _ability(fight.fighters[declared.fighter], declared.slot)}
        for declared in fight.stack[: int(fight.stack_count)]
    ]
    asked = [one for one in fight.requests[: int(fight.request_count)] if one.asked]
    requests = [
        {"fighter": agents[one.who], "ability": _ability(fight.fighters[one.owner], one.slot), "by": agents[one.owner]}
        for one in asked
    ]
    return {"occasion": occasion, "stack": stack, **({"requests": requests} if requests else {})}


def _describe_abilities(fighter: Any) -> dict[str, Any]:
    """Return the abilities of a fighter that all sides have seen, by slot."""
    if not _has_abilities(fighter):
        return {}
    known = [slot for slot in range(int(fighter.slots)) if int(fighter.known) >> slot & 1]
    return {
        "loadout": {
            LETTERS[slot]: {
                "ability": _ability(fighter, slot),
                "destiny": bool(int(fighter.destined) >> slot & 1),
                "uses": int(fighter.uses[slot]),
            }
            for slot in known
        }
    }


def _ability(fighter: Any, slot: int) -> str:
    return str(PLAYED[fighter.loadout[slot]].name)


def _describe_place(fighter: Any, scenario: Scenario) -> dict[str, Any]:
    """Return a fighter's position on a map and its means of movement there."""
    if scenario.battlefield is None:
        return {}
    return {
        "at": [int(fighter.x), int(fighter.y)],
        "side": int(fighter.side),
        "weapon": ATTACK_TYPES[fighter.attack_type if fighter.armed else MELEE],
        "moved": int(fighter.squares_moved),
    }


def _describe_fighter(fight: Any, i: int, scenario: Scenario) -> dict[str, Any]:
    fighter = fight.fighters[i]
    agents = [sheet.agent for sheet in scenario.fighters]
    conditions = {name: int(fighter.levels[k]) for k, name in enumerate(CONDITIONS) if fighter.levels[k]}
    return {
        "team": scenario.fighters[i].team,
        **({"part_of": scenario.fighters[i].part_of} if scenario.fighters[i].part_of else {}),
        **_describe_place(fighter, scenario),
        **({"spare": bool(fighter.has_spare)} if on_map(fighter) or scenario.fighters[i].spare else {}),
        **_describe_abilities(fighter),
        "hp": int(fighter.hp),
        "hp_max": int(fighter.hp_max),
        "heart": int(fighter.heart),
        "heart_max": int(fighter.heart_max),
        "status": STATUSES[fighter.status],
        "wounds": int(fighter.wounds),
        "conditions": conditions,
        "sources": {CONDITIONS[k]: agents[fighter.source[k]] for k in SHOWN_WITH_SOURCE if fighter.levels[k]},
        "stance": STANCES[fighter.stance] if fighter.stance != NO_STANCE else None,
        "action": bool(fighter.action),
        "interaction": bool(fighter.interaction),
        "dash": bool(fighter.dash),
        "armed": bool(fighter.armed),
        "rush": int(fighter.rush),
        "helped": int(fighter.helped),
        "shrugs": int(fighter.shrugs),
        "grappling": agents[fighter.grappling] if fighter.grappling != NOBODY else None,
        "climbing": agents[fighter.climbing] if fighter.climbing != NOBODY else None,
        "hits": [
            int(hit.amount)
            for hit in fight.hits[: int(fight.hit_count)]
            if hit.target == i and hit.number >= fight.hit_number and fight.window == SHRUG_WINDOW
        ],
    }


# Fields of the line: name, field of the record.
NUMBERS = {
    "hp": "hp", "heart": "heart", "helped": "helped", "shrugs": "shrugs", "at_zero": "rounds_at_zero", "rush": "rush",
    "active_rounds": "active_rounds",
}  # fmt: skip
FLAGS = ("action", "interaction", "dash", "moved", "acted", "armed", "fresh_blinded", "active", "has_spare")
# Additional fields for fights on a map.
NUMBERS_ON_MAP = {"squares": "squares_moved"}
FLAGS_ON_MAP = ("dashed", "stood", "shot", "lunged")
SQUARES = {"at": ("x", "y"), "floor": ("floor_x", "floor_y")}
# Additional fields where sides take turns: fields of the fight that name a team, and a flag of a fighter.
SIDES = {"priority": "priority", "engaged": "engaged_side"}
JOINED = "joined"
# Additional fields in fights with abilities: numbers for each slot.
ABILITY_LISTS = ("uses", "uses_now", "memos")
STANCE_LETTERS = "macd-"  # might, agility, cunning, defensive, none
OTHER_DOOR = {CLOSED_DOOR: OPEN_DOOR, OPEN_DOOR: CLOSED_DOOR}


def as_line(fight: Any, start: Any, scenario: Scenario) -> str:
    """Return a fight as one line: the round, the window, and each fighter's differences from its start."""
    agents = [sheet.agent for sheet in scenario.fighters]
    head = f"r{int(fight.round_number)} {WINDOWS[fight.window]}"
    if fight.engaged and fight.window != 0:
        head += f" {STANCES[fight.phase]}"
    for name, value in _describe_turns(fight, scenario).get("turns", {}).items():
        head += f" {name}={value}" if value and name != "joined" else ""
    doors = _doors(fight, start)
    if doors:
        head += " doors=" + _squares(doors)
    things = list(fight.objects[: int(fight.object_count)]) if on_map(fight) else []
    used = [k for k, thing in enumerate(things) if thing.used]
    taken = [k for k, thing in enumerate(things) if thing.has_item != start.objects[k].has_item]
    if used:
        rubble = np.flatnonzero((fight.cells != start.cells) & (fight.cells == RUBBLE)).tolist()
        head += " used=" + ",".join(str(k + 1) for k in used)
        head += " taken=" + ",".join(str(k + 1) for k in taken) if taken else ""
        head += " rubble=" + _squares(rubble) if rubble else ""
    items = {k: start.objects[k].gear for k in taken}
    parts = [
        " ".join([agent, *_words(fight.fighters[i], start.fighters[i], agents, items)])
        for i, agent in enumerate(agents)
    ]
    return " | ".join([head, *parts])


def _doors(fight: Any, start: Any) -> list[int]:
    """Return the squares of doors that have been opened or closed since the start."""
    if not on_map(fight):
        return []
    moved = (
        (fight.cells != start.cells) & np.isin(fight.cells, list(OTHER_DOOR)) & np.isin(start.cells, list(OTHER_DOOR))
    )
    return [int(square) for square in np.flatnonzero(moved)]


def _squares(squares: Sequence[int]) -> str:
    return ",".join(f"{square % MAP_SIDE}/{square // MAP_SIDE}" for square in squares)


def on_map(record: Any) -> bool:
    """Return whether the record of a fight or fighter is for play on a map."""
    return "cells" in record.dtype.names or "side" in record.dtype.names


def has_turns(record: Any) -> bool:
    """Return whether the record of a fight or fighter is for play in turns."""
    return BY_TURNS in record.dtype.names or JOINED in record.dtype.names


def _has_abilities(record: Any) -> bool:
    """Return whether the record of a fight or fighter is for play with abilities."""
    return ABILITY_FIELD in record.dtype.names


def _words_of_abilities(fighter: Any) -> list[str]:
    """Return the additional words for a fighter with abilities."""
    words = [
        f"{word}=" + "/".join(str(int(number)) for number in fighter[word][: int(fighter.slots)])
        for word in ABILITY_LISTS
        if any(fighter[word])
    ]
    return [*words, f"known={int(fighter.known)}"] if fighter.known else words


def _words_on_map(fighter: Any, start: Any) -> list[str]:
    """Return the additional words for a fighter on a map."""
    words = [
        f"{word}={int(fighter[x])}/{int(fighter[y])}"
        for word, (x, y) in SQUARES.items()
        if (fighter[x], fighter[y]) != (start[x], start[y])
    ]
    words += [f"{word}={int(fighter[f])}" for word, f in NUMBERS_ON_MAP.items() if fighter[f] != start[f]]
    return words + [f"{flag}={int(fighter[flag])}" for flag in FLAGS_ON_MAP if fighter[flag] != start[flag]]


def _in_hand(fighter: Any) -> tuple[int, ...]:
    return tuple(int(fighter.sets[0][name]) for name in fighter.sets[0].dtype.names)


def _carried_items(fighter: Any, start: Any, items: Mapping[int, Any]) -> list[int]:
    """Return the items of the scenario that a fighter carries; of identical items, only the last."""
    own = [_weapon(gear) for gear in start.sets]
    held = [weapon for gear in fighter.sets if (weapon := _weapon(gear)) not in own]
    return list({_weapon(gear): k for k, gear in items.items() if _weapon(gear) in held}.values())


def _weapon(gear: Any) -> tuple[int, ...]:
    return tuple(int(gear[name]) for name in ("weapon_die", "attack_type", "damage_type", "range", "reach"))


def _words(fighter: Any, start: Any, agents: list[str], items: Mapping[int, Any]) -> list[str]:
    words = []
    if fighter.status != start.status:
        words.append(STATUSES[fighter.status])
    words += [f"{word}={int(fighter[field])}" for word, field in NUMBERS.items() if fighter[field] != start[field]]
    if fighter.wounds != start.wounds:
        words.append(f"wounds={int(fighter.wounds)}/{int(fighter.wound_count)}")
    words += [f"{flag}={int(fighter[flag])}" for flag in FLAGS if fighter[flag] != _fresh(start, flag)]
    words += [f"item={k + 1}" for k in _carried_items(fighter, start, items)]
    words += ["swapped=1"] if _in_hand(fighter) != _in_hand(start) else []
    if on_map(fighter):
        words += _words_on_map(fighter, start)
    if _has_abilities(fighter):
        words += _words_of_abilities(fighter)
    if has_turns(fighter) and fighter.joined:
        words.append(f"{JOINED}=1")
    if fighter.stance != NO_STANCE:
        words.append(f"stance={STANCES[fighter.stance]}")
    for k, name in enumerate(CONDITIONS):
        if fighter.levels[k] != start.levels[k] or fighter.source[k] != start.source[k]:
            by = f"@{agents[fighter.source[k]]}" if fighter.source[k] != NOBODY and fighter.levels[k] else ""
            words.append(f"{name}={int(fighter.levels[k])}{by}")
    if any(fighter.stance_count):
        words.append("count=" + "/".join(str(int(count)) for count in fighter.stance_count))
        words.append("reveals=" + "".join(STANCE_LETTERS[stance] for stance in fighter.reveals))
    return words


def _fresh(start: Any, flag: str) -> bool:
    """Return the value of a flag at the start of a round: actions are available, nothing has moved."""
    return True if flag in ("action", "interaction", "dash") else bool(start[flag])

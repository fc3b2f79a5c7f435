"""Notation: a fight as plain data for readers, and as one line that can be read back.

The line names the scenario's fighters by agent, each with only the fields that differ from its start:

    r3 stance | knight_0 hp=31 heart=6 dazed=2 action=0 | rogue_0 hp=12 wounds=11/1

It contains what players would write down between two rounds or windows. Only a snapshot contains the dice to come and
the choices of an open window.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.abilities.all import PLAYED
from heartrush_env.games.heart_rush.editions import edition_of
from heartrush_env.games.heart_rush.editions.edition import Edition
from heartrush_env.games.heart_rush.engine.state import ENDINGS, IN_HAND, INSTANT_WINDOW, REVEALS, SHRUG_WINDOW, WINDOWS
from heartrush_env.games.heart_rush.rules.abilities import LETTERS, OCCASIONS
from heartrush_env.games.heart_rush.rules.choices import BY_TURNS
from heartrush_env.games.heart_rush.rules.conditions import HIGHEST_LEVEL
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.space import CLOSED_DOOR, FLOOR, IS_WALL, OPEN_DOOR, OPENS, RUBBLE, read_map
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    ATTACK_TYPES,
    CONDITIONS,
    DIE_LADDER,
    GRAPPLING,
    MAP_SIDE,
    MELEE,
    NO_STANCE,
    NOBODY,
    STANCES,
    STATUSES,
)
from heartrush_env.games.heart_rush.scenario.catalog import terrain as terrain_by_glyph
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.tabletop.errors import SnapshotError

SOURCED = ("frightened", "enraged", "charmed", "entangled", "aggravated")


def describe(match: Any, scenario: Scenario) -> dict[str, Any]:
    """Return the public facts of a fight as plain data."""
    window = WINDOWS[match.window]
    agents = [sheet.agent for sheet in scenario.fighters]
    return {
        "round": int(match.round_number),
        "window": window,
        "phase": STANCES[match.phase] if match.engaged and match.window != 0 else None,
        **_describe_turns(match, scenario),
        **_describe_field(match, scenario),
        **_describe_occasion(match, agents),
        "cause": ENDINGS[match.ending] or None,
        "winners": [scenario.teams[match.winner]] if match.winner != NOBODY else [],
        "fighters": {sheet.agent: _describe_fighter(match, i, scenario) for i, sheet in enumerate(scenario.fighters)},
    }


def _describe_turns(match: Any, scenario: Scenario) -> dict[str, Any]:
    """Return priority, the side that was engaged, and the fighters in the engagement, where sides take turns."""
    if not _has_turns(match):
        return {}
    sides = {name: scenario.teams[match[field]] if match[field] != NOBODY else None for name, field in _SIDES.items()}
    joined = [sheet.agent for i, sheet in enumerate(scenario.fighters) if match.fighters[i].joined]
    return {"turns": {**sides, "passed": int(match.passes), "joined": joined}}


def _describe_field(match: Any, scenario: Scenario) -> dict[str, Any]:
    """Return the ground of a fight on a map, with its doors and objects as they are now."""
    field = scenario.battlefield
    if field is None:
        return {}
    glyphs = {terrain.code: terrain.glyph for terrain in terrain_by_glyph().values()}
    cells = match.cells.reshape(MAP_SIDE, MAP_SIDE)[: field.height, : field.width]
    rows = ["".join(glyphs[int(code)] for code in row) for row in cells]
    things = [
        {"at": list(sheet.at), "effect": sheet.effect, "used": bool(thing.used), "item": bool(thing.has_item)}
        for sheet, thing in zip(scenario.objects, match.objects, strict=False)
    ]
    objects = {"objects": things} if things else {}
    return {"battlefield": {"map": rows, "drop": field.drop, "light": field.light, **objects}}


def _describe_occasion(match: Any, agents: Sequence[str]) -> dict[str, Any]:
    """Return the occasion for instants and the instants still to be done, in fights with abilities."""
    if not _has_abilities(match):
        return {}
    occasion = OCCASIONS[match.occasion] if match.window == INSTANT_WINDOW else None
    stack = [
        {"fighter": agents[declared.fighter], "ability": _ability(match.fighters[declared.fighter], declared.slot)}
        for declared in match.stack[: int(match.stack_count)]
    ]
    return {"occasion": occasion, "stack": stack}


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


def _describe_fighter(match: Any, i: int, scenario: Scenario) -> dict[str, Any]:
    fighter = match.fighters[i]
    agents = [sheet.agent for sheet in scenario.fighters]
    conditions = {name: int(fighter.levels[k]) for k, name in enumerate(CONDITIONS) if fighter.levels[k]}
    return {
        "team": scenario.fighters[i].team,
        **({"part_of": scenario.fighters[i].part_of} if scenario.fighters[i].part_of else {}),
        **_describe_place(fighter, scenario),
        **({"spare": bool(fighter.has_spare)} if _on_map(fighter) or scenario.fighters[i].spare else {}),
        **_describe_abilities(fighter),
        "hp": int(fighter.hp),
        "hp_max": int(fighter.hp_max),
        "heart": int(fighter.heart),
        "heart_max": int(fighter.heart_max),
        "status": STATUSES[fighter.status],
        "wounds": int(fighter.wounds),
        "conditions": conditions,
        "sources": {name: agents[fighter.source[CONDITIONS.index(name)]] for name in SOURCED if name in conditions},
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
            for hit in match.hits[: int(match.hit_count)]
            if hit.target == i and hit.number >= match.hit_number and match.window == SHRUG_WINDOW
        ],
    }


# Fields of the line: name, field of the record.
_NUMBERS = {
    "hp": "hp", "heart": "heart", "helped": "helped", "shrugs": "shrugs", "at_zero": "rounds_at_zero", "rush": "rush",
    "active_rounds": "active_rounds",
}  # fmt: skip
_FLAGS = ("action", "interaction", "dash", "moved", "acted", "armed", "fresh_blinded", "active", "has_spare")
# Additional fields for fights on a map.
_NUMBERS_ON_MAP = {"squares": "squares_moved"}
_FLAGS_ON_MAP = ("dashed", "stood", "shot", "lunged")
_SQUARES = {"at": ("x", "y"), "floor": ("floor_x", "floor_y")}
# Additional fields where sides take turns: fields of the fight that name a team, and a flag of a fighter.
_SIDES = {"priority": "priority", "engaged": "engaged_side"}
_FLAG_OF_TURNS = "joined"
# Additional fields in fights with abilities: numbers for each slot.
_LISTS_OF_ABILITIES = ("uses", "uses_now", "memos")


def as_line(match: Any, start: Any, scenario: Scenario) -> str:
    """Return a fight as one line: the round, the window, and each fighter's differences from its start."""
    agents = [sheet.agent for sheet in scenario.fighters]
    head = f"r{int(match.round_number)} {WINDOWS[match.window]}"
    if match.engaged and match.window != 0:
        head += f" {STANCES[match.phase]}"
    for name, value in _describe_turns(match, scenario).get("turns", {}).items():
        head += f" {name}={value}" if value and name != "joined" else ""
    doors = _doors(match, start)
    if doors:
        head += " doors=" + _squares(doors)
    things = list(match.objects[: int(match.object_count)]) if _on_map(match) else []
    used = [k for k, thing in enumerate(things) if thing.used]
    taken = [k for k, thing in enumerate(things) if thing.has_item != start.objects[k].has_item]
    if used:
        rubble = np.flatnonzero((match.cells != start.cells) & (match.cells == RUBBLE)).tolist()
        head += " used=" + ",".join(str(k + 1) for k in used)
        head += " taken=" + ",".join(str(k + 1) for k in taken) if taken else ""
        head += " rubble=" + _squares(rubble) if rubble else ""
    items = {k: start.objects[k].gear for k in taken}
    parts = [
        " ".join([agent, *_words(match.fighters[i], start.fighters[i], agents, items)])
        for i, agent in enumerate(agents)
    ]
    return " | ".join([head, *parts])


def _doors(match: Any, start: Any) -> list[int]:
    """Return the squares of doors that have been opened or closed since the start."""
    if not _on_map(match):
        return []
    moved = (
        (match.cells != start.cells) & np.isin(match.cells, list(_OTHER_DOOR)) & np.isin(start.cells, list(_OTHER_DOOR))
    )
    return [int(square) for square in np.flatnonzero(moved)]


def _squares(squares: Sequence[int]) -> str:
    return ",".join(f"{square % MAP_SIDE}/{square // MAP_SIDE}" for square in squares)


def _on_map(record: Any) -> bool:
    """Return whether the record of a fight or fighter is for play on a map."""
    return "cells" in record.dtype.names or "side" in record.dtype.names


def _has_turns(record: Any) -> bool:
    """Return whether the record of a fight or fighter is for play in turns."""
    return BY_TURNS in record.dtype.names or _FLAG_OF_TURNS in record.dtype.names


def _has_abilities(record: Any) -> bool:
    """Return whether the record of a fight or fighter is for play with abilities."""
    return ABILITY_FIELD in record.dtype.names


def _words_of_abilities(fighter: Any) -> list[str]:
    """Return the additional words for a fighter with abilities."""
    words = [
        f"{word}=" + "/".join(str(int(number)) for number in fighter[word][: int(fighter.slots)])
        for word in _LISTS_OF_ABILITIES
        if any(fighter[word])
    ]
    return [*words, f"known={int(fighter.known)}"] if fighter.known else words


def _words_on_map(fighter: Any, start: Any) -> list[str]:
    """Return the additional words for a fighter on a map."""
    words = [
        f"{word}={int(fighter[x])}/{int(fighter[y])}"
        for word, (x, y) in _SQUARES.items()
        if (fighter[x], fighter[y]) != (start[x], start[y])
    ]
    words += [f"{word}={int(fighter[f])}" for word, f in _NUMBERS_ON_MAP.items() if fighter[f] != start[f]]
    return words + [f"{flag}={int(fighter[flag])}" for flag in _FLAGS_ON_MAP if fighter[flag] != start[flag]]


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
    words += [f"{word}={int(fighter[field])}" for word, field in _NUMBERS.items() if fighter[field] != start[field]]
    if fighter.wounds != start.wounds:
        words.append(f"wounds={int(fighter.wounds)}/{int(fighter.wound_count)}")
    words += [f"{flag}={int(fighter[flag])}" for flag in _FLAGS if fighter[flag] != _fresh(start, flag)]
    words += [f"item={k + 1}" for k in _carried_items(fighter, start, items)]
    words += ["swapped=1"] if _in_hand(fighter) != _in_hand(start) else []
    if _on_map(fighter):
        words += _words_on_map(fighter, start)
    if _has_abilities(fighter):
        words += _words_of_abilities(fighter)
    if _has_turns(fighter) and fighter.joined:
        words.append(f"{_FLAG_OF_TURNS}=1")
    if fighter.stance != NO_STANCE:
        words.append(f"stance={STANCES[fighter.stance]}")
    for k, name in enumerate(CONDITIONS):
        if fighter.levels[k] != start.levels[k] or fighter.source[k] != start.source[k]:
            by = f"@{agents[fighter.source[k]]}" if fighter.source[k] != NOBODY and fighter.levels[k] else ""
            words.append(f"{name}={int(fighter.levels[k])}{by}")
    if any(fighter.stance_count):
        words.append("count=" + "/".join(str(int(count)) for count in fighter.stance_count))
        words.append("reveals=" + "".join(_LETTERS[stance] for stance in fighter.reveals))
    return words


_ROUND = re.compile(r"r([0-9]{1,6})")
LARGEST_NUMBER = 10_000  # the limit in a line; no fight comes near it
_LETTERS = "macd-"  # might, agility, cunning, defensive, none


def _fresh(start: Any, flag: str) -> bool:
    """Return the value of a flag at the start of a round: actions are available, nothing has moved."""
    return True if flag in ("action", "interaction", "dash") else bool(start[flag])


def read_line(line: str, start: Any, scenario: Scenario) -> Any:
    """Return the fight that a line describes, ready to continue from its window.

    SnapshotError names the word that does not fit. Lines of a talk, attack, follow-up, shrug or yield window cannot be
    read back, because their choices depend on dice already rolled.
    """
    matches = np.array([start])
    match = matches[0]
    agents = [sheet.agent for sheet in scenario.fighters]
    head, *parts = [part.split() for part in line.split("|")]
    _read_head(match, head, edition_of(scenario.settings), scenario.teams)
    if _on_map(match):
        read_map(match)
    match.base_order[: len(agents)] = _base_order(match)
    named = [part[0] if part else "" for part in parts]
    if named != agents:
        raise SnapshotError(f"notation: found fighters {named}, allowed: {agents} in this order.")
    for i, (_, *words) in enumerate(parts):
        fighter = match.fighters[i]
        fighter.action = fighter.interaction = fighter.dash = match.round_number > 0
        for word in words:
            _read_word(match, i, word, agents)
    return matches


def _read_head(match: Any, head: list[str], edition: Edition, teams: Sequence[str]) -> None:
    last = int(match.rules.max_rounds)
    number = _ROUND.fullmatch(head[0]) if head else None
    while _on_map(match) and len(head) > 2 and head[-1].partition("=")[0] in _OF_GROUND:
        word, _, given = head.pop().partition("=")
        _OF_GROUND[word](match, given)
    if edition.turns:
        _read_turns(match, head[2:], teams)
        del head[2:]
    if len(head) != 2 or number is None or int(number[1]) > last or head[1] not in edition.places:
        allowed = f"r and a round from 0 to {last}, then {', '.join(edition.places)}"
        raise SnapshotError(f"notation: found {' '.join(head)!r} at the start, allowed: {allowed}.")
    match.round_number = int(number[1])
    edition.machine.put(match, edition.places[head[1]])


def _read_turns(match: Any, words: Sequence[str], teams: Sequence[str]) -> None:
    match.priority = match.engaged_side = NOBODY
    for word in words:
        name, _, value = word.partition("=")
        if name in _SIDES and value in teams:
            match[_SIDES[name]] = teams.index(value)
        elif name == "passed" and value in map(str, range(len(teams) + 1)):
            match.passes = int(value)
        else:
            allowed = f"priority or engaged and a team ({', '.join(teams)}), and passed and a number up to {len(teams)}"
            raise SnapshotError(f"notation: found {word!r} at the start, allowed: {allowed}.")


def _square(given: str) -> int:
    """Return the index of a square written as in 3/4, or -1 if the text is not a square."""
    x, _, y = given.partition("/")
    return int(y) * MAP_SIDE + int(x) if x.isdigit() and y.isdigit() and int(x) < MAP_SIDE > int(y) else -1


def _read_used(match: Any, given: str) -> None:
    for k in _numbers_of_objects(match, given):
        thing = match.objects[k]
        square = int(thing.y) * MAP_SIDE + int(thing.x)
        thing.used = True
        if thing.effect == OPENS and IS_WALL[match.cells[square]] and match.cells[square] not in _OTHER_DOOR:
            match.cells[square] = FLOOR
        match.changes += 1


def _read_taken(match: Any, given: str) -> None:
    for k in _numbers_of_objects(match, given):
        match.objects[k].has_item = False


def _numbers_of_objects(match: Any, given: str) -> list[int]:
    count = int(match.object_count)
    known = [str(k + 1) for k in range(count)]
    for number in given.split(","):
        if number not in known:
            raise SnapshotError(f"notation: found object {number!r}, allowed: numbers from 1 to {count}.")
    return [int(number) - 1 for number in given.split(",")]


def _read_rubble(match: Any, given: str) -> None:
    for place in given.split(","):
        square = _square(place)
        if square < 0 or square % MAP_SIDE >= match.width or square // MAP_SIDE >= match.height:
            raise SnapshotError(f"notation: found {place!r} in the rubble, allowed: squares of the map as in 3/4.")
        match.cells[square] = RUBBLE


def _read_doors(match: Any, given: str) -> None:
    for door in given.split(","):
        square = _square(door)
        if square < 0 or match.cells[square] not in _OTHER_DOOR:
            raise SnapshotError(f"notation: found {door!r} among the doors, allowed: squares of doors as in 3/4.")
        match.cells[square] = _OTHER_DOOR[int(match.cells[square])]
        match.changes += 1


_OF_GROUND = {"doors": _read_doors, "used": _read_used, "taken": _read_taken, "rubble": _read_rubble}
_OTHER_DOOR = {CLOSED_DOOR: OPEN_DOOR, OPEN_DOOR: CLOSED_DOOR}


def _base_order(match: Any) -> list[int]:
    """Return the timing order before any roll, as in rules/timing.py: larger agility dice first, then heroes."""
    fighters = match.fighters[: int(match.n)]
    return sorted(range(len(fighters)), key=lambda i: (-int(fighters[i].ability[AGILITY]), not fighters[i].hero))


def _read_word(match: Any, i: int, word: str, agents: list[str]) -> None:
    fighter = match.fighters[i]
    name, _, value = word.partition("=")
    try:
        if word in STATUSES:
            fighter.status = STATUSES.index(word)
        elif name in _NUMBERS:
            if int(value) not in _allowed(fighter, name):
                raise ValueError(value)
            fighter[_NUMBERS[name]] = int(value)
        elif name in _FLAGS or (name == _FLAG_OF_TURNS and _has_turns(fighter)):
            fighter[name] = bool(("0", "1").index(value))
        elif (_on_map(fighter) and _read_word_on_map(fighter, name, value)) or (
            _has_abilities(fighter) and _read_word_of_abilities(fighter, name, value)
        ):
            pass
        elif name == "swapped":
            _swap_hands(fighter)
        elif name == "item" and _on_map(match):
            (k,) = _numbers_of_objects(match, value)
            fighter.sets[1] = match.objects[k].gear
        elif name == "wounds":
            fighter.wounds, fighter.wound_count = (int(part) for part in value.split("/"))
        elif name == "stance":
            fighter.stance = STANCES.index(value)
        elif name == "count":
            fighter.stance_count[:] = _exactly(len(STANCES), [int(part) for part in value.split("/")])
        elif name == "reveals":
            fighter.reveals[:] = _exactly(REVEALS, [_LETTERS.index(letter) for letter in value])
        else:
            _read_condition(match, i, CONDITIONS.index(name), value, agents)
    except (ValueError, OverflowError) as problem:
        allowed = "a field and its value as in hp=31"
        raise SnapshotError(f"notation, {agents[i]}: found {word!r}, allowed: {allowed}.") from problem


def _read_word_of_abilities(fighter: Any, name: str, value: str) -> bool:
    """Read a word that only fighters with abilities have; return whether it was one."""
    slots = int(fighter.slots)
    if name in _LISTS_OF_ABILITIES:
        fighter[name][:slots] = _exactly(slots, [int(part) for part in value.split("/")])
    elif name == "known":
        fighter.known = range(1 << slots).index(int(value))
    else:
        return False
    return True


def _read_word_on_map(fighter: Any, name: str, value: str) -> bool:
    """Read a word that only fighters on a map have; return whether it was one."""
    if name in _SQUARES:
        x, y = (range(MAP_SIDE).index(int(part)) for part in value.split("/"))
        fighter[_SQUARES[name][0]], fighter[_SQUARES[name][1]] = x, y
    elif name in _NUMBERS_ON_MAP:
        fighter[_NUMBERS_ON_MAP[name]] = range(LARGEST_NUMBER + 1).index(int(value))
    elif name in _FLAGS_ON_MAP:
        fighter[name] = bool(("0", "1").index(value))
    else:
        return False
    return True


def _swap_hands(fighter: Any) -> None:
    """Swap the set in hand with the spare one."""
    held, spare = fighter.sets[0].copy(), fighter.sets[1].copy()
    fighter.sets[0], fighter.sets[1] = spare, held
    for field in IN_HAND:
        fighter[field] = spare[field]


def _allowed(fighter: Any, name: str) -> Container[int]:
    """Return the allowed values of a number in the line."""
    if name == "hp":
        return range(-LARGEST_NUMBER, int(fighter.hp_max) + 1)
    if name == "heart":
        return [die for die in DIE_LADDER if die <= fighter.heart_max]
    return range(LARGEST_NUMBER + 1)


def _exactly(count: int, items: list[int]) -> list[int]:
    if len(items) != count:
        raise ValueError(items)
    return items


def _read_condition(match: Any, i: int, condition: int, value: str, agents: list[str]) -> None:
    fighter = match.fighters[i]
    levels, _, source = value.partition("@")
    if not 0 <= int(levels) <= HIGHEST_LEVEL[condition]:
        raise ValueError(value)
    fighter.levels[condition] = int(levels)
    fighter.source[condition] = agents.index(source) if source else NOBODY
    fighter.afflicted = sum(1 << k for k, level in enumerate(fighter.levels) if level)
    if condition == GRAPPLING:
        fighter.grappling = fighter.source[condition]
    elif CONDITIONS[condition] == "creature_climber":
        fighter.climbing = fighter.source[condition]

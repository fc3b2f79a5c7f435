"""Lines of notation: a fight as one line, and a fight that continues from the window of such a line.

The line names the scenario's fighters by agent, each with only the fields that differ from its start:

    r3 stance | knight_0 hp=31 heart=6 dazed=2 action=0 | rogue_0 hp=12 wounds=11/1

It contains what players would write down between two rounds or windows. Reading it back shows that it says everything
that matters between two windows. A line of a talk, attack, follow-up, shrug or yield window cannot be read back,
because its choices depend on dice already rolled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.editions import edition_of
from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.rules.choices import BY_TURNS
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.space import CLOSED_DOOR, FLOOR, IS_WALL, OPEN_DOOR, OPENS, RUBBLE, read_map
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    CONDITIONS,
    CREATURE_CLIMBER,
    GRAPPLING,
    MAP_SIDE,
    NO_STANCE,
    NOBODY,
    STANCES,
    STATUSES,
)
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.state.record import IN_HAND, WINDOWS

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


def line_of(fights: Fights, slot: int = 0) -> str:
    """Return the fight in a slot of a batch as one line."""
    return as_line(fights._fights[slot], fights._template[0], fights.game.scenario)


def as_line(fight: Any, start: Any, scenario: Scenario) -> str:
    """Return a fight as one line: the round, the window, and each fighter's differences from its start."""
    agents = [sheet.agent for sheet in scenario.fighters]
    head = f"r{int(fight.round_number)} {WINDOWS[fight.window]}"
    if fight.engaged and fight.window != 0:
        head += f" {STANCES[fight.phase]}"
    if BY_TURNS in fight.dtype.names:
        sides = {name: fight[field] for name, field in SIDES.items() if fight[field] != NOBODY}
        head += "".join(f" {name}={scenario.teams[side]}" for name, side in sides.items())
        head += f" passed={int(fight.passes)}" if fight.passes else ""
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
    """Return the scenario's items that a fighter carries; of identical items, only the last."""
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
    if ABILITY_FIELD in fighter.dtype.names:
        words += _words_of_abilities(fighter)
    if JOINED in fighter.dtype.names and fighter.joined:
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
    """Return a flag's value at the start of a round: actions are available, nothing has moved."""
    return True if flag in ("action", "interaction", "dash") else bool(start[flag])


# Reading.

# The frames of a fight at the start of each window that a line may name.
ROUNDS = {
    "start": [{"flow": "whole fight", "at": "start"}],
    "action": [{"flow": "whole fight", "at": "action phase"}, {"flow": "action phase", "at": "start"}],
    "stance": [{"flow": "whole fight", "at": "engagement"}, {"flow": "engagement", "at": "start"}],
    "over": [],
}
ROUNDS_BY_TURNS = {
    **ROUNDS,
    "action": [{"flow": "whole fight", "at": "turns"}, {"flow": "turns", "at": "start"}],
    "stance": [
        {"flow": "whole fight", "at": "turns"},
        {"flow": "turns", "at": "turn"},
        {"flow": "turn", "at": "engagement"},
        {"flow": "engagement", "at": "start"},
    ],
}


def read_line(line: str, start: Any, scenario: Scenario) -> Any:
    """Return the fight that a line describes, as an array of one record; `start` is the fight's first record."""
    matches = np.array([start])
    match = matches[0]
    agents = [sheet.agent for sheet in scenario.fighters]
    (number, window, *more), *parts = [part.split() for part in line.split("|")]
    match.round_number = int(number.removeprefix("r"))
    edition = edition_of(scenario.settings)
    if edition.turns:
        match.priority = match.engaged_side = NOBODY
    for word in more:
        _read_of_fight(match, *word.split("="), scenario.teams)
    edition.machine.put(match, (ROUNDS_BY_TURNS if edition.turns else ROUNDS)[window])
    if on_map(match):
        read_map(match)
    match.base_order[: len(agents)] = _base_order(match)
    assert [part[0] for part in parts] == agents
    for i, (_, *words) in enumerate(parts):
        fighter = match.fighters[i]
        fighter.action = fighter.interaction = fighter.dash = match.round_number > 0
        for word in words:
            name, _, value = word.partition("=")
            _read_of_fighter(match, i, name, value, agents)
    return matches


def _read_of_fight(match: Any, name: str, value: str, teams: Sequence[str]) -> None:
    if name in SIDES:
        match[SIDES[name]] = teams.index(value)
    elif name == "passed":
        match.passes = int(value)
    elif name == "taken":
        for k in value.split(","):
            match.objects[int(k) - 1].has_item = False
    elif name == "rubble":
        for place in value.split(","):
            match.cells[_square(place)] = RUBBLE
    elif name == "doors":
        for place in value.split(","):
            match.cells[_square(place)] = OTHER_DOOR[int(match.cells[_square(place)])]
            match.changes += 1
    else:
        assert name == "used"
        for k in value.split(","):
            thing = match.objects[int(k) - 1]
            square = int(thing.y) * MAP_SIDE + int(thing.x)
            thing.used = True
            if thing.effect == OPENS and IS_WALL[match.cells[square]] and match.cells[square] not in OTHER_DOOR:
                match.cells[square] = FLOOR
            match.changes += 1


def _square(place: str) -> int:
    """Return the index of a square written like 3/4."""
    x, y = place.split("/")
    return int(y) * MAP_SIDE + int(x)


def _base_order(match: Any) -> list[int]:
    """Return the timing order before any roll, as in rules/timing.py: larger agility dice first, then heroes."""
    fighters = match.fighters[: int(match.n)]
    return sorted(range(len(fighters)), key=lambda i: (-int(fighters[i].ability[AGILITY]), not fighters[i].hero))


def _read_of_fighter(match: Any, i: int, name: str, value: str, agents: list[str]) -> None:
    fighter = match.fighters[i]
    numbers, flags = {**NUMBERS, **NUMBERS_ON_MAP}, (*FLAGS, *FLAGS_ON_MAP, JOINED)
    if name in STATUSES:
        fighter.status = STATUSES.index(name)
    elif name in numbers:
        fighter[numbers[name]] = int(value)
    elif name in flags:
        fighter[name] = bool(("0", "1").index(value))
    elif name in SQUARES:
        for field, number in zip(SQUARES[name], value.split("/"), strict=True):
            fighter[field] = int(number)
    elif name in ABILITY_LISTS:
        fighter[name][: int(fighter.slots)] = [int(number) for number in value.split("/")]
    elif name == "known":
        fighter.known = int(value)
    elif name == "swapped":
        _swap_hands(fighter)
    elif name == "item":
        fighter.sets[1] = match.objects[int(value) - 1].gear
    elif name == "wounds":
        fighter.wounds, fighter.wound_count = (int(number) for number in value.split("/"))
    elif name == "stance":
        fighter.stance = STANCES.index(value)
    elif name == "count":
        fighter.stance_count[:] = [int(number) for number in value.split("/")]
    elif name == "reveals":
        fighter.reveals[:] = [STANCE_LETTERS.index(letter) for letter in value]
    else:
        _read_condition(fighter, CONDITIONS.index(name), value, agents)


def _swap_hands(fighter: Any) -> None:
    """Swap the weapon and shield in hand with the spare ones."""
    held, spare = fighter.sets[0].copy(), fighter.sets[1].copy()
    fighter.sets[0], fighter.sets[1] = spare, held
    for field in IN_HAND:
        fighter[field] = spare[field]


def _read_condition(fighter: Any, condition: int, value: str, agents: list[str]) -> None:
    levels, _, source = value.partition("@")
    fighter.levels[condition] = int(levels)
    fighter.source[condition] = agents.index(source) if source else NOBODY
    fighter.afflicted = sum(1 << k for k, level in enumerate(fighter.levels) if level)
    if condition == GRAPPLING:
        fighter.grappling = fighter.source[condition]
    elif condition == CREATURE_CLIMBER:
        fighter.climbing = fighter.source[condition]

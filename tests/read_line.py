"""Lines of notation read back: from the line of a fight to a fight that continues from the line's window.

The package only writes such lines (engine/notation.py). Reading them back shows that a line says everything that
matters between two windows. A line of a talk, attack, follow-up, shrug or yield window cannot be read back, because
its choices depend on dice already rolled.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.editions import edition_of
from heartrush_env.games.heart_rush.engine.notation import (
    ABILITY_LISTS,
    FLAGS,
    FLAGS_ON_MAP,
    JOINED,
    NUMBERS,
    NUMBERS_ON_MAP,
    OTHER_DOOR,
    SIDES,
    SQUARES,
    STANCE_LETTERS,
    on_map,
)
from heartrush_env.games.heart_rush.rules.space import FLOOR, IS_WALL, OPENS, RUBBLE, read_map
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    CONDITIONS,
    CREATURE_CLIMBER,
    GRAPPLING,
    MAP_SIDE,
    NOBODY,
    STANCES,
    STATUSES,
)
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.state.record import IN_HAND

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
    """Return the fight that a line describes, as an array of one record; `start` is the record of its beginning."""
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
    """Return the index of a square written as in 3/4."""
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
    """Swap the set in hand with the spare one."""
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

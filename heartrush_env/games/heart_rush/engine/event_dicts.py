"""The events of a step as dicts, with names in place of numbers: FIELDS says what the dict of each event contains."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from heartrush_env.games.heart_rush.abilities.all import PLAYED, name_of
from heartrush_env.games.heart_rush.rules.abilities import Kind
from heartrush_env.games.heart_rush.rules.cunning import CUNNING_LEVELS, IMPAIRING
from heartrush_env.games.heart_rush.rules.dice import dice_of, flat_of
from heartrush_env.games.heart_rush.rules.movement import COMPASS
from heartrush_env.games.heart_rush.rules.terms import (
    ABILITIES,
    ATTACK_TYPES,
    CAUSES,
    CONDITIONS,
    DAMAGE_TYPES,
    DEEDS,
    DOOR,
    HIT_CAUSES,
    STANCES,
    STATUSES,
    USE,
    USE_AT,
    USE_FOR,
    USE_OBJECT,
)
from heartrush_env.games.heart_rush.scenario.catalog import terrain
from heartrush_env.games.heart_rush.scenario.sheets import Owned, Scenario
from heartrush_env.games.heart_rush.state.events import BY_DIE, EFFECTS, EVENTS, PUSHED_ON, STOPPED_BY_WALL, WAYS, WHYS
from heartrush_env.games.heart_rush.state.record import ENDINGS

TERRAINS = tuple(kind.id for kind in terrain().values())
LEFT_OUT: Final = object()  # in place of the value of a field that an event does not have


class Names(NamedTuple):
    """The names of the fighters and of the teams, by number."""

    fighters: Sequence[str]
    teams: Sequence[str]
    loadouts: Sequence[Sequence[Owned]]  # the abilities of each fighter


Reader = Callable[[Any, Names], Any]  # (event, names): returns the value of one field


def _number(column: str) -> Reader:
    return lambda event, names: int(event[column])


def _flag(column: str) -> Reader:
    return lambda event, names: bool(event[column])


def _word(column: str, words: Sequence[str]) -> Reader:
    """Return a reader of the word with this index; a number beyond the words means None."""
    return lambda event, names: words[event[column]] if event[column] < len(words) else None


def _fighter(column: str) -> Reader:
    """Return a reader of a fighter's name; NOBODY means None."""
    return lambda event, names: names.fighters[event[column]] if event[column] >= 0 else None


def _if(condition: Callable[[Any], Any], reader: Reader) -> Reader:
    """Return a reader of a field that only some events of a kind have."""
    return lambda event, names: reader(event, names) if condition(event) else LEFT_OUT


def _if_deed(deeds: Collection[int], reader: Reader) -> Reader:
    """Return a reader of a field that an event has if its detail is one of these choices."""
    return _if(lambda event: event.detail in deeds, reader)


def _roll(side: str) -> dict[str, Reader]:
    """Return the fields of a roll, for events that have it; `side` is attack or defense."""

    def dice(event: Any, names: Names) -> list[int]:
        return [int(die) for die in event[f"{side}_results"][: event[f"{side}_count"]]]

    def pool(event: Any, names: Names) -> list[list[Any]]:
        """Return the source, the sides and the result of each die."""
        thrown = zip(dice_of(event[f"{side}_pool"]), dice(event, names), strict=True)
        return [[source, sides, face] for (source, sides), face in thrown]

    def causes(event: Any, names: Names) -> dict[str, int]:
        return {cause: int(levels) for cause, levels in zip(CAUSES, event[f"{side}_causes"], strict=True) if levels}

    fields: dict[str, Reader] = {
        "roll": _number(f"{side}_total"),
        "dice": dice,
        "pool": pool,
        "flat": lambda event, names: flat_of(event[f"{side}_pool"]),
        "causes": causes,
    }
    return {f"{side}_{name}": _if(lambda event: event[f"{side}_count"], reader) for name, reader in fields.items()}


def _levels(event: Any, names: Names) -> dict[str, int]:
    """Return the levels of conditions that an attack has named."""
    levels = zip(IMPAIRING, CUNNING_LEVELS[event.before].tolist(), strict=True)
    return {CONDITIONS[condition]: level for condition, level in levels if level}


def _vain(event: Any, names: Names) -> Any:
    """Return why a declared use of a door or an object was in vain, if its state was the reason."""
    states = {DOOR: ("already closed", "already open"), USE_OBJECT: ("already used", "already taken")}
    return states[event.detail][int(event.flag)] if event.detail in states and event.amount else LEFT_OUT


def _answer(event: Any, names: Names) -> Any:
    """Return the answer to a part of a choice: a direction, an option or a fighter."""
    pick = PLAYED[event.before].picks[event.detail]
    words = COMPASS if pick.kind == Kind.DIRECTION else pick.words or names.fighters
    return words[event.amount]


def _ability(column: str) -> Reader:
    return lambda event, names: name_of(int(event[column]), names.loadouts[event.fighter])


_FIGHTER, _OTHER = _fighter("fighter"), _fighter("other")
_OTHER_IF_ANY = _if(lambda event: event.other >= 0, _OTHER)
_AMOUNT, _BEFORE, _AFTER, _FLAG = _number("amount"), _number("before"), _number("after"), _flag("flag")
_ROLLS = {**_roll("attack"), **_roll("defense")}
_CHECKED = {
    "ability": _if(lambda event: event.ability >= 0, _word("ability", ABILITIES)),
    "opposing_ability": _if(lambda event: event.opposing_ability >= 0, _word("opposing_ability", ABILITIES)),
}


def _at(event: Any, names: Names) -> list[int]:
    """Return the square of an event."""
    return [int(event.x), int(event.y)]


_DECLARATION: dict[str, Reader] = {
    "fighter": _FIGHTER,
    "action": _word("detail", DEEDS),
    "ability": _if_deed((USE, USE_AT, USE_FOR), _ability("amount")),
    "target": _OTHER_IF_ANY,
    "object": _if_deed((USE_OBJECT,), _BEFORE),
    "at": _if_deed((DOOR, USE_OBJECT), _at),
    "open": _if_deed((DOOR,), _FLAG),
    "takes": _if_deed((USE_OBJECT,), _FLAG),
}
_ATTACK: dict[str, Reader] = {
    "attacker": _FIGHTER,
    "target": _OTHER,
    "stance": _word("stance", STANCES),
    "cause": _word("detail", HIT_CAUSES),
    "contested": _FLAG,
    "mutual": _flag("mutual"),
    "levels": _levels,
    **_ROLLS,
}
# The fields of each kind of event, in order; events that several entries of the log make together are read below.
FIELDS: Mapping[str, Mapping[str, Reader]] = {
    "round": {"round": _AMOUNT},
    "talk": {"fighter": _FIGHTER, "stance": _word("detail", STANCES)},
    "declare": _DECLARATION,
    "fizzle": {**_DECLARATION, "cause": _vain},
    "timing": {"fighter": _FIGHTER, "roll": _AMOUNT},
    "check": {
        "fighter": _FIGHTER,
        "against": _OTHER,
        "purpose": lambda event, names: DEEDS[event.detail] if event.detail >= 0 else "save",
        "success": _FLAG,
        **_CHECKED,
        **_ROLLS,
    },
    "attack": {**_ATTACK, "damage": _AMOUNT, "hurt": _fighter("hurt")},
    "roll": _ATTACK,  # an attack as far as it has been rolled
    "maneuver": {
        "fighter": _FIGHTER,
        "target": _OTHER,
        "maneuver": _word("detail", DEEDS),
        "success": _FLAG,
        **_CHECKED,
        **_ROLLS,
    },
    "shrug": {"fighter": _FIGHTER, "heart_from": _BEFORE, "heart_to": _AFTER},
    "damage": {
        "fighter": _FIGHTER, "by": _OTHER, "cause": _word("detail", HIT_CAUSES), "amount": _AMOUNT, "hp": _AFTER,
    },
    "wound": {"fighter": _FIGHTER, "rank": _AMOUNT},
    "condition": {"fighter": _FIGHTER, "condition": _word("detail", CONDITIONS), "before": _BEFORE, "levels": _AFTER},
    "stand": {"fighter": _FIGHTER},
    "down": {"fighter": _FIGHTER, "status": _word("detail", STATUSES)},
    "death": {"fighter": _FIGHTER},
    "yield": {"fighter": _FIGHTER},
    "fall": {"fighter": _FIGHTER, "feet": _AMOUNT, "saved": _FLAG, **_ROLLS},
    "door": {"fighter": _FIGHTER, "at": _at, "open": _flag("detail")},
    "object": {"fighter": _FIGHTER, "object": _AMOUNT, "at": _at, "effect": _word("detail", EFFECTS)},
    "ground": {"at": _at, "terrain": _word("detail", TERRAINS)},
    "swap": {
        "fighter": _FIGHTER,
        "weapon_die": _AMOUNT,
        "attack_type": _word("before", ATTACK_TYPES),
        "damage_type": _word("after", DAMAGE_TYPES),
        "shield": _number("detail"),
    },
    "rush": {"fighter": _FIGHTER, "left": _AMOUNT, "spent": _if(lambda event: event.detail > 1, _number("detail"))},
    "use": {"fighter": _FIGHTER, "ability": _ability("amount"), "target": _OTHER_IF_ANY},
    "pick": {
        "fighter": _FIGHTER,
        "ability": _ability("before"),
        "part": _number("detail"),
        "answer": _answer,
        "by": _OTHER_IF_ANY,
    },
    "heal": {"fighter": _FIGHTER, "by": _OTHER, "amount": _AMOUNT, "hp": _AFTER},
    "grow": {"fighter": _FIGHTER, "body": _OTHER, "hp": _AMOUNT},
    "priority": {
        "team": lambda event, names: names.teams[event.other] if event.other >= 0 else None,
        "cause": _word("detail", WHYS),
        "die": _if(lambda event: event.detail == BY_DIE, _AMOUNT),
    },
    "end": {
        "cause": _word("detail", ENDINGS),
        "winners": lambda event, names: [names.teams[event.other]] if event.other >= 0 else [],
    },
}  # fmt: skip


def as_dicts(log: Any, scenario: Scenario) -> list[dict[str, Any]]:
    """Return the events of a step as JSON-able dicts, with the names that the scenario gives."""
    teams, fighters = scenario.teams, tuple(sheet.agent for sheet in scenario.fighters)
    names = Names(fighters, teams, [sheet.abilities for sheet in scenario.fighters])
    shown: list[dict[str, Any]] = []
    ways: dict[tuple[int, ...], dict[str, Any]] = {}  # paths that the next square may extend
    for event in log.events[: int(log.count)]:
        kind = "roll" if event.pending else EVENTS[event.kind]
        if kind in ("move", "push"):  # one event for all squares of a path
            _go_on(event, kind, ways, shown, fighters)
            continue
        ways = {}
        if kind in ("reveal", "engagement"):  # one event for all fighters that reveal together, or that fight
            if not shown or shown[-1]["type"] != kind:
                fresh = {"stances": {}} if kind == "reveal" else {"engaged": teams[event.other], "fighters": []}
                shown.append({"type": kind, **fresh})
            if kind == "reveal":
                shown[-1]["stances"][fighters[event.fighter]] = _word("detail", STANCES)(event, names)
            else:
                shown[-1]["fighters"].append(fighters[event.fighter])
            continue
        values = {field: read(event, names) for field, read in FIELDS[kind].items()}
        shown.append({"type": kind, **{field: value for field, value in values.items() if value is not LEFT_OUT}})
    return shown


def _go_on(
    event: Any, kind: str, ways: dict[tuple[int, ...], dict[str, Any]], shown: list[dict[str, Any]], fighters: Any
) -> None:
    """Extend the path that an event belongs to, or begin a new path."""
    key = (int(event.kind), int(event.fighter), int(event.other), int(event.detail) if kind == "move" else 0)
    if key not in ways:
        fighter = fighters[event.fighter]
        if kind == "move":
            ways[key] = {"type": kind, "fighter": fighter, "how": WAYS[event.detail], "path": []}
        else:
            ways[key] = {"type": kind, "fighter": fighter, "by": fighters[event.other], "path": [], "blocked": None}
        shown.append(ways[key])
    if kind == "move" or event.detail == PUSHED_ON:
        ways[key]["path"].append([int(event.x), int(event.y)])
    else:
        ways[key]["blocked"] = "wall" if event.detail == STOPPED_BY_WALL else fighters[event.hurt]

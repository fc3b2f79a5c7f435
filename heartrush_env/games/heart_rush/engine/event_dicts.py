"""The events of a step as dicts, with names in place of numbers."""

from __future__ import annotations

from typing import Any

from heartrush_env.games.heart_rush.rules.abilities import Kind
from heartrush_env.games.heart_rush.rules.cunning import CUNNING_LEVELS, IMPAIRING
from heartrush_env.games.heart_rush.rules.dice import dice_of, flat_of
from heartrush_env.games.heart_rush.rules.terms import (
    ABILITIES,
    ATTACK_TYPES,
    CAUSES,
    CONDITIONS,
    DAMAGE_TYPES,
    DEEDS,
    HIT_CAUSES,
    STANCES,
    STATUSES,
    USE,
    USE_AT,
    USE_FOR,
)
from heartrush_env.games.heart_rush.scenario.catalog import terrain
from heartrush_env.games.heart_rush.state.events import BY_DIE, EFFECTS, EVENTS, PUSHED_ON, STOPPED_BY_WALL, WAYS, WHYS
from heartrush_env.games.heart_rush.state.record import ENDINGS

TERRAINS = tuple(kind.id for kind in terrain().values())


def as_dicts(log: Any, names: tuple[str, ...], teams: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the events of a step as JSON-able dicts; `names` are the fighters' names, `teams` the teams' in order."""
    shown: list[dict[str, Any]] = []
    reveals: dict[str, str | None] | None = None
    ways: dict[tuple[int, ...], dict[str, Any]] = {}  # paths that the next square may extend
    for k in range(int(log.count)):
        event = log.events[k]
        kind = "roll" if event.pending else EVENTS[event.kind]
        if kind in ("move", "push"):  # one event for all squares of a path
            _go_on(event, kind, ways, shown, names)
            continue
        ways = {}
        if kind == "reveal":  # one event for all fighters that reveal together
            if reveals is None:
                reveals = {}
                shown.append({"type": "reveal", "stances": reveals})
            reveals[names[event.fighter]] = _stance(event.detail)
            continue
        reveals = None
        if kind == "engagement":  # one event for all fighters in it
            if not shown or shown[-1]["type"] != kind:
                shown.append({"type": kind, "engaged": teams[event.other], "fighters": []})
            shown[-1]["fighters"].append(names[event.fighter])
            continue
        shown.append({"type": kind, **_READERS[kind](event, names, teams)})
    return shown


def _go_on(
    event: Any, kind: str, ways: dict[tuple[int, ...], dict[str, Any]], shown: list[dict[str, Any]], names: Any
) -> None:
    """Extend the path that an event belongs to, or begin a new path."""
    key = (int(event.kind), int(event.fighter), int(event.other), int(event.detail) if kind == "move" else 0)
    if key not in ways:
        fighter = names[event.fighter]
        if kind == "move":
            ways[key] = {"type": kind, "fighter": fighter, "how": WAYS[event.detail], "path": []}
        else:
            ways[key] = {"type": kind, "fighter": fighter, "by": names[event.other], "path": [], "blocked": None}
        shown.append(ways[key])
    if kind == "move" or event.detail == PUSHED_ON:
        ways[key]["path"].append([int(event.x), int(event.y)])
    else:
        ways[key]["blocked"] = "wall" if event.detail == STOPPED_BY_WALL else names[event.hurt]


def _stance(code: int) -> str | None:
    return STANCES[code] if code < len(STANCES) else None


def _name(names: tuple[str, ...], i: int) -> str | None:
    return names[i] if i >= 0 else None


def _causes(levels: Any) -> dict[str, int]:
    return {CAUSES[k]: int(levels[k]) for k in range(len(CAUSES)) if levels[k]}


def _pool(pool: Any, results: list[int]) -> list[list[Any]]:
    """Return the source, the sides and the result of each die."""
    return [[source, sides, face] for (source, sides), face in zip(dice_of(pool), results, strict=True)]


def _rolls(event: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if event.attack_count:
        facts["attack_roll"] = int(event.attack_total)
        facts["attack_dice"] = [int(die) for die in event.attack_results[: event.attack_count]]
        facts["attack_pool"] = _pool(event.attack_pool, facts["attack_dice"])
        facts["attack_flat"] = flat_of(event.attack_pool)
        facts["attack_causes"] = _causes(event.attack_causes)
    if event.defense_count:
        facts["defense_roll"] = int(event.defense_total)
        facts["defense_dice"] = [int(die) for die in event.defense_results[: event.defense_count]]
        facts["defense_pool"] = _pool(event.defense_pool, facts["defense_dice"])
        facts["defense_flat"] = flat_of(event.defense_pool)
        facts["defense_causes"] = _causes(event.defense_causes)
    return facts


def _attack(event: Any, names: tuple[str, ...], teams: tuple[str, ...]) -> dict[str, Any]:
    return {
        "attacker": names[event.fighter],
        "target": names[event.other],
        "stance": _stance(event.stance),
        "cause": HIT_CAUSES[event.detail],
        "contested": bool(event.flag),
        "mutual": bool(event.mutual),
        "levels": _levels(event.before),
        **_rolls(event),
        "damage": int(event.amount),
        "hurt": _name(names, event.hurt),
    }


def _pending(event: Any, names: tuple[str, ...], teams: tuple[str, ...]) -> dict[str, Any]:
    """Return an attack as far as it has been rolled."""
    facts = _attack(event, names, teams)
    return {key: value for key, value in facts.items() if key not in ("damage", "hurt")}


def _abilities(event: Any) -> dict[str, Any]:
    facts = {}
    if event.ability >= 0:
        facts["ability"] = ABILITIES[event.ability]
    if event.opposing_ability >= 0:
        facts["opposing_ability"] = ABILITIES[event.opposing_ability]
    return facts


def _levels(code: int) -> dict[str, int]:
    return {CONDITIONS[IMPAIRING[k]]: int(CUNNING_LEVELS[code, k]) for k in range(3) if CUNNING_LEVELS[code, k]}


def _maneuver(event: Any, names: tuple[str, ...], teams: tuple[str, ...]) -> dict[str, Any]:
    return {
        "fighter": names[event.fighter],
        "target": names[event.other],
        "maneuver": DEEDS[event.detail],
        "success": bool(event.flag),
        **_abilities(event),
        **_rolls(event),
    }


def _check(event: Any, names: tuple[str, ...], teams: tuple[str, ...]) -> dict[str, Any]:
    return {
        "fighter": names[event.fighter],
        "against": _name(names, event.other),
        "purpose": DEEDS[event.detail] if event.detail >= 0 else "save",
        "success": bool(event.flag),
        **_abilities(event),
        **_rolls(event),
    }


def _declare(event: Any, names: tuple[str, ...], teams: tuple[str, ...]) -> dict[str, Any]:
    facts: dict[str, Any] = {"fighter": names[event.fighter], "action": DEEDS[event.detail]}
    if event.detail in (USE, USE_AT, USE_FOR):
        facts["ability"] = _ability(event)
    if event.other >= 0:
        facts["target"] = names[event.other]
    if facts["action"] == "door":
        facts |= {"at": [int(event.x), int(event.y)], "open": bool(event.flag)}
    if facts["action"] == "object":
        facts |= {"object": int(event.before), "at": [int(event.x), int(event.y)], "takes": bool(event.flag)}
    return facts


def _fizzle(event: Any, names: tuple[str, ...], teams: tuple[str, ...]) -> dict[str, Any]:
    facts = _declare(event, names, teams)
    if facts["action"] == "door" and event.amount:
        facts["cause"] = "already open" if facts["open"] else "already closed"
    if facts["action"] == "object" and event.amount:
        facts["cause"] = "already taken" if facts["takes"] else "already used"
    return facts


def _ability(event: Any) -> str:
    from heartrush_env.games.heart_rush.abilities.all import PLAYED  # late: abilities import rules, which write events

    return str(PLAYED[event.amount].name)


def _use(event: Any, names: tuple[str, ...], teams: tuple[str, ...]) -> dict[str, Any]:
    facts: dict[str, Any] = {"fighter": names[event.fighter], "ability": _ability(event)}
    return facts | ({"target": names[event.other]} if event.other >= 0 else {})


def _pick(event: Any, names: tuple[str, ...], teams: tuple[str, ...]) -> dict[str, Any]:
    from heartrush_env.games.heart_rush.abilities.all import PLAYED  # late: abilities import rules, which write events
    from heartrush_env.games.heart_rush.rules.movement import COMPASS  # late: movement imports rules that write events

    ability, part, picked = PLAYED[event.before], int(event.detail), int(event.amount)
    pick = ability.picks[part]
    words = COMPASS if pick.kind == Kind.DIRECTION else pick.words or names
    facts = {"fighter": names[event.fighter], "ability": ability.name, "part": part, "answer": words[picked]}
    return facts | ({"by": names[event.other]} if event.other >= 0 else {})


_READERS: dict[str, Any] = {
    "round": lambda e, names, teams: {"round": int(e.amount)},
    "talk": lambda e, names, teams: {"fighter": names[e.fighter], "stance": _stance(e.detail)},
    "declare": _declare,
    "fizzle": _fizzle,
    "timing": lambda e, names, teams: {"fighter": names[e.fighter], "roll": int(e.amount)},
    "check": _check,
    "attack": _attack,
    "roll": _pending,
    "maneuver": _maneuver,
    "shrug": lambda e, names, teams: {
        "fighter": names[e.fighter],
        "heart_from": int(e.before),
        "heart_to": int(e.after),
    },
    "damage": lambda e, names, teams: {
        "fighter": names[e.fighter],
        "by": _name(names, e.other),
        "cause": HIT_CAUSES[e.detail],
        "amount": int(e.amount),
        "hp": int(e.after),
    },
    "wound": lambda e, names, teams: {"fighter": names[e.fighter], "rank": int(e.amount)},
    "condition": lambda e, names, teams: {
        "fighter": names[e.fighter],
        "condition": CONDITIONS[e.detail],
        "before": int(e.before),
        "levels": int(e.after),
    },
    "stand": lambda e, names, teams: {"fighter": names[e.fighter]},
    "down": lambda e, names, teams: {"fighter": names[e.fighter], "status": STATUSES[e.detail]},
    "death": lambda e, names, teams: {"fighter": names[e.fighter]},
    "yield": lambda e, names, teams: {"fighter": names[e.fighter]},
    "fall": lambda e, names, teams: {
        "fighter": names[e.fighter],
        "feet": int(e.amount),
        "saved": bool(e.flag),
        **_rolls(e),
    },
    "door": lambda e, names, teams: {
        "fighter": names[e.fighter],
        "at": [int(e.x), int(e.y)],
        "open": bool(e.detail),
    },
    "object": lambda e, names, teams: {
        "fighter": names[e.fighter],
        "object": int(e.amount),
        "at": [int(e.x), int(e.y)],
        "effect": EFFECTS[e.detail],
    },
    "ground": lambda e, names, teams: {"at": [int(e.x), int(e.y)], "terrain": TERRAINS[e.detail]},
    "swap": lambda e, names, teams: {
        "fighter": names[e.fighter],
        "weapon_die": int(e.amount),
        "attack_type": ATTACK_TYPES[e.before],
        "damage_type": DAMAGE_TYPES[e.after],
        "shield": int(e.detail),
    },
    "rush": lambda e, names, teams: {
        "fighter": names[e.fighter],
        "left": int(e.amount),
        **({"spent": int(e.detail)} if e.detail > 1 else {}),
    },
    "use": _use,
    "pick": _pick,
    "heal": lambda e, names, teams: {
        "fighter": names[e.fighter],
        "by": _name(names, e.other),
        "amount": int(e.amount),
        "hp": int(e.after),
    },
    "grow": lambda e, names, teams: {"fighter": names[e.fighter], "body": names[e.other], "hp": int(e.amount)},
    "priority": lambda e, names, teams: {
        "team": _name(teams, e.other),
        "cause": WHYS[e.detail],
        **({"die": int(e.amount)} if e.detail == BY_DIE else {}),
    },
    "end": lambda e, names, teams: {"cause": ENDINGS[e.detail], "winners": [teams[e.other]] if e.other >= 0 else []},
}

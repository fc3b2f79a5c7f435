"""The public facts of a fight as plain data, from which pictures and descriptions are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heartrush_env.games.heart_rush.abilities.all import name_of
from heartrush_env.games.heart_rush.rules.abilities import LETTERS, OCCASIONS
from heartrush_env.games.heart_rush.rules.choices import BY_TURNS
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
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
from heartrush_env.games.heart_rush.scenario.sheets import Owned, Scenario
from heartrush_env.games.heart_rush.state.record import ENDINGS, INSTANT_WINDOW, SHRUG_WINDOW, WINDOWS
from heartrush_env.tabletop.records import plain

# Conditions that are described with their source. Who holds or rides whom is described by the fighter that does it.
_SHOWN_OTHERWISE = (GRAPPLING, GRAPPLED, CREATURE_CLIMBER, CLIMBED_ON)
SHOWN_WITH_SOURCE = [(k, CONDITIONS[k]) for k in SOURCED if k not in _SHOWN_OTHERWISE]


def describe(fight: Any, scenario: Scenario) -> dict[str, Any]:
    """Return the public facts of a fight as plain data."""
    fight = plain(fight)
    window = WINDOWS[fight.window]
    return {
        "round": int(fight.round_number),
        "window": window,
        "phase": STANCES[fight.phase] if fight.engaged and fight.window != 0 else None,
        **_describe_turns(fight, scenario),
        **_describe_field(fight, scenario),
        **_describe_occasion(fight, scenario),
        "cause": ENDINGS[fight.ending] or None,
        "winners": [scenario.teams[fight.winner]] if fight.winner != NOBODY else [],
        "fighters": {sheet.agent: _describe_fighter(fight, i, scenario) for i, sheet in enumerate(scenario.fighters)},
    }


def _describe_turns(fight: Any, scenario: Scenario) -> dict[str, Any]:
    """Return the side with priority, the side that was engaged, and who is in the engagement, if sides take turns."""
    if BY_TURNS not in fight.dtype.names:
        return {}
    priority, engaged = (
        None if side == NOBODY else scenario.teams[side] for side in (fight.priority, fight.engaged_side)
    )
    joined = [sheet.agent for i, sheet in enumerate(scenario.fighters) if fight.fighters[i].joined]
    return {"turns": {"priority": priority, "engaged": engaged, "passed": int(fight.passes), "joined": joined}}


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


def _describe_occasion(fight: Any, scenario: Scenario) -> dict[str, Any]:
    """Return the occasion for instants, the instants still to be done and the open requests, if there are abilities."""
    if ABILITY_FIELD not in fight.dtype.names:
        return {}
    agents, loadouts = _agents(scenario), [sheet.abilities for sheet in scenario.fighters]

    def ability(i: int, slot: int) -> str:
        return name_of(int(fight.fighters[i].loadout[slot]), loadouts[i])

    occasion = OCCASIONS[fight.occasion] if fight.window == INSTANT_WINDOW else None
    stack = [
        {"fighter": agents[declared.fighter], "ability": ability(declared.fighter, declared.slot)}
        for declared in fight.stack[: int(fight.stack_count)]
    ]
    asked = [one for one in fight.requests[: int(fight.request_count)] if one.asked]
    requests = [
        {"fighter": agents[one.who], "ability": ability(one.owner, one.slot), "by": agents[one.owner]} for one in asked
    ]
    return {"occasion": occasion, "stack": stack, **({"requests": requests} if requests else {})}


def _describe_abilities(fighter: Any, loadout: Sequence[Owned]) -> dict[str, Any]:
    """Return the abilities of a fighter that all sides have seen, by slot."""
    if ABILITY_FIELD not in fighter.dtype.names:
        return {}
    slots = range(int(fighter.slots))
    known = [slot for slot in slots if int(fighter.known) >> slot & 1 and fighter.loadout[slot] >= 0]
    return {
        "loadout": {
            LETTERS[slot]: {
                "ability": name_of(int(fighter.loadout[slot]), loadout),
                "destiny": bool(int(fighter.destined) >> slot & 1),
                "uses": int(fighter.uses[slot]),
            }
            for slot in known
        }
    }


def _agents(scenario: Scenario) -> list[str]:
    return [sheet.agent for sheet in scenario.fighters]


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
    agents = _agents(scenario)
    conditions = {name: level for name, level in zip(CONDITIONS, fighter.levels.tolist(), strict=False) if level}
    hits = fight.hits[: int(fight.hit_count)] if fight.window == SHRUG_WINDOW else ()
    return {
        "team": scenario.fighters[i].team,
        **({"part_of": scenario.fighters[i].part_of} if scenario.fighters[i].part_of else {}),
        **({"companion_of": scenario.fighters[i].companion_of} if scenario.fighters[i].companion_of else {}),
        **_describe_place(fighter, scenario),
        **({"spare": bool(fighter.has_spare)} if scenario.battlefield or scenario.fighters[i].spare else {}),
        **_describe_abilities(fighter, scenario.fighters[i].abilities),
        "hp": int(fighter.hp),
        "hp_max": int(fighter.hp_max),
        "heart": int(fighter.heart),
        "heart_max": int(fighter.heart_max),
        "status": STATUSES[fighter.status],
        "wounds": int(fighter.wounds),
        "conditions": conditions,
        "sources": {name: agents[fighter.source[k]] for k, name in SHOWN_WITH_SOURCE if name in conditions},
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
        "hits": [int(hit.amount) for hit in hits if hit.target == i and hit.number >= fight.hit_number],
    }

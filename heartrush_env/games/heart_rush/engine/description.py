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
    NOBODY,
    SOURCED,
    STANCES,
    STATUSES,
)
from heartrush_env.games.heart_rush.scenario.catalog import terrain as terrain_by_glyph
from heartrush_env.games.heart_rush.scenario.sheets import Owned, Scenario
from heartrush_env.games.heart_rush.state.record import ENDINGS, INSTANT_WINDOW, SHRUG_WINDOW, WINDOWS
from heartrush_env.tabletop.entries import (
    Kind,
    Reader,
    Telling,
    constant,
    flag,
    listed,
    name,
    number,
    table,
    when,
    word,
)
from heartrush_env.tabletop.records import plain

# Conditions that are described with their source. Who holds or rides whom is described by the fighter that does it.
_SHOWN_OTHERWISE = (GRAPPLING, GRAPPLED, CREATURE_CLIMBER, CLIMBED_ON)
SHOWN_WITH_SOURCE = [name if k in SOURCED and k not in _SHOWN_OTHERWISE else None for k, name in enumerate(CONDITIONS)]


def _if_present(words: Sequence[str | None]) -> Reader:
    """Return the reader of the word of a row's condition, for fighters that have this condition."""
    return when(flag("levels.k"), word("k", words), constant(None))


def _telling(**fields: Reader) -> Telling:
    return Telling(constant("fighter"), {"fighter": Kind(fields)})


_AFFLICTED = when(flag("afflicted"), number(len(CONDITIONS)), constant(0))  # without conditions no level is read
_STATE = _telling(
    hp=number("hp"),
    hp_max=number("hp_max"),
    heart=number("heart"),
    heart_max=number("heart_max"),
    status=word("status", STATUSES),
    wounds=number("wounds"),
    conditions=table(_AFFLICTED, _if_present(CONDITIONS), "levels.k"),
    sources=table(_AFFLICTED, _if_present(SHOWN_WITH_SOURCE), name("source.k", "fighters")),
    stance=word("stance", STANCES),
    action=flag("action"),
    interaction=flag("interaction"),
    dash=flag("dash"),
    armed=flag("armed"),
    rush=number("rush"),
    helped=number("helped"),
    shrugs=number("shrugs"),
    grappling=name("grappling", "fighters"),
    climbing=name("climbing", "fighters"),
)
_PLACE = _telling(
    at=listed("x", "y"),
    side=number("side"),
    weapon=when(flag("armed"), word("attack_type", ATTACK_TYPES), constant(ATTACK_TYPES[MELEE])),
    moved=number("squares_moved"),
)


def describe(fight: Any, scenario: Scenario) -> dict[str, Any]:
    """Return the public facts of a fight as plain data."""
    window, winner = int(fight["window"]), int(fight["winner"])
    return {
        "round": int(fight["round_number"]),
        "window": WINDOWS[window],
        "phase": STANCES[fight["phase"]] if fight["engaged"] and window != 0 else None,
        **_describe_turns(fight, scenario),
        **_describe_field(fight, scenario),
        **_describe_occasion(fight, scenario),
        "cause": ENDINGS[fight["ending"]] or None,
        "winners": [scenario.teams[winner]] if winner != NOBODY else [],
        "fighters": _describe_fighters(fight, scenario),
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
    fight, agents, loadouts = plain(fight), _agents(scenario), [sheet.abilities for sheet in scenario.fighters]

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


def _describe_fighters(fight: Any, scenario: Scenario) -> dict[str, dict[str, Any]]:
    """Return the facts of each fighter, by agent."""
    sheets, on_map = scenario.fighters, scenario.battlefield is not None
    names = {"fighters": _agents(scenario)}
    fighters = fight["fighters"][: len(sheets)]
    places = _PLACE.events(fighters, names) if on_map else [{}] * len(sheets)
    found = {}
    for i, (sheet, place, state) in enumerate(zip(sheets, places, _STATE.events(fighters, names), strict=True)):
        found[sheet.agent] = {
            "team": sheet.team,
            **({"part_of": sheet.part_of} if sheet.part_of else {}),
            **({"companion_of": sheet.companion_of} if sheet.companion_of else {}),
            **place,
            **({"spare": bool(fighters[i].has_spare)} if on_map or sheet.spare else {}),
            **_describe_abilities(fighters[i], sheet.abilities),
            **state,
            "hits": _describe_hits(fight, i),
        }
        del found[sheet.agent]["type"]
    return found


def _describe_hits(fight: Any, i: int) -> list[int]:
    """Return the amounts of the hits that a fighter may shrug off now."""
    if fight["window"] != SHRUG_WINDOW:
        return []
    hits = plain(fight).hits[: int(fight.hit_count)]
    return [int(hit.amount) for hit in hits if hit.target == i and hit.number >= fight.hit_number]

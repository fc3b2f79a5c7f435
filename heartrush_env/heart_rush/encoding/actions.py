"""The one table of actions: a name, a deed, a target's place and a detail for each number.

First come the actions without a target, then a block for each enemy's place, then a block for each ally's. Shapes
differ in how many blocks there are, and the shape of maps has more actions after them (actions_on_map.py).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from heartrush_env.core.rule import compiled, inlined
from heartrush_env.heart_rush.encoding.actions_on_map import action_names_on_map, deeds_on_map, mask_on_map
from heartrush_env.heart_rush.encoding.shapes import Shape
from heartrush_env.heart_rush.engine.legal import is_legal
from heartrush_env.heart_rush.engine.state import (
    ACTION,
    ATTACK_WINDOW,
    FOLLOW_UP,
    FOLLOW_WINDOW,
    OPPORTUNITY_WINDOW,
    SHRUG_WINDOW,
    STANCE,
)
from heartrush_env.heart_rush.rules.maneuvers import CUNNING_LEVELS, IMPAIRING
from heartrush_env.heart_rush.rules.rush_points import RISE_BY_RUSH, STRIKE_BY_RUSH
from heartrush_env.heart_rush.rules.space import on_map
from heartrush_env.heart_rush.rules.terms import (
    AGGRAVATED,
    BLIND,
    BREAK_FREE,
    CLIMB_ON,
    CONDITIONS,
    CUT_FREE,
    CUT_LOOSE,
    DEEDS,
    DIRTY_STRIKE,
    DISARM,
    DOUSE,
    ENRAGED,
    FRIGHTENED,
    GRAPPLE,
    HELP_ALLY,
    HOP_OFF,
    LET_GO,
    NOBODY,
    OPPORTUNITY,
    OVERCOME,
    PASS,
    PICK_UP,
    PUT_OUT_FIRE,
    RISE,
    SAY,
    SHAKE_OFF,
    SHOVE,
    SHRUG,
    STANCES,
    STAND,
    STRIKE,
    SWING_PAST,
    TAKE,
    TAKE_STANCE,
    TAUNT,
    TEAR_FREE,
    TRIP,
    WRIGGLE_FREE,
    YIELD,
)

Entry = tuple[int, int]  # a deed and its detail

_ALONE: list[Entry] = [
    (PASS, 0),
    *((TAKE_STANCE, stance) for stance in range(len(STANCES))),
    (SHRUG, 0),
    (TAKE, 0),
    (YIELD, 0),
    *((SAY, stance) for stance in range(len(STANCES))),
    *(
        (deed, 0)
        for deed in (PICK_UP, RISE, STAND, BREAK_FREE, WRIGGLE_FREE, TEAR_FREE, CUT_FREE, SHAKE_OFF, PUT_OUT_FIRE)
    ),
    *((OVERCOME, condition) for condition in (FRIGHTENED, ENRAGED, AGGRAVATED)),
    (LET_GO, 0),
    (HOP_OFF, 0),
    (RISE, RISE_BY_RUSH),
]
_AT_ENEMY: list[Entry] = [
    *((STRIKE, levels) for levels in range(len(CUNNING_LEVELS))),
    (GRAPPLE, 0),
    (CLIMB_ON, 0),
    *((DIRTY_STRIKE, k) for k in range(len(IMPAIRING))),
    *((deed, 0) for deed in (BLIND, TRIP, SHOVE, DISARM, TAUNT, SWING_PAST)),
    *((OPPORTUNITY, stance) for stance in range(2 * STRIKE_BY_RUSH)),  # for the action, then for a rush point
]
_AT_ALLY: list[Entry] = [(HELP_ALLY, 0), (DOUSE, 0), (CUT_LOOSE, 0)]

# Where the blocks begin and how large they are.
ALONE, AT_ENEMY, AT_ALLY = len(_ALONE), len(_AT_ENEMY), len(_AT_ALLY)
AT_GRAPPLE = _AT_ENEMY.index((GRAPPLE, 0))
AT_TRIP = _AT_ENEMY.index((TRIP, 0))
FIRST_OPPORTUNITY = _AT_ENEMY.index((OPPORTUNITY, 0))  # in an enemy's block
FIRST_DECLARATION = _ALONE.index((PICK_UP, 0))
ACTION_PASS = _ALONE.index((PASS, 0))
ACTION_STANCE = _ALONE.index((TAKE_STANCE, 0))
ACTION_SHRUG = _ALONE.index((SHRUG, 0))
ACTION_TAKE = _ALONE.index((TAKE, 0))
ACTION_YIELD = _ALONE.index((YIELD, 0))

# The table as the kernel reads it: deed and detail of each entry, blocks one after another.
_TABLE = _ALONE + _AT_ENEMY + _AT_ALLY
DEED = np.array([deed for deed, _ in _TABLE], np.int8)
DETAIL = np.array([detail for _, detail in _TABLE], np.int8)


@cache
def action_names(shape: Shape) -> tuple[str, ...]:
    """The stable name of every action of a shape, in order."""
    alone = [_name(deed, detail, None) for deed, detail in _ALONE]
    enemies = [_name(deed, detail, place) for place in range(1, shape.enemies + 1) for deed, detail in _AT_ENEMY]
    allies = [_name(deed, detail, place) for place in range(1, shape.allies + 1) for deed, detail in _AT_ALLY]
    on_map = action_names_on_map() if shape.on_map else []
    return tuple(alone + enemies + allies + on_map)


def _name(deed: int, detail: int, place: int | None) -> str:
    words = [DEEDS[deed]]
    if place is not None:
        words.append(str(place))
    if deed in (TAKE_STANCE, SAY):
        words.append(STANCES[detail])
    elif deed == OPPORTUNITY:
        words += [STANCES[detail % STRIKE_BY_RUSH], *["rush"] * (detail >= STRIKE_BY_RUSH)]
    elif deed == RISE:
        words += ["rush"] * (detail >= RISE_BY_RUSH)
    elif deed == OVERCOME:
        words.append(CONDITIONS[detail])
    elif deed == DIRTY_STRIKE:
        words.append(CONDITIONS[IMPAIRING[detail]])
    elif deed == STRIKE and detail:
        words.append("+".join(CONDITIONS[IMPAIRING[k]] for k in range(3) for _ in range(CUNNING_LEVELS[detail, k])))
    return " ".join(words)


@inlined
def entry_of(action, enemies):
    """The place of an action in the kernel's table; `enemies` is how many the shape has room for."""
    if action < ALONE:
        return action
    action -= ALONE
    if action < enemies * AT_ENEMY:
        return ALONE + action % AT_ENEMY
    return ALONE + AT_ENEMY + (action - enemies * AT_ENEMY) % AT_ALLY


@inlined
def target_of(fighter, action, enemies):
    """The fighter at whom an action goes, by its place in the actor's view; nobody if it has none."""
    if action < ALONE:
        return NOBODY
    action -= ALONE
    if action < enemies * AT_ENEMY:
        place = action // AT_ENEMY
        return fighter.enemies[place] if place < fighter.enemy_count else NOBODY
    place = (action - enemies * AT_ENEMY) // AT_ALLY
    return fighter.allies[place] if place < fighter.ally_count else NOBODY


@inlined
def first_on_map(enemies):
    """The number of the first action that only maps have; their shape has room for one ally less than enemies."""
    return ALONE + enemies * AT_ENEMY + (enemies - 1) * AT_ALLY


@on_map(False)
@compiled
def is_of_map(match, action, enemies):
    """Whether only maps have this action."""
    return action >= first_on_map(enemies)


@compiled
def write_mask(match, i, masks, start, actions, enemies):
    """Write 1 for every action that fighter i may take now, from `start` on; only `pass` if it has no choice."""
    for action in range(actions):
        masks[np.uint64(start + action)] = 0
    window = match.window
    if not match.fighters[i].pending:
        masks[start + ACTION_PASS] = 1
    elif window == STANCE:
        for stance in range(4):
            masks[start + ACTION_STANCE + stance] = is_legal(match, i, TAKE_STANCE, NOBODY, stance)
    elif window == SHRUG_WINDOW:
        masks[start + ACTION_SHRUG] = 1
        masks[start + ACTION_TAKE] = 1
    else:
        masks[start + ACTION_PASS] = 1
        if window == ATTACK_WINDOW or window == FOLLOW_UP:
            mask_enemies(match, i, masks, start, 0, FIRST_OPPORTUNITY)
        elif window == OPPORTUNITY_WINDOW:
            mask_enemies(match, i, masks, start, FIRST_OPPORTUNITY, AT_ENEMY)
        elif window == ACTION:
            mask_alone(match, i, masks, start, ACTION_YIELD, ALONE)
            mask_enemies(match, i, masks, start, FIRST_OPPORTUNITY, AT_ENEMY)
            mask_allies(match, i, masks, start, enemies)
        else:
            mask_alone(match, i, masks, start, ACTION_YIELD, FIRST_DECLARATION)
        mask_on_others(match, i, masks, start)
        mask_on_map(match, i, masks, start + first_on_map(enemies))


@on_map(None)
@compiled
def mask_on_others(match, i, masks, start):
    """On a map an opening may be one to trip who moves, and who pushes its captive may squeeze it in its grapple."""
    if match.window == OPPORTUNITY_WINDOW:
        mask_enemies(match, i, masks, start, AT_TRIP, AT_TRIP + 1)
    elif match.window == FOLLOW_WINDOW:
        mask_enemies(match, i, masks, start, AT_GRAPPLE, AT_GRAPPLE + 1)


@compiled
def mask_alone(match, i, masks, start, first, end):
    """Actions without a target, from the first up to the end."""
    for entry in range(first, end):
        masks[start + entry] = is_legal(match, i, DEED[entry], NOBODY, DETAIL[entry])


@compiled
def mask_enemies(match, i, masks, start, first, end):
    """Actions against each enemy, from the first of its block up to the end."""
    for place in range(match.fighters[i].enemy_count):
        target = match.fighters[i].enemies[place]
        block = start + ALONE + place * AT_ENEMY
        for k in range(first, end):
            masks[block + k] = is_legal(match, i, DEED[ALONE + k], target, DETAIL[ALONE + k])


@compiled
def mask_allies(match, i, masks, start, enemies):
    """Actions for each ally."""
    for place in range(match.fighters[i].ally_count):
        target = match.fighters[i].allies[place]
        block = start + ALONE + enemies * AT_ENEMY + place * AT_ALLY
        for k in range(AT_ALLY):
            entry = ALONE + AT_ENEMY + k
            masks[block + k] = is_legal(match, i, DEED[entry], target, DETAIL[entry])


def describe_table(shape: Shape) -> list[dict[str, Any]]:
    """Every action of a shape: number, name, deed. For documentation."""
    deeds = [deed for deed, _ in _ALONE + _AT_ENEMY * shape.enemies + _AT_ALLY * shape.allies]
    deeds += deeds_on_map() if shape.on_map else []
    return [{"action": n, "name": name, "deed": DEEDS[deeds[n]]} for n, name in enumerate(action_names(shape))]

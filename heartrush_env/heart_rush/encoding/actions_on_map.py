"""The actions that only maps have, after all others. None of them has a target.

A dash names how far it leads to the east and to the south, in squares; directions are those of the compass, the north
being the map's first row.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.core.rule import compiled
from heartrush_env.heart_rush.engine.legal import is_legal
from heartrush_env.heart_rush.engine.legal_on_map import (
    DASH_REACH,
    DASH_SIDE,
    DASHES,
    DIRECTIONS,
    may_dash,
    sidesteps_now,
)
from heartrush_env.heart_rush.engine.state import (
    ACTION,
    ATTACK_WINDOW,
    FOLLOW_WINDOW,
    STEP_WINDOW,
)
from heartrush_env.heart_rush.engine.windows import choose
from heartrush_env.heart_rush.rules.action_phase import may_use_door, settle_door
from heartrush_env.heart_rush.rules.space import on_map
from heartrush_env.heart_rush.rules.terms import (
    DASH,
    DEEDS,
    DOOR,
    FOLLOW,
    NOBODY,
    SIDESTEP,
    SWAP,
)
from heartrush_env.heart_rush.rules.ways import write_reachable

COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")

Entry = tuple[int, int]  # a deed and its detail

_ALONE: list[Entry] = [
    *((DASH, offset) for offset in range(DASHES)),
    *((SIDESTEP, direction) for direction in range(2 * DIRECTIONS)),  # for the action, then for a rush point
    (SWAP, 0),
    *((DOOR, direction) for direction in range(DIRECTIONS)),  # opens it or closes it, as it stands when this is chosen
    (FOLLOW, 0),
]

ALONE = len(_ALONE)
FIRST_SIDESTEP = _ALONE.index((SIDESTEP, 0))
FIRST_RUSH_STEP = _ALONE.index((SIDESTEP, DIRECTIONS))
AFTER_STEPS = _ALONE.index((SWAP, 0))
FIRST_DOOR = _ALONE.index((DOOR, 0))
ACTION_FOLLOW = _ALONE.index((FOLLOW, 0))
DEED = np.array([deed for deed, _ in _ALONE], np.int8)
DETAIL = np.array([detail for _, detail in _ALONE], np.int16)


def action_names_on_map() -> list[str]:
    """The stable names of these actions, in order."""
    return [_name(deed, detail) for deed, detail in _ALONE]


def deeds_on_map() -> list[int]:
    """What is done by each of these actions."""
    return [deed for deed, _ in _ALONE]


def _name(deed: int, detail: int) -> str:
    if deed == DASH:
        return f"dash {detail % DASH_SIDE - DASH_REACH},{detail // DASH_SIDE - DASH_REACH}"
    if deed == SIDESTEP:
        return f"sidestep {COMPASS[detail % DIRECTIONS]}{' rush' if detail >= DIRECTIONS else ''}"
    if deed == DOOR:
        return f"door {COMPASS[detail]}"
    return DEEDS[deed]


@on_map(None)
@compiled
def choose_on_map(match, i, action):
    """Choose the action of this number, counted from the first that only maps have."""
    if FIRST_DOOR <= action < ACTION_FOLLOW:
        choose(match, i, DOOR, NOBODY, settle_door(match, i, action - FIRST_DOOR))
    else:
        choose(match, i, DEED[action], NOBODY, DETAIL[action])


@on_map(None)
@compiled
def mask_on_map(match, i, masks, start):
    """Write 1 for every one of these actions that fighter i may take now, from `start` on."""
    window = match.window
    if window == ACTION:
        if may_dash(match.fighters[i]):
            write_reachable(match, i, masks, start)
        mask_steps(match, i, masks, start + FIRST_SIDESTEP, False)
        mask_steps(match, i, masks, start + FIRST_RUSH_STEP, True)
        mask_range(match, i, masks, start, AFTER_STEPS, FIRST_DOOR)
        mask_doors(match, i, masks, start + FIRST_DOOR)
    elif window == ATTACK_WINDOW or window == STEP_WINDOW:
        mask_steps(match, i, masks, start + FIRST_SIDESTEP, False)
    elif window == FOLLOW_WINDOW:
        mask_range(match, i, masks, start, ACTION_FOLLOW, ALONE)


@compiled
def mask_steps(match, i, masks, start, by_rush):
    """Sidesteps that are paid in this way."""
    steps = sidesteps_now(match, i, by_rush)
    for direction in range(DIRECTIONS if steps else 0):
        masks[start + direction] = steps >> direction & 1


@compiled
def mask_doors(match, i, masks, start):
    """The doors beside the fighter, to be opened or closed as they stand."""
    for direction in range(DIRECTIONS):
        masks[start + direction] = may_use_door(match, i, settle_door(match, i, direction))


@compiled
def mask_range(match, i, masks, start, first, end):
    """Actions without a target, from the first up to the end."""
    for entry in range(first, end):
        masks[start + entry] = is_legal(match, i, DEED[entry], NOBODY, DETAIL[entry])

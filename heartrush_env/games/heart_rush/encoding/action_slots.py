"""Action slots: what each action does, to which fighter and where, for policies that read entities.

A slot describes an action in numbers. Kind and details are features that are the same in all shapes. The target is an
index in the viewer's view, the square is given in steps to the east and to the south, and the ability is a slot of the
viewer's loadout. Answers that complete a choice have a target or the number of an option, but no features of their
own, so that shapes with and without them have the same slot features. A walk has the kind of a dash and no square.
While the viewer walks, squares count from where its way has got to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.abilities.using import DETAILS as LOADOUT_SLOTS
from heartrush_env.games.heart_rush.encoding.actions import action_table
from heartrush_env.games.heart_rush.encoding.shapes import Shape
from heartrush_env.games.heart_rush.engine.offers import CHOICES
from heartrush_env.games.heart_rush.rules.choices import Choice, Target
from heartrush_env.games.heart_rush.rules.movement import COMPASS, STEP_X, STEP_Y
from heartrush_env.games.heart_rush.rules.terms import DASH, DEEDS, NOBODY, WALK
from heartrush_env.tabletop.game import FloatArray

STEPS = {direction: (int(x), int(y)) for direction, x, y in zip(COMPASS, STEP_X, STEP_Y, strict=True)}
BESIDE = re.compile(r"(-?\d+),(-?\d+)")  # a square, as steps to the east and to the south
Square = tuple[int, int]


@dataclass(frozen=True, eq=False)
class ActionSlots:
    """The actions of a shape as arrays, one row each, in the order of the action space.

    Attributes:
        features: (actions, slot features): 1 for the action's kind; for each word, its count in the details.
        place: (actions,): the index of its target among the other fighters, enemies first; -1 for none.
        square: (actions, 2): steps to the east and to the south of the viewer's square; 0, 0 for none.
        has_square: (actions,): whether it names a square.
        ability: (actions,): the slot of the viewer's loadout that it uses, from 0; -1 for none.
        option: (actions,): the number of the option that it picks; -1 for none.
    """

    features: FloatArray
    place: NDArray[np.int64]
    square: NDArray[np.int64]
    has_square: NDArray[np.bool_]
    ability: NDArray[np.int64]
    option: NDArray[np.int64]


@cache
def action_slots(shape: Shape, turns: bool = False) -> ActionSlots:
    """Return the slots of a shape's actions; `turns` adds the actions that only editions with turns have."""
    names = slot_feature_names()
    table = action_table(shape, turns)
    features = np.zeros((len(table), len(names)), np.float32)
    square, has_square = np.zeros((len(table), 2), np.int64), np.zeros(len(table), np.bool_)
    ability, option = np.full((2, len(table)), NOBODY, np.int64)
    for action, ((code, detail), _) in enumerate(table):
        if CHOICES[code].answers:
            option[action] = detail if CHOICES[code].target == Target.NOBODY else NOBODY
            continue
        features[action, names.index(f"kind {DEEDS[DASH if code == WALK else code]}")] = 1
        if _uses(CHOICES[code]):
            ability[action] = detail
            continue
        words, beside = _read(CHOICES[code].details[detail])
        for word in words:
            features[action, names.index(f"detail {word}")] += 1
        if beside is not None:
            square[action], has_square[action] = beside, True
    place = np.array([_place(CHOICES[code].target, number, shape) for (code, _), number in table], np.int64)
    for array in (features, place, square, has_square, ability, option):
        array.flags.writeable = False
    return ActionSlots(features, place, square, has_square, ability, option)


def _uses(choice: Choice) -> bool:
    """Return whether the details of a choice are the slots of a loadout."""
    return choice.details is LOADOUT_SLOTS


def _place(target: Target, number: int | None, shape: Shape) -> int:
    """Return the index of a target among enemies, then allies, or -1; `number` counts enemies or allies from 1."""
    if number is None:
        return NOBODY
    return number - 1 + (shape.enemies if target in (Target.ALLY, Target.COMPANION) else 0)


@cache
def slot_feature_names() -> tuple[str, ...]:
    """Return the stable name of every feature of a slot; the names are the same for all shapes."""
    chosen = [choice for choice in CHOICES if not choice.answers and choice.code != WALK]
    details = (detail for choice in chosen if not _uses(choice) for detail in choice.details.values())
    words = dict.fromkeys(word for detail in details for word in _read(detail)[0])
    return (*(f"kind {choice.name}" for choice in chosen), *(f"detail {word}" for word in words))


def places(teams: Sequence[int], shape: Shape) -> NDArray[np.int8]:
    """Return the fighter at each index of each fighter's view, (fighters, indices); -1 where there is none.

    The indices match the action slots: enemies first, then allies. `teams` has the team of each fighter.
    """
    found = np.full((shape.fighters, shape.enemies + shape.allies), NOBODY, np.int8)
    for i, team in enumerate(teams):
        enemies = [j for j, other in enumerate(teams) if other != team]
        allies = [j for j, other in enumerate(teams) if other == team and j != i]
        found[i, : len(enemies)] = enemies
        found[i, shape.enemies : shape.enemies + len(allies)] = allies
    return found


def _read(detail: str) -> tuple[list[str], Square | None]:
    """Return the words of a detail, and the square that it names, if any."""
    words, beside = [], None
    for word in detail.replace("+", " ").split():
        found = BESIDE.fullmatch(word)
        if found or word in STEPS:
            beside = (int(found[1]), int(found[2])) if found else STEPS[word]
        else:
            words.append(word)
    return words, beside

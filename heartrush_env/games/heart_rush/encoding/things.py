"""The objects of a scenario on a map: their effects, what using them requires, and their positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.encoding.place import FURTHEST
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.terms import ABILITIES, MOST_OBJECTS
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.tables import Block, feature, flag, one_of

NUMBERS = 40  # the scale of checks and saves
DOES = ("opens", "collapses", "drops")

# fmt: off
KIND = Block(
    one_of("", DOES, "what using it does", lambda thing: thing.effect, name="effect"),
    flag("used", "it has been used", lambda thing: thing.used),
    flag("item", "an item is there, or will be once the object is used", lambda thing: thing.has_item),
    flag("costs action", "using it costs the action", lambda thing: thing.costs_action),
    one_of("check ", ABILITIES, "the ability of its check", lambda thing: thing.ability, name="check"),
    feature("number", 0, 1, "the number that the check must reach / {scale}", lambda thing: thing.number,
            scale=NUMBERS),
    feature("save", 0, 1, "the number of the save against its collapse / {scale}", lambda thing: thing.save,
            scale=NUMBERS),
)
OBJECT = KIND + Block(
    feature("dx", -1, 1, "squares to the east of the viewer / {scale}",
            lambda fighter, thing: np.int64(thing.x) - fighter.x, scale=FURTHEST),
    feature("dy", -1, 1, "squares to the south of the viewer / {scale}",
            lambda fighter, thing: np.int64(thing.y) - fighter.y, scale=FURTHEST),
)
PLACED = KIND + Block(
    feature("x", 0, 1, "its column / {scale}", lambda thing: thing.x, scale=FURTHEST),
    feature("y", 0, 1, "its row / {scale}", lambda thing: thing.y, scale=FURTHEST),
)
# fmt: on
N_KIND, N_OBJECT, N_PLACED = len(KIND), len(OBJECT), len(PLACED)
N_OBJECTS = MOST_OBJECTS * N_OBJECT

_THING: dict[str, Any] = {"thing": lambda fight, k: fight.objects[k]}
write_object = OBJECT.writer(
    "write_object",
    "fight, i, k",
    compiles=compiled,
    summary="Write an object of the scenario as fighter i sees it.",
    fighter=lambda fight, i: fight.fighters[i],
    **_THING,
)
write_placed = PLACED.writer(
    "write_placed",
    "fight, k",
    compiles=compiled,
    summary="Write an object of the scenario as all fighters see it.",
    **_THING,
)


@on_map(None)
@compiled
def write_objects(fight, i, out, at):
    """Write the objects of the scenario as fighter i sees them."""
    for k in range(fight.object_count):
        write_object(fight, i, k, out, at + k * N_OBJECT)


@on_map(None)
@compiled
def write_all_placed(fight, out, at):
    """Write the objects of the scenario as every viewer sees them."""
    for k in range(fight.object_count):
        write_placed(fight, k, out, at + k * N_PLACED)

"""The one table of observation features: what each number of an observation means.

Each fighter is described once, in a block that looks the same to everyone. An observation is the moment, the fighter's
own block, and a block with a few relations for each enemy and each ally, by place in its own view. On a map the ground,
the viewer's place, those of the others, the squares around and the objects follow. Where sides take turns, what
turns.py lists comes last, and in fights with abilities what loadouts.py lists.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from heartrush_env.core.tables import Block, Feature
from heartrush_env.heart_rush.encoding.fighter import FIGHTER
from heartrush_env.heart_rush.encoding.ground import GROUND, squares, squares_around
from heartrush_env.heart_rush.encoding.loadouts import LOADOUT, OCCASION
from heartrush_env.heart_rush.encoding.moment import MOMENT
from heartrush_env.heart_rush.encoding.place import OTHER, OWN, PLACE
from heartrush_env.heart_rush.encoding.relation import RELATIONS
from heartrush_env.heart_rush.encoding.shapes import Shape
from heartrush_env.heart_rush.encoding.things import OBJECT, PLACED
from heartrush_env.heart_rush.encoding.turns import IN_TURNS, TURNS
from heartrush_env.heart_rush.rules.terms import MOST_OBJECTS


def features(shape: Shape, turns: bool = False) -> list[Feature]:
    """Every feature of an observation of a shape, in order; `turns` adds those of editions where sides take turns."""
    others = [("enemy", place) for place in range(1, shape.enemies + 1)]
    others += [("ally", place) for place in range(1, shape.allies + 1)]
    table = [*MOMENT.features, *FIGHTER.of("self")]
    for kind, place in others:
        table += (FIGHTER + RELATIONS).of(f"{kind} {place}")
    if shape.on_map:
        table += [*GROUND.features, *OWN.of("self")]
        for kind, place in others:
            table += OTHER.of(f"{kind} {place}")
        table += squares_around()
        for number in range(1, MOST_OBJECTS + 1):
            table += OBJECT.of(f"object {number}")
    if turns:
        table += [*TURNS.features, *IN_TURNS.of("self")]
        for kind, place in others:
            table += IN_TURNS.of(f"{kind} {place}")
    if shape.abilities:
        table += [*OCCASION.features, *LOADOUT.of("self")]
        for kind, place in others:
            table += LOADOUT.of(f"{kind} {place}")
    return table


@cache
def feature_names(shape: Shape, turns: bool = False) -> tuple[str, ...]:
    """The stable name of every feature of a shape, in order."""
    return tuple(feature.name for feature in features(shape, turns))


@cache
def shows_memory(name: str) -> bool:
    """Whether what a feature of this name shows depends on the number of past reveals that a game shows."""
    if name in _of_memory(MOMENT):
        return True
    owner = re.match(r"(self|ally \d+|enemy \d+|fighter \d+) ", name)
    return owner is not None and name[owner.end() :] in _of_memory(FIGHTER)


@cache
def _of_memory(block: Block) -> frozenset[str]:
    return frozenset(feature.name for line in block.lines if line.uses("memory") for feature in line.features)


def state_features(shape: Shape, turns: bool = False) -> list[Feature]:
    """Every feature of the state that a central critic may see, in order: the moment and each fighter's block."""
    places = range(1, shape.fighters + 1)
    table = list(MOMENT.features)
    for place in places:
        table += FIGHTER.of(f"fighter {place}")
    if shape.on_map:
        table += GROUND.features
        for place in places:
            table += PLACE.of(f"fighter {place}")
        table += squares()
        for number in range(1, MOST_OBJECTS + 1):
            table += PLACED.of(f"object {number}")
    if turns:
        table += TURNS.features
        for place in places:
            table += IN_TURNS.of(f"fighter {place}")
    if shape.abilities:
        table += OCCASION.features
        for place in places:
            table += LOADOUT.of(f"fighter {place}")
    return table


@cache
def state_size(shape: Shape) -> int:
    """How many features the state of a shape has before those of turns, or of abilities."""
    return len(state_features(replace(shape, abilities=False)))


@cache
def vector_size(shape: Shape) -> int:
    """The same for observations."""
    return len(feature_names(replace(shape, abilities=False)))

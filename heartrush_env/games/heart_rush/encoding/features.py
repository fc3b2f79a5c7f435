"""The feature table: the meaning of each number of an observation.

Each fighter is described once, in a block that looks the same to every viewer. An observation consists of the moment,
the viewer's own block, and a block with a few relations for each enemy and each ally, by index in the viewer's view. On
a map, these follow: the ground, the way that the viewer chooses, its position, the others' positions, the squares
around and the objects. The features of turns.py end an observation where sides take turns, and the features of
loadouts.py end it with abilities.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from heartrush_env.games.heart_rush.encoding.fighter import CHANGING, FIGHTER, LASTING
from heartrush_env.games.heart_rush.encoding.ground import GROUND, squares, squares_around
from heartrush_env.games.heart_rush.encoding.loadouts import ASKING, LOADOUT, OCCASION, PICKING
from heartrush_env.games.heart_rush.encoding.moment import MOMENT
from heartrush_env.games.heart_rush.encoding.place import OTHER, OWN, PLACE, WAY
from heartrush_env.games.heart_rush.encoding.relation import RELATIONS
from heartrush_env.games.heart_rush.encoding.shapes import Shape
from heartrush_env.games.heart_rush.encoding.things import OBJECT, PLACED
from heartrush_env.games.heart_rush.encoding.turns import IN_TURNS, TURNS
from heartrush_env.games.heart_rush.rules.terms import MOST_OBJECTS
from heartrush_env.tabletop.tables import Block, Feature


def features(shape: Shape, turns: bool = False) -> list[Feature]:
    """Return every feature of a shape's observations, in order; `turns` adds features of editions with turns."""
    others = [("enemy", place) for place in range(1, shape.enemies + 1)]
    others += [("ally", place) for place in range(1, shape.allies + 1)]
    table = [*MOMENT.features, *FIGHTER.of("self")]
    for kind, place in others:
        table += (FIGHTER + RELATIONS).of(f"{kind} {place}")
    if shape.on_map:
        table += [*GROUND.features, *WAY.features, *OWN.of("self")]
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
        table += PICKING.features
    return table


def feature_parts() -> dict[str, list[Feature]]:
    """Return every feature once, by the part of an observation that repeats it for each fighter, object or square."""
    around = [feature for feature in squares_around() if feature.name.startswith("square 0,0 ")]
    return {
        "moment": MOMENT.features,
        "fighter, lasting": LASTING.features,
        "fighter, changing": CHANGING.features,
        "bonds": RELATIONS.features,
        "ground": GROUND.features,
        "own way": WAY.features,
        "viewer's place": OWN.features,
        "other's place": OTHER.features,
        "square": [replace(feature, name=feature.name.replace("0,0", "X,Y")) for feature in around],
        "object": OBJECT.features,
        "moment in turns": TURNS.features,
        "fighter in turns": IN_TURNS.features,
        "occasion": OCCASION.features,
        "loadout": LOADOUT.features,
        "own pick": PICKING.features,
    }


@cache
def feature_names(shape: Shape, turns: bool = False) -> tuple[str, ...]:
    """Return the stable name of every feature of a shape, in order."""
    return tuple(feature.name for feature in features(shape, turns))


@cache
def shows_memory(name: str) -> bool:
    """Return whether the value of this feature depends on the number of past reveals that a game shows."""
    if name in _of_memory(MOMENT):
        return True
    owner = re.match(r"(self|ally \d+|enemy \d+|fighter \d+) ", name)
    return owner is not None and name[owner.end() :] in _of_memory(FIGHTER)


@cache
def _of_memory(block: Block) -> frozenset[str]:
    return frozenset(feature.name for line in block.lines if line.uses("memory") for feature in line.features)


def state_features(shape: Shape, turns: bool = False) -> list[Feature]:
    """Return every feature of a central critic's state, in order: the moment, then each fighter's block."""
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
        table += [*OCCASION.features, *ASKING.features]
        for place in places:
            table += LOADOUT.of(f"fighter {place}")
    return table


@cache
def state_size(shape: Shape) -> int:
    """Return the number of features in a shape's state before the features of turns or abilities."""
    return len(state_features(replace(shape, abilities=False)))


@cache
def vector_size(shape: Shape) -> int:
    """Return the number of features in a shape's observations before the features of turns or abilities."""
    return len(feature_names(replace(shape, abilities=False)))

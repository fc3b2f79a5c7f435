"""The one table of observation features: what each number of an observation means.

Each fighter is described once, in a block that looks the same to everyone. An observation is the moment, the fighter's
own block, and a block with a few relations for each enemy and each ally, by place in its own view. On a map the ground,
the viewer's place, those of the others and the squares around follow.
"""

from __future__ import annotations

from functools import cache

from heartrush_env.core.tables import Feature
from heartrush_env.heart_rush.encoding.fighter import FIGHTER
from heartrush_env.heart_rush.encoding.ground import GROUND, squares, squares_around
from heartrush_env.heart_rush.encoding.moment import MOMENT
from heartrush_env.heart_rush.encoding.place import OTHER, OWN, PLACE
from heartrush_env.heart_rush.encoding.relation import RELATIONS
from heartrush_env.heart_rush.encoding.shapes import Shape


def features(shape: Shape) -> list[Feature]:
    """Every feature of an observation of a shape, in order."""
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
    return table


@cache
def feature_names(shape: Shape) -> tuple[str, ...]:
    """The stable name of every feature of a shape, in order."""
    return tuple(feature.name for feature in features(shape))


def state_features(shape: Shape) -> list[Feature]:
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
    return table

"""The layout of observations: the order of their blocks, and the feature table that follows from it.

A fighter's block looks the same to every viewer, so each fighter is described once. An observation consists of
sections. The first has the moment, the viewer's own block, and a block with a few relations for each enemy and each
ally, by index in the viewer's view. On a map, the next section has the ground, the way that the viewer chooses, its
position, the others' positions, the squares around and the objects. The features of turns.py end an observation where
sides take turns, and the features of loadouts.py end it with abilities.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from heartrush_env.games.heart_rush.encoding.fighter import CHANGING, FIGHTER, LASTING
from heartrush_env.games.heart_rush.encoding.ground import AROUND, GROUND, SQUARES
from heartrush_env.games.heart_rush.encoding.loadouts import ASKING, LOADOUT, OCCASION, PICKING
from heartrush_env.games.heart_rush.encoding.moment import MOMENT
from heartrush_env.games.heart_rush.encoding.place import OTHER, OWN, PLACE, WAY
from heartrush_env.games.heart_rush.encoding.relation import RELATIONS
from heartrush_env.games.heart_rush.encoding.shapes import Shape
from heartrush_env.games.heart_rush.encoding.things import OBJECT, PLACED
from heartrush_env.games.heart_rush.encoding.turns import IN_TURNS, TURNS
from heartrush_env.games.heart_rush.rules.terms import MOST_OBJECTS
from heartrush_env.tabletop.rule import inlined
from heartrush_env.tabletop.tables import Block, Feature
from heartrush_env.tabletop.units import Function

SELF = "self"  # the owner of the viewer's own blocks


@dataclass(frozen=True)
class Section:
    """Adjacent blocks of an observation or a state."""

    shared: tuple[Block, ...]  # of no fighter
    own: tuple[Block, ...]  # of the viewer
    each: tuple[Block, ...]  # of each other fighter in turn; in a state, of each fighter
    rest: tuple[tuple[str, Block], ...] = ()  # with their owners; "" for none

    def parts(self, fighters: Iterable[str]) -> list[tuple[str, Block]]:
        """Return all blocks in order, each with its owner; `fighters` are the owners of the blocks in `each`."""
        found = [("", block) for block in self.shared] + [(SELF, block) for block in self.own]
        return [*found, *((fighter, block) for fighter in fighters for block in self.each), *self.rest]

    @property
    def own_at(self) -> int:
        """The index of the viewer's block within the section."""
        return sum(map(len, self.shared))

    def finder(self) -> Function:
        """Return a compiled function that finds the first index of a fighter's blocks in `each`.

        Its arguments are the section's first index, and the number of places for fighters before this fighter's place.
        If that number counts all places, the result is the first index of `rest`.
        """
        first, size = self.own_at + sum(map(len, self.own)), sum(map(len, self.each))

        @inlined
        def block_at(at, before):
            return at + first + before * size

        return block_at


def _objects(block: Block) -> list[tuple[str, Block]]:
    return [(f"object {number}", block) for number in range(1, MOST_OBJECTS + 1)]


# The sections of an observation and of a central critic's state: the first of all fights, then those of fights on maps,
# of editions with turns, and of fights with abilities.
OBSERVATION = (
    Section((MOMENT,), (FIGHTER,), (FIGHTER, RELATIONS)),
    Section((GROUND, WAY), (OWN,), (OTHER,), (("", AROUND), *_objects(OBJECT))),
    Section((TURNS,), (IN_TURNS,), (IN_TURNS,)),
    Section((OCCASION,), (LOADOUT,), (LOADOUT,), (("", PICKING),)),
)
STATE = (
    Section((MOMENT,), (), (FIGHTER,)),
    Section((GROUND,), (), (PLACE,), (("", SQUARES), *_objects(PLACED))),
    Section((TURNS,), (), (IN_TURNS,)),
    Section((OCCASION, ASKING), (), (LOADOUT,)),
)


class Row:
    """The order of blocks in a row of numbers. A block is found by its owner, such as "enemy 1"; "" stands for none."""

    def __init__(self, parts: Iterable[tuple[str, Block]]) -> None:
        self.parts, self.features = list(parts), list[Feature]()
        self._first: dict[tuple[str, Block], int] = {}
        for owner, block in self.parts:
            self._first[owner, block] = len(self.features)
            self.features += block.of(owner) if owner else block.features

    def __contains__(self, block: Block) -> bool:
        """Return whether the row has this block without an owner."""
        return ("", block) in self._first

    def first(self, block: Block, owner: str = "") -> int:
        """Return the index of a block's first number."""
        return self._first[owner, block]

    def read(self, numbers: Sequence[float], block: Block, owner: str = "") -> dict[str, Any]:
        """Return the values that a block shows, by the names of its lines."""
        return block.read(numbers, self.first(block, owner))

    def show(self, said: Mapping[str, Any], numbers: list[float], block: Block, owner: str = "") -> None:
        """Write the values of a block's lines; the inverse of `read`."""
        block.show(said, numbers, self.first(block, owner))


def _row(sections: Sequence[Section], fighters: Sequence[str], shape: Shape, turns: bool) -> Row:
    has = (True, shape.on_map, turns, shape.abilities)
    found = [section for section, is_here in zip(sections, has, strict=True) if is_here]
    return Row(part for section in found for part in section.parts(fighters))


def owners(enemies: int, allies: int) -> list[str]:
    """Return the owners of fighters' blocks: the viewer, then enemies by their place in its view, then allies."""
    others = [("enemy", place) for place in range(1, enemies + 1)] + [("ally", place) for place in range(1, allies + 1)]
    return [SELF, *(f"{kind} {place}" for kind, place in others)]


@cache
def row_of(shape: Shape, turns: bool = False) -> Row:
    """Return the order of a shape's observations; `turns` adds the section of editions with turns."""
    return _row(OBSERVATION, owners(shape.enemies, shape.allies)[1:], shape, turns)


def features(shape: Shape, turns: bool = False) -> list[Feature]:
    """Return every feature of a shape's observations, in order; `turns` adds features of editions with turns."""
    return row_of(shape, turns).features


def feature_parts() -> dict[str, list[Feature]]:
    """Return every feature once, by the part of an observation that repeats it for each fighter, object or square."""
    around = [feature for feature in AROUND.features if feature.name.startswith("square 0,0 ")]
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
    """Return every feature of a central critic's state, in order."""
    return _row(STATE, [f"fighter {place}" for place in range(1, shape.fighters + 1)], shape, turns).features


@cache
def state_size(shape: Shape, turns: bool = False) -> int:
    """Return the number of features in a shape's state before those of abilities; `turns` counts those of turns."""
    return len(state_features(replace(shape, abilities=False), turns))


@cache
def vector_size(shape: Shape) -> int:
    """Return the number of features in a shape's observations before the features of turns or abilities."""
    return len(feature_names(replace(shape, abilities=False)))

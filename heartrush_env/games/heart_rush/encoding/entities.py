"""Observations as entities: each fighter once per fight, and the relations between each pair of fighters.

A fight is one row of numbers: the moment, a block for each fighter, the relations (a block for each pair of fighters),
the secrets that each seat knows, and on a map the ground and the objects. Everything outside the secrets is public.
Abilities are among the secrets: a seat sees all abilities of its own side, and the used abilities of other sides. The
choice that a seat is completing is known to that seat alone, and so is the way that it is choosing.

The values equal those of vector observations, and only changed values are written.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.encoding.features import Row
from heartrush_env.games.heart_rush.encoding.fighter import (
    EVERYTHING,
    FIGHTER,
    HAS_AILMENTS,
    HAS_SHOWN,
    WRITES_SHOWN,
    write_fighter,
)
from heartrush_env.games.heart_rush.encoding.ground import CELL, GROUND, N_CHANNELS, SHOWN, write_ground
from heartrush_env.games.heart_rush.encoding.loadouts import (
    LOADOUT,
    OCCASION,
    PICKING,
    slots_seen,
    write_loadout,
    write_occasion,
    write_own_pick,
)
from heartrush_env.games.heart_rush.encoding.moment import MOMENT, write_moment
from heartrush_env.games.heart_rush.encoding.observation import N_BLOCK, decider, has_bit, keep_secrets
from heartrush_env.games.heart_rush.encoding.place import (
    BETWEEN,
    OWN,
    STAND,
    WAY,
    has_other_means,
    write_between,
    write_own,
    write_own_way,
)
from heartrush_env.games.heart_rush.encoding.relation import RELATIONS, write_relations
from heartrush_env.games.heart_rush.encoding.shapes import Shape
from heartrush_env.games.heart_rush.encoding.things import PLACED, write_all_placed
from heartrush_env.games.heart_rush.encoding.turns import (
    IN_TURNS,
    N_IN_TURNS,
    TURNS,
    write_in_turns,
    write_moment_of_turns,
)
from heartrush_env.games.heart_rush.rules.engaging import by_turns
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.space import cell_at, on_map
from heartrush_env.games.heart_rush.rules.terms import MAP_SIDE, MOST_OBJECTS, MOST_SQUARES, NO_STANCE
from heartrush_env.tabletop.rule import compiled, inlined
from heartrush_env.tabletop.tables import Block, Feature, one_of, put

KINDS = ("itself", "ally", "enemy")


@inlined
def kind_of(fight, i, j):
    """Return the relation of fighter j to fighter i as an index in KINDS."""
    if i == j:
        return 0
    return 1 if fight.fighters[i].team == fight.fighters[j].team else 2


KIND = Block(one_of("", KINDS, "its relation to the viewer", lambda kind: kind, name="kind"))
RELATION = KIND + RELATIONS
SAID, PICK = Block(FIGHTER.line("said")), Block(FIGHTER.line("pick"))
SECRETS = SAID + PICK  # features of a fighter for its own side only
PRESENT_AT = FIGHTER.part("present")[0]
X_AT, Y_AT = (len(FIGHTER) + OWN.part(name)[0] for name in ("x", "y"))
STAND_AT = [len(FIGHTER) + OWN.part(line.name)[0] for line in STAND.lines]  # the lines of STAND in a fighter's block
N_KIND, N_RELATION, N_SAID, N_SECRETS = len(KIND), len(RELATION), len(SAID), len(SECRETS)
N_MOMENT, N_PICKING, N_WAY = len(MOMENT), len(PICKING), len(WAY)

write_kind = KIND.writer(
    "write_kind",
    "fight, i, j",
    summary="Write the relation of fighter j to viewer i.",
    kind=lambda fight, i, j: kind_of(fight, i, j),
)
write_said = SAID.writer(
    "write_said",
    "fight, j",
    summary="Write the words of fighter j to its own side.",
    fighter=lambda fight, j: fight.fighters[j],
)
write_pick = PICK.writer(
    "write_pick", "fight, j", summary="Write the pick of fighter j.", fighter=lambda fight, j: fight.fighters[j]
)


# ------------------------------------------------------------------------------------------------ the layout of a row


NONE = Block()
N_TURNS = len(TURNS)
# The blocks of each array: for all fights, for maps, for editions with turns, and for abilities.
BLOCKS = {
    "moment": (MOMENT, GROUND, TURNS, OCCASION),
    "fighters": (FIGHTER, OWN, IN_TURNS, NONE),
    "relations": (RELATION, BETWEEN, NONE, NONE),
    "secrets": (SECRETS, NONE, NONE, LOADOUT),
    "picking": (NONE, NONE, NONE, PICKING),
    "way": (NONE, WAY, NONE, NONE),
    "ground": (NONE, CELL, NONE, NONE),
    "objects": (NONE, PLACED, NONE, NONE),
}


@dataclass(frozen=True)
class Part:
    """A part of a fight's row: its first index, its shape, and the features along one of its axes."""

    name: str
    first: int
    shape: tuple[int, ...]
    features: tuple[Feature, ...]
    axis: int = -1  # the axis of the features

    @property
    def end(self) -> int:
        """The index after its last number."""
        return self.first + prod(self.shape)

    @property
    def bounds(self) -> tuple[Any, Any]:
        """The lowest and the highest value of each of its numbers."""
        ends = np.array([(feature.low, feature.high) for feature in self.features], np.float32).T
        along = [len(self.features) if axis == self.axis % len(self.shape) else 1 for axis in range(len(self.shape))]
        low, high = (np.broadcast_to(end.reshape(along), self.shape) for end in ends)
        return low, high

    @property
    def names(self) -> tuple[str, ...]:
        """The stable names of its features, in order."""
        return tuple(feature.name for feature in self.features)


class Layout:
    """The layout of a fight's row, for fights of one shape with this number of seats."""

    def __init__(self, shape: Shape, seats: int, turns: bool) -> None:
        everyone, has = shape.fighters, (True, shape.on_map, turns, shape.abilities)
        axes = {
            "fighters": (everyone,),
            "relations": (everyone, everyone),
            "secrets": (seats, everyone),
            "picking": (seats,),
            "way": (seats,),
            "objects": (MOST_OBJECTS,),
        }
        self.shape, self.turns, self.size = shape, turns, 0
        self.turns_at = sum(len(block) for block, is_here in zip(BLOCKS["moment"][:2], has, strict=False) if is_here)
        self.parts: dict[str, Part] = {}
        self.rows: dict[str, Row] = {}  # the order of the blocks of each part
        for name, blocks in BLOCKS.items():
            row = Row(("", block) for block, is_here in zip(blocks, has, strict=True) if is_here)
            features = tuple(row.features)
            if name == "ground":
                part = Part(name, self.size, (len(features), MAP_SIDE, MAP_SIDE), features, axis=0)
            else:
                part = Part(name, self.size, (*axes.get(name, ()), len(features)), features)
            if features:
                self.parts[name], self.rows[name], self.size = part, row, part.end

    def split(self, rows: Any) -> dict[str, Any]:
        """Return the parts of rows (..., size) by name, each (..., *its shape), as views of an array or tensor."""
        return {
            part.name: rows[..., part.first : part.end].reshape(*rows.shape[:-1], *part.shape)
            for part in self.parts.values()
        }


def tell_secrets(fighters: Any, secrets: Any) -> None:
    """Add the secrets that a seat knows (..., fighters, secrets) to the blocks of the fighters, in place."""
    for line in SECRETS.lines:
        (first, length), (at, _) = FIGHTER.part(line.name), SECRETS.part(line.name)
        fighters[..., first : first + length] += secrets[..., at : at + length]


@lru_cache(maxsize=16)
def layout_of(shape: Shape, seats: int, turns: bool) -> Layout:
    """Return the layout of a shape; `turns` adds what only editions with turns have."""
    return Layout(shape, seats, turns)


# ---------------------------------------------------------------------------------------------------- compiled writers


@inlined
def write_entities(fight, view, options, out, start, stale, moment, moved):
    """Write a fight's row, which begins at index `start`.

    Unchanged values are not written again unless the row is `stale`. Changes are marked by bits: parts of the moment in
    `moment`, groups of each fighter's block in `view.changed`, and fighters with a new position in `moved`.
    """
    memory, everyone, block, width = options.memory, options.fighters, options.block, options.relation
    write_moment(fight, EVERYTHING if stale else moment, memory, out, start)
    write_moment_on_map(fight, out, start + N_MOMENT)
    write_moment_at_turns(fight, out, start + options.turns_at)
    write_moment_of_abilities(fight, out, start + options.turns_at + n_moment_of_turns(fight))
    for i in range(fight.n):
        at = start + options.fighters_at + i * block
        groups = EVERYTHING if stale else np.int64(view.changed[i])
        write_fighter(fight, i, groups, memory, out, at)
        if groups & WRITES_SHOWN:
            keep_secrets(fight, i, out, at)
        if has_other_means(fight, i, view) or has_bit(moved, i):
            write_place_on_map(fight, i, out, at + N_BLOCK)
        write_fighter_at_turns(fight, i, out, at + block - N_IN_TURNS)
        write_row(fight, i, view, out, start + options.relations_at + i * everyone * width, width, stale, moved)
    share_secrets(fight, view, options, out, start + options.secrets_at, stale)
    share_loadouts(fight, options, out, start + options.secrets_at + N_SECRETS)
    share_picks(fight, options, out, start + options.picking_at)
    share_ways(fight, options, out, start + options.way_at)
    write_ground_on_map(fight, view, out, start + options.ground_at, stale)
    write_all_placed(fight, out, start + options.objects_at)


@compiled
def write_row(fight, i, view, out, at, width, stale, moved):
    """Write the relations of each fighter to fighter i from index `at`, `width` numbers each."""
    bonds = stale or view.changed[i] & HAS_AILMENTS or fight.fighters[i].afflicted
    for j in range(fight.n):
        if stale:
            write_kind(fight, i, j, out, at)
        if bonds and i != j:
            write_relations(fight, i, j, out, at + N_KIND)
        if i != j and (has_bit(moved, i) or has_bit(moved, j)):
            write_between_on_map(fight, i, j, out, at + N_RELATION)
        at += width


@compiled
def share_secrets(fight, view, options, out, at, stale):
    """Write for each seat the words and picks of its own side, which keep_secrets may hide in public blocks."""
    if not fight.team_control and fight.rules.talk == 0:
        return
    for seat in range(options.seats):
        team = seat if fight.team_control else np.int64(fight.fighters[seat].team)
        for j in range(fight.n):
            if fight.fighters[j].team == team and (stale or view.changed[j] & HAS_SHOWN):
                if fight.rules.talk > 0 and fight.fighters[j].heard == NO_STANCE:
                    write_said(fight, j, out, at + j * options.secret)
                elif fight.rules.talk > 0:  # all have heard it, and the fighter's own block shows it
                    for k in range(N_SAID):
                        put(out, at + j * options.secret, k, 0)
                if fight.team_control:
                    write_pick(fight, j, out, at + j * options.secret + N_SAID)
        at += options.fighters * options.secret


@with_abilities(None)
@compiled
def share_loadouts(fight, options, out, at):
    """Write for each seat the abilities of every fighter as far as the seat sees them."""
    for seat in range(options.seats):
        team = seat if fight.team_control else np.int64(fight.fighters[seat].team)
        for j in range(fight.n):
            write_loadout(fight, j, slots_seen(fight, j, team), out, at + j * options.secret)
        at += options.fighters * options.secret


@with_abilities(None)
@compiled
def share_picks(fight, options, out, at):
    """Write for each seat the part of a choice that it is asked for."""
    for seat in range(options.seats):
        write_own_pick(fight, decider(fight, seat), out, at)
        at += N_PICKING


@on_map(None)
@compiled
def share_ways(fight, options, out, at):
    """Write for each seat the way that it is choosing."""
    for seat in range(options.seats):
        write_own_way(fight, decider(fight, seat), out, at)
        at += N_WAY


@by_turns(0)
@compiled
def n_moment_of_turns(fight):
    """Return how many facts of the moment are about turns."""
    return N_TURNS


write_moment_of_abilities = with_abilities(None)(write_occasion)
write_moment_on_map, write_place_on_map, write_between_on_map = (
    on_map(None)(writer) for writer in (write_ground, write_own, write_between)
)
write_moment_at_turns, write_fighter_at_turns = (
    by_turns(None)(writer) for writer in (write_moment_of_turns, write_in_turns)
)


@on_map(None)
@compiled
def write_ground_on_map(fight, view, out, at, stale):
    """Write the ground, channel by channel, unless it is unchanged; only doors and objects change it."""
    if not stale and view.changes == fight.changes:
        return
    view.changes = fight.changes
    for k in range(MOST_SQUARES):
        terrain = cell_at(fight, k % MAP_SIDE, k // MAP_SIDE)
        for channel in range(N_CHANNELS):
            put(out, at, channel * MOST_SQUARES + k, SHOWN[channel, terrain])

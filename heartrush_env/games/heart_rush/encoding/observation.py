"""Observations as the kernel writes them: the blocks, their indices, and what stays hidden.

A fighter's block looks the same to every viewer. Only changed values are written.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.encoding.fighter import (
    EVERYTHING,
    FIGHTER,
    HAS_AILMENTS,
    WRITES_SHOWN,
    copy_fighter,
    write_fighter,
)
from heartrush_env.games.heart_rush.encoding.ground import (
    GROUND,
    N_CHANNELS,
    VIEW_SQUARES,
    write_ground,
    write_squares,
    write_squares_around,
)
from heartrush_env.games.heart_rush.encoding.moment import MOMENT, write_moment
from heartrush_env.games.heart_rush.encoding.place import (
    OTHER,
    OWN,
    PLACE,
    WAY,
    has_other_means,
    write_other,
    write_own,
    write_own_way,
    write_place,
)
from heartrush_env.games.heart_rush.encoding.relation import BINDING_BITS, RELATIONS, write_relations
from heartrush_env.games.heart_rush.encoding.things import write_all_placed, write_objects
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.special_circumstances import is_surprised
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS, MOST_SQUARES, NO_STANCE, STANDING, STATUSES
from heartrush_env.tabletop.rule import compiled, inlined
from heartrush_env.tabletop.tables import put

OUT_CAUSES = ("", *STATUSES[1:], "surprised")
SURPRISED_OUT = len(STATUSES)  # the code after the status codes

N_MOMENT, N_BLOCK, N_RELATIONS = len(MOMENT), len(FIGHTER), len(RELATIONS)
N_GROUND, N_WAY, N_OWN, N_OTHER, N_PLACE = len(GROUND), len(WAY), len(OWN), len(OTHER), len(PLACE)
N_AROUND = N_CHANNELS * VIEW_SQUARES
EVERYBODY = np.int64(-1)  # a bit for each fighter
PICK_AT, N_PICK = FIGHTER.part("pick")
SAID_AT, N_SAID = FIGHTER.part("said")


@inlined
def has_bit(bits, k):
    """Return whether bit k is set."""
    return bits >> np.int64(k) & 1 == 1


@inlined
def write_own_part(fight, i, view, observations, row, options, stale, moment):
    """Write the first part of fighter i's row: the moment, and its own block.

    Unchanged values are not written again unless the row is `stale`: `moment` has a bit for each part of the moment
    that has changed, and `view.changed` has a bit for each group of a fighter's block that has changed.
    """
    start = row * options.width
    write_moment(fight, EVERYTHING if stale else moment, options.memory, observations, start)
    groups = EVERYTHING if stale else np.int64(view.changed[i])
    write_fighter(fight, i, groups, options.memory, observations, start + N_MOMENT)


@inlined
def write_others_part(fight, i, view, lands, observations, row, options, moved):
    """Write the rest of fighter i's row: the blocks of others, from its own point of view, and the map.

    The first part of every row of the fight must already be written. `moved` has a bit for each fighter whose position
    has changed, and all bits if the row is stale.
    """
    fighter, stale = fight.fighters[i], moved == EVERYBODY
    bonds = stale or view.changed[i] & HAS_AILMENTS or fighter.afflicted & BINDING_BITS
    for place in range(fighter.enemy_count):
        j = fighter.enemies[place]
        groups = EVERYTHING if stale else np.int64(view.changed[j])
        at = other_block_at(row, options, place)
        if groups:
            show_block(fight, i, j, groups, observations, row, options, place)
        if groups & WRITES_SHOWN:
            keep_secrets(fight, j, observations, at)
        if bonds:
            write_relations(fight, i, j, observations, at + N_BLOCK)
    for place in range(fighter.ally_count):
        j, number = fighter.allies[place], options.enemies + place
        groups = EVERYTHING if stale else np.int64(view.changed[j])
        if groups:
            show_block(fight, i, j, groups, observations, row, options, number)
        if bonds:
            write_relations(fight, i, j, observations, other_block_at(row, options, number) + N_BLOCK)
    at = other_block_at(row, options, 2 * options.enemies - 1)  # on a map: room for one ally fewer than enemies
    write_on_map(fight, i, view, observations, at, options.enemies, moved, lands)


@inlined
def other_block_at(row, options, number):
    """Return the index in a row at which the block with this number among others begins, enemies first."""
    return row * options.width + N_MOMENT + N_BLOCK + number * (N_BLOCK + N_RELATIONS)


@inlined
def show_block(fight, i, j, groups, out, row, options, number):
    """Write these groups of fighter j's block into fighter i's row, as block `number` of the others.

    Where each fighter has a row, the groups are copied from fighter j's own row, because their values are equal.
    """
    at = other_block_at(row, options, number)
    if fight.team_control:
        write_fighter(fight, j, groups, options.memory, out, at)
    else:
        start = (row + j - i) * options.width
        copy_fighter(groups, out, start + N_MOMENT, at)


@on_map(None)
@compiled
def write_on_map(fight, i, view, out, at, enemies, moved, lands):
    """Write the map features of fighter i from index `at`; blocks of absent fighters do not change.

    `moved` has a bit for each fighter whose position is to be written; `lands` holds the tables of the map.
    """
    write_ground(fight, out, at)
    write_own_way(fight, i, out, at + N_GROUND)
    at += N_GROUND + N_WAY
    if has_other_means(fight, i, view) or has_bit(moved, i):
        write_own(fight, i, out, at)
    at += N_OWN
    fighter = fight.fighters[i]
    for place in range(fighter.enemy_count):
        j = fighter.enemies[place]
        if has_bit(moved, i) or has_bit(moved, j):
            write_other(fight, i, j, out, at + place * N_OTHER)
    at += enemies * N_OTHER
    for place in range(fighter.ally_count):
        j = fighter.allies[place]
        if has_bit(moved, i) or has_bit(moved, j):
            write_other(fight, i, j, out, at + place * N_OTHER)
    at += (enemies - 1) * N_OTHER
    if has_bit(moved, i):
        write_squares_around(fight, i, lands[0], out, at)
    write_objects(fight, i, out, at + N_AROUND)


@inlined
def write_way_on_map(fight, i, out, row, options):
    """Write the way that fighter i is choosing into its row."""
    write_own_way(fight, i, out, other_block_at(row, options, 2 * options.enemies - 1) + N_GROUND)


@inlined
def keep_secrets(fight, j, out, at):
    """Hide fighter j's unrevealed pick, and its words if only its own side has heard them."""
    if fight.team_control:
        for k in range(N_PICK):
            put(out, at, PICK_AT + k, 0)
    if fight.rules.talk > 0 and fight.fighters[j].heard == NO_STANCE:
        for k in range(N_SAID):
            put(out, at, SAID_AT + k, 0)


@inlined
def write_public(fight, state, memory):
    """Write the public state: everything that has been revealed, from no fighter's point of view."""
    write_moment(fight, EVERYTHING, memory, state, 0)
    for i in range(fight.n):
        at = N_MOMENT + i * N_BLOCK
        write_fighter(fight, i, EVERYTHING, memory, state, at)
        keep_secrets(fight, i, state, at)
    write_public_map(fight, state, N_MOMENT + MOST_FIGHTERS * N_BLOCK)


@on_map(None)
@compiled
def write_public_map(fight, out, at):
    """Write the public map features: the ground, each fighter's position, every square and the objects."""
    write_ground(fight, out, at)
    at += N_GROUND
    for i in range(fight.n):
        write_place(fight, i, out, at + i * N_PLACE)
    at += MOST_FIGHTERS * N_PLACE
    write_squares(fight, out, at)
    write_all_placed(fight, out, at + MOST_SQUARES)


@inlined
def out_cause(fight, i):
    """Return why fighter i is out of the fight as an index in OUT_CAUSES; 0 if it is not out."""
    fighter = fight.fighters[i]
    if fighter.status != STANDING:
        return np.int64(fighter.status)
    return SURPRISED_OUT if is_surprised(fight, i) and not fighter.pending else 0

"""Observations as the kernel writes them: the blocks, their indices, and what stays hidden.

A fighter's block looks the same to every viewer. Only changed values are written.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.encoding.features import OBSERVATION, STATE
from heartrush_env.games.heart_rush.encoding.fighter import (
    EVERYTHING,
    FIGHTER,
    HAS_AILMENTS,
    WRITES_SHOWN,
    copy_fighter,
    write_fighter,
)
from heartrush_env.games.heart_rush.encoding.ground import (
    AROUND,
    GROUND,
    SQUARES,
    write_ground,
    write_squares,
    write_squares_around,
)
from heartrush_env.games.heart_rush.encoding.loadouts import (
    EVERY_SLOT,
    OCCASION,
    slots_seen,
    write_asking,
    write_in_attack,
    write_loadout,
    write_occasion,
    write_own_pick,
    write_owned,
)
from heartrush_env.games.heart_rush.encoding.moment import write_moment
from heartrush_env.games.heart_rush.encoding.place import (
    has_other_means,
    write_other,
    write_own,
    write_own_way,
    write_place,
)
from heartrush_env.games.heart_rush.encoding.relation import BINDING_BITS, write_relations
from heartrush_env.games.heart_rush.encoding.things import write_all_placed, write_objects
from heartrush_env.games.heart_rush.encoding.turns import write_in_turns, write_moment_of_turns
from heartrush_env.games.heart_rush.rules.engaging import by_turns
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.special_circumstances import is_surprised
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS, NO_STANCE, NOBODY, STANDING, STATUSES
from heartrush_env.tabletop.rule import compiled, inlined
from heartrush_env.tabletop.tables import put

OUT_CAUSES = ("", *STATUSES[1:], "surprised")
SURPRISED_OUT = len(STATUSES)  # the code after the status codes

# In each section of an observation: where the viewer's block begins, and functions that find those of other fighters.
OWN_AT, OWN_PLACE_AT, OWN_TURN_AT, OWN_LOADOUT_AT = (section.own_at for section in OBSERVATION)
other_at, other_place_at, other_turn_at, other_loadout_at = (section.finder() for section in OBSERVATION)
# In each section of a state: functions that find each fighter's block.
fighter_at, place_at, turn_at, loadout_at = (section.finder() for section in STATE)
N_BLOCK, N_GROUND, N_AROUND, N_SQUARES, N_OCCASION = map(len, (FIGHTER, GROUND, AROUND, SQUARES, OCCASION))
EVERYBODY = np.int64(-1)  # a bit for each fighter
PICK_AT, N_PICK = FIGHTER.part("pick")
SAID_AT, N_SAID = FIGHTER.part("said")


@inlined
def decider(fight, seat):
    """Return the fighter that a seat decides for now: its own or, for a team, the next that has yet to choose."""
    if not fight.team_control:
        return seat
    first = NOBODY
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if fighter.team == seat:
            if fighter.pending:
                return i
            if first == NOBODY or (fight.fighters[first].status != STANDING and fighter.status == STANDING):
                first = i
    return first


@inlined
def others_in(enemies):
    """Return the number of places for other fighters in a shape with this many enemies and one ally fewer."""
    return 2 * enemies - 1


@inlined
def other_fighter(fighter, k, enemies):
    """Return the k-th other fighter in a fighter's view, and the number of other fighters' blocks before its own.

    Enemies come first; `enemies` is the number of enemies that the shape has room for.
    """
    if k < fighter.enemy_count:
        return np.int64(fighter.enemies[k]), np.int64(k)
    place = k - fighter.enemy_count
    return np.int64(fighter.allies[place]), np.int64(enemies + place)


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
    write_fighter(fight, i, groups, options.memory, observations, start + OWN_AT)


@inlined
def write_others_part(fight, i, view, lands, observations, row, options, moved):
    """Write the rest of fighter i's row: the blocks of others, from its own point of view, and the map.

    The first part of every row of the fight must already be written. `moved` has a bit for each fighter whose position
    has changed, and all bits if the row is stale.
    """
    fighter, stale, start = fight.fighters[i], moved == EVERYBODY, row * options.width
    bonds = stale or view.changed[i] & HAS_AILMENTS or fighter.afflicted & BINDING_BITS
    for k in range(fighter.enemy_count + fighter.ally_count):
        j, before = other_fighter(fighter, k, options.enemies)
        groups = EVERYTHING if stale else np.int64(view.changed[j])
        at = other_at(start, before)
        if groups:
            show_block(fight, i, j, groups, observations, row, options, at)
        if groups & WRITES_SHOWN and k < fighter.enemy_count:
            keep_secrets(fight, j, observations, at)
        if bonds:
            write_relations(fight, i, j, observations, at + N_BLOCK)
    at = other_at(start, others_in(options.enemies))
    write_on_map(fight, i, view, observations, at, options.enemies, moved, lands)


@inlined
def show_block(fight, i, j, groups, out, row, options, at):
    """Write these groups of fighter j's block into fighter i's row, from index `at`.

    Where each fighter has a row, the groups are copied from fighter j's own row, because their values are equal.
    """
    if fight.team_control:
        write_fighter(fight, j, groups, options.memory, out, at)
    else:
        start = (row + j - i) * options.width
        copy_fighter(groups, out, start + OWN_AT, at)


@on_map(None)
@compiled
def write_on_map(fight, i, view, out, at, enemies, moved, lands):
    """Write the map features of fighter i from index `at`; blocks of absent fighters do not change.

    `moved` has a bit for each fighter whose position is to be written; `lands` holds the tables of the map.
    """
    fighter = fight.fighters[i]
    write_ground(fight, out, at)
    write_own_way(fight, i, out, at + N_GROUND)
    if has_other_means(fight, i, view) or has_bit(moved, i):
        write_own(fight, i, out, at + OWN_PLACE_AT)
    for k in range(fighter.enemy_count + fighter.ally_count):
        j, before = other_fighter(fighter, k, enemies)
        if has_bit(moved, i) or has_bit(moved, j):
            write_other(fight, i, j, out, other_place_at(at, before))
    at = other_place_at(at, others_in(enemies))
    if has_bit(moved, i):
        write_squares_around(fight, i, lands[0], out, at)
    write_objects(fight, i, out, at + N_AROUND)


@by_turns(None)
@compiled
def write_turns(fight, i, out, at, enemies):
    """Write the turn features of viewer i from index `at`."""
    fighter = fight.fighters[i]
    write_moment_of_turns(fight, out, at)
    write_in_turns(fight, i, out, at + OWN_TURN_AT)
    for k in range(fighter.enemy_count + fighter.ally_count):
        j, before = other_fighter(fighter, k, enemies)
        write_in_turns(fight, j, out, other_turn_at(at, before))


@by_turns(0)
@compiled
def size_of_turns(fight, enemies):
    """Return the number of turn features of an observation, which come before the features of abilities."""
    return other_turn_at(0, others_in(enemies))


@with_abilities(None)
@compiled
def write_loadouts(fight, i, out, at, enemies, changed, occasion):
    """Write the ability features of viewer i after the turn features, which would begin at index `at`.

    `changed` has a bit for each fighter whose abilities have changed; `occasion` is whether the occasion may have.
    """
    fighter = fight.fighters[i]
    at += size_of_turns(fight, enemies)
    if occasion:
        write_occasion(fight, out, at)
        write_in_attack(fight, i, out, at + OWN_LOADOUT_AT)
    if has_bit(changed, i):
        write_owned(fight, i, EVERY_SLOT, out, at + OWN_LOADOUT_AT)
    for k in range(fighter.enemy_count + fighter.ally_count):
        j, before = other_fighter(fighter, k, enemies)
        place = other_loadout_at(at, before)
        if occasion:
            write_in_attack(fight, j, out, place)
        if has_bit(changed, j):
            write_owned(fight, j, slots_seen(fight, j, fighter.team), out, place)
    write_own_pick(fight, i, out, other_loadout_at(at, others_in(enemies)))


@inlined
def write_way_on_map(fight, i, out, row, options):
    """Write into fighter i's row the way that it is choosing."""
    at = other_at(row * options.width, others_in(options.enemies))
    write_own_way(fight, i, out, at + N_GROUND)


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
        at = fighter_at(0, i)
        write_fighter(fight, i, EVERYTHING, memory, state, at)
        keep_secrets(fight, i, state, at)
    write_public_map(fight, state, fighter_at(0, MOST_FIGHTERS))


@on_map(None)
@compiled
def write_public_map(fight, out, at):
    """Write the public map features: the ground, each fighter's position, every square and the objects."""
    write_ground(fight, out, at)
    for i in range(fight.n):
        write_place(fight, i, out, place_at(at, i))
    at = place_at(at, MOST_FIGHTERS)
    write_squares(fight, out, at)
    write_all_placed(fight, out, at + N_SQUARES)


@by_turns(None)
@compiled
def write_public_turns(fight, out, at):
    """Write the public turn features: those of the fight, then those of each fighter."""
    write_moment_of_turns(fight, out, at)
    for i in range(fight.n):
        write_in_turns(fight, i, out, turn_at(at, i))


@with_abilities(None)
@compiled
def write_public_loadouts(fight, out, at):
    """Write the public features of abilities: the occasion, whether requests are open, and all used abilities."""
    write_occasion(fight, out, at)
    write_asking(fight, out, at + N_OCCASION)
    for i in range(fight.n):
        write_loadout(fight, i, fight.fighters[i].known, out, loadout_at(at, i))


@inlined
def out_cause(fight, i):
    """Return why fighter i is out of the fight as an index in OUT_CAUSES; 0 if it is not out."""
    fighter = fight.fighters[i]
    if fighter.status != STANDING:
        return np.int64(fighter.status)
    return SURPRISED_OUT if is_surprised(fight, i) and not fighter.pending else 0

"""The compiled entry points: start and step many fights, and write all outputs in place.

Observations and masks are flat arrays, because Numba writes their rows several times faster.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush import SOURCES
from heartrush_env.games.heart_rush.editions.edition import Edition
from heartrush_env.games.heart_rush.encoding.actions import take_action
from heartrush_env.games.heart_rush.encoding.fighter import SEEN, groups_changed
from heartrush_env.games.heart_rush.encoding.loadouts import LOADOUT_SEEN, loadouts_changed, occasion_changed
from heartrush_env.games.heart_rush.encoding.masks import VARIES, renew_mask
from heartrush_env.games.heart_rush.encoding.moment import moment_changed
from heartrush_env.games.heart_rush.encoding.observation import (
    EVERYBODY,
    decider,
    out_cause,
    write_loadouts,
    write_others_part,
    write_own_part,
    write_public,
    write_public_loadouts,
    write_public_turns,
    write_turns,
    write_way_on_map,
)
from heartrush_env.games.heart_rush.encoding.place import has_moved
from heartrush_env.games.heart_rush.engine.picks import may_have_parts
from heartrush_env.games.heart_rush.engine.rounds import prepare
from heartrush_env.games.heart_rush.engine.ways import anyone_walks, may_have_ways
from heartrush_env.games.heart_rush.rules.cover import forget_cover, store_cover
from heartrush_env.games.heart_rush.rules.endings import team_hp
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.games.heart_rush.state.events import clear_log
from heartrush_env.games.heart_rush.state.record import MOMENT, room_of
from heartrush_env.tabletop.arrays import fill
from heartrush_env.tabletop.batch.player import player
from heartrush_env.tabletop.batch.rewards import payment
from heartrush_env.tabletop.kernels import Kernel, kernel
from heartrush_env.tabletop.memory import copy_slot
from heartrush_env.tabletop.records import Field, record
from heartrush_env.tabletop.rule import compiled, inlined

SCREEN = "views, lands, observations, masks, out"  # the parameters that hold what a batch shows of its fights
ALL_REVEALS = -1  # the memory option of games that show all past reveals and their counts

OPTION_FIELDS: list[Field] = [
    ("enemies", "i8"),  # the most enemies that the shape allows
    ("seats", "i8"),
    ("width", "i8"),  # numbers in a row of observations
    ("turns_at", "i8"),  # the index of the first feature of turns, where sides take turns, or of abilities
    ("actions", "i8"),
    ("memory", "i1"),  # reveals shown; negative for all reveals and their counts
    ("reward", "i1"),
    ("max_cycles", "i4"),  # 0 for none
    ("num_fights", "i8"),  # slots of the batch: the step between successive fight numbers of a slot
]


def view_fields(kind: np.dtype[Any]) -> list[Field]:
    """Return the fields that record what a slot shows of a fight of this record type, so that only changes are written.

    Those of abilities are first, because no record type may begin with all fields of another.
    """
    most = room_of(kind)
    of_abilities: list[Field] = [
        ("loadouts", LOADOUT_SEEN, (most,)),
        ("answers", "?"),  # whether the window shown is one of instants
        ("stack_count", "i1"),
    ]
    return [
        *(of_abilities if ABILITY_FIELD in (kind.names or ()) else []),
        ("viewer", "i1", (most,)),  # of each seat, the fighter whose view it shows; NOBODY if it shows another fight
        ("changed", "i1", (most,)),  # a bit for each group of a fighter's block that this window has changed
        *MOMENT,
        ("fighters", SEEN, (most,)),
        ("masks", "i1", (most,)),  # of each seat, the mark of its mask; see mark_of_mask
        ("stand", "i8", (most,)),  # of each fighter, what is shown of its position; see has_moved
        ("means", "i8", (most,)),  # of each fighter, what is shown of its means of moving; see has_other_means
    ]


OPTIONS = record(OPTION_FIELDS)


@cache
def view_record(kind: np.dtype[Any]) -> np.dtype[Any]:
    """Return the record type of what a slot shows of a fight of this record type."""
    return record(view_fields(kind))


@cache
def player_of(edition: Edition) -> Kernel:
    """Return `play_slots` for fights of an edition."""
    return player_with(edition.page, edition.machine.advance)


def player_with(name: str, moves: Any, **others: Any) -> Kernel:
    """Return `play_slots` with the `advance` function `moves`; `others` replace further parts by name."""
    parts = {
        "advance": moves, "prepare": prepare, "begin_log": begin_log, "clear_log": clear_log,
        "take_choices": take_choices, "show_slot": show_slot, "keep_last": keep_last, "forget": forget,
        **payment(share_left)._asdict(),
    }  # fmt: skip
    return player(name, SCREEN, SOURCES, **{**parts, **others})


@compiled
def forget(slot, views, lands, observations, masks, out):
    """Mark a slot's observations and masks as stale after its fight was replaced."""
    fill(views[slot].viewer, NOBODY)
    fill(views[slot].masks, VARIES)


@compiled
def share_left(fight, team):
    """Return the fraction of its hit points that a team has left."""
    most = 0
    for i in range(fight.n):
        if fight.fighters[i].team == team:
            most += fight.fighters[i].hp_max
    return team_hp(fight, team) / most


@inlined
def begin_log(log):
    """Clear the log's attack, which may be from an earlier fight in this slot."""
    log.attack = NOBODY


@inlined
def take_choices(fight, options, actions, illegal, slot, views, lands, observations, masks, out):
    """Record each pending fighter's choice, or a fallback for an illegal one; return whether no choice is pending."""
    for seat in range(options.seats):
        i = decider(fight, seat)
        action = actions[slot, seat]
        start = (slot * options.seats + seat) * options.actions
        legal = 0 <= action < options.actions and masks[start + action] == 1
        fighter = fight.fighters[i]
        illegal[slot, seat] = fighter.pending and not legal
        if fighter.pending:
            take_action(fight, i, action, legal, options.enemies)
    if fight.team_control or may_have_parts(fight) or may_have_ways(fight):
        for i in range(fight.n):
            if fight.fighters[i].pending:
                return False
    return True


@inlined
def keep_last(options, slot, views, lands, observations, masks, out, final_observations, final_masks):
    """Copy a slot's observations and masks to the final ones, because its fight has ended."""
    copy_slot(observations, final_observations, slot, options[0].seats * options[0].width)
    copy_slot(masks, final_masks, slot, options[0].seats * options[0].actions)


@compiled
def show_slot(fights, options, slot, views, lands, observations, masks, out):
    """Write the observations, masks and out flags of the current moment."""
    fight, view = fights[slot], views[slot]
    seats, enemies = options[0].seats, options[0].enemies
    if adds_steps_only(fight) and has_same_viewers(fight, options[0], view):
        show_walks(fight, options[0], slot, view, observations, masks, out)
        return
    moment = moment_changed(fight, view)
    moved = find_changes(fight, view, lands)
    owned, occasion = loadouts_changed(fight, view), occasion_changed(fight, view)
    for seat in range(seats):
        i = decider(fight, seat)
        stale = view.viewer[seat] != i
        write_own_part(fight, i, view, observations, slot * seats + seat, options[0], stale, moment)
    for seat in range(seats):
        i = decider(fight, seat)
        row = slot * seats + seat
        stale = view.viewer[seat] != i
        write_others_part(fight, i, view, lands, observations, row, options[0], EVERYBODY if stale else moved)
        turns_at = row * options[0].width + options[0].turns_at
        write_turns(fight, i, observations, turns_at, enemies)
        changed = EVERYBODY if stale else owned
        write_loadouts(fight, i, observations, turns_at, enemies, changed, stale or occasion)
        view.viewer[seat] = i
        renew_mask(fight, i, view, seat, masks, row * options[0].actions, options[0].actions, enemies)
        out[slot, seat] = out_cause(fight, i)


@inlined
def adds_steps_only(fight):
    """Return whether only paths and masks have changed since the last window, because a fighter is walking."""
    return not may_have_parts(fight) and anyone_walks(fight)


@compiled
def has_same_viewers(fight, options, view):
    """Return whether each seat still decides for the fighter whose view it last showed."""
    for seat in range(options.seats):
        if view.viewer[seat] != decider(fight, seat):
            return False
    return True


@compiled
def show_walks(fight, options, slot, view, observations, masks, out):
    """Write the paths of walking fighters, all masks and all out flags."""
    for seat in range(options.seats):
        i = decider(fight, seat)
        row = slot * options.seats + seat
        write_way_on_map(fight, i, observations, row, options)
        renew_mask(fight, i, view, seat, masks, row * options.actions, options.actions, options.enemies)
        out[slot, seat] = out_cause(fight, i)


@inlined
def find_changes(fight, view, lands):
    """Record which groups of fighters' blocks have changed; return a bit for each fighter that has moved."""
    moved = np.int64(0)
    for i in range(fight.n):
        view.changed[i] = groups_changed(fight, i, view.fighters[i])
        moved |= np.int64(has_moved(fight, i, view)) << i
    store_cover(fight, moved, lands)
    return moved


@kernel
def complete_cover(fights, lands):
    """Store the cover between all pairs of squares in `lands`, so that fights only read it; `fights[0]` is changed."""
    fight = fights[0]
    first, second = fight.fighters[0], fight.fighters[1]
    first.side = second.side = 1
    area = np.int64(fight.width) * fight.height
    for square in range(area):
        first.x, first.y = square % fight.width, square // fight.width
        for other in range(area):
            second.x, second.y = other % fight.width, other // fight.width
            forget_cover(fight, 0)
            store_cover(fight, 1, lands)


@kernel
def write_state(fights, slot, memory, state, turns_at, loadouts_at):
    """Write everything revealed so far, from no seat's point of view: the moment, then each fighter's block.

    `turns_at` is the index of the first feature of turns, and `loadouts_at` that of the first feature of abilities.
    """
    write_public(fights[slot], state, memory)
    write_public_turns(fights[slot], state, turns_at)
    write_public_loadouts(fights[slot], state, loadouts_at)

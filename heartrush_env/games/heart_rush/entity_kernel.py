"""Compiled entry points for observations as entities: the kernels of kernel.py with their writers replaced."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush import kernel
from heartrush_env.games.heart_rush.editions.edition import Edition
from heartrush_env.games.heart_rush.encoding.entities import Layout, share_ways, write_entities
from heartrush_env.games.heart_rush.encoding.masks import renew_mask
from heartrush_env.games.heart_rush.encoding.moment import moment_changed
from heartrush_env.games.heart_rush.encoding.observation import EVERYBODY, decider, out_cause
from heartrush_env.games.heart_rush.kernel import OPTION_FIELDS, adds_steps_only, find_changes, view_fields
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.games.heart_rush.state.record import room_of
from heartrush_env.tabletop.kernels import Kernel
from heartrush_env.tabletop.memory import copy_slot
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rule import compiled, inlined

# The options of a batch, and where the parts of a fight's row of `width` numbers begin.
PARTS = ("fighters_at", "relations_at", "secrets_at", "picking_at", "way_at", "ground_at", "objects_at")
ENTITY_OPTIONS = record(
    [*OPTION_FIELDS, *((name, "i8") for name in ("fighters", "block", "relation", "secret", *PARTS))]
)


@cache
def entity_view_record(kind: np.dtype[Any]) -> np.dtype[Any]:
    """Return the record type of what a slot shows, as entities, of a fight of this record type."""
    most = room_of(kind)
    return record(
        [
            ("asked", "i1", (most,)),  # of each seat, whether it has a choice
            ("last_viewer", "i1", (most,)),  # at the end of the fight that ended in the last autoreset
            ("last_asked", "i1", (most,)),
            ("changes", "i4"),
            *view_fields(kind),
        ]
    )


@cache
def player_of(edition: Edition) -> Kernel:
    """Return `play_slots` for fights of an edition observed as entities."""
    name, moves = f"{edition.page}_entities", edition.machine.advance
    return kernel.player_with(name, moves, show_slot=show_slot, keep_last=keep_last)


@compiled
def show_slot(fights, options, slot, views, lands, observations, masks, out):
    """Write the row, the masks and the out flags of the current moment."""
    fight, view = fights[slot], views[slot]
    stale, start = view.viewer[0] == NOBODY, slot * options[0].width
    if not stale and adds_steps_only(fight):
        share_ways(fight, options[0], observations, start + options[0].way_at)
    else:
        moment = moment_changed(fight, view)
        moved = find_changes(fight, view, lands)
        write_entities(fight, view, options[0], observations, start, stale, moment, EVERYBODY if stale else moved)
    for seat in range(options[0].seats):
        i = decider(fight, seat)
        row = slot * options[0].seats + seat
        renew_mask(fight, i, view, seat, masks, row * options[0].actions, options[0].actions, options[0].enemies)
        view.viewer[seat], view.asked[seat] = i, fight.fighters[i].pending
        out[slot, seat] = out_cause(fight, i)


@inlined
def keep_last(options, slot, views, lands, observations, masks, out, final_observations, final_masks):
    """Copy a slot's observations and masks to the final ones, because its fight has ended."""
    view = views[slot]
    for seat in range(options[0].seats):
        view.last_viewer[seat], view.last_asked[seat] = view.viewer[seat], view.asked[seat]
    copy_slot(observations, final_observations, slot, options[0].width)
    copy_slot(masks, final_masks, slot, options[0].seats * options[0].actions)


def entity_options(options: Any, layout: Layout) -> Any:
    """Return the options of a batch, with the offsets and sizes of this layout."""
    made, parts = np.zeros(1, ENTITY_OPTIONS), layout.parts
    for name in options.dtype.names:
        made[name] = options[name]
    for name in PARTS:
        part = parts.get(name.removesuffix("_at"))
        made[name] = 0 if part is None else part.first
    made["fighters"], made["turns_at"], made["width"] = layout.shape.fighters, layout.turns_at, layout.size
    made["block"], made["relation"] = parts["fighters"].shape[-1], parts["relations"].shape[-1]
    made["secret"] = parts["secrets"].shape[-1]
    return made

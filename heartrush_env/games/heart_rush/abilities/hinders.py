"""Hinders that abilities make in place of their owner's attack, and the two lists of what a hinder does."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.abilities.in_place import may_give_up_attack
from heartrush_env.games.heart_rush.abilities.unit import dice, figure
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.conditions import inflict, inflict_from, rage_condition
from heartrush_env.games.heart_rush.rules.contests import sizes_larger
from heartrush_env.games.heart_rush.rules.cunning import IMPAIRING
from heartrush_env.games.heart_rush.rules.forced_movement import RANKS, push_squares
from heartrush_env.games.heart_rush.rules.hits import add_hit
from heartrush_env.games.heart_rush.rules.maneuvers.climb_on import end_contacts_out_of_reach
from heartrush_env.games.heart_rush.rules.maneuvers.core import may_maneuver, may_maneuver_without_win
from heartrush_env.games.heart_rush.rules.maneuvers.hinder import (
    DIRTY_STRIKE_DIE,
    DIRTY_STRIKE_LEVELS,
    blind,
    may_fell,
    push_by_hinder,
    shove,
)
from heartrush_env.games.heart_rush.rules.movement import dreads, is_in_drop
from heartrush_env.games.heart_rush.rules.parts import bearer_of
from heartrush_env.games.heart_rush.rules.places import bring
from heartrush_env.games.heart_rush.rules.space import next_to, on_map, plays_on_map
from heartrush_env.games.heart_rush.rules.terms import DIRTY_STRIKE, FROM_ABILITY, NOBODY, PRONE, STANDING
from heartrush_env.games.heart_rush.rules.trip import SIZES_TO_TRIP
from heartrush_env.games.heart_rush.state.events import BY_DRAGGING, BY_SWINGING
from heartrush_env.tabletop.rng import roll_sum
from heartrush_env.tabletop.rule import compiled

# What a hinder does. The first four come with damage; in the book's own list, blinded does not, and the last two are
# missing.
WORDS = ("dazed", "off-balanced", "weakened", "blinded", "prone", "a push", "enraged", "trade places")
BLINDING, FELLING, PUSHING, ENRAGING, TRADING = range(3, 8)

# The figures of the longer list.
DAMAGE = dice("improved_interference", "damage")[0]
IMPAIR = figure("improved_interference", "impair")
BLIND = figure("improved_interference", "blinded")
SIZES = figure("improved_interference", "prone_size_steps")
PUSH = figure("improved_interference", "push_ft")
RAGE = 1  # level
SIZES_TO_TRADE = 1


@compiled
def may_hinder(fight: Any, i: Any, target: Any) -> Any:
    """Return whether fighter i may hinder the target now in place of its attack."""
    if not may_give_up_attack(fight, i, target):
        return False
    return may_maneuver(fight, i, target) or may_maneuver_without_win(fight, i, target, DIRTY_STRIKE)


@compiled
def is_different(option: Any, other: Any) -> Any:
    """Return whether two of these are different lines of the list; dazed, off-balanced and weakened share a line."""
    return option != other and (option >= BLINDING or other >= BLINDING)


@compiled
def would_hinder(fight: Any, i: Any, target: Any, option: Any) -> Any:
    """Return whether this is in fighter i's list and would do something to the target."""
    longer = hooks.relists(fight, i)
    if option > TRADING:  # only in a position that someone has written
        return False
    if option == FELLING:
        return may_fell(fight, i, target, SIZES if longer else SIZES_TO_TRIP)
    if option == PUSHING:
        return not longer or (plays_on_map(fight) and push_squares(fight, i, target, PUSH) > 0)
    if option == TRADING:
        return longer and may_trade(fight, i, target)
    return longer or option != ENRAGING


@compiled
def hinder(fight: Any, log: Any, i: Any, target: Any, option: Any, second: Any) -> None:
    """Do one of these to a target, if it is still standing and this would still do something.

    The damage of the `second` hinder of a fighter lands after that of the first, and after what its push has done.
    """
    if fight.fighters[target].status != STANDING or not would_hinder(fight, i, target, option):
        return
    longer = hooks.relists(fight, i)
    rank = RANKS * np.int64(fight.fighters[i].turn) + (RANKS - 1) * second
    if option < BLINDING:
        damage = roll_sum(fight, DAMAGE[0], DAMAGE[1]) if longer else roll_sum(fight, 1, DIRTY_STRIKE_DIE)
        add_hit(fight, target, i, FROM_ABILITY, damage, rank)
        inflict(fight, i, target, IMPAIRING[option], IMPAIR if longer else DIRTY_STRIKE_LEVELS)
    elif option == BLINDING:
        if longer:
            add_hit(fight, target, i, FROM_ABILITY, roll_sum(fight, DAMAGE[0], DAMAGE[1]), rank)
        blind(fight, i, target, BLIND if longer else 1)
    elif option == FELLING:
        inflict(fight, i, target, PRONE, 1)
    elif option == PUSHING:
        if longer:
            push_by_hinder(fight, log, i, target, PUSH)
        else:
            shove(fight, log, i, target)
    elif option == ENRAGING:
        inflict_from(fight, i, target, rage_condition(fight), RAGE)
    else:
        trade_places(fight, log, i, target)


# Trading places.


@on_map(False)
@compiled
def may_trade(fight: Any, i: Any, target: Any) -> Any:
    """Return whether fighter i may trade places with a creature of about its size next to it."""
    fighter, other = fight.fighters[i], fight.fighters[target]
    if abs(sizes_larger(fight, i, target)) > SIZES_TO_TRADE or fighter.side != other.side:
        return False
    if fighter.status != STANDING or not next_to(fight, i, target):
        return False
    if bearer_of(fight, i) != NOBODY or bearer_of(fight, target) != NOBODY:
        return False
    if is_in_drop(fight, i, fighter.x, fighter.y) != is_in_drop(fight, target, other.x, other.y):
        return False
    return not dreads(fight, i, other.x, other.y)


@on_map(None)
@compiled
def trade_places(fight: Any, log: Any, i: Any, target: Any) -> None:
    """Let fighter i and the target trade places, with their riders and parts."""
    fighter, other = fight.fighters[i], fight.fighters[target]
    x, y, to_x, to_y = np.int64(fighter.x), np.int64(fighter.y), np.int64(other.x), np.int64(other.y)
    bring(fight, log, i, target, to_x, to_y, BY_SWINGING)
    bring(fight, log, target, i, x, y, BY_DRAGGING)
    end_contacts_out_of_reach(fight)

"""Items: fighters take them in hand, drop them, and find them on the ground."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heretics.book import rule
from heartrush_env.games.heretics.events import tell_check, tell_drop, tell_take
from heartrush_env.games.heretics.rules.conditions import hinder_check
from heartrush_env.games.heretics.rules.dice import check
from heartrush_env.games.heretics.rules.space import on_map
from heartrush_env.games.heretics.terms import ACTION, CHECK_RETRIEVE, DEX, RETRIEVALS
from heartrush_env.games.heretics.weapons import A_SHIELD, HANDS, NO_ITEM
from heartrush_env.tabletop.rule import compiled

HEADING = "What a fighter may do"
GROUND_NUMBER = 1  # to pick an item up


@on_map(0)
@compiled
def column_of(fight, i):
    """Return the column in which a fighter is; 0 without a map."""
    return np.int64(fight.fighters[i].x)


@on_map(0)
@compiled
def row_of(fight, i):
    """Return the row in which a fighter is; 0 without a map."""
    return np.int64(fight.fighters[i].y)


@compiled
def lay(fight, i, item):
    """Put an item on the ground where fighter i is."""
    lying = fight.lying[fight.lying_count]
    lying.thing = item
    lying.column = column_of(fight, i)
    lying.row = row_of(fight, i)
    fight.lying_count += 1


@compiled
def place_of(fight, i, item):
    """Return the index of such an item on the ground where fighter i is; NO_ITEM if there is none."""
    for k in range(fight.lying_count):
        lying = fight.lying[k]
        if lying.thing == item and lying.column == column_of(fight, i) and lying.row == row_of(fight, i):
            return k
    return NO_ITEM


@rule(HEADING, "R-19")
def drop_weapon(fight, log, i):
    """Drop the weapon that is held, into one's own square."""
    fighter = fight.fighters[i]
    if fighter.held != NO_ITEM:
        tell_drop(fight, log, i, fighter.held)
        lay(fight, i, fighter.held)
        fighter.held = NO_ITEM


@rule(HEADING, "R-39")
def take_in_hand(fight, log, i, item):
    """Take an item in hand; what is in its way is dropped."""
    fighter = fight.fighters[i]
    tell_take(fight, log, i, item)
    if item == A_SHIELD:
        if fighter.held != NO_ITEM and HANDS[fighter.held] == 2:
            drop_weapon(fight, log, i)
        fighter.shield = True
        return
    drop_weapon(fight, log, i)
    if fighter.shield and HANDS[item] == 2:
        tell_drop(fight, log, i, A_SHIELD)
        lay(fight, i, A_SHIELD)
        fighter.shield = False
    fighter.held = item
    fighter.loaded = True


@rule(HEADING, "R-18")
def retrieve(fight, log, i, item, number):
    """Take an item in hand, with a check against a number; success leaves another action at once.

    At most a set number of retrievals is free in a phase; after them the check is still rolled, and success costs the
    action as well.
    """
    fighter = fight.fighters[i]
    hinder_check(fight, i)
    success = check(fight, np.int64(fighter.ability[DEX]), number, False)
    tell_check(fight, log, i, i, CHECK_RETRIEVE, fight.exchange.natural, fight.exchange.total, number, success)
    take_in_hand(fight, log, i, item)
    if success and fighter.left[RETRIEVALS] > 0:
        fighter.left[RETRIEVALS] -= 1
        fighter.left[ACTION] += 1
        fight.free_again = i


@rule(HEADING, "R-18")
def retrieve_slot(fight, log, i, slot):
    """Take what is in a slot of the inventory in hand; the slot's number is the number to reach."""
    fighter = fight.fighters[i]
    item = np.int64(fighter.inventory[slot])
    fighter.inventory[slot] = NO_ITEM
    retrieve(fight, log, i, item, slot + 1)


@rule(HEADING, "R-19")
def pick_up(fight, log, i, item):
    """Take an item from one's square in hand, against 1."""
    place = place_of(fight, i, item)
    fight.lying_count -= 1
    last = fight.lying[fight.lying_count]
    lying = fight.lying[place]
    lying.thing = last.thing
    lying.column = last.column
    lying.row = last.row
    retrieve(fight, log, i, item, GROUND_NUMBER)

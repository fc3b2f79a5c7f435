"""Items: fighters take them in hand, drop them, load them, and find them on the ground."""

import numpy as np

from heartrush_env.games.heretics.book import ACTS, action, choice, rule
from heartrush_env.games.heretics.events import tell_drop, tell_reload, tell_take
from heartrush_env.games.heretics.rules.conditions import check_ability, holds_any, release
from heartrush_env.games.heretics.rules.fighters import holds_missile_weapon
from heartrush_env.games.heretics.terms import ACTION, CHECK_RETRIEVE, DEX, RETRIEVALS, SLOTS
from heartrush_env.games.heretics.weapons import A_SHIELD, HANDS, ITEMS, LOADS, NO_ITEM
from heartrush_env.tabletop.grids.things import NOT_THERE, lay, place_of, take_away
from heartrush_env.tabletop.rule import compiled

HEADING = "What a fighter may do"
GROUND_NUMBER = 1  # the check to pick an item up must reach this


@rule(HEADING, "R-19")
def drop_weapon(fight, log, i):
    """Drop the weapon that fighter i holds, if any, in its own square."""
    fighter = fight.fighters[i]
    if fighter.held != NO_ITEM:
        tell_drop(fight, log, i, fighter.held)
        lay(fight, i, fighter.held)
        fighter.held = NO_ITEM


@rule(HEADING, "R-39")
def take_in_hand(fight, log, i, item):
    """Take an item in hand, and drop what the fighter cannot hold with it."""
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
    """Take an item in hand and roll a check; success gives another action at once.

    A setting limits how often this happens in a phase.
    """
    fighter = fight.fighters[i]
    success = check_ability(fight, log, i, i, CHECK_RETRIEVE, DEX, number)
    take_in_hand(fight, log, i, item)
    if success and fighter.left[RETRIEVALS] > 0:
        fighter.left[RETRIEVALS] -= 1
        fighter.left[ACTION] += 1
        fight.free_again = i


@compiled
def must_load(fighter):
    """Return whether a fighter holds a weapon that it has to load."""
    return holds_missile_weapon(fighter) and LOADS[fighter.held] and not fighter.loaded


@action("reload", words="reload", heading=HEADING)
class Reload:
    """Load a crossbow again."""

    def may(fight, i, target, detail):
        return must_load(fight.fighters[i])

    def do(fight, log, i, target, detail):
        fight.fighters[i].loaded = True
        tell_reload(fight, log, i)


@action("retrieve", words="take what is in slot {detail}", heading=HEADING, rulings=("R-18",), details=SLOTS)
class Retrieve:
    """Take the item in a slot of the inventory; the check must reach the number of the slot."""

    def may(fight, i, target, detail):
        return fight.fighters[i].inventory[detail] != NO_ITEM

    def do(fight, log, i, target, detail):
        item = np.int64(fight.fighters[i].inventory[detail])
        fight.fighters[i].inventory[detail] = NO_ITEM
        retrieve(fight, log, i, item, detail + 1)


@action("pick_up", words="pick up {detail}", heading=HEADING, rulings=("R-19",), details=ITEMS)
class PickUp:
    """Take an item that lies in the fighter's square; the check must reach 1."""

    def may(fight, i, target, detail):
        return place_of(fight, i, detail) != NOT_THERE

    def do(fight, log, i, target, detail):
        take_away(fight, place_of(fight, i, detail))
        retrieve(fight, log, i, detail, GROUND_NUMBER)


@choice("drop", windows=ACTS, words="drop the weapon", heading=HEADING, rulings=("R-19",))
class Drop:
    """Drop the weapon before the action, at no cost."""

    def may(fight, i, target, detail):
        return fight.fighters[i].held != NO_ITEM and fight.fighters[i].left[ACTION] > 0

    def do(fight, log, i, target, detail):
        drop_weapon(fight, log, i)


@choice("let_go", windows=ACTS, words="let go", heading=HEADING, rulings=("R-19",))
class LetGo:
    """Let go, before the action and at no cost, of all fighters that this one grapples."""

    def may(fight, i, target, detail):
        return fight.fighters[i].left[ACTION] > 0 and holds_any(fight, i, False)

    def do(fight, log, i, target, detail):
        release(fight, log, i)

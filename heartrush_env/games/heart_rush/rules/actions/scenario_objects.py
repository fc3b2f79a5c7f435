"""The Action Phase > Actions You Can Take > Other Actions: the objects of a scenario, such as locks and pillars.

A detail of the choice encodes an object and a purpose. The first details use an object with an interaction, the next
details take the item that the object left, and the last details use an object with the action.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.actions.objects import exchange
from heartrush_env.games.heart_rush.rules.checks import roll_check
from heartrush_env.games.heart_rush.rules.choices import ON_MAPS, Cost, action
from heartrush_env.games.heart_rush.rules.conditions import gain
from heartrush_env.games.heart_rush.rules.costs import can_pay
from heartrush_env.games.heart_rush.rules.hits import add_hit
from heartrush_env.games.heart_rush.rules.saves import TO_RESIST
from heartrush_env.games.heart_rush.rules.space import (
    CLOSED_DOOR,
    COLLAPSES,
    FLOOR,
    IS_WALL,
    LIGHT_COVER,
    OPEN_DOOR,
    OPENS,
    ROUGH,
    RUBBLE,
    cell_at,
    covers_square,
    distance_to_square,
    read_map,
)
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    CHECK,
    FROM_COLLAPSE,
    MAP_SIDE,
    MOST_OBJECTS,
    NOBODY,
    PRONE,
    SAVE,
    STANDING,
    UNCONSCIOUS,
    USE_OBJECT,
)
from heartrush_env.games.heart_rush.state.events import (
    GROUND_EVENT,
    OBJECT_EVENT,
    TAKE_ITEM,
    tell_check,
    tell_conditions,
    tell_square,
)
from heartrush_env.tabletop.rng import roll_die
from heartrush_env.tabletop.rule import compiled, inlined, rule

TAKES, BY_ACTION = MOST_OBJECTS, 2 * MOST_OBJECTS  # the first details of each kind
TWO_HANDS = 2


@action(
    "object",
    words="{object}",
    tells="{fighter} goes to {object}",
    cost=Cost.INTERACTION,
    by_rush=Cost.ACTION,
    rush_from=BY_ACTION,
    heading="Combat > The Action Phase > Actions You Can Take > Other Actions",
    rulings=("R-4", "R-20", "R-164"),
    details={k: str(k + 1) for k in range(MOST_OBJECTS)},
    detail_count=3 * MOST_OBJECTS,
    needs=ON_MAPS,
)
class UseObject:
    """A fighter uses an adjacent object of the scenario, or takes the item that the object has left."""

    def may(fight, i, target, detail):
        return may_use_object(fight, i, detail)

    def any_of(fight, i):
        """Return whether there is any object to use."""
        return objects_now(fight, i) != 0

    def write(fight, i, masks, start):
        """Write 1 for each object that fighter i may use or whose item it may take now; return whether there is any."""
        usable = objects_now(fight, i)
        for k in range(MOST_OBJECTS if usable else 0):
            masks[start + k] = usable >> k & 1
        return usable != 0

    def do(fight, log, i, target, detail):
        k = object_of(detail)
        if takes(detail):
            take_item(fight, log, i, k)
        elif roll_object_check(fight, log, i, k):
            apply_object(fight, log, i, k)

    def settle(fight, i, detail):
        """Return the detail that uses the object at its cost, or takes its item if it has been used."""
        return settled_object(fight, detail)

    def note(fight, log, number, i, detail):
        """Write into a declaration's event the object, whether its item is taken, and whether that is already done."""
        event, thing = log.events[number], fight.objects[object_of(detail)]
        event.x, event.y, event.before = thing.x, thing.y, object_of(detail) + 1
        event.flag = takes(detail)
        event.amount = not thing.has_item if takes(detail) else thing.used


@inlined
def object_of(detail):
    """Return the index of the object that a detail is about."""
    return detail % MOST_OBJECTS


@inlined
def takes(detail):
    """Return whether a detail takes an item."""
    return TAKES <= detail < BY_ACTION


@compiled
def settled_object(fight, detail):
    """Return the detail that uses this object at its cost, or takes its item if it has been used."""
    thing = fight.objects[detail]
    if thing.used:
        return detail + TAKES
    return detail + BY_ACTION if thing.costs_action else detail


@compiled
def objects_now(fight, i):
    """Return the objects, one bit each, that an able fighter may use, or whose items it may take, and can pay for."""
    usable = 0
    for k in range(fight.object_count):
        detail = settled_object(fight, k)
        if can_pay(fight, i, Cost.ACTION if detail >= BY_ACTION else Cost.INTERACTION):
            usable |= may_use_object(fight, i, detail) << k
    return usable


@rule("Combat > The Action Phase > Actions You Can Take > Other Actions", "R-4", "R-164")
def may_use_object(fight, i, detail):
    """Return whether the fighter may use an adjacent object for the first time, or take the item that it has left."""
    k = object_of(detail)
    if k >= fight.object_count:
        return False
    thing = fight.objects[k]
    away = distance_to_square(fight, i, thing.x, thing.y)
    if takes(detail):
        large_enough = thing.takers >> np.int64(i) & 1 == 1
        return thing.used and thing.has_item and away <= 1 and large_enough and not fight.fighters[i].has_spare
    return not thing.used and away <= 1 and (thing.effect != COLLAPSES or away == 1)


@rule("Combat > The Action Phase > Actions You Can Take > Other Actions", "R-20", "R-164")
def roll_object_check(fight, log, i, k):
    """Return whether the fighter passes the check that the object requires, if it requires one."""
    thing = fight.objects[k]
    if thing.ability == NOBODY:
        return True
    success = roll_check(fight, i, CHECK, thing.ability, NOBODY, 0, fight.attack_roll) >= thing.number
    tell_check(fight, log, i, USE_OBJECT, success)
    return success


@rule("Combat > The Action Phase > Actions You Can Take > Other Actions", "R-20", "R-164")
def apply_object(fight, log, i, k):
    """Carry out the effect of an object."""
    thing = fight.objects[k]
    thing.used = 1
    tell_object(fight, log, i, k, thing.effect)
    if thing.effect == OPENS:
        terrain = cell_at(fight, thing.x, thing.y)
        if IS_WALL[terrain]:
            change_ground(fight, log, thing.x, thing.y, OPEN_DOOR if terrain == CLOSED_DOOR else FLOOR)
    elif thing.effect == COLLAPSES:
        collapse(fight, log, i, k)


@rule("Combat > The Action Phase > Actions You Can Take > Other Actions", "R-164")
def collapse(fight, log, i, k):
    """Bury an object's square and those behind it, up to the next wall; fighters in these squares save or are hurt."""
    thing = fight.objects[k]
    fighter = fight.fighters[i]
    east = side_of(thing.x, fighter.x, fighter.side)
    south = side_of(thing.y, fighter.y, fighter.side)
    last = 0
    while (
        last < thing.squares and not IS_WALL[cell_at(fight, thing.x + (last + 1) * east, thing.y + (last + 1) * south)]
    ):
        last += 1
    for step in range(last + 1):
        x, y = thing.x + step * east, thing.y + step * south
        if step == 0 or is_buried(cell_at(fight, x, y)):
            change_ground(fight, log, x, y, RUBBLE)
    for j in range(fight.n):
        other, struck = fight.fighters[j], False
        for step in range(last + 1):
            struck = struck or covers_square(other, thing.x + step * east, thing.y + step * south)
        if struck and (other.status == STANDING or other.status == UNCONSCIOUS):
            save_or_suffer(fight, log, i, j, k)


@inlined
def side_of(square, first, side):
    """Return on which side of an interval of squares a square is: -1 before it, 0 within it, 1 behind it."""
    return (square >= first + side) - np.int64(square < first)


@inlined
def is_buried(terrain):
    """Return whether a collapse makes rubble of this terrain; heights, drops, water and better cover stay."""
    return terrain == FLOOR or terrain == ROUGH or terrain == LIGHT_COVER or terrain == OPEN_DOOR


@rule("Combat > The Action Phase > Actions You Can Take > Other Actions", "R-164")
def save_or_suffer(fight, log, i, j, k):
    """Roll fighter j's save against the collapse that fighter i has caused; on a failure, j is hurt and falls prone."""
    thing = fight.objects[k]
    success = roll_check(fight, j, SAVE, AGILITY, NOBODY, 0, fight.attack_roll) >= thing.save
    tell_check(fight, log, j, TO_RESIST, success)
    if success:
        return
    damage = 0
    for _ in range(thing.dice):
        damage += roll_die(fight, thing.die)
    gain(fight.fighters[j], PRONE, 1)
    add_hit(fight, j, i, FROM_COLLAPSE, damage, 0)
    tell_conditions(fight, log)


@rule("Combat > The Action Phase > Actions You Can Take > Other Actions", "R-164")
def take_item(fight, log, i, k):
    """Take the item as a spare weapon, together with the fighter's shield if a hand is left for the shield."""
    fighter, thing = fight.fighters[i], fight.objects[k]
    spare, held = fighter.sets[1], fighter.sets[0]
    exchange(spare, thing.gear)
    spare.shield = spare.shield_hands = 0
    if spare.weapon_hands + held.shield_hands <= TWO_HANDS:
        spare.shield, spare.shield_hands = held.shield, held.shield_hands
    spare.speed = held.speed
    fighter.has_spare = 1
    thing.has_item = 0
    tell_object(fight, log, i, k, TAKE_ITEM)


@compiled
def tell_object(fight, log, i, k, effect):
    """Report what a fighter has done with an object."""
    number = tell_square(fight, log, OBJECT_EVENT, i, NOBODY, effect, fight.objects[k].x, fight.objects[k].y)
    if number != NOBODY:
        log.events[number].amount = k + 1


@compiled
def change_ground(fight, log, x, y, terrain):
    """Change the terrain of a square, and report it."""
    fight.cells[np.int64(y) * MAP_SIDE + x] = terrain
    fight.changes += 1
    read_map(fight)
    tell_square(fight, log, GROUND_EVENT, NOBODY, NOBODY, terrain, x, y)

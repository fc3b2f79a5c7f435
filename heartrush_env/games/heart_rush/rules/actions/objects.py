"""The Action Phase > Actions You Can Take > Object Interaction: fallen weapons, spare weapons and shields, doors."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.choices import ON_MAPS, Cost, action
from heartrush_env.games.heart_rush.rules.costs import can_pay
from heartrush_env.games.heart_rush.rules.movement import COMPASS, DIRECTIONS, STEP_X, STEP_Y
from heartrush_env.games.heart_rush.rules.space import (
    CLOSED_DOOR,
    OPEN_DOOR,
    cell_at,
    distance_to_square,
    is_locked,
    on_map,
    read_map,
)
from heartrush_env.games.heart_rush.rules.terms import MAP_SIDE, NOBODY, STANDING
from heartrush_env.games.heart_rush.state.events import DOOR_EVENT, SWAP_EVENT, tell, tell_square
from heartrush_env.tabletop.rule import compiled, inlined, rule

# The weapon on the floor.


@action(
    "pick_up",
    words="pick the weapon up",
    tells="{fighter} picks the weapon up",
    cost=Cost.INTERACTION,
    heading="Combat > The Action Phase > Actions You Can Take > Object Interaction",
)
class PickUp:
    """A fighter picks up its weapon from the floor, at most one square away."""

    def may(fight, i, target, detail):
        return not fight.fighters[i].armed and is_at_hand(fight, i)

    def do(fight, log, i, target, detail):
        fight.fighters[i].armed = 1


@on_map(True)
@compiled
def is_at_hand(fight, i):
    """Return whether the fighter's weapon lies at most one square away."""
    return distance_to_square(fight, i, fight.fighters[i].floor_x, fight.fighters[i].floor_y) <= 1


# The other weapon and shield.


@action(
    "swap",
    words="swap to {spare}",
    tells="{fighter} swaps weapons",
    cost=Cost.INTERACTION,
    heading="Combat > The Action Phase > Actions You Can Take > Object Interaction",
    rulings=("R-164",),
)
class Swap:
    """A fighter swaps the equipment in hand with its spare equipment; a weapon on the floor stays there."""

    def may(fight, i, target, detail):
        return fight.fighters[i].has_spare

    def do(fight, log, i, target, detail):
        fighter = fight.fighters[i]
        exchange(fighter.sets[0], fighter.sets[1])
        take_in_hand(fighter, fighter.sets[0])
        fighter.has_spare = fighter.armed
        fighter.armed = 1
        fighter.swaps += 1
        tell_swap(fight, log, i)


@compiled
def exchange(held, spare):
    """Swap the equipment in hand with the spare."""
    held.weapon_die, spare.weapon_die = spare.weapon_die, held.weapon_die
    held.attack_type, spare.attack_type = spare.attack_type, held.attack_type
    held.damage_type, spare.damage_type = spare.damage_type, held.damage_type
    held.weapon_hands, spare.weapon_hands = spare.weapon_hands, held.weapon_hands
    held.natural_weapon, spare.natural_weapon = spare.natural_weapon, held.natural_weapon
    held.shield, spare.shield = spare.shield, held.shield
    held.shield_hands, spare.shield_hands = spare.shield_hands, held.shield_hands
    held.range, spare.range = spare.range, held.range
    held.reach, spare.reach = spare.reach, held.reach
    held.speed, spare.speed = spare.speed, held.speed


@compiled
def take_in_hand(fighter, held):
    """Set the fighter's weapon and shield to those of the equipment `held`."""
    fighter.weapon_die = held.weapon_die
    fighter.attack_type = held.attack_type
    fighter.damage_type = held.damage_type
    fighter.weapon_hands = held.weapon_hands
    fighter.natural_weapon = held.natural_weapon
    fighter.shield = held.shield
    fighter.shield_hands = held.shield_hands


@compiled
def tell_swap(fight, log, i):
    """Report the equipment that a fighter has taken in hand."""
    fighter = fight.fighters[i]
    number = tell(fight, log, SWAP_EVENT, i, NOBODY, fighter.shield, fighter.weapon_die)
    if number != NOBODY:
        log.events[number].before = fighter.attack_type
        log.events[number].after = fighter.damage_type


# Doors.


@action(
    "door",
    words="{verb} the door at {square}",
    tells="{fighter} goes to {open} the door at {at}",
    cost=Cost.INTERACTION,
    heading="Combat > The Action Phase > Actions You Can Take > Object Interaction",
    rulings=("R-4",),
    details=dict(enumerate(COMPASS)),
    detail_count=2 * DIRECTIONS,  # the second half of the details closes doors
    needs=ON_MAPS,
)
class Door:
    """A fighter of one square opens an adjacent closed door, or closes an open one in which no fighter stands."""

    def may(fight, i, target, detail):
        return may_use_door(fight, i, detail)

    def any_of(fight, i):
        """Return whether there is any door to use."""
        return doors_now(fight, i) != 0

    def write(fight, i, masks, start):
        """Write 1 for each direction in which there is a door to use; return whether there is any."""
        doors = doors_now(fight, i)
        for direction in range(DIRECTIONS if doors else 0):
            masks[start + direction] = doors >> direction & 1
        return doors != 0

    def do(fight, log, i, target, detail):
        x, y = door_square(fight, i, detail)
        fight.cells[y * MAP_SIDE + x] = OPEN_DOOR if opens(detail) else CLOSED_DOOR
        fight.changes += 1
        read_map(fight)
        tell_square(fight, log, DOOR_EVENT, i, NOBODY, opens(detail), x, y)

    def settle(fight, i, detail):
        """Return the detail that opens the door in this direction, or closes it if it is open."""
        return settled_door(fight, i, detail)

    def note(fight, log, number, i, detail):
        """Write into a declaration's event the door, whether it is to be opened, and whether that is already done."""
        event = log.events[number]
        event.x, event.y = door_square(fight, i, detail)
        event.flag = opens(detail)
        event.amount = is_door_done(fight, i, detail)


@compiled
def doors_now(fight, i):
    """Return the directions, one bit each, of the doors that an able fighter may use and pay for."""
    doors = 0
    if can_pay(fight, i, Cost.INTERACTION):
        for direction in range(DIRECTIONS):
            x, y = door_square(fight, i, direction)
            if is_door(cell_at(fight, x, y)):
                doors |= may_use_door(fight, i, settled_door(fight, i, direction)) << direction
    return doors


@rule("Combat > The Action Phase > Actions You Can Take > Object Interaction", "R-4")
def may_use_door(fight, i, detail):
    """Return whether this detail opens a closed, unlocked door or closes an open door in which no fighter stands."""
    if fight.fighters[i].side > 1:
        return False
    x, y = door_square(fight, i, detail)
    if opens(detail):
        return cell_at(fight, x, y) == CLOSED_DOOR and not is_locked(fight, x, y)
    return cell_at(fight, x, y) == OPEN_DOOR and not anyone_stands_at(fight, x, y)


@compiled
def settled_door(fight, i, detail):
    """Return the detail that opens the door in this direction, or closes it if it is open."""
    x, y = door_square(fight, i, detail)
    return detail + DIRECTIONS if cell_at(fight, x, y) == OPEN_DOOR else detail


@compiled
def door_square(fight, i, detail):
    """Return the adjacent square of fighter i that this detail names, as (x, y)."""
    direction = detail % DIRECTIONS
    return fight.fighters[i].x + STEP_X[direction], fight.fighters[i].y + STEP_Y[direction]


@inlined
def is_door(terrain):
    """Return whether a square has a door, open or closed."""
    return terrain == CLOSED_DOOR or terrain == OPEN_DOOR


@inlined
def opens(detail):
    """Return whether this detail opens a door."""
    return detail < DIRECTIONS


@compiled
def is_door_done(fight, i, detail):
    """Return whether the door is already in the state, open or closed, that this detail would put it in."""
    x, y = door_square(fight, i, detail)
    return cell_at(fight, x, y) == (OPEN_DOOR if opens(detail) else CLOSED_DOOR)


@compiled
def anyone_stands_at(fight, x, y):
    """Return whether a standing fighter's space includes the square."""
    for j in range(fight.n):
        if fight.fighters[j].status == STANDING and distance_to_square(fight, j, x, y) == 0:
            return True
    return False

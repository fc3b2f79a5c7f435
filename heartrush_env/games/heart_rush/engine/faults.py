"""Validation of a state: `find_faults` lists all values that no fight can reach, one sentence per fault.

The limits of single fields are beside the fields in state/record.py. The functions here check whether fields agree with
one another: the window and the flows, a holder and its captive, a fighter and the ground.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.abilities.all import NUMBERS, PICK_KIND, PICK_LATER
from heartrush_env.games.heart_rush.editions.edition import Edition
from heartrush_env.games.heart_rush.engine.offers import CHOICES
from heartrush_env.games.heart_rush.engine.picks import is_use, request_of
from heartrush_env.games.heart_rush.engine.ways import is_walking, next_steps, place_to_go_on_from
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, ON_DECLARATION, Kind
from heartrush_env.games.heart_rush.rules.choices import Target
from heartrush_env.games.heart_rush.rules.far_dashes import goes_on_from
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.paths import trace_way
from heartrush_env.games.heart_rush.rules.space import (
    CLOSED_DOOR,
    COLLAPSES,
    FLOOR,
    IS_WALL,
    OPEN_DOOR,
    OPENS,
    ROUGH,
    RUBBLE,
    read_map,
)
from heartrush_env.games.heart_rush.rules.taking_damage import is_dying
from heartrush_env.games.heart_rush.rules.terms import (
    CLIMBED_ON,
    CONDITIONS,
    CREATURE_CLIMBER,
    DEAD,
    GRAPPLED,
    GRAPPLING,
    MAP_SIDE,
    NO_STANCE,
    NOBODY,
    SOURCED,
    STANDING,
    WALK,
)
from heartrush_env.games.heart_rush.scenario.battlefield import distance
from heartrush_env.games.heart_rush.state.record import (
    ACTION,
    GOES_ON,
    IN_HAND,
    OPPORTUNITY_WINDOW,
    OVER,
    PICK_WINDOW,
    ROUND_CAP,
    VICTORY,
    has_map,
)
from heartrush_env.tabletop.flow import Machine
from heartrush_env.tabletop.limits import outside_limits
from heartrush_env.tabletop.records import plain

DASHES_A_ROUND = 2  # the free one and the action's
_ROWS_OF_BITS = ("walls", "drops", "slow", "slowest", "covering")
_DOORS = (CLOSED_DOOR, OPEN_DOOR)
_SINGLE_STEPS = 40  # squares of sidesteps, swings past a fighter, and follows
_OF_WEAPONS = ("weapon_die", "attack_type", "damage_type", "weapon_hands", "natural_weapon", "range", "reach")


def find_faults(fight: Any, start: Any, edition: Edition) -> list[str]:
    """Return every fault of a fight between two steps, given its starting record; an empty list for a sound fight."""
    copy, begun = plain(fight), plain(_begun(start))
    faults = outside_limits(copy, begun, "position") or [*_faults_of_fight(copy, edition)]
    if faults:
        return faults  # the other checks rely on these
    if has_map(fight):
        faults = [*_ground_faults(copy, begun, edition.machine)] or [*_memory_faults(fight)]
    faults += [f"fighter {i}: {fault}" for i in range(copy.n) for fault in _fighter_faults(copy, i, begun)]
    return faults or [*_walk_faults(fight)]


def _walk_faults(fight: Any) -> Iterator[str]:
    """Yield the faults of fighters that are choosing the path of their dash, in an otherwise sound position."""
    for i in range(fight.n):
        if is_walking(fight, i):
            number, length = place_to_go_on_from(fight, i), fight.fighters[i].route_length
            sound = trace_way(fight, i)[3] == length and next_steps(fight, i)
            if not (sound if number == NOBODY else length == 0 and goes_on_from(fight, i, number)):
                yield f"fighter {i}: the way that it is choosing is not one that it may take, or leads no further"


def _begun(start: Any) -> Any:
    """Return the record of a fight that has begun, with the lasting changes that abilities make."""
    if ABILITY_FIELD not in start.dtype.names:
        return start
    begun = np.array([start]).view(np.recarray)[0]
    for i in range(int(begun.n)):
        hooks.begin(begun, i)
    return begun


def _faults_of_fight(fight: Any, edition: Edition) -> Iterator[str]:
    """Yield the faults of a fight's position in the round, of its timing orders and of its ending."""
    machine, over = edition.machine, fight.window == OVER
    windows = machine.interrupted(fight)
    able = ABILITY_FIELD in fight.dtype.names  # abilities may reduce a hit to 0
    if not _is_in_its_window(fight, machine):
        yield "the window is unknown, or not at this place of the round"
    if not _numbers_fit(fight, edition):
        yield "a place of the round names an unknown fighter"
    if fight.kept_count != windows:
        yield f"kept: expected the choices of {windows} windows, got {fight.kept_count}"
    if (fight.ending != GOES_ON) != over:
        yield "the ending does not fit the window"
    if any(fighter.pending for fighter in fight.fighters[: fight.n]) == over:
        yield "a window is open but no fighter is asked, or the other way round"
    if fight.engaged != machine.is_in(fight, "phase"):
        yield "phases are in progress outside the engagement"
    if not _is_order(fight, fight.base_order):
        yield "the timing order does not name every fighter once"
    if not _is_order_if_any(fight, fight.order):
        yield "the order of the window does not name every fighter once"
    if not _is_order_if_any(fight, fight.window_order):
        yield "the saved order does not name every fighter once"
    if fight.window == OPPORTUNITY_WINDOW and fight.mover == NOBODY:
        yield "there is an opening, but no fighter is rising"
    if fight.winner == NOBODY if fight.ending == VICTORY else fight.winner != NOBODY and fight.ending != ROUND_CAP:
        yield "the winner has not won"
    if not able and any(hit.amount == 0 for hit in fight.hits[: fight.hit_count]):
        yield "a hit does no damage"
    if edition.turns:
        yield from _faults_of_turns(fight)
    if able:
        yield from _faults_of_abilities(fight, machine)


def _faults_of_turns(fight: Any) -> Iterator[str]:
    """Yield the faults of the side with priority, and of the fighters in the engagement."""
    in_engagement = fight.engaged_side != NOBODY
    if (fight.priority == NOBODY) != in_engagement:
        yield "a side has priority in an engagement, or no side has it outside one"
    if not in_engagement and any(fighter.joined for fighter in fight.fighters[: fight.n]):
        yield "a fighter is in an engagement that has not begun"


def _faults_of_abilities(fight: Any, machine: Machine) -> Iterator[str]:
    """Yield the faults of the occasion for instants, the declared instants, the requests, and the bodies of parts."""
    fighters, requests = fight.fighters[: fight.n], fight.requests[: fight.request_count]
    bodies = [fighter.body for fighter in fighters if fighter.status == STANDING and fighter.body != NOBODY]
    if (fight.occasion == ON_ACTION) == machine.is_in(fight, "instants"):
        yield "there is an occasion for instants without their window, or the other way round"
    if fight.occasion == ON_DECLARATION and fight.mover == NOBODY:
        yield "no fighter has made the declaration that is answered"
    if not all(0 <= one.slot < fighters[one.fighter].slots for one in fight.stack[: fight.stack_count]):
        yield "a fighter has declared an instant that it does not have"
    if any(fighters[body].status != STANDING for body in bodies):
        yield "a part stands whose body is out"
    if not all(_is_later_part(fighters[one.owner], one) for one in requests):
        yield "a request asks for a part that no ability asks for"
    if not machine.is_in(fight, "picks") and any(one.asked for one in requests):
        yield "a request is being asked without its window"


def _is_later_part(owner: Any, request: Any) -> bool:
    """Return whether a request asks for a later part of an ability that its owner has."""
    return 0 <= request.slot < owner.slots and bool(PICK_LATER[owner.loadout[request.slot], request.part])


def _is_in_its_window(fight: Any, machine: Machine) -> bool:
    """Return whether the flows in progress wait at the open window, and whether the record supports all of them."""
    if any(flow.needs not in (None, *fight.dtype.names) for flow in machine.plays(fight)):
        return False
    return bool(fight.window == (machine.window(fight) if fight.depth > 0 else OVER))


def _numbers_fit(fight: Any, edition: Edition) -> bool:
    """Return whether the numbers in the flows' frames are valid: `number` is a phase, all others are fighters."""
    limits = {"spot_end": fight.n + 1, "number": len(edition.phases)}
    numbers = [(name, number) for frame in edition.machine.frames(fight) for name, number in frame.items()]
    return all(0 <= number < limits.get(name, fight.n) for name, number in numbers if name not in ("flow", "at"))


def _is_order(fight: Any, order: Any) -> bool:
    return sorted(order[: fight.n]) == list(range(fight.n))


def _is_order_if_any(fight: Any, order: Any) -> bool:
    """Return whether a timing order names every fighter once or is empty, as before the first timing."""
    return _is_order(fight, order) or not order.any()


# The fighters.


def _fighter_faults(fight: Any, i: int, begun: Any) -> list[str]:
    """Return the faults of a fighter's own values or, if there are none, of its conditions, or else of its links."""
    return (
        [*_own_faults(fight, i, begun)]
        or [*_condition_faults(fight.fighters[i], i)]
        or [*_link_faults(fight.fighters, i)]
    )


def _own_faults(fight: Any, i: int, begun: Any) -> Iterator[str]:
    """Yield the faults of a fighter's hit points, choices, abilities and gear."""
    fighter, start = fight.fighters[i], begun.fighters[i]
    kept = fight.kept[i : fight.kept_count * fight.n : fight.n]  # its choices in the windows that enclose the open one
    lives = not is_dying(fight, fighter) or fight.rules.death_at_reduced or fight.hit_count > 0
    if fighter.status != DEAD and not lives:
        yield "hit points are at the negative of the maximum, and the fighter lives"
    if fighter.heard not in (fighter.said, NO_STANCE):
        yield "others have heard what it never said"
    if not _choice_fits(fight, fighter):
        yield "the choice is unknown"
    if not all(_choice_fits(fight, choice) for choice in kept):
        yield "a kept choice is unknown"
    if fighter.pending and not fighter.has_choice:
        yield "it is asked but has no choice"
    if not all(_may_carry(held, start, begun) for held in fighter.sets):
        yield "it carries an item that it never had"
    if any(fighter[name] != fighter.sets[0][name] for name in IN_HAND):
        yield "it has an item in hand that it does not carry"
    if ABILITY_FIELD in fight.dtype.names:
        slots = fighter.slots
        if any(number < 0 and not fighter.loans >> slot & 1 for slot, number in enumerate(fighter.loadout)):
            yield "it lacks an ability of its own"
        if fighter.known >= 1 << slots or fighter.answered >= 1 << slots:
            yield "an ability is known that it does not have"
        if any(fighter.uses[slots:]) or any(fighter.memos[slots:]):
            yield "it has used an ability that it lacks"
        if fighter.picking != 0 and not (fighter.pending and _has_part(fight, i)):
            yield "it is asked for a part that its choice does not have"
    if has_map(fight):
        if fighter.squares_moved > DASHES_A_ROUND * max(held.speed for held in fighter.sets) + _SINGLE_STEPS:
            yield "it has moved further than a round allows"
        if fighter.squeezes and fighter.grappling == NOBODY:
            yield "it may squeeze, but holds no fighter"
        if any(choice.deed == WALK for choice in kept):
            yield "a kept choice is a walk that has not ended"
        if fighter.deed == WALK and not (fighter.pending and fight.window == ACTION):
            yield "it chooses the way of a dash, but is not asked for a declaration"


def _has_part(fight: Any, i: int) -> bool:
    """Return whether the part that a fighter is asked for is a part of a request or of the ability that it uses."""
    fighter, part = fight.fighters[i], fight.fighters[i].picking - 1
    if fight.window == PICK_WINDOW:
        k = request_of(fight, i)
        return bool(k != NOBODY and fight.requests[k].asked and fight.requests[k].part == part)
    if not is_use(fighter.deed) or fighter.detail >= fighter.slots:
        return False
    number = fighter.loadout[fighter.detail]
    return bool(PICK_KIND[number, part] != Kind.NOTHING and not PICK_LATER[number, part])


def _may_carry(held: Any, start: Any, begun: Any) -> bool:
    """Return whether a fighter had the weapon and shield in `held` from the start, or may have found the weapon."""
    if any(held == known for known in start.sets):
        return True
    return has_map(begun) and any(
        all(held[name] == thing.gear[name] for name in _OF_WEAPONS) for thing in begun.objects if thing.has_item
    )


def _choice_fits(fight: Any, chosen: Any) -> bool:
    """Return whether a choice exists in this kind of fight, has any target it needs, and has a valid detail."""
    if not (0 <= chosen.deed < len(CHOICES) and NOBODY <= chosen.target < fight.n):
        return False
    choice = CHOICES[chosen.deed]
    if choice.needs is not None and choice.needs not in fight.dtype.names:
        return False
    has_target = chosen.target != NOBODY or choice.target == Target.NOBODY
    return bool(has_target and 0 <= chosen.detail < choice.detail_count)


def _condition_faults(fighter: Any, i: int) -> Iterator[str]:
    """Yield the faults of a fighter's conditions."""
    for condition, name in enumerate(CONDITIONS):
        present = bool(fighter.levels[condition])
        if present != bool(fighter.afflicted >> condition & 1):
            yield f"{name} is marked inconsistently with its levels"
        if present and condition in SOURCED and fighter.source[condition] in (NOBODY, i):
            yield f"{name} has no other fighter as its source"


def _link_faults(fighters: Any, i: int) -> Iterator[str]:
    """Yield the faults of a fighter's holds on others, and of other fighters' holds on it."""
    fighter = fighters[i]
    held, mount = fighter.grappling, fighter.climbing
    if (held != NOBODY) != (fighter.levels[GRAPPLING] > 0):
        yield "holds a fighter without grappling, or the other way round"
    if held != NOBODY and not (fighters[held].levels[GRAPPLED] > 0 and fighters[held].source[GRAPPLED] == i):
        yield "holds a fighter that is not held"
    if (mount != NOBODY) != (fighter.levels[CREATURE_CLIMBER] > 0):
        yield "rides a fighter without climbing, or the other way round"
    if mount != NOBODY and not fighters[mount].levels[CLIMBED_ON] > 0:
        yield "rides a fighter that is not climbed on"
    if fighter.levels[GRAPPLED] != 0 and fighters[fighter.source[GRAPPLED]].grappling != i:
        yield "is held by a fighter that does not hold it"
    if fighter.status != STANDING and not held == mount == NOBODY:
        yield "is out and still holds or rides"


# The ground and the fighters' positions on it.


def _ground_faults(fight: Any, begun: Any, machine: Machine) -> list[str]:
    """Return the faults of the map or, if there are none, of the fighters' places on it, or else of overlaps."""
    return [*_map_faults(fight, begun)] or _all_place_faults(fight) or [*_overlap_faults(fight, machine)]


def _map_faults(fight: Any, begun: Any) -> Iterator[str]:
    """Yield the faults of the map and its objects."""
    changed = np.flatnonzero(fight.cells != begun.cells).tolist()
    if not all(_may_change(fight, begun, square) for square in changed):
        yield "the map has changed somewhere other than at a door or an object in use"
    if changed and fight.changes <= 0:
        yield "the map has changed, but nothing was used"
    if any(now.has_item > then.has_item for now, then in zip(fight.objects, begun.objects, strict=True)):
        yield "an object has an item that it never had"


def _may_change(fight: Any, begun: Any, square: int) -> bool:
    """Return whether doors and used objects can have given a square its current terrain."""
    now, then = int(fight.cells[square]), int(begun.cells[square])
    if {now, then} == set(_DOORS):
        return True
    if then == FLOOR and now == ROUGH and _has_been_used(fight, "hex_priest.grasping_ground"):
        return True
    for thing in fight.objects[: fight.object_count]:
        away = max(abs(square % MAP_SIDE - thing.x), abs(square // MAP_SIDE - thing.y))
        if thing.used and thing.effect == OPENS and away == 0 and now in (FLOOR, *_DOORS):
            return True
        if thing.used and thing.effect == COLLAPSES and away <= thing.squares and now == RUBBLE:
            return True
    return False


def _has_been_used(fight: Any, name: str) -> bool:
    """Return whether any fighter has used this ability."""
    if ABILITY_FIELD not in fight.dtype.names:
        return False
    slots = [(fighter, slot) for fighter in fight.fighters[: fight.n] for slot in range(fighter.slots)]
    return any(fighter.loadout[slot] == NUMBERS[name] and fighter.uses[slot] > 0 for fighter, slot in slots)


def _memory_faults(fight: Any) -> Iterator[str]:
    """Yield a fault if the map's rows of bits do not match its squares; takes the record itself, not a plain copy."""
    reread = np.array([fight])
    read_map(reread.view(np.recarray)[0])
    if not all(np.array_equal(fight[name], reread[0][name]) for name in _ROWS_OF_BITS):
        yield "the rows of bits belong to another map"


def _all_place_faults(fight: Any) -> list[str]:
    """Return the first fault of each fighter's place on the map."""
    faults = ((i, next(_place_faults(fight, fighter), "")) for i, fighter in enumerate(fight.fighters[: fight.n]))
    return [f"fighter {i}: {fault}" for i, fault in faults if fault]


def _place_faults(fight: Any, fighter: Any) -> Iterator[str]:
    """Yield the faults of a fighter's place; those after the first may be its consequences."""
    x, y, side = fighter.x, fighter.y, fighter.side
    if not (0 <= x <= fight.width - side and 0 <= y <= fight.height - side):
        yield "it is outside the map"
    squares = [fight.cells[row * MAP_SIDE + column] for row in range(y, y + side) for column in range(x, x + side)]
    if fighter.status == STANDING and any(IS_WALL[terrain] for terrain in squares):
        yield "it stands in a wall, a pillar or a closed door"
    if _is_part(fighter):
        body = fight.fighters[fighter.body]
        if (x, y, side) != (body.x, body.y, body.side):
            yield "it is not where its body is"
    if fighter.climbing != NOBODY and _apart(fighter, fight.fighters[fighter.climbing]) > 0:
        yield "it is off the creature that it rides"
    if fighter.grappling != NOBODY and _apart(fighter, fight.fighters[fighter.grappling]) > 1:
        yield "it holds a fighter out of its reach"


def _overlap_faults(fight: Any, machine: Machine) -> Iterator[str]:
    """Yield a fault for each pair of standing fighters that share a square that each of them needs for itself."""
    on_its_way = fight.mover if machine.is_in(fight, "dash") else NOBODY  # an attack may stop it in another's square
    bulky = [i for i in range(fight.n) if i != on_its_way and _needs_space(fight.fighters[i])]
    for i in bulky:
        for j in bulky[: bulky.index(i)]:
            if _apart(fight.fighters[i], fight.fighters[j]) == 0:
                yield f"fighters {j} and {i} stand in each other's space"


def _needs_space(fighter: Any) -> bool:
    """Return whether a fighter stands and needs its squares for itself; riders and parts do not."""
    return fighter.status == STANDING and fighter.bulky and fighter.climbing == NOBODY and not _is_part(fighter)


def _is_part(fighter: Any) -> bool:
    return "body" in fighter.dtype.names and fighter.body != NOBODY


def _apart(fighter: Any, other: Any) -> int:
    """Return the distance, in squares, between two fighters."""
    return distance((fighter.x, fighter.y), fighter.side, (other.x, other.y), other.side)

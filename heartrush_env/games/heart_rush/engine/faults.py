"""Validation of a state: `find_faults` lists all values that no fight can reach, one sentence per fault.

The limits of single fields are beside the fields in state.py. The functions here check whether fields
agree with one another: the window and the flows, a holder and its captive, a fighter and the ground.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.abilities.all import PICK_KIND, PICK_LATER
from heartrush_env.games.heart_rush.editions.edition import Edition
from heartrush_env.games.heart_rush.engine.offers import CHOICES
from heartrush_env.games.heart_rush.engine.picks import is_use, request_of
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, ON_DECLARATION, Kind
from heartrush_env.games.heart_rush.rules.choices import Target
from heartrush_env.games.heart_rush.rules.cover import find_cover
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.space import (
    CLOSED_DOOR,
    COLLAPSES,
    FLOOR,
    IS_WALL,
    OPEN_DOOR,
    OPENS,
    RUBBLE,
    read_map,
)
from heartrush_env.games.heart_rush.rules.terms import (
    CLIMBED_ON,
    CONDITIONS,
    CREATURE_CLIMBER,
    DEAD,
    GRAPPLED,
    GRAPPLING,
    MAP_SIDE,
    MOST_FIGHTERS,
    NO_STANCE,
    NOBODY,
    SOURCED,
    STANDING,
    WALK,
)
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
from heartrush_env.tabletop.kernels import kernel
from heartrush_env.tabletop.limits import outside_limits
from heartrush_env.tabletop.records import plain

DASHES_A_ROUND = 2  # the free one and the action's
_ROWS_OF_BITS = ("walls", "drops", "slow", "slowest", "covering")
_DOORS = (CLOSED_DOOR, OPEN_DOOR)
_SINGLE_STEPS = 40  # squares of sidesteps, swings past a fighter, and follows


def find_faults(fight: Any, start: Any, edition: Edition) -> list[str]:
    """Return every fault of a fight between two steps, given its starting record; an empty list for a sound fight."""
    copy, begun = plain(fight), plain(_begun(start))
    faults = outside_limits(copy, begun, "position") or _faults_of_fight(copy, edition)
    if faults:
        return faults  # the other checks rely on these
    if has_map(fight):
        faults = _ground_faults(copy, begun, edition.machine) or _memory_faults(fight) or _cover_faults(fight)
    for i in range(copy.n):
        faults += [f"fighter {i}: {fault}" for fault in _fighter_faults(copy, i, begun)]
    return faults


def _begun(start: Any) -> Any:
    """Return the record of a fight that has begun, with the lasting changes that abilities make."""
    if ABILITY_FIELD not in start.dtype.names:
        return start
    begun = np.array([start]).view(np.recarray)[0]
    for i in range(int(begun.n)):
        hooks.begin(begun, i)
    return begun


def _faults_of_fight(fight: Any, edition: Edition) -> list[str]:
    """Return the faults of a fight's position in the round, of its orders and of its ending."""
    machine, over = edition.machine, fight.window == OVER
    windows = machine.interrupted(fight)
    asked = any(fighter.pending for fighter in fight.fighters[: fight.n])
    able = ABILITY_FIELD in fight.dtype.names  # abilities may reduce a hit to 0
    checks = [
        (_is_in_its_window(fight, machine), "the window is unknown, or not at this place of the round"),
        (_numbers_fit(fight, edition), "a place of the round names an unknown fighter"),
        (fight.kept_count == windows, f"kept: expected the choices of {windows} windows, got {fight.kept_count}"),
        ((fight.ending == GOES_ON) != over, "the ending does not fit the window"),
        (asked != over, "a window is open but no fighter is asked, or the other way round"),
        (fight.engaged == machine.is_in(fight, "phase"), "phases are in progress outside the engagement"),
        (_is_order(fight, fight.base_order), "the timing order does not name every fighter once"),
        (_is_order_if_any(fight, fight.order), "the order of the window does not name every fighter once"),
        (_is_order_if_any(fight, fight.window_order), "the saved order does not name every fighter once"),
        (fight.window != OPPORTUNITY_WINDOW or fight.mover != NOBODY, "there is an opening, but no fighter is rising"),
        (_winner_fits(fight), "the winner has not won"),
        (able or all(hit.amount > 0 for hit in fight.hits[: fight.hit_count]), "a hit does no damage"),
    ]
    if edition.turns:
        checks += _checks_of_turns(fight)
    if able:
        checks += _checks_of_abilities(fight, machine)
    return [fault for sound, fault in checks if not sound]


def _checks_of_turns(fight: Any) -> list[tuple[bool, str]]:
    """Return checks of the side with priority and the fighters in the engagement, each as (passed, fault)."""
    in_engagement = fight.engaged_side != NOBODY
    return [
        (
            (fight.priority == NOBODY) == in_engagement,
            "a side has priority in an engagement, or no side has it outside one",
        ),
        (
            in_engagement or not any(fighter.joined for fighter in fight.fighters[: fight.n]),
            "a fighter is in an engagement that has not begun",
        ),
    ]


def _checks_of_abilities(fight: Any, machine: Machine) -> list[tuple[bool, str]]:
    """Return checks of the occasion for instants, the declared instants, and the bodies of parts."""
    fighters = fight.fighters[: fight.n]
    bodies = [fighter.body for fighter in fighters if fighter.status == STANDING and fighter.body != NOBODY]
    return [
        (
            (fight.occasion != ON_ACTION) == machine.is_in(fight, "instants"),
            "there is an occasion for instants without their window, or the other way round",
        ),
        (
            fight.occasion != ON_DECLARATION or fight.mover != NOBODY,
            "no fighter has made the declaration that is answered",
        ),
        (
            all(0 <= one.slot < fighters[one.fighter].slots for one in fight.stack[: fight.stack_count]),
            "a fighter has declared an instant that it does not have",
        ),
        (
            all(fighters[body].status == STANDING for body in bodies),
            "a part stands whose body is out",
        ),
        (
            all(_is_later_part(fighters[one.owner], one) for one in fight.requests[: fight.request_count]),
            "a request asks for a part that no ability asks for",
        ),
        (
            machine.is_in(fight, "picks") or not any(one.asked for one in fight.requests[: fight.request_count]),
            "a request is being asked without its window",
        ),
    ]


def _is_later_part(owner: Any, request: Any) -> bool:
    """Return whether a request asks for a later part of an ability that its owner has."""
    if not 0 <= request.slot < owner.slots:
        return False
    return bool(PICK_LATER[owner.loadout[request.slot], request.part])


def _loadout_checks(fight: Any, i: int) -> list[tuple[bool, str]]:
    """Check what is known of a fighter's abilities, how often they were used, and what the fighter is asked for."""
    fighter = fight.fighters[i]
    slots = fighter.slots
    return [
        (fighter.known < 1 << slots and fighter.answered < 1 << slots, "an ability is known that it does not have"),
        (not any(fighter.uses[slots:]) and not any(fighter.memos[slots:]), "it has used an ability that it lacks"),
        (
            fighter.picking == 0 or (fighter.pending and _has_part(fight, i)),
            "it is asked for a part that its choice does not have",
        ),
    ]


def _has_part(fight: Any, i: int) -> bool:
    """Return whether a request asks a fighter for this part, or its choice is the use of an ability that does."""
    fighter, part = fight.fighters[i], fight.fighters[i].picking - 1
    if fight.window == PICK_WINDOW:
        k = request_of(fight, i)
        return bool(k != NOBODY and fight.requests[k].asked and fight.requests[k].part == part)
    if not is_use(fighter.deed) or fighter.detail >= fighter.slots:
        return False
    number = fighter.loadout[fighter.detail]
    return bool(PICK_KIND[number, part] != Kind.NOTHING and not PICK_LATER[number, part])


def _is_in_its_window(fight: Any, machine: Machine) -> bool:
    """Return whether the flows in progress wait at the open window, and whether the record supports all of them."""
    if any(flow.needs not in (None, *fight.dtype.names) for flow in machine.plays(fight)):
        return False
    return bool(fight.window == (machine.window(fight) if fight.depth > 0 else OVER))


def _numbers_fit(fight: Any, edition: Edition) -> bool:
    """Return whether the numbers in the flows' frames are valid fighters, or valid phases (`number`)."""
    limits = {"spot_end": fight.n + 1, "number": len(edition.phases)}
    numbers = [(name, number) for frame in edition.machine.frames(fight) for name, number in frame.items()]
    return all(0 <= number < limits.get(name, fight.n) for name, number in numbers if name not in ("flow", "at"))


def _is_order(fight: Any, order: Any) -> bool:
    return sorted(order[: fight.n]) == list(range(fight.n))


def _is_order_if_any(fight: Any, order: Any) -> bool:
    """Return whether a timing order names every fighter once or is empty, as before the first timing."""
    return _is_order(fight, order) or not order.any()


def _winner_fits(fight: Any) -> bool:
    if fight.ending == VICTORY:
        return bool(fight.winner != NOBODY)
    return bool(fight.winner == NOBODY or fight.ending == ROUND_CAP)


def _fighter_faults(fight: Any, i: int, begun: Any) -> list[str]:
    fighter, start = fight.fighters[i], begun.fighters[i]
    kept = fight.kept[i : fight.kept_count * fight.n : fight.n]  # its choices in the windows that enclose the open one
    lives = fighter.hp > -fighter.hp_max or fight.rules.death_at_reduced or fight.hit_count > 0
    checks = [
        (
            fighter.status == DEAD or lives,
            "hit points are at the negative of the maximum, and the fighter lives",
        ),
        (fighter.heard in (fighter.said, NO_STANCE), "others have heard what it never said"),
        (_choice_fits(fight, fighter), "the choice is unknown"),
        (all(_choice_fits(fight, choice) for choice in kept), "a kept choice is unknown"),
        (fighter.has_choice or not fighter.pending, "it is asked but has no choice"),
        (all(_may_carry(held, start, begun) for held in fighter.sets), "it carries an item that it never had"),
        (
            all(fighter[name] == fighter.sets[0][name] for name in IN_HAND),
            "it has an item in hand that it does not carry",
        ),
    ]
    if ABILITY_FIELD in fight.dtype.names:
        checks += _loadout_checks(fight, i)
    if has_map(fight):
        most = DASHES_A_ROUND * max(held.speed for held in fighter.sets) + _SINGLE_STEPS
        checks += [
            (fighter.squares_moved <= most, "it has moved further than a round allows"),
            (not fighter.squeezes or fighter.grappling != NOBODY, "it may squeeze, but holds no fighter"),
            (
                fighter.deed != WALK or (fighter.pending and fight.window == ACTION),
                "it chooses the way of a dash, but is not asked for a declaration",
            ),
        ]
    return [fault for sound, fault in checks if not sound] or _condition_faults(fight, i)


def _may_carry(held: Any, start: Any, begun: Any) -> bool:
    """Return whether a fighter had the weapon and shield in `held` from the start, or may have found the weapon."""
    if any(held == known for known in start.sets):
        return True
    weapons = ("weapon_die", "attack_type", "damage_type", "weapon_hands", "natural_weapon", "range", "reach")
    return has_map(begun) and any(
        all(held[name] == thing.gear[name] for name in weapons) for thing in begun.objects if thing.has_item
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


def _condition_faults(fight: Any, i: int) -> list[str]:
    fighter = fight.fighters[i]
    faults = []
    for condition, name in enumerate(CONDITIONS):
        present = bool(fighter.levels[condition])
        if present != bool(fighter.afflicted >> condition & 1):
            faults.append(f"{name} is marked inconsistently with its levels")
        if present and condition in SOURCED and fighter.source[condition] in (NOBODY, i):
            faults.append(f"{name} has no other fighter as its source")
    return faults or [fault for sound, fault in _link_checks(fight.fighters, i) if not sound]


def _link_checks(fighters: Any, i: int) -> list[tuple[bool, str]]:
    fighter = fighters[i]
    held, mount = fighter.grappling, fighter.climbing
    return [
        (
            (held != NOBODY) == (fighter.levels[GRAPPLING] > 0),
            "holds a fighter without grappling, or the other way round",
        ),
        (
            held == NOBODY or (fighters[held].levels[GRAPPLED] > 0 and fighters[held].source[GRAPPLED] == i),
            "holds a fighter that is not held",
        ),
        (
            (mount != NOBODY) == (fighter.levels[CREATURE_CLIMBER] > 0),
            "rides a fighter without climbing, or the other way round",
        ),
        (mount == NOBODY or fighters[mount].levels[CLIMBED_ON] > 0, "rides a fighter that is not climbed on"),
        (
            fighter.levels[GRAPPLED] == 0 or fighters[fighter.source[GRAPPLED]].grappling == i,
            "is held by a fighter that does not hold it",
        ),
        (fighter.status == STANDING or (held == NOBODY and mount == NOBODY), "is out and still holds or rides"),
    ]


# The ground and the fighters' positions on it.


def _ground_faults(fight: Any, begun: Any, machine: Machine) -> list[str]:
    """Return the faults of the map and of the fighters' places on it."""
    changed = np.flatnonzero(fight.cells != begun.cells).tolist()
    things = zip(fight.objects, begun.objects, strict=True)
    checks = [
        (
            all(_may_change(fight, begun, square) for square in changed),
            "the map has changed somewhere other than at a door or an object in use",
        ),
        (fight.changes > 0 or not changed, "the map has changed, but nothing was used"),
        (all(now.has_item <= then.has_item for now, then in things), "an object has an item that it never had"),
    ]
    faults = [fault for sound, fault in checks if not sound]
    return faults or _body_faults(fight, machine)


def _may_change(fight: Any, begun: Any, square: int) -> bool:
    """Return whether doors and used objects can have given a square its current terrain."""
    now, then = int(fight.cells[square]), int(begun.cells[square])
    if {now, then} == set(_DOORS):
        return True
    for thing in fight.objects[: fight.object_count]:
        away = max(abs(square % MAP_SIDE - thing.x), abs(square // MAP_SIDE - thing.y))
        if thing.used and thing.effect == OPENS and away == 0 and now in (FLOOR, *_DOORS):
            return True
        if thing.used and thing.effect == COLLAPSES and away <= thing.squares and now == RUBBLE:
            return True
    return False


def _memory_faults(fight: Any) -> list[str]:
    """Return a fault if the map's rows of bits do not match its squares; takes the record itself, not a plain copy."""
    reread = np.array([fight])
    read_map(reread.view(np.recarray)[0])
    fresh = all(np.array_equal(fight[name], reread[0][name]) for name in _ROWS_OF_BITS)
    return [] if fresh else ["the rows of bits belong to another map"]


def _body_faults(fight: Any, machine: Machine) -> list[str]:
    """Return faults of fighters outside the map, in walls, or overlapping; other checks need these to pass first."""
    fighters = fight.fighters[: fight.n]
    faults = [f"fighter {i}: {fault}" for i, fighter in enumerate(fighters) for fault in _place_faults(fight, fighter)]
    if faults:
        return faults
    on_its_way = fight.mover if machine.is_in(fight, "dash") else NOBODY  # an attack may stop it in another's square
    for i in range(fight.n):
        for j in range(i):
            if on_its_way not in (i, j) and _fill_one_square(fighters[i], fighters[j]):
                faults.append(f"fighters {j} and {i} stand in each other's space")
    return faults


def _place_faults(fight: Any, fighter: Any) -> list[str]:
    x, y, side = fighter.x, fighter.y, fighter.side
    if not (0 <= x <= fight.width - side and 0 <= y <= fight.height - side):
        return ["it is outside the map"]
    squares = [fight.cells[row * MAP_SIDE + column] for row in range(y, y + side) for column in range(x, x + side)]
    if any(IS_WALL[terrain] for terrain in squares) and fighter.status == STANDING:
        return ["it stands in a wall, a pillar or a closed door"]
    if _is_part(fighter) and _space(fighter) != _space(fight.fighters[fighter.body]):
        return ["it is not where its body is"]
    mount, held = fighter.climbing, fighter.grappling
    if mount != NOBODY and _apart(fighter, fight.fighters[mount]) > 0:
        return ["it is off the creature that it rides"]
    if held != NOBODY and _apart(fighter, fight.fighters[held]) > 1:
        return ["it holds a fighter out of its reach"]
    return []


def _is_part(fighter: Any) -> bool:
    return "body" in fighter.dtype.names and fighter.body != NOBODY


def _space(fighter: Any) -> tuple[int, int, int]:
    return fighter.x, fighter.y, fighter.side


def _apart(fighter: Any, other: Any) -> int:
    """Return the distance between two fighters in squares, by the rulebook."""
    gaps = [0]
    for axis in ("x", "y"):
        first, second = fighter[axis], other[axis]
        gaps += [second - first - fighter.side + 1, first - second - other.side + 1]
    return max(gaps)


def _fill_one_square(fighter: Any, other: Any) -> bool:
    """Return whether two standing fighters share a square that each needs for itself; riders need none."""
    for one in (fighter, other):
        if one.status != STANDING or not one.bulky or one.climbing != NOBODY or _is_part(one):
            return False
    return _apart(fighter, other) == 0


def _cover_faults(fight: Any) -> list[str]:
    """Return a fault if a stored cover is out of date; takes the record itself, not a plain copy."""
    pair = np.full(1, NOBODY)
    find_stale_cover(np.array([fight]), pair)
    return [] if pair[0] == NOBODY else [f"fighter {pair[0] // MOST_FIGHTERS}: a stored cover is out of date"]


@kernel
def find_stale_cover(fights, found):
    """Write into `found` a pair of fighters whose stored cover differs from a fresh computation, if there is one."""
    fight = fights[0]
    for i in range(fight.n):
        for j in range(fight.n):
            pair = i * MOST_FIGHTERS + j
            known = fight.cover[pair]
            if i != j and known != NOBODY and known != find_cover(fight, i, j):
                found[0] = pair

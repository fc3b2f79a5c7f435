"""Validation of a state: one function lists everything in it that no fight can reach, one sentence per fault."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.editions.edition import Edition
from heartrush_env.games.heart_rush.engine.offers import CHOICES
from heartrush_env.games.heart_rush.engine.state import (
    ENDINGS,
    GOES_ON,
    IN_HAND,
    MAX_ROUTE,
    OPPORTUNITY_WINDOW,
    OVER,
    ROUND_CAP,
    VICTORY,
    has_map,
)
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import OCCASIONS, ON_ACTION, ON_DECLARATION
from heartrush_env.games.heart_rush.rules.choices import Target
from heartrush_env.games.heart_rush.rules.conditions import HIGHEST_LEVEL
from heartrush_env.games.heart_rush.rules.cover import NO_LINE, find_cover
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.movement import DIRECTIONS
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
    ABILITIES,
    ATTACKING_STANCES,
    CLIMBED_ON,
    CONDITIONS,
    CREATURE_CLIMBER,
    DEAD,
    DIE_LADDER,
    GRAPPLED,
    GRAPPLING,
    HIT_CAUSES,
    MAP_SIDE,
    MOST_FIGHTERS,
    N_CONDITIONS,
    NO_STANCE,
    NOBODY,
    SOURCED,
    STANDING,
    STATUSES,
)
from heartrush_env.tabletop.flow import Machine
from heartrush_env.tabletop.game import LARGEST_FIGHT
from heartrush_env.tabletop.kernels import kernel
from heartrush_env.tabletop.records import plain

LARGEST_GIVEN = 20
DASHES_A_ROUND = 2  # the free one and the action's
_LASTING_GROUND = ("width", "height", "drop", "light")
_LASTING_OF_OBJECTS = (
    "x", "y", "effect", "costs_action", "ability", "number", "squares", "save", "dice", "die", "takers",
)  # fmt: skip
_ROWS_OF_BITS = ("walls", "drops", "slow", "slowest", "covering")
_DOORS = (CLOSED_DOOR, OPEN_DOOR)
_SINGLE_STEPS = 40  # sidesteps, each for a rush point or the action, swinging past and following


def find_faults(match: Any, start: Any, edition: Edition) -> list[str]:
    """Return every fault of a fight between two steps, given its starting record; empty for a sound fight."""
    fight, begun = plain(match), plain(_begun(start))
    faults = _moment_faults(fight, begun, edition)
    if faults:
        return faults
    if has_map(match):
        faults += _ground_faults(fight, begun, edition.machine) or _memory_faults(match) or _cover_faults(match)
    for i in range(fight.n):
        faults += [f"fighter {i}: {fault}" for fault in _fighter_faults(fight, i, begun)]
    return faults


def _begun(start: Any) -> Any:
    """Return the record of a fight that has begun, with the lasting changes that abilities make."""
    if ABILITY_FIELD not in start.dtype.names:
        return start
    begun = np.array([start]).view(np.recarray)[0]
    for i in range(int(begun.n)):
        hooks.begin(begun, i)
    return begun


def _moment_faults(match: Any, start: Any, edition: Edition) -> list[str]:
    machine = edition.machine
    hits = range(int(match.hit_count))
    waits = [i for i in range(int(match.n)) if match.fighters[i].pending]
    checks = [
        (
            match.n == start.n and match.n_teams == start.n_teams,
            "the number of fighters or teams is another scenario's",
        ),
        (match.rules == start.rules, "the settings are another scenario's"),
        (
            all(match[name] == start[name] for name in ("full_decisions", "team_control")),
            "the options are another game's",
        ),
        (_stands_in_its_window(match, machine), "the window is unknown, or not at this place of the round"),
        (_numbers_fit(match, edition), "a place of the round names an unknown fighter"),
        (
            match.kept_count == machine.interrupted(match),
            "the number of kept choices differs from the number of windows around the open one",
        ),
        (
            0 <= match.ending < len(ENDINGS) and (match.ending == GOES_ON) == (match.window != OVER),
            "the ending is unknown",
        ),
        (bool(waits) == (match.window != OVER), "a window is open but nobody is asked, or the other way round"),
        (
            match.engaged == machine.is_in(match, "phase"),
            "phases are in progress outside the engagement",
        ),
        (
            0 <= match.hit_number <= len(match.hits) and 0 <= match.hit_count <= len(match.hits),
            "there are more hits than fit in a batch",
        ),
        (
            0 <= match.given_used <= match.given_count <= len(match.given),
            "more given dice have been used than were given",
        ),
        (all(1 <= die <= LARGEST_GIVEN for die in _given_left(match)), "a given die is not a possible result"),
        (match.bad_die == 0 and match.bad_sides == 0, "a given die was too large"),
        (
            min(match.seed, match.fight_number, match.step_count) >= 0,
            "the seed, the number of the fight or the number of steps is below zero",
        ),
        (match.fight_number <= LARGEST_FIGHT, "the number of the fight is beyond 2**62"),
        (0 <= match.round_number <= match.rules.max_rounds, "the round is beyond the cap"),
        (0 <= match.windows_used <= match.rules.windows_per_round, "more windows are used than a round has"),
        (0 <= match.phase < ATTACKING_STANCES, "the phase is unknown"),
        (_is_order(match, match.base_order), "the timing order does not name every fighter once"),
        (_is_order_if_any(match, match.order), "the order of the window does not name every fighter once"),
        (_is_order_if_any(match, match.window_order), "the saved order does not name every fighter once"),
        (NOBODY <= match.mover < match.n, "the mover is unknown"),
        (match.window != OPPORTUNITY_WINDOW or match.mover != NOBODY, "there is an opening, but nobody is rising"),
        (NOBODY <= match.winner < match.n_teams and _winner_fits(match), "the winner is unknown, or has not won"),
        (bool(np.all(np.abs(match.margin[: int(match.n_teams)]) <= 1.0)), "a lead exceeds the sum of all hit points"),
        (
            all(_hit_fits(match, match.hits[k]) for k in hits),
            "a hit has an unknown source or target, or does damage that no hit does",
        ),
    ]
    faults = [fault for sound, fault in checks if not sound] + (_turn_faults(match) if edition.turns else [])
    return faults + (_ability_faults(match, machine) if ABILITY_FIELD in match.dtype.names else [])


def _turn_faults(match: Any) -> list[str]:
    """Return the faults of the side with priority and of the fighters in the engagement."""
    side, priority = int(match.engaged_side), int(match.priority)
    checks = [
        (NOBODY <= priority < match.n_teams and NOBODY <= side < match.n_teams, "a side with priority is unknown"),
        (
            (priority == NOBODY) == (side != NOBODY),
            "a side has priority in an engagement, or no side has it outside one",
        ),
        (
            side != NOBODY or not any(match.fighters[i].joined for i in range(int(match.n))),
            "a fighter is in an engagement that has not begun",
        ),
        (0 <= match.passes <= match.n_teams, "more sides have passed than there are"),
    ]
    return [fault for sound, fault in checks if not sound]


def _ability_faults(match: Any, machine: Machine) -> list[str]:
    """Return the faults of the occasion for instants, the declared instants, and the attack in progress."""
    n, exchange = int(match.n), match.exchange
    stands = [match.fighters[i].status == STANDING for i in range(n)]
    bodies = [int(match.fighters[i].body) for i in range(n)]
    declared, extras = match.stack[: int(match.stack_count)], match.extras[: int(match.extra_count)]
    checks = [
        (0 <= match.occasion < len(OCCASIONS), "the occasion for instants is unknown"),
        (
            (match.occasion != ON_ACTION) == machine.is_in(match, "instants"),
            "there is an occasion for instants without their window, or the other way round",
        ),
        (match.occasion != ON_DECLARATION or match.mover != NOBODY, "nobody has made the declaration that is answered"),
        (
            0 <= match.stack_count <= len(match.stack) and all(_is_declared(match, one) for one in declared),
            "an instant is declared that nobody owns",
        ),
        (
            0 <= match.extra_count <= len(match.extras)
            and all(0 <= extra.striker < n and 0 <= extra.target < n for extra in extras)
            and all(extra.stance in (*range(ATTACKING_STANCES), NO_STANCE) for extra in extras),
            "an extra attack has an unknown striker, target or stance",
        ),
        (
            0 <= exchange.striker < n and 0 <= exchange.target < n and 0 <= exchange.cause < len(HIT_CAUSES),
            "the attack in progress has an unknown striker, target or cause",
        ),
        (
            all(NOBODY <= bodies[i] < n and (bodies[i] == NOBODY or stands[bodies[i]]) for i in range(n) if stands[i]),
            "a part stands whose body is unknown or out",
        ),
    ]
    return [fault for sound, fault in checks if not sound]


def _is_declared(match: Any, declared: Any) -> bool:
    """Return whether a declared instant belongs to a fighter that owns it."""
    if not (0 <= declared.fighter < match.n and NOBODY <= declared.target < match.n):
        return False
    return bool(0 <= declared.slot < match.fighters[declared.fighter].slots)


def _loadout_faults(fighter: Any, start: Any) -> list[str]:
    """Return the faults of a fighter's abilities."""
    slots = int(start.slots)
    checks = [
        (
            all(fighter[name] == start[name] for name in ("slots", "destined", "hooks", "body"))
            and bool((fighter.loadout == start.loadout).all()),
            "it has abilities or a body that it never had",
        ),
        (fighter.known < 1 << slots and fighter.answered < 1 << slots, "an ability is known that it does not have"),
        (not any(fighter.uses[slots:]) and not any(fighter.memos[slots:]), "it has used an ability that it lacks"),
    ]
    return [fault for sound, fault in checks if not sound]


def _stands_in_its_window(match: Any, machine: Machine) -> bool:
    """Return whether the flows wait at the open window and are all flows that this record type supports."""
    if any(flow.needs not in (None, *match.dtype.names) for flow in machine.plays(match)):
        return False
    return bool(match.window == (machine.window(match) if match.depth > 0 else OVER))


def _numbers_fit(match: Any, edition: Edition) -> bool:
    """Return whether the numbers in the flows' frames are valid fighters, or valid phases (`number`)."""
    n = int(match.n)
    limits = {"spot_end": n + 1, "number": len(edition.phases)}
    numbers = [(name, number) for frame in edition.machine.frames(match) for name, number in frame.items()]
    return all(0 <= number < limits.get(name, n) for name, number in numbers if name not in ("flow", "at"))


def _given_left(match: Any) -> Any:
    return match.given[int(match.given_used) : int(match.given_count)]


def _is_order(match: Any, order: Any) -> bool:
    return sorted(int(i) for i in order[: int(match.n)]) == list(range(int(match.n)))


def _is_order_if_any(match: Any, order: Any) -> bool:
    """Return whether a timing order names every fighter once or is empty, as before the first timing."""
    return _is_order(match, order) or not order.any()


def _winner_fits(match: Any) -> bool:
    if match.ending == VICTORY:
        return bool(match.winner != NOBODY)
    return bool(match.winner == NOBODY or match.ending == ROUND_CAP)


def _hit_fits(match: Any, hit: Any) -> bool:
    known = 0 <= hit.target < match.n and NOBODY <= hit.striker < match.n
    least = 0 if ABILITY_FIELD in match.dtype.names else 1  # abilities may reduce a hit to 0
    return bool(
        known and 0 <= hit.cause < len(HIT_CAUSES) and 0 <= hit.number < match.hit_count and hit.amount >= least
    )


def _fighter_faults(match: Any, i: int, begun: Any) -> list[str]:
    fighter, start = match.fighters[i], begun.fighters[i]
    others = range(NOBODY, int(match.n))
    checks = [
        (all(fighter[name] == start[name] for name in _LASTING), "what never changes has changed"),
        (all((fighter[name] == start[name]).all() for name in _LASTING_LISTS), "what never changes has changed"),
        (0 <= fighter.status < len(STATUSES), "the status is unknown"),
        (fighter.hp <= fighter.hp_max, "hit points are above the maximum"),
        (
            fighter.status == DEAD
            or fighter.hp > -fighter.hp_max
            or match.rules.death_at_reduced
            or _hits_pending(match),
            "hit points are at the negative of the maximum, and the fighter lives",
        ),
        (
            fighter.heart in DIE_LADDER and fighter.heart <= fighter.heart_max,
            "the heart die has an impossible size or is too large",
        ),
        (fighter.phase_heart in DIE_LADDER, "the heart die of the phase has an impossible size"),
        (0 <= fighter.stance <= NO_STANCE and 0 <= fighter.said <= NO_STANCE, "the stance is unknown"),
        (fighter.heard in (fighter.said, NO_STANCE), "others have heard what it never said"),
        (all(0 <= stance <= NO_STANCE for stance in fighter.reveals), "a remembered stance is unknown"),
        (_choice_fits(match, fighter.deed, fighter.target, fighter.detail), "the choice is unknown"),
        (
            all(_choice_fits(match, kept.deed, kept.target, kept.detail) for kept in _kept(match, i)),
            "a kept choice is unknown",
        ),
        (fighter.has_choice or not fighter.pending, "it is asked but has no choice"),
        (0 <= fighter.turn < match.n and 0 <= fighter.check_ability < len(ABILITIES), "its turn or ability is unknown"),
        (all(fighter[name] >= 0 for name in _COUNTS) and min(fighter.stance_count) >= 0, "a count is below zero"),
        (fighter.rush >= 0, "rush points are below zero"),
        (
            all(_may_carry(held, start, begun) for held in fighter.sets),
            "it carries an item that it never had",
        ),
        (
            all(fighter[name] == fighter.sets[0][name] for name in IN_HAND),
            "it has an item in hand that it does not carry",
        ),
        (0 <= fighter.active_rounds <= match.round_number, "it was active in more rounds than have been played"),
        (fighter.grappling in others and fighter.climbing in others, "the fighter that it holds or rides is unknown"),
        (all(source in others for source in fighter.source), "the source of a condition is unknown"),
    ]
    faults = [fault for sound, fault in checks if not sound]
    if ABILITY_FIELD in match.dtype.names:
        faults += _loadout_faults(fighter, start)
    if has_map(match) and not faults:
        faults = _faults_on_ground(match, i, start)
    return faults or _condition_faults(match, i)


def _kept(match: Any, i: int) -> Any:
    """Return the choices of a fighter in the windows that enclose the open one."""
    return match.kept[i : int(match.kept_count) * int(match.n) : int(match.n)]


_COUNTS = ("wounds", "wound_count", "helped", "shrugs", "rounds_at_zero", "swaps")
_LASTING = (
    "hero", "surprised", "index", "team", "heart_max", "armor", "thrown", "attack_bonus", "size_rank",
    "wound_threshold", "hp_max", "enemy_count", "ally_count",
)  # fmt: skip
_LASTING_LISTS = ("ability", "enemies", "allies")


def _hits_pending(match: Any) -> bool:
    return bool(match.hit_count > 0)


def _choice_fits(match: Any, deed: Any, target: Any, detail: Any) -> bool:
    """Return whether a choice exists in this kind of fight, has any target it needs, and has a valid detail."""
    if not (0 <= deed < len(CHOICES) and NOBODY <= target < match.n):
        return False
    choice = CHOICES[deed]
    if choice.needs is not None and choice.needs not in match.dtype.names:
        return False
    return bool((target != NOBODY or choice.target == Target.NOBODY) and 0 <= detail < choice.detail_count)


def _condition_faults(match: Any, i: int) -> list[str]:
    fighter = match.fighters[i]
    faults = []
    for condition, name in enumerate(CONDITIONS):
        levels = int(fighter.levels[condition])
        if not 0 <= levels <= HIGHEST_LEVEL[condition]:
            faults.append(f"{name} has {levels} levels")
        if (levels > 0) != bool(int(fighter.afflicted) >> condition & 1):
            faults.append(f"{name} is marked inconsistently with its levels")
        if levels > 0 and condition in SOURCED and fighter.source[condition] in (NOBODY, i):
            faults.append(f"{name} has no other fighter as its source")
    return faults or [fault for sound, fault in _link_checks(match, fighter, i) if not sound]


def _link_checks(match: Any, fighter: Any, i: int) -> list[tuple[bool, str]]:
    fighters = [match.fighters[j] for j in range(min(int(match.n), len(match.fighters)))]
    held, mount = int(fighter.grappling), int(fighter.climbing)
    return [
        (int(fighter.afflicted) < 1 << N_CONDITIONS, "a condition that does not exist is marked"),
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


def _ground_faults(match: Any, start: Any, machine: Machine) -> list[str]:
    """Return the faults of the map and of the state derived from it."""
    checks = [
        (all(match[name] == start[name] for name in _LASTING_GROUND), "the battlefield is another scenario's"),
        (
            all(_may_change(match, start, int(square)) for square in np.flatnonzero(match.cells != start.cells)),
            "the map has changed somewhere other than at a door or an object in use",
        ),
        (match.changes > 0 or not any(match.cells != start.cells), "the map has changed, but nothing was used"),
        (
            match.object_count == start.object_count
            and all(
                all(now[name] == then[name] for name in _LASTING_OF_OBJECTS) and now.has_item <= then.has_item
                for now, then in zip(match.objects, start.objects, strict=True)
            ),
            "the objects are another scenario's",
        ),
        (
            0 <= match.path_at <= match.path_length <= MAX_ROUTE
            and all(0 <= direction < DIRECTIONS for direction in match.path[: int(match.path_length)]),
            "the mover's path is not valid",
        ),
        (all(NOBODY <= cover <= NO_LINE for cover in match.cover), "a cover is not a valid level"),
    ]
    faults = [fault for sound, fault in checks if not sound]
    return faults or _body_faults(match, machine)


def _may_change(match: Any, start: Any, square: int) -> bool:
    """Return whether doors and used objects can have given a square its current terrain."""
    now, then = int(match.cells[square]), int(start.cells[square])
    if {now, then} == set(_DOORS):
        return True
    for thing in match.objects[: int(match.object_count)]:
        away = max(abs(square % MAP_SIDE - int(thing.x)), abs(square // MAP_SIDE - int(thing.y)))
        if thing.used and thing.effect == OPENS and away == 0 and now in (FLOOR, *_DOORS):
            return True
        if thing.used and thing.effect == COLLAPSES and away <= thing.squares and now == RUBBLE:
            return True
    return False


def _memory_faults(match: Any) -> list[str]:
    """Return the faults of the rows of bits; takes the record itself, not its plain copy."""
    reread = np.array([match])
    read_map(reread.view(np.recarray)[0])
    fresh = all(np.array_equal(match[name], reread[0][name]) for name in _ROWS_OF_BITS)
    return [] if fresh else ["the rows of bits belong to another map"]


def _body_faults(match: Any, machine: Machine) -> list[str]:
    """Return faults of fighters outside the map, in walls, or overlapping; other checks need these to pass first."""
    n = int(match.n)
    faults = [f"fighter {i}: {fault}" for i in range(n) for fault in _place_faults(match, match.fighters[i])]
    if faults:
        return faults
    on_its_way = int(match.mover) if machine.is_in(match, "dash") else NOBODY  # may pass others during an attack
    for i in range(n):
        for j in range(i):
            if on_its_way not in (i, j) and _fill_one_square(match.fighters[i], match.fighters[j]):
                faults.append(f"fighters {j} and {i} stand in each other's space")
    return faults


def _place_faults(match: Any, fighter: Any) -> list[str]:
    x, y, side = int(fighter.x), int(fighter.y), int(fighter.side)
    if not (0 <= x <= match.width - side and 0 <= y <= match.height - side):
        return ["it is outside the map"]
    squares = [int(match.cells[row * MAP_SIDE + column]) for row in range(y, y + side) for column in range(x, x + side)]
    if any(IS_WALL[terrain] for terrain in squares) and fighter.status == STANDING:
        return ["it stands in a wall, a pillar or a closed door"]
    if _is_part(fighter) and _space(fighter) != _space(match.fighters[fighter.body]):
        return ["it is not where its body is"]
    mount = int(fighter.climbing)
    if mount != NOBODY and _apart(fighter, match.fighters[mount]) > 0:
        return ["it is off the creature that it rides"]
    held = int(fighter.grappling)
    if held != NOBODY and _apart(fighter, match.fighters[held]) > 1:
        return ["it holds a fighter out of its reach"]
    return []


def _is_part(fighter: Any) -> bool:
    return "body" in fighter.dtype.names and fighter.body != NOBODY


def _space(fighter: Any) -> tuple[int, int, int]:
    return int(fighter.x), int(fighter.y), int(fighter.side)


def _apart(fighter: Any, other: Any) -> int:
    """Return the distance between two fighters in squares, by the rulebook."""
    gaps = []
    for axis in ("x", "y"):
        first, second = int(fighter[axis]), int(other[axis])
        gaps.append(max(0, second - first - int(fighter.side) + 1, first - second - int(other.side) + 1))
    return max(gaps)


def _fill_one_square(fighter: Any, other: Any) -> bool:
    """Return whether two standing fighters share a square that each needs for itself; riders need none."""
    for one in (fighter, other):
        if one.status != STANDING or not one.bulky or one.climbing != NOBODY or _is_part(one):
            return False
    return _apart(fighter, other) == 0


def _cover_faults(match: Any) -> list[str]:
    """Return the faults of the stored covers; takes the record itself, not its plain copy."""
    pair = np.full(1, NOBODY)
    find_stale_cover(np.array([match]), pair)
    return [] if pair[0] == NOBODY else [f"fighter {pair[0] // MOST_FIGHTERS}: a stored cover is out of date"]


@kernel
def find_stale_cover(matches, found):
    """Write a pair of fighters whose stored cover differs from a fresh computation, if there is one."""
    match = matches[0]
    for i in range(match.n):
        for j in range(match.n):
            pair = i * MOST_FIGHTERS + j
            known = match.cover[pair]
            if i != j and known != NOBODY and known != find_cover(match, i, j):
                found[0] = pair


def _faults_on_ground(match: Any, i: int, start: Any) -> list[str]:
    """Return the faults of a fighter's fields on a map."""
    fighter = match.fighters[i]
    fastest = max(int(fighter.sets[k].speed) for k in range(2))
    checks = [
        (fighter.side == start.side and fighter.bulky == start.bulky, "its size has changed"),
        (
            0 <= fighter.squares_moved <= DASHES_A_ROUND * fastest + _SINGLE_STEPS,
            "it has moved further than a round allows",
        ),
        (0 <= fighter.floor_x < MAP_SIDE and 0 <= fighter.floor_y < MAP_SIDE, "its weapon lies nowhere"),
        (NOBODY <= fighter.has_pushed < match.n, "it has pushed an unknown fighter"),
        (not fighter.squeezes or fighter.grappling != NOBODY, "it may squeeze, but holds nobody"),
        (
            0 <= fighter.route_length <= MAX_ROUTE
            and all(0 <= direction < DIRECTIONS for direction in fighter.route[: int(fighter.route_length)]),
            "its route is not valid",
        ),
    ]
    return [fault for sound, fault in checks if not sound]


def _may_carry(held: Any, start: Any, begun: Any) -> bool:
    """Return whether a fighter had a set from the start, or its weapon may be an item of the scenario."""
    if any(held == known for known in start.sets):
        return True
    weapons = ("weapon_die", "attack_type", "damage_type", "weapon_hands", "natural_weapon", "range", "reach")
    return has_map(begun) and any(
        all(held[name] == thing.gear[name] for name in weapons) for thing in begun.objects if thing.has_item
    )

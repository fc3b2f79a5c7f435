"""One function that lists all faults of a state: what no fight can come to, each in a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.core.flow import Machine
from heartrush_env.core.game import LARGEST_FIGHT
from heartrush_env.core.rule import entry_point, uncompiled
from heartrush_env.heart_rush.editions.edition import Edition
from heartrush_env.heart_rush.engine.offers import CHOICES
from heartrush_env.heart_rush.engine.state import (
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
from heartrush_env.heart_rush.rules.choices import Target
from heartrush_env.heart_rush.rules.conditions import HIGHEST_LEVEL
from heartrush_env.heart_rush.rules.cover import NO_LINE, find_cover
from heartrush_env.heart_rush.rules.movement import DIRECTIONS
from heartrush_env.heart_rush.rules.space import CLOSED_DOOR, IS_WALL, OPEN_DOOR, read_map
from heartrush_env.heart_rush.rules.terms import (
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

LARGEST_GIVEN = 20
DASHES_A_ROUND = 2  # the free one and the action's
_LASTING_GROUND = ("width", "height", "drop", "light")
_ROWS_OF_BITS = ("walls", "drops", "slow", "slowest", "covering")
_DOORS = (CLOSED_DOOR, OPEN_DOOR)
_SINGLE_STEPS = 40  # sidesteps, each for a rush point or the action, swinging past and following


def find_faults(match: Any, start: Any, edition: Edition) -> list[str]:
    """Every fault of a fight at rest, given the record that it started from; empty for a sound one."""
    faults = _moment_faults(match, start, edition)
    if faults:
        return faults
    if has_map(match):
        faults += _ground_faults(match, start, edition.machine)
    for i in range(int(match.n)):
        faults += [f"fighter {i}: {fault}" for fault in _fighter_faults(match, i, start.fighters[i])]
    return faults


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
        (_numbers_fit(match, edition), "a place of the round is that of nobody known"),
        (
            match.kept_count == machine.interrupted(match),
            "more or fewer choices are kept than windows wait around the open one",
        ),
        (
            0 <= match.ending < len(ENDINGS) and (match.ending == GOES_ON) == (match.window != OVER),
            "the ending is unknown",
        ),
        (bool(waits) == (match.window != OVER), "a window is open in which nobody is asked, or the other way round"),
        (match.engaged == machine.is_in(match, "phase"), "the phases go on elsewhere than in the engagement"),
        (
            0 <= match.hit_number <= len(match.hits) and 0 <= match.hit_count <= len(match.hits),
            "there are more hits than a batch holds",
        ),
        (0 <= match.given_used <= match.given_count <= len(match.given), "more given dice are used than were given"),
        (all(1 <= die <= LARGEST_GIVEN for die in _given_left(match)), "a given die is no die's result"),
        (match.bad_die == 0 and match.bad_sides == 0, "a given die was too large"),
        (min(match.seed, match.fight_number, match.step_count) >= 0, "the seed, the fight or the steps are below zero"),
        (match.fight_number <= LARGEST_FIGHT, "the number of the fight is beyond 2**62"),
        (0 <= match.round_number <= match.rules.max_rounds, "the round is beyond the cap"),
        (0 <= match.windows_used <= match.rules.windows_per_round, "more windows are used than a round has"),
        (0 <= match.phase < ATTACKING_STANCES, "the phase is unknown"),
        (_is_order(match, match.base_order), "the timing order does not name every fighter once"),
        (_is_order_if_any(match, match.order), "the order of the window does not name every fighter once"),
        (_is_order_if_any(match, match.window_order), "the order set aside does not name every fighter once"),
        (NOBODY <= match.mover < match.n, "the mover is nobody known"),
        (match.window != OPPORTUNITY_WINDOW or match.mover != NOBODY, "there is an opening, but nobody rises"),
        (NOBODY <= match.winner < match.n_teams and _winner_fits(match), "the winner is nobody known, or has not won"),
        (bool(np.all(np.abs(match.margin[: int(match.n_teams)]) <= 1.0)), "a lead is more than all hit points"),
        (all(_hit_fits(match, match.hits[k]) for k in hits), "a hit is from or on nobody known, or does nothing"),
    ]
    return [fault for sound, fault in checks if not sound] + (_turn_faults(match) if edition.turns else [])


def _turn_faults(match: Any) -> list[str]:
    """Faults of whose turn it is, and of who is in the engagement."""
    side, priority = int(match.engaged_side), int(match.priority)
    checks = [
        (NOBODY <= priority < match.n_teams and NOBODY <= side < match.n_teams, "a side with priority is unknown"),
        ((priority == NOBODY) == (side != NOBODY), "a side has priority in an engagement, or none outside it"),
        (
            side != NOBODY or not any(match.fighters[i].joined for i in range(int(match.n))),
            "somebody is in an engagement that has not begun",
        ),
        (0 <= match.passes <= match.n_teams, "more sides have passed than there are"),
    ]
    return [fault for sound, fault in checks if not sound]


def _stands_in_its_window(match: Any, machine: Machine) -> bool:
    """Whether the fight stands where its window is asked, in flows that its kind of record plays."""
    if any(flow.needs not in (None, *match.dtype.names) for flow in machine.plays(match)):
        return False
    return bool(match.window == (machine.window(match) if match.depth > 0 else OVER))


def _numbers_fit(match: Any, edition: Edition) -> bool:
    """Whether the numbers of the flows are of fighters, or of phases (`number`)."""
    n = int(match.n)
    limits = {"spot_end": n + 1, "number": len(edition.phases)}
    numbers = [(name, number) for frame in edition.machine.frames(match) for name, number in frame.items()]
    return all(number < limits.get(name, n) for name, number in numbers if name not in ("flow", "at"))


def _given_left(match: Any) -> Any:
    return match.given[int(match.given_used) : int(match.given_count)]


def _is_order(match: Any, order: Any) -> bool:
    return sorted(int(i) for i in order[: int(match.n)]) == list(range(int(match.n)))


def _is_order_if_any(match: Any, order: Any) -> bool:
    """Before anything was timed there is no order yet."""
    return _is_order(match, order) or not order.any()


def _winner_fits(match: Any) -> bool:
    if match.ending == VICTORY:
        return bool(match.winner != NOBODY)
    return bool(match.winner == NOBODY or match.ending == ROUND_CAP)


def _hit_fits(match: Any, hit: Any) -> bool:
    known = 0 <= hit.target < match.n and NOBODY <= hit.striker < match.n
    return bool(known and 0 <= hit.cause < len(HIT_CAUSES) and 0 <= hit.number < match.hit_count and hit.amount > 0)


def _fighter_faults(match: Any, i: int, start: Any) -> list[str]:
    fighter = match.fighters[i]
    others = range(NOBODY, int(match.n))
    checks = [
        (all(fighter[name] == start[name] for name in _lasting(match)), "what never changes has changed"),
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
        (fighter.heart in DIE_LADDER and fighter.heart <= fighter.heart_max, "the heart die is no size or too large"),
        (fighter.phase_heart in DIE_LADDER, "the heart die of the phase is no size"),
        (0 <= fighter.stance <= NO_STANCE and 0 <= fighter.said <= NO_STANCE, "the stance is unknown"),
        (all(0 <= stance <= NO_STANCE for stance in fighter.reveals), "a remembered stance is unknown"),
        (_choice_fits(match, fighter.deed, fighter.target, fighter.detail), "the choice is unknown"),
        (
            all(_choice_fits(match, kept.deed, kept.target, kept.detail) for kept in _kept(match, i)),
            "a choice that is kept is unknown",
        ),
        (fighter.has_choice or not fighter.pending, "it is asked without a choice"),
        (0 <= fighter.turn < match.n and 0 <= fighter.check_ability < len(ABILITIES), "its turn or ability is unknown"),
        (all(fighter[name] >= 0 for name in _COUNTS) and min(fighter.stance_count) >= 0, "a count is below zero"),
        (fighter.rush >= 0, "rush points are below zero"),
        (0 <= fighter.active_rounds <= match.round_number, "it was active in more rounds than there were"),
        (fighter.grappling in others and fighter.climbing in others, "whom it holds or rides is nobody known"),
        (all(source in others for source in fighter.source), "the source of a condition is nobody known"),
    ]
    faults = [fault for sound, fault in checks if not sound]
    if has_map(match) and not faults:
        faults = _faults_on_ground(match, i, start)
    return faults or _condition_faults(match, i)


def _kept(match: Any, i: int) -> Any:
    """The choices of a fighter in the windows that enclose the open one."""
    return match.kept[i : int(match.kept_count) * int(match.n) : int(match.n)]


def _lasting(match: Any) -> tuple[str, ...]:
    """The fields that never change; on a map the weapon and the shield may, among those that the fighter carries."""
    return tuple(name for name in _LASTING if name not in IN_HAND) if has_map(match) else _LASTING


_COUNTS = ("wounds", "wound_count", "helped", "shrugs", "rounds_at_zero")
_LASTING = (
    "hero", "surprised", "natural_weapon", "index", "team", "heart_max", "weapon_die", "attack_type", "damage_type",
    "weapon_hands", "shield_hands", "armor", "shield", "thrown", "attack_bonus", "size_rank", "wound_threshold",
    "hp_max", "enemy_count", "ally_count",
)  # fmt: skip
_LASTING_LISTS = ("ability", "enemies", "allies")


def _hits_pending(match: Any) -> bool:
    return bool(match.hit_count > 0)


def _choice_fits(match: Any, deed: Any, target: Any, detail: Any) -> bool:
    """A choice that this kind of fight knows, at somebody if it needs somebody, with a detail that it has."""
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
            faults.append(f"{name} is marked otherwise than its levels say")
        if levels > 0 and condition in SOURCED and fighter.source[condition] in (NOBODY, i):
            faults.append(f"{name} comes from nobody else")
    return faults or [fault for sound, fault in _link_checks(match, fighter, i) if not sound]


def _link_checks(match: Any, fighter: Any, i: int) -> list[tuple[bool, str]]:
    fighters = [match.fighters[j] for j in range(min(int(match.n), len(match.fighters)))]
    held, mount = int(fighter.grappling), int(fighter.climbing)
    return [
        (int(fighter.afflicted) < 1 << N_CONDITIONS, "a condition is marked that there is not"),
        (
            (held != NOBODY) == (fighter.levels[GRAPPLING] > 0),
            "holds somebody without grappling, or the other way round",
        ),
        (
            held == NOBODY or (fighters[held].levels[GRAPPLED] > 0 and fighters[held].source[GRAPPLED] == i),
            "holds one who is not held",
        ),
        (
            (mount != NOBODY) == (fighter.levels[CREATURE_CLIMBER] > 0),
            "rides somebody without climbing, or the other way round",
        ),
        (mount == NOBODY or fighters[mount].levels[CLIMBED_ON] > 0, "rides one who is not climbed on"),
        (
            fighter.levels[GRAPPLED] == 0 or fighters[fighter.source[GRAPPLED]].grappling == i,
            "is held by one who does not hold it",
        ),
        (fighter.status == STANDING or (held == NOBODY and mount == NOBODY), "is out and still holds or rides"),
    ]


# The ground, and where fighters are on it.


def _ground_faults(match: Any, start: Any, machine: Machine) -> list[str]:
    """Faults of the map, and of what is remembered about it."""
    checks = [
        (all(match[name] == start[name] for name in _LASTING_GROUND), "the battlefield is another scenario's"),
        (
            all({int(now), int(then)} == set(_DOORS) for now, then in _changed_squares(match, start)),
            "the map has changed where it has no door",
        ),
        (
            0 <= match.path_at <= match.path_length <= MAX_ROUTE
            and all(0 <= direction < DIRECTIONS for direction in match.path[: int(match.path_length)]),
            "the way of the mover is none",
        ),
        (all(NOBODY <= cover <= NO_LINE for cover in match.cover), "a cover is no number of levels"),
    ]
    faults = [fault for sound, fault in checks if not sound]
    return faults or _memory_faults(match) or _body_faults(match, machine) or _cover_faults(match)


def _changed_squares(match: Any, start: Any) -> Any:
    """The terrain now and at the start, wherever they differ."""
    changed = match.cells != start.cells
    return zip(match.cells[changed], start.cells[changed], strict=True)


def _memory_faults(match: Any) -> list[str]:
    anew = np.array([match])
    uncompiled(read_map)(anew.view(np.recarray)[0])
    fresh = all(np.array_equal(match[name], anew[0][name]) for name in _ROWS_OF_BITS)
    return [] if fresh else ["the rows of bits are of another map"]


def _body_faults(match: Any, machine: Machine) -> list[str]:
    """Fighters outside the map, in walls, or in each other's space; other checks need these to pass first."""
    n = int(match.n)
    faults = [f"fighter {i}: {fault}" for i in range(n) for fault in _place_faults(match, match.fighters[i])]
    if faults:
        return faults
    on_its_way = int(match.mover) if machine.is_in(match, "dash") else NOBODY  # passing others, struck at
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
    mount = int(fighter.climbing)
    if mount != NOBODY and _apart(fighter, match.fighters[mount]) > 0:
        return ["it is off the creature that it rides"]
    held = int(fighter.grappling)
    if held != NOBODY and _apart(fighter, match.fighters[held]) > 1:
        return ["it holds one who is out of its reach"]
    return []


def _apart(fighter: Any, other: Any) -> int:
    """Squares between two fighters, by the book."""
    gaps = []
    for axis in ("x", "y"):
        first, second = int(fighter[axis]), int(other[axis])
        gaps.append(max(0, second - first - int(fighter.side) + 1, first - second - int(other.side) + 1))
    return max(gaps)


def _fill_one_square(fighter: Any, other: Any) -> bool:
    """Whether two who stand and have their space to themselves share some of it, neither of them riding."""
    if any(one.status != STANDING or not one.bulky or one.climbing != NOBODY for one in (fighter, other)):
        return False
    return _apart(fighter, other) == 0


def _cover_faults(match: Any) -> list[str]:
    pair = int(find_stale_cover(np.array([match])))
    return [] if pair == NOBODY else [f"fighter {pair // MOST_FIGHTERS}: the cover of another is out of date"]


@entry_point
def find_stale_cover(matches):
    """The first pair of fighters whose cover is remembered otherwise than it would be found now, or nobody."""
    match = matches[0]
    for i in range(match.n):
        for j in range(match.n):
            pair = i * MOST_FIGHTERS + j
            known = match.cover[pair]
            if i != j and known != NOBODY and known != find_cover(match, i, j):
                return pair
    return NOBODY


def _faults_on_ground(match: Any, i: int, start: Any) -> list[str]:
    """Faults of what a map adds to a fighter."""
    fighter = match.fighters[i]
    fastest = max(int(fighter.sets[k].speed) for k in range(2))
    sets = {_carried(fighter.sets[0]), _carried(fighter.sets[1])}
    checks = [
        (fighter.side == start.side and fighter.bulky == start.bulky, "its size has changed"),
        (
            0 <= fighter.squares_moved <= DASHES_A_ROUND * fastest + _SINGLE_STEPS,
            "it has moved further than a round allows",
        ),
        (0 <= fighter.floor_x < MAP_SIDE and 0 <= fighter.floor_y < MAP_SIDE, "its weapon lies nowhere"),
        (NOBODY <= fighter.has_pushed < match.n, "it has pushed nobody known"),
        (not fighter.squeezes or fighter.grappling != NOBODY, "it may squeeze nobody, for it holds nobody"),
        (
            0 <= fighter.route_length <= MAX_ROUTE
            and all(0 <= direction < DIRECTIONS for direction in fighter.route[: int(fighter.route_length)]),
            "its route is none",
        ),
        (sets == {_carried(start.sets[0]), _carried(start.sets[1])}, "it carries what it never had"),
        (all(fighter[name] == fighter.sets[0][name] for name in IN_HAND), "it holds what it does not carry in hand"),
    ]
    return [fault for sound, fault in checks if not sound]


def _carried(held: Any) -> tuple[int, ...]:
    return tuple(int(held[name]) for name in held.dtype.names)

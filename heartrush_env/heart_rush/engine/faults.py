"""One function that lists all faults of a state: what no fight can come to, each in a sentence."""

from __future__ import annotations

from typing import Any

from heartrush_env.heart_rush.engine.rounds import PLACES
from heartrush_env.heart_rush.engine.state import ENDINGS, MAX_HITS, WINDOWS
from heartrush_env.heart_rush.rules.conditions import HIGHEST_LEVEL
from heartrush_env.heart_rush.rules.terms import (
    CLIMBED_ON,
    CONDITIONS,
    CREATURE_CLIMBER,
    DEAD,
    DEEDS,
    GRAPPLED,
    GRAPPLING,
    MAX_FIGHTERS,
    NO_STANCE,
    NOBODY,
    STANDING,
    STATUSES,
)

HEART_DICE = (4, 6, 8, 10, 12, 20)


def find_faults(match: Any, start: Any) -> list[str]:
    """Every fault of a fight at rest, given the record that it started from; empty for a sound one."""
    faults = _moment_faults(match, start)
    if faults:
        return faults
    for i in range(int(match.n)):
        faults += [f"fighter {i}: {fault}" for fault in _fighter_faults(match, i, start.fighters[i])]
    return faults


def _moment_faults(match: Any, start: Any) -> list[str]:
    checks = [
        (match.n == start.n and match.n_teams == start.n_teams, "the number of fighters or teams is another scenario's"),
        (match.rules == start.rules, "the settings are another scenario's"),
        (0 <= match.window < len(WINDOWS), "the window is unknown"),
        (0 <= match.at < len(PLACES), "the place in the round is unknown"),
        (0 <= match.then < len(PLACES), "the place after the hits is unknown"),
        (0 <= match.ending < len(ENDINGS), "the ending is unknown"),
        (0 <= match.hit_count <= MAX_HITS, "there are more hits than a batch holds"),
        (0 <= match.given_used <= match.given_count <= len(match.given), "more given dice are used than were given"),
        (0 <= match.round_number <= match.rules.max_rounds, "the round is beyond the cap"),
        (0 <= match.phase <= 2, "the phase is unknown"),
        (0 <= match.cursor <= match.n, "more declarations are resolved than there are fighters"),
        (_is_order(match, match.base_order), "the timing order does not name every fighter once"),
        (_is_order(match, match.order), "the order of the window does not name every fighter once"),
        (_is_order(match, match.window_order) or not match.window_order.any(), "the order set aside is broken"),
        (NOBODY <= match.mover < match.n and NOBODY <= match.winner < match.n_teams, "the mover or winner is nobody known"),
        (all(_hit_fits(match, match.hits[k]) for k in range(int(match.hit_count))), "a hit names nobody known"),
    ]
    return [fault for sound, fault in checks if not sound]


def _is_order(match: Any, order: Any) -> bool:
    return sorted(int(i) for i in order[: int(match.n)]) == list(range(int(match.n)))


def _hit_fits(match: Any, hit: Any) -> bool:
    return 0 <= hit.target < match.n and NOBODY <= hit.striker < match.n and 0 < hit.amount


def _fighter_faults(match: Any, i: int, start: Any) -> list[str]:
    fighter = match.fighters[i]
    others = range(NOBODY, int(match.n))
    checks = [
        (all(fighter[name] == start[name] for name in _LASTING), "what never changes has changed"),
        (all((fighter[name] == start[name]).all() for name in _LASTING_LISTS), "what never changes has changed"),
        (0 <= fighter.status < len(STATUSES), "the status is unknown"),
        (fighter.hp <= fighter.hp_max, "hit points are above the maximum"),
        (fighter.status == DEAD or fighter.hp > -fighter.hp_max or match.rules.death_at_reduced or _hits_pending(match),
         "hit points are at the negative of the maximum, and the fighter lives"),
        (fighter.heart in HEART_DICE and fighter.heart <= fighter.heart_max, "the heart die is no size or too large"),
        (fighter.phase_heart in HEART_DICE, "the heart die of the phase is no size"),
        (0 <= fighter.stance <= NO_STANCE and 0 <= fighter.said <= NO_STANCE, "the stance is unknown"),
        (all(0 <= stance <= NO_STANCE for stance in fighter.reveals), "a remembered stance is unknown"),
        (0 <= fighter.deed < len(DEEDS) and 0 <= fighter.first_deed < len(DEEDS), "the choice is unknown"),
        (fighter.target in others and fighter.first_target in others, "the target is nobody known"),
        (fighter.wounds >= 0 and fighter.wound_count >= 0 and fighter.helped >= 0, "a count is below zero"),
        (fighter.grappling in others and fighter.climbing in others, "whom it holds or rides is nobody known"),
        (all(source in others for source in fighter.source), "the source of a condition is nobody known"),
    ]  # fmt: skip
    faults = [fault for sound, fault in checks if not sound]
    return faults or _condition_faults(match, i)


_LASTING = (
    "hero", "surprised", "natural_weapon", "index", "team", "heart_max", "weapon_die", "attack_type", "damage_type",
    "weapon_hands", "shield_hands", "armor", "shield", "attack_bonus", "size_rank", "wound_threshold", "hp_max",
    "enemy_count", "ally_count",
)  # fmt: skip
_LASTING_LISTS = ("ability", "enemies", "allies")


def _hits_pending(match: Any) -> bool:
    return bool(match.hit_count > 0)


def _condition_faults(match: Any, i: int) -> list[str]:
    fighter = match.fighters[i]
    faults = []
    for condition, name in enumerate(CONDITIONS):
        levels = int(fighter.levels[condition])
        if not 0 <= levels <= HIGHEST_LEVEL[condition]:
            faults.append(f"{name} has {levels} levels")
        if (levels > 0) != bool(int(fighter.afflicted) >> condition & 1):
            faults.append(f"{name} is marked otherwise than its levels say")
    return faults + [fault for sound, fault in _link_checks(match, fighter, i) if not sound]


def _link_checks(match: Any, fighter: Any, i: int) -> list[tuple[bool, str]]:
    fighters = [match.fighters[j] for j in range(min(int(match.n), MAX_FIGHTERS))]
    held, mount = int(fighter.grappling), int(fighter.climbing)
    return [
        ((held != NOBODY) == (fighter.levels[GRAPPLING] > 0), "holds somebody without grappling, or the other way round"),
        (held == NOBODY or (fighters[held].levels[GRAPPLED] > 0 and fighters[held].source[GRAPPLED] == i), "holds one who is not held"),
        ((mount != NOBODY) == (fighter.levels[CREATURE_CLIMBER] > 0), "rides somebody without climbing, or the other way round"),
        (mount == NOBODY or fighters[mount].levels[CLIMBED_ON] > 0, "rides one who is not climbed on"),
        (fighter.levels[GRAPPLED] == 0 or fighters[fighter.source[GRAPPLED]].grappling == i, "is held by one who does not hold it"),
        (fighter.status == STANDING or (held == NOBODY and mount == NOBODY), "is out and still holds or rides"),
    ]

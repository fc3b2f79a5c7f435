"""Weapons > Range: the range of weapons, long range, and the limits on shooting and moving in the same round."""

from __future__ import annotations

import numpy as np

from heartrush_env.core.rule import inlined, rule
from heartrush_env.heart_rush.rules.cover import in_sight
from heartrush_env.heart_rush.rules.sheet import attack_type
from heartrush_env.heart_rush.rules.space import distance, on_map
from heartrush_env.heart_rush.rules.speed import squares_per_dash
from heartrush_env.heart_rush.rules.terms import MELEE, RANGED, THROWN

REACH = 1  # squares of bare hands and melee weapons


# Range.


@rule("Weapons > Range")
def weapon_range(match, i):
    """The range of the weapon in hand in squares; reach weapons have one more until the fighter dashes in the round."""
    fighter = match.fighters[i]
    if attack_type(fighter) != MELEE:
        return np.int64(fighter.sets[0].range)
    return np.int64(REACH + (fighter.armed and fighter.sets[0].reach and not fighter.dashed))


@inlined
def shoots(fighter):
    """Whether the weapon in hand attacks from range: ranged or thrown."""
    return attack_type(fighter) == RANGED or attack_type(fighter) == THROWN


@on_map(True)
@rule("Combat > The Engagement > Attack Resolution Process > Range and Positioning")
def reaches(match, i, j):
    """A target must be within weapon range, twice that for ranged and thrown weapons, and in sight."""
    furthest = weapon_range(match, i)
    if shoots(match.fighters[i]):
        furthest *= 2
    return distance(match, i, j) <= furthest and in_sight(match, i, j)


@rule("Weapons > Range")
def long_range_levels(match, i, j):
    """Beyond its range, a ranged weapon has a level of disadvantage per two squares, a thrown one per square."""
    beyond = distance(match, i, j) - weapon_range(match, i)
    if beyond <= 0 or not shoots(match.fighters[i]):
        return 0
    return (beyond + 1) // 2 if attack_type(match.fighters[i]) == RANGED else beyond


# Shooting and moving.


@on_map(False)
@rule("Weapons > Range")
def may_only_defend(match, i):
    """A fighter that has moved more than half its speed this round may not shoot a ranged weapon."""
    fighter = match.fighters[i]
    return attack_type(fighter) == RANGED and fighter.squares_moved > squares_per_dash(match, i) // 2


@on_map(False)
@rule("Weapons > Range", "R-78")
def has_stepped_too_far(match, i):
    """A fighter whose agility step took it past half its speed may no longer attack with a ranged weapon."""
    return match.fighters[i].stepped and may_only_defend(match, i)


@rule("Weapons > Range")
def half_speed_left(match, i):
    """The squares that the fighter may still move this round without exceeding half its speed."""
    return max(0, squares_per_dash(match, i) // 2 - match.fighters[i].squares_moved)


@on_map(None)
@rule("Weapons > Range", "R-78")
def note_shot(match, i):
    """A fighter that attacks with a ranged weapon may move at most half its speed this round."""
    match.fighters[i].shot |= attack_type(match.fighters[i]) == RANGED


@on_map(None)
@rule("Weapons > Range", "R-83")
def note_lunge(match, i, target):
    """A fighter that attacks beyond 5 feet with a reach weapon outside the engagement may dash no more this round."""
    match.fighters[i].lunged |= attack_type(match.fighters[i]) == MELEE and distance(match, i, target) > REACH

"""Weapons > Range: the range of weapons, long range, and the limits on shooting and moving in the same round."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.cover import in_sight
from heartrush_env.games.heart_rush.rules.sheet import attack_type
from heartrush_env.games.heart_rush.rules.space import distance, on_map
from heartrush_env.games.heart_rush.rules.speed import squares_per_dash
from heartrush_env.games.heart_rush.rules.terms import MELEE, RANGED, THROWN
from heartrush_env.tabletop.rule import inlined, rule

REACH = 1  # reach of bare hands and melee weapons, in squares


# Range.


@rule("Weapons > Range")
def weapon_range(match, i):
    """Return the weapon's range in squares; reach weapons have one more until the fighter dashes in the round."""
    fighter = match.fighters[i]
    if attack_type(fighter) != MELEE:
        return np.int64(fighter.sets[0].range)
    return np.int64(REACH + (fighter.armed and fighter.sets[0].reach and not fighter.dashed))


@inlined
def shoots(fighter):
    """Return whether the weapon in hand attacks from range: ranged or thrown."""
    return attack_type(fighter) == RANGED or attack_type(fighter) == THROWN


@on_map(True)
@rule("Combat > The Engagement > Attack Resolution Process > Range and Positioning")
def reaches(match, i, j):
    """Return whether j is in sight and weapon range (doubled for ranged and thrown weapons); True without a map."""
    furthest = weapon_range(match, i)
    if shoots(match.fighters[i]):
        furthest *= 2
    return distance(match, i, j) <= furthest and in_sight(match, i, j)


@rule("Weapons > Range")
def long_range_levels(match, i, j):
    """Return the disadvantage levels beyond range: one per two squares for ranged weapons, per square for thrown."""
    beyond = distance(match, i, j) - weapon_range(match, i)
    if beyond <= 0 or not shoots(match.fighters[i]):
        return 0
    return (beyond + 1) // 2 if attack_type(match.fighters[i]) == RANGED else beyond


# Shooting and moving.


@on_map(False)
@rule("Weapons > Range")
def may_only_defend(match, i):
    """Return whether a fighter may not shoot: it holds a ranged weapon and has moved more than half its speed."""
    fighter = match.fighters[i]
    return attack_type(fighter) == RANGED and fighter.squares_moved > squares_per_dash(match, i) // 2


@on_map(False)
@rule("Weapons > Range", "R-78")
def has_stepped_too_far(match, i):
    """Return whether an agility step past half its speed keeps a fighter from attacking with its ranged weapon."""
    return match.fighters[i].stepped and may_only_defend(match, i)


@rule("Weapons > Range")
def half_speed_left(match, i):
    """Return the squares that the fighter may still move this round without exceeding half its speed."""
    return max(0, squares_per_dash(match, i) // 2 - match.fighters[i].squares_moved)


@on_map(None)
@rule("Weapons > Range", "R-78")
def note_shot(match, i):
    """Record an attack with a ranged weapon: the fighter may move at most half its speed this round."""
    match.fighters[i].shot |= attack_type(match.fighters[i]) == RANGED


@on_map(None)
@rule("Weapons > Range", "R-83")
def note_lunge(match, i, target):
    """Record an attack beyond 5 feet with a reach weapon outside the engagement: it forbids dashes for the round."""
    match.fighters[i].lunged |= attack_type(match.fighters[i]) == MELEE and distance(match, i, target) > REACH

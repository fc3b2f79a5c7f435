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
def weapon_range(fight, i):
    """Return the weapon's range in squares; a reach weapon has one more until the fighter dashes this round."""
    fighter = fight.fighters[i]
    if attack_type(fighter) != MELEE:
        return np.int64(fighter.sets[0].range)
    return np.int64(REACH + (fighter.armed and fighter.sets[0].reach and not fighter.dashed))


@inlined
def shoots(fighter):
    """Return whether the weapon in hand attacks from range: ranged or thrown."""
    return attack_type(fighter) == RANGED or attack_type(fighter) == THROWN


@on_map(True)
@rule("Combat > The Engagement > Attack Resolution Process > Range and Positioning")
def reaches(fight, i, j):
    """Return whether j is in sight and weapon range (doubled for ranged and thrown weapons); True without a map."""
    furthest = weapon_range(fight, i)
    if shoots(fight.fighters[i]):
        furthest *= 2
    return distance(fight, i, j) <= furthest and in_sight(fight, i, j)


@rule("Weapons > Range")
def long_range_levels(fight, i, j):
    """Return the disadvantage levels beyond range: one per two squares for ranged weapons, per square for thrown."""
    beyond = distance(fight, i, j) - weapon_range(fight, i)
    if beyond <= 0 or not shoots(fight.fighters[i]):
        return 0
    return (beyond + 1) // 2 if attack_type(fight.fighters[i]) == RANGED else beyond


# Shooting and moving.


@on_map(False)
@rule("Weapons > Range")
def must_defend(fight, i):
    """Return whether a fighter may not shoot: it holds a ranged weapon and has moved more than half its speed."""
    fighter = fight.fighters[i]
    return attack_type(fighter) == RANGED and fighter.squares_moved > squares_per_dash(fight, i) // 2


@on_map(False)
@rule("Weapons > Range", "R-78")
def has_stepped_too_far(fight, i):
    """Return whether an agility step past half its speed keeps a fighter from attacking with its ranged weapon."""
    return fight.fighters[i].stepped and must_defend(fight, i)


@rule("Weapons > Range")
def half_speed_left(fight, i):
    """Return the squares that the fighter may still move this round without exceeding half its speed."""
    return max(0, squares_per_dash(fight, i) // 2 - fight.fighters[i].squares_moved)


@on_map(None)
@rule("Weapons > Range", "R-78")
def note_shot(fight, i):
    """Record an attack with a ranged weapon: the fighter may move at most half its speed this round."""
    fight.fighters[i].shot |= attack_type(fight.fighters[i]) == RANGED


@on_map(None)
@rule("Weapons > Range", "R-83")
def note_lunge(fight, i, target):
    """Record an attack beyond 5 feet with a reach weapon outside the engagement: it forbids dashes for the round."""
    fight.fighters[i].lunged |= attack_type(fight.fighters[i]) == MELEE and distance(fight, i, target) > REACH

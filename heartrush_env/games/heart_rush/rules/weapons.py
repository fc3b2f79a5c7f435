"""Weapons > Range: the range of weapons, long range, and the limits on shooting and moving in the same round."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.cover import in_sight
from heartrush_env.games.heart_rush.rules.sheet import attack_type
from heartrush_env.games.heart_rush.rules.space import distance, on_map
from heartrush_env.games.heart_rush.rules.speed import squares_per_dash
from heartrush_env.games.heart_rush.rules.terms import MELEE, NOBODY, RANGED, THROWN
from heartrush_env.tabletop.rule import compiled, inlined, rule

REACH = 1  # reach of bare hands and of most melee weapons, in squares


@inlined
def type_against(fight, i, o):
    """Return the type of fighter i's attack on o, which may be NOBODY: its weapon's, unless an ability changes it."""
    return hooks.attack_type(fight, i, o, np.int64(attack_type(fight.fighters[i])))


# Range.


@rule("Weapons > Range", "R-182", "R-183")
def weapon_range(fight, i, o):
    """Return the weapon's range in squares against o, which may be NOBODY.

    A reach weapon has one square more until the fighter dashes this round.
    """
    fighter = fight.fighters[i]
    squares = np.int64(REACH)
    if fighter.armed:
        squares = np.int64(fighter.sets[0].range + (fighter.sets[0].reach and not fighter.dashed))
    return hooks.carries(fight, i, o, squares)


@inlined
def shoots(fight, i, o):
    """Return whether fighter i attacks o, which may be NOBODY, from range: its attack is ranged or thrown."""
    kind = type_against(fight, i, o)
    return kind == RANGED or kind == THROWN


@on_map(True)
@rule("Combat > The Engagement > Attack Resolution Process > Range and Positioning")
def reaches(fight, i, j):
    """Return whether j is in sight and weapon range (doubled for ranged and thrown weapons); True without a map."""
    furthest = weapon_range(fight, i, j)
    if shoots(fight, i, j):
        furthest *= 2
    return distance(fight, i, j) <= furthest and in_sight(fight, i, j)


@rule("Weapons > Range")
def long_range_levels(fight, i, j):
    """Return the disadvantage levels beyond range: one per two squares for ranged weapons, per square for thrown."""
    beyond = distance(fight, i, j) - weapon_range(fight, i, j)
    if beyond <= 0 or not shoots(fight, i, j):
        return 0
    return (beyond + 1) // 2 if type_against(fight, i, j) == RANGED else beyond


# Shooting and moving.


@on_map(False)
@rule("Weapons > Range")
def must_defend(fight, i):
    """Return whether a fighter may not shoot: it holds a ranged weapon and has moved more than half its speed."""
    far = fight.fighters[i].squares_moved > squares_per_dash(fight, i) // 2
    return type_against(fight, i, NOBODY) == RANGED and far


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
    fight.fighters[i].shot |= type_against(fight, i, NOBODY) == RANGED


@on_map(None)
@compiled
def forbid_dashes(fight, i):
    """Forbid fighter i to dash for the rest of the round, as after a lunge."""
    fight.fighters[i].lunged = True


@on_map(None)
@rule("Weapons > Range", "R-83")
def note_lunge(fight, i, target):
    """Record an attack beyond 5 feet with a reach weapon outside the engagement: it forbids dashes for the round."""
    fighter = fight.fighters[i]
    fighter.lunged |= type_against(fight, i, target) == MELEE and distance(fight, i, target) > fighter.sets[0].range

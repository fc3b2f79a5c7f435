"""Monsters > Creatures of Several Parts: parts and their bodies.

A part is a fighter that belongs to another fighter, its body. Parts that were cut off or may still grow are out of the
fight.
"""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.terms import DEAD, DEFEATED, NOBODY, STANDING
from heartrush_env.tabletop.rule import compiled, inlined, rule


@with_abilities(NOBODY)
@inlined
def body_of(fight, i):
    """Return the fighter that fighter i is a part of, or NOBODY."""
    return fight.fighters[i].body


@inlined
def bearer_of(fight, i):
    """Return the fighter that carries fighter i: its mount or else its body, or NOBODY."""
    ridden = fight.fighters[i].climbing
    return ridden if ridden != NOBODY else body_of(fight, i)


@compiled
def has_standing_part(fight, i):
    """Return whether any part of fighter i is standing."""
    for j in range(fight.n):
        if body_of(fight, j) == i and fight.fighters[j].status == STANDING:
            return True
    return False


@with_abilities(False)
@rule("Monsters > Creatures of Several Parts", "R-146")
def defeat_part_of(fight, i, j):
    """Defeat j, whatever its hit points, if it is a part of i, which has fallen; return whether j was defeated."""
    part = fight.fighters[j]
    if part.body != i or part.status == DEAD or part.status == DEFEATED:
        return False
    part.hp = min(part.hp, 0)
    part.status = DEFEATED
    return True

"""Monsters > Creatures of Several Parts: parts and their bodies.

A part is a fighter with a body. Those that may still grow are out of the fight, as those that have been cut off are.
"""

from __future__ import annotations

from heartrush_env.core.rule import compiled, inlined, rule
from heartrush_env.heart_rush.rules.hooks import with_abilities
from heartrush_env.heart_rush.rules.terms import DEAD, DEFEATED, NOBODY, STANDING


@with_abilities(NOBODY)
@inlined
def body_of(fight, i):
    """The fighter that fighter i is a part of, or nobody."""
    return fight.fighters[i].body


@inlined
def bearer_of(fight, i):
    """The fighter that fighter i is carried by: the one that it rides, or its body."""
    ridden = fight.fighters[i].climbing
    return ridden if ridden != NOBODY else body_of(fight, i)


@compiled
def has_standing_part(fight, i):
    """Whether any part of fighter i stands."""
    for j in range(fight.n):
        if body_of(fight, j) == i and fight.fighters[j].status == STANDING:
            return True
    return False


@with_abilities(False)
@rule("Monsters > Creatures of Several Parts", "R-146")
def falls_with_body(fight, i, j):
    """A part falls with its body, whatever hit points it had; returns whether fighter j falls with fighter i."""
    part = fight.fighters[j]
    if part.body != i or part.status == DEAD or part.status == DEFEATED:
        return False
    part.hp = min(part.hp, 0)
    part.status = DEFEATED
    return True

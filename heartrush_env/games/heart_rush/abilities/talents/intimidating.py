"""Intimidating."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import ON_LANDED
from heartrush_env.games.heart_rush.rules.conditions import spread
from heartrush_env.games.heart_rush.rules.hits import has_felled
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.terms import FRIGHTENED, STANDING
from heartrush_env.tabletop.rule import compiled

LEVELS = int(figures("intimidating", "frightened")[0])


@ability(
    "intimidating",
    on=[ON_LANDED],
    rulings=["R-113", "R-187"],
    left_out="its destiny version's limit on attacks, since nobody knows in time who else attacks",
)
class Intimidating:
    """When the owner drops an enemy to 0 hit points, enemies next to either of them are frightened."""

    def may(fight, i, slot, target):
        """Return whether the owner's hit has just dropped an enemy and there is an enemy to frighten."""
        for j in range(fight.n):
            if is_near_a_drop(fight, i, j):
                return True
        return False

    def do(fight, log, i, slot, target):
        for j in range(fight.n):
            if is_near_a_drop(fight, i, j):
                spread(fight, i, j, FRIGHTENED, LEVELS)


@compiled
def has_dropped_by(fight, i, k):
    """Return whether this hit has just landed, was dealt by fighter i, and took an enemy's last hit points."""
    hit = fight.hits[k]
    victim = fight.fighters[hit.target]
    just_now = hit.number == fight.hit_number - 1 and hit.striker == i and victim.team != fight.fighters[i].team
    return just_now and has_felled(fight, k)


@compiled
def is_near_a_drop(fight, i, j):
    """Return whether fighter j is a standing enemy next to fighter i, or next to an enemy that i has just dropped."""
    other = fight.fighters[j]
    if other.team == fight.fighters[i].team or other.status != STANDING:
        return False
    for k in range(fight.hit_count):
        if has_dropped_by(fight, i, k) and (next_to(fight, i, j) or next_to(fight, fight.hits[k].target, j)):
            return True
    return False

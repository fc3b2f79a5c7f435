"""Execute."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.abilities import ON_LANDED, Aim
from heartrush_env.games.heart_rush.rules.hits import has_felled, take_out
from heartrush_env.games.heart_rush.rules.terms import DEAD
from heartrush_env.tabletop.rule import compiled


@ability("execute", on=[ON_LANDED], aim=Aim.ENEMY)
class Execute:
    """The owner kills a creature that its damage has just taken to 0 hit points or fewer."""

    def may(fight, i, slot, target):
        return fight.fighters[target].dropped and is_felled_by(fight, i, target)

    def do(fight, log, i, slot, target):
        take_out(fight, log, target, DEAD)


@compiled
def is_felled_by(fight, i, target):
    """Return whether the hit that just landed on the target was fighter i's and took it to 0 hit points or fewer."""
    for k in range(fight.hit_count):
        hit = fight.hits[k]
        if hit.target == target and hit.number == fight.hit_number - 1:
            return hit.striker == i and has_felled(fight, k)
    return False

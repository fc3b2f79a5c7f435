"""I Didn't Feel A Thing."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, parts
from heartrush_env.games.heart_rush.rules.abilities import ON_DAMAGE
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.tabletop.rule import compiled

PARTS = parts("i_didnt_feel_a_thing", "factor")[0]


@ability("i_didnt_feel_a_thing", on=[ON_DAMAGE], left_out="pushes and conditions as the next harm")
class IDidntFeelAThing:
    """The next damage to the owner is halved, rounded down."""

    def may(fight, i, slot, target):
        """Return whether a hit on the owner is about to deal damage."""
        return first_hit(fight, i) != NOBODY

    def do(fight, log, i, slot, target):
        fight.hits[first_hit(fight, i)].amount //= PARTS


@compiled
def first_hit(fight, i):
    """Return the index of the hit that fighter i answers first, or NOBODY."""
    for k in range(fight.hit_count):
        if fight.hits[k].target == i and fight.hits[k].number == fight.hit_number:
            return k
    return NOBODY

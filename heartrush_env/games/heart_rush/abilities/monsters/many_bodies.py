"""Many Bodies."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.terms import NOBODY


@ability("many_bodies", rulings=["R-187"], left_out="holds, nets and riders, which seize it as they do one body")
class ManyBodies:
    """The owner does not suffer from conditions that another creature gives to it alone."""

    def suffers(fight, i, slot, condition, source, given):
        return -given if source != NOBODY and source != i else 0

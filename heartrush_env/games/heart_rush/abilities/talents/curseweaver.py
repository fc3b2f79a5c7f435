"""Curseweaver."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figures
from heartrush_env.games.heart_rush.rules.abilities import (
    ANY_MOMENT,
    Aim,
    note,
    notes,
    remember,
    version,
)
from heartrush_env.games.heart_rush.rules.cover import is_within
from heartrush_env.games.heart_rush.rules.hits import add_hit
from heartrush_env.games.heart_rush.rules.terms import FROM_ABILITY, MOST_FIGHTERS
from heartrush_env.tabletop.rng import roll_sum

RANGE = int(figures("curseweaver", "range_ft")[0])
DAMAGE = dice("curseweaver", "damage")


@ability("curseweaver", on=ANY_MOMENT, aim=Aim.ENEMY, rulings=["R-129"])
class Curseweaver:
    """A cursed enemy is hurt whenever it attacks the owner or a friend that was in range at the time of the curse."""

    def may(fight, i, slot, target):
        return is_within(fight, i, target, RANGE)

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, 0)
        note(fight, i, slot, MOST_FIGHTERS + target, True)
        for other in range(fight.n):
            friend = fight.fighters[other].team == fight.fighters[i].team
            note(fight, i, slot, other, other == i or (friend and is_within(fight, i, other, RANGE)))

    def attacked(fight, i, slot, striker, target, cause, damage):
        if notes(fight, i, slot, MOST_FIGHTERS + striker) and notes(fight, i, slot, target):
            returned = roll_sum(fight, DAMAGE[version(fight, i, slot), 0], DAMAGE[version(fight, i, slot), 1])
            add_hit(fight, striker, i, FROM_ABILITY, returned, fight.exchange.rank)

"""Deoric Endurance."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.abilities import (
    ANY_MOMENT,
    MINUTE,
    is_destined,
    memo_for,
    remember_now,
)
from heartrush_env.games.heart_rush.rules.conditions import is_impairing, lose
from heartrush_env.games.heart_rush.rules.dice import count_again
from heartrush_env.games.heart_rush.rules.terms import N_CONDITIONS, OF_HEART
from heartrush_env.tabletop.rule import compiled


@ability("deoric_endurance", on=ANY_MOMENT, rulings=["R-120", "R-131"])
class DeoricEndurance:
    """For a minute, the owner's heart dice show their maximum.

    In the destiny version, others cannot daze, off-balance or weaken the owner for this minute.
    """

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, 1)
        for condition in range(N_CONDITIONS):
            if is_destined(fight, i, slot) and is_impairing(condition):
                lose(fight.fighters[i], condition)

    def suffers(fight, i, slot, condition, source, given):
        if not is_destined(fight, i, slot) or memo_for(fight, i, slot, MINUTE) == 0:
            return 0
        return -given if is_impairing(condition) and source != i else 0

    def rolled(fight, i, slot, kind, other, roll):
        if memo_for(fight, i, slot, MINUTE) > 0:
            show_the_most(roll, fight.fighters[i].heart_max)

    def checked(fight, i, slot, kind, roll):
        if memo_for(fight, i, slot, MINUTE) > 0:
            show_the_most(roll, fight.fighters[i].heart_max)


@compiled
def show_the_most(roll, sides):
    """Set the heart dice of a roll to the maximum of the full heart die."""
    for k in range(min(roll.pool.count, roll.count)):
        if roll.pool.source[k] == OF_HEART:
            roll.results[k] = sides
            count_again(roll)

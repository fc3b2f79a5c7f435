"""Ballad of Bjorn."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, is_destined, note, notes, version
from heartrush_env.games.heart_rush.rules.conditions import lose
from heartrush_env.games.heart_rush.rules.cover import is_within
from heartrush_env.games.heart_rush.rules.terms import CHARMED, FRIGHTENED, MOST_FIGHTERS, STANDING
from heartrush_env.tabletop.rule import compiled

RANGE = figures("ballad_of_bjorn", "range_ft")
RUSH = figures("ballad_of_bjorn", "rush")


@ability("ballad_of_bjorn", on=[ON_ACTION], rulings=["R-225"])
class BalladOfBjorn:
    """Allies that have heard the owner's ballad know neither fear nor charms, are rested, and once earn more rush.

    In the destiny version, the owner is one of them. The memo is the set of listeners, and a bit while their rush
    points are due.
    """

    def may(fight, i, slot, target):
        return fight.round_number == 1 and (is_destined(fight, i, slot) or fight.fighters[i].ally_count > 0)

    def do(fight, log, i, slot, target):
        note(fight, i, slot, MOST_FIGHTERS, True)
        for j in range(fight.n):
            if listens(fight, i, slot, j):
                other = fight.fighters[j]
                note(fight, i, slot, j, True)
                lose(other, FRIGHTENED)
                lose(other, CHARMED)
                other.heart = other.phase_heart = other.heart_max

    def suffers_for(fight, i, slot, victim, condition, source, given):
        fears = condition == FRIGHTENED or condition == CHARMED
        return -given if fears and notes(fight, i, slot, victim) else 0

    def round_starts(fight, i, slot, log):
        if notes(fight, i, slot, MOST_FIGHTERS):
            note(fight, i, slot, MOST_FIGHTERS, False)
            for j in range(fight.n):
                if notes(fight, i, slot, j):
                    fight.fighters[j].rush += RUSH[version(fight, i, slot)]


@compiled
def listens(fight, i, slot, j):
    """Return whether fighter j stands on the owner's side in range, or is the owner in the destiny version."""
    other = fight.fighters[j]
    if j == i:
        return is_destined(fight, i, slot)
    return other.team == fight.fighters[i].team and other.status == STANDING and is_within(fight, i, j, RANGE[0])

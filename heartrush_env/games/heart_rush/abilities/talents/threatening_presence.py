"""Threatening Presence."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.talents.infuriating import is_aggravated_at
from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import is_destined, note, notes, remember
from heartrush_env.games.heart_rush.rules.conditions import inflict_from
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.terms import AGGRAVATED, STANDING

LEVELS = int(figures("threatening_presence", "aggravated")[0])


@ability("threatening_presence", rulings=["R-213"])
class ThreateningPresence:
    """An enemy that ends the round next to the owner without having fought it is aggravated at it.

    In the destiny version, aggravated creatures next to the owner may attack only the owner in the engagement.
    The memo is the set of the creatures that have fought the owner in the round.
    """

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)

    def attacked(fight, i, slot, striker, target, cause, damage):
        if striker == i:
            note(fight, i, slot, target, True)
        elif target == i:
            note(fight, i, slot, striker, True)

    def round_ends(fight, i, slot, log):
        if fight.fighters[i].status != STANDING:
            return
        for j in range(fight.n):
            other = fight.fighters[j]
            near = other.team != fight.fighters[i].team and other.status == STANDING and next_to(fight, i, j)
            if near and not notes(fight, i, slot, j):
                inflict_from(fight, i, j, AGGRAVATED, LEVELS)

    def bars(fight, i, slot, striker, target):
        if target == i or not is_destined(fight, i, slot) or not is_aggravated_at(fight, i, striker):
            return False
        return next_to(fight, i, striker)

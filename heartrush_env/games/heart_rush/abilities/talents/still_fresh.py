"""Still Fresh."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import is_destined
from heartrush_env.games.heart_rush.rules.conditions import is_impairing
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.tabletop.rule import compiled

FADE = int(figures("still_fresh", "fade")[0])  # levels per round, including the default one


@ability("still_fresh")
class StillFresh:
    """While the owner's heart die is full, dazed, off-balanced and weakened fade faster.

    In the destiny version, enemies cannot inflict them on the owner while its heart die is full.
    """

    def fades(fight, i, slot, condition):
        return FADE - 1 if is_fresh(fight, i) and is_impairing(condition) else 0

    def suffers(fight, i, slot, condition, source, given):
        if not is_destined(fight, i, slot) or not is_fresh(fight, i) or not is_impairing(condition):
            return 0
        return -given if is_enemy(fight, i, source) else 0


@compiled
def is_fresh(fight, i):
    """Return whether a fighter's heart die is at its maximum."""
    return fight.fighters[i].heart == fight.fighters[i].heart_max


@compiled
def is_enemy(fight, i, source):
    """Return whether the source of a condition is an enemy."""
    return source != NOBODY and fight.fighters[source].team != fight.fighters[i].team

"""Careful Shot."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.engine.strikes import is_own_attack
from heartrush_env.games.heart_rush.rules.abilities import is_destined, memo, note, notes, remember, version
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.cunning import IMPAIRING, worst_for
from heartrush_env.games.heart_rush.rules.terms import ATTACK, MOST_FIGHTERS, RANGED
from heartrush_env.games.heart_rush.rules.weapons import type_against
from heartrush_env.tabletop.rule import compiled

LEVELS = figures("careful_shot", "impair")
FACTOR = figures("careful_shot", "range_factor")
MOVED = 1 << MOST_FIGHTERS  # in the memo, beside the set of fighters that the owner has shot at carefully


@ability("careful_shot", rulings=["R-116", "R-216"])
class CarefulShot:
    """If the owner has moved neither last round nor in this one, it shoots twice as far, past cover, and impairs.

    The target gets levels of one of the conditions of the cunning effect, or of all in the destiny version.
    """

    def round_ends(fight, i, slot, log):
        remember(fight, i, slot, MOVED if fight.fighters[i].moved else 0)

    def carries(fight, i, slot, target, squares):
        return FACTOR[version(fight, i, slot)] * squares if is_careful(fight, i, slot, target) else squares

    def cover(fight, i, slot, target, levels):
        return 0 * levels if is_careful(fight, i, slot, target) else levels

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK and is_own_attack(fight, i):
            note(fight, i, slot, other, is_careful(fight, i, slot, other))

    def effect(fight, i, slot, log, target):
        if notes(fight, i, slot, target):
            note(fight, i, slot, target, False)
            levels = LEVELS[version(fight, i, slot)]
            if is_destined(fight, i, slot):
                for condition in IMPAIRING:
                    inflict(fight, i, target, condition, levels)
            else:
                inflict(fight, i, target, worst_for(fight.fighters[target]), levels)


@compiled
def is_careful(fight, i, slot, target):
    """Return whether the owner would shoot at the target, which may be NOBODY, without having moved."""
    stays = not fight.fighters[i].moved and memo(fight, i, slot) & MOVED == 0
    return stays and type_against(fight, i, target) == RANGED

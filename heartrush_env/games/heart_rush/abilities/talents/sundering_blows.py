"""Sundering Blows."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.held import strikes_heavily
from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import is_destined, memo, note, notes, remember, version
from heartrush_env.games.heart_rush.rules.stances import stance_met
from heartrush_env.games.heart_rush.rules.terms import ATTACK, CUNNING, MIGHT, MOST_FIGHTERS
from heartrush_env.tabletop.rule import compiled

LOSS = figures("sundering_blows", "armor_loss")
BITS_OF_COUNT = 3  # bits of a memo that count the blows against one fighter
MOST = (1 << BITS_OF_COUNT) - 1
STRUCK = BITS_OF_COUNT * MOST_FIGHTERS  # the first of the bits for the fighters struck in this phase


@ability("sundering_blows", rulings=["R-175"])
class SunderingBlows:
    """Might attacks with a heavy melee weapon on targets in cunning stance sunder their armor for the fight.

    The destiny version sunders armor below 0.
    """

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK:
            note(fight, i, slot, STRUCK + other, is_sundering(fight, i, other))

    def effect(fight, i, slot, log, target):
        if notes(fight, i, slot, STRUCK + target):
            note(fight, i, slot, STRUCK + target, False)
            if blows_against(fight, i, slot, target) < MOST:
                remember(fight, i, slot, memo(fight, i, slot) + (np.int64(1) << np.int64(BITS_OF_COUNT * target)))

    def armor(fight, i, slot, victim, bonus):
        sundered = bonus - LOSS[version(fight, i, slot)] * blows_against(fight, i, slot, victim)
        return sundered if is_destined(fight, i, slot) else max(min(0, bonus), sundered)


@compiled
def is_sundering(fight, i, target):
    """Return whether the attack in progress is fighter i's, in might, with a heavy melee weapon, against cunning."""
    exchange = fight.exchange
    if i != exchange.striker or not exchange.beaten or exchange.stance != MIGHT:
        return False
    return stance_met(fight, i, target, True) == CUNNING and strikes_heavily(fight, i, target)


@compiled
def blows_against(fight, i, slot, victim):
    """Return the number of phases in which the owner's blows have sundered the victim's armor."""
    return memo(fight, i, slot) >> np.int64(BITS_OF_COUNT * victim) & MOST

"""Whispers of Madness."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import MINUTE, ON_ACTION, Aim, memo, remember, version
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.cover import is_within
from heartrush_env.games.heart_rush.rules.terms import DAZED, MOST_FIGHTERS, SHAKEN, STANDING
from heartrush_env.tabletop.rule import compiled

RANGE = int(figures("whispers_of_madness", "range_ft")[0])
DAZES = int(figures("whispers_of_madness", "dazed")[0])
SHAKES = int(figures("whispers_of_madness", "shaken")[0])
USES = figures("whispers_of_madness", "max_uses", otherwise=1)
MOST = 4  # a memo's numbers of uses, of dazed levels and of shaken levels are below this
ROUND = MOST_FIGHTERS * MOST * MOST * MOST


@ability("whispers_of_madness", on=[ON_ACTION], aim=Aim.ENEMY, rulings=["R-120", "R-135"])
class WhispersOfMadness:
    """The target gets levels of dazed and shaken that do not fade for a minute; the destiny version repeats this twice.

    The memo holds the target, the number of uses, the levels that they gave, and the round of the last use. It does not
    count levels that the target's abilities refused.
    """

    def may(fight, i, slot, target):
        return is_within(fight, i, target, RANGE)

    def do(fight, log, i, slot, target):
        whisper(fight, i, slot, np.int64(target), 1)

    def round_starts(fight, i, slot, log):
        """Repeat the destiny version at no cost while it has uses left."""
        target, uses = target_of(fight, i, slot), uses_of(fight, i, slot)
        if uses == 0 or target >= fight.n or uses == USES[version(fight, i, slot)] or not is_able(fight, i):
            return
        if fight.fighters[target].status == STANDING and is_within(fight, i, target, RANGE):
            whisper(fight, i, slot, target, uses + 1)

    def holds(fight, i, slot, victim, condition):
        if uses_of(fight, i, slot) == 0 or victim != target_of(fight, i, slot):
            return 0
        if fight.round_number - memo(fight, i, slot) // ROUND >= MINUTE:
            return 0
        if condition == DAZED:
            return dazed_by(fight, i, slot)
        return shaken_by(fight, i, slot) if condition == SHAKEN else 0


@compiled
def whisper(fight, i, slot, target, uses):
    """Inflict dazed and shaken, and remember the target, the number of uses, the levels and the round."""
    dazed = dazed_by(fight, i, slot) + max(0, inflict(fight, i, target, DAZED, DAZES))
    shaken = shaken_by(fight, i, slot) + max(0, inflict(fight, i, target, SHAKEN, SHAKES))
    levels = (dazed * MOST + shaken) * MOST + uses
    remember(fight, i, slot, fight.round_number * ROUND + levels * MOST_FIGHTERS + target)


@compiled
def uses_of(fight, i, slot):
    """Return how often the owner has whispered."""
    return memo(fight, i, slot) // MOST_FIGHTERS % MOST


@compiled
def shaken_by(fight, i, slot):
    """Return the levels of shaken that the owner's whispers gave."""
    return memo(fight, i, slot) // (MOST_FIGHTERS * MOST) % MOST


@compiled
def dazed_by(fight, i, slot):
    """Return the levels of dazed that the owner's whispers gave."""
    return memo(fight, i, slot) // (MOST_FIGHTERS * MOST * MOST) % MOST


@compiled
def target_of(fight, i, slot):
    """Return the fighter that the owner whispers to."""
    return memo(fight, i, slot) % MOST_FIGHTERS

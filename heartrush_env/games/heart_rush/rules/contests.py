"""Dice Mechanics > Contested Checks, and the effect of size on them."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.checks import might_or_agility, roll_check
from heartrush_env.games.heart_rush.rules.sheet import note_cause
from heartrush_env.games.heart_rush.rules.terms import BY_ABILITY, CHECK
from heartrush_env.tabletop.rule import compiled, rule

MIGHT_OR_AGILITY = 4  # in a contest, the one of the two with the higher expected roll


@rule("Dice Mechanics > Contested Checks", "R-1")
def wins_contest(own, opposing):
    """Return whether a total beats the opposing total; a tie changes nothing."""
    return own > opposing


@compiled
def sizes_larger(fight, i, target):
    """Return by how many size categories the target is larger than fighter i; negative if it is smaller."""
    return fight.fighters[target].size_rank - fight.fighters[i].size_rank


@compiled
def roll_side(fight, i, opponent, ability, levels, cause, more, out):
    """Roll fighter i's check of a contest into `out`; return the total.

    Args:
        ability: An ability die, or MIGHT_OR_AGILITY.
        levels: Levels of advantage, at least 0, that have this cause.
        cause: The cause of `levels`; ignored if there are none.
        more: Further levels, which abilities give.
    """
    extra, die = levels + more, np.int64(ability)
    if ability == MIGHT_OR_AGILITY:
        die = np.int64(might_or_agility(fight, i, CHECK, opponent, extra))
    total = roll_check(fight, i, CHECK, die, opponent, extra, out)
    if levels > 0:
        note_cause(fight, cause, levels)
    note_cause(fight, BY_ABILITY, more)
    return total

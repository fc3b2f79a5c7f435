"""Dice Mechanics > Contested Checks, and the effect of size on them."""

from __future__ import annotations

from heartrush_env.core.rule import compiled, rule


@rule("Dice Mechanics > Contested Checks", "R-1")
def wins_contest(own, opposing):
    """The higher total wins; a tie leaves things as they were."""
    return own > opposing


@compiled
def sizes_larger(fight, i, target):
    """The number of size categories by which the target is larger than fighter i."""
    return fight.fighters[target].size_rank - fight.fighters[i].size_rank

"""Dice Mechanics > Contested Checks, and what size counts for in them."""

from __future__ import annotations

from heartrush_env.core.rule import compiled, rule


@rule("Dice Mechanics > Contested Checks", "R-1")
def wins_contest(own, opposing):
    """The higher total wins; a tie leaves things as they were."""
    return own > opposing


@compiled
def sizes_larger(fight, i, target):
    """How many size categories the target is larger than fighter i."""
    return fight.fighters[target].size_rank - fight.fighters[i].size_rank

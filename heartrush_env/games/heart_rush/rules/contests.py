"""Dice Mechanics > Contested Checks, and the effect of size on them."""

from __future__ import annotations

from heartrush_env.tabletop.rule import compiled, rule


@rule("Dice Mechanics > Contested Checks", "R-1")
def wins_contest(own, opposing):
    """Return whether a total beats the opposing total; a tie changes nothing."""
    return own > opposing


@compiled
def sizes_larger(fight, i, target):
    """Return by how many size categories the target is larger than fighter i; negative if it is smaller."""
    return fight.fighters[target].size_rank - fight.fighters[i].size_rank

"""Bloodoath."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, Aim, memo, remember, version
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS
from heartrush_env.tabletop.rule import compiled

RUSH = int(figures("bloodoath", "rush")[0])
ADVANTAGE = figures("bloodoath", "advantage")
HAS_FOUGHT = 2 * MOST_FIGHTERS  # added to the memo, one more than the sworn enemy, if the two have fought this round


@ability("bloodoath", on=[ON_ACTION], aim=Aim.ENEMY, rulings=["R-176"], left_out="knowing where the sworn enemy is")
class Bloodoath:
    """After each round in which it fights the enemy of its oath, the owner gains another rush point.

    In the destiny version, its attacks on and defenses against this enemy have advantage, and the oath costs no action.
    """

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, 1 + target)

    def attacked(fight, i, slot, striker, target, cause, damage):
        among = (striker == i and is_sworn(fight, i, slot, target)) or (
            target == i and is_sworn(fight, i, slot, striker)
        )
        if among and memo(fight, i, slot) < HAS_FOUGHT:
            remember(fight, i, slot, memo(fight, i, slot) + HAS_FOUGHT)

    def gains_rush(fight, i, slot):
        if memo(fight, i, slot) < HAS_FOUGHT:
            return 0
        remember(fight, i, slot, memo(fight, i, slot) - HAS_FOUGHT)
        return RUSH

    def attack(fight, i, slot, target, stance):
        return ADVANTAGE[version(fight, i, slot)] if is_sworn(fight, i, slot, target) else 0

    def defense(fight, i, slot, striker, stance):
        return ADVANTAGE[version(fight, i, slot)] if is_sworn(fight, i, slot, striker) else 0


@compiled
def is_sworn(fight, i, slot, other):
    """Return whether the owner has sworn against this fighter."""
    return memo(fight, i, slot) % HAS_FOUGHT == 1 + other

"""Hulking."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.held import HEAVY_DIE
from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.actions.objects import take_in_hand
from heartrush_env.games.heart_rush.rules.terms import FEET, MELEE, RANGED
from heartrush_env.games.heart_rush.scenario.catalog import sizes
from heartrush_env.tabletop.rule import compiled

STEPS = int(figures("hulking", "size_steps")[0])
FURTHER = int(figures("hulking", "heavy_ranged_bonus_ft")[0]) // FEET
LARGE, LARGEST = sizes()["large"], max(sizes().values())
ONE_HAND = 1


@ability("hulking", rulings=["R-174"], left_out="heavy weapons that are found during a fight")
class Hulking:
    """The owner counts as one size larger; if large, it holds heavy melee weapons in one hand.

    Its heavy ranged weapons have a longer range. The destiny version changes only the price of hit points.
    """

    def begin(fight, i, slot):
        fighter = fight.fighters[i]
        fighter.size_rank = min(LARGEST, fighter.size_rank + STEPS)
        for k in range(len(fighter.sets)):
            lighten(fighter.sets[k], fighter.size_rank >= LARGE)
        take_in_hand(fighter, fighter.sets[0])


@compiled
def lighten(held, is_large):
    """Change a weapon that is carried: its hands for a large fighter, and its range."""
    if held.weapon_die != HEAVY_DIE:
        return
    if is_large and held.attack_type == MELEE and held.weapon_hands > ONE_HAND:
        held.weapon_hands = ONE_HAND
    if held.attack_type == RANGED:
        held.range += FURTHER

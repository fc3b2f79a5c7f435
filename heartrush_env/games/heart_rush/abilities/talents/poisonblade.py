"""Poisonblade."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.held import which_weapon, wields_weapon
from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figure, figures
from heartrush_env.games.heart_rush.rules.abilities import is_destined, memo, remember
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.terms import BY_ATTACK, POISONED
from heartrush_env.tabletop.rng import roll_sum
from heartrush_env.tabletop.rule import compiled

POISONS, LEVELS = figure("poisonblade", "poisons"), figure("poisonblade", "poisoned")
DIE, KEEP_ON = int(dice("poisonblade", "die")[1, 1]), int(figures("poisonblade", "keep_on")[1])


@ability(
    "poisonblade", rulings=["R-280"],
    left_out="poisons with effects of their own, and coating a weapon during a fight",
)  # fmt: skip
class Poisonblade:
    """The owner's weapon has a coat of two poisons, which an attack that deals damage passes on and wipes off.

    In the destiny version, the coat stays on a high enough roll. The memo is 1 once the coat is gone.
    """

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        if striker == i and cause in BY_ATTACK and damage > 0 and has_coat(fight, i, slot):
            inflict(fight, i, victim, POISONED, POISONS * LEVELS)
            if not is_destined(fight, i, slot) or roll_sum(fight, 1, DIE) < KEEP_ON:
                remember(fight, i, slot, 1)


@compiled
def has_coat(fight, i, slot):
    """Return whether fighter i holds the weapon that it began with, and the coat is still on that weapon."""
    fighter = fight.fighters[i]
    return memo(fight, i, slot) == 0 and wields_weapon(fighter) and which_weapon(fighter) == 0

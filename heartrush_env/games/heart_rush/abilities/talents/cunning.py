"""Cunning."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figures
from heartrush_env.games.heart_rush.rules.cunning import CUNNING_LEVELS
from heartrush_env.games.heart_rush.rules.streaks import add_streak_die
from heartrush_env.games.heart_rush.rules.terms import CUNNING

LEVELS = int(figures("cunning", "rider_levels")[0])
NAMED = int(CUNNING_LEVELS.sum(axis=1).max())  # the levels of the ordinary cunning effect
DIE = int(dice("cunning", "die")[1, 1])


@ability("cunning", rulings=["R-118"])
class Cunning:
    """The owner's cunning effect gives twice the levels.

    In the destiny version, the owner's rolls get a die that grows with each round in a row in cunning stance.
    """

    def rider(fight, i, slot, striker, dealt):
        return dealt * LEVELS // NAMED if striker == i else dealt

    def attack(fight, i, slot, target, stance):
        add_streak_die(fight, i, slot, CUNNING, DIE)
        return 0

    def defense(fight, i, slot, striker, stance):
        add_streak_die(fight, i, slot, CUNNING, DIE)
        return 0

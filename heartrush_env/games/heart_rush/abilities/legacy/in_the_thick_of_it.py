"""In the Thick of It."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus
from heartrush_env.games.heart_rush.rules.space import standing_beside

PER_ENEMY = figure("in_the_thick_of_it", "per_enemy")


@ability("in_the_thick_of_it")
class InTheThickOfIt:
    """Each enemy adjacent to the owner adds to its attack and its defense rolls."""

    def attack(fight, i, slot, target, stance):
        add_ability_bonus(fight.pool, PER_ENEMY * standing_beside(fight, i, False))
        return 0

    def defense(fight, i, slot, striker, stance):
        add_ability_bonus(fight.pool, PER_ENEMY * standing_beside(fight, i, False))
        return 0

"""Fury."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.attack_rolls import heart_die
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice

HEART_DICE = figures("fury", "extra_heart_dice")


@ability("fury", rulings=["R-13", "R-22"])
class Fury:
    """Below 0 hit points, the owner attacks with extra heart dice."""

    def attack(fight, i, slot, target, stance):
        fighter = fight.fighters[i]
        if fighter.hp < 0:
            add_bonus_dice(fight.pool, HEART_DICE[version(fight, i, slot)], heart_die(fight, i, target))
        return 0

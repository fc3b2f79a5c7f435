"""Favored Attacker."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.attack_rolls import heart_die
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice

HEART_DICE = figure("favored_attacker", "extra_heart_dice")


@ability("favored_attacker", rulings=["R-13", "R-22"])
class FavoredAttacker:
    """The owner attacks with one more heart die."""

    def attack(fight, i, slot, target, stance):
        add_bonus_dice(fight.pool, HEART_DICE, heart_die(fight, i, target))
        return 0

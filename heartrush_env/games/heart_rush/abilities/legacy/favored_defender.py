"""Favored Defender."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.attack_rolls import heart_die
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice

HEART_DICE = figure("favored_defender", "extra_heart_dice")


@ability("favored_defender", rulings=["R-13", "R-22"])
class FavoredDefender:
    """The owner defends with one more heart die."""

    def defense(fight, i, slot, striker, stance):
        add_bonus_dice(fight.pool, HEART_DICE, heart_die(fight, i, striker))
        return 0

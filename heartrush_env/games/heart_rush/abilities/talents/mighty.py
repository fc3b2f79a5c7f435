"""Mighty."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figures
from heartrush_env.games.heart_rush.rules.abilities import memo, remember
from heartrush_env.games.heart_rush.rules.attack_rolls import earns_follow_up
from heartrush_env.games.heart_rush.rules.streaks import add_streak_die
from heartrush_env.games.heart_rush.rules.terms import FROM_FOLLOW_UP, MIGHT

FURTHER = int(figures("mighty", "extra_might_bonus")[0])
THROWS = 2  # with the ordinary might bonus: the attack and one more
DIE = int(dice("mighty", "die")[1, 1])


@ability("mighty", rulings=["R-118", "R-134"])
class Mighty:
    """The might bonus of the owner's weapon counts once more.

    In the destiny version, the owner's rolls get a die that grows with each round in a row in might stance.
    """

    def might_bonus(fight, i, slot, striker, target):
        return FURTHER if striker == i else 0

    def follows_up(fight, i, slot, target):
        """Return whether the owner makes a further throw: its attack has earned one, and it has a weapon left."""
        fighter, exchange = fight.fighters[i], fight.exchange
        if exchange.cause != FROM_FOLLOW_UP:
            own, opposing = np.int64(fight.attack_roll.total), np.int64(fight.defense_roll.total)
            earned = i == exchange.striker and earns_follow_up(
                fight, i, exchange.target, exchange.beaten, exchange.stance, own, opposing
            )
            remember(fight, i, slot, FURTHER if earned else 0)
            return False
        left = memo(fight, i, slot)
        remember(fight, i, slot, max(0, left - 1))
        return left > 0 and fighter.thrown > THROWS + FURTHER - left

    def attack(fight, i, slot, target, stance):
        add_streak_die(fight, i, slot, MIGHT, DIE)
        return 0

    def defense(fight, i, slot, striker, stance):
        add_streak_die(fight, i, slot, MIGHT, DIE)
        return 0

"""Assassin."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, Aim, is_destined, memo, remember
from heartrush_env.games.heart_rush.rules.terms import FROM_OPPORTUNITY

AT_OPENINGS = figures("assassin", "oa_advantage")
OTHERWISE = figures("assassin", "attack_advantage")


@ability(
    "assassin", destined_on=[ON_ACTION], aim=Aim.ENEMY, rulings=["R-225"],
    left_out="the silence of a target, which is the whole base version",
)  # fmt: skip
class Assassin:
    """In the destiny version, the owner has advantage against one creature that it has studied in secret.

    It has more of it on opportunity attacks.
    """

    def may(fight, i, slot, target):
        return is_destined(fight, i, slot) and fight.round_number == 1 and memo(fight, i, slot) == 0

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, 1 + target)

    def attack(fight, i, slot, target, stance):
        if memo(fight, i, slot) != np.int64(1) + target:
            return 0
        return AT_OPENINGS[1] if fight.exchange.cause == FROM_OPPORTUNITY else OTHERWISE[1]

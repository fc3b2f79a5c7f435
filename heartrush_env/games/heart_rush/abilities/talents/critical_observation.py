"""Critical Observation."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures, options
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, Aim, answer, is_destined, memo, remember
from heartrush_env.games.heart_rush.rules.checks import roll_check
from heartrush_env.games.heart_rush.rules.terms import CHECK, CUNNING, USE
from heartrush_env.games.heart_rush.state.events import tell_check

NUMBER = figures("critical_observation", "base_cn")
ADVANTAGE = figures("critical_observation", "advantage")
SEEN = 32  # the memo is this times the levels of advantage, plus one more than the creature


@ability(
    "critical_observation", on=[ON_ACTION], aim=Aim.ENEMY, rulings=["R-225"],
    picks=[options("the common number", "the higher number")],
)  # fmt: skip
class CriticalObservation:
    """A cunning check shows the owner how to attack a creature that it has studied before the fight.

    The destiny version may try a higher number for more advantage.
    """

    def may(fight, i, slot, target):
        return fight.round_number == 1

    def asks(fight, i, slot, target, part):
        return is_destined(fight, i, slot)

    def do(fight, log, i, slot, target):
        harder = max(0, answer(fight, i, 0))
        other = fight.fighters[target]
        total = roll_check(fight, i, CHECK, CUNNING, target, 0, fight.attack_roll)
        success = total >= NUMBER[harder] + other.armor + other.shield
        remember(fight, i, slot, SEEN * ADVANTAGE[harder] + 1 + target if success else 0)
        tell_check(fight, log, i, USE, success)

    def attack(fight, i, slot, target, stance):
        number = memo(fight, i, slot)
        return number // SEEN if number % SEEN == np.int64(1) + target else 0

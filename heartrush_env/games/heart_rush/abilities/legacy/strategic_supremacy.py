"""Strategic Supremacy."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import CREATURE, ability, figure, options, parts
from heartrush_env.games.heart_rush.rules.abilities import ANY_MOMENT, MINUTE, Aim, answer, memo, remember
from heartrush_env.games.heart_rush.rules.cover import has_ally_within, is_ally_within, is_within
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS

RANGE = figure("strategic_supremacy", "range_ft")
FACTOR = figure("strategic_supremacy", "devastate_factor")
PART = int(parts("strategic_supremacy", "protect_factor")[0])
ITSELF, ANOTHER = range(2)
PAIR = MOST_FIGHTERS * MOST_FIGHTERS


@ability(
    "strategic_supremacy", on=ANY_MOMENT, aim=Aim.ENEMY, rulings=["R-120", "R-194"],
    picks=[options("protect itself", "protect an ally"), CREATURE],
)  # fmt: skip
class StrategicSupremacy:
    """For a minute, damage to the target is doubled, and damage to the owner or an ally in range is halved.

    The half is rounded down. The memo encodes the round and both creatures.
    """

    def may(fight, i, slot, target):
        return is_within(fight, i, target, RANGE)

    def asks(fight, i, slot, target, part):
        return part == 0 or answer(fight, i, 0) == ANOTHER

    def may_pick(fight, i, slot, target, part, picked):
        if part == 1:
            return is_ally_within(fight, i, picked, RANGE)
        return picked == ITSELF or has_ally_within(fight, i, RANGE)

    def do(fight, log, i, slot, target):
        protected = np.int64(i)
        if answer(fight, i, 0) == ANOTHER:
            protected = answer(fight, i, 1)
        when = np.int64(fight.round_number)
        remember(fight, i, slot, when * PAIR + protected * MOST_FIGHTERS + np.int64(target))

    def scales(fight, i, slot, victim, damage):
        plan = memo(fight, i, slot)
        if plan == 0 or fight.round_number - plan // PAIR >= MINUTE:
            return damage
        if victim == plan % MOST_FIGHTERS:
            return damage * FACTOR
        return damage // PART if victim == plan // MOST_FIGHTERS % MOST_FIGHTERS else damage

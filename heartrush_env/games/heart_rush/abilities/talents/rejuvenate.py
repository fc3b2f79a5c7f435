"""Rejuvenate."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, options, parts
from heartrush_env.games.heart_rush.rules.abilities import MOST_OPTIONS, ON_ACTION, Aim, answer, version
from heartrush_env.games.heart_rush.rules.healing import heal, pay_in_blood
from heartrush_env.games.heart_rush.rules.space import next_to

PARTS = parts("rejuvenate", "factor")  # the ally heals one of this many equal parts
TEN = 10


@ability(
    "rejuvenate", on=[ON_ACTION], aim=Aim.ALLY, costs_interaction=True, on_fallen=True, rulings=["R-122", "R-166"],
    picks=[
        options(*(str(TEN * tens) for tens in range(MOST_OPTIONS))),
        options(*(f"{ones} more" for ones in range(TEN))),
    ],
)  # fmt: skip
class Rejuvenate:
    """The owner gives up hit points, and an adjacent ally heals half as many, or all of them in the destiny version."""

    def may(fight, i, slot, target):
        return fight.fighters[i].hp > 1 and next_to(fight, i, target)

    def may_pick(fight, i, slot, target, part, picked):
        if part == 0:
            return TEN * picked < fight.fighters[i].hp
        return 0 < TEN * answer(fight, i, 0) + picked < fight.fighters[i].hp

    def do(fight, log, i, slot, target):
        given = TEN * answer(fight, i, 0) + answer(fight, i, 1)
        pay_in_blood(fight, i, given)
        heal(fight, log, target, i, given // PARTS[version(fight, i, slot)])

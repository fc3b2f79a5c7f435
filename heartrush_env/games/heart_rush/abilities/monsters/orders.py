"""An ability of the Bandit Captain: Orders."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import DIRECTION, ability, figure, later
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, Aim, open_pick
from heartrush_env.games.heart_rush.rules.actions.sidestep import step_out_of_turn, steps_out_of_turn
from heartrush_env.games.heart_rush.rules.cover import is_within

RANGE = figure("bandit_captain.orders", "range_ft")


@ability(
    "bandit_captain.orders", on=[ON_ACTION], aim=Aim.ALLY, rulings=["R-170"], per_round=(1, 1), needs="cells",
    picks=[later(DIRECTION)],
)  # fmt: skip
class Orders:
    """Once a round, an ally within range sidesteps at no cost in a direction that the ally picks."""

    def may(fight, i, slot, target):
        return is_within(fight, i, target, RANGE) and steps_out_of_turn(fight, target) != 0

    def do(fight, log, i, slot, target):
        open_pick(fight, target, i, slot, 0)

    def may_pick(fight, i, slot, who, part, picked):
        return steps_out_of_turn(fight, who) >> picked & 1 == 1

    def picked(fight, log, i, slot, who, part, picked):
        step_out_of_turn(fight, log, who, picked)

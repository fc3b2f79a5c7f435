"""Eternal Fortitude."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figure, later, numbers
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import (
    ANY_MOMENT,
    BANKED_DICE,
    BANKED_DIE,
    MOST_OPTIONS,
    ON_FIRST_ROLL,
    answer,
    memo,
    open_pick,
    remember,
)
from heartrush_env.games.heart_rush.rules.costs import spend_points
from heartrush_env.games.heart_rush.rules.dice import throw_further
from heartrush_env.games.heart_rush.rules.terms import DEFENSE

PER_POINT = figure("eternal_fortitude", "dice_per_rush")
DIE = int(dice("eternal_fortitude", "die")[0, 1])
MOST_POINTS = MOST_OPTIONS - 1
MOST_AT_ONCE = 20
BANK = MOST_AT_ONCE + 1  # the memo is this times the dice in the bank, plus those for the next defense


@ability(
    "eternal_fortitude", on=[*ANY_MOMENT, ON_FIRST_ROLL], rulings=["R-195"],
    picks=[numbers(), later(numbers(MOST_AT_ONCE))],
)  # fmt: skip
class EternalFortitude:
    """The owner spends rush points to bank dice.

    Before each of its defenses, the owner picks how many dice of the bank to roll into it.
    """

    def may(fight, i, slot, target):
        return fight.fighters[i].rush > 0

    def may_pick(fight, i, slot, target, part, picked):
        if part == 0:
            return 0 < picked <= fight.fighters[i].rush
        return picked <= memo(fight, i, slot) // BANK

    def auto(fight, i, slot, target, part):
        return min(np.int64(fight.fighters[i].rush), MOST_POINTS) if part == 0 else np.int64(0)

    def do(fight, log, i, slot, target):
        points = answer(fight, i, 0)
        spend_points(fight, log, i, points)
        banked = BANK * hooks.improves(fight, i, BANKED_DICE, points * PER_POINT)
        remember(fight, i, slot, memo(fight, i, slot) + banked)

    def defends(fight, i, slot, striker):
        if memo(fight, i, slot) >= BANK and not fight.dashing:
            open_pick(fight, i, i, slot, 1)

    def picked(fight, log, i, slot, who, part, picked):
        remember(fight, i, slot, memo(fight, i, slot) // BANK * BANK + picked)

    def rolled(fight, i, slot, kind, other, roll):
        number = memo(fight, i, slot) % BANK
        if kind == DEFENSE and number > 0:
            remember(fight, i, slot, (memo(fight, i, slot) // BANK - number) * BANK)
            throw_further(fight, roll, number, hooks.improves(fight, i, BANKED_DIE, np.int64(DIE)))

"""Blitz."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import CREATURE, DIRECTION, ability, figure, later
from heartrush_env.games.heart_rush.engine.strikes import add_open
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, note, notes, open_pick, remember
from heartrush_env.games.heart_rush.rules.actions.opportunity import best_attack, meets_defense
from heartrush_env.games.heart_rush.rules.actions.sidestep import step_out_of_turn, steps_out_of_turn
from heartrush_env.games.heart_rush.rules.costs import spend_rush
from heartrush_env.games.heart_rush.rules.space import plays_on_map
from heartrush_env.games.heart_rush.rules.stances import may_target
from heartrush_env.games.heart_rush.rules.terms import FROM_OPPORTUNITY, STANDING
from heartrush_env.tabletop.rule import compiled

PRICE = figure("blitz", "rush_per_use")
FOE, STEP = range(2)  # the parts


@ability(
    "blitz", on=[ON_ACTION], rulings=["R-115", "R-211"],
    picks=[later(CREATURE, optional=True), later(DIRECTION, optional=True)],
    left_out="points that are spent later in the round",
)  # fmt: skip
class Blitz:
    """For each rush point, the owner strikes at another enemy at once, and then may sidestep.

    The memo is the set of the creatures struck in this use, and the owner itself while the use lasts.
    """

    def may(fight, i, slot, target):
        return may_strike_anyone(fight, i, slot)

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, 0)
        open_pick(fight, i, i, slot, FOE)

    def may_pick(fight, i, slot, who, part, picked):
        if part == STEP:
            return plays_on_map(fight) and steps_out_of_turn(fight, i) >> picked & 1 == 1
        return may_strike(fight, i, slot, picked)

    def picked(fight, log, i, slot, who, part, picked):
        if part == STEP:
            step_out_of_turn(fight, log, i, picked)
        else:
            for _ in range(PRICE):
                spend_rush(fight, log, i)
            note(fight, i, slot, picked, True)
            if meets_defense(fight, log, i, picked):
                note(fight, i, slot, i, True)
                add_open(fight, i, picked, best_attack(fight, i, picked))

    def attacked(fight, i, slot, striker, target, cause, damage):
        if striker == i and cause == FROM_OPPORTUNITY and notes(fight, i, slot, i):
            note(fight, i, slot, i, False)
            if plays_on_map(fight):
                open_pick(fight, i, i, slot, STEP)
            open_pick(fight, i, i, slot, FOE)


@compiled
def may_strike(fight, i, slot, j):
    """Return whether the owner has a rush point for a creature that it has not struck in this use and may target."""
    if fight.fighters[i].rush < PRICE or notes(fight, i, slot, j) or fight.fighters[j].status != STANDING:
        return False
    return may_target(fight, i, j)


@compiled
def may_strike_anyone(fight, i, slot):
    """Return whether there is a creature that the owner may strike."""
    for j in range(fight.n):
        if may_strike(fight, i, slot, j):
            return True
    return False

"""Call to Action."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.further_attacks import has_another_target
from heartrush_env.games.heart_rush.abilities.hearing import hears
from heartrush_env.games.heart_rush.abilities.unit import CREATURE, DIRECTION, ability, figure, later
from heartrush_env.games.heart_rush.rules.abilities import (
    ANY_MOMENT,
    ON_PHASE,
    ON_REVEAL,
    answer,
    memo,
    open_pick,
    remember,
)
from heartrush_env.games.heart_rush.rules.actions.sidestep import step_out_of_turn, steps_out_of_turn
from heartrush_env.games.heart_rush.rules.engaging import goes_by_turns
from heartrush_env.games.heart_rush.rules.healing import heal
from heartrush_env.games.heart_rush.rules.sheet import bit
from heartrush_env.games.heart_rush.rules.terms import FROM_ATTACK, MOST_FIGHTERS, NOBODY
from heartrush_env.tabletop.rule import compiled

RANGE, HEALS = (figure("call_to_action", name) for name in ("range_ft", "heal"))
ATTACKS, HEALED, STEPS, WHERE = range(4)  # the parts
SET = 1 << MOST_FIGHTERS  # a memo is the set of this round's engagement, plus this times that of the next one


@ability(
    "call_to_action", on=ANY_MOMENT, rulings=["R-247"],
    picks=[CREATURE, CREATURE, CREATURE, later(DIRECTION, optional=True)],
    left_out="the levels and the push of the second attack",
)  # fmt: skip
class CallToAction:
    """Of allies that hear the owner, one may attack two targets in the next engagement, one heals, and one sidesteps.

    The memo holds the set of those that attack two targets in this engagement, and the set for the next one.
    """

    def may(fight, i, slot, target):
        return has_hearer(fight, i, False)

    def asks(fight, i, slot, target, part):
        return has_hearer(fight, i, part == STEPS)

    def may_pick(fight, i, slot, target, part, picked):
        if part == WHERE:
            return steps_out_of_turn(fight, target) >> picked & 1 == 1
        return is_called(fight, i, picked, part == STEPS)

    def auto(fight, i, slot, target, part):
        return most_hurt(fight, i) if part == HEALED else np.int64(NOBODY)

    def do(fight, log, i, slot, target):
        later_on = fight.occasion == ON_REVEAL or fight.occasion == ON_PHASE
        called = bit(answer(fight, i, ATTACKS))
        remember(fight, i, slot, memo(fight, i, slot) | (called * SET if later_on else called))
        heal(fight, log, answer(fight, i, HEALED), i, HEALS)
        if answer(fight, i, STEPS) != NOBODY:
            open_pick(fight, answer(fight, i, STEPS), i, slot, WHERE)

    def picked(fight, log, i, slot, who, part, picked):
        step_out_of_turn(fight, log, who, picked)

    def attacked(fight, i, slot, striker, target, cause, damage):
        called = memo(fight, i, slot) >> np.int64(striker) & 1 == 1
        if called and cause == FROM_ATTACK and has_another_target(fight, striker):
            fight.fighters[striker].follow_up = True

    def round_starts(fight, i, slot, log):
        if not goes_by_turns(fight):
            remember(fight, i, slot, memo(fight, i, slot) // SET)

    def engagement_ends(fight, i, slot):
        remember(fight, i, slot, memo(fight, i, slot) // SET)


@compiled
def is_called(fight, i, j, steps):
    """Return whether fighter j is an ally that hears the owner's call and, if asked, can take a step now."""
    return hears(fight, i, j, RANGE) and (not steps or steps_out_of_turn(fight, j) != 0)


@compiled
def has_hearer(fight, i, steps):
    """Return whether any ally hears the owner's call and, if asked, can take a step now."""
    for j in range(fight.n):
        if is_called(fight, i, j, steps):
            return True
    return False


@compiled
def most_hurt(fight, i):
    """Return the ally that hears the owner and has lost the most hit points."""
    found, most = np.int64(NOBODY), np.int64(-1)
    for j in range(fight.n):
        lost = np.int64(fight.fighters[j].hp_max) - fight.fighters[j].hp
        if is_called(fight, i, j, False) and lost > most:
            found, most = np.int64(j), lost
    return found

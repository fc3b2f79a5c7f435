"""Dice and checks: one d20, or two with advantage or disadvantage, and a bonus against a number."""

import numpy as np

from heartrush_env.games.heretics.book import rule
from heartrush_env.games.heretics.events import tell_check
from heartrush_env.tabletop.rng import roll_die
from heartrush_env.tabletop.rule import compiled

HEADING = "Dice and checks"
ALL_CHECKS, ATTACKS_ALONE = range(2)  # values of the setting natural_extremes


@rule(HEADING)
def defense(fighter, ability):
    """Return the number that a check against this ability must reach."""
    return 10 + np.int64(fighter.ability[ability])


@rule(HEADING, "R-2")
def roll_d20(fight):
    """Roll the d20 of a check: the higher of two with advantage, the lower with disadvantage, one with both or none."""
    first = roll_die(fight, 20)
    helps, hinders = fight.exchange.helps != 0, fight.exchange.hinders != 0
    if helps == hinders or fight.rules.advantage_dice != 0:
        return first
    second = roll_die(fight, 20)
    return max(first, second) if helps else min(first, second)


@rule(HEADING, "R-1")
def succeeds(fight, natural, total, number, attacks):
    """Return whether a check succeeds: its total reaches the number, unless a natural 20 or 1 decides."""
    extremes = fight.rules.natural_extremes
    if extremes == ALL_CHECKS or (extremes == ATTACKS_ALONE and attacks):
        return natural == 20 or (natural != 1 and total >= number)
    return total >= number


@compiled
def begin_check(fight, hinders):
    """Forget the causes of the last check; `hinders` has a bit for each cause of disadvantage of the next check."""
    fight.exchange.helps = 0
    fight.exchange.hinders = hinders


@compiled
def check(fight, bonus, number, attacks):
    """Roll a check with the causes gathered so far, and keep its die and total; return whether it succeeds."""
    natural = roll_d20(fight)
    fight.exchange.natural = natural
    fight.exchange.total = natural + bonus
    return succeeds(fight, natural, natural + bonus, number, attacks)


@compiled
def check_aloud(fight, log, i, target, what, bonus, number):
    """Roll a check of fighter i against the target for the purpose `what`; write its event, and return its success."""
    success = check(fight, bonus, number, False)
    tell_check(fight, log, i, target, what, fight.exchange.natural, fight.exchange.total, number, success)
    return success

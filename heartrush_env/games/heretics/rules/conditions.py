"""Conditions: how they begin and end, and what they hinder and help."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.book import rule
from heartrush_env.games.heretics.events import tell_condition
from heartrush_env.games.heretics.rules.dice import begin_check, check_aloud
from heartrush_env.games.heretics.terms import BLIND, EXHAUSTED, GRAPPLED, OPEN, PARALYZED, PRONE, STUNNED, SURPRISED
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.rule import compiled, inlined

HEADING = "Conditions"


def bits(*conditions: int) -> int:
    """Return a number with a bit for each of these conditions."""
    return sum(1 << condition for condition in conditions)


HINDER_CHECKS = bits(EXHAUSTED, GRAPPLED, SURPRISED)  # they hinder all checks of their fighter
HINDER_ATTACKS = HINDER_CHECKS | bits(PRONE, BLIND)  # they hinder all attacks of their fighter
HELP_AGAINST = bits(OPEN, SURPRISED, PARALYZED, STUNNED, BLIND)  # they help all attacks on their fighter


@inlined
def has(fighter, condition):
    """Return whether a fighter has a condition."""
    return fighter.afflicted >> condition & 1 != 0


@rule(HEADING, "R-45")
def afflict(fight, log, i, condition):
    """Give a fighter a condition that lasts until the end of its next phase."""
    afflict_until(fight, log, i, condition, fight.fighters[i].phases + 1)


@compiled
def afflict_until(fight, log, i, condition, until):
    """Give a fighter a condition until the end of its phase `until` (for "open", of that round); 0 means no end."""
    fighter = fight.fighters[i]
    fighter.until[condition] = until
    if not has(fighter, condition):
        tell_condition(fight, log, i, condition, True)
    fighter.afflicted = fighter.afflicted | 1 << condition


@compiled
def relieve(fight, log, i, condition):
    """End a condition, if the fighter has it."""
    fighter = fight.fighters[i]
    if has(fighter, condition):
        fighter.afflicted = fighter.afflicted ^ 1 << condition
        if condition == GRAPPLED:
            fighter.grappler = NOBODY
        tell_condition(fight, log, i, condition, False)


@rule(HEADING, "R-45")
def end_conditions(fight, log):
    """End the conditions that run out with the phase that ends now."""
    for i in range(fight.n):
        fighter = fight.fighters[i]
        for condition in range(len(terms.CONDITIONS) if fighter.acting else 0):
            if condition != OPEN and 0 < fighter.until[condition] <= fighter.phases:
                relieve(fight, log, i, condition)


@rule(HEADING, "R-29")
def cannot_act(fighter):
    """Return whether a condition denies a fighter both action and reaction."""
    return has(fighter, PARALYZED) or has(fighter, STUNNED)


@rule(HEADING, "R-29")
def squares_a_move(fighter):
    """Return how many squares one move covers: none if grappled or paralyzed, half the speed if stunned."""
    if has(fighter, GRAPPLED) or has(fighter, PARALYZED):
        return np.int64(0)
    return np.int64(fighter.speed) // 2 if has(fighter, STUNNED) else np.int64(fighter.speed)


@rule(HEADING, "R-29")
def check_ability(fight, log, i, target, what, ability, number):
    """Roll an ability check, which conditions may hinder, and write its event; return whether it succeeds."""
    fighter = fight.fighters[i]
    begin_check(fight, fighter.afflicted & HINDER_CHECKS)
    return check_aloud(fight, log, i, target, what, np.int64(fighter.ability[ability]), number)


@compiled
def holds(fight, i, j):
    """Return whether fighter i grapples fighter j."""
    return fight.fighters[j].grappler == i and has(fight.fighters[j], GRAPPLED)


@rule(HEADING, "R-28")
def release(fight, log, i):
    """Let fighter i let go of all fighters that it grapples."""
    for j in range(fight.n):
        if holds(fight, i, j):
            relieve(fight, log, j, GRAPPLED)

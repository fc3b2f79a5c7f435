"""Conditions: how they begin and end, and the checks that they hinder."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.book import rule
from heartrush_env.games.heretics.events import tell_condition
from heartrush_env.games.heretics.rules.dice import clear_causes, has, hinder_by
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.rule import compiled

HEADING = "Conditions"
KINDS = len(terms.CONDITIONS)


@rule(HEADING, "R-45")
def afflict(fight, log, i, condition):
    """Give a fighter a condition that ends with the first phase of its own that begins after now."""
    fight.fighters[i].until[condition] = fight.fighters[i].phases + 1
    mark_afflicted(fight, log, i, condition)


@compiled
def afflict_until(fight, log, i, condition, until):
    """Give a fighter a condition with an end of its own, or for good with 0."""
    fight.fighters[i].until[condition] = until
    mark_afflicted(fight, log, i, condition)


@compiled
def mark_afflicted(fight, log, i, condition):
    """Note that a fighter has a condition."""
    fighter = fight.fighters[i]
    if not has(fighter, condition):
        tell_condition(fight, log, i, condition, True)
    fighter.afflicted = fighter.afflicted | 1 << condition


@compiled
def relieve(fight, log, i, condition):
    """End a condition, if the fighter has it."""
    fighter = fight.fighters[i]
    if has(fighter, condition):
        fighter.afflicted = fighter.afflicted ^ 1 << condition
        if condition == terms.GRAPPLED:
            fighter.grappler = NOBODY
        tell_condition(fight, log, i, condition, False)


@rule(HEADING, "R-45")
def end_conditions(fight, log):
    """End the conditions of the fighters whose phase ends, if their time is over."""
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if fighter.acting:
            for condition in range(KINDS):
                timed = condition != terms.OPEN and fighter.until[condition] > 0
                if has(fighter, condition) and timed and fighter.until[condition] <= fighter.phases:
                    relieve(fight, log, i, condition)


@rule(HEADING, "R-29")
def can_do_nothing(fighter):
    """Return whether a fighter has neither action nor reaction."""
    return has(fighter, terms.PARALYZED) or has(fighter, terms.STUNNED)


@rule(HEADING, "R-29")
def squares_a_move(fighter):
    """Return how far one move goes: nowhere for the grappled and the paralyzed, half for the stunned."""
    if has(fighter, terms.GRAPPLED) or has(fighter, terms.PARALYZED):
        return np.int64(0)
    return np.int64(fighter.speed) // 2 if has(fighter, terms.STUNNED) else np.int64(fighter.speed)


@rule(HEADING, "R-29")
def hinder_check(fight, i):
    """Begin a check of a fighter: its conditions may give it disadvantage."""
    clear_causes(fight)
    fighter = fight.fighters[i]
    if has(fighter, terms.EXHAUSTED):
        hinder_by(fight, terms.BY_EXHAUSTION)
    if has(fighter, terms.GRAPPLED):
        hinder_by(fight, terms.BY_GRIP)
    if has(fighter, terms.SURPRISED):
        hinder_by(fight, terms.BY_SURPRISE)


@rule(HEADING, "R-28")
def release(fight, log, i):
    """Let a fighter let go of everyone that it holds."""
    for j in range(fight.n):
        if fight.fighters[j].grappler == i and has(fight.fighters[j], terms.GRAPPLED):
            relieve(fight, log, j, terms.GRAPPLED)


@compiled
def fall(fight, log, i):
    """Make a fighter prone, until it stands up."""
    afflict_until(fight, log, i, terms.PRONE, 0)

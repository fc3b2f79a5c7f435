"""Conditions: how they begin and end, and what they hinder and help."""

import numpy as np

from heartrush_env.games.heretics import events, terms
from heartrush_env.games.heretics.book import rule
from heartrush_env.games.heretics.rules.dice import begin_check, check_aloud
from heartrush_env.games.heretics.terms import BLIND, EXHAUSTED, GRAPPLED, OPEN, PARALYZED, PRONE, STUNNED, SURPRISED
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.rule import compiled, inlined

HEADING = "Conditions"


def bits(*conditions: int) -> int:
    """Return a number with a bit for each of these conditions."""
    return sum(1 << condition for condition in conditions)


HINDER_CHECKS = bits(EXHAUSTED, GRAPPLED, SURPRISED, terms.UNAWARE)  # they hinder all checks of their fighter
HINDER_ATTACKS = HINDER_CHECKS | bits(PRONE, BLIND)  # they hinder all attacks of their fighter
HELP_AGAINST = bits(OPEN, SURPRISED, PARALYZED, STUNNED, BLIND, terms.UNAWARE)  # they help all attacks on their fighter
HELP_ATTACKS = bits(terms.AIDED)  # they help all attacks of their fighter
BY_ROUND = (OPEN, terms.AIDED)  # they end with a round
UNTIL_DOUSED = (terms.BURNING, terms.CORRODING)


@inlined
def has(fighter, condition):
    """Return whether a fighter has a condition."""
    return fighter.afflicted >> condition & 1 != 0


@rule(HEADING, "R-29", "R-45")
def afflict(fight, log, i, condition):
    """Give a fighter a condition that lasts until the end of its next phase; prone, it lies until it stands up.

    A condition without an end keeps none, and fire or acid that it has already caught goes on as before. Who can no
    longer act or move loses the action and the squares that it still has in this phase.
    """
    fighter = fight.fighters[i]
    if condition == PARALYZED or condition == STUNNED:
        fighter.left[terms.ACTION] = 0
    if condition == PARALYZED:
        fighter.left[terms.SQUARES] = 0
    if has(fighter, condition) and (fighter.until[condition] == 0 or condition in UNTIL_DOUSED):
        return
    afflict_until(fight, log, i, condition, 0 if condition == PRONE else fighter.phases + 1)


@compiled
def afflict_until(fight, log, i, condition, until):
    """Give a fighter a condition until the end of its phase `until`, or of round `until`; 0 means no end."""
    fighter = fight.fighters[i]
    fighter.until[condition] = until
    if not has(fighter, condition):
        events.tell_condition(fight, log, i, condition, True)
    fighter.afflicted = fighter.afflicted | 1 << condition


@compiled
def relieve(fight, log, i, condition):
    """End a condition, if the fighter has it."""
    fighter = fight.fighters[i]
    if has(fighter, condition):
        fighter.afflicted = fighter.afflicted ^ 1 << condition
        if condition == GRAPPLED:
            fighter.grappler = NOBODY
            fighter.chained = False
        events.tell_condition(fight, log, i, condition, False)


@rule(HEADING, "R-45")
def end_conditions(fight, log):
    """End the conditions that run out with the phase that ends now; after an alarm, no fighter stays unaware."""
    for i in range(fight.n):
        fighter = fight.fighters[i]
        for condition in range(len(terms.CONDITIONS) if fighter.acting else 0):
            ends = condition not in BY_ROUND and condition not in UNTIL_DOUSED
            if ends and 0 < fighter.until[condition] <= fighter.phases:
                relieve(fight, log, i, condition)
        if fight.alarm >> fighter.team & 1 != 0:
            relieve(fight, log, i, terms.UNAWARE)


@rule(HEADING, "R-21", "R-36")
def end_by_round(fight, log):
    """End the conditions that last for a number of rounds and run out with the round that ends now."""
    for i in range(fight.n):
        for condition in BY_ROUND:
            if fight.fighters[i].until[condition] <= fight.round_number:
                relieve(fight, log, i, condition)


@rule(HEADING, "R-29")
def cannot_act(fighter):
    """Return whether a condition denies a fighter both action and reaction."""
    return has(fighter, PARALYZED) or has(fighter, STUNNED) or has(fighter, terms.UNAWARE)


@rule(HEADING, "R-29")
def squares_a_move(fighter):
    """Return how many squares one move covers: none if grappled or paralyzed, half the speed if stunned."""
    if has(fighter, GRAPPLED) or has(fighter, PARALYZED):
        return np.int64(0)
    return np.int64(fighter.speed) // 2 if has(fighter, STUNNED) else np.int64(fighter.speed)


@rule(HEADING, "R-29")
def check_ability(fight, log, i, target, what, ability, number):
    """Roll an ability check, which conditions may hinder, and write its event; return whether it succeeds."""
    return check_with(fight, log, i, target, what, np.int64(fight.fighters[i].ability[ability]), number)


@compiled
def check_with(fight, log, i, target, what, bonus, number):
    """Roll a check with this bonus, which conditions may hinder, and write its event; return whether it succeeds."""
    begin_check(fight, fight.fighters[i].afflicted & HINDER_CHECKS)
    return check_aloud(fight, log, i, target, what, bonus, number)


@rule(HEADING)
def cannot_react(fighter):
    """Return whether a condition denies a fighter its reaction."""
    return cannot_act(fighter) or has(fighter, SURPRISED)


@compiled
def holds(fight, i, j, chained):
    """Return whether fighter i holds able fighter j: by its spell's chains if `chained`, or else with its hands."""
    other = fight.fighters[j]
    return other.status == terms.ABLE and other.grappler == i and has(other, GRAPPLED) and other.chained == chained


@rule(HEADING, "R-28")
def release(fight, log, i):
    """Let fighter i let go of all fighters that it grapples."""
    for j in range(fight.n):
        if holds(fight, i, j, False):
            relieve(fight, log, j, GRAPPLED)


@rule("Spells", "R-36")
def end_concentration(fight, log, i):
    """End the spell on which fighter i concentrates, if any: its chains free all fighters that they hold."""
    for j in range(fight.n):
        if holds(fight, i, j, True):
            relieve(fight, log, j, GRAPPLED)


@compiled
def holds_any(fight, i, chained):
    """Return whether fighter i holds any able fighter: by the chains of its spell if `chained`, or with its hands."""
    for j in range(fight.n):
        if holds(fight, i, j, chained):
            return True
    return False


@rule(HEADING, "R-28", "R-36")
def free_all(fight, log, i):
    """Free all fighters that fighter i holds in any way, because it is no longer in the fight."""
    release(fight, log, i)
    end_concentration(fight, log, i)


@rule(HEADING, "R-29")
def provoke(fight, log, i, target):
    """Note that fighter i acts against an enemy: a charm on the enemy ends, and its side is alarmed."""
    other = fight.fighters[target]
    if other.team != fight.fighters[i].team:
        relieve(fight, log, target, terms.CHARMED)
        fight.alarm = fight.alarm | 1 << np.int64(other.team)

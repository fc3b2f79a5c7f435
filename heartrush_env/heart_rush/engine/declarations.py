"""The action phase: carries out the declarations of a window, one fighter after another."""

from __future__ import annotations

import numpy as np

from heartrush_env.core.rule import compiled, rule
from heartrush_env.heart_rush.engine.events import (
    DECLARE,
    FIZZLE,
    tell,
    tell_conditions,
    tell_timing,
)
from heartrush_env.heart_rush.engine.legal import cost_of, is_legal
from heartrush_env.heart_rush.engine.offers import COMES, ONCE_BIT, do_choice, note_declaration
from heartrush_env.heart_rush.rules.actions.dash import step_back
from heartrush_env.heart_rush.rules.actions.opportunity import note_strikes_at_mover, strike_open
from heartrush_env.heart_rush.rules.actions.rise import get_up
from heartrush_env.heart_rush.rules.burning import suffocate_if
from heartrush_env.heart_rush.rules.choices import Comes, Cost
from heartrush_env.heart_rush.rules.costs import pay
from heartrush_env.heart_rush.rules.hits import start_batch
from heartrush_env.heart_rush.rules.sheet import bit
from heartrush_env.heart_rush.rules.terms import (
    NOBODY,
    OPPORTUNITY,
    PASS,
    STANDING,
)
from heartrush_env.heart_rush.rules.timing import settle_timing

DONE, RISES, GOES = map(int, (Comes.NOTHING, Comes.RISING, Comes.WAY))  # the outcome of a declaration


@rule("Combat > The Action Phase > Chaining Abilities", "R-2", "R-31")
def line_up(match, log):
    """Put the window's declarations in timing order; returns whether there are any."""
    anything = False
    for i in range(match.n):
        fighter = match.fighters[i]
        fighter.contends = 0 if fighter.deed != PASS else NOBODY
        fighter.phase_heart = fighter.heart
        anything = anything or fighter.deed != PASS
    if anything:
        settle_timing(match)
        tell_timing(match, log)
    return anything


@compiled
def first_to_act(match):
    """The first fighter in timing order that has declared anything."""
    for spot in range(match.n):
        if match.fighters[match.order[spot]].deed != PASS:
            return match.order[spot]
    return match.order[0]


@compiled
def anyone_chose(match):
    """Whether any fighter has declared something other than a pass."""
    for i in range(match.n):
        if match.fighters[i].deed != PASS:
            return True
    return False


@rule("Combat > The Action Phase > Chaining Abilities", "R-4")
def carry_out(match, log, i):
    """Carry out one declaration if it is still possible; returns the outcome: done, a rising, or a path to go."""
    fighter = match.fighters[i]
    start_batch(match)
    legal = is_legal(match, i, fighter.deed, fighter.target, fighter.detail)
    number = tell(match, log, DECLARE if legal else FIZZLE, i, fighter.target, fighter.deed, 0)
    if number != NOBODY:
        note_declaration(match, fighter.deed, log, number, i, fighter.detail)
    if not legal:
        return DONE
    act(match, log, i, fighter.deed, fighter.target, fighter.detail)
    return COMES[fighter.deed]


@compiled
def act(match, log, i, deed, target, detail):
    """Pay for a declaration and do it; the flow completes a dash or a rising later."""
    cost = cost_of(deed, detail)
    if cost == Cost.DASH_OR_ACTION:  # the length of a dash depends on its payment
        do_choice(match, deed, log, i, target, detail)
        pay(match, log, i, cost)
        return
    match.fighters[i].used |= ONCE_BIT[deed]
    exerted = pay(match, log, i, cost)
    do_choice(match, deed, log, i, target, detail)
    if COMES[deed] == DONE:
        suffocate_if(match, i, exerted)
        tell_conditions(match, log)


@rule("Combat > The Action Phase > Opportunity Attacks", "R-15", "R-40", "R-125")
def answer_opening(match, log):
    """All opportunity attacks on the rising fighter happen at once; they are rolled in timing order."""
    start_batch(match)
    exerted = np.int64(0)
    for i in range(match.n):
        fighter = match.fighters[i]
        fighter.contends = match.mover if fighter.deed == OPPORTUNITY else NOBODY
    remember_order(match)
    settle_timing(match)
    tell_timing(match, log)
    for spot in range(match.n):
        i = match.order[spot]
        if match.fighters[i].deed == OPPORTUNITY:
            fighter = match.fighters[i]
            exerted |= bit(i) * pay(match, log, i, cost_of(OPPORTUNITY, fighter.detail))
            strike_open(match, log, i, fighter.target, fighter.detail, 2 * spot)
    for spot in range(match.n):
        suffocate_if(match, match.order[spot], exerted >> match.order[spot] & 1)
    note_strikes_at_mover(match)
    recall_order(match)


@compiled
def remember_order(match):
    """Save the window's timing order."""
    for spot in range(match.n):
        match.window_order[spot] = match.order[spot]


@compiled
def recall_order(match):
    """Restore the window's timing order."""
    for spot in range(match.n):
        match.order[spot] = match.window_order[spot]


@compiled
def finish_dash(match, log, i):
    """End a dash, whether the route was completed or cut short; a dash without breath hurts."""
    start_batch(match)
    step_back(match, log, i)
    suffocate_if(match, i, True)
    tell_conditions(match, log)


@compiled
def finish_rising(match, log, i):
    """Complete a rising: a fighter that is still in the fight after the opportunity attacks is on its feet."""
    fighter = match.fighters[i]
    start_batch(match)
    if fighter.status == STANDING:
        get_up(match, log, i)
        suffocate_if(match, i, True)
    tell_conditions(match, log)

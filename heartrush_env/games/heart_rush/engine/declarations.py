"""The action phase: carries out the declarations of a window, one fighter after another."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.engine.events import (
    DECLARE,
    FIZZLE,
    tell,
    tell_conditions,
    tell_timing,
)
from heartrush_env.games.heart_rush.engine.legal import cost_of, is_legal
from heartrush_env.games.heart_rush.engine.offers import COMES, ONCE_BIT, do_choice, note_declaration
from heartrush_env.games.heart_rush.engine.picks import answers_hold
from heartrush_env.games.heart_rush.engine.state import ACTION
from heartrush_env.games.heart_rush.rules.actions.dash import step_back
from heartrush_env.games.heart_rush.rules.actions.opportunity import begin_open, note_strikes_at_mover
from heartrush_env.games.heart_rush.rules.actions.rise import get_up
from heartrush_env.games.heart_rush.rules.burning import suffocate_if
from heartrush_env.games.heart_rush.rules.choices import Comes, Cost
from heartrush_env.games.heart_rush.rules.costs import pay
from heartrush_env.games.heart_rush.rules.hits import start_batch
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.opportunity_attacks import may_pay_strike
from heartrush_env.games.heart_rush.rules.rush_points import STRIKE_BY_RUSH
from heartrush_env.games.heart_rush.rules.terms import (
    NOBODY,
    OPPORTUNITY,
    PASS,
    STANDING,
)
from heartrush_env.games.heart_rush.rules.timing import settle_timing
from heartrush_env.tabletop.rule import compiled, rule

# The outcome of a declaration.
DONE, RISES, GOES, STRIKES, STEPS = map(int, (Comes.NOTHING, Comes.RISING, Comes.WAY, Comes.STRIKE, Comes.STEP))


AT_ONCE = 1  # `contends` of opportunity attacks that come first; that of other declarations is 0


@rule("Combat > The Action Phase > Chaining Abilities", "R-2", "R-31")
def line_up(match, log):
    """Put the window's declarations in timing order; return whether there are any."""
    anything = False
    for i in range(match.n):
        fighter = match.fighters[i]
        declares, strikes = np.int64(fighter.deed != PASS), np.int64(fighter.deed == OPPORTUNITY)
        fighter.contends = NOBODY + declares + AT_ONCE * strikes * np.int64(match.rules.opportunity_first)
        fighter.phase_heart = fighter.heart
        anything |= declares
    if anything:
        settle_timing(match)
        put_strikes_first(match)
        tell_timing(match, log)
    return anything


@rule("Combat > The Action Phase > Opportunity Attacks", "R-154")
def put_strikes_first(match):
    """Move opportunity attacks before the other declarations of their window; each group stays in timing order.

    Sums replace branches, which processors cannot predict here.
    """
    other = first = np.int64(0)
    for spot in range(match.n):
        match.window_order[spot] = match.order[spot]
        other += match.fighters[spot].contends == AT_ONCE
    for spot in range(match.n):
        i = match.window_order[spot]
        strikes = np.int64(match.fighters[i].contends == AT_ONCE)
        match.order[first * strikes + other * (1 - strikes)] = i
        first += strikes
        other += 1 - strikes
    for spot in range(match.n):
        match.fighters[match.order[spot]].turn = spot


@compiled
def first_to_act(match):
    """Return the first fighter in timing order that has declared anything but a pass; without one, the first of all."""
    for spot in range(match.n):
        if match.fighters[match.order[spot]].deed != PASS:
            return match.order[spot]
    return match.order[0]


@compiled
def anyone_chose(match):
    """Return whether any fighter has declared something other than a pass."""
    for i in range(match.n):
        if match.fighters[i].deed != PASS:
            return True
    return False


@rule("Combat > The Action Phase > Chaining Abilities", "R-4")
def is_declared(match, log, i):
    """Log one declaration; return whether it is still possible."""
    fighter = match.fighters[i]
    legal = is_legal(match, i, fighter.deed, fighter.target, fighter.detail)
    legal = legal and answers_hold(match, i, fighter.deed, fighter.detail, fighter.target)
    tell_declaration(match, log, i, DECLARE if legal else FIZZLE)
    return legal


@compiled
def tell_declaration(match, log, i, kind):
    """Log a declaration with its details, as made or as fizzled."""
    fighter = match.fighters[i]
    number = tell(match, log, kind, i, fighter.target, fighter.deed, 0)
    if number != NOBODY:
        note_declaration(match, fighter.deed, log, number, i, fighter.detail)


@with_abilities(True)
@rule("Combat > The Action Phase > Chaining Abilities", "R-4")
def is_possible_still(match, log, i):
    """Return whether a declaration is still possible after the instants that answered it; else log a fizzle."""
    match.window = ACTION
    fighter = match.fighters[i]
    legal = is_legal(match, i, fighter.deed, fighter.target, fighter.detail)
    if legal and answers_hold(match, i, fighter.deed, fighter.detail, fighter.target):
        return True
    tell_declaration(match, log, i, FIZZLE)
    return False


@compiled
def carry_out(match, log, i):
    """Carry out one declaration if it is still possible; return its outcome."""
    fighter = match.fighters[i]
    start_batch(match)
    if not is_possible_still(match, log, i):
        return DONE
    act(match, log, i, fighter.deed, fighter.target, fighter.detail)
    return COMES[fighter.deed]


@compiled
def act(match, log, i, deed, target, detail):
    """Pay for a declaration and do it; the flow completes a dash, a step, a rising or an attack later."""
    cost = cost_of(deed, detail)
    if cost == Cost.DASH_OR_ACTION:  # the length of a dash depends on its payment
        do_choice(match, deed, log, i, target, detail)
        pay(match, log, i, cost)
        return
    fighter = match.fighters[i]
    fighter.used |= ONCE_BIT[deed]
    had_action = fighter.action
    exerted = pay(match, log, i, cost)
    do_choice(match, deed, log, i, target, detail)
    if COMES[deed] == DONE:
        suffocate_if(match, i, exerted or (had_action and not fighter.action))  # some abilities cost the action
        tell_conditions(match, log)


@rule("Combat > The Action Phase > Opportunity Attacks", "R-15", "R-40")
def line_up_answers(match, log):
    """Put the opportunity attacks on the mover in timing order; all of them happen at once."""
    start_batch(match)
    for i in range(match.n):
        fighter = match.fighters[i]
        fighter.contends = match.mover if fighter.deed == OPPORTUNITY else NOBODY
        fighter.rolled = False
    remember_order(match)
    settle_timing(match)
    tell_timing(match, log)


@rule("Combat > The Action Phase > Opportunity Attacks", "R-4", "R-40", "R-125")
def begin_answer(match, log):
    """Begin the next opportunity attack on the mover; return whether one has begun whose rolls may be answered."""
    for spot in range(match.n):
        i = match.order[spot]
        fighter = match.fighters[i]
        if fighter.deed != OPPORTUNITY or fighter.rolled:
            continue
        fighter.rolled = True
        if not may_pay_strike(fighter, fighter.detail):  # an instant has taken its last rush point
            tell(match, log, FIZZLE, i, fighter.target, OPPORTUNITY, 0)
            fighter.deed = PASS
            continue
        pay(match, log, i, cost_of(OPPORTUNITY, fighter.detail))
        if begin_open(match, log, i, 2 * spot):
            return True
    return False


@compiled
def end_answers(match):
    """Finish the opportunity attacks on the mover; a suffocating attacker takes damage for its effort."""
    for spot in range(match.n):
        fighter = match.fighters[match.order[spot]]
        with_action = fighter.deed == OPPORTUNITY and fighter.detail < STRIKE_BY_RUSH
        suffocate_if(match, match.order[spot], with_action)
    note_strikes_at_mover(match)
    if not orders_effects(match):
        recall_order(match)


@with_abilities(False)
@compiled
def orders_effects(match):
    """Return whether the order of the attacks must be kept until abilities have added their effects (R-108)."""
    return True


@compiled
def end_opening(match):
    """End an opening after all effects of its attacks, and restore the window's timing order."""
    if orders_effects(match):
        recall_order(match)


@compiled
def finish_strike_outside(match, log, i):
    """Finish the opportunity attack that fighter i declared; a suffocating fighter takes damage for it."""
    suffocate_if(match, i, match.fighters[i].detail < STRIKE_BY_RUSH)
    tell_conditions(match, log)


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
    """End a dash, whether its route was completed or cut short; a suffocating fighter takes damage for it."""
    start_batch(match)
    step_back(match, log, i)
    suffocate_if(match, i, True)
    tell_conditions(match, log)


@compiled
def finish_step(match, log, i):
    """End a sidestep; a suffocating fighter takes damage for it."""
    start_batch(match)
    suffocate_if(match, i, True)
    tell_conditions(match, log)


@compiled
def finish_rising(match, log, i):
    """Complete a rising: put the fighter on its feet if the opportunity attacks have left it in the fight."""
    fighter = match.fighters[i]
    start_batch(match)
    if fighter.status == STANDING:
        get_up(match, log, i)
        suffocate_if(match, i, True)
    tell_conditions(match, log)

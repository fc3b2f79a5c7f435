"""The action phase: carries out the declarations of a window, one fighter after another."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.engine.legal import cost_of, is_legal
from heartrush_env.games.heart_rush.engine.offers import COMES, ONCE_BIT, do_choice, note_declaration
from heartrush_env.games.heart_rush.engine.opportunities import begin_open
from heartrush_env.games.heart_rush.engine.picks import answers_hold
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.actions.dash import mark_dash, step_back
from heartrush_env.games.heart_rush.rules.actions.opportunity import note_strikes_at_mover
from heartrush_env.games.heart_rush.rules.actions.rise import get_up
from heartrush_env.games.heart_rush.rules.burning import suffocate_if
from heartrush_env.games.heart_rush.rules.choices import Comes, Cost
from heartrush_env.games.heart_rush.rules.costs import pay
from heartrush_env.games.heart_rush.rules.hits import start_batch
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.opportunity_attacks import may_answer_mover
from heartrush_env.games.heart_rush.rules.rush_points import STRIKE_BY_RUSH
from heartrush_env.games.heart_rush.rules.terms import ENTER, NOBODY, OPPORTUNITY, PASS, STANDING
from heartrush_env.games.heart_rush.rules.timing import settle_timing
from heartrush_env.games.heart_rush.state.events import DECLARE, FIZZLE, tell, tell_conditions, tell_timing
from heartrush_env.games.heart_rush.state.record import ACTION, ENTER_WINDOW
from heartrush_env.tabletop.rule import compiled, rule

# The outcome of a declaration.
DONE, RISES, GOES, STRIKES, STEPS = map(int, (Comes.NOTHING, Comes.RISING, Comes.WAY, Comes.STRIKE, Comes.STEP))


AT_ONCE = 1  # `contends` of opportunity attacks that go first; other declarations have 0


@rule("Combat > The Action Phase > Chaining Abilities", "R-2", "R-31")
def line_up(fight, log):
    """Put the window's declarations in timing order; return whether there are any."""
    anything = False
    for i in range(fight.n):
        fighter = fight.fighters[i]
        declares, strikes = np.int64(fighter.deed != PASS), np.int64(fighter.deed == OPPORTUNITY)
        fighter.contends = NOBODY + declares + AT_ONCE * strikes * np.int64(fight.rules.opportunity_first)
        fighter.phase_heart = fighter.heart
        anything |= declares
    if anything:
        settle_timing(fight)
        put_strikes_first(fight)
        tell_timing(fight, log)
    return anything


@rule("Combat > The Action Phase > Opportunity Attacks", "R-154")
def put_strikes_first(fight):
    """Move opportunity attacks before the other declarations of their window; each group stays in timing order.

    Sums replace branches, which processors cannot predict here.
    """
    other = first = np.int64(0)
    for spot in range(fight.n):
        fight.window_order[spot] = fight.order[spot]
        other += fight.fighters[spot].contends == AT_ONCE
    for spot in range(fight.n):
        i = fight.window_order[spot]
        strikes = np.int64(fight.fighters[i].contends == AT_ONCE)
        fight.order[first * strikes + other * (1 - strikes)] = i
        first += strikes
        other += 1 - strikes
    for spot in range(fight.n):
        fight.fighters[fight.order[spot]].turn = spot


@compiled
def first_to_act(fight):
    """Return the first fighter in timing order that has not passed or, if all have passed, the first of all."""
    for spot in range(fight.n):
        if fight.fighters[fight.order[spot]].deed != PASS:
            return fight.order[spot]
    return fight.order[0]


@compiled
def anyone_chose(fight):
    """Return whether any fighter has declared something other than a pass."""
    for i in range(fight.n):
        if fight.fighters[i].deed != PASS:
            return True
    return False


@rule("Combat > The Action Phase > Chaining Abilities", "R-4")
def log_declaration(fight, log, i):
    """Log one declaration; return whether it is still possible."""
    fighter = fight.fighters[i]
    fight.window = ENTER_WINDOW if fighter.deed == ENTER else ACTION  # earlier declarations may have opened others
    legal = is_legal(fight, i, fighter.deed, fighter.target, fighter.detail)
    legal = legal and answers_hold(fight, i, fighter.deed, fighter.detail, fighter.target)
    tell_declaration(fight, log, i, DECLARE if legal else FIZZLE)
    return legal


@compiled
def tell_declaration(fight, log, i, kind):
    """Log a declaration with its details, as made or as fizzled."""
    fighter = fight.fighters[i]
    number = tell(fight, log, kind, i, fighter.target, fighter.deed, 0)
    if number != NOBODY:
        note_declaration(fight, fighter.deed, log, number, i, fighter.detail)


@with_abilities(True)
@rule("Combat > The Action Phase > Chaining Abilities", "R-4")
def recheck_declaration(fight, log, i):
    """Return whether a declaration is still possible after the instants that answered it; else log a fizzle."""
    fighter = fight.fighters[i]
    fight.window = ENTER_WINDOW if fighter.deed == ENTER else ACTION
    legal = is_legal(fight, i, fighter.deed, fighter.target, fighter.detail)
    if legal and answers_hold(fight, i, fighter.deed, fighter.detail, fighter.target):
        return True
    tell_declaration(fight, log, i, FIZZLE)
    return False


@compiled
def carry_out(fight, log, i):
    """Carry out one declaration if it is still possible; return its outcome."""
    fighter = fight.fighters[i]
    start_batch(fight)
    if not recheck_declaration(fight, log, i):
        return DONE
    act(fight, log, i, fighter.deed, fighter.target, fighter.detail)
    return COMES[fighter.deed]


@compiled
def act(fight, log, i, deed, target, detail):
    """Pay for a declaration and carry it out; a dash, a step, a rising or an attack is only begun here."""
    cost = cost_of(deed, detail)
    if cost == Cost.DASH_OR_ACTION:  # the length of a dash depends on its payment
        do_choice(fight, deed, log, i, target, detail)
        pay(fight, log, i, cost)
        return
    fighter = fight.fighters[i]
    fighter.used |= ONCE_BIT[deed]
    had_action = fighter.action
    exerted = pay(fight, log, i, cost)
    do_choice(fight, deed, log, i, target, detail)
    if COMES[deed] == DONE:
        suffocate_if(fight, i, exerted or (had_action and not fighter.action))  # some abilities cost the action
        tell_conditions(fight, log)


@rule("Combat > The Action Phase > Opportunity Attacks", "R-15", "R-40")
def line_up_answers(fight, log):
    """Put the opportunity attacks on the mover in timing order; their hits land together."""
    start_batch(fight)
    for i in range(fight.n):
        fighter = fight.fighters[i]
        fighter.contends = fight.mover if fighter.deed == OPPORTUNITY else NOBODY
        fighter.rolled = False
    remember_order(fight)
    settle_timing(fight)
    tell_timing(fight, log)


@rule("Combat > The Action Phase > Opportunity Attacks", "R-4", "R-40", "R-125")
def begin_answer(fight, log):
    """Begin further opportunity attacks on the mover; return True at the first one whose rolls may be answered."""
    for spot in range(fight.n):
        i = fight.order[spot]
        fighter = fight.fighters[i]
        if fighter.deed != OPPORTUNITY or fighter.rolled:
            continue
        fighter.rolled = True
        if not may_answer_mover(fight, i, fighter.detail):  # an instant has taken its last rush point
            tell(fight, log, FIZZLE, i, fighter.target, OPPORTUNITY, 0)
            fighter.deed = PASS
            continue
        if not hooks.watches(fight, i):
            pay(fight, log, i, cost_of(OPPORTUNITY, fighter.detail))
        if begin_open(fight, log, i, 2 * spot):
            return True
    return False


@compiled
def end_answers(fight):
    """Finish the opportunity attacks on the mover; a suffocating attacker takes damage for its effort."""
    for spot in range(fight.n):
        fighter = fight.fighters[fight.order[spot]]
        with_action = fighter.deed == OPPORTUNITY and fighter.detail < STRIKE_BY_RUSH
        with_action = with_action and not hooks.watches(fight, fight.order[spot])
        suffocate_if(fight, fight.order[spot], with_action)
    note_strikes_at_mover(fight)
    if not must_keep_order(fight):
        recall_order(fight)


@with_abilities(False)
@compiled
def must_keep_order(fight):
    """Return whether the order of the attacks must be kept until abilities have added their effects (R-108)."""
    return True


@compiled
def end_opening(fight):
    """End an opening after all effects of its attacks, and restore the window's timing order."""
    if must_keep_order(fight):
        recall_order(fight)


@compiled
def finish_strike_outside(fight, log, i):
    """Finish the opportunity attack that fighter i declared; the effort hurts a suffocating fighter."""
    suffocate_if(fight, i, fight.fighters[i].detail < STRIKE_BY_RUSH)
    tell_conditions(fight, log)


@compiled
def remember_order(fight):
    """Save the window's timing order."""
    for spot in range(fight.n):
        fight.window_order[spot] = fight.order[spot]


@compiled
def recall_order(fight):
    """Restore the window's timing order."""
    for spot in range(fight.n):
        fight.order[spot] = fight.window_order[spot]


@compiled
def finish_dash(fight, log, i):
    """End a dash, whether its route was completed or cut short; the effort hurts a suffocating fighter."""
    start_batch(fight)
    mark_dash(fight, False)
    step_back(fight, log, i)
    suffocate_if(fight, i, True)
    tell_conditions(fight, log)


@compiled
def finish_step(fight, log, i):
    """End a sidestep; the effort hurts a suffocating fighter."""
    start_batch(fight)
    suffocate_if(fight, i, True)
    tell_conditions(fight, log)


@compiled
def finish_rising(fight, log, i):
    """Complete a rising: put the fighter on its feet if the opportunity attacks have left it in the fight."""
    fighter = fight.fighters[i]
    start_batch(fight)
    if fighter.status == STANDING:
        get_up(fight, log, i)
        suffocate_if(fight, i, True)
    tell_conditions(fight, log)

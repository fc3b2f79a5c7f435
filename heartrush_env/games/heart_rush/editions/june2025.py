"""The round of June 2025, in the rulebook's order.

Each flow reads from top to bottom. `yield ask(...)` opens a window for every fighter that has a choice in it, and
`yield from ...` plays a part of the round that is defined further down. tabletop/flow compiles the flows into steps.
"""

from __future__ import annotations

from heartrush_env.games.heart_rush.editions.blows import hits, instants, strike
from heartrush_env.games.heart_rush.editions.edition import Edition
from heartrush_env.games.heart_rush.editions.inner_windows import picks, trips
from heartrush_env.games.heart_rush.engine.declarations import (
    GOES,
    RISES,
    STEPS,
    STRIKES,
    begin_answer,
    carry_out,
    end_answers,
    end_opening,
    finish_dash,
    finish_rising,
    finish_step,
    finish_strike_outside,
    line_up,
    line_up_answers,
    log_declaration,
)
from heartrush_env.games.heart_rush.engine.engagement import (
    anyone_follows_up,
    apply_effects,
    begin_follow_ups,
    begin_next,
    begin_phase,
    end_first_attacks,
    end_phase,
    end_what_strikes_end,
    reveal_all,
    roll_follow_ups,
    roll_maneuvers,
    roll_strikes,
)
from heartrush_env.games.heart_rush.engine.instants import (
    begin_another,
    begin_extra,
    end_by_abilities,
    see_stances,
    start_by_abilities,
)
from heartrush_env.games.heart_rush.engine.opportunities import begin_open
from heartrush_env.games.heart_rush.engine.rounds import (
    anyone_took,
    end_action_phase,
    end_declaration,
    end_fight,
    end_round,
    start_round,
    windows_allowed,
)
from heartrush_env.games.heart_rush.engine.strikes import (
    play_in_order,
)
from heartrush_env.games.heart_rush.engine.windows import ask
from heartrush_env.games.heart_rush.rules import abilities, terms
from heartrush_env.games.heart_rush.rules.actions.attack import steps_are_made
from heartrush_env.games.heart_rush.rules.actions.dash import find_openings_at_next_step, goes_on, make_step
from heartrush_env.games.heart_rush.rules.actions.say import talk
from heartrush_env.games.heart_rush.rules.agility import (
    anyone_is_to_step,
    anyone_may_step,
    begin_steps,
    line_up_last_steps,
    recall_others,
    restore_order,
    step_in_turn,
)
from heartrush_env.games.heart_rush.rules.burning import burn_and_suffocate
from heartrush_env.games.heart_rush.rules.choices import BY_TURNS
from heartrush_env.games.heart_rush.rules.engaging import has_two_sides
from heartrush_env.games.heart_rush.rules.hits import (
    start_batch,
)
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.might_push import (
    begin_pushes,
    begin_to_follow,
    find_squeezes,
    finish_follows,
    follow_until_trip,
    note_squeezes,
)
from heartrush_env.games.heart_rush.rules.opportunity_attacks import find_watchers
from heartrush_env.games.heart_rush.rules.trip import steps_past
from heartrush_env.games.heart_rush.state import record as state
from heartrush_env.games.heart_rush.state.choices import interrupt, push_choices
from heartrush_env.games.heart_rush.state.events import tell_conditions
from heartrush_env.games.heart_rush.state.record import (
    ACTION,
    ATTACK_WINDOW,
    FOLLOW_UP,
    FOLLOW_WINDOW,
    OPPORTUNITY_WINDOW,
    STANCE,
    STEP_WINDOW,
    TALK,
)
from heartrush_env.tabletop.flow import Machine, flow, interrupts
from heartrush_env.tabletop.rule import rule

PHASES = (terms.CUNNING, terms.AGILITY, terms.MIGHT)
MAP = "cells"  # a field that only records of fights on a map have

# An inner window in which some fighters choose again while the others keep their choices.
chosen_again = interrupts(push_choices, recall_others)


@flow
def whole_fight(fight, log):
    """Play rounds until the fight is over."""
    while fight.ending == state.GOES_ON:
        start_round(fight, log)
        yield from round_begins(fight, log)
        yield from action_phase(fight, log)
        if fight.rules.talk > 0 and has_two_sides(fight):
            yield from discussion(fight, log)
        yield from engagement(fight, log)
        burn_and_suffocate(fight)
        end_by_abilities(fight, log)
        yield from hits(fight, log)
        yield from answers(fight, log)
        yield from strikes_by_answers(fight, log)
        end_round(fight, log)
    end_fight(fight, log)


@flow(needs=ABILITY_FIELD)
def answers(fight, log):
    """Ask what abilities ask, and land the hits that answers and effects of abilities add, until neither is left."""
    yield from picks(fight, log)
    while fight.hit_count > 0:
        yield from hits(fight, log)
        yield from picks(fight, log)


@rule("Combat > Understanding Combat Flow", "R-284")
@flow(needs=ABILITY_FIELD)
def strikes_by_answers(fight, log):
    """Play the attacks that abilities and answers have added; the hits of each, and further answers, come at once."""
    start_batch(fight)
    play_in_order(fight, 0)
    while begin_extra(fight, log):
        waiting = fight.extra_count
        yield from strike(fight, log)
        yield from hits(fight, log)
        end_declaration(fight, log)
        yield from answers(fight, log)
        start_batch(fight)
        play_in_order(fight, waiting)


@flow(needs=ABILITY_FIELD)
def round_begins(fight, log):
    """Let abilities act and ask as a round begins, then land their hits."""
    start_by_abilities(fight, log)
    yield from picks(fight, log)
    yield from hits(fight, log)
    yield from answers(fight, log)


# ------------------------------------------------------------------------------------------------- the action phase


@rule("Combat > The Action Phase", "R-2")
@flow
def action_phase(fight, log):
    """Open one action window after another, until every fighter passes or the round's windows are used up."""
    while fight.windows_used < windows_allowed(fight):
        fight.windows_used += 1
        yield ask(fight, ACTION)
        if not line_up(fight, log):
            return
        yield from declarations(fight, log)


@flow
def declarations(fight, log):
    """Resolve declarations one after another in timing order; the hits of each land before the next begins."""
    for spot in range(fight.n):
        if fight.fighters[fight.order[spot]].deed != terms.PASS:
            yield from declaration(fight, log, fight.order[spot])
            end_declaration(fight, log)
            yield from answers(fight, log)
            yield from strikes_by_answers(fight, log)


@flow
def declaration(fight, log, i):
    """Resolve the declaration of fighter i, if it is still possible."""
    if not log_declaration(fight, log, i):
        return
    yield from interruptions(fight, log, i)
    yield from watched_steps(fight, log, i)
    outcome = carry_out(fight, log, i)
    if outcome == RISES:
        yield from rising(fight, log, i)
    elif outcome == GOES:
        yield from dash(fight, log, i)
    elif outcome == STRIKES:
        yield from strike_outside(fight, log, i)
    elif outcome == STEPS:
        yield from sidestep(fight, log, i)
    yield from hits(fight, log)


@rule("Combat > The Action Phase > Chaining Abilities", "R-145")
@flow(needs=ABILITY_FIELD)
def interruptions(fight, log, i):
    """Let instants answer a declaration before it is carried out, unless it is an opportunity attack."""
    if fight.fighters[i].deed != terms.OPPORTUNITY:
        fight.mover = i
        yield from instants(fight, log, abilities.ON_DECLARATION)
        yield from answers(fight, log)


@flow(needs=ABILITY_FIELD)
def watched_steps(fight, log, i):
    """Let enemies strike at a fighter that is about to sidestep if their abilities let no sidestep escape."""
    if find_watchers(fight, i) and fight.full_decisions:
        fight.mover = i
        yield from opportunity(fight, log)


@flow
def strike_outside(fight, log, i):
    """Play an opportunity attack on an open enemy; instants may answer its rolls but not its declaration."""
    if begin_open(fight, log, i, 0):
        yield from strike(fight, log)
    finish_strike_outside(fight, log, i)


@flow
def rising(fight, log, i):
    """Let enemies in reach make opportunity attacks, then put the fighter on its feet if it is still in the fight."""
    fight.mover = i
    yield from opportunity(fight, log)
    finish_rising(fight, log, fight.mover)


@rule("Environment > Movement")
@flow(needs=MAP)
def dash(fight, log, i):
    """Play opportunity attacks, the step and trips for each square, then end the dash."""
    fight.mover = i
    while goes_on(fight):
        if find_openings_at_next_step(fight) and fight.full_decisions:
            yield from opportunity(fight, log)
            if not goes_on(fight):
                break
        if make_step(fight, log) and fight.full_decisions:
            yield from trips(fight, log)
            yield from effort_of_trips(fight, log)
    finish_dash(fight, log, fight.mover)


@flow(needs=MAP)
def sidestep(fight, log, i):
    """Let enemies trip an off-balanced fighter in the square that it has entered, then end its sidestep."""
    if steps_past(fight, i):
        yield from trips(fight, log)
        yield from effort_of_trips(fight, log)
    finish_step(fight, log, i)


@flow
def opportunity(fight, log):
    """Play the opportunity attacks on the fighter that moves or rises, and land their hits."""
    yield from opportunity_attacks(fight, log)
    yield from hits(fight, log)
    end_what_strikes_end(fight, log)
    yield from hits_of_effects(fight, log)
    end_opening(fight)
    tell_conditions(fight, log)


@interrupt
def opportunity_attacks(fight, log):
    """Let fighters that have an opening strike at the mover; all of them decide in one window."""
    yield ask(fight, OPPORTUNITY_WINDOW)
    line_up_answers(fight, log)
    while begin_another(fight, log) or begin_answer(fight, log):
        yield from strike(fight, log)
    end_answers(fight)


@flow(needs=BY_TURNS)
def effort_of_trips(fight, log):
    """Land the hits that suffocating fighters take for the effort of a trip, in editions in which sides take turns."""
    yield from hits(fight, log)


# --------------------------------------------------------------------------------------------------- the engagement


@flow
def discussion(fight, log):
    """Let every fighter that is about to choose a stance say which one it means to take."""
    yield ask(fight, TALK)
    talk(fight, log)


@rule("Combat > The Engagement > Attack Resolution Process > Resolution Phases")
@flow
def engagement(fight, log):
    """Let fighters choose stances in secret and reveal them together, then play the phase of each stance taken."""
    if not has_two_sides(fight):
        return
    yield from before_stances(fight, log)
    yield ask(fight, STANCE)
    reveal_all(fight, log)
    yield from reveal_seen(fight, log)
    fight.engaged = True
    for number in range(len(PHASES)):
        fight.phase = PHASES[number]
        if anyone_took(fight, fight.phase):
            yield from phase(fight, log)


@flow(needs=ABILITY_FIELD)
def before_stances(fight, log):
    """Let fighters use instants as the engagement opens; then play the attacks that these add, and land their hits."""
    end_action_phase(fight)
    start_batch(fight)
    yield from instants(fight, log, abilities.ON_ENGAGEMENT)
    while begin_extra(fight, log):
        yield from strike(fight, log)
    yield from hits(fight, log)
    end_declaration(fight, log)
    yield from answers(fight, log)


@flow(needs=ABILITY_FIELD)
def reveal_seen(fight, log):
    """Let abilities act by themselves once all stances are shown, land their hits, then let fighters use instants."""
    see_stances(fight, log)
    yield from hits(fight, log)
    yield from answers(fight, log)
    yield from instants(fight, log, abilities.ON_REVEAL)
    yield from answers(fight, log)


@flow
def phase(fight, log):
    """Roll attacks and maneuvers, land their hits, and apply their effects at the end of the phase."""
    yield from phase_opens(fight, log)
    yield ask(fight, ATTACK_WINDOW)
    begin_phase(fight, log)
    yield from strikes(fight, log, terms.FROM_ATTACK)
    if roll_strikes(fight, log):
        yield from follow_ups(fight, log)
        yield from further_follow_ups(fight, log)
    if fight.phase == terms.AGILITY and anyone_may_step(fight):
        yield from agility_steps(fight, log)
    if fight.rules.maneuvers:
        roll_maneuvers(fight, log)
    yield from hits(fight, log)
    if find_squeezes(fight):
        yield from squeezes(fight, log)
    begin_pushes(fight)
    yield from further_effects(fight, log, apply_effects(fight, log, 0))
    end_phase(fight, log)
    yield from follows(fight, log)
    yield from hits_of_effects(fight, log)
    yield from answers(fight, log)
    tell_conditions(fight, log)


@flow(needs=ABILITY_FIELD)
def phase_opens(fight, log):
    """Let fighters use instants as a phase begins, then land the hits of these."""
    start_batch(fight)
    yield from instants(fight, log, abilities.ON_PHASE)
    yield from hits(fight, log)


@flow(needs=MAP)
def further_effects(fight, log, spot):
    """Let enemies trip a fighter that has swung past another before the remaining effects apply."""
    while spot < fight.n:
        yield from trips(fight, log)
        spot = apply_effects(fight, log, spot + 1)


@flow(needs=ABILITY_FIELD)
def strikes(fight, log, cause):
    """Play each attack in timing order and the attacks that abilities add after it; instants may answer their rolls."""
    while begin_extra(fight, log) or begin_next(fight, log, cause):
        yield from strike(fight, log)


@flow(needs=ABILITY_FIELD)
def hits_of_effects(fight, log):
    """Land the hits that abilities add after attacks; in a phase on a map, they have landed with the hits of pushes."""
    yield from hits(fight, log)


@interrupt
def follow_ups(fight, log):
    """Let fighters that have earned another throw choose its target, then roll these throws."""
    yield ask(fight, FOLLOW_UP)
    begin_follow_ups(fight)
    yield from strikes(fight, log, terms.FROM_FOLLOW_UP)
    roll_follow_ups(fight, log)


@flow(needs=ABILITY_FIELD)
def further_follow_ups(fight, log):
    """Play follow-ups for as long as abilities earn more of them."""
    while anyone_follows_up(fight):
        yield from follow_ups(fight, log)


@rule("Combat > The Engagement > Choosing Your Stance > Agility Stance", "R-5", "R-25")
@flow
def agility_steps(fight, log):
    """Let fighters that chose to step or rise do so and then attack; fighters that attacked first step last."""
    end_first_attacks(fight)
    yield from steps(fight, log)
    if steps_are_made(fight):
        yield from strikes_after_steps(fight, log)
        yield from strikes(fight, log, terms.FROM_ATTACK)
        roll_strikes(fight, log)
        yield from further_follow_ups(fight, log)
    yield from last_steps(fight, log)


@flow
def steps(fight, log):
    """Take the chosen steps in turn; others may trip a fighter in its new square, then abilities ask about its step."""
    begin_steps(fight)
    while anyone_is_to_step(fight):
        while step_in_turn(fight, log):
            yield from trips(fight, log)
        yield from picks(fight, log)


@chosen_again
def strikes_after_steps(fight, log):
    """Let fighters that have stepped choose their targets."""
    yield ask(fight, ATTACK_WINDOW)


@interrupt
def last_steps(fight, log):
    """Let fighters in the agility stance that have not stepped yet step or rise."""
    yield ask(fight, STEP_WINDOW)
    line_up_last_steps(fight, log)
    yield from steps(fight, log)
    restore_order(fight)


@interrupt(needs=MAP)
def squeezes(fight, log):
    """Let each fighter that is about to push its captive squeeze the captive instead."""
    yield ask(fight, FOLLOW_WINDOW)
    note_squeezes(fight)


@flow(needs=MAP)
def follows(fight, log):
    """Let fighters that have pushed follow in timing order, then land the hits of all pushes."""
    yield ask(fight, FOLLOW_WINDOW)
    for spot in range(fight.n):
        begin_to_follow(fight, log, fight.order[spot])
        while follow_until_trip(fight, log, fight.order[spot]):
            yield from trips(fight, log)
    finish_follows(fight, log)
    yield from hits(fight, log)


MACHINE = Machine(whole_fight, frames=state.ABLE_FRAMES, numbers=state.NUMBERS)
EDITION = Edition(
    "june2025",
    MACHINE,
    PHASES,
    able_kinds=(state.ABLE_FIGHT, state.ABLE_FIGHT, state.ABLE_MAP_FIGHT),
    made_kinds=(state.MADE_FIGHT, state.MADE_FIGHT, state.MADE_MAP_FIGHT),
)

"""The Engagement > Choosing Your Stance > Agility Stance: the free step, or standing up, before or after the attack."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.actions.rise import may_get_up, rise
from heartrush_env.games.heart_rush.rules.actions.sidestep import sidestep
from heartrush_env.games.heart_rush.rules.engaging import by_turns
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.movement import STEP_X, STEP_Y, may_sidestep
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import on_map, plays_on_map
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    MAP_SIDE,
    MOST_SQUARES,
    NOBODY,
    PRONE,
    RISE,
    SIDESTEP,
    STANDING,
)
from heartrush_env.games.heart_rush.rules.timing import settle_timing
from heartrush_env.games.heart_rush.rules.trip import steps_past
from heartrush_env.games.heart_rush.rules.weapons import has_stepped_too_far
from heartrush_env.games.heart_rush.state.choices import choose, outer_choice
from heartrush_env.games.heart_rush.state.events import tell_timing
from heartrush_env.games.heart_rush.state.record import ATTACK_WINDOW, STEP_WINDOW
from heartrush_env.tabletop.rule import compiled, rule

OF_TURNS = "Classic > Engaging the Enemy > Agility"
SQUARES = 100  # added to a square's number, so that rivals for a square differ from rivals for a target


@compiled
def anyone_may_step(fight):
    """Return whether the agility phase may have steps: always on a map, else only if agility lets a fighter rise."""
    if plays_on_map(fight):
        return True
    if not fight.full_decisions or not fight.rules.agility_rises:
        return False
    for i in range(fight.n):
        if fight.fighters[i].stance == AGILITY and has(fight.fighters[i], PRONE):
            return True
    return False


@rule("Combat > The Engagement > Choosing Your Stance > Agility Stance", "R-5", "R-25", "R-161")
def step_in_turn(fight, log):
    """Take the chosen steps in timing order until a step makes a trip possible; return whether one did.

    No step is taken while abilities wait for an answer.
    """
    while not awaits_answers(fight):
        i = next_to_step(fight)
        if i == NOBODY:
            return False
        if take_step(fight, log, i) and steps_past(fight, i):
            return True
    return False


@with_abilities(False)
@compiled
def awaits_answers(fight):
    """Return whether abilities are about to ask something."""
    return fight.request_count > 0 and not fight.dashing


@compiled
def anyone_is_to_step(fight):
    """Return whether any fighter has chosen to step, or to rise by its stance, and has not done so yet."""
    for i in range(fight.n):
        if is_to_step(fight.fighters[i]):
            return True
    return False


@compiled
def is_free_step(fight):
    """Return whether a step that is asked for in the open window is the free one of the agility stance."""
    return fight.window == ATTACK_WINDOW or fight.window == STEP_WINDOW


@compiled
def next_to_step(fight):
    """Return the next fighter to step, in timing order unless sides take turns stepping, or NOBODY."""
    by_side = next_by_side(fight)
    if by_side != NOBODY:
        return by_side
    for spot in range(fight.n):
        if is_to_step(fight.fighters[fight.order[spot]]):
            return fight.order[spot]
    return NOBODY


@compiled
def is_to_step(fighter):
    """Return whether the fighter has chosen to step, or to rise by its stance, and has not done so yet."""
    return (fighter.deed == SIDESTEP or fighter.deed == RISE) and not fighter.stepped


@compiled
def take_step(fight, log, i):
    """Take a fighter's step if it is still possible; return whether the fighter has moved to another square."""
    fighter = fight.fighters[i]
    fighter.stepped = 1
    if fighter.status != STANDING:
        return False
    if fighter.deed == RISE:
        if may_get_up(fighter) and not hooks.stays(fight, i):
            fighter.moved = 1
            rise(fight, log, i)
        return False
    return take_sidestep(fight, log, i)


@on_map(False)
@compiled
def take_sidestep(fight, log, i):
    """Take a fighter's sidestep if there is still room; return whether there was."""
    fighter = fight.fighters[i]
    if not may_sidestep(fight, i, fighter.detail):
        return False
    fighter.moved = 1
    sidestep(fight, log, i, fighter.detail)
    fighter.able = fighter.able and not has_stepped_too_far(fight, i)
    return True


@rule("Combat > The Engagement > Choosing Your Stance > Agility Stance", "R-25", "R-68")
def line_up_last_steps(fight, log):
    """Save the phase's order, then order the steps of fighters that attacked first; rivals for one square roll."""
    for spot in range(fight.n):
        fight.window_order[spot] = fight.order[spot]
        fight.fighters[spot].contends = NOBODY
    aim_for_squares(fight)
    settle_timing(fight)
    tell_timing(fight, log)


@compiled
def restore_order(fight):
    """Restore the order of the phase after its last steps."""
    for spot in range(fight.n):
        fight.order[spot] = fight.window_order[spot]
        fight.fighters[fight.order[spot]].turn = spot


@rule("Combat > The Engagement > Choosing Your Stance > Agility Stance", "R-25")
def recall_others(fight):
    """Keep the new choices of fighters that have stepped, and restore the earlier choices of all others."""
    for i in range(fight.n):
        if not fight.fighters[i].stepped:
            first = outer_choice(fight, i)
            choose(fight, i, first.deed, first.target, first.detail)
    fight.kept_count -= 1


@on_map(None)
@compiled
def aim_for_squares(fight):
    """Make fighters that step to the same square contend for it, under a number that differs from every target's."""
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if fighter.deed == SIDESTEP:
            x, y = fighter.x + STEP_X[fighter.detail], fighter.y + STEP_Y[fighter.detail]
            fighter.contends = SQUARES + y * MAP_SIDE + x + own_squares(fight, i)


# Where sides take turns, they also take turns stepping.


@by_turns(None)
@rule(OF_TURNS, "R-91")
def begin_steps(fight):
    """Give the first step to the side that was engaged."""
    fight.to_step = fight.engaged_side


@by_turns(NOBODY)
@rule(OF_TURNS, "R-91")
def next_by_side(fight):
    """Return the first fighter, in timing order, of the next side that still has a fighter to step, or NOBODY."""
    for _ in range(fight.n_teams):
        side = fight.to_step
        fight.to_step = (side + 1) % fight.n_teams
        for spot in range(fight.n):
            fighter = fight.fighters[fight.order[spot]]
            if fighter.team == side and is_to_step(fighter):
                return fight.order[spot]
    return NOBODY


@by_turns(0)
@rule(OF_TURNS, "R-91")
def own_squares(fight, i):
    """Return an offset that keeps the sides' squares apart, so that only fighters of one side contend for a square."""
    return np.int64(fight.fighters[i].team) * MOST_SQUARES

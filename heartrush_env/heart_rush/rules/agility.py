"""The Engagement > Choosing Your Stance > Agility Stance: the free step before or after the attack."""

from __future__ import annotations

import numpy as np

from heartrush_env.core.rule import compiled, rule
from heartrush_env.heart_rush.engine.events import tell_timing
from heartrush_env.heart_rush.engine.kept import outer_choice
from heartrush_env.heart_rush.engine.windows import choose
from heartrush_env.heart_rush.rules.actions.sidestep import sidestep
from heartrush_env.heart_rush.rules.engaging import by_turns
from heartrush_env.heart_rush.rules.movement import STEP_X, STEP_Y, may_sidestep
from heartrush_env.heart_rush.rules.space import on_map
from heartrush_env.heart_rush.rules.terms import MAP_SIDE, MOST_SQUARES, NOBODY, SIDESTEP, STANDING
from heartrush_env.heart_rush.rules.timing import settle_timing

OF_TURNS = "Classic > Engaging the Enemy > Agility"
SQUARES = 100  # a fighter that steps contends for its square under this number plus the square's


@on_map(False)
@rule("Combat > The Engagement > Choosing Your Stance > Agility Stance", "R-5", "R-25")
def step_in_turn(match, log):
    """Fighters that chose the step of their agility take it in timing order; returns whether anybody did."""
    anyone = False
    begin_steps(match)
    for spot in range(match.n):
        by_side = next_by_side(match)
        i = match.order[spot] if by_side == NOBODY else by_side
        fighter = match.fighters[i]
        if fighter.deed == SIDESTEP and not fighter.stepped:
            anyone = True
            fighter.stepped = 1
            if fighter.status == STANDING and may_sidestep(match, i, fighter.detail):
                fighter.moved = 1
                sidestep(match, log, i, fighter.detail)
    return anyone


@on_map(None)
@rule("Combat > The Engagement > Choosing Your Stance > Agility Stance", "R-25", "R-68")
def step_last(match, log):
    """Fighters that struck first step now; rivals for a square roll for it, and the phase's order stays."""
    for spot in range(match.n):
        match.window_order[spot] = match.order[spot]
        match.fighters[spot].contends = NOBODY
    aim_for_squares(match)
    settle_timing(match)
    tell_timing(match, log)
    step_in_turn(match, log)
    for spot in range(match.n):
        match.order[spot] = match.window_order[spot]
        match.fighters[match.order[spot]].turn = spot


@on_map(None)
@rule("Combat > The Engagement > Choosing Your Stance > Agility Stance", "R-25")
def recall_others(match):
    """Let only the fighters that have stepped choose again; all other choices stay."""
    for i in range(match.n):
        if not match.fighters[i].stepped:
            first = outer_choice(match, i)
            choose(match, i, first.deed, first.target, first.detail)
    match.kept_count -= 1


@on_map(None)
@compiled
def aim_for_squares(match):
    """Fighters that step to the same square contend for it, separately from those that contend for a target."""
    for i in range(match.n):
        fighter = match.fighters[i]
        if fighter.deed == SIDESTEP:
            x, y = fighter.x + STEP_X[fighter.detail], fighter.y + STEP_Y[fighter.detail]
            fighter.contends = SQUARES + y * MAP_SIDE + x + own_squares(match, i)


# Where sides take turns, they also take turns to step.


@by_turns(None)
@rule(OF_TURNS, "R-91")
def begin_steps(match):
    """The side that was engaged steps first."""
    match.to_step = match.engaged_side


@by_turns(NOBODY)
@rule(OF_TURNS, "R-91")
def next_by_side(match):
    """The next to step: of the side whose turn it is, the first in timing order; a side with nobody left is skipped."""
    for _ in range(match.n_teams):
        side = match.to_step
        match.to_step = (side + 1) % match.n_teams
        for spot in range(match.n):
            fighter = match.fighters[match.order[spot]]
            if fighter.team == side and fighter.deed == SIDESTEP and not fighter.stepped:
                return match.order[spot]
    return NOBODY


@by_turns(0)
@rule(OF_TURNS, "R-91")
def own_squares(match, i):
    """Only fighters of one side contend for a square; between sides the order of steps decides."""
    return np.int64(match.fighters[i].team) * MOST_SQUARES

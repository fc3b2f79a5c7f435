"""The Action Phase > Actions You Can Take > Sidestep, on a map, and the free step of the agility stance."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import AFTER_STEP
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.actions.attack import steps_are_made
from heartrush_env.games.heart_rush.rules.choices import ON_MAPS, Comes, Cost, action
from heartrush_env.games.heart_rush.rules.conditions import is_senseless, may_still_move
from heartrush_env.games.heart_rush.rules.costs import can_pay
from heartrush_env.games.heart_rush.rules.maneuvers.climb_on import end_contacts_out_of_reach
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import drag
from heartrush_env.games.heart_rush.rules.movement import COMPASS, DIRECTIONS, STEP_X, STEP_Y, legal_sidesteps
from heartrush_env.games.heart_rush.rules.places import go
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.terms import AGILITY, STANDING
from heartrush_env.games.heart_rush.state.events import BY_SIDESTEP, tell_conditions
from heartrush_env.games.heart_rush.state.record import ACTION, ATTACK_WINDOW, STEP_WINDOW
from heartrush_env.tabletop.rule import compiled, rule


@action(
    "sidestep",
    words="step {detail}",
    tells="{fighter} sidesteps",
    cost=Cost.STEP,
    by_rush=Cost.RUSH_STEP,
    rush_from=DIRECTIONS,
    details=dict(enumerate([*COMPASS, *(f"{direction} rush" for direction in COMPASS)])),
    needs=ON_MAPS,
    windows=("action", "attack", "step"),
    comes=Comes.STEP,
)
class Sidestep:
    """One step to an adjacent square; the step provokes no opportunity attacks."""

    def may(fight, i, target, detail):
        return steps_now(fight, i, detail >= DIRECTIONS) >> detail % DIRECTIONS & 1 == 1

    def any_of(fight, i):
        """Return whether any step is possible."""
        return steps_now(fight, i, False) != 0 or steps_now(fight, i, True) != 0

    def write(fight, i, masks, start):
        """Write 1 for each legal step and return whether there is any; steps that cost a rush point are last."""
        by_action, by_rush = steps_now(fight, i, False), steps_now(fight, i, True)
        write_steps(masks, start, by_action)
        write_steps(masks, start + DIRECTIONS, by_rush)
        return by_action | by_rush != 0

    def do(fight, log, i, target, detail):
        sidestep(fight, log, i, detail % DIRECTIONS)


@rule("Combat > The Action Phase > Actions You Can Take > Sidestep")
def sidestep(fight, log, i, direction):
    """Take one step without provoking opportunity attacks; a held creature is dragged along."""
    fighter = fight.fighters[i]
    x, y = fighter.x, fighter.y
    fighter.squares_moved += 1
    go(fight, log, i, x + STEP_X[direction], y + STEP_Y[direction], BY_SIDESTEP)
    drag(fight, log, i, x, y)
    end_contacts_out_of_reach(fight)
    hooks.sidestepped(fight, i, log)
    hooks.treads(fight, log, np.int64(i), AFTER_STEP)
    tell_conditions(fight, log)


@compiled
def steps_now(fight, i, by_rush):
    """Return the steps that an able fighter may take and pay for in the open window, as one bit per direction."""
    if fight.window == ACTION:
        pays = can_pay(fight, i, Cost.RUSH_STEP) if by_rush else can_pay(fight, i, Cost.STEP)
    else:
        pays = not by_rush and may_step_now(fight, i)
    return legal_sidesteps(fight, i) if pays else 0


@on_map(0)
@rule("Combat > The Action Phase > Actions You Can Take > Sidestep", "R-47", "R-168")
def steps_out_of_turn(fight, i):
    """Return the steps that an ability lets a fighter take at no cost outside its turn, as one bit per direction."""
    return legal_sidesteps(fight, i) if is_able(fight, i) and may_still_move(fight.fighters[i]) else 0


@on_map(None)
@compiled
def step_out_of_turn(fight, log, i, direction):
    """Take a step that an ability grants; as with every movement, a confused fighter may not act after it."""
    fight.fighters[i].moved = True
    sidestep(fight, log, i, direction)


@compiled
def write_steps(masks, start, steps):
    """Write each direction's bit into the masks from index `start`."""
    for direction in range(DIRECTIONS if steps else 0):
        masks[start + direction] = steps >> direction & 1


@compiled
def may_step_now(fight, i):
    """Return whether the fighter may take its stance's step in this window of the agility phase."""
    fighter = fight.fighters[i]
    if fight.window != ATTACK_WINDOW and fight.window != STEP_WINDOW:
        return False
    if fight.phase != AGILITY or fighter.stance != AGILITY or fighter.status != STANDING or fighter.stepped:
        return False
    if is_senseless(fighter) or not may_still_move(fighter):
        return False
    return fight.window == STEP_WINDOW or not steps_are_made(fight)

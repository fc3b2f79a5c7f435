"""What a fighter may do beside, where the fight has a map: moving, objects, openings on the way."""

from __future__ import annotations

from heartrush_env.core.rule import compiled, rule
from heartrush_env.heart_rush.engine.state import ACTION, ATTACK_WINDOW, FOLLOW_WINDOW, OPPORTUNITY_WINDOW, STEP_WINDOW
from heartrush_env.heart_rush.rules.action_phase import is_able, may_move, may_swap, may_use_door
from heartrush_env.heart_rush.rules.conditions import is_senseless
from heartrush_env.heart_rush.rules.might_push import may_follow
from heartrush_env.heart_rush.rules.movement import sidesteps
from heartrush_env.heart_rush.rules.openings import has_opening, may_trip_now
from heartrush_env.heart_rush.rules.rush_points import may_pay_strike, may_rush_aside
from heartrush_env.heart_rush.rules.space import on_map
from heartrush_env.heart_rush.rules.stances import has_action_left
from heartrush_env.heart_rush.rules.terms import (
    AGILITY,
    CONFUSED,
    DASH,
    DOOR,
    FOLLOW,
    GRAPPLE,
    OPPORTUNITY,
    SIDESTEP,
    STANDING,
    SWAP,
    TRIP,
)
from heartrush_env.heart_rush.rules.ways import is_reachable, may_dash_anywhere

DASH_REACH = 12  # squares that a dash may lead east, west, north or south
DASH_SIDE = 2 * DASH_REACH + 1
DASHES = DASH_SIDE * DASH_SIDE
DIRECTIONS = 8


@on_map(False)
@compiled
def plays_on_map(match):
    """Whether the fight has a map."""
    return True


@on_map(False)
@compiled
def is_legal_on_map(match, i, deed, target, detail):
    """Whether fighter i may do this in the open window; for choices that only maps have, or that they judge anew."""
    window = match.window
    if window == ACTION:
        return is_able(match, i) and may_declare_on_map(match, i, deed, detail)
    if window == OPPORTUNITY_WINDOW:
        return may_answer(match, i, deed, target, detail)
    if window == FOLLOW_WINDOW:
        return (deed == FOLLOW and may_follow(match, i)) or (deed == GRAPPLE and may_squeeze(match, i, target))
    return deed == SIDESTEP and may_sidestep_now(match, i, detail)


@compiled
def may_declare_on_map(match, i, deed, detail):
    """Whether an able fighter may do this in the action phase, now."""
    fighter = match.fighters[i]
    if deed == DASH:
        x, y = dash_square(match, i, detail)
        return may_dash(fighter) and is_reachable(match, i, x, y)
    if deed == SIDESTEP:
        return may_sidestep_now(match, i, detail)
    if deed == SWAP:
        return may_swap(match, i)
    return deed == DOOR and may_use_door(match, i, detail)


@compiled
def may_dash(fighter):
    """The free dash is there, or the action is."""
    return may_move(fighter) or has_action_left(fighter)


@compiled
def sidesteps_now(match, i, by_rush):
    """The directions, a bit for each, of the step that an able fighter may take and pay so in the open window."""
    if match.window == ACTION:
        pays = may_rush_aside(match.fighters[i]) if by_rush else has_action_left(match.fighters[i])
    else:
        pays = not by_rush and (match.window == ATTACK_WINDOW or match.window == STEP_WINDOW) and may_step_now(match, i)
    return sidesteps(match, i) if pays else 0


@compiled
def may_sidestep_now(match, i, detail):
    """Whether a sidestep with this detail, its direction and way of paying, is one of them."""
    return sidesteps_now(match, i, detail >= DIRECTIONS) >> detail % DIRECTIONS & 1 == 1


@compiled
def dash_square(match, i, detail):
    """Where a dash of this number leads."""
    fighter = match.fighters[i]
    return fighter.x + detail % DASH_SIDE - DASH_REACH, fighter.y + detail // DASH_SIDE - DASH_REACH


@compiled
def may_answer(match, i, deed, target, detail):
    """Whether fighter i may strike at, or trip, who moves now."""
    if target != match.mover:
        return False
    if deed == TRIP:
        return may_trip_now(match, i)
    return deed == OPPORTUNITY and has_opening(match, i) and may_pay_strike(match.fighters[i], detail)


@rule("Combat > Other Offensive Actions > Grappling", "R-80")
def may_squeeze(match, i, target):
    """Whether the push that is about to come is one of fighter i's captive, which it may squeeze instead."""
    return match.fighters[i].squeezes and target == match.fighters[i].grappling


@compiled
def may_step_now(match, i):
    """Whether the open window of the agility phase is one in which this fighter may take the step of its stance."""
    fighter = match.fighters[i]
    if match.phase != AGILITY or fighter.stance != AGILITY or fighter.status != STANDING or fighter.stepped:
        return False
    if is_senseless(fighter) or (fighter.acted and fighter.levels[CONFUSED] > 0):
        return False
    return match.window == STEP_WINDOW or not steps_are_made(match)


@on_map(False)
@compiled
def strikes_later(match, i):
    """Whether those who stepped first strike now, in their agility, and the fighter is none of them."""
    return match.phase == AGILITY and not match.fighters[i].stepped and steps_are_made(match)


@compiled
def steps_are_made(match):
    """Whether those who step before they strike in this agility phase have done so."""
    for i in range(match.n):
        if match.fighters[i].stepped:
            return True
    return False


@on_map(False)
@compiled
def has_choice_on_map(match, i):
    """Whether a window that maps know gives fighter i something to do."""
    window = match.window
    if window == OPPORTUNITY_WINDOW:
        return has_opening(match, i) or may_trip_now(match, i)
    if window == FOLLOW_WINDOW:
        return may_follow(match, i) or match.fighters[i].squeezes
    return sidesteps_now(match, i, False) != 0


@on_map(False)
@compiled
def has_declaration_on_map(match, i):
    """Whether an able fighter could move, swap or use a door in the action phase."""
    if may_swap(match, i) or sidesteps_now(match, i, False) or sidesteps_now(match, i, True):
        return True
    for detail in range(2 * DIRECTIONS):
        if may_use_door(match, i, detail):
            return True
    return may_dash(match.fighters[i]) and may_dash_anywhere(match, i)

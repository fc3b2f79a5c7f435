"""Windows, in each of which fighters choose at the same time: opening, default choices, and pending choices."""

from __future__ import annotations

from heartrush_env.games.heart_rush.engine.legal import has_choice, is_legal
from heartrush_env.games.heart_rush.engine.state import (
    ACTION,
    ATTACK_WINDOW,
    ENTER_WINDOW,
    FOLLOW_UP,
    FOLLOW_WINDOW,
    SHRUG_WINDOW,
    STANCE,
)
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.actions.attack import is_attacker, may_follow_up
from heartrush_env.games.heart_rush.rules.cunning import TWO_LEVELS, may_name_levels, worst_for
from heartrush_env.games.heart_rush.rules.default_movement import default_dash, default_door
from heartrush_env.games.heart_rush.rules.engaging import by_turns, takes_part
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.stances import may_attack
from heartrush_env.games.heart_rush.rules.taking_damage import may_shrug, pending_hit
from heartrush_env.games.heart_rush.rules.terms import (
    DASH,
    DEFENSIVE,
    DOOR,
    ENGAGE,
    ENTER,
    GRAPPLE,
    NOBODY,
    PASS,
    SHRUG,
    STRIKE,
    TAKE,
    TAKE_STANCE,
)
from heartrush_env.tabletop.rule import compiled, inlined, unfolded

SHRUG_FROM = 10  # damage that the default always shrugs off


@unfolded
def ask(match, window):
    """Open a window and fill in the default choices; return whether the fight waits there for a choice."""
    match.window = window
    surfaces = match.full_decisions or window == STANCE
    asked = False
    for i in range(match.n):
        fighter = match.fighters[i]
        fighter.pending = False
        if surfaces:
            fighter.has_choice = fighter.pending = has_choice(match, i)
            asked = asked or fighter.pending
            choose_nothing(match, i)
        else:
            fighter.has_choice = False
            choose_default(match, i)
    return asked


@inlined
def choose(match, i, deed, target, detail):
    """Set fighter i's choice in the open window."""
    fighter = match.fighters[i]
    fighter.deed = deed
    fighter.target = target
    fighter.detail = detail


@inlined
def choose_nothing(match, i):
    """Set the choice of a fighter that has only one: pass, take its hit, or show the defensive stance."""
    if match.window == STANCE and is_able(match, i) and takes_part(match, i):
        choose(match, i, TAKE_STANCE, NOBODY, DEFENSIVE)
    else:
        choose(match, i, TAKE if match.window == SHRUG_WINDOW else PASS, NOBODY, 0)


@compiled
def choose_fallback(match, i):
    """Set the replacement for a missing or illegal choice: take the hit, show the defensive stance, or pass."""
    choose_nothing(match, i)


@unfolded
def choose_default(match, i):
    """Set fighter i's choice by the default policy of the window, for fighters that are not prompted."""
    window = match.window
    choose_nothing(match, i)
    if window == ATTACK_WINDOW:
        target = weakest_target(match, i) if is_attacker(match, i) else NOBODY
        if target != NOBODY:
            choose(match, i, STRIKE, target, default_levels(match, i, target))
    elif window == SHRUG_WINDOW:
        if pending_hit(match, i) != NOBODY and may_shrug(match, match.fighters[i]) and default_shrugs(match, i):
            choose(match, i, SHRUG, NOBODY, 0)
    elif not has_choice(match, i):
        return
    elif window == FOLLOW_UP:
        choose(match, i, STRIKE, weakest_other_target(match, i), 0)
    elif window == ACTION:
        walk_by_default(match, i)
        engage_by_default(match, i)
    elif window == ENTER_WINDOW:
        choose(match, i, ENTER, NOBODY, 0)
    elif window == FOLLOW_WINDOW:
        squeeze_by_default(match, i)


@on_map(None)
@compiled
def walk_by_default(match, i):
    """Dash toward an enemy if none is in range, as near as the free dash reaches; open doors on the way."""
    dash = default_dash(match, i)
    door = default_door(match, i) if dash == NOBODY else NOBODY
    if dash != NOBODY:
        choose(match, i, DASH, NOBODY, dash)
    elif door != NOBODY:
        choose(match, i, DOOR, NOBODY, door)


@by_turns(None)
@compiled
def engage_by_default(match, i):
    """Engage the enemy in reach with the fewest hit points; ties go to the earlier slot."""
    best = NOBODY
    for place in range(match.fighters[i].enemy_count):
        target = match.fighters[i].enemies[place]
        if is_legal(match, i, ENGAGE, target, 0) and (
            best == NOBODY or match.fighters[target].hp < match.fighters[best].hp
        ):
            best = target
    if best != NOBODY:
        choose(match, i, ENGAGE, best, 0)


@on_map(None)
@compiled
def squeeze_by_default(match, i):
    """Squeeze the captive if that is allowed; the fighter keeps its hold."""
    if match.fighters[i].squeezes:
        choose(match, i, GRAPPLE, match.fighters[i].grappling, 0)


@compiled
def weakest_target(match, i):
    """Return the legal target with the fewest hit points, or NOBODY; ties go to the earlier slot."""
    best = NOBODY
    for place in range(match.fighters[i].enemy_count):
        target = match.fighters[i].enemies[place]
        if may_attack(match, i, target) and (best == NOBODY or match.fighters[target].hp < match.fighters[best].hp):
            best = target
    return best


@compiled
def weakest_other_target(match, i):
    """Return the legal target of another throw with the fewest hit points, or NOBODY; it must be a new target."""
    best = NOBODY
    for place in range(match.fighters[i].enemy_count):
        target = match.fighters[i].enemies[place]
        if may_follow_up(match, i, target) and (best == NOBODY or match.fighters[target].hp < match.fighters[best].hp):
            best = target
    return best


@compiled
def default_levels(match, i, target):
    """Return the code for two levels of the condition that troubles the target most, or 0 if that is not allowed."""
    code = TWO_LEVELS[worst_for(match.fighters[target])]
    return code if may_name_levels(match, i, target, code) else 0


@compiled
def default_shrugs(match, i):
    """Return whether the default shrugs off a hit: damage of 10 or more, or enough to bring hit points to zero."""
    damage = match.hits[pending_hit(match, i)].amount
    return damage >= SHRUG_FROM or match.fighters[i].hp - damage <= 0

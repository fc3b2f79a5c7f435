"""The windows in which fighters choose at the same time: opening a window, and the default choices in it."""

from __future__ import annotations

from heartrush_env.games.heart_rush.engine.legal import has_choice, is_legal
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.actions.attack import is_attacker, may_follow_up
from heartrush_env.games.heart_rush.rules.actions.stance import stance_without_choice
from heartrush_env.games.heart_rush.rules.cunning import TWO_LEVELS, may_name_levels, worst_for
from heartrush_env.games.heart_rush.rules.default_movement import default_dash, default_door
from heartrush_env.games.heart_rush.rules.engaging import by_turns, takes_part
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.stances import may_attack
from heartrush_env.games.heart_rush.rules.taking_damage import may_shrug, pending_hit
from heartrush_env.games.heart_rush.rules.terms import (
    DASH,
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
from heartrush_env.games.heart_rush.state.choices import choose
from heartrush_env.games.heart_rush.state.record import (
    ACTION,
    ATTACK_WINDOW,
    ENTER_WINDOW,
    FOLLOW_UP,
    FOLLOW_WINDOW,
    SHRUG_WINDOW,
    STANCE,
)
from heartrush_env.tabletop.rule import compiled, inlined, unfolded

SHRUG_FROM = 10  # damage that the default always shrugs off


@unfolded
def ask(fight, window):
    """Open a window and fill in the default choices; return whether the fight waits there for a choice."""
    fight.window = window
    surfaces = fight.full_decisions or window == STANCE
    asked = False
    for i in range(fight.n):
        fighter = fight.fighters[i]
        fighter.pending = False
        if surfaces:
            fighter.has_choice = fighter.pending = has_choice(fight, i)
            asked = asked or fighter.pending
            choose_nothing(fight, i)
        else:
            fighter.has_choice = False
            choose_default(fight, i)
    return asked


@inlined
def choose_nothing(fight, i):
    """Set the choice of a fighter that has only one: pass, take its hit, or show the defensive stance."""
    if fight.window == STANCE and is_able(fight, i) and takes_part(fight, i):
        choose(fight, i, TAKE_STANCE, NOBODY, stance_without_choice(fight, i))
    else:
        choose(fight, i, TAKE if fight.window == SHRUG_WINDOW else PASS, NOBODY, 0)


@compiled
def choose_fallback(fight, i):
    """Set the replacement for a missing or illegal choice: take the hit, show the defensive stance, or pass."""
    choose_nothing(fight, i)


@unfolded
def choose_default(fight, i):
    """Set the choice of fighter i, which is not prompted, by the default policy of the window."""
    window = fight.window
    choose_nothing(fight, i)
    if window == ATTACK_WINDOW:
        target = weakest_target(fight, i) if is_attacker(fight, i) else NOBODY
        if target != NOBODY:
            choose(fight, i, STRIKE, target, default_levels(fight, i, target))
    elif window == SHRUG_WINDOW:
        if pending_hit(fight, i) != NOBODY and may_shrug(fight, fight.fighters[i]) and default_shrugs(fight, i):
            choose(fight, i, SHRUG, NOBODY, 0)
    elif not has_choice(fight, i):
        return
    elif window == FOLLOW_UP:
        choose(fight, i, STRIKE, weakest_other_target(fight, i), 0)
    elif window == ACTION:
        walk_by_default(fight, i)
        engage_by_default(fight, i)
    elif window == ENTER_WINDOW:
        choose(fight, i, ENTER, NOBODY, 0)
    elif window == FOLLOW_WINDOW:
        squeeze_by_default(fight, i)


@on_map(None)
@compiled
def walk_by_default(fight, i):
    """Choose a dash toward the nearest enemy, or else to open a door on the way, if no enemy is in range."""
    dash = default_dash(fight, i)
    door = default_door(fight, i) if dash == NOBODY else NOBODY
    if dash != NOBODY:
        choose(fight, i, DASH, NOBODY, dash)
    elif door != NOBODY:
        choose(fight, i, DOOR, NOBODY, door)


@by_turns(None)
@compiled
def engage_by_default(fight, i):
    """Choose to engage the enemy in reach with the fewest hit points; ties go to the earlier slot."""
    best = NOBODY
    for place in range(fight.fighters[i].enemy_count):
        target = fight.fighters[i].enemies[place]
        if is_legal(fight, i, ENGAGE, target, 0) and (
            best == NOBODY or fight.fighters[target].hp < fight.fighters[best].hp
        ):
            best = target
    if best != NOBODY:
        choose(fight, i, ENGAGE, best, 0)


@on_map(None)
@compiled
def squeeze_by_default(fight, i):
    """Choose to squeeze the captive if that is allowed."""
    if fight.fighters[i].squeezes:
        choose(fight, i, GRAPPLE, fight.fighters[i].grappling, 0)


@compiled
def weakest_target(fight, i):
    """Return the legal target with the fewest hit points, or NOBODY; ties go to the earlier slot."""
    best = NOBODY
    for place in range(fight.fighters[i].enemy_count):
        target = fight.fighters[i].enemies[place]
        if may_attack(fight, i, target) and (best == NOBODY or fight.fighters[target].hp < fight.fighters[best].hp):
            best = target
    return best


@compiled
def weakest_other_target(fight, i):
    """Return the legal target of another throw with the fewest hit points, or NOBODY; it must be a new target."""
    best = NOBODY
    for place in range(fight.fighters[i].enemy_count):
        target = fight.fighters[i].enemies[place]
        if may_follow_up(fight, i, target) and (best == NOBODY or fight.fighters[target].hp < fight.fighters[best].hp):
            best = target
    return best


@compiled
def default_levels(fight, i, target):
    """Return the code for two levels of the condition worst for the target, or 0 if fighter i may not name them."""
    code = TWO_LEVELS[worst_for(fight.fighters[target])]
    return code if may_name_levels(fight, i, target, code) else 0


@compiled
def default_shrugs(fight, i):
    """Return whether fighter i shrugs off a hit by default: if it deals 10 or more, or all hit points that are left."""
    damage = fight.hits[pending_hit(fight, i)].amount
    return damage >= SHRUG_FROM or fight.fighters[i].hp - damage <= 0

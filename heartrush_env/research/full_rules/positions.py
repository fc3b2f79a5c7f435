"""Positions of a duel: the engine's own record of a fight, reduced to what can influence the future.

A position is a fight between two fighters that waits in an open window. The engine continues it like any fight, but
with given totals for its rolls (`rules/dice.py`), so that a solver can enumerate every course of play. Two fights in
the same position have the same future, whatever happened before. Equal positions are equal byte for byte.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.editions.june2025 import EDITION, agility_steps, declarations, phase, rising
from heartrush_env.games.heart_rush.rules.dice import NO_BONUS, pool_record
from heartrush_env.games.heart_rush.rules.rush_points import BY_THE_BOOK, ROUND_NUMBER
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.special_circumstances import is_surprised
from heartrush_env.games.heart_rush.rules.taking_damage import may_choose_to_fight_on
from heartrush_env.games.heart_rush.rules.terms import (
    CONFUSED,
    HIDDEN,
    INCAPACITATED,
    N_CONDITIONS,
    NO_STANCE,
    NOBODY,
    PASS,
    PRONE,
    STANDING,
    STRIKE,
    UNCONSCIOUS,
)
from heartrush_env.games.heart_rush.state.record import (
    ACTION,
    ATTACK_WINDOW,
    FOLLOW_UP,
    NUMBERS,
    OPPORTUNITY_WINDOW,
    REVEALS,
    SHRUG_WINDOW,
    YIELD_WINDOW,
    fight_record,
    fighter_record,
)
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.records import Field
from heartrush_env.tabletop.rng import CHANCE
from heartrush_env.tabletop.rule import compiled

MOST_ROLLS = 24  # maximum rolls in one window
LATER_ROUND = 2  # stands for every round but the first, because no rule tells later rounds apart
NO_CAP = 30_000  # rounds; the solver counts them itself

_TOTALS: list[Field] = [
    ("totals_given", "i2"),  # number of given totals; `totals_used` counts the rolls made
    ("totals_used", "i2"),
    ("totals", "i2", (MOST_ROLLS,)),
    ("asked", pool_record(NO_BONUS)),  # the first roll without a given total
]
_CHANCE = [("given", "u1", (1,)) if field[0] == "given" else field for field in CHANCE]  # positions have no given dice
# Fields of past dice. Every roll overwrites them, and their effects are in other fields.
SCRATCH = (
    *(field[0] for field in CHANCE), "seed", "fight_number", "step_count", "recording", "pool", "attack_roll",
    "defense_roll", "exchange", "causes", "attack_causes",
)  # fmt: skip
POSITION = fight_record(2, fighter_record(2, []), _TOTALS, chance=_CHANCE)
WORDS = POSITION.itemsize // 8
MACHINE = EDITION.machine  # what can be forgotten depends on the edition's round
# Flows of the round, as numbered in frames.
DECLARATIONS, PHASE, RISING, STEPS = (MACHINE.number(flow) for flow in (declarations, phase, rising, agility_steps))
SPOT = MACHINE.slot(declarations, "declaration", "spot")  # holds the current declaration's index in the order
KEPT_NUMBERS = MACHINE.kept_numbers()


def as_position(fight: Any) -> Any:
    """Return the position of a fight of two fighters without a map, as an array of one record."""
    position = np.zeros(1, POSITION)
    copy_fields(fight, position[0])
    position["rules"]["max_rounds"] = NO_CAP
    forget(position)
    return position


def copy_fields(source: Any, target: Any) -> None:
    """Copy all fields that both records have, except scratch; truncate lists to the shorter record's length."""
    for name in target.dtype.names:
        if name not in source.dtype.names or name in SCRATCH:
            continue
        kind = target.dtype[name]
        if kind.subdtype is not None:
            most = min(len(target[name]), len(source[name]))
            if kind.subdtype[0].names is not None:
                for k in range(most):
                    copy_fields(source[name][k], target[name][k])
            else:
                target[name][:most] = source[name][:most]
        elif kind.names is not None:
            copy_fields(source[name], target[name])
        else:
            target[name] = source[name]


@entry_point
def forget(positions: Any) -> None:
    """Reduce each fight to what can influence its future."""
    for k in range(len(positions)):
        forget_past(positions[k])


@compiled
def forget_past(fight: Any) -> None:
    """Reduce a fight that waits in a window to what can influence its future."""
    window = fight.window
    declaring = is_in(fight, DECLARATIONS)
    stepping = is_in(fight, STEPS)  # after the first attacks of the agility phase, until its end
    in_phase = is_in(fight, PHASE) and (window != ATTACK_WINDOW or stepping)
    forget_chance(fight)
    forget_frames(fight)
    forget_rush(fight, declaring or window == ACTION)
    for k in range(len(fight.margin)):  # belongs to rewards by hit points, which are not solved
        fight.margin[k] = 0.0
    if not (in_phase or window == ATTACK_WINDOW):
        fight.phase = 0
    if not (declaring or window == ACTION):  # the next round counts its windows from zero
        fight.windows_used = 0
    if not is_in(fight, RISING):  # no fighter is rising
        fight.mover = NOBODY
    if not (declaring or in_phase):  # the next declarations or rolls determine their own order
        for k in range(fight.n):
            fight.order[k] = 0
    for k in range(fight.n):
        fight.fighters[k].stepped &= stepping
    for k in range(fight.n):  # only used within one step
        fight.window_order[k] = 0
        fight.contenders[k] = 0
        fight.split[k] = 0
    for i in range(fight.n):
        forget_history(fight, fight.fighters[i], declaring or window == ACTION)
        forget_choices(fight, fight.fighters[i], declaring, in_phase)
    forget_kept(fight, declaring, in_phase)
    forget_hits(fight, stepping)


@compiled
def is_in(fight: Any, flow: Any) -> Any:
    """Return whether this flow is on the fight's stack."""
    for k in range(fight.depth):
        if fight.frames[k].flow == flow:
            return True
    return False


@compiled
def forget_frames(fight: Any) -> None:
    """Clear finished frames, and numbers that the other frames no longer need."""
    for k in range(len(fight.frames)):
        frame = fight.frames[k]
        if k >= fight.depth:
            frame.flow = 0
            frame.at = 0
        for number in range(KEPT_NUMBERS[frame.flow, frame.at], NUMBERS):
            frame.numbers[number] = 0


@compiled
def forget_kept(fight: Any, declaring: Any, in_phase: Any) -> None:
    """Clear choices made in enclosing windows, unless they still matter."""
    for k in range(len(fight.kept)):
        kept = fight.kept[k]
        if k >= fight.kept_count * fight.n or not (in_phase or declaring):
            kept.deed = 0
            kept.target = NOBODY
            kept.detail = 0
        elif in_phase and fight.window != FOLLOW_UP and kept.deed == STRIKE and kept.detail == 0:
            kept.deed = PASS  # it has struck, and no effect is pending
            kept.target = NOBODY


@compiled
def forget_chance(fight: Any) -> None:
    """Clear the remains of rolls; nothing reads them later."""
    for k in range(fight.totals_given):
        fight.totals[k] = 0
    fight.totals_given = 0
    fight.totals_used = 0
    forget_pool(fight.pool)
    forget_pool(fight.asked)
    fight.attack_roll.total = 0
    fight.defense_roll.total = 0
    forget_exchange(fight.exchange)


@compiled
def forget_exchange(exchange: Any) -> None:
    """Clear the last attack, which is over whenever a fight without abilities waits in a window."""
    exchange.striker = exchange.target = exchange.cause = exchange.stance = exchange.rank = 0
    exchange.beaten = exchange.contest = exchange.mutual = False


@compiled
def forget_pool(pool: Any) -> None:
    """Clear a pool."""
    for k in range(len(pool.sides)):
        pool.sides[k] = 0
        pool.source[k] = 0
    for k in range(len(pool.flat_amount)):
        pool.flat_amount[k] = 0
        pool.flat_source[k] = 0
    for k in range(len(pool.bonus)):
        pool.bonus[k] = 0
    pool.count = 0
    pool.net = 0
    pool.flat_bonus = 0
    pool.flat_count = 0
    pool.bonus_count = 0


@compiled
def forget_hits(fight: Any, stepping: Any) -> None:
    """Clear all hits except pending ones, and all fields of pending hits except their target and damage.

    Before the last steps of a phase, its hits are still being collected: each has a rank, and none has a number yet.
    """
    if not stepping and fight.window != SHRUG_WINDOW:
        fight.hit_count = 0
        fight.hit_number = 0
    for k in range(len(fight.hits)):
        hit = fight.hits[k]
        hit.cause = 0  # only for events
        hit.striker = 0
        if not stepping or k >= fight.hit_count:
            hit.rank = 0  # the hits are already in this order
        if stepping or k >= fight.hit_count:
            hit.number = 0
        if k >= fight.hit_count:
            hit.target = 0
        if k >= fight.hit_count or hit.number < fight.hit_number:
            hit.amount = 0
        elif not (stepping or fight.rules.death_at_reduced):  # otherwise the excess damage matters
            hit.amount = min(hit.amount, 2 * deadly_damage(fight, fight.fighters[hit.target]) - 1)


@compiled
def deadly_damage(fight: Any, fighter: Any) -> Any:
    """Return the least damage, after any shrug, that defeats a fighter for good; more has no further effect."""
    lasts = fighter.hp_max if may_fall_unconscious(fight, fighter) else 0
    return max(1, fighter.hp + lasts)


@compiled
def forget_history(fight: Any, fighter: Any, acting: Any) -> None:
    """Clear a fighter's history, which no rule reads, and its wounds where they do not bring death nearer."""
    for k in range(REVEALS):
        fighter.reveals[k] = NO_STANCE
    for k in range(4):
        fighter.stance_count[k] = 0
    for k in range(N_CONDITIONS):
        if fighter.levels[k] == 0:
            fighter.source[k] = NOBODY
    fighter.wound_count = 0
    if not fight.rules.death_at_reduced:
        fighter.wounds = 0
    if not fight.rules.shrug_once:
        fighter.shrugs = 0
    if fighter.status != STANDING and not (acting and fighter.status == UNCONSCIOUS):  # it cannot return to the fight
        fighter.hp = 0
        fighter.heart = fighter.heart_max
    if fighter.hp > 0:  # the count restarts when it drops
        fighter.rounds_at_zero = 0


@compiled
def spendable(fight: Any, i: Any, acting: Any) -> Any:
    """Return the most rush points that fighter i of a duel can still spend in this round.

    No fighter is thrown down in the action phase: a fighter rises at most once, and reacts at most once to an enemy
    that rises. It attacks at most once out of hiding, since that ends hiding. It may attack in every window if the
    enemy is open to attacks anyway.
    """
    fighter, other = fight.fighters[i], fight.fighters[1 - i]
    if not acting or fighter.status != STANDING:
        return np.int64(0)
    spent = np.int64(has(fighter, PRONE)) + (has(fighter, HIDDEN) and fighter.struck_at == 0)
    if other.status == UNCONSCIOUS or is_surprised(fight, 1 - i) or may_lie_open(fight, other):
        spent = np.int64(fight.rules.windows_per_round) - fight.windows_used + is_to_declare(fight, i)
    if other.status == STANDING and fight.window == OPPORTUNITY_WINDOW and fight.mover == 1 - i:
        return spent + 1
    return spent + (other.status == STANDING and has(other, PRONE) and other.dash)


@compiled
def spendable_later(fight: Any, i: Any) -> Any:
    """Return the most rush points that fighter i can spend in any later round, in which it may be tripped."""
    fighter, other = fight.fighters[i], fight.fighters[1 - i]
    windows = np.int64(fight.rules.windows_per_round) if fight.full_decisions else 0
    if windows == 0 or fighter.status != STANDING or other.status != STANDING:
        return np.int64(0)
    if may_lie_open(fight, other):
        return windows + 1
    falls = np.int64(fight.rules.maneuvers)
    return max(falls, np.int64(has(fighter, PRONE))) + max(falls, np.int64(has(other, PRONE))) + has(fighter, HIDDEN)


@compiled
def may_lie_open(fight: Any, fighter: Any) -> Any:
    """Return whether a standing fighter is helpless, or can become helpless by falling unconscious."""
    return has(fighter, INCAPACITATED) or may_fall_unconscious(fight, fighter)


@compiled
def may_fall_unconscious(fight: Any, fighter: Any) -> Any:
    """Return whether 0 hit points may leave a fighter unconscious and still open to attacks."""
    return not fight.rules.first_down and (fighter.hero or may_choose_to_fight_on(fight, fighter))


@compiled
def is_to_declare(fight: Any, i: Any) -> Any:
    """Return whether fighter i has yet to declare in this window of the action phase."""
    if fight.window == ACTION:
        return True
    for k in range(next_spot(fight), fight.n):
        if fight.order[k] == i:
            return True
    return False


@compiled
def next_spot(fight: Any) -> Any:
    """Return the index of the next pending declaration in the order."""
    for k in range(fight.depth):
        if fight.frames[k].flow == DECLARATIONS:
            return np.int64(fight.frames[k].numbers[SPOT]) + 1
    return np.int64(fight.n)


@compiled
def forget_rush(fight: Any, acting: Any) -> None:
    """Reduce rush points to those that can still be spent, in this round or in later rounds."""
    mode = fight.rules.rush_mode
    later = spendable_later(fight, 0), spendable_later(fight, 1)
    if mode == ROUND_NUMBER:  # a round with enough points represents all later rounds
        fight.round_number = min(fight.round_number, max(LATER_ROUND, max(later[0], later[1])))
    else:
        fight.round_number = min(fight.round_number, LATER_ROUND)
    for i in range(2):
        fighter = fight.fighters[i]
        fighter.rush = min(fighter.rush, spendable(fight, i, acting))
        fighter.active_rounds = min(fighter.active_rounds, later[i]) if mode == BY_THE_BOOK else 0
        if mode != BY_THE_BOOK or fighter.active_rounds == later[i]:
            fighter.active = False


@compiled
def forget_choices(fight: Any, fighter: Any, declaring: Any, in_phase: Any) -> None:
    """Clear choices and their results once their phase or declaration is over."""
    fighter.check_ability = 0  # only for events
    fighter.timing_total = 0  # this and the next two fields are only used within one step
    fighter.contends = NOBODY
    fighter.rolled = False
    if not (declaring or fight.window == ACTION):  # the action phase is over
        fighter.interaction = False
        fighter.dash = False
        fighter.acted &= fight.rules.agility_rises and has(fighter, PRONE) and fighter.levels[CONFUSED] > 0
        if not fight.rules.attack_costs_action:
            fighter.action = False
            fighter.moved = False
    if not (in_phase or fight.window == ATTACK_WINDOW):  # the engagement has not begun, or is over
        fighter.stance = NO_STANCE
    if not in_phase:
        fighter.succeeded = False
        fighter.follow_up = False
        fighter.able = False
        fighter.turn = 0
    if fight.window != SHRUG_WINDOW and fight.window != YIELD_WINDOW:
        fighter.dropped = False
    if not (in_phase or fight.window == SHRUG_WINDOW):  # the next rolls set it when their phase begins
        fighter.phase_heart = fighter.heart

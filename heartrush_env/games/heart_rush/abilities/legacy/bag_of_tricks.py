"""Bag of Tricks."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.hinders import SIZES_TO_TRADE
from heartrush_env.games.heart_rush.abilities.unit import CREATURE, DIRECTION, ability, figure, later, options
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import (
    AFTER_STEP,
    ANY_MOMENT,
    ON_ACTION,
    ON_PHASE,
    ON_REVEAL,
    answer,
    fighter_named,
    memo,
    open_pick,
    remember,
)
from heartrush_env.games.heart_rush.rules.actions.sidestep import step_out_of_turn, steps_out_of_turn
from heartrush_env.games.heart_rush.rules.choices import Cost
from heartrush_env.games.heart_rush.rules.conditions import inflict_from, rage_condition
from heartrush_env.games.heart_rush.rules.contests import sizes_larger
from heartrush_env.games.heart_rush.rules.costs import can_pay, pay
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus
from heartrush_env.games.heart_rush.rules.movement import dreads, is_free_to_sidestep
from heartrush_env.games.heart_rush.rules.places import may_trade_places, trade_places
from heartrush_env.games.heart_rush.rules.space import next_to, on_map, plays_on_map
from heartrush_env.games.heart_rush.rules.terms import (
    CHECK,
    DISARM,
    FEET,
    MOST_FIGHTERS,
    NOBODY,
    STANCES,
    STANDING,
    SWING_PAST,
    TAUNT,
)
from heartrush_env.games.heart_rush.rules.timing import base_order
from heartrush_env.tabletop.rule import compiled

FURTHER_STEPS = figure("bag_of_tricks", "sidestep_ft") // FEET - 1
BONUS = figure("bag_of_tricks", "stunt_bonus")
RAGE = figure("bag_of_tricks", "enraged")
DIE = figure("bag_of_tricks", "timing_die")
TRICK, WHOM, WAY, WILLING = range(4)  # the parts
LONGER, STUNT, TRADE, FASTEST, GUESS = range(5)  # the tricks; a guess is this plus the stance
# The parts of the memo, from the lowest: the further steps of the next sidestep, whether a bonus waits for a stunt,
# whether that stunt is being rolled, the guess (a stance and one more than a creature), and the round of fast timing.
STEPS, READY, ROLLING, FLAGS = 7, 8, 16, 32
PLACES = 2 * MOST_FIGHTERS
GUESSES = len(STANCES) * PLACES


@ability(
    "bag_of_tricks", on=ANY_MOMENT, rulings=["R-20", "R-262"],
    picks=[
        options(
            "a longer sidestep", "a better stunt", "a trade of places", "the fastest timing",
            *(f"a guess: {stance}" for stance in STANCES),
        ),
        CREATURE, later(DIRECTION, optional=True), later(options("trade places"), optional=True),
    ],
    left_out="faster climbing, and the trade of places by the sidestep of the agility stance",
)  # fmt: skip
class BagOfTricks:
    """A longer sidestep, one that trades places, a better stunt, the fastest timing, or a guess at a stance.

    A creature whose stance the owner has guessed is enraged at it as stances are shown. The memo holds what waits.
    """

    def may(fight, i, slot, target):
        return knows_trick(fight, i, slot)

    def asks(fight, i, slot, target, part):
        return part == TRICK or answer(fight, i, TRICK) == TRADE or answer(fight, i, TRICK) >= GUESS

    def may_pick(fight, i, slot, target, part, picked):
        if part == TRICK:
            return may_do_trick(fight, i, slot, picked)
        if part == WAY:
            return steps_out_of_turn(fight, i) >> picked & 1 == 1
        if part == WILLING:
            return may_trade_with(fight, i, target)
        if answer(fight, i, TRICK) == TRADE:
            return may_trade_with(fight, i, picked)
        return fight.fighters[picked].team != fight.fighters[i].team

    def auto(fight, i, slot, target, part):
        return np.int64(STUNT) if part == TRICK else np.int64(NOBODY)

    def do(fight, log, i, slot, target):
        trick, other = answer(fight, i, TRICK), answer(fight, i, WHOM)
        before = memo(fight, i, slot)
        if trick == LONGER:
            remember(fight, i, slot, before - (before & STEPS) + FURTHER_STEPS)
        elif trick == STUNT:
            remember(fight, i, slot, before | READY)
        elif trick == TRADE:
            open_pick(fight, other, i, slot, WILLING)
        elif trick == FASTEST:
            remember(fight, i, slot, before % (FLAGS * GUESSES) + np.int64(fight.round_number) * FLAGS * GUESSES)
            base_order(fight)
        else:
            guess(fight, i, slot, (trick - GUESS) * PLACES + other + 1)

    def picked(fight, log, i, slot, who, part, picked):
        if part == WAY:
            step_out_of_turn(fight, log, i, picked)
        else:
            trade_by_sidestep(fight, log, i, who)

    def sidestepped(fight, i, slot, log):
        if plays_on_map(fight) and memo(fight, i, slot) & STEPS:
            remember(fight, i, slot, memo(fight, i, slot) - 1)
            open_pick(fight, i, i, slot, WAY)

    def contest_of(fight, i, slot, roller, other, deed, tries):
        stunts = deed == DISARM or deed == TAUNT or deed == SWING_PAST
        if roller == i and tries and stunts and memo(fight, i, slot) & READY:
            remember(fight, i, slot, memo(fight, i, slot) + ROLLING - READY)
        return 0

    def checked(fight, i, slot, kind, roll):
        if kind == CHECK and memo(fight, i, slot) & ROLLING:
            remember(fight, i, slot, memo(fight, i, slot) - ROLLING)
            add_ability_bonus(roll.pool, BONUS)
            roll.total += BONUS

    def timing_die(fight, i, slot, die):
        return max(die, np.int64(DIE)) if is_fastest(fight, i, slot) else die

    def unanswered(fight, i, slot):
        return is_fastest(fight, i, slot)

    def revealed(fight, i, slot, log):
        guessed = memo(fight, i, slot) // FLAGS % GUESSES
        other = fighter_named(fight, guessed % PLACES)
        if other != NOBODY and are_standing(fight, i, other) and fight.fighters[other].stance == guessed // PLACES:
            inflict_from(fight, i, other, rage_condition(fight), RAGE)
        guess(fight, i, slot, 0)

    def engagement_ends(fight, i, slot):
        guess(fight, i, slot, 0)

    def round_starts(fight, i, slot, log):
        guess(fight, i, slot, 0)
        base_order(fight)


@compiled
def guess(fight, i, slot, number):
    """Remember a guess, a stance and one more than a creature, in place of an earlier one; 0 is none."""
    before = memo(fight, i, slot)
    earlier = before // FLAGS % GUESSES
    remember(fight, i, slot, before + (number - earlier) * FLAGS)


@compiled
def are_standing(fight, i, j):
    """Return whether both fighters are standing."""
    return fight.fighters[i].status == STANDING and fight.fighters[j].status == STANDING


@compiled
def is_fastest(fight, i, slot):
    """Return whether the owner has the fastest timing in this round."""
    return memo(fight, i, slot) // (FLAGS * GUESSES) == fight.round_number


@compiled
def may_do_trick(fight, i, slot, trick):
    """Return whether the owner may do a trick now; what waits already is not done again."""
    if trick == LONGER:
        return plays_on_map(fight) and memo(fight, i, slot) & STEPS == 0
    if trick == STUNT:
        return memo(fight, i, slot) & READY == 0
    if trick == FASTEST:
        return not is_fastest(fight, i, slot)
    if trick != TRADE:
        return fight.occasion != ON_REVEAL and fight.occasion != ON_PHASE and has_enemy_left(fight, i)
    if fight.occasion != ON_ACTION:
        return False
    for j in range(fight.n):
        if may_trade_with(fight, i, j):
            return can_pay(fight, i, Cost.STEP) or fight.fighters[i].rush > price_of_use(fight, i, slot)
    return False


@compiled
def knows_trick(fight, i, slot):
    """Return whether the owner may do any trick now."""
    for trick in range(GUESS + 1):
        if may_do_trick(fight, i, slot, trick):
            return True
    return False


@compiled
def has_enemy_left(fight, i):
    """Return whether any enemy of fighter i is standing."""
    for place in range(fight.fighters[i].enemy_count):
        if fight.fighters[fight.fighters[i].enemies[place]].status == STANDING:
            return True
    return False


@compiled
def price_of_use(fight, i, slot):
    """Return the rush points for the next use of the ability in this slot."""
    return hooks.price(fight, i, slot, np.int64(fight.fighters[i].uses[slot]) + 1)


@on_map(False)
@compiled
def may_trade_with(fight, i, j):
    """Return whether fighter i may trade places, by a sidestep, with an ally of about its size next to it."""
    other = fight.fighters[j]
    if i == j or other.team != fight.fighters[i].team or other.status != STANDING or not next_to(fight, i, j):
        return False
    if abs(sizes_larger(fight, i, j)) > SIZES_TO_TRADE or not is_free_to_sidestep(fight, i):
        return False
    if not can_pay(fight, i, Cost.STEP) and not can_pay(fight, i, Cost.RUSH_STEP):
        return False
    return may_trade_places(fight, i, j) and not dreads(fight, i, other.x, other.y)


@on_map(None)
@compiled
def trade_by_sidestep(fight, log, i, j):
    """Let fighter i sidestep into the place of fighter j, for its action or else a rush point, and j into its own."""
    if can_pay(fight, i, Cost.STEP):
        pay(fight, log, i, Cost.STEP)
    else:
        pay(fight, log, i, Cost.RUSH_STEP)
    fight.fighters[i].squares_moved += 1
    trade_places(fight, log, i, j)
    hooks.sidestepped(fight, i, log)
    hooks.treads(fight, log, np.int64(i), AFTER_STEP)

"""Commander's Call, and Improved Commander's Call."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.hearing import hears
from heartrush_env.games.heart_rush.abilities.unit import CREATURE, ability, figure, later, options
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import (
    ANY_MOMENT,
    LENDS_DESTINED,
    LETTERS,
    SLOTS,
    is_destined,
    memo,
    open_pick,
    remember,
    show_ability,
    works_once,
)
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS, NOBODY
from heartrush_env.tabletop.rule import compiled

RANGE, MOST = (figure("commanders_call", name) for name in ("range_ft", "max_creatures"))
WHOM, WHICH = range(2)  # the parts


@ability(
    "commanders_call", on=ANY_MOMENT, rulings=["R-247", "R-266", "R-267"],
    picks=[
        later(CREATURE, optional=True),
        later(options(*(f"the talent in slot {letter}" for letter in LETTERS[:SLOTS]))),
    ],
    left_out="loans to creatures without a free slot, and of talents that change figures for good",
)  # fmt: skip
class CommandersCall:
    """Up to four times, an ally that hears the owner has one of the owner's talents until the round ends.

    A talent that works once a day or less is used up for both. The memo is the number of loans left times the largest
    number of fighters, plus the ally that is about to be lent a talent.
    """

    def may(fight, i, slot, target):
        for j in range(fight.n):
            if may_lend_any(fight, i, j):
                return True
        return False

    def may_pick(fight, i, slot, target, part, picked):
        if part == WHOM:
            return may_lend_any(fight, i, picked)
        borrower = min(memo(fight, i, slot) % MOST_FIGHTERS, np.int64(fight.n) - 1)
        return loan_of(fight, i, picked, borrower) != NOBODY

    def auto(fight, i, slot, target, part):
        for j in range(fight.n if part == WHOM else 0):
            if may_lend_any(fight, i, j):
                return np.int64(j)
        return np.int64(NOBODY)

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, MOST * MOST_FIGHTERS)
        open_pick(fight, i, i, slot, WHOM)

    def picked(fight, log, i, slot, who, part, picked):
        left = memo(fight, i, slot) // MOST_FIGHTERS
        if part == WHOM:
            remember(fight, i, slot, left * MOST_FIGHTERS + picked)
            open_pick(fight, i, i, slot, WHICH)
            return
        borrower = min(memo(fight, i, slot) % MOST_FIGHTERS, np.int64(fight.n) - 1)
        lend(fight, i, picked, borrower)
        remember(fight, i, slot, (left - 1) * MOST_FIGHTERS)
        if left > 1:
            open_pick(fight, i, i, slot, WHOM)


@ability("improved_commanders_call", rulings=["R-266"])
class ImprovedCommandersCall:
    """Commander's Call lends the destiny versions of the owner's destiny talents."""

    def improves(fight, i, slot, what, amount):
        return 1 if what == LENDS_DESTINED else amount


@compiled
def may_lend_any(fight, i, j):
    """Return whether fighter i may lend any of its talents to fighter j."""
    if not hears(fight, i, j, RANGE):
        return False
    for own in range(fight.fighters[i].slots):
        if loan_of(fight, i, own, j) != NOBODY:
            return True
    return False


@compiled
def loan_of(fight, i, own, j):
    """Return the slot in which fighter j, an ally in earshot, would have the talent in i's own slot, or NOBODY."""
    fighter, other = fight.fighters[i], fight.fighters[j]
    if own >= fighter.slots or fighter.loans >> own & 1 == 1 or not hears(fight, i, j, RANGE):
        return np.int64(NOBODY)
    for slot in range(other.slots):
        if other.loans >> slot & 1 == 1 and other.loadout[slot] == ~np.int64(fighter.loadout[own]):
            return np.int64(slot) if may_be_lent(fight, i, own, j, slot) else np.int64(NOBODY)
    return np.int64(NOBODY)


@compiled
def may_be_lent(fight, i, own, j, slot):
    """Return whether i may lend this version of its talent, and whether neither has used up one that works once."""
    lends_destined = is_destined(fight, i, own) and hooks.improves(fight, i, LENDS_DESTINED, np.int64(0)) > 0
    if is_destined(fight, j, slot) and not lends_destined:
        return False
    fighter, other = fight.fighters[i], fight.fighters[j]
    number = fighter.loadout[own]
    if fighter.uses[own] > 0 and works_once(fight, i, own, number):
        return False
    return other.uses[slot] == 0 or not works_once(fight, j, slot, number)


@compiled
def lend(fight, i, own, j):
    """Let fighter j have the talent in fighter i's own slot, and use it up for i if it works once."""
    slot, number = loan_of(fight, i, own, j), fight.fighters[i].loadout[own]
    other = fight.fighters[j]
    other.loadout[slot] = number
    other.memos[slot] = 0
    other.uses_now[slot] = 0
    if works_once(fight, j, slot, number) and works_once(fight, i, own, number):
        fight.fighters[i].uses[own] = 1
    show_ability(fight, i, own)
    show_ability(fight, j, slot)

"""Chain Warden."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures, later, options
from heartrush_env.games.heart_rush.rules.abilities import memo, note, notes, open_pick, remember, version
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import (
    free_hands,
    is_unheld,
    may_be_seized,
    take_hold,
    wins_grapple,
)
from heartrush_env.games.heart_rush.rules.parts import body_of
from heartrush_env.games.heart_rush.rules.pulls import pull
from heartrush_env.games.heart_rush.rules.space import distance, next_to, on_map
from heartrush_env.games.heart_rush.rules.terms import FEET, MOST_FIGHTERS, NOBODY, STANDING
from heartrush_env.tabletop.rule import compiled

SQUARES = figures("chain_warden", "pull_ft") // FEET
ADVANTAGE = figures("chain_warden", "advantage")
PULL, SEIZE = range(2)  # the parts
WORDS = ("leave it", *(f"pull it {FEET * squares} feet" for squares in range(1, int(SQUARES.max()) + 1)))
SET = 1 << MOST_FIGHTERS  # the memo is a set of targets, plus this times the one that the owner is asked about


@ability(
    "chain_warden", rulings=["R-168", "R-246"], left_out="the tether of its destiny version",
    picks=[later(options(*WORDS)), later(options("leave it", "grapple it"))],
)  # fmt: skip
class ChainWarden:
    """The owner may pull a target that its reach weapon hits closer, and may grapple one that is then next to it.

    It has advantage on this grapple in the destiny version. The memo holds the set of targets for which the owner has
    yet to be asked, and the target that it is asked about.
    """

    def attacked(fight, i, slot, striker, target, cause, damage):
        fighter = fight.fighters[i]
        if striker == i and damage > 0 and fighter.armed and fighter.sets[0].reach:
            note(fight, i, slot, target, True)

    def has_struck(fight, i, slot, log, striker):
        if striker != i:
            return
        if fight.fighters[i].status == STANDING:
            ask_about_next(fight, i, slot)
        else:  # it is never asked about these
            remember(fight, i, slot, 0)

    def may_pick(fight, i, slot, who, part, picked):
        if picked == 0:
            return True
        target = asked_about(fight, i, slot)
        if part == SEIZE:
            return may_seize(fight, i, target)
        return picked <= SQUARES[version(fight, i, slot)] and may_draw(fight, i, target, picked)

    def auto(fight, i, slot, who, part):
        return 1 if part == SEIZE else farthest(fight, i, slot)

    def picked(fight, log, i, slot, who, part, picked):
        target = asked_about(fight, i, slot)
        if part == PULL and picked > 0:
            pull(fight, log, i, target, np.int64(picked) * FEET)
        if part == PULL and may_seize(fight, i, target):
            open_pick(fight, i, i, slot, SEIZE)
            return
        if part == SEIZE and picked > 0:
            levels = ADVANTAGE[version(fight, i, slot)]
            if wins_grapple(fight, log, i, target, levels) and may_be_seized(fight, i, target):
                take_hold(fight, i, target)
        note(fight, i, slot, target, False)
        ask_about_next(fight, i, slot)

    def revealed(fight, i, slot, log):
        remember(fight, i, slot, 0)

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)


@compiled
def ask_about_next(fight, i, slot):
    """Ask the owner about the first target that is left and that it can pull or grapple."""
    for j in range(fight.n):
        if notes(fight, i, slot, j) and (may_draw(fight, i, j, 1) or may_seize(fight, i, j)):
            remember(fight, i, slot, memo(fight, i, slot) % SET + SET * j)
            open_pick(fight, i, i, slot, PULL)
            return
    remember(fight, i, slot, 0)


@compiled
def asked_about(fight, i, slot):
    """Return the target that the owner is asked about."""
    return min(memo(fight, i, slot) // SET, np.int64(fight.n) - 1)


@on_map(False)
@compiled
def may_draw(fight, i, target, squares):
    """Return whether the target stands more than this many squares away and is not a part of a creature."""
    stands = fight.fighters[target].status == STANDING and body_of(fight, target) == NOBODY
    return stands and distance(fight, i, target) > squares


@compiled
def may_seize(fight, i, target):
    """Return whether the owner, with a free hand, may grapple the target, which is next to it."""
    stands = fight.fighters[target].status == STANDING and next_to(fight, i, target)
    return stands and free_hands(fight.fighters[i]) >= 1 and is_unheld(fight, i, target)


@compiled
def farthest(fight, i, slot):
    """Return the largest number of squares by which the owner may pull the target that it is asked about."""
    for squares in range(SQUARES[version(fight, i, slot)], 0, -1):
        if may_draw(fight, i, asked_about(fight, i, slot), squares):
            return squares
    return np.int64(0)

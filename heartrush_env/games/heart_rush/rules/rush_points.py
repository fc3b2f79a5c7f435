"""Rush points: their gain per round, and their uses."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.engaging import by_turns
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES
from heartrush_env.tabletop.rule import compiled, rule

# Settings of rush_mode.
BY_THE_BOOK, ROUND_NUMBER, NO_RUSH = range(3)
# Details from this number on are paid for with a rush point.
RISE_BY_RUSH = 1
STRIKE_BY_RUSH = ATTACKING_STANCES


@rule("Combat > The Action Phase > Understanding Actions and Abilities", "R-18")
def gain_rush(fight, i):
    """Give a fighter its rush points for the round; unspent points are lost unless an ability keeps them.

    By the book, it has one point in round 1, then one per earlier round in which it was active.
    """
    fighter = fight.fighters[i]
    if fight.round_number > 1:
        fighter.active_rounds += fighter.active
    kept = rush_kept(fight, i)
    fighter.active = 0
    if fight.rules.rush_mode == NO_RUSH:
        fighter.rush = 0
    elif fight.rules.rush_mode == ROUND_NUMBER:
        fighter.rush = fight.round_number
    elif fight.round_number > 1:
        fighter.rush = fighter.active_rounds  # less than the round number, because this round does not count
    fighter.rush = kept + hooks.counts_rush(fight, i, np.int64(fighter.rush) + hooks.gains_rush(fight, i))


@with_abilities(0)
@rule("Combat > The Action Phase > Understanding Actions and Abilities")
def rush_kept(fight, i):
    """Return how many unspent points an ability keeps; all others are lost."""
    return min(np.int64(fight.fighters[i].rush), hooks.keeps_rush(fight, i)) if fight.round_number > 1 else 0


@compiled
def mark_active(fight, i, target):
    """Mark a fighter that attacks or tries a maneuver, and its target, as active in this round."""
    fight.fighters[i].active = 1
    fight.fighters[target].active |= is_active_as_target(fight, target)


@by_turns(True)
@rule("Combat > The Action Phase > Understanding Actions and Abilities", "R-18", "R-92")
def is_active_as_target(fight, target):
    """Return whether the target becomes active; with alternating sides, only in an engagement."""
    return fight.fighters[target].joined

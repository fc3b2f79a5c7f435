"""Guardian's Sacrifice."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, later, options
from heartrush_env.games.heart_rush.engine.strikes import stand_in, turn_extras
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import fighter_named, memo, open_pick, remember
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.conditions import is_charmed_by
from heartrush_env.games.heart_rush.rules.engaging import takes_part
from heartrush_env.games.heart_rush.rules.places import may_trade_places, trade_places
from heartrush_env.games.heart_rush.rules.sheet import bit
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS, NOBODY
from heartrush_env.tabletop.rule import compiled

STAYS, TRADES = range(2)
# The parts of the memo, from the lowest: the set of those whose attacks the owner has taken in this engagement, whether
# it takes the one in progress, one more than the creature that it is asked about, and than the protected one, and the
# number of extra attacks that were still to come when it took the one in progress.
NOW = 1 << MOST_FIGHTERS
SETS = 2 * NOW
PLACES = 2 * MOST_FIGHTERS
EXTRAS = SETS * PLACES * PLACES
MOST_EXTRAS = 8 * MOST_FIGHTERS  # more than a fight can hold


@ability(
    "guardians_sacrifice", rulings=["R-263", "R-264"],
    picks=[later(options("step in", "step in and trade places"), optional=True)],
    left_out="damage that no attack brings",
)  # fmt: skip
class GuardiansSacrifice:
    """Before the dice of an attack on an adjacent ally, the owner takes its place, and may trade squares with it.

    It protects one creature a round, as often as that creature is attacked.
    """

    def threatened(fight, i, slot, striker, target):
        if may_stand_in(fight, i, slot, striker, target):
            keep(fight, i, slot, target, protected_by(fight, i, slot))
            open_pick(fight, i, i, slot, 0)

    def may_pick(fight, i, slot, who, part, picked):
        target = asked_about(fight, i, slot)
        if target == NOBODY or target != fight.exchange.target:  # another fighter has stood in
            return False
        return picked == STAYS or may_trade_places(fight, i, target)

    def picked(fight, log, i, slot, who, part, picked):
        target = asked_about(fight, i, slot)
        keep(fight, i, slot, NOBODY, target)
        taken = memo(fight, i, slot) | NOW | bit(fight.exchange.striker)
        remember(fight, i, slot, taken + EXTRAS * np.int64(fight.extra_count))
        stand_in(fight, log, i)
        if picked == TRADES:
            trade_places(fight, log, i, target)

    def meets(fight, i, slot, striker, rolls, stance):
        protected = protected_by(fight, i, slot)
        taken = np.int64(NOW) if rolls else np.int64(bit(striker))
        if protected == NOBODY or memo(fight, i, slot) & taken == 0:
            return stance
        return np.int64(fight.fighters[protected].stance)

    def attacked(fight, i, slot, striker, target, cause, damage):
        if memo(fight, i, slot) & NOW:
            earlier = memo(fight, i, slot) // EXTRAS % MOST_EXTRAS
            turn_extras(fight, striker, i, protected_by(fight, i, slot), earlier)
            remember(fight, i, slot, memo(fight, i, slot) % EXTRAS - NOW)

    def engagement_ends(fight, i, slot):
        remember(fight, i, slot, memo(fight, i, slot) // SETS * SETS)

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)


@compiled
def may_stand_in(fight, i, slot, striker, target):
    """Return whether the owner may take the place of an ally for an attack that could be aimed at the owner."""
    protected = protected_by(fight, i, slot)
    if i == target or fight.fighters[i].team != fight.fighters[target].team:
        return False
    if protected != NOBODY and protected != target:
        return False
    if hooks.away(fight, i) or hooks.bars(fight, striker, i) or is_charmed_by(fight.fighters[striker], i):
        return False
    return is_able(fight, i) and takes_part(fight, i) and next_to(fight, i, target)


@compiled
def asked_about(fight, i, slot):
    """Return the creature that the owner is asked about, or NOBODY."""
    return fighter_named(fight, memo(fight, i, slot) // SETS % PLACES)


@compiled
def protected_by(fight, i, slot):
    """Return the creature that the owner protects in this round, or NOBODY."""
    return fighter_named(fight, memo(fight, i, slot) // SETS // PLACES % PLACES)


@compiled
def keep(fight, i, slot, asked, protected):
    """Remember the creature that the owner is asked about and the one that it protects; either may be NOBODY."""
    named = (protected + 1) * PLACES + asked + 1
    remember(fight, i, slot, named * SETS + memo(fight, i, slot) % SETS)

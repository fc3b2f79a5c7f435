"""Other Offensive Actions > Hinder: maneuvers without a roll."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.choices import maneuver
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.contests import sizes_larger
from heartrush_env.games.heart_rush.rules.cunning import IMPAIRING, IMPAIRMENTS
from heartrush_env.games.heart_rush.rules.forced_movement import push_away
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.terms import BLINDED, CONDITIONS, OFF_BALANCED, PRONE, STANDING
from heartrush_env.games.heart_rush.rules.trip import SIZES_TO_TRIP, may_trip_now
from heartrush_env.tabletop.rule import compiled, rule

HINDER = "Combat > Other Offensive Actions > Hinder"
DIRTY_STRIKE_DIE = 4
DIRTY_STRIKE_LEVELS = 2
SHOVE_LEVELS = 2

SHOVE_PUSH = 5


@maneuver(
    "dirty_strike",
    words="strike dirty at {target}: d4 damage",
    tells="{fighter} strikes dirty at {target}",
    more=f"and two levels of {IMPAIRMENTS}",
    heading=HINDER,
    details={k: CONDITIONS[condition] for k, condition in enumerate(IMPAIRING)},
    damage_die=DIRTY_STRIKE_DIE,
    levels=DIRTY_STRIKE_LEVELS,
)
class DirtyStrike:
    """Two levels of dazed, off-balanced or weakened, and a die of damage."""

    def may(fight, i, target, detail):
        return hinders_by_the_book(fight, i)

    def do(fight, log, i, target, detail):
        inflict(fight, i, target, IMPAIRING[detail], DIRTY_STRIKE_LEVELS)


@maneuver("blind", words="blind {target}", tells="{fighter} blinds {target}", heading=HINDER)
class Blind:
    """A level of blinded, which lasts through the next engagement."""

    def may(fight, i, target, detail):
        return hinders_by_the_book(fight, i)

    def do(fight, log, i, target, detail):
        blind(fight, i, target, 1)


@maneuver(
    "trip",
    words="trip {target}",
    tells="{fighter} trips {target}",
    heading=HINDER,
    windows=("attack", "opportunity"),
)
class Trip:
    """A creature at most one size larger falls prone."""

    def may(fight, i, target, detail):
        return hinders_by_the_book(fight, i) and may_fell(fight, i, target, SIZES_TO_TRIP)

    def may_in_opportunity(fight, i, target, detail):
        """Return whether the target is moving past and fighter i may trip it now."""
        return target == fight.mover and may_trip_now(fight, i)

    def do(fight, log, i, target, detail):
        inflict(fight, i, target, PRONE, 1)


@maneuver("shove", words="shove {target}: off-balanced 2", tells="{fighter} shoves {target}", heading=HINDER)
class Shove:
    """A push, and two levels of off-balanced for a creature that is still in the fight."""

    def may(fight, i, target, detail):
        return hinders_by_the_book(fight, i)

    def do(fight, log, i, target, detail):
        shove(fight, log, i, target)


@compiled
def hinders_by_the_book(fight, i):
    """Return whether fighter i makes the hinders of this list, and not those of an ability."""
    return not hooks.relists(fight, i)


@rule(HINDER, "R-27")
def blind(fight, i, target, levels):
    """Give the target levels of blinded that first fade at the second round start."""
    other = fight.fighters[target]
    before = other.levels[BLINDED]
    inflict(fight, i, target, BLINDED, levels)
    other.fresh_blinded |= other.levels[BLINDED] > before


@rule(HINDER)
def may_fell(fight, i, target, sizes):
    """Return whether fighter i may make the target prone: it is not prone, and at most this many sizes larger."""
    return not has(fight.fighters[target], PRONE) and sizes_larger(fight, i, target) <= sizes


@compiled
def shove(fight, log, i, target):
    """Push the target, and make it off-balanced if it is still in the fight."""
    push_by_hinder(fight, log, i, target, SHOVE_PUSH)
    if fight.fighters[target].status == STANDING:
        inflict(fight, i, target, OFF_BALANCED, SHOVE_LEVELS)


@on_map(None)
@rule(HINDER)
def push_by_hinder(fight, log, i, target, feet):
    """Push the target of a hinder this many feet."""
    push_away(fight, log, i, target, feet)

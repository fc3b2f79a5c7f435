"""The Action Phase > Actions You Can Take > Trip: making an off-balanced creature fall as it moves past."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.burning import suffocate_if
from heartrush_env.games.heart_rush.rules.conditions import inflict, is_charmed_by
from heartrush_env.games.heart_rush.rules.contests import sizes_larger
from heartrush_env.games.heart_rush.rules.costs import spend_action
from heartrush_env.games.heart_rush.rules.engaging import by_turns
from heartrush_env.games.heart_rush.rules.hits import start_batch
from heartrush_env.games.heart_rush.rules.opportunity_attacks import forget_openings
from heartrush_env.games.heart_rush.rules.sheet import bit, has
from heartrush_env.games.heart_rush.rules.space import distance, on_map
from heartrush_env.games.heart_rush.rules.stances import has_action_left
from heartrush_env.games.heart_rush.rules.terms import OFF_BALANCED, PRONE, STANDING, TRIP
from heartrush_env.games.heart_rush.state.events import tell_conditions
from heartrush_env.tabletop.rule import compiled, rule

SIZES_TO_TRIP = 1


@rule("Combat > The Action Phase > Actions You Can Take > Trip")
def find_trippers(fight, mover):
    """Find the adjacent enemies that may trip the mover, if it is off-balanced; return whether any may."""
    fighter = fight.fighters[mover]
    anyone = False
    for e in range(fight.n):
        fight.fighters[e].may_trip = may_trip_mover(fight, e, mover)
        fight.fighters[e].asked_to_trip |= fight.fighters[e].may_trip
        anyone = anyone or fight.fighters[e].may_trip
    return anyone and fighter.status == STANDING


@compiled
def may_trip_mover(fight, e, mover):
    """Return whether this enemy may trip the mover where it is."""
    enemy, fighter = fight.fighters[e], fight.fighters[mover]
    if not is_unsteady(fighter) or enemy.team == fighter.team:
        return False
    if enemy.asked_to_trip or not is_able(fight, e) or has_tripped(fight, e, mover):
        return False
    if not may_pay_for_trip(fight, e) or is_charmed_by(enemy, mover) or sizes_larger(fight, e, mover) > SIZES_TO_TRIP:
        return False
    return distance(fight, e, mover) <= 1


@rule("Combat > The Action Phase > Actions You Can Take > Trip", "R-163")
def has_tripped(fight, e, mover):
    """Return whether this enemy has tripped the mover in this round and may not do it again."""
    return fight.fighters[e].tripped_at >> mover & 1 and not fight.rules.trips_unlimited


@rule("Combat > The Action Phase > Actions You Can Take > Trip", "R-162")
def may_trip_steps_of(fight, mover):
    """Return whether the mover may be tripped during a movement other than a dash."""
    return fight.rules.trip_on_steps and fight.full_decisions and is_unsteady(fight.fighters[mover])


@on_map(None)
@compiled
def begin_to_step(fight, mover):
    """Begin a movement other than a dash: if the mover may be tripped, record it and clear earlier openings."""
    if may_trip_steps_of(fight, mover):
        forget_openings(fight)
        fight.mover = mover


@rule("Combat > The Action Phase > Actions You Can Take > Trip")
def is_unsteady(fighter):
    """Return whether a fighter can be tripped: off-balanced and not prone."""
    return fighter.levels[OFF_BALANCED] > 0 and not has(fighter, PRONE)


@on_map(False)
@rule("Combat > The Action Phase > Actions You Can Take > Trip", "R-162")
def steps_past(fight, mover):
    """Return whether any enemy may trip a fighter in the square to which it has sidestepped or swung."""
    begin_to_step(fight, mover)
    return may_trip_steps_of(fight, mover) and find_trippers(fight, mover)


@on_map(False)
@compiled
def may_trip_now(fight, i):
    """Return whether fighter i may choose now to trip the moving fighter."""
    return fight.fighters[i].may_trip


@on_map(None)
@rule("Combat > The Action Phase > Actions You Can Take > Trip")
def answer_trips(fight, log):
    """Apply the trips that fighters have chosen: the mover falls prone, and its movement ends."""
    if not fight.engaged:  # in a phase, damage from a trip's cost lands with the phase's hits
        begin_paying(fight)
    for spot in range(fight.n):
        e = fight.base_order[spot]
        if fight.fighters[e].deed == TRIP:
            trip(fight, e, fight.mover)
            fight.path_length = fight.path_at
        fight.fighters[e].may_trip = 0
    tell_conditions(fight, log)


@rule("Combat > The Action Phase > Actions You Can Take > Trip")
def trip(fight, e, mover):
    """Make the mover fall prone where it is; fighter e pays for the trip."""
    fight.fighters[e].tripped_at |= bit(mover)
    pay_for_trip(fight, e)
    inflict(fight, e, mover, PRONE, 1)


@by_turns(True)
@rule("Combat > The Action Phase > Actions You Can Take > Trip", "R-92")
def may_pay_for_trip(fight, e):
    """Return whether fighter e can pay for a trip, which costs the action where sides take turns, else nothing."""
    return has_action_left(fight.fighters[e])


@by_turns(None)
@compiled
def begin_paying(fight):
    """Start collecting the damage that exertion deals to trippers."""
    start_batch(fight)


@by_turns(None)
@rule("Combat > The Action Phase > Actions You Can Take > Trip", "R-49", "R-92")
def pay_for_trip(fight, e):
    """Spend the tripper's action where sides take turns; the effort hurts a suffocating tripper."""
    spend_action(fight.fighters[e])
    suffocate_if(fight, e, True)

"""The Action Phase > Opportunity Attacks, on a map: who has an opening at whom moves, and who may trip it."""

from __future__ import annotations

from heartrush_env.core.rule import compiled, rule
from heartrush_env.heart_rush.rules.action_phase import is_able
from heartrush_env.heart_rush.rules.conditions import gain, is_charmed_by
from heartrush_env.heart_rush.rules.contests import sizes_larger
from heartrush_env.heart_rush.rules.movement import is_carried_by
from heartrush_env.heart_rush.rules.rush_points import may_pay_any_strike
from heartrush_env.heart_rush.rules.sheet import bit, has
from heartrush_env.heart_rush.rules.space import distance, on_map, threat_reach
from heartrush_env.heart_rush.rules.stances import may_go_for
from heartrush_env.heart_rush.rules.terms import OFF_BALANCED, PRONE, STANDING

SIZES_TO_TRIP = 1


@compiled
def forget_openings(match):
    """Before a declaration: nobody has struck at who moves now, nobody was asked to trip it."""
    for e in range(match.n):
        fighter = match.fighters[e]
        fighter.struck_mover = 0
        fighter.asked_to_trip = 0
        fighter.asked_within = 0
        fighter.has_opening = 0
        fighter.may_trip = 0


@rule("Combat > The Action Phase > Opportunity Attacks", "R-15", "R-17")
def may_strike_mover(match, e, mover):
    """Who is able, can pay with its action or a rush point, and has the mover within its threat, once a declaration."""
    fighter = match.fighters[e]
    if fighter.team == match.fighters[mover].team or not is_able(match, e) or fighter.struck_mover:
        return False
    if not may_pay_any_strike(fighter):
        return False
    reach = threat_reach(match, e)
    return reach > 0 and distance(match, e, mover) <= reach and may_go_for(match, e, mover)


@rule("Combat > The Action Phase > Opportunity Attacks", "R-40")
def find_openings_at_riser(match, mover):
    """Whoever threatens the one who rises has an opening."""
    for e in range(match.n):
        match.fighters[e].has_opening = may_strike_mover(match, e, mover)


@rule("Combat > The Action Phase > Opportunity Attacks", "R-16", "R-67", "R-75")
def find_openings_at_step(match, mover, dx, dy):
    """An enemy has an opening where the step leaves its reach, or goes on within it; returns whether any has."""
    fighter = match.fighters[mover]
    anyone = False
    for e in range(match.n):
        enemy = match.fighters[e]
        enemy.has_opening = 0
        reach = threat_reach(match, e)
        if enemy.team == fighter.team or reach == 0 or distance(match, e, mover) > reach:
            continue
        if is_carried_by(match, e, mover):
            continue
        fighter.x += dx
        fighter.y += dy
        leaves = distance(match, e, mover) > reach
        fighter.x -= dx
        fighter.y -= dy
        if leaves or goes_on_within(match, e, mover):
            enemy.has_opening = may_strike_mover(match, e, mover)
        anyone = anyone or enemy.has_opening
    return anyone


@rule("Combat > The Action Phase > Opportunity Attacks", "R-67")
def goes_on_within(match, e, mover):
    """Five feet of a round's dashes are free within an enemy's reach; a step beyond them opens, once a declaration."""
    enemy = match.fighters[e]
    beyond = enemy.went_within >> mover & 1 == 1
    opens = beyond and not enemy.asked_within
    enemy.went_within |= bit(mover)
    enemy.asked_within |= beyond
    return opens


@rule("Combat > The Action Phase > Actions You Can Take > Trip")
def find_trippers(match, mover):
    """Enemies beside an off-balanced mover, one size larger at most, may trip it, each asked once; says if any may."""
    fighter = match.fighters[mover]
    anyone = False
    for e in range(match.n):
        match.fighters[e].may_trip = may_trip_mover(match, e, mover)
        match.fighters[e].asked_to_trip |= match.fighters[e].may_trip
        anyone = anyone or match.fighters[e].may_trip
    return anyone and fighter.status == STANDING


@compiled
def may_trip_mover(match, e, mover):
    """Whether this enemy may trip the mover where it is."""
    enemy, fighter = match.fighters[e], match.fighters[mover]
    if fighter.levels[OFF_BALANCED] == 0 or has(fighter, PRONE) or enemy.team == fighter.team:
        return False
    if enemy.asked_to_trip or enemy.tripped_at >> mover & 1 or not is_able(match, e):
        return False
    if is_charmed_by(enemy, mover) or sizes_larger(match, e, mover) > SIZES_TO_TRIP:
        return False
    return distance(match, e, mover) <= 1


@rule("Combat > The Action Phase > Actions You Can Take > Trip")
def trip(match, e, mover):
    """The mover lies where it is; nobody trips the same one twice a round."""
    match.fighters[e].tripped_at |= bit(mover)
    gain(match.fighters[mover], PRONE, 1)


@on_map(False)
@compiled
def has_opening(match, i):
    """Whether fighter i may strike at who moves now."""
    return match.fighters[i].has_opening


@on_map(False)
@compiled
def may_trip_now(match, i):
    """Whether fighter i is asked to trip who moves now."""
    return match.fighters[i].may_trip

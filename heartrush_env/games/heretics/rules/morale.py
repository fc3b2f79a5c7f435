"""Morale and retreat: breaking points, requests, surrender, and leaving the map."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.book import rule
from heartrush_env.games.heretics.events import tell_breaking, tell_check, tell_flight, tell_leave, tell_surrender
from heartrush_env.games.heretics.rules.conditions import hinder_check, release
from heartrush_env.games.heretics.rules.dice import check, defense, has
from heartrush_env.games.heretics.rules.fighters import able_of, is_able, leader_of, strongest
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.rule import compiled

HEADING = "Morale, retreat, retainers"
ALL_SIDES, NO_SIDE = 1, 2  # the setting morale_targets


@rule(HEADING, "R-30")
def note_breaking_points(fight, log):
    """Note breaking points: the leader out, half of a side left, or one alone at half its hit points."""
    for side in range(2):
        left = able_of(fight, side)
        if leader_of(fight, side) == NOBODY:
            note_breaking(fight, log, side, terms.LEADER_OUT)
        if 2 * left <= fight.at_start[side]:
            note_breaking(fight, log, side, terms.HALF_LEFT)
        if left == 1 and is_half_dead(fight, strongest(fight, side)):
            note_breaking(fight, log, side, terms.ALONE)


@rule("Dice and checks", "R-3")
def is_half_dead(fight, i):
    """Return whether a fighter has half of its hit points left, or fewer."""
    return 2 * np.int64(fight.fighters[i].hp) <= fight.fighters[i].hp_max


@rule(HEADING, "R-30")
def note_breaking(fight, log, side, why):
    """Note a breaking point of a side: each kind counts once a fight, and gives the other side a request."""
    if fight.broke[side] >> why & 1 == 0 and fight.rules.morale_requests == 0:
        fight.broke[side] = fight.broke[side] | 1 << why
        fight.requests[1 - side] = 1
        tell_breaking(fight, log, side, why)


@rule(HEADING, "R-30")
def note_fear(fight, log, attacker, target):
    """Note that a fighter is attacked by something that it fears."""
    if fight.fighters[attacker].fearsome & fight.fighters[target].fears != 0:
        note_breaking(fight, log, np.int64(fight.fighters[target].team), terms.AFRAID)


@rule(HEADING, "R-31")
def can_be_broken(fight, side):
    """Return whether a side can give up: it has no heroes, and an able fighter that is not fearless."""
    targets = fight.rules.morale_targets
    if targets == NO_SIDE:
        return False
    found = False
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if fighter.team == side:
            if fighter.hero and targets != ALL_SIDES:
                return False
            found = found or (is_able(fight, i) and not fighter.fearless)
    return found


@rule(HEADING)
def speaker_of(fight, side):
    """Return the fighter that is asked for its side: the leader, else the first able one, else NOBODY."""
    leader = leader_of(fight, side)
    if leader != NOBODY:
        return leader
    for i in range(fight.n):
        if fight.fighters[i].team == side and is_able(fight, i):
            return i
    return NOBODY


@rule(HEADING)
def check_morale(fight, log, i):
    """Roll a morale check of fighter i against the enemy leader, or the strongest enemy left."""
    enemy = strongest(fight, 1 - np.int64(fight.fighters[i].team))
    number = defense(fight.fighters[enemy], terms.WIL)
    hinder_check(fight, i)
    success = check(fight, np.int64(fight.fighters[i].ability[terms.WIL]), number, False)
    tell_check(fight, log, i, enemy, terms.CHECK_MORALE, fight.exchange.natural, fight.exchange.total, number, success)
    return success


@rule(HEADING, "R-31", "R-32")
def give_up(fight, log, side, heard):
    """Remove all of a side but the fearless; a demand that must be `heard` does not move the deafened."""
    for i in range(fight.n):
        fighter = fight.fighters[i]
        moved = not fighter.fearless and not (heard and has(fighter, terms.DEAFENED))
        if fighter.team == side and is_able(fight, i) and moved:
            fighter.status = terms.GIVEN_UP
            tell_surrender(fight, log, i)
            release(fight, log, i)


@rule(HEADING, "R-32")
def may_intimidate(fight, i):
    """Return whether fighter i can intimidate: half of the enemies are left, and its side has not tried this round."""
    side = np.int64(fight.fighters[i].team)
    is_half = 2 * able_of(fight, 1 - side) <= fight.at_start[1 - side]
    return is_half and fight.intimidated[side] == 0 and can_be_broken(fight, 1 - side)


@rule(HEADING, "R-33")
def start_breaking(fight, log, i):
    """Let a fighter break: from now on it may leave the map."""
    if not fight.fighters[i].breaking:
        fight.fighters[i].breaking = True
        tell_flight(fight, log, i)


@compiled
def leave_map(fight, log, i):
    """Take a fighter off the map."""
    fighter = fight.fighters[i]
    fighter.status = terms.GONE
    fight.left_map[fighter.team] += 1
    tell_leave(fight, log, i)
    release(fight, log, i)

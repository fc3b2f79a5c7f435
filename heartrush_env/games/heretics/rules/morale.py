"""Morale and retreat: breaking points, requests, surrender, and leaving the map."""

import numpy as np

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.book import ACTS, AN_ACTION, choice, rule
from heartrush_env.games.heretics.events import tell_breaking, tell_surrender
from heartrush_env.games.heretics.rules.conditions import check_ability, has, release
from heartrush_env.games.heretics.rules.dice import defense
from heartrush_env.games.heretics.rules.fighters import able_of, is_able, leader_of, strongest
from heartrush_env.tabletop.choosing import NOBODY, Target
from heartrush_env.tabletop.rule import compiled

HEADING = "Morale, retreat, retainers"
ALL_SIDES, NO_SIDE = 1, 2  # values of the setting morale_targets


@rule(HEADING, "R-30")
def note_breaking_points(fight, log):
    """Note breaking points: a side's leader is out, half of it is left, or its last fighter has half its hit points."""
    for i in range(fight.n):
        if fight.fighters[i].leader and fight.fighters[i].status == terms.OUT:
            note_breaking(fight, log, np.int64(fight.fighters[i].team), terms.LEADER_OUT)
    for side in range(2):
        if is_halved(fight, side):
            note_breaking(fight, log, side, terms.HALF_LEFT)
        if able_of(fight, side) == 1 and is_half_dead(fight.fighters[strongest(fight, side)]):
            note_breaking(fight, log, side, terms.ALONE)


@rule("Dice and checks", "R-3")
def is_half_dead(fighter):
    """Return whether a fighter has half of its hit points left, or fewer."""
    return 2 * np.int64(fighter.hp) <= fighter.hp_max


@compiled
def is_halved(fight, side):
    """Return whether half of the fighters of a side are able, or fewer."""
    return 2 * able_of(fight, side) <= fight.at_start[side]


@rule(HEADING, "R-30")
def note_breaking(fight, log, side, why):
    """Note a breaking point of a side: each kind counts once a fight, and gives the other side a request."""
    if fight.broke[side] >> why & 1 == 0 and fight.rules.morale_requests == 0:
        fight.broke[side] = fight.broke[side] | 1 << why
        fight.requests[1 - side] = 1
        tell_breaking(fight, log, side, why)


@rule(HEADING, "R-30")
def note_fear(fight, log, attacker, target):
    """Note a breaking point of the target's side if the target fears the attacker."""
    if fight.fighters[attacker].fearsome & fight.fighters[target].fears != 0:
        note_breaking(fight, log, np.int64(fight.fighters[target].team), terms.AFRAID)


@rule(HEADING, "R-31")
def can_be_broken(fight, side):
    """Return whether a side can give up: it has no heroes, but an able fighter that is not fearless."""
    targets, found = fight.rules.morale_targets, False
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if fighter.team == side:
            if fighter.hero and targets != ALL_SIDES:
                return False
            found = found or (is_able(fight, i) and not fighter.fearless)
    return found and targets != NO_SIDE


@rule(HEADING)
def speaker_of(fight, side):
    """Return the fighter that decides for its side: the leader, else the first able fighter, else NOBODY."""
    speaker = leader_of(fight, side)
    for i in range(fight.n):
        if speaker == NOBODY and fight.fighters[i].team == side and is_able(fight, i):
            speaker = i
    return speaker


@rule(HEADING, "R-31", "R-32")
def demand_surrender(fight, log, speaker, heard):
    """Roll a morale check against the enemy leader or the strongest enemy; on a success, all but the fearless give up.

    If the demand must be `heard`, the deafened do not give up either.
    """
    side = 1 - np.int64(fight.fighters[speaker].team)
    enemy = strongest(fight, side)
    number = defense(fight.fighters[enemy], terms.WIL)
    if not check_ability(fight, log, speaker, enemy, terms.CHECK_MORALE, terms.WIL, number):
        return
    for i in range(fight.n):
        fighter = fight.fighters[i]
        moved = not fighter.fearless and not (heard and has(fighter, terms.DEAFENED))
        if fighter.team == side and is_able(fight, i) and moved:
            fighter.status = terms.GIVEN_UP
            tell_surrender(fight, log, i)
            release(fight, log, i)


@choice(
    "request", windows=("request",), words="demand that they give up; {target} speaks", target=Target.MEMBER,
    heading=HEADING, rulings=("R-30",),
)  # fmt: skip
class Request:
    """Use up the request that the side holds: one of its fighters makes the morale check."""

    def may(fight, i, target, detail):
        side = np.int64(fight.fighters[i].team)
        return fight.requests[side] > 0 and is_able(fight, target) and can_be_broken(fight, 1 - side)

    def do(fight, log, i, target, detail):
        fight.requests[fight.fighters[i].team] = 0
        demand_surrender(fight, log, target, False)


@choice(
    "intimidate", windows=ACTS, words="demand that they give up", costs=AN_ACTION, heading=HEADING, rulings=("R-32",)
)
class Intimidate:
    """Make a morale check as an action, once per round and side, if at most half of the enemies are left."""

    def may(fight, i, target, detail):
        side = np.int64(fight.fighters[i].team)
        return is_halved(fight, 1 - side) and fight.intimidated[side] == 0 and can_be_broken(fight, 1 - side)

    def do(fight, log, i, target, detail):
        fight.intimidated[fight.fighters[i].team] = True
        demand_surrender(fight, log, i, True)

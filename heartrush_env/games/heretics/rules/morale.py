"""Morale and retreat: breaking points, requests, surrender, rout, and leaving the map."""

import numpy as np

from heartrush_env.games.heretics import events, terms
from heartrush_env.games.heretics.book import action, choice, rule
from heartrush_env.games.heretics.rules import conditions, fighters, space
from heartrush_env.games.heretics.rules.dice import begin_check, check_aloud, defense
from heartrush_env.games.heretics.rules.fighters import able_of, decides, is_able, strongest, takes_part
from heartrush_env.tabletop.choosing import NOBODY, Target
from heartrush_env.tabletop.grids import places
from heartrush_env.tabletop.rule import compiled

HEADING = "Morale, retreat, retainers"
ALL_SIDES, NO_SIDE = 1, 2  # values of the setting morale_targets
SURRENDER = 0  # a value of the setting broken


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
        events.tell_breaking(fight, log, side, why)


@rule(HEADING, "R-30", "R-36")
def note_attack(fight, log, attacker, target):
    """Note that a fighter is attacked, whether or not it is hit: its concentration ends, and its side may waver."""
    conditions.end_concentration(fight, log, target)
    enemy, other = fight.fighters[attacker], fight.fighters[target]
    if enemy.team != other.team:
        if enemy.fearsome & other.fears != 0:
            note_breaking(fight, log, np.int64(other.team), terms.AFRAID)
        conditions.provoke(fight, log, attacker, target)


@rule(HEADING, "R-31")
def can_be_broken(fight, side):
    """Return whether a side can give up: it has no heroes, but an able fighter that is neither fearless nor routed."""
    targets, found = fight.rules.morale_targets, False
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if fighter.team == side:
            if fighter.hero and targets != ALL_SIDES:
                return False
            found = found or (is_able(fight, i) and not fighter.fearless and not fighter.routed)
    return found and targets != NO_SIDE


@rule(HEADING)
def speaker_of(fight, side):
    """Return the fighter that decides for its side: the leader, else the first able fighter, else NOBODY.

    The routed, the unaware and scripted retainers decide nothing.
    """
    leader, speaker = fighters.leader_of(fight, side), np.int64(NOBODY)
    for i in range(fight.n):
        if fight.fighters[i].team == side and decides(fight, i):
            speaker = i if i == leader or speaker == NOBODY else speaker
    return speaker


@rule(HEADING, "R-31", "R-32")
def demand_surrender(fight, log, speaker, heard):
    """Roll a morale check against the enemy leader or the strongest enemy; on a success, all but the fearless give up.

    By the setting `broken`, they rout. If the demand must be `heard`, the deafened do not give up either.
    """
    side = 1 - np.int64(fight.fighters[speaker].team)
    enemy = strongest(fight, side)
    number = defense(fight.fighters[enemy], terms.WIL)
    if not conditions.check_ability(fight, log, speaker, enemy, terms.CHECK_MORALE, terms.WIL, number):
        return
    for i in range(fight.n):
        fighter = fight.fighters[i]
        moved = not fighter.fearless and not (heard and conditions.has(fighter, terms.DEAFENED))
        if fighter.team == side and is_able(fight, i) and moved and not fighter.routed:
            if fight.rules.broken == SURRENDER:
                fighter.status = terms.GIVEN_UP
                events.tell_surrender(fight, log, i)
                conditions.free_all(fight, log, i)
            else:
                rout(fight, log, i)


@rule(HEADING, "R-31")
def rout(fight, log, i):
    """Make a fighter rout: from now on it only flees. Without a map it is gone at once."""
    fight.fighters[i].routed = True
    events.tell_rout(fight, log, i)
    conditions.free_all(fight, log, i)
    if not places.has_map(fight):
        leave_map(fight, log, i)


@rule(HEADING, "R-33")
def leave_map(fight, log, i):
    """Let a fighter leave the fight, and let go of all that it grapples."""
    fight.fighters[i].status = terms.GONE
    fight.left_map[fight.fighters[i].team] += 1
    events.tell_leave(fight, log, i)
    conditions.free_all(fight, log, i)


@rule(HEADING)
def save_bereft(fight, log):
    """Let retainers whose commander has left or is out since the last phase save at disadvantage; return if any do."""
    found = False
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if fighter.commander != NOBODY and not fighter.bereft and not is_able(fight, np.int64(fighter.commander)):
            found = True
            fighter.bereft = True
            save_retainer(fight, log, i, 1 << terms.BY_LOSS)
    return found


@rule(HEADING)
def save_retainer(fight, log, i, hinders):
    """Roll a retainer's save by its commander's wil against the mightiest enemy; on a failure it routs."""
    fighter = fight.fighters[i]
    enemy = fighters.mightiest(fight, 1 - np.int64(fighter.team))
    if enemy == NOBODY or not is_able(fight, i) or fighter.routed or fighter.fearless:
        return
    begin_check(fight, fighter.afflicted & conditions.HINDER_CHECKS | hinders)
    bonus = np.int64(fight.fighters[fighter.commander].ability[terms.WIL])
    if not check_aloud(fight, log, i, enemy, terms.CHECK_FIRM, bonus, defense(fight.fighters[enemy], terms.WIL)):
        rout(fight, log, i)


@choice(
    "request", windows=("request",), words="demand that they give up; {target} speaks", target=Target.MEMBER,
    heading=HEADING, rulings=("R-30",),
)  # fmt: skip
class Request:
    """Use up the request that the side holds: one of its fighters makes the morale check."""

    def may(fight, i, target, detail):
        side = np.int64(fight.fighters[i].team)
        return fight.requests[side] > 0 and takes_part(fight, target) and can_be_broken(fight, 1 - side)

    def do(fight, log, i, target, detail):
        fight.requests[fight.fighters[i].team] = 0
        demand_surrender(fight, log, target, False)


@action("intimidate", words="demand that they give up", heading=HEADING, rulings=("R-32",))
class Intimidate:
    """Make a morale check as an action, once per round and side, if at most half of the enemies are left."""

    def may(fight, i, target, detail):
        side = np.int64(fight.fighters[i].team)
        return is_halved(fight, 1 - side) and fight.intimidated[side] == 0 and can_be_broken(fight, 1 - side)

    def do(fight, log, i, target, detail):
        fight.intimidated[fight.fighters[i].team] = True
        demand_surrender(fight, log, i, True)


@rule(HEADING, "R-34")
def number_to_get_away(fight, target):
    """Return the highest dex defense of the enemies that see a fighter leave; NOBODY if none does."""
    number = np.int64(NOBODY)
    for j in range(fight.n):
        fighter = fight.fighters[j]
        if fighter.team != fight.fighters[target].team and takes_part(fight, j) and space.sees(fight, j, target):
            number = max(number, defense(fighter, terms.DEX))
    return number


@rule(HEADING, "R-34")
def can_be_pursued(fight, i):
    """Return whether enemies that see fighter i leave can pursue it."""
    return fight.rules.pursuit == 0 and is_able(fight, i) and number_to_get_away(fight, i) != NOBODY


@choice(
    "pursue", windows=("pursue",), words="pursue {target}", target=Target.ENEMY, heading=HEADING, rulings=("R-34",),
    needs=places.MAP,
)  # fmt: skip
class Pursue:
    """Let the fugitive roll its dex against the highest dex defense of those that see it; a failure keeps it here."""

    def may(fight, i, target, detail):
        return target == fight.mover

    def do(fight, log, i, target, detail):
        events.tell_pursuit(fight, log, i, target)
        number = number_to_get_away(fight, target)
        if not conditions.check_ability(fight, log, target, i, terms.CHECK_ESCAPE, terms.DEX, number):
            fight.fighters[target].breaking = False

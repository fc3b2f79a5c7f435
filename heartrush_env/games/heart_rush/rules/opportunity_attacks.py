"""The Action Phase > Opportunity Attacks: the five ways to earn one, the fighters that may use it, and its cost.

You earn an opportunity attack when an enemy

1. leaves your melee reach without sidestepping: `leaves_reach`;
2. moves more than five feet within your reach without sidestepping: `note_move_within_reach`;
3. stands up from prone without sidestepping: `find_openings_at_riser`, and `may_strike_riser` without a map;
4. is unaware of your position because you are hidden: `is_unaware`;
5. enters combat unprepared: `is_surprised`, in special_circumstances.py.

The first three are moments: the attack happens at once, before the enemy continues. The last two are lasting states, as
is being helpless: `is_open`.
"""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.movement import DIRECTIONS, STEP_X, STEP_Y, is_carried_by
from heartrush_env.games.heart_rush.rules.rush_points import STRIKE_BY_RUSH
from heartrush_env.games.heart_rush.rules.sheet import bit, has
from heartrush_env.games.heart_rush.rules.space import distance, on_map, plays_on_map
from heartrush_env.games.heart_rush.rules.special_circumstances import is_helpless, is_surprised
from heartrush_env.games.heart_rush.rules.stances import has_action_left, may_target
from heartrush_env.games.heart_rush.rules.terms import HIDDEN, MELEE, NOBODY, RISE, SIDESTEP, STANDING, WHIP
from heartrush_env.games.heart_rush.rules.weapons import REACH, shoots, type_against, weapon_range
from heartrush_env.tabletop.rule import compiled, inlined, rule

OPPORTUNITY_ATTACKS = "Combat > The Action Phase > Opportunity Attacks"


# The five ways to earn one.


@rule(OPPORTUNITY_ATTACKS, "R-16", hot=True)
def leaves_reach(fight, e, mover, dx, dy, reach):
    """Return whether a step of the mover takes it out of fighter e's melee reach."""
    fighter = fight.fighters[mover]
    fighter.x += dx
    fighter.y += dy
    leaves = distance(fight, e, mover) > reach
    fighter.x -= dx
    fighter.y -= dy
    return leaves


@rule(OPPORTUNITY_ATTACKS, "R-67")
def note_move_within_reach(fight, e, mover):
    """Record a step within e's reach; return whether it is the dash's first step past the round's 5 free feet there."""
    enemy = fight.fighters[e]
    beyond = enemy.went_within >> mover & 1 == 1
    opens = beyond and not enemy.asked_within
    enemy.went_within |= bit(mover)
    enemy.asked_within |= beyond
    return opens


@rule(OPPORTUNITY_ATTACKS, "R-40")
def find_openings_at_riser(fight, mover):
    """Give an opportunity to every enemy that threatens a rising fighter."""
    for e in range(fight.n):
        hooks.escapes(fight, mover, e, False)  # abilities note that the mover does not leave; rising escapes no reach
        fight.fighters[e].has_opening = may_strike_mover(fight, e, mover)


@rule(OPPORTUNITY_ATTACKS, "R-15", "R-17", "R-40")
def may_strike_riser(fight, i, mover):
    """Return whether, in a fight without a map, fighter i may strike at the rising mover: in melee or with a whip."""
    kind = type_against(fight, i, NOBODY)
    if not is_able(fight, i) or not (kind == MELEE or kind == WHIP):
        return False
    return fight.fighters[mover].status == STANDING and may_target(fight, i, mover)


@rule(OPPORTUNITY_ATTACKS, hot=True)
def is_unaware(fight, i):
    """Return whether other fighters are unaware of fighter i's position because it is hidden."""
    return has(fight.fighters[i], HIDDEN)


@rule(OPPORTUNITY_ATTACKS, "R-37")
def is_open(fight, i, target):
    """Return whether the target is open to fighter i in the action phase: helpless, surprised, or unaware of i."""
    other = fight.fighters[target]
    if is_helpless(other):
        return True
    return other.status == STANDING and (is_surprised(fight, target) or is_unaware(fight, i))


# Eligibility and cost.


@on_map(0)
@rule(OPPORTUNITY_ATTACKS)
def threat_reach(fight, i):
    """Return how far a fighter threatens, in squares: its melee reach, 1 with a whip, 0 if it shoots or throws."""
    if shoots(fight, i, NOBODY):
        return 0
    return REACH if type_against(fight, i, NOBODY) == WHIP else weapon_range(fight, i, NOBODY)


@rule(OPPORTUNITY_ATTACKS, "R-15", "R-17")
def may_strike_mover(fight, e, mover):
    """Return whether enemy e may strike at the mover, once per move: it is able, threatens the mover, and can pay."""
    fighter = fight.fighters[e]
    if fighter.team == fight.fighters[mover].team or not is_able(fight, e) or fighter.struck_mover:
        return False
    if not may_pay_any_strike(fighter) and not hooks.watches(fight, e):
        return False
    reach = threat_reach(fight, e)
    return reach > 0 and distance(fight, e, mover) <= reach and may_target(fight, e, mover)


@rule(OPPORTUNITY_ATTACKS, "R-18")
def may_pay_strike(fighter, detail):
    """Return whether the fighter has the rush point or action, as `detail` says, to pay for an opportunity attack."""
    return fighter.rush > 0 if detail >= STRIKE_BY_RUSH else has_action_left(fighter)


@compiled
def may_answer_mover(fight, i, detail):
    """Return whether fighter i may pay for an opportunity attack on the mover; some abilities make it free."""
    if hooks.watches(fight, i):
        return detail < STRIKE_BY_RUSH
    return may_pay_strike(fight.fighters[i], detail)


@inlined
def may_pay_any_strike(fighter):
    """Return whether the fighter has an action or a rush point left to pay for an opportunity attack."""
    return fighter.rush > 0 or has_action_left(fighter)


# Openings from a step or from standing up.


@compiled
def forget_openings(fight):
    """Clear the opportunities and trips against the previous mover when a dash or a rise begins."""
    for e in range(fight.n):
        fighter = fight.fighters[e]
        fighter.struck_mover = 0
        fighter.asked_to_trip = 0
        fighter.asked_within = 0
        fighter.has_opening = 0
        fighter.may_trip = 0


@rule(OPPORTUNITY_ATTACKS, "R-16", "R-67", "R-75")
def find_openings_at_step(fight, mover, dx, dy):
    """Give an opportunity to each enemy whose reach the mover leaves or moves within; return whether any has one."""
    fighter = fight.fighters[mover]
    anyone = False
    for e in range(fight.n):
        enemy = fight.fighters[e]
        enemy.has_opening = 0
        reach = threat_reach(fight, e)
        if enemy.team == fighter.team or reach == 0 or distance(fight, e, mover) > reach:
            continue
        if is_carried_by(fight, e, mover):
            continue
        leaves = leaves_reach(fight, e, mover, dx, dy, reach)
        if (leaves or note_move_within_reach(fight, e, mover)) and not hooks.escapes(fight, mover, e, leaves):
            enemy.has_opening = may_strike_mover(fight, e, mover)
        anyone = anyone or enemy.has_opening
    return anyone


@with_abilities(False)
@compiled
def find_watchers(fight, i):
    """Give an opportunity to each enemy that fighter i's sidestep does not escape; return whether any has one."""
    return plays_on_map(fight) and find_watchers_on_map(fight, i)


@on_map(False)
@compiled
def find_watchers_on_map(fight, i):
    """Give an opportunity to each enemy that a sidestep or a rise on a map does not escape."""
    fighter, anyone = fight.fighters[i], False
    if fighter.deed != SIDESTEP and fighter.deed != RISE:
        return False
    forget_openings(fight)
    for e in range(fight.n):
        enemy, reach = fight.fighters[e], threat_reach(fight, e)
        if enemy.team == fighter.team or not hooks.watches(fight, e):
            continue
        if fighter.deed == SIDESTEP:
            direction = fighter.detail % DIRECTIONS
            if not leaves_reach(fight, e, i, STEP_X[direction], STEP_Y[direction], reach):
                continue
        hooks.escapes(fight, i, e, fighter.deed == SIDESTEP)  # abilities note whether it leaves; none lets it escape
        enemy.has_opening = may_strike_mover(fight, e, i)
        anyone = anyone or enemy.has_opening
    return anyone


@on_map(False)
@compiled
def has_opening(fight, i):
    """Return whether fighter i may make an opportunity attack on the fighter that moves or rises."""
    return fight.fighters[i].has_opening

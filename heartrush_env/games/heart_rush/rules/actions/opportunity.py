"""The Action Phase > Opportunity Attacks: striking at an enemy that is open, and the end of the opening.

The ways to earn one are in opportunity_attacks.py.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.attack_rolls import damage_type_die
from heartrush_env.games.heart_rush.rules.choices import Comes, Cost, Target, action
from heartrush_env.games.heart_rush.rules.hits import take_out
from heartrush_env.games.heart_rush.rules.opportunity_attacks import (
    has_opening,
    is_open,
    may_answer_mover,
    may_strike_riser,
)
from heartrush_env.games.heart_rush.rules.rush_points import STRIKE_BY_RUSH, mark_active
from heartrush_env.games.heart_rush.rules.sheet import bit
from heartrush_env.games.heart_rush.rules.space import on_map, plays_on_map
from heartrush_env.games.heart_rush.rules.special_circumstances import is_helpless
from heartrush_env.games.heart_rush.rules.stances import may_target
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, DEAD, OPPORTUNITY, STANCES
from heartrush_env.games.heart_rush.rules.weapons import note_lunge, note_shot
from heartrush_env.tabletop.rule import compiled, rule

DICE = STANCES[:ATTACKING_STANCES]


@action(
    "opportunity",
    words="strike at {target}, who is open",
    tells="{fighter} strikes at {target}, who is open",
    more="in a stance of your choice",
    target=Target.ENEMY,
    details=dict(enumerate([*DICE, *(f"{stance} rush" for stance in DICE)])),
    by_rush=Cost.RUSH,
    rush_from=STRIKE_BY_RUSH,
    alike=True,
    comes=Comes.STRIKE,
    windows=("action", "opportunity"),
)
class Opportunity:
    """A fighter makes an opportunity attack on an enemy."""

    def may(fight, i, target, detail):
        return is_open(fight, i, target) and may_target(fight, i, target)

    def may_in_opportunity(fight, i, target, detail):
        """Allow a fighter that threatens the rising or moving fighter to attack it, for its action or a rush point."""
        if target != fight.mover or not may_answer_mover(fight, i, detail):
            return False
        return has_opening(fight, i) if plays_on_map(fight) else may_strike_riser(fight, i, target)

    def do(fight, log, i, target, detail):
        """Do nothing, because `begin_open` begins the attack once it is paid for."""


@rule("Combat > Special Circumstances > Attacking the Helpless", "R-37")
def meets_defense(fight, log, i, target):
    """Return whether the attack must be rolled; with a setting, a helpless target simply dies instead."""
    mark_active(fight, i, target)
    fight.fighters[i].struck_at |= bit(target)
    if fight.rules.helpless_dies and is_helpless(fight.fighters[target]):
        note_shot(fight, i)
        note_lunge(fight, i, target)
        take_out(fight, log, target, DEAD)
        return False
    return True


@compiled
def best_attack(fight, i, target):
    """Return the stance with the largest dice for fighter i's attack on the target; ties go to the earlier stance."""
    best, most = 0, 0
    for stance in range(ATTACKING_STANCES):
        sides = np.int64(fight.fighters[i].ability[stance]) + damage_type_die(fight, i, target, stance)
        if sides > most:
            best, most = stance, sides
    return best


@on_map(None)
@compiled
def note_strikes_at_mover(fight):
    """Record each fighter that used its opportunity as having struck at this mover, and clear all openings."""
    for e in range(fight.n):
        fight.fighters[e].struck_mover |= fight.fighters[e].deed == OPPORTUNITY
        fight.fighters[e].has_opening = 0

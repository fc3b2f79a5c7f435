"""The Engagement > Understanding Stances: which stance beats which, and which may attack which."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.conditions import is_charmed_by, is_senseless, may_still_act
from heartrush_env.games.heart_rush.rules.engaging import takes_part
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.terms import DEFENSIVE, FROM_OPPORTUNITY, NO_STANCE, STANDING
from heartrush_env.games.heart_rush.rules.weapons import has_stepped_too_far, reaches
from heartrush_env.tabletop.rule import compiled, inlined, rule

# fmt: off
#                   against  MIGHT  AGILITY CUNNING DEFENSIVE NO_STANCE
BEATS = np.array([          [False, False,  True,   False,    False],    # MIGHT
                            [True,  False,  False,  False,    False],    # AGILITY
                            [False, True,   False,  False,    False],    # CUNNING
                            [False, False,  False,  False,    False],    # DEFENSIVE
                            [False, False,  False,  False,    False]])   # NO_STANCE

MAY_ATTACK = np.array([     [True,  False,  True,   True,     True],     # MIGHT
                            [True,  True,   False,  True,     True],     # AGILITY
                            [False, True,   True,   True,     True],     # CUNNING
                            [False, False,  False,  False,    False],    # DEFENSIVE
                            [False, False,  False,  False,    False]])   # NO_STANCE
ATTACKS = MAY_ATTACK.any(axis=1)  # whether a stance attacks at all
# fmt: on


@rule("Combat > The Engagement > Understanding Stances", "R-29", hot=True)
def beats(fight, stance, other):
    """Return whether a stance beats another: cunning > agility > might > cunning; a setting lets all beat defensive."""
    if other == DEFENSIVE:
        return fight.rules.defensive_is_beaten and ATTACKS[stance]
    return BEATS[stance, other]


@inlined
def is_opening(fight):
    """Return whether the attack being made is an opportunity attack outside the engagement, which meets no stance."""
    return not fight.engaged and fight.exchange.cause == FROM_OPPORTUNITY


@rule("Combat > The Engagement > Understanding Stances", "R-15")
def beats_target(fight, i, target):
    """Return whether the stance that fighter i shows beats its target's; an opportunity attack beats no stance."""
    if is_opening(fight):
        return False
    return beats(fight, fight.fighters[i].stance, stance_met(fight, i, target, False))


@inlined
def stance_met(fight, i, target, rolls):
    """Return the stance of the target that fighter i's attack meets: its own, unless an ability changes that."""
    return hooks.meets(fight, target, i, rolls, np.int64(fight.fighters[target].stance))


@rule("Combat > The Engagement", hot=True)
def is_able_to_attack(fight, i):
    """Return whether a fighter can attack in the engagement; this costs its action only if a setting says so."""
    fighter = fight.fighters[i]
    if fighter.status != STANDING or not ATTACKS[fighter.stance] or has_stepped_too_far(fight, i):
        return False
    if is_stunned_by_then(fighter) or hooks.refrains(fight, i) or hooks.refrains_for(fight, i):
        return False
    return not fight.rules.attack_costs_action or has_action_left(fighter)


@with_abilities(False)
@compiled
def is_stunned_by_then(fighter):
    """Return whether an ability has stunned the fighter since it showed its stance."""
    return is_senseless(fighter)


@rule("Conditions > Confused", "R-47", hot=True)
def has_action_left(fighter):
    """Return whether the round's action is left; a confused fighter that has moved may not spend it."""
    return fighter.action and may_still_act(fighter)


@rule("Combat > The Engagement > Attack Resolution Process > Range and Positioning", hot=True)
def may_target(fight, i, target):
    """Return whether fighter i may target an enemy: it is not i's charmer and, on a map, in sight and weapon range."""
    fighter, other = fight.fighters[i], fight.fighters[target]
    if hooks.away(fight, i) or hooks.away(fight, target) or hooks.bars(fight, i, target):
        return False
    return fighter.team != other.team and not is_charmed_by(fighter, target) and reaches(fight, i, target)


@rule("Combat > The Engagement > Understanding Stances", "R-29", "R-56", hot=True)
def may_attack(fight, i, target):
    """Return whether i's stance may attack the target's: a beaten stance, i's own stance, defensive, or none."""
    other = fight.fighters[target]
    if other.status != STANDING or not takes_part(fight, target) or not may_target(fight, i, target):
        return False
    return MAY_ATTACK[fight.fighters[i].stance, other.stance]


@rule("Combat > The Engagement > Choosing Your Stance > Simultaneous Reveal")
def reveal(fight, i, stance):
    """Reveal a fighter's stance, and record it in the fighter's history and counts of stances."""
    fighter = fight.fighters[i]
    fighter.stance = stance
    for k in range(len(fighter.reveals) - 1, 0, -1):
        fighter.reveals[k] = fighter.reveals[k - 1]
    fighter.reveals[0] = stance
    if stance != NO_STANCE:
        fighter.stance_count[stance] += 1


@lru_cache(maxsize=16)
def table_of_beats(settings: Any) -> NDArray[np.bool_]:
    """Return `beats` under these settings as a table (stance, other stance); the last row and column mean no stance."""
    wins: Any = beats
    fight, stances = SimpleNamespace(rules=settings), range(NO_STANCE + 1)
    return np.array([[wins(fight, stance, other) for other in stances] for stance in stances], np.bool_)

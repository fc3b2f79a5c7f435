"""Other Offensive Actions: grappling, climbing on, hindering and stunts, in place of an attack."""

from __future__ import annotations

import numpy as np

from heartrush_env.core.rule import compiled, rule
from heartrush_env.heart_rush.rules.checks import might_or_agility, roll_check
from heartrush_env.heart_rush.rules.conditions import gain, gain_from
from heartrush_env.heart_rush.rules.sheet import has
from heartrush_env.heart_rush.rules.space import next_to, on_map
from heartrush_env.heart_rush.rules.stances import beats, may_attack
from heartrush_env.heart_rush.rules.taking_damage import climb_up, take_hold
from heartrush_env.heart_rush.rules.terms import (
    AGILITY,
    BLIND,
    BLINDED,
    CHARM,
    CHARMED,
    CHECK,
    CLIMB_ON,
    CUNNING,
    DAZED,
    DIRTY_STRIKE,
    DISARM,
    ENRAGED,
    GRAPPLE,
    GRAPPLED,
    MIGHT,
    NOBODY,
    OFF_BALANCED,
    PRESENCE,
    PRONE,
    SHOVE,
    SIZE_DIFFERENCE,
    SWING_PAST,
    TAUNT,
    TRIP,
    WEAKENED,
)

DIRTY_STRIKE_DIE = 4
DIRTY_STRIKE_LEVELS = 2
SHOVE_LEVELS = 2
SIZES_TO_CLIMB = 2
SIZES_TO_TRIP = 1

# The conditions among which the cunning effect and the dirty strike choose, in the order of their codes.
IMPAIRING = np.array([DAZED, OFF_BALANCED, WEAKENED], np.int8)

# Ways to name up to two levels of the cunning effect: none, one, two.
# fmt: off
#                         DAZED OFF_BALANCED WEAKENED
CUNNING_LEVELS = np.array([[0,      0,          0],
                           [1,      0,          0],
                           [0,      1,          0],
                           [0,      0,          1],
                           [2,      0,          0],
                           [1,      1,          0],
                           [1,      0,          1],
                           [0,      2,          0],
                           [0,      1,          1],
                           [0,      0,          2]], np.int8)
# fmt: on


@rule("Combat > The Engagement > Choosing Your Stance > Cunning Stance", "R-21")
def may_name_levels(match, i, target, code):
    """Cunning that beats agility names up to two levels, split as the settings allow."""
    if code == 0:
        return True
    if not match.rules.levels or match.fighters[i].stance != CUNNING:
        return False
    if not match.rules.cunning_split and 5 <= code <= 8 and code != 7:
        return False
    return beats(match, CUNNING, match.fighters[target].stance)


@rule("Combat > The Engagement > Choosing Your Stance > Cunning Stance", "R-6")
def apply_cunning_levels(fighter, code):
    """The named levels of dazed, off-balanced and weakened take hold, damage or not."""
    for k in range(3):
        if CUNNING_LEVELS[code, k] > 0:
            gain(fighter, IMPAIRING[k], CUNNING_LEVELS[code, k])


@rule("Combat > Other Offensive Actions > Executing Special Maneuvers")
def may_maneuver(match, i, target):
    """A maneuver needs a stance that beats the target's, and takes the place of the attack; both stand side by side."""
    if not match.rules.maneuvers or not may_attack(match, i, target) or not next_to(match, i, target):
        return False
    return beats(match, match.fighters[i].stance, match.fighters[target].stance)


@rule("Combat > Other Offensive Actions > Grappling > Grappling Requirements")
def free_hands(fighter):
    """Two hands, less those that the weapon in hand and the shield take."""
    return 2 - (fighter.weapon_hands if fighter.armed else 0) - fighter.shield_hands


@compiled
def sizes_larger(match, i, target):
    """How many size categories the target is larger than fighter i."""
    return match.fighters[target].size_rank - match.fighters[i].size_rank


@rule("Combat > Other Offensive Actions > Executing Special Maneuvers > Core Maneuver Rules")
def is_possible(match, i, deed, target):
    """Whether this maneuver can be done to this target at all, stances aside."""
    fighter, other = match.fighters[i], match.fighters[target]
    if deed == GRAPPLE:
        return fighter.grappling == NOBODY and not has(other, GRAPPLED) and free_hands(fighter) >= 1
    if deed == CLIMB_ON:
        return fighter.climbing == NOBODY and sizes_larger(match, i, target) >= SIZES_TO_CLIMB
    if deed == TRIP:
        return not has(other, PRONE) and sizes_larger(match, i, target) <= SIZES_TO_TRIP
    if deed == DISARM:
        return other.armed and not other.natural_weapon
    return True


@rule("Combat > Other Offensive Actions > Hinder")
def needs_contest(deed):
    """Hindering works without a roll; the others are contested checks."""
    return deed in (GRAPPLE, CLIMB_ON, DISARM, TAUNT, SWING_PAST)


@rule("Combat > Other Offensive Actions > Stunt", "R-20", "R-48")
def own_ability(match, i, deed, target, extra):
    """The die that a maneuver is made with."""
    if deed == CLIMB_ON:
        return might_or_agility(match, i, CHECK, target, extra)
    if deed == TAUNT:
        return PRESENCE
    return AGILITY if deed == SWING_PAST else MIGHT


@rule("Combat > Other Offensive Actions > Stunt", "R-20", "R-48")
def opposing_ability(match, target, deed, i, extra):
    """The die that a maneuver is opposed with."""
    if deed == TAUNT:
        return CUNNING
    if deed == SWING_PAST:
        return AGILITY
    return might_or_agility(match, target, CHECK, i, extra)


@rule("Combat > Other Offensive Actions > Grappling")
def size_advantage(match, i, target):
    """In a grapple the larger creature has one level of advantage for each size of difference."""
    return max(0, -sizes_larger(match, i, target))


@rule("Combat > Other Offensive Actions > Stunt", "R-48")
def own_advantage(match, i, deed, target):
    """Levels of advantage that the maneuver itself gives its maker."""
    if deed == GRAPPLE:
        return size_advantage(match, i, target)
    other = match.fighters[target]
    return 1 if deed == TAUNT and has(other, CHARMED) and other.source[CHARMED] == i else 0


@rule("Combat > Other Offensive Actions > Grappling > Grappling Requirements", "R-10")
def one_handed(fighter, deed, total):
    """A grapple with one free hand counts half, rounded up."""
    return (total + 1) // 2 if deed == GRAPPLE and free_hands(fighter) == 1 else total


@compiled
def roll_own(match, i, deed, target):
    """The check of the one who tries."""
    extra = own_advantage(match, i, deed, target)
    ability = own_ability(match, i, deed, target, extra)
    total = roll_check(match, i, CHECK, ability, target, extra, match.attack_roll)
    if match.recording and extra > 0:
        match.causes[CHARM if deed == TAUNT else SIZE_DIFFERENCE] += extra
    return one_handed(match.fighters[i], deed, total)


@compiled
def roll_opposing(match, target, deed, i):
    """The check of the one who resists."""
    extra = size_advantage(match, target, i) if deed == GRAPPLE else 0
    ability = opposing_ability(match, target, deed, i, extra)
    total = roll_check(match, target, CHECK, ability, i, extra, match.defense_roll)
    if match.recording and extra > 0:
        match.causes[SIZE_DIFFERENCE] += extra
    return total


@rule("Dice Mechanics > Contested Checks", "R-1")
def wins_contest(own, opposing):
    """The higher total wins; a tie leaves things as they were."""
    return own > opposing


@rule("Combat > Other Offensive Actions > Hinder", "R-20", "R-48")
def apply_maneuver(match, i, deed, target, detail):
    """What a maneuver that worked does to its target."""
    other = match.fighters[target]
    if deed == GRAPPLE:
        if not has(other, GRAPPLED):
            take_hold(match, i, target)
    elif deed == CLIMB_ON:
        climb_up(match, i, target)
    elif deed == DIRTY_STRIKE:
        gain(other, IMPAIRING[detail], DIRTY_STRIKE_LEVELS)
    elif deed == BLIND:
        before = other.levels[BLINDED]
        gain(other, BLINDED, 1)
        other.fresh_blinded |= other.levels[BLINDED] > before
    elif deed == TRIP:
        gain(other, PRONE, 1)
    elif deed == SHOVE:
        gain(other, OFF_BALANCED, SHOVE_LEVELS)
    elif deed == DISARM:
        other.armed = 0
        drop_weapon(match, target)
    elif deed == TAUNT:
        gain_from(other, ENRAGED, 1, i)
    elif deed == SWING_PAST:
        gain(other, OFF_BALANCED, 1)


@on_map(None)
@compiled
def drop_weapon(match, i):
    """The weapon lies where its owner stands."""
    fighter = match.fighters[i]
    fighter.floor_x, fighter.floor_y = fighter.x, fighter.y

"""Taking Damage: shrugging off, hit points, wounds, zero hit points, death."""

from __future__ import annotations

import numpy as np

from heartrush_env.core.rule import inlined, rule
from heartrush_env.heart_rush.rules.sheet import halved
from heartrush_env.heart_rush.rules.terms import (
    CHOOSES_AT_ZERO,
    DEAD,
    DEFEATED,
    NOBODY,
    STANDING,
    UNCONSCIOUS,
)

SMALLEST_HEART_DIE = 4
_CHOOSES = np.array(list(CHOOSES_AT_ZERO.values()))


@rule("Dice Mechanics > Die Sizes")
def one_size_smaller(sides):
    """A die falls one step: d20, d12, d10, d8, d6, d4."""
    if sides > 12:
        return 12
    return max(SMALLEST_HEART_DIE, sides - 2)


@rule("Combat > Taking Damage", "R-37", hot=True)
def may_shrug(match, fighter):
    """A fighter may shrug off hits while its heart die is above d4; a setting limits it to once per round."""
    if fighter.status != STANDING or fighter.heart <= SMALLEST_HEART_DIE:
        return False
    return fighter.shrugs == 0 or not match.rules.shrug_once


@inlined
def pending_hit(match, i):
    """The index of the hit that fighter i must respond to now, or NOBODY."""
    for k in range(match.hit_count):
        if match.hits[k].number == match.hit_number and match.hits[k].target == i:
            return k
    return NOBODY


@rule("Combat > Taking Damage", "R-10")
def shrug_off(fighter, damage):
    """The heart die falls one size and the damage is halved, rounded up; returns what is left of it."""
    fighter.heart = one_size_smaller(fighter.heart)
    fighter.shrugs += 1
    return halved(damage)


@rule("Combat > Taking Damage", hot=True)
def lose_hit_points(fighter, damage):
    """The remaining damage is subtracted from the hit points, which may fall below zero."""
    fighter.hp -= damage


@rule("Combat > Taking Damage > More than 10 Damage", hot=True)
def marks_wound(match, fighter, damage):
    """Damage that reaches the threshold, after halving, marks a wound; some creatures have no threshold."""
    return match.rules.wounds and fighter.wound_threshold > 0 and damage >= fighter.wound_threshold


@rule("Combat > Taking Damage > Wounds")
def mark_wound(fighter, rank):
    """A wound's rank is the damage taken, less what abilities take off it."""
    fighter.wounds += rank
    fighter.wound_count += 1


@rule("Combat > Taking Damage > Wounds")
def healing_ceiling(fighter):
    """A fighter cannot heal past its maximum minus the ranks of all its wounds."""
    return fighter.hp_max - fighter.wounds


@rule("Combat > Taking Damage > Zero Hit points", "R-12", "R-159", hot=True)
def is_dying(match, fighter):
    """A fighter dies at the negative of its maximum hit points; with a setting, wounds lower that maximum."""
    limit = healing_ceiling(fighter) if match.rules.death_at_reduced else fighter.hp_max
    return fighter.hp <= -limit


@rule("Combat > Taking Damage > Zero Hit points > Why would I go unconscious??", "R-23", "R-38", hot=True)
def may_choose_to_fight_on(match, fighter):
    """At 0 hit points heroes may fight on or yield, and others are out; `zero_hp` and `first_down` change that."""
    return not match.rules.first_down and _CHOOSES[match.rules.zero_hp, int(fighter.hero)]


@rule("Combat > Taking Damage > Zero Hit points", "R-23", "R-38")
def status_after_damage(match, fighter):
    """The status that a fighter has once all hits of a batch have landed."""
    if fighter.status != DEAD and is_dying(match, fighter):
        return DEAD
    if fighter.status != STANDING or fighter.hp > 0 or may_choose_to_fight_on(match, fighter):
        return fighter.status
    if match.rules.first_down or not fighter.hero:
        return DEFEATED
    return UNCONSCIOUS


@rule("Combat > Taking Damage > Zero Hit points")
def may_yield(match, fighter):
    """At zero or fewer hit points, and never above, a fighter may choose to go unconscious."""
    return fighter.status == STANDING and fighter.hp <= 0 and may_choose_to_fight_on(match, fighter)


@rule("Combat > Taking Damage > Zero Hit points", "R-124")
def wake(fighter):
    """An unconscious fighter with hit points left is in the fight again."""
    if fighter.status == UNCONSCIOUS and fighter.hp > 0:
        fighter.status = STANDING


@rule("Combat > Taking Damage > Zero Hit points", "R-11")
def tire(match, fighter):
    """Count another round at 0 or fewer hit points; returns whether the fighter now falls unconscious."""
    if fighter.status != STANDING or fighter.hp > 0:
        return False
    fighter.rounds_at_zero += 1
    return fighter.rounds_at_zero >= match.rules.fatigue_rounds

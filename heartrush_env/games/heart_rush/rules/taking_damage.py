"""Taking Damage: shrugging off, hit points, wounds, zero hit points, death."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.sheet import halved
from heartrush_env.games.heart_rush.rules.terms import (
    CHOOSES_AT_ZERO,
    DEAD,
    DEFEATED,
    NOBODY,
    STANDING,
    UNCONSCIOUS,
)
from heartrush_env.tabletop.rule import inlined, rule

SMALLEST_HEART_DIE = 4
_CHOOSES = np.array(list(CHOOSES_AT_ZERO.values()))


@rule("Dice Mechanics > Die Sizes")
def one_size_smaller(sides):
    """Return the die one size smaller, at least d4: d20, d12, d10, d8, d6, d4."""
    if sides > 12:
        return 12
    return max(SMALLEST_HEART_DIE, sides - 2)


@rule("Combat > Taking Damage", "R-37", hot=True)
def may_shrug(fight, fighter):
    """Return whether a fighter may shrug off hits: its heart die is above d4; a setting limits it to once per round."""
    if fighter.status != STANDING or fighter.heart <= SMALLEST_HEART_DIE:
        return False
    return fighter.shrugs == 0 or not fight.rules.shrug_once


@inlined
def pending_hit(fight, i):
    """Return the index of the hit that fighter i must respond to now, or NOBODY."""
    for k in range(fight.hit_count):
        if fight.hits[k].number == fight.hit_number and fight.hits[k].target == i:
            return k
    return NOBODY


@rule("Combat > Taking Damage", "R-10")
def shrug_off(fighter, damage):
    """Lower the heart die by one size and return the damage halved, rounded up."""
    fighter.heart = one_size_smaller(fighter.heart)
    fighter.shrugs += 1
    return halved(damage)


@rule("Combat > Taking Damage", hot=True)
def lose_hit_points(fighter, damage):
    """Subtract the remaining damage from the hit points, which may fall below zero."""
    fighter.hp -= damage


@rule("Combat > Taking Damage > More than 10 Damage", hot=True)
def marks_wound(fight, fighter, damage):
    """Return whether damage, after halving, reaches the wound threshold; some creatures have no threshold."""
    return fight.rules.wounds and fighter.wound_threshold > 0 and damage >= fighter.wound_threshold


@rule("Combat > Taking Damage > Wounds")
def mark_wound(fighter, rank):
    """Mark a wound; its rank is the damage taken minus reductions from abilities."""
    fighter.wounds += rank
    fighter.wound_count += 1


@rule("Combat > Taking Damage > Wounds")
def healing_ceiling(fighter):
    """Return the most hit points that a fighter can heal to: its maximum minus the ranks of all its wounds."""
    return fighter.hp_max - fighter.wounds


@rule("Combat > Taking Damage > Zero Hit points", "R-12", "R-159", hot=True)
def deadly_depth(fight, fighter):
    """Return how far below 0 hit points kill a fighter: its maximum, which wounds lower with a setting."""
    depth = np.int64(healing_ceiling(fighter) if fight.rules.death_at_reduced else fighter.hp_max)
    return hooks.death_at(fight, fighter.index, depth)


@inlined
def is_dying(fight, fighter):
    """Return whether a fighter's hit points are so far below 0 that it dies."""
    return fighter.hp <= -deadly_depth(fight, fighter)


@rule("Combat > Taking Damage > Zero Hit points > Why would I go unconscious??", "R-23", "R-38", hot=True)
def may_choose_to_fight_on(fight, fighter):
    """Return whether a fighter at 0 hit points may fight on: heroes by default; `zero_hp`, `first_down` change this."""
    return not fight.rules.first_down and _CHOOSES[fight.rules.zero_hp, int(fighter.hero)]


@rule("Combat > Taking Damage > Zero Hit points", "R-23", "R-38")
def status_after_damage(fight, fighter):
    """Return the status that a fighter has once all hits of a batch have landed."""
    if fighter.status != DEAD and is_dying(fight, fighter):
        return DEAD
    if fighter.status != STANDING or fighter.hp > 0 or may_choose_to_fight_on(fight, fighter):
        return fighter.status
    if fight.rules.first_down or not fighter.hero:
        return DEFEATED
    return UNCONSCIOUS


@rule("Combat > Taking Damage > Zero Hit points")
def may_yield(fight, fighter):
    """Return whether a standing fighter, at 0 hit points or less, may choose to go unconscious."""
    return fighter.status == STANDING and fighter.hp <= 0 and may_choose_to_fight_on(fight, fighter)


@rule("Combat > Taking Damage > Zero Hit points", "R-124")
def wake(fighter):
    """Wake an unconscious fighter that has hit points left; it is in the fight again."""
    if fighter.status == UNCONSCIOUS and fighter.hp > 0:
        fighter.status = STANDING


@rule("Combat > Taking Damage > Zero Hit points", "R-11")
def tire(fight, fighter):
    """Count another round at 0 or fewer hit points; return whether the fighter now falls unconscious."""
    if fighter.status != STANDING or fighter.hp > 0:
        return False
    fighter.rounds_at_zero += 1
    return fighter.rounds_at_zero >= fight.rules.fatigue_rounds

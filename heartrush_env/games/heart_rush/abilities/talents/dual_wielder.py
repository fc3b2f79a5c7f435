"""Dual Wielder."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import is_destined, version
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus, add_bonus_dice
from heartrush_env.games.heart_rush.rules.stances import stance_met
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, NO_DAMAGE_TYPE
from heartrush_env.tabletop.rule import compiled, inlined

BONUS = figures("dual_wielder", "same_type_bonus")


@ability("dual_wielder", rulings=["R-218"])
class DualWielder:
    """The owner wields its spare weapon too: it uses the larger die and both damage types, or adds 2 for equal types.

    In the destiny version, fights in the same stance add the second weapon's die to attacks and either weapon's die to
    defenses, twice if its damage type favors the stance.
    """

    def weapon_die(fight, i, slot, target, die):
        fighter = fight.fighters[i]
        return max(die, np.int64(fighter.sets[1].weapon_die)) if wields_different(fighter) else die

    def damage_type(fight, i, slot, stance, kind):
        fighter = fight.fighters[i]
        other = np.int64(fighter.sets[1].damage_type)
        return other if wields_different(fighter) and other == stance else kind

    def attack(fight, i, slot, target, stance):
        fighter = fight.fighters[i]
        if wields_two(fighter) and not wields_different(fighter):
            add_ability_bonus(fight.pool, BONUS[version(fight, i, slot)])
        if wields_two(fighter) and is_matched(fight, i, slot, target):
            add_bonus_dice(fight.pool, dice_of(fighter.sets[1], stance), fighter.sets[1].weapon_die)
        return 0

    def defense(fight, i, slot, striker, stance):
        fighter = fight.fighters[i]
        if wields_two(fighter) and is_matched(fight, i, slot, striker):
            best = better_of(fighter.sets[0], fighter.sets[1], stance)
            add_bonus_dice(fight.pool, dice_of(fighter.sets[best], stance), fighter.sets[best].weapon_die)
        return 0


@compiled
def wields_two(fighter):
    """Return whether a fighter has a weapon in each hand: two of one attack type for one hand each, and no shield."""
    held, spare = fighter.sets[0], fighter.sets[1]
    one_each = held.weapon_hands == 1 and spare.weapon_hands == 1 and held.shield_hands == 0
    return fighter.armed and fighter.has_spare and one_each and held.attack_type == spare.attack_type


@compiled
def wields_different(fighter):
    """Return whether a fighter has two weapons in its hands that do not share a damage type."""
    kind = fighter.sets[0].damage_type
    return wields_two(fighter) and (kind != fighter.sets[1].damage_type or kind == NO_DAMAGE_TYPE)


@compiled
def is_matched(fight, i, slot, other):
    """Return whether the destiny version counts: both fighters show the same attacking stance."""
    stance = stance_met(fight, other, i, True)
    same = stance < ATTACKING_STANCES and stance == stance_met(fight, i, other, True)
    return same and is_destined(fight, i, slot)


@inlined
def dice_of(held, stance):
    """Return how many dice a weapon adds in this stance: two if its damage type favors it, else one."""
    return 2 if held.damage_type == stance else 1


@compiled
def better_of(first, second, stance):
    """Return 0 if the first weapon adds as much as the second or more, else 1."""
    own = dice_of(first, stance) * np.int64(first.weapon_die)
    return 0 if own >= dice_of(second, stance) * np.int64(second.weapon_die) else 1

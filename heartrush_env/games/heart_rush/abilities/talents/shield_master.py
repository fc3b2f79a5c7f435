"""Shield Master."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures, parts
from heartrush_env.games.heart_rush.rules.abilities import ON_PHASE, is_destined, memo, remember, version
from heartrush_env.games.heart_rush.rules.actions.attack import is_attacker
from heartrush_env.games.heart_rush.rules.sheet import damage_type
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK, stance_met
from heartrush_env.games.heart_rush.rules.terms import (
    BLUDGEONING,
    BY_ATTACK,
    DEFENSIVE,
    FROM_OPPORTUNITY,
    MELEE,
    MIGHT,
    STANDING,
)
from heartrush_env.games.heart_rush.rules.weapons import REACH
from heartrush_env.games.heart_rush.scenario.catalog import weapon_sizes
from heartrush_env.tabletop.rule import compiled

LIGHT_DIE = weapon_sizes()["light"].die
FEET = figures("shield_master", "push_bonus_ft")
PARTS = parts("shield_master", "defensive_factor")


@ability("shield_master", on=[ON_PHASE], rulings=["R-10", "R-217"], left_out="blows with the shield at an opening")
class ShieldMaster:
    """The owner may attack with its shield, a light bludgeoning weapon whose pushes go farther.

    In the destiny version, the owner takes a quarter of the damage in defensive stance. The memo is the latest round
    in which the owner has raised its shield for an attack.
    """

    def may(fight, i, slot, target):
        return fight.fighters[i].shield > 0 and is_attacker(fight, i) and gains(fight, i, slot)

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, fight.round_number)

    def weapon_die(fight, i, slot, target, die):
        return np.int64(LIGHT_DIE) if is_raised(fight, i, slot) else die

    def attack_type(fight, i, slot, target, kind):
        return np.int64(MELEE) if is_raised(fight, i, slot) else kind

    def damage_type(fight, i, slot, stance, kind):
        return np.int64(BLUDGEONING) if is_raised(fight, i, slot) else kind

    def carries(fight, i, slot, target, squares):
        return np.int64(REACH) if is_raised(fight, i, slot) else squares

    def pushes(fight, i, slot, target):
        return FEET[version(fight, i, slot)] if is_raised(fight, i, slot) else 0

    def cuts(fight, i, slot, striker, cause, damage):
        """Return half of what the defensive stance has left of the damage, in the destiny version."""
        answers = cause in BY_ATTACK and cause != FROM_OPPORTUNITY
        if not answers or not is_destined(fight, i, slot) or stance_met(fight, striker, i, True) != DEFENSIVE:
            return damage
        whole = 2 * damage
        return (whole + PARTS[1] - 1) // PARTS[1]


@compiled
def is_raised(fight, i, slot):
    """Return whether the owner attacks with its shield in this round."""
    return memo(fight, i, slot) == fight.round_number


@compiled
def gains(fight, i, slot):
    """Return whether the owner has not raised its shield yet, and gains by striking a creature beside it with it."""
    fighter = fight.fighters[i]
    differs = fighter.weapon_die != LIGHT_DIE or damage_type(fighter) != BLUDGEONING or fighter.stance == MIGHT
    if is_raised(fight, i, slot) or not differs:
        return False
    for place in range(fighter.enemy_count):
        target = fighter.enemies[place]
        other = fight.fighters[target]
        if other.status == STANDING and next_to(fight, i, target) and MAY_ATTACK[fighter.stance, other.stance]:
            return True
    return False

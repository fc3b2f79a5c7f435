"""Whipmaster."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figures
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_PHASE,
    Aim,
    fighter_named,
    is_destined,
    memo_for,
    remember_now,
    version,
)
from heartrush_env.games.heart_rush.rules.actions.attack import is_attacker
from heartrush_env.games.heart_rush.rules.conditions import inflict, lose_levels
from heartrush_env.games.heart_rush.rules.contests import sizes_larger
from heartrush_env.games.heart_rush.rules.hits import add_late_hit
from heartrush_env.games.heart_rush.rules.rush_points import mark_active
from heartrush_env.games.heart_rush.rules.stances import may_attack
from heartrush_env.games.heart_rush.rules.terms import FROM_ABILITY, MOST_FIGHTERS, NOBODY, PRONE, RESTRAINED, WHIP
from heartrush_env.games.heart_rush.rules.weapons import type_against
from heartrush_env.games.heart_rush.scenario.catalog import weapon_sizes
from heartrush_env.tabletop.rng import roll_sum

LEVELS = figures("whipmaster", "restrained")
DICE = dice("whipmaster", "damage")
LIGHT_DIE = weapon_sizes()["light"].die
SIZES_LARGER = 1  # of a target that the owner pulls prone
PLACES = 2 * MOST_FIGHTERS  # the memo is this times the levels given, plus one more than the target


@ability("whipmaster", on=[ON_PHASE], aim=Aim.ENEMY, rulings=["R-128", "R-220"])
class Whipmaster:
    """Whips are light weapons, and in place of an attack with one, its target is restrained until the round ends.

    In the destiny version, a target at most one size larger is pulled prone as well and takes damage.
    """

    def begin(fight, i, slot):
        fighter = fight.fighters[i]
        for k in range(len(fighter.sets)):
            held = fighter.sets[k]
            if held.attack_type == WHIP:
                held.weapon_die = max(held.weapon_die, LIGHT_DIE)
        fighter.weapon_die = fighter.sets[0].weapon_die

    def may(fight, i, slot, target):
        whips = is_attacker(fight, i) and type_against(fight, i, target) == WHIP
        return whips and may_attack(fight, i, target)

    def do(fight, log, i, slot, target):
        levels = inflict(fight, i, target, RESTRAINED, LEVELS[version(fight, i, slot)])
        remember_now(fight, i, slot, PLACES * max(0, levels) + 1 + target)
        mark_active(fight, i, target)
        if is_destined(fight, i, slot) and sizes_larger(fight, i, target) <= SIZES_LARGER:
            inflict(fight, i, target, PRONE, 1)
            add_late_hit(fight, target, i, FROM_ABILITY, roll_sum(fight, DICE[1, 0], DICE[1, 1]))

    def refrains(fight, i, slot):
        return memo_for(fight, i, slot, 1) > 0

    def round_starts(fight, i, slot, log):
        given = memo_for(fight, i, slot, 2)
        target = fighter_named(fight, given % PLACES)
        if given >= PLACES and target != NOBODY:
            lose_levels(fight.fighters[target], RESTRAINED, given // PLACES)

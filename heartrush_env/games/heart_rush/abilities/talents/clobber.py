"""Clobber."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.own_dice import add_own_dice
from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figures
from heartrush_env.games.heart_rush.engine.strikes import is_own_attack
from heartrush_env.games.heart_rush.rules.abilities import is_destined, note, notes, version
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.forced_movement import HEAVY_SHIELD
from heartrush_env.games.heart_rush.rules.space import is_beside_wall, next_to
from heartrush_env.games.heart_rush.rules.terms import ATTACK, MELEE, STANDING, WEAKENED
from heartrush_env.games.heart_rush.rules.weapons import type_against
from heartrush_env.tabletop.rule import compiled

DICE = dice("clobber", "attack_dice")
LEVELS = figures("clobber", "weakened")


@ability("clobber", rulings=["R-173"])
class Clobber:
    """The owner's melee attacks have more dice if the enemy is next to a wall or to an ally's heavy shield.

    In the destiny version, such attacks also weaken the enemy.
    """

    def attack(fight, i, slot, target, stance):
        if type_against(fight, i, target) == MELEE and is_cornered(fight, i, target):
            add_own_dice(fight, i, slot, DICE)
        return 0

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK:
            strikes = type_against(fight, i, other) == MELEE and is_own_attack(fight, i)
            note(fight, i, slot, other, strikes and is_cornered(fight, i, other))

    def effect(fight, i, slot, log, target):
        if is_destined(fight, i, slot) and notes(fight, i, slot, target):
            inflict(fight, i, target, WEAKENED, LEVELS[version(fight, i, slot)])


@compiled
def is_cornered(fight, i, target):
    """Return whether the target is beside a wall, or beside a heavy shield of fighter i's allies."""
    for j in range(fight.n):
        ally = fight.fighters[j]
        if j == i or ally.team != fight.fighters[i].team or ally.status != STANDING:
            continue
        if ally.shield >= HEAVY_SHIELD and next_to(fight, target, j):
            return True
    return is_beside_wall(fight, target)

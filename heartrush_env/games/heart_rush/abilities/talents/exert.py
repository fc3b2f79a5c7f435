"""Exert."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.own_dice import add_own_dice
from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figures
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_ACTION,
    ON_PHASE,
    memo_for,
    remember,
    remember_now,
    version,
)
from heartrush_env.games.heart_rush.rules.actions.attack import attacks_next
from heartrush_env.games.heart_rush.rules.taking_damage import SMALLEST_HEART_DIE, one_size_smaller
from heartrush_env.games.heart_rush.rules.terms import ATTACK
from heartrush_env.tabletop.rule import compiled

DICE = dice("exert", "attack_dice")
STEPS = figures("exert", "heart_steps")


@ability("exert", on=[ON_ACTION, ON_PHASE], rulings=["R-121", "R-156"])
class Exert:
    """The owner's next attack roll of the round has extra dice; after it, the owner's heart die drops."""

    def may(fight, i, slot, target):
        """Return whether the owner's heart die can drop far enough and the owner is about to attack."""
        falls = smaller(fight.fighters[i].heart, STEPS[version(fight, i, slot)]) > 0
        return falls and memo_for(fight, i, slot, 1) == 0 and attacks_next(fight, i)

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, 1)

    def attack(fight, i, slot, target, stance):
        if memo_for(fight, i, slot, 1) == 1:
            add_own_dice(fight, i, slot, DICE)
        return 0

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK and memo_for(fight, i, slot, 1) == 1:
            remember(fight, i, slot, 0)
            fighter = fight.fighters[i]
            fighter.heart = max(SMALLEST_HEART_DIE, smaller(fighter.heart, STEPS[version(fight, i, slot)]))
            if not fight.engaged:  # during a phase, the heart die from its start applies
                fighter.phase_heart = fighter.heart


@compiled
def smaller(sides, steps):
    """Return a die this many sizes smaller, or 0 if there is none."""
    for _ in range(steps):
        if sides <= SMALLEST_HEART_DIE:
            return 0
        sides = one_size_smaller(sides)
    return sides

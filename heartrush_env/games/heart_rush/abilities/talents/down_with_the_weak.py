"""Down with the Weak."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.own_dice import add_own_dice
from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figures
from heartrush_env.games.heart_rush.rules.abilities import note, notes, version
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import ATTACK, WEAKENED

DICE = dice("down_with_the_weak", "attack_dice")
LEVELS = figures("down_with_the_weak", "weakened")
ADVANTAGE = figures("down_with_the_weak", "advantage")


@ability("down_with_the_weak")
class DownWithTheWeak:
    """The owner's attacks on weakened creatures have an extra die.

    In the destiny version, these attacks also have advantage and weaken the creatures further.
    """

    def attack(fight, i, slot, target, stance):
        if not has(fight.fighters[target], WEAKENED):
            return 0
        add_own_dice(fight, i, slot, DICE)
        return ADVANTAGE[version(fight, i, slot)]

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK:
            note(fight, i, slot, other, has(fight.fighters[other], WEAKENED))

    def effect(fight, i, slot, log, target):
        if notes(fight, i, slot, target):
            inflict(fight, i, target, WEAKENED, LEVELS[version(fight, i, slot)])

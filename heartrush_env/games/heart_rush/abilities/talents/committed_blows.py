"""Committed Blows."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.own_dice import add_own_dice
from heartrush_env.games.heart_rush.abilities.unit import ability, dice
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.dice import take_off
from heartrush_env.games.heart_rush.rules.stances import beats, is_opening, stance_met
from heartrush_env.games.heart_rush.rules.terms import DEFENSE

DICE = dice("committed_blows", "dice")


@ability("committed_blows", rulings=["R-15", "R-29"])
class CommittedBlows:
    """The owner's attacks gain dice if its stance beats the target's stance.

    The owner's defenses lose dice if the attacker's stance beats the owner's stance.
    """

    def attack(fight, i, slot, target, stance):
        if not is_opening(fight) and beats(fight, stance, stance_met(fight, i, target, True)):
            add_own_dice(fight, i, slot, DICE)
        return 0

    def rolled(fight, i, slot, kind, other, roll):
        if kind != DEFENSE or is_opening(fight):
            return
        if beats(fight, fight.fighters[other].stance, stance_met(fight, other, i, True)):
            take_off(fight, roll, DICE[version(fight, i, slot), 0], DICE[version(fight, i, slot), 1])

"""Agile."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, dice
from heartrush_env.games.heart_rush.rules.streaks import add_streak_die
from heartrush_env.games.heart_rush.rules.terms import AGILITY

DIE = int(dice("agile", "die")[1, 1])


@ability("agile", rulings=["R-118"], left_out="its second sidestep")
class Agile:
    """In the destiny version, the owner's rolls get a die that grows with each round in a row in agility stance."""

    def attack(fight, i, slot, target, stance):
        add_streak_die(fight, i, slot, AGILITY, DIE)
        return 0

    def defense(fight, i, slot, striker, stance):
        add_streak_die(fight, i, slot, AGILITY, DIE)
        return 0

"""Everywhere."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.engine.strikes import add_extra, makes_attack
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.stances import may_attack
from heartrush_env.games.heart_rush.rules.terms import ATTACK, STRIKE
from heartrush_env.tabletop.rule import compiled


@ability("everywhere", rulings=["R-9", "R-137"])
class Everywhere:
    """The owner's attack is also made on every other adjacent creature that its stance may attack."""

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK and makes_attack(fight, i):
            for j in range(fight.n - 1, -1, -1):  # the last one added is attacked first
                if j != other and may_attack(fight, i, j) and next_to(fight, i, j) and not is_contested(fight, i, j):
                    add_extra(fight, i, j, False)


@compiled
def is_contested(fight, i, j):
    """Return whether fighter j attacks i in i's stance, so that one contest is the attack of both."""
    other = fight.fighters[j]
    return other.deed == STRIKE and other.target == i and other.stance == fight.fighters[i].stance

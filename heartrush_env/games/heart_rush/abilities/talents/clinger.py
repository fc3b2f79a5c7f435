"""Clinger."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.terms import CLIMB_ON, HOP_OFF, SHAKE_OFF

CHECKS = figures("clinger", "check_advantage")
ATTACKS = figures("clinger", "attack_advantage")


@ability("clinger", rulings=["R-209"])
class Clinger:
    """The owner has advantage to climb onto a creature and to stay on it, and on attacks against the one it rides."""

    def contest_of(fight, i, slot, roller, other, deed, tries):
        climbs = deed == CLIMB_ON and tries
        stays_on = (deed == SHAKE_OFF or deed == HOP_OFF) and not tries
        return CHECKS[version(fight, i, slot)] if roller == i and (climbs or stays_on) else 0

    def attack(fight, i, slot, target, stance):
        return ATTACKS[version(fight, i, slot)] if fight.fighters[i].climbing == target else 0

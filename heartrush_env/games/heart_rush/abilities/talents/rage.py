"""Rage."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.conditions import rage_condition, spread
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import STANDING

LEVELS = figures("rage", "enraged")
ADVANTAGE = figures("rage", "advantage")


@ability("rage", rulings=["R-108"])
class Rage:
    """A creature that attacks the owner enrages it; the owner's attacks on the object of its rage have advantage."""

    def struck(fight, i, slot, log, striker):
        if fight.fighters[i].status == STANDING:
            spread(fight, striker, i, rage_condition(fight), LEVELS[version(fight, i, slot)])

    def attack(fight, i, slot, target, stance):
        fighter = fight.fighters[i]
        enraged_at_it = has(fighter, rage_condition(fight)) and fighter.source[rage_condition(fight)] == target
        return ADVANTAGE[version(fight, i, slot)] if enraged_at_it else 0

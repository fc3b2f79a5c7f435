"""Cruelty."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.healing import heal
from heartrush_env.games.heart_rush.rules.space import within
from heartrush_env.games.heart_rush.rules.terms import STANDING
from heartrush_env.tabletop.rule import compiled

RANGE = int(figures("cruelty", "range_ft")[0])
DAMAGE = figures("cruelty", "damage")
HEAL = figures("cruelty", "heal")


@ability("cruelty", rulings=["R-119"])
class Cruelty:
    """Enemies within 10 feet of the owner take more damage; in the destiny version, such damage heals the owner."""

    def reduces_for(fight, i, slot, victim, striker, cause, damage):
        """Return the damage, raised if the victim is an enemy near the owner."""
        return damage + DAMAGE[version(fight, i, slot)] if damage > 0 and is_cruel_to(fight, i, victim) else damage

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        if damage > 0 and is_cruel_to(fight, i, victim):
            heal(fight, log, i, i, HEAL[version(fight, i, slot)])


@compiled
def is_cruel_to(fight, i, victim):
    """Return whether the owner is standing and this victim is an enemy within range."""
    fighter = fight.fighters[i]
    if fighter.status != STANDING or fighter.team == fight.fighters[victim].team:
        return False
    return within(fight, i, victim, RANGE)

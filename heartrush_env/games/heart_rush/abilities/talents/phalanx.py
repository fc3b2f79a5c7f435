"""Phalanx."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.space import next_to, standing_beside
from heartrush_env.games.heart_rush.rules.terms import STANDING
from heartrush_env.tabletop.rule import compiled

ALLIES = int(figures("phalanx", "min_allies")[0])
ADVANTAGE = figures("phalanx", "advantage")
FOR_ALLIES = figures("phalanx", "ally_advantage")


@ability("phalanx", rulings=["R-112"])
class Phalanx:
    """Next to two allies, the owner has advantage on defense; in the destiny version, so do these allies."""

    def defense(fight, i, slot, striker, stance):
        return ADVANTAGE[version(fight, i, slot)] if is_formed(fight, i) else 0

    def defense_of(fight, i, slot, defender, striker, stance):
        ally = defender != i and fight.fighters[defender].team == fight.fighters[i].team
        if not ally or fight.fighters[i].status != STANDING or not next_to(fight, i, defender):
            return 0
        return FOR_ALLIES[version(fight, i, slot)] if is_formed(fight, i) else 0


@compiled
def is_formed(fight, i):
    """Return whether enough allies are standing next to the owner."""
    return standing_beside(fight, i, True) >= ALLIES

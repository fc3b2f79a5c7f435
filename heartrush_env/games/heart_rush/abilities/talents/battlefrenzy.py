"""Battle Frenzy."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.space import standing_beside
from heartrush_env.tabletop.rule import compiled

FEWEST = int(figures("battlefrenzy", "min_enemies")[0])
ADVANTAGE = figures("battlefrenzy", "advantage_per_enemy")
RUSH = figures("battlefrenzy", "rush_per_enemy")


@ability("battlefrenzy")
class BattleFrenzy:
    """Two or more adjacent enemies each give the owner's attacks advantage and, in the destiny version, rush points."""

    def attack(fight, i, slot, target, stance):
        return ADVANTAGE[version(fight, i, slot)] * enemies_around(fight, i)

    def gains_rush(fight, i, slot):
        return RUSH[version(fight, i, slot)] * enemies_around(fight, i)


@compiled
def enemies_around(fight, i):
    """Return the number of enemies next to a fighter, or 0 if there are too few of them."""
    found = standing_beside(fight, i, False)
    return found if found >= FEWEST else 0

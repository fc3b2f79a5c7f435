"""Light Footed."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import memo, remember, version
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus

DEFENSE = figures("light_footed", "defense")


@ability("light_footed")
class LightFooted:
    """Defense rolls without armor and shield have a bonus; sundered armor still counts as worn."""

    def begin(fight, i, slot):
        remember(fight, i, slot, fight.fighters[i].armor == 0)

    def defense(fight, i, slot, striker, stance):
        if memo(fight, i, slot) == 1 and fight.fighters[i].shield == 0:
            add_ability_bonus(fight.pool, DEFENSE[version(fight, i, slot)])
        return 0

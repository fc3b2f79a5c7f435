"""Vampiric Mark."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, Aim, memo, remember, version
from heartrush_env.games.heart_rush.rules.healing import heal

HEAL = figures("vampiric_mark", "heal")


@ability("vampiric_mark", on=[ON_ACTION], aim=Aim.ENEMY)
class VampiricMark:
    """Each wound that the marked enemy takes heals the owner."""

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, 1 + target)

    def wounded(fight, i, slot, log, victim, striker, rank):
        if memo(fight, i, slot) == 1 + victim:
            heal(fight, log, i, i, HEAL[version(fight, i, slot)])

"""Kick 'Em While They're Down."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import PRONE

ADVANTAGE = figures("kick_em_while_theyre_down", "advantage")


@ability("kick_em_while_theyre_down")
class KickEmWhileTheyreDown:
    """Attacks on prone targets have advantage."""

    def attack(fight, i, slot, target, stance):
        return ADVANTAGE[version(fight, i, slot)] if has(fight.fighters[target], PRONE) else 0

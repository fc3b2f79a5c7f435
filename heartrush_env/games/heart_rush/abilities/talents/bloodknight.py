"""Bloodknight."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import memo, remember, version
from heartrush_env.games.heart_rush.rules.taking_damage import healing_ceiling

HEAL = figures("bloodknight", "heal")


@ability("bloodknight", rulings=["R-153"])
class Bloodknight:
    """The owner's first healing of a round is larger."""

    def heals(fight, i, slot, amount):
        fighter = fight.fighters[i]
        if amount <= 0 or fighter.hp >= healing_ceiling(fighter) or memo(fight, i, slot) == fight.round_number:
            return amount
        remember(fight, i, slot, fight.round_number)
        return amount + HEAL[version(fight, i, slot)]

"""Iron Constitution."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version

THRESHOLD = int(figures("iron_constitution", "threshold")[0])
REDUCTION = figures("iron_constitution", "reduction")
RANK_CUT = figures("iron_constitution", "wound_rank_cut")


@ability("iron_constitution", rulings=["R-104"])
class IronConstitution:
    """Small hits deal less damage to the owner; in the destiny version, its wounds have a lower rank.

    Effects on poison and disease are not played: no roll in a fight resists them, and fights have no grades of poison.
    """

    def reduces(fight, i, slot, striker, cause, damage):
        return damage - REDUCTION[version(fight, i, slot)] if damage < THRESHOLD else damage

    def wound_rank(fight, i, slot, rank):
        return rank - RANK_CUT[version(fight, i, slot)]

"""Master Grappler."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.held import wields_weapon
from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.terms import BREAK_FREE, GRAPPLE

ORDINARY = 1  # the level of an ordinary hold
FURTHER = figures("master_grappler", "restrained") - ORDINARY
ADVANTAGE = figures("master_grappler", "advantage")


@ability("master_grappler", rulings=["R-209"])
class MasterGrappler:
    """Unarmed, the owner restrains a held creature further, and has advantage to grapple and to break free."""

    def grips(fight, i, slot):
        return FURTHER[version(fight, i, slot)] if not wields_weapon(fight.fighters[i]) else 0

    def contest_of(fight, i, slot, roller, other, deed, tries):
        mine = roller == i and tries and (deed == GRAPPLE or deed == BREAK_FREE)
        return ADVANTAGE[version(fight, i, slot)] if mine and not wields_weapon(fight.fighters[i]) else 0

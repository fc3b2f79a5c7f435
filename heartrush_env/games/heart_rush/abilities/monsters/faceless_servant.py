"""The ability of the Faceless Servant: Vanish."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability


@ability("faceless_servant.vanish", rulings=["R-190"])
class Vanish:
    """Any damage puts the owner out of the fight for good, whatever its hit points."""

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        if victim == i and damage > 0:
            fighter = fight.fighters[i]
            fighter.hp = min(fighter.hp, -fighter.hp_max)

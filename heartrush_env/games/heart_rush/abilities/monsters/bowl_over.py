"""Bowl Over."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.stances import beats_target
from heartrush_env.games.heart_rush.rules.terms import MIGHT, PRONE


@ability("bowl_over")
class BowlOver:
    """The owner's attack in might knocks the target prone if might beats its stance, even without damage (R-6)."""

    def effect(fight, i, slot, log, target):
        if fight.fighters[i].stance == MIGHT and beats_target(fight, i, target):
            inflict(fight, i, target, PRONE, 1)

"""The ability of the Starving: Hunger."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure, term
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.saves import roll_save
from heartrush_env.games.heart_rush.rules.stances import beats_target
from heartrush_env.games.heart_rush.rules.terms import ABILITIES, WEAKENED

SAVE, AGAINST = term("the_starving.hunger", "save", ABILITIES), figure("the_starving.hunger", "against")
LEVELS = figure("the_starving.hunger", "weakened")


@ability("the_starving.hunger")
class Hunger:
    """A target whose stance the owner beats is weakened unless it saves with might."""

    def effect(fight, i, slot, log, target):
        if beats_target(fight, i, target) and not roll_save(fight, log, target, i, SAVE, AGAINST):
            inflict(fight, i, target, WEAKENED, LEVELS)

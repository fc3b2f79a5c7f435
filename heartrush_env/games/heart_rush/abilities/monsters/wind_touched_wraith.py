"""The ability of the Wind-Touched Wraith: Yearning Touch."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure, term
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.saves import saves
from heartrush_env.games.heart_rush.rules.stances import has_beaten
from heartrush_env.games.heart_rush.rules.terms import ABILITIES, SHAKEN

SAVE, AGAINST = (
    term("wind_touched_wraith.yearning_touch", "save", ABILITIES),
    figure("wind_touched_wraith.yearning_touch", "against"),
)
LEVELS = figure("wind_touched_wraith.yearning_touch", "shaken")


@ability("wind_touched_wraith.yearning_touch")
class YearningTouch:
    """A target whose stance the owner beats is shaken unless it saves with presence."""

    def effect(fight, i, slot, log, target):
        if has_beaten(fight, i, target) and not saves(fight, log, target, i, SAVE, AGAINST):
            inflict(fight, i, target, SHAKEN, LEVELS)

"""The ability of the Wind-Touched Wraith: Yearning Touch."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure, term
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.saves import roll_save
from heartrush_env.games.heart_rush.rules.stances import beats_target
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
        if beats_target(fight, i, target) and not roll_save(fight, log, target, i, SAVE, AGAINST):
            inflict(fight, i, target, SHAKEN, LEVELS)

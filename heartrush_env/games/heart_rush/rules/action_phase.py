"""The Action Phase: which fighters may act. The actions themselves are in actions/, and their costs in costs.py."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.conditions import is_senseless
from heartrush_env.games.heart_rush.rules.special_circumstances import is_surprised
from heartrush_env.games.heart_rush.rules.terms import STANDING
from heartrush_env.tabletop.rule import rule


@rule("Combat > The Action Phase", "R-2", "R-7")
def is_able(fight, i):
    """Return whether the fighter may act: it is standing and not surprised, stunned or incapacitated."""
    fighter = fight.fighters[i]
    return fighter.status == STANDING and not is_senseless(fighter) and not is_surprised(fight, i)

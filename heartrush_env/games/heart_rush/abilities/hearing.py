"""Allies that hear the call of an ability's owner."""

from __future__ import annotations

from typing import Any

from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import within
from heartrush_env.games.heart_rush.rules.terms import DEAFENED, MUTE, STANDING
from heartrush_env.tabletop.rule import compiled


@compiled
def hears(fight: Any, i: Any, j: Any, feet: Any) -> Any:
    """Return whether fighter j is another standing fighter of i's side that hears i's call, at most `feet` away."""
    fighter, other = fight.fighters[i], fight.fighters[j]
    if j == i or other.team != fighter.team or other.status != STANDING or has(fighter, MUTE) or has(other, DEAFENED):
        return False
    return within(fight, i, j, feet)

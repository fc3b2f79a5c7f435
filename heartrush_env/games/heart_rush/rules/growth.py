"""Monsters > Creatures of Several Parts: parts that grow back."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.conditions import lose
from heartrush_env.games.heart_rush.rules.terms import DEAD, DEFEATED, N_CONDITIONS, STANDING
from heartrush_env.games.heart_rush.state.events import GROW, tell
from heartrush_env.tabletop.rule import compiled, rule


@rule("Monsters > Creatures of Several Parts", "R-147")
def grow_parts(fight, log, i, count):
    """Regrow up to `count` parts of fighter i that are out of the fight; they come back whole."""
    for j in range(fight.n):
        part = fight.fighters[j]
        if count > 0 and part.body == i and (part.status == DEFEATED or part.status == DEAD):
            make_whole(part)
            tell(fight, log, GROW, j, i, 0, part.hp)
            count -= 1


@compiled
def make_whole(part):
    """Reset a regrown part: full hit points and heart die, no wounds, no rush points, no help and no conditions."""
    part.status = STANDING
    part.hp = part.hp_max
    part.heart = part.phase_heart = part.heart_max
    part.wounds = part.wound_count = 0
    part.rush = part.active_rounds = part.helped = 0
    part.armed = True
    for condition in range(N_CONDITIONS):
        lose(part, condition)

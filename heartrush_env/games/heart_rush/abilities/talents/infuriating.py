"""Infuriating."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import is_destined
from heartrush_env.games.heart_rush.rules.conditions import is_charmed_by
from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.games.heart_rush.rules.terms import AGGRAVATED, STANDING
from heartrush_env.games.heart_rush.rules.weapons import reaches
from heartrush_env.tabletop.rule import compiled

LEVELS = int(figures("infuriating", "min_levels")[1])


@ability("infuriating", rulings=["R-213"])
class Infuriating:
    """In the engagement, a creature that is aggravated at the owner may attack only the owner, if it can.

    In the destiny version, a creature with enough levels may attack no other even if it cannot attack the owner.
    """

    def bars(fight, i, slot, striker, target):
        if target == i or not is_aggravated_at(fight, i, striker):
            return False
        enough = is_destined(fight, i, slot) and fight.fighters[striker].levels[AGGRAVATED] >= LEVELS
        return enough or can_go_for(fight, striker, i)


@compiled
def is_aggravated_at(fight, i, other):
    """Return whether, in the engagement, a creature is aggravated at fighter i, which is still standing."""
    fighter = fight.fighters[other]
    if not fight.engaged or fight.fighters[i].status != STANDING:
        return False
    return fighter.levels[AGGRAVATED] > 0 and fighter.source[AGGRAVATED] == i


@compiled
def can_go_for(fight, striker, i):
    """Return whether a creature's stance and reach let it attack fighter i, and neither charm nor fading forbids it."""
    fighter, other = fight.fighters[striker], fight.fighters[i]
    if not MAY_ATTACK[fighter.stance, other.stance] or is_charmed_by(fighter, i):
        return False
    return not hooks.away(fight, i) and reaches(fight, striker, i)

"""Coordinated Efforts."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.abilities import note, notes, remember
from heartrush_env.games.heart_rush.rules.stances import ATTACKS
from heartrush_env.games.heart_rush.rules.terms import NO_STANCE, STANDING
from heartrush_env.tabletop.rule import compiled

FACTOR = figure("coordinated_efforts", "factor")


@ability(
    "coordinated_efforts", rulings=["R-229"],
    left_out="a second sidestep in agility stance, and a further throw of the might bonus",
)  # fmt: skip
class CoordinatedEfforts:
    """If the owner and all its allies have chosen one stance, allies that hit have the benefit of the stance twice.

    The memo is the set of the fighters that have hit in this engagement.
    """

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)

    def engagement_ends(fight, i, slot):
        remember(fight, i, slot, 0)

    def attacked(fight, i, slot, striker, target, cause, damage):
        if damage > 0 and fight.engaged:
            note(fight, i, slot, striker, True)

    def rider(fight, i, slot, striker, dealt):
        return dealt * FACTOR if doubles(fight, i, slot, striker) else dealt

    def might_bonus(fight, i, slot, striker, target):
        return FACTOR - 1 if doubles(fight, i, slot, striker) else 0


@compiled
def doubles(fight, i, slot, striker):
    """Return whether the striker is an ally of fighter i that has hit, and their side has chosen one stance."""
    owner = fight.fighters[i]
    if striker == i or fight.fighters[striker].team != owner.team or not notes(fight, i, slot, striker):
        return False
    if owner.status != STANDING or not ATTACKS[owner.stance]:
        return False
    for j in range(fight.n):
        other = fight.fighters[j]
        if other.team == owner.team and other.stance != NO_STANCE and other.stance != owner.stance:
            return False
    return True

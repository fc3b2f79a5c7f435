"""An ability of the Bandit Captain: Riposte."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.abilities import note, notes
from heartrush_env.games.heart_rush.rules.terms import ATTACK, MOST_FIGHTERS

ADVANTAGE = figure("bandit_captain.riposte", "advantage")


@ability("bandit_captain.riposte", rulings=["R-143"])
class Riposte:
    """After an attack that deals the owner no damage, the owner's next attack on the attacker has advantage.

    The memo is the set of these attackers and, in higher bits, the set of attackers whose phase is not over.
    """

    def attacked(fight, i, slot, striker, target, cause, damage):
        if target == i and damage == 0:
            note(fight, i, slot, striker + MOST_FIGHTERS, True)

    def struck(fight, i, slot, log, striker):
        if notes(fight, i, slot, striker + MOST_FIGHTERS):
            note(fight, i, slot, striker + MOST_FIGHTERS, False)
            note(fight, i, slot, striker, True)

    def attack(fight, i, slot, target, stance):
        return ADVANTAGE if notes(fight, i, slot, target) else 0

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK:
            note(fight, i, slot, other, False)

"""Imperial Defenses."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.aggravated import levels_toward
from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import is_destined, note, notes, version
from heartrush_env.games.heart_rush.rules.conditions import inflict_from
from heartrush_env.games.heart_rush.rules.terms import AGGRAVATED, BY_ATTACK, MOST_FIGHTERS, NOBODY, STANDING

LEVELS = figures("imperial_defenses", "aggravated")
ADVANTAGE = figures("imperial_defenses", "advantage")
WOUNDED_BY = MOST_FIGHTERS  # the first bit of the memo for attackers that have wounded the owner


@ability("imperial_defenses", rulings=["R-181"])
class ImperialDefenses:
    """An attacker that does not wound the owner is aggravated; the owner's defenses against it have advantage.

    In the destiny version, an attacker that deals no damage is aggravated more.
    """

    def attacked(fight, i, slot, striker, target, cause, damage):
        """Forget what earlier attacks of this striker have dealt."""
        if target == i:
            note(fight, i, slot, striker, False)
            note(fight, i, slot, WOUNDED_BY + striker, False)

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        if victim == i and cause in BY_ATTACK and damage > 0:
            note(fight, i, slot, striker, True)

    def wounded(fight, i, slot, log, victim, striker, rank):
        if victim == i and striker != NOBODY:
            note(fight, i, slot, WOUNDED_BY + striker, True)

    def struck(fight, i, slot, log, striker):
        if fight.fighters[i].status != STANDING or fight.fighters[striker].status != STANDING:
            return
        if is_destined(fight, i, slot) and not notes(fight, i, slot, striker):
            inflict_from(fight, i, striker, AGGRAVATED, LEVELS[1])
        elif not notes(fight, i, slot, WOUNDED_BY + striker):
            inflict_from(fight, i, striker, AGGRAVATED, LEVELS[0])

    def defense(fight, i, slot, striker, stance):
        return ADVANTAGE[version(fight, i, slot)] if levels_toward(fight, i, striker) > 0 else 0

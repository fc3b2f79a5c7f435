"""Beast Combat."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.companions import IN_ENGAGEMENTS
from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.abilities import ANIMAL, note, notes, show_ability
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS


@ability(
    "beast_combat", rulings=["R-274", "R-277"], left_out="the power of its own that a second pick gives the animal"
)
class BeastCombat:
    """The owner's animals may attack in engagements, and each of them helps once a round for free.

    The sets of the memo are the animals, and those that have helped for free in this round.
    """

    def improves(fight, i, slot, what, amount):
        return max(amount, np.int64(IN_ENGAGEMENTS)) if what >= ANIMAL else amount

    def round_starts(fight, i, slot, log):
        for j in range(fight.n):
            note(fight, i, slot, MOST_FIGHTERS + j, False)

    def spares_action(fight, i, slot, mover, helps, pays):
        if not helps or not notes(fight, i, slot, mover) or notes(fight, i, slot, MOST_FIGHTERS + mover):
            return False
        if pays:
            note(fight, i, slot, MOST_FIGHTERS + mover, True)
            show_ability(fight, i, slot)
        return True

"""Beast Bond."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.companions import ANY_ATTACKS, companion_in, with_companion
from heartrush_env.games.heart_rush.abilities.unit import ability, later, options
from heartrush_env.games.heart_rush.rules.abilities import ANIMAL, ON_ACTION, Aim, memo, notes, open_pick, remember
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.conditions import gain, lose
from heartrush_env.games.heart_rush.rules.costs import spend_action
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.stances import has_action_left
from heartrush_env.games.heart_rush.rules.terms import INCAPACITATED, NOBODY, PRONE, STANDING
from heartrush_env.tabletop.rule import compiled


@ability(
    "beast_bond", on=[], destined_on=[ON_ACTION], aim=Aim.ALLY, rulings=["R-278", "R-279"],
    picks=[later(options("end the bond with the animal's action"), optional=True)],
    left_out="thoughts and senses that the two share, and the fighter's own talents in the animal",
)  # fmt: skip
class BeastBond:
    """In the destiny version, the owner acts as its animal, which may then make any attack; its body lies helpless.

    An action of the animal ends this. The memo names the animal; its set are all animals of the owner.
    """

    def may(fight, i, slot, target):
        return notes(fight, i, slot, target) and fight.fighters[i].climbing == NOBODY

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, with_companion(memo(fight, i, slot), target))
        gain(fight.fighters[i], PRONE, 1)
        gain(fight.fighters[i], INCAPACITATED, 1)

    def round_starts(fight, i, slot, log):
        animal = companion_in(fight, i, slot)
        if animal == NOBODY:
            return
        together = fight.fighters[animal].status == STANDING and fight.fighters[i].status == STANDING
        if not together or not has(fight.fighters[i], INCAPACITATED):
            wake_up(fight, i, slot)
        else:
            open_pick(fight, i, i, slot, 0)

    def may_pick(fight, i, slot, who, part, picked):
        animal = companion_in(fight, i, slot)
        return animal != NOBODY and is_able(fight, animal) and has_action_left(fight.fighters[animal])

    def picked(fight, log, i, slot, who, part, picked):
        spend_action(fight.fighters[companion_in(fight, i, slot)])
        wake_up(fight, i, slot)

    def improves(fight, i, slot, what, amount):
        animal = companion_in(fight, i, slot)
        return np.int64(ANY_ATTACKS) if animal != NOBODY and what == ANIMAL + animal else amount


@compiled
def wake_up(fight, i, slot):
    """Bring fighter i back into its body, which stays prone."""
    remember(fight, i, slot, with_companion(memo(fight, i, slot), NOBODY))
    lose(fight.fighters[i], INCAPACITATED)

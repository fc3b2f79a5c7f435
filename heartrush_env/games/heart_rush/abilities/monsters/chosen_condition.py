"""Abilities of the Hex Priest and the Controller: Hex, Unsettle."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figure, later, options
from heartrush_env.games.heart_rush.rules.abilities import note, notes, open_pick, remember
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.cunning import IMPAIRING, worst_for
from heartrush_env.games.heart_rush.rules.stances import beats_target
from heartrush_env.games.heart_rush.rules.terms import STANDING
from heartrush_env.tabletop.rule import compiled

HEX, UNSETTLE = figure("hex_priest.hex", "levels"), figure("controller.unsettle", "levels")
WHICH = later(options("dazed", "off-balanced", "weakened"))


@ability("hex_priest.hex", rulings=["R-185"], picks=[WHICH])
class Hex:
    """A target whose stance the owner beats is dazed, off-balanced or weakened, as the owner chooses after the phase.

    The memo is the set of these targets.
    """

    def effect(fight, i, slot, log, target):
        note_beaten(fight, i, slot, target)

    def auto(fight, i, slot, who, part):
        return most_harmful(fight, i, slot)

    def picked(fight, log, i, slot, who, part, picked):
        impair(fight, i, slot, picked, HEX)


@ability("controller.unsettle", rulings=["R-185"], picks=[WHICH])
class Unsettle:
    """A target whose stance the owner beats has levels of a condition that the owner chooses after the phase.

    The condition is dazed, off-balanced or weakened. The memo is the set of these targets.
    """

    def effect(fight, i, slot, log, target):
        note_beaten(fight, i, slot, target)

    def auto(fight, i, slot, who, part):
        return most_harmful(fight, i, slot)

    def picked(fight, log, i, slot, who, part, picked):
        impair(fight, i, slot, picked, UNSETTLE)


@compiled
def note_beaten(fight, i, slot, target):
    """Remember a target whose stance the owner has beaten, and ask the owner for the condition."""
    if beats_target(fight, i, target):
        note(fight, i, slot, target, True)
        open_pick(fight, i, i, slot, 0)


@compiled
def most_harmful(fight, i, slot):
    """Return the option that impairs the largest die of the first target; of equal dice, might's, then agility's."""
    for j in range(fight.n):
        if notes(fight, i, slot, j):
            worst = worst_for(fight.fighters[j])
            for option in range(len(IMPAIRING)):
                if IMPAIRING[option] == worst:
                    return np.int64(option)
    return np.int64(0)


@compiled
def impair(fight, i, slot, option, levels):
    """Give the chosen condition to all targets that still stand, and forget them."""
    for j in range(fight.n):
        if notes(fight, i, slot, j) and fight.fighters[j].status == STANDING:
            inflict(fight, i, j, IMPAIRING[option], levels)
    remember(fight, i, slot, 0)

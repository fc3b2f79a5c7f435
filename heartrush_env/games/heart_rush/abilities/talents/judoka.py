"""Judoka."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.held import wields_weapon
from heartrush_env.games.heart_rush.abilities.talents.predator import may_appear, place_beside
from heartrush_env.games.heart_rush.abilities.unit import DIRECTION, ability, dice
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, answer, is_destined
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.hits import add_late_hit
from heartrush_env.games.heart_rush.rules.maneuvers.climb_on import end_contacts_out_of_reach
from heartrush_env.games.heart_rush.rules.movement import DIRECTIONS, is_carried_by
from heartrush_env.games.heart_rush.rules.parts import bearer_of
from heartrush_env.games.heart_rush.rules.places import bring
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import on_map, plays_on_map
from heartrush_env.games.heart_rush.rules.terms import FROM_ABILITY, NOBODY, PRONE
from heartrush_env.games.heart_rush.state.events import BY_DRAGGING
from heartrush_env.tabletop.rng import roll_sum
from heartrush_env.tabletop.rule import compiled

DAMAGE = dice("judoka", "damage")[0]


@ability("judoka", on=[ON_ACTION], per_round=(1, 1), rulings=["R-209", "R-253"], picks=[DIRECTION])
class Judoka:
    """Unarmed, the owner throws the creature that it holds down beside it, and both are prone.

    The creature takes damage and stays held. In the destiny version, a prone creature that the owner holds unarmed
    suffocates.
    """

    def may(fight, i, slot, target):
        return is_wrestling(fight, i) and may_throw_anywhere(fight, i)

    def asks(fight, i, slot, target, part):
        return plays_on_map(fight)

    def may_pick(fight, i, slot, target, part, picked):
        return may_throw(fight, i, picked)

    def do(fight, log, i, slot, target):
        held = np.int64(fight.fighters[i].grappling)
        throw_down(fight, log, i, held, answer(fight, i, 0))
        inflict(fight, i, i, PRONE, 1)
        inflict(fight, i, held, PRONE, 1)
        add_late_hit(fight, held, i, FROM_ABILITY, roll_sum(fight, DAMAGE[0], DAMAGE[1]))

    def chokes(fight, i, slot, victim):
        presses = is_wrestling(fight, i) and fight.fighters[i].grappling == victim
        return presses and is_destined(fight, i, slot) and has(fight.fighters[victim], PRONE)


@compiled
def is_wrestling(fight, i):
    """Return whether the owner holds a creature and no weapon."""
    fighter = fight.fighters[i]
    return fighter.grappling != NOBODY and not wields_weapon(fighter)


@on_map(True)
@compiled
def may_throw_anywhere(fight, i):
    """Return whether there is an open place beside the owner for the creature that it holds."""
    for direction in range(DIRECTIONS):
        if may_throw(fight, i, direction):
            return True
    return False


@on_map(False)
@compiled
def may_throw(fight, i, direction):
    """Return whether the creature that the owner holds may be thrown to the place beside it in this direction."""
    held = np.int64(fight.fighters[i].grappling)
    if bearer_of(fight, held) != NOBODY or is_carried_by(fight, i, held):
        return False
    return may_appear(fight, held, i, direction)


@on_map(None)
@compiled
def throw_down(fight, log, i, held, direction):
    """Move the creature that the owner holds to the place beside the owner in this direction."""
    x, y = place_beside(fight, held, i, direction)
    bring(fight, log, held, i, x, y, BY_DRAGGING)
    end_contacts_out_of_reach(fight)

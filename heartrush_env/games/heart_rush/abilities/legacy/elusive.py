"""Elusive."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import DIRECTION, ability, later
from heartrush_env.games.heart_rush.rules.abilities import ON_LANDED, memo_for, open_pick, remember_now
from heartrush_env.games.heart_rush.rules.actions.sidestep import step_out_of_turn, steps_out_of_turn
from heartrush_env.tabletop.rule import compiled

STEPPED = 1  # the memo in the round of a use


@ability("elusive", on=[ON_LANDED], needs="cells", rulings=["R-207"], picks=[later(DIRECTION)])
class Elusive:
    """Right after damage in the engagement, the owner sidesteps, and attacks no more this round."""

    def may(fight, i, slot, target):
        return fight.engaged and was_just_hurt(fight, i) and steps_out_of_turn(fight, i) != 0

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, STEPPED)
        open_pick(fight, i, i, slot, 0)

    def may_pick(fight, i, slot, who, part, picked):
        return steps_out_of_turn(fight, who) >> picked & 1 == 1

    def picked(fight, log, i, slot, who, part, picked):
        step_out_of_turn(fight, log, who, picked)

    def refrains(fight, i, slot):
        return memo_for(fight, i, slot, 1) == STEPPED


@compiled
def was_just_hurt(fight, i):
    """Return whether one of the hits that have just landed has damaged fighter i."""
    for k in range(fight.hit_count):
        hit = fight.hits[k]
        if hit.target == i and hit.number == fight.hit_number - 1 and hit.amount > 0:
            return True
    return False

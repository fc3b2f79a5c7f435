"""Fall Back, an ability of creatures that attack and withdraw."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import DIRECTION, ability, later
from heartrush_env.games.heart_rush.rules.abilities import open_pick
from heartrush_env.games.heart_rush.rules.actions.sidestep import step_out_of_turn, steps_out_of_turn
from heartrush_env.games.heart_rush.rules.terms import STANDING


@ability("fall_back", rulings=["R-171"], needs="cells", picks=[later(DIRECTION, optional=True)])
class FallBack:
    """After its attacks of a phase or outside the engagement, the owner may sidestep at no cost."""

    def has_struck(fight, i, slot, log, striker):
        if striker == i and fight.fighters[i].status == STANDING:
            open_pick(fight, i, i, slot, 0)

    def may_pick(fight, i, slot, who, part, picked):
        return steps_out_of_turn(fight, who) >> picked & 1 == 1

    def picked(fight, log, i, slot, who, part, picked):
        step_out_of_turn(fight, log, who, picked)

"""Dance of One Thousand Strikes."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import DIRECTION, ability, later
from heartrush_env.games.heart_rush.rules.abilities import memo, open_pick, remember
from heartrush_env.games.heart_rush.rules.actions.sidestep import step_out_of_turn, steps_out_of_turn
from heartrush_env.games.heart_rush.rules.terms import STANDING


@ability(
    "dance_of_one_thousand_strikes", needs="cells", rulings=["R-208"], picks=[later(DIRECTION, optional=True)],
    left_out="its reach from the squares that it has left",
)  # fmt: skip
class DanceOfOneThousandStrikes:
    """For each of its attacks, the owner may sidestep at no cost when the attacks of a phase or an opening are over.

    The memo is the number of attacks for which it has yet to be asked.
    """

    def attacked(fight, i, slot, striker, target, cause, damage):
        if striker == i:
            remember(fight, i, slot, memo(fight, i, slot) + 1)

    def has_struck(fight, i, slot, log, striker):
        if striker == i and fight.fighters[i].status == STANDING and memo(fight, i, slot) > 0:
            open_pick(fight, i, i, slot, 0)

    def may_pick(fight, i, slot, who, part, picked):
        return steps_out_of_turn(fight, who) >> picked & 1 == 1

    def picked(fight, log, i, slot, who, part, picked):
        remember(fight, i, slot, memo(fight, i, slot) - 1)
        step_out_of_turn(fight, log, who, picked)
        if memo(fight, i, slot) > 0:
            open_pick(fight, i, i, slot, 0)

    def revealed(fight, i, slot, log):
        remember(fight, i, slot, 0)

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)

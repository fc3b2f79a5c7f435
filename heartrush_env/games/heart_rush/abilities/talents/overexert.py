"""Overexert."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, memo, remember, version
from heartrush_env.games.heart_rush.rules.hits import take_out
from heartrush_env.games.heart_rush.rules.taking_damage import SMALLEST_HEART_DIE, one_size_smaller
from heartrush_env.games.heart_rush.rules.terms import NOBODY, STANDING, UNCONSCIOUS
from heartrush_env.games.heart_rush.state.events import RUSH_EVENT, tell

RUSH = figures("overexert", "rush")
STEPS = figures("overexert", "heart_steps")


@ability("overexert", on=[ON_ACTION], per_round=(1, 1), rulings=["R-111"])
class Overexert:
    """The owner gains rush points, and its heart die drops when the round ends.

    If the heart die cannot drop that far, the owner passes out.
    """

    def do(fight, log, i, slot, target):
        fighter = fight.fighters[i]
        fighter.rush += RUSH[version(fight, i, slot)]
        tell(fight, log, RUSH_EVENT, i, NOBODY, 0, fighter.rush)
        remember(fight, i, slot, 1)

    def round_ends(fight, i, slot, log):
        fighter = fight.fighters[i]
        if fighter.status != STANDING:
            return
        steps = STEPS[version(fight, i, slot)] * memo(fight, i, slot)
        remember(fight, i, slot, 0)
        while steps > 0 and fighter.heart > SMALLEST_HEART_DIE:
            fighter.heart = one_size_smaller(fighter.heart)
            steps -= 1
        if steps > 0:
            take_out(fight, log, i, UNCONSCIOUS)

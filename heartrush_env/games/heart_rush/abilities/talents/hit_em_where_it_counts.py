"""Hit 'Em Where It Counts."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_ACTION,
    ON_PHASE,
    memo_for,
    remember,
    remember_now,
    version,
)
from heartrush_env.games.heart_rush.rules.actions.attack import attacks_next
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus
from heartrush_env.games.heart_rush.rules.terms import ATTACK, LEVEL_CAP

BONUS = figures("hit_em_where_it_counts", "bonus_per_level")
MORE = figures("hit_em_where_it_counts", "extra_advantage")


@ability("hit_em_where_it_counts", on=[ON_ACTION, ON_PHASE], rulings=["R-121", "R-156", "R-127"])
class HitEmWhereItCounts:
    """The owner may trade an attack's levels of advantage for a bonus.

    In the destiny version, attacks with advantage get further levels.
    """

    def may(fight, i, slot, target):
        return memo_for(fight, i, slot, 1) < LEVEL_CAP and attacks_next(fight, i)

    def do(fight, log, i, slot, target):
        """Trade one more level of advantage of the owner's next attack."""
        remember_now(fight, i, slot, memo_for(fight, i, slot, 1) + 1)

    def balance(fight, i, slot, target, net):
        if net <= 0:
            return net
        levels = net + MORE[version(fight, i, slot)]
        traded = min(levels, memo_for(fight, i, slot, 1))
        add_ability_bonus(fight.pool, traded * BONUS[version(fight, i, slot)])
        return levels - traded

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK:
            remember(fight, i, slot, 0)

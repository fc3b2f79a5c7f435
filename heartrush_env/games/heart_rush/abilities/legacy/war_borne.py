"""War Borne."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import CREATURE, ability, figure, later
from heartrush_env.games.heart_rush.engine.opportunities import strike_by_ability
from heartrush_env.games.heart_rush.rules.abilities import memo_for, open_pick, remember_now
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.opportunity_attacks import may_pay_any_strike
from heartrush_env.games.heart_rush.rules.space import standing_beside
from heartrush_env.games.heart_rush.rules.stances import may_target

ENEMIES = figure("war_borne", "min_enemies")
SURROUNDED = 1  # the memo of a round that begins so


@ability("war_borne", rulings=["R-115", "R-211"], picks=[later(CREATURE, optional=True)])
class WarBorne:
    """If a round begins and ends beside three enemies, the owner may make an opportunity attack at its end."""

    def round_starts(fight, i, slot, log):
        if standing_beside(fight, i, False) >= ENEMIES:
            remember_now(fight, i, slot, SURROUNDED)

    def round_ends(fight, i, slot, log):
        ready = memo_for(fight, i, slot, 1) == SURROUNDED and standing_beside(fight, i, False) >= ENEMIES
        if ready and is_able(fight, i) and may_pay_any_strike(fight.fighters[i]):
            open_pick(fight, i, i, slot, 0)

    def may_pick(fight, i, slot, who, part, picked):
        return may_target(fight, i, picked)

    def picked(fight, log, i, slot, who, part, picked):
        if may_pay_any_strike(fight.fighters[i]):
            strike_by_ability(fight, log, i, picked)

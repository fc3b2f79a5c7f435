"""Several Attacks."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.engine.strikes import add_extra, makes_attack, share_extra
from heartrush_env.games.heart_rush.rules.terms import ATTACK

ATTACKS = figure("several_attacks", "attacks")


@ability("several_attacks", rulings=["R-137"])
class SeveralAttacks:
    """The owner's attack is followed by another attack on the same target, with a roll of its own."""

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK and makes_attack(fight, i) and not share_extra(fight, i, other):
            for _ in range(ATTACKS - 1):
                add_extra(fight, i, other, False)

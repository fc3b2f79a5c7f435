"""Reckless Attack."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figures
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, ON_ENGAGEMENT, memo, remember, version
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice

DICE = dice("reckless_attack", "attack_dice")
ADVANTAGE = int(figures("reckless_attack", "foe_advantage")[0])


@ability("reckless_attack", on=[ON_ACTION, ON_ENGAGEMENT], per_round=(1, 1), rulings=["R-109"])
class RecklessAttack:
    """For the rest of the round, the owner's attacks have an extra die, and attacks on the owner have advantage."""

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, 1)

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)

    def attack(fight, i, slot, target, stance):
        if memo(fight, i, slot) == 1:
            own = DICE[version(fight, i, slot)]
            add_bonus_dice(fight.pool, own[0], own[1])
        return 0

    def attack_of(fight, i, slot, striker, target, stance):
        return ADVANTAGE if target == i and memo(fight, i, slot) == 1 else 0

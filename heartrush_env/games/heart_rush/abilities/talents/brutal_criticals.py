"""Brutal Criticals."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.engine.strikes import attack_of, has_rolled_attack, tell_totals
from heartrush_env.games.heart_rush.rules.abilities import ON_ROLLS
from heartrush_env.games.heart_rush.rules.dice import kept_dice, sides_of
from heartrush_env.tabletop.rule import compiled

SMALLEST = int(figures("brutal_criticals", "min_die")[0])


@ability("brutal_criticals", on=ON_ROLLS, rulings=["R-95"])
class BrutalCriticals:
    """Two dice of d6 or larger count twice if both show their maximum in an attack roll."""

    def may(fight, i, slot, target):
        """Return whether the owner has made an attack roll with two dice that may count twice."""
        return has_rolled_attack(fight, i) and doubled(attack_of(fight, i)) > 0

    def do(fight, log, i, slot, target):
        attack_of(fight, i).total += doubled(attack_of(fight, i))
        tell_totals(fight, log)


@compiled
def doubled(roll):
    """Return the gain from doubling: the sum of the two largest dice at their maximum, or 0 without two of them."""
    first, second, kept = 0, 0, kept_dice(roll)
    for k in range(roll.count):
        sides = sides_of(roll, k)
        if kept >> k & 1 and sides >= SMALLEST and roll.results[k] == sides:
            first, second = (sides, first) if sides > first else (first, max(second, sides))
    return first + second if second > 0 else 0

"""Haphazard."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.dice import count_again

VALUE = figures("haphazard", "value")


@ability("haphazard", rulings=["R-114"])
class Haphazard:
    """A die of the owner's attack or defense roll that shows 1 counts for more, before any dice are dropped."""

    def rolled(fight, i, slot, kind, other, roll):
        ones = 0
        for k in range(roll.count):
            if roll.results[k] == 1:
                roll.results[k] = VALUE[version(fight, i, slot)]
                ones += 1
        if ones > 0:
            count_again(roll)

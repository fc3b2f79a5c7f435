"""Companions: fighters that obey the owner of Beast Companion, and what its talents remember of them.

Each pick of the talent is for one companion; the other talents are for all companions of their owner. All of them
remember up to two sets of fighters in the lower bits of their memo, and some of them one fighter in its highest bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import ANIMAL, fighter_named, memo
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS
from heartrush_env.games.heart_rush.scenario.companions import TALENT
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.tabletop.rule import compiled

OF_ALL = ("beast_combat", "beast_bond")  # the talents that remember the set of all companions
SETS = 2  # sets of fighters in a memo, below the one fighter
NO_ATTACKS, IN_ENGAGEMENTS, ANY_ATTACKS = range(3)  # the attacks that a companion may make


def first_memos(i: int, scenario: Scenario) -> list[int]:
    """Return what each ability of fighter i remembers as the fight begins."""
    owner = scenario.fighters[i]
    found = [j for j, sheet in enumerate(scenario.fighters) if sheet.companion_of == owner.agent]
    everyone, left = sum(1 << j for j in found), iter(found)
    memos = []
    for owned in owner.abilities:
        named = 1 + next(left, -1) if owned.name == TALENT else 0
        memos.append(named << SETS * MOST_FIGHTERS | everyone * (owned.name in OF_ALL))
    return memos


@compiled
def companion_in(fight: Any, i: Any, slot: Any) -> Any:
    """Return the one companion that the ability in this slot remembers, or NOBODY."""
    return fighter_named(fight, memo(fight, i, slot) >> SETS * MOST_FIGHTERS)


@compiled
def with_companion(number: Any, companion: Any) -> Any:
    """Return a memo with this one companion, which may be NOBODY, in place of the one that it had."""
    sets = np.int64(number) & (np.int64(1) << SETS * MOST_FIGHTERS) - 1
    return np.int64(1 + companion) << SETS * MOST_FIGHTERS | sets


@compiled
def attacks_allowed(fight: Any, i: Any, companion: Any) -> Any:
    """Return which attacks fighter i's companion may make."""
    return hooks.improves(fight, i, ANIMAL + companion, np.int64(NO_ATTACKS))

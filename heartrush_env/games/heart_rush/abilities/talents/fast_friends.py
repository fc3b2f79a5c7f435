"""Fast Friends."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import CREATURE, ability, figures, options
from heartrush_env.games.heart_rush.rules.abilities import (
    MINUTE,
    ON_ACTION,
    Aim,
    answer,
    is_destined,
    memo,
    remember,
    version,
)
from heartrush_env.games.heart_rush.rules.cover import is_within
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS, STANDING
from heartrush_env.tabletop.rule import compiled

LEVELS = figures("fast_friends", "disadvantage")
RANGE = int(figures("fast_friends", "range_ft")[0])
LASTS = int(figures("fast_friends", "minutes")[0]) * MINUTE  # rounds
BOTH, FIRST, SECOND = range(3)  # who suffers
PAIR = 3 * MOST_FIGHTERS * MOST_FIGHTERS  # numbers for two fighters and for who suffers
ROUNDS = 128  # the round is kept modulo this number
SPELL = ROUNDS * PAIR
SPELLS = 3  # most spells that a memo holds


@ability(
    "fast_friends", on=[ON_ACTION], aim=Aim.ENEMY, rulings=["R-167"],
    picks=[CREATURE, options("the first suffers", "the second suffers")],
)  # fmt: skip
class FastFriends:
    """An enemy and another creature have disadvantage on attacks against each other.

    In the destiny version, only the creature that the owner picks has disadvantage.

    The owner's memo encodes the three latest uses, the newest first. For each use it holds the round, who has
    disadvantage, and the two creatures.
    """

    def may(fight, i, slot, target):
        return is_within(fight, i, target, RANGE) and has_second(fight, i, target)

    def asks(fight, i, slot, target, part):
        return part == 0 or is_destined(fight, i, slot)

    def may_pick(fight, i, slot, target, part, picked):
        return part == 1 or (picked != target and is_within(fight, i, picked, RANGE))

    def do(fight, log, i, slot, target):
        suffers = np.int64(BOTH)
        if is_destined(fight, i, slot):
            suffers = FIRST + answer(fight, i, 1)
        when = np.int64(fight.round_number) % ROUNDS
        pair = np.int64(target) * MOST_FIGHTERS + answer(fight, i, 0)
        spell = when * PAIR + suffers * MOST_FIGHTERS * MOST_FIGHTERS + pair
        remember(fight, i, slot, memo(fight, i, slot) % SPELL ** (SPELLS - 1) * SPELL + spell)

    def round_starts(fight, i, slot, log):
        """End the spells that have lasted their full time, which are always the oldest ones."""
        spells, kept, place = memo(fight, i, slot), np.int64(0), np.int64(1)
        while spells > 0 and (fight.round_number - spells % SPELL // PAIR) % ROUNDS < LASTS:
            kept += spells % SPELL * place
            place *= SPELL
            spells //= SPELL
        remember(fight, i, slot, kept)

    def attack_of(fight, i, slot, striker, target, stance):
        spells = memo(fight, i, slot)
        while spells > 0:
            if binds(spells % SPELL, striker, target):
                return -LEVELS[version(fight, i, slot)]
            spells //= SPELL
        return 0


@compiled
def has_second(fight, i, first):
    """Return whether there is a second creature in range of fighter i."""
    for j in range(fight.n):
        if j != i and j != first and fight.fighters[j].status == STANDING and is_within(fight, i, j, RANGE):
            return True
    return False


@compiled
def binds(spell, striker, target):
    """Return whether a spell gives the striker disadvantage against the target."""
    suffers = spell // (MOST_FIGHTERS * MOST_FIGHTERS) % 3
    first, second = spell // MOST_FIGHTERS % MOST_FIGHTERS, spell % MOST_FIGHTERS
    if first == striker and second == target:
        return suffers != SECOND
    return second == striker and first == target and suffers != FIRST

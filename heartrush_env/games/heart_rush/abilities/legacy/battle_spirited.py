"""Battle Spirited."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figure, numbers, options
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import (
    EFFECTS,
    FREE_SPIRIT,
    MOST_OPTIONS,
    ON_ACTION,
    answer,
    memo,
    remember,
)
from heartrush_env.games.heart_rush.rules.costs import spend_points
from heartrush_env.games.heart_rush.rules.cover import is_ally_within
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus
from heartrush_env.games.heart_rush.rules.healing import heal
from heartrush_env.games.heart_rush.rules.sheet import bit
from heartrush_env.games.heart_rush.rules.terms import FEET, MOST_FIGHTERS
from heartrush_env.tabletop.rule import compiled

RADIUS = figure("battle_spirited", "radius_ft")
HEALS = figure("battle_spirited", "heal_per_x")
SQUARES = figure("battle_spirited", "speed_per_x_ft") // FEET
KINDS = ("healing", "defense", "attack", "speed")
HEALING, DEFENSE, ATTACK, SPEED = range(4)
SETS = 2 ** len(KINDS)
WORDS = tuple(
    "once more: " + (", ".join(KINDS[k] for k in range(len(KINDS)) if subset >> k & 1) or "none")
    for subset in range(SETS)
)
MOST = 1 << 8  # more than any number of points or effects


@ability(
    "battle_spirited",
    on=[ON_ACTION],
    picks=[numbers(), options(*WORDS)],
    rulings=["R-195", "R-199"],
)
class BattleSpirited:
    """For rush points, the owner and its allies within range heal each round, defend and attack better and are faster.

    Each point brings one of these effects, and each effect is as strong as the number of points. The memo encodes the
    fighters, the effects that come one more time than the others, how often the others come, and the points.
    """

    def may(fight, i, slot, target):
        return fight.fighters[i].rush > 0

    def may_pick(fight, i, slot, target, part, picked):
        if part == 0:
            return 0 < picked <= fight.fighters[i].rush
        return spreads_evenly(fight, i, answer(fight, i, 0), picked)

    def auto(fight, i, slot, target, part):
        return min(np.int64(fight.fighters[i].rush), MOST_OPTIONS - 1) if part == 0 else np.int64(-1)

    def do(fight, log, i, slot, target):
        points = answer(fight, i, 0)
        spend_points(fight, log, i, points)
        spread_effects(fight, i, slot, points, answer(fight, i, 1))

    def improves(fight, i, slot, what, amount):
        """Return the slot if the free use is asked for and this ability has not been used yet."""
        return np.int64(slot) if what == FREE_SPIRIT and fight.fighters[i].uses[slot] == 0 else amount

    def round_starts(fight, i, slot, log):
        heal_friends(fight, log, i, slot)

    def attack_of(fight, i, slot, striker, target, stance):
        if memo(fight, i, slot) >> striker & 1:
            add_ability_bonus(fight.pool, strength(fight, i, slot, ATTACK))
        return 0

    def defense_of(fight, i, slot, defender, striker, stance):
        if memo(fight, i, slot) >> defender & 1:
            add_ability_bonus(fight.pool, strength(fight, i, slot, DEFENSE))
        return 0

    def speed_of(fight, i, slot, mover, holding, squares):
        faster = not holding and memo(fight, i, slot) >> mover & 1 == 1
        return squares + SQUARES * strength(fight, i, slot, SPEED) if faster else squares


@compiled
def spread_effects(fight, i, slot, points, once_more):
    """Give the owner and its allies within range the effects of this many points, some of them once more."""
    friends = bit(i)
    for other in range(fight.n):
        if is_ally_within(fight, i, other, RADIUS):
            friends |= bit(other)
    often = effects(fight, i, points) // len(KINDS)
    spread = (points * MOST + often) * SETS + once_more
    remember(fight, i, slot, spread << MOST_FIGHTERS | friends)


@compiled
def heal_friends(fight, log, i, slot):
    """Heal all fighters that the effects favor."""
    amount = HEALS * strength(fight, i, slot, HEALING)
    if amount > 0:
        for other in range(fight.n):
            if memo(fight, i, slot) >> other & 1:
                heal(fight, log, other, i, amount)


@compiled
def spreads_evenly(fight, i, points, once_more):
    """Return whether as many effects come once more as this many points do not spread over all kinds."""
    return size_of(once_more) == effects(fight, i, points) % len(KINDS)


@compiled
def effects(fight, i, points):
    """Return the number of effects that this many rush points bring fighter i."""
    return points * np.int64(hooks.improves(fight, i, EFFECTS, np.int64(1)))


@compiled
def size_of(subset):
    """Return the number of effects in a set."""
    size = 0
    for k in range(len(KINDS)):
        size += subset >> k & 1
    return size


@compiled
def strength(fight, i, slot, kind):
    """Return how strong an effect of this kind is: the points, as often as it comes."""
    spread = memo(fight, i, slot) >> MOST_FIGHTERS
    once_more = spread >> kind & 1
    return spread // SETS // MOST * (spread // SETS % MOST + once_more)

"""Undying Fury."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.legacy.battle_spirited import (
    WORDS,
    heal_friends,
    spread_effects,
    spreads_evenly,
)
from heartrush_env.games.heart_rush.abilities.unit import ability, options
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import FREE_SPIRIT, MOST_OPTIONS, ON_LANDED, answer, show_ability
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.tabletop.rule import compiled


@ability("undying_fury", on=[ON_LANDED], picks=[options(*WORDS)], rulings=["R-227"])
class UndyingFury:
    """As the owner falls to 0 hit points, its unused Battle Spirited may start for free, and heals at once.

    The owner fights on as before if this lifts it above 0.
    """

    def may(fight, i, slot, target):
        fighter = fight.fighters[i]
        return fighter.dropped and fighter.hp <= 0 and fighter.rush > 0 and spirit_of(fight, i) != NOBODY

    def may_pick(fight, i, slot, target, part, picked):
        return spreads_evenly(fight, i, points_of(fight, i), picked)

    def do(fight, log, i, slot, target):
        spirit = spirit_of(fight, i)
        fight.fighters[i].uses[spirit] += 1
        show_ability(fight, i, spirit)
        spread_effects(fight, i, spirit, points_of(fight, i), answer(fight, i, 0))
        heal_friends(fight, log, i, spirit)


@compiled
def spirit_of(fight, i):
    """Return the slot of the owner's Battle Spirited if it has not been used yet, or NOBODY."""
    return np.int64(hooks.improves(fight, i, FREE_SPIRIT, np.int64(NOBODY)))


@compiled
def points_of(fight, i):
    """Return the points that the free use counts: the rush points that the owner has, at most as many as a use does."""
    return min(np.int64(fight.fighters[i].rush), MOST_OPTIONS - 1)

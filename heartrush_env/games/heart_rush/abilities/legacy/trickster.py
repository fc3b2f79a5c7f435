"""Trickster."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.hinders import WORDS, hinder, is_different, may_hinder, would_hinder
from heartrush_env.games.heart_rush.abilities.in_place import (
    detail_of,
    forget_deed,
    has_planned,
    plan_deed,
    take_target,
)
from heartrush_env.games.heart_rush.abilities.unit import ability, options
from heartrush_env.games.heart_rush.rules.abilities import ON_PHASE, Aim, answer
from heartrush_env.games.heart_rush.rules.terms import NOBODY

KINDS = len(WORDS)


@ability(
    "trickster", on=[ON_PHASE], aim=Aim.ENEMY, rulings=["R-248", "R-250"], picks=[options(*WORDS), options(*WORDS)],
    left_out="the two choices of Bag of Tricks",
)  # fmt: skip
class Trickster:
    """A hinder of the owner does two different things at once."""

    def may(fight, i, slot, target):
        return may_hinder(fight, i, target)

    def may_pick(fight, i, slot, target, part, picked):
        if not would_hinder(fight, i, target, picked):
            return False
        return part == 0 or is_different(picked, answer(fight, i, 0))

    def do(fight, log, i, slot, target):
        plan_deed(fight, i, slot, target, answer(fight, i, 0) * KINDS + answer(fight, i, 1))

    refrains = has_planned
    engagement_ends = forget_deed

    def applies(fight, i, slot, log):
        target = take_target(fight, i, slot)
        if target != NOBODY:
            hinder(fight, log, i, target, detail_of(fight, i, slot) // KINDS, 0)
            hinder(fight, log, i, target, detail_of(fight, i, slot) % KINDS, 1)

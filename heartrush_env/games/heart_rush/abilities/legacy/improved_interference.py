"""Improved Interference."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.hinders import WORDS, hinder, may_hinder, would_hinder
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


@ability(
    "improved_interference", on=[ON_PHASE], aim=Aim.ENEMY, rulings=["R-248", "R-249"], picks=[options(*WORDS)],
)  # fmt: skip
class ImprovedInterference:
    """The owner may make maneuvers at enemies in its own stance, and its hinders are stronger ones."""

    def may(fight, i, slot, target):
        return may_hinder(fight, i, target)

    def may_pick(fight, i, slot, target, part, picked):
        return would_hinder(fight, i, target, picked)

    def do(fight, log, i, slot, target):
        plan_deed(fight, i, slot, target, answer(fight, i, 0))

    refrains = has_planned
    engagement_ends = forget_deed

    def applies(fight, i, slot, log):
        target = take_target(fight, i, slot)
        if target != NOBODY:
            hinder(fight, log, i, target, detail_of(fight, i, slot), 0)

    def relists(fight, i, slot):
        return True

    def needs_no_win(fight, i, slot, target, deed):
        return fight.fighters[target].stance == fight.fighters[i].stance

"""Psionics."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.hinders import may_hinder
from heartrush_env.games.heart_rush.abilities.in_place import (
    detail_of,
    forget_deed,
    has_planned,
    plan_deed,
    take_target,
)
from heartrush_env.games.heart_rush.abilities.unit import ability, figure, options
from heartrush_env.games.heart_rush.rules.abilities import ON_PHASE, Aim, answer, note, notes
from heartrush_env.games.heart_rush.rules.conditions import inflict, inflict_from, rage_condition
from heartrush_env.games.heart_rush.rules.terms import CONFUSED, FRIGHTENED, NOBODY

LEVELS = figure("psionics", "levels")
WORDS = ("frightened", "enraged", "confused")
FRIGHTENING, ENRAGING, CONFUSING = range(3)


@ability("psionics", on=[ON_PHASE], aim=Aim.ENEMY, rulings=["R-248"], picks=[options(*WORDS)])
class Psionics:
    """A hinder of the owner frightens, enrages or confuses instead, once in a fight for each creature.

    The memo is the set of these creatures, and the hinder of this round.
    """

    def may(fight, i, slot, target):
        return not notes(fight, i, slot, target) and may_hinder(fight, i, target)

    def do(fight, log, i, slot, target):
        note(fight, i, slot, target, True)
        plan_deed(fight, i, slot, target, answer(fight, i, 0))

    refrains = has_planned
    engagement_ends = forget_deed

    def applies(fight, i, slot, log):
        target = take_target(fight, i, slot)
        if target == NOBODY:
            return
        mood = detail_of(fight, i, slot)
        if mood == CONFUSING:
            inflict(fight, i, target, CONFUSED, LEVELS)
        else:
            inflict_from(fight, i, target, FRIGHTENED if mood == FRIGHTENING else rage_condition(fight), LEVELS)

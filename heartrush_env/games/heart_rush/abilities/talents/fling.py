"""Fling."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.in_place import (
    detail_of,
    forget_deed,
    has_planned,
    may_give_up_attack,
    plan_deed,
    take_target,
)
from heartrush_env.games.heart_rush.abilities.unit import ability, figures, options
from heartrush_env.games.heart_rush.rules.abilities import ON_PHASE, Aim, answer, is_destined
from heartrush_env.games.heart_rush.rules.checks import challenge_number, roll_check
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.forced_movement import RANKS, collision_die, drive_away
from heartrush_env.games.heart_rush.rules.hits import add_hit
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import let_go
from heartrush_env.games.heart_rush.rules.parts import body_of
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    CHECK,
    FEET,
    FROM_COLLISION,
    MIGHT,
    NOBODY,
    PRONE,
    STANDING,
    USE,
)
from heartrush_env.games.heart_rush.state.events import tell_check
from heartrush_env.tabletop.rng import roll_sum
from heartrush_env.tabletop.rule import compiled

FEET_PER_POINT = int(figures("fling", "ft_per_margin")[0])
DESTINED_FEET = int(figures("fling", "ft_per_result")[1])  # for each point of the whole check
THROW, SLAM = range(2)


@ability(
    "fling", on=[ON_PHASE], aim=Aim.ENEMY, rulings=["R-128", "R-252"],
    picks=[options("throw it", "slam it down")],
)  # fmt: skip
class Fling:
    """In might stance, in place of an attack on the creature that it holds, the owner throws it away or slams it down.

    A thrown creature is prone. If it is slammed down, all the distance becomes damage of a collision.
    """

    def may(fight, i, slot, target):
        fighter = fight.fighters[i]
        holds = fight.phase == MIGHT and fighter.grappling == target and fighter.climbing != target
        return holds and body_of(fight, target) == NOBODY and may_give_up_attack(fight, i, target)

    def do(fight, log, i, slot, target):
        plan_deed(fight, i, slot, target, answer(fight, i, 0))

    refrains = has_planned
    engagement_ends = forget_deed

    def applies(fight, i, slot, log):
        target = take_target(fight, i, slot)
        if target == NOBODY or fight.fighters[i].status != STANDING or fight.fighters[i].grappling != target:
            return
        other = fight.fighters[target]
        number = np.int64(max(challenge_number(other, MIGHT), challenge_number(other, AGILITY)))
        total = roll_check(fight, i, CHECK, MIGHT, target, 0, fight.attack_roll)
        tell_check(fight, log, i, USE, total >= number)
        if total < number:
            return
        feet = total * DESTINED_FEET if is_destined(fight, i, slot) else (total - number) * FEET_PER_POINT
        if detail_of(fight, i, slot) == SLAM:
            damage = roll_sum(fight, feet // FEET, collision_die(fight, i))
            add_hit(fight, target, i, FROM_COLLISION, damage, RANKS * np.int64(fight.fighters[i].turn))
        else:
            let_go(fight, i)
            inflict(fight, i, target, PRONE, 1)
            throw_away(fight, log, i, target, feet // FEET)


@on_map(None)
@compiled
def throw_away(fight, log, i, target, squares):
    """Throw the target this many squares away from fighter i."""
    rank = RANKS * fight.fighters[i].turn
    drive_away(fight, log, i, target, squares, collision_die(fight, i), rank)

"""Boundless Fury."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import CREATURE, ability, dice, figures, later, options
from heartrush_env.games.heart_rush.engine.strikes import add_extra, is_own_attack
from heartrush_env.games.heart_rush.rules.abilities import is_destined, note, notes, open_pick, remember
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice
from heartrush_env.games.heart_rush.rules.engaging import goes_by_turns
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.stances import is_able_to_attack, may_attack, may_target
from heartrush_env.games.heart_rush.rules.terms import (
    ATTACK,
    BY_ATTACK,
    DEFENSIVE,
    FROM_OPPORTUNITY,
    MOST_FIGHTERS,
    NOBODY,
    STANCES,
    STANDING,
    WEAKENED,
)
from heartrush_env.games.heart_rush.rules.weapons import must_defend
from heartrush_env.games.heart_rush.state.events import REVEAL, tell
from heartrush_env.tabletop.rule import compiled

SELF_WEAKENED = int(figures("boundless_fury", "self_weakened_per_use")[0])
DIE = dice("boundless_fury", "attack_dice")[1]
FOE, STANCE = range(2)  # the parts
# Bits of the memo besides those for creatures attacked: an extra engagement is earned, its one attack is to come, and
# the die of the destiny version waits.
EARNED, COMES, READY = range(MOST_FIGHTERS, MOST_FIGHTERS + 3)


@ability(
    "boundless_fury", rulings=["R-233"], picks=[later(CREATURE, optional=True), later(options(*STANCES))],
    left_out="levels, pushes, steps and maneuvers in the extra engagement, and all of it in the classic edition",
)  # fmt: skip
class BoundlessFury:
    """After an attack for more damage than the target's full heart die, the owner has an extra engagement.

    It is with another adjacent creature that the owner has not attacked this round, and it weakens the owner. In the
    destiny version, the owner's next attack after it has dropped a creature has a further die.
    """

    def round_starts(fight, i, slot, log):
        waits = notes(fight, i, slot, READY)
        remember(fight, i, slot, 0)
        note(fight, i, slot, READY, waits)

    def attacked(fight, i, slot, striker, target, cause, damage):
        if striker == i:
            note(fight, i, slot, target, True)
        if notes(fight, i, slot, COMES) and (striker == i or target == i):
            note(fight, i, slot, COMES, False)
            tire_out(fight, i, slot)

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        """Note an attack that earns an extra engagement, and one that drops a creature."""
        other = fight.fighters[victim]
        if striker != i or victim == i or cause not in BY_ATTACK:
            return
        if cause != FROM_OPPORTUNITY and not fight.fighters[i].struck_at >> victim & 1:
            return  # an answer in a contest
        if damage > other.heart_max and cause != FROM_OPPORTUNITY:
            note(fight, i, slot, EARNED, True)
        if other.hp <= 0 and other.hp + damage > 0 and is_destined(fight, i, slot):
            note(fight, i, slot, READY, True)

    def round_ends(fight, i, slot, log):
        offer(fight, i, slot)

    def has_struck(fight, i, slot, log, striker):
        if striker == i and not fight.engaged:
            offer(fight, i, slot)

    def may_pick(fight, i, slot, who, part, picked):
        if part == FOE:
            return may_engage(fight, i, slot, picked)
        return picked == DEFENSIVE or (is_able(fight, who) and not must_defend(fight, who))

    def auto(fight, i, slot, who, part):
        return np.int64(DEFENSIVE if part == STANCE else NOBODY)

    def picked(fight, log, i, slot, who, part, picked):
        if part == FOE:
            note(fight, i, slot, EARNED, False)
            fight.fighters[i].uses_now[slot] += 1
            open_pick(fight, i, i, slot, STANCE)
            open_pick(fight, picked, i, slot, STANCE)
        else:
            fight.fighters[who].stance = picked
            tell(fight, log, REVEAL, who, NOBODY, picked, 0)
            if who != i:
                engage(fight, i, slot, who)

    def attack(fight, i, slot, target, stance):
        if notes(fight, i, slot, READY) and is_own_attack(fight, i):
            add_bonus_dice(fight.pool, DIE[0], DIE[1])
        return 0

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK and is_own_attack(fight, i):
            note(fight, i, slot, READY, False)


@compiled
def may_engage(fight, i, slot, other):
    """Return whether another fighter is adjacent, may be a target and has not been attacked by the owner this round."""
    if notes(fight, i, slot, other) or fight.fighters[other].status != STANDING:
        return False
    return next_to(fight, i, other) and may_target(fight, i, other)


@compiled
def offer(fight, i, slot):
    """Ask the owner for a creature if it has earned an extra engagement."""
    if notes(fight, i, slot, EARNED) and is_able(fight, i) and not goes_by_turns(fight):
        open_pick(fight, i, i, slot, FOE)


@compiled
def engage(fight, i, slot, foe):
    """Add the attacks of the extra engagement; if neither of the two attacks, it is over."""
    owner_strikes = is_able_to_attack(fight, i) and may_attack(fight, i, foe)
    foe_strikes = is_able_to_attack(fight, foe) and may_attack(fight, foe, i)
    fight.fighters[i].able = owner_strikes
    fight.fighters[foe].able = foe_strikes
    if owner_strikes:
        add_extra(fight, i, foe, False)
        fight.extras[fight.extra_count - 1].shared = foe_strikes
    elif foe_strikes:
        add_extra(fight, foe, i, False)
    if owner_strikes or foe_strikes:
        note(fight, i, slot, COMES, True)
    else:
        tire_out(fight, i, slot)


@compiled
def tire_out(fight, i, slot):
    """Weaken the owner for each extra engagement of the round."""
    inflict(fight, i, i, WEAKENED, SELF_WEAKENED * np.int64(fight.fighters[i].uses_now[slot]))

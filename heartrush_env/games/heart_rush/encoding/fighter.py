"""A fighter's block of features, which is the same for every viewer and at every index of an observation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules.taking_damage import pending_hit
from heartrush_env.games.heart_rush.rules.terms import (
    ABILITIES,
    ATTACK_TYPES,
    CONDITIONS,
    DAMAGE_TYPES,
    NO_DAMAGE_TYPE,
    NO_STANCE,
    NOBODY,
    STANCES,
    STATUSES,
    TAKE_STANCE,
)
from heartrush_env.games.heart_rush.state import record as state
from heartrush_env.games.heart_rush.state.record import REVEALS, SHRUG_WINDOW
from heartrush_env.tabletop.memory import copy_numbers, renewer
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rule import compiled, inlined
from heartrush_env.tabletop.tables import Block, Line, each, feature, flag, one_of, rows
from heartrush_env.tabletop.units import Function

HP, DIE, LEVEL, BONUS, SIZES = 40, 20, 5, 10, 8  # scales of the features
MOST_RUSH = 10  # the highest number of points shown
MOST_HP = 25  # in units of HP


@inlined
def pending_damage(fight, i):
    """Return the damage that fighter i is about to shrug off or take, or 0."""
    if fight.window != SHRUG_WINDOW:
        return 0
    k = pending_hit(fight, i)
    return 0 if k == NOBODY else np.int64(fight.hits[k].amount)


@inlined
def picked_stance(fighter):
    """Return the stance that a fighter has picked in this window, or NO_STANCE."""
    if fighter.has_choice and not fighter.pending and fighter.deed == TAKE_STANCE:
        return np.int64(fighter.detail)
    return NO_STANCE


# The share of one reveal, indexed by the number of reveals. A table lookup is faster than a division.
SHARES = np.array([1.0 / max(1, taken) for taken in range(256)], np.float32)


@inlined
def share_of_a_reveal(fighter):
    """Return one reveal as a fraction of all the fighter's reveals."""
    taken = 0
    for stance in range(len(STANCES)):
        taken += fighter.stance_count[stance]
    return SHARES[np.uint64(taken)] if taken < len(SHARES) else np.float32(1.0 / taken)


# fmt: off
SHIELD = feature("shield", 0, 1, "shield bonus / {scale}", lambda fighter: fighter.shield, scale=2)
WEAPON = (
    feature("weapon_die", 0, 1, "weapon die / {scale}", lambda fighter: fighter.weapon_die, scale=DIE),
    one_of("weapon ", ATTACK_TYPES, "attack type", lambda fighter: fighter.attack_type, name="attack_type"),
    one_of("weapon ", DAMAGE_TYPES[:NO_DAMAGE_TYPE], "damage type", lambda fighter: fighter.damage_type,
           name="damage_type"),
)
LASTING = Block(
    flag("present", "there is a fighter in this place", lambda: 1.0),
    flag("hero", "of a heroes' team", lambda fighter: fighter.hero),
    feature("hp_max", 0, MOST_HP, "maximum hit points / {scale}", lambda fighter: fighter.hp_max,
            scale=HP, clips=True),
    feature("wound_threshold", 0, MOST_HP, "damage that marks a wound / {scale}, 0 for never",
            lambda fighter: fighter.wound_threshold, scale=HP, clips=True),
    feature("heart_max", 0, 1, "heart die at its largest / {scale}", lambda fighter: fighter.heart_max,
            scale=DIE),
    each("", ABILITIES, "ability die / {scale}", lambda fighter, k: fighter.ability[k],
         name="abilities", scale=DIE),
    feature("armor", 0, 5, "armor bonus / {scale}", lambda fighter: fighter.armor, scale=BONUS),
    SHIELD,
    feature("attack_bonus", 0, 5, "flat bonus on attack rolls / {scale}", lambda fighter: fighter.attack_bonus,
            scale=BONUS),
    *WEAPON,
    feature("size", -1, 2, "size categories above medium / {scale}", lambda fighter: fighter.size_rank,
            scale=SIZES),
)
STATUS = one_of("", STATUSES, "status", lambda fighter: fighter.status, name="status")
HP_LEFT = (
    feature("hp", -MOST_HP, MOST_HP, "hit points / {scale}", lambda fighter: fighter.hp, scale=HP, clips=True),
    feature("hp_share", -1, 1, "hit points / maximum", lambda fighter: fighter.hp / fighter.hp_max, clips=True),
)
STATE = (
    feature("wounds", 0, MOST_HP, "sum of wound ranks / {scale}",
            lambda fighter, memory: 0 if memory == 0 else np.int64(fighter.wounds), scale=HP, clips=True),
    feature("heart", 0, 1, "heart die / {scale}", lambda fighter: fighter.heart, scale=DIE),
    flag("armed", "weapon in hand", lambda fighter: fighter.armed),
    flag("action", "action of the round still there", lambda fighter: fighter.action),
    flag("interaction", "free object interaction still there", lambda fighter: fighter.interaction),
    flag("dash", "free dash still there", lambda fighter: fighter.dash),
    feature("helped", 0, 1, "helps not used up / {scale}, at most 1", lambda fighter: fighter.helped,
            scale=LEVEL, clips=True),
    feature("shrugs", 0, 1, "hits shrugged off this round / {scale}, at most 1", lambda fighter: fighter.shrugs,
            scale=LEVEL, clips=True),
)
HIT_NOW = feature("hit", 0, MOST_HP, "damage to be shrugged off or taken now / {scale}",
                  lambda fight, i: pending_damage(fight, i), scale=HP, clips=True)
RUSH = feature("rush", 0, 1, "rush points left / {scale}, at most 1",
               lambda fighter, memory: 0 if memory == 0 else np.int64(fighter.rush), scale=MOST_RUSH, clips=True)
LIFE, BODY = Block(*HP_LEFT, HIT_NOW), Block(STATUS, *STATE, RUSH)
SHOWN = Block(
    one_of("stance ", STANCES, "stance of this round, once revealed", lambda fighter: fighter.stance),
    one_of("said ", STANCES, "stance told in this round's talk, if the viewer heard it", lambda fighter: fighter.said),
    one_of("pick ", STANCES, "stance picked in this window, own side only, under control by team",
           lambda fighter: picked_stance(fighter), when=lambda fight: fight.team_control),
)
AILMENTS = Block(
    each("", CONDITIONS, "levels / {scale}", lambda fighter, k: fighter.levels[k],
         name="conditions", scale=LEVEL),
)
HABITS = Block(
    each("count ", STANCES, "share of rounds in which it was taken",
         lambda fighter, share, k: fighter.stance_count[k] * share,
         when=lambda memory: memory < 0, share=lambda fighter: share_of_a_reveal(fighter)),
    rows("reveal", range(1, REVEALS + 1), "reveal {number} ", STANCES, "stance revealed k rounds ago, 1 the latest",
         lambda fighter: fighter.reveals, shown=lambda memory: REVEALS if memory < 0 else memory),
)
# fmt: on
CHANGING = Block(STATUS, *HP_LEFT, *STATE, HIT_NOW, RUSH) + SHOWN + AILMENTS + HABITS
FIGHTER = LASTING + CHANGING

# The groups of a fighter's block. A group is written into a row only if its fields have changed.
GROUPS = (LASTING, LIFE, BODY, SHOWN, AILMENTS, HABITS)
HAS_LASTING, HAS_LIFE, HAS_BODY, HAS_SHOWN, HAS_AILMENTS, HAS_HABITS = (np.int64(1 << k) for k in range(len(GROUPS)))
EVERYTHING = np.int64((1 << len(GROUPS)) - 1)
WRITES_SHOWN = HAS_LASTING | HAS_SHOWN | HAS_HABITS  # the groups that are written together with HAS_SHOWN

# The fields of a fighter as they were when its block was last written.
SEEN = record(
    [
        *state.SHOWN_OF_FIGHTER,
        ("afflicted", "u4"),
        ("hit", "i2"),
        ("pick", "i1"),
        ("swaps", "i2"),
        ("levels", "i1", (len(CONDITIONS),)),
    ]
)
renew_body = renewer("wounds", "shrugs")
renew_shown = renewer("stance", "heard")
renew_habits = renewer("reveals", "stance_count")
renew_levels = renewer("levels", "levels")


def _writer(name: str, group: Block, compiles: Callable[[Any], Any] = inlined) -> Function:
    return FIGHTER.writer(
        name,
        "fight, i, memory",
        only=group.lines,
        compiles=compiles,
        summary="Write this group of fighter i's block, showing `memory` reveals, or all and their counts if negative.",
        fighter=lambda fight, i: fight.fighters[i],
    )


write_lasting = _writer("write_lasting", LASTING, compiled)
write_life = _writer("write_life", LIFE)
write_body = _writer("write_body", BODY)
write_shown = _writer("write_shown", SHOWN)
write_ailments = _writer("write_ailments", AILMENTS)
write_after_reveal = _writer("write_after_reveal", LIFE + BODY + SHOWN + HABITS)


@inlined
def groups_changed(fight, i, seen):
    """Return a bit for each group of fighter i's block that has changed since the last call."""
    fighter = fight.fighters[i]
    changed = HAS_BODY * renew_body(fighter, seen) | HAS_SHOWN * renew_shown(fighter, seen)
    changed |= HAS_HABITS * renew_habits(fighter, seen)
    hit = pending_damage(fight, i)
    changed |= HAS_LIFE * (fighter.hp != seen.hp or hit != seen.hit)
    seen.hp, seen.hit = fighter.hp, hit
    if fight.team_control:
        pick = picked_stance(fighter)
        changed |= HAS_SHOWN * (pick != seen.pick)
        seen.pick = pick
    if fighter.afflicted or seen.afflicted:  # otherwise all levels were 0, and still are
        changed |= HAS_AILMENTS * renew_levels(fighter, seen)
        seen.afflicted = fighter.afflicted
    return changed | HAS_LASTING * has_changed_hands(fighter, seen)


@inlined
def has_changed_hands(fighter, seen):
    """Return whether the fighter has swapped its weapon and shield since the last call."""
    if fighter.swaps == seen.swaps:
        return False
    seen.swaps = fighter.swaps
    return True


@compiled
def write_fighter(fight, i, groups, memory, out, at):
    """Write these groups of fighter i's block, as every viewer sees it."""
    if groups & HAS_LASTING:
        write_lasting(fight, i, memory, out, at)
    if groups & HAS_AILMENTS:
        write_ailments(fight, i, memory, out, at)
    if groups & HAS_HABITS:  # after a reveal almost all of these have changed, and one test is faster than four
        write_after_reveal(fight, i, memory, out, at)
        return
    if groups & HAS_LIFE:
        write_life(fight, i, memory, out, at)
    if groups & HAS_BODY:
        write_body(fight, i, memory, out, at)
    if groups & HAS_SHOWN:
        write_shown(fight, i, memory, out, at)


def _copier_of(*lines: Line) -> Callable[[Any, Any, Any], None]:
    """Return a function that copies adjacent lines of a block into another block of the same array."""
    first, count = FIGHTER.part(lines[0].name)[0], len(Block(*lines))

    @inlined
    def copy_part(out, source, at):
        copy_numbers(out, source + first, out, at + first, count)

    return copy_part


copy_block = _copier_of(*FIGHTER.lines)
copy_life_and_body = _copier_of(STATUS, *HP_LEFT, *STATE, HIT_NOW, RUSH)
copy_life_to_shown = _copier_of(STATUS, *HP_LEFT, *STATE, HIT_NOW, RUSH, *SHOWN.lines)
copy_shown, copy_ailments, copy_habits = (_copier_of(*group.lines) for group in (SHOWN, AILMENTS, HABITS))


@compiled
def copy_fighter(groups, out, source, at):
    """Copy these groups of a fighter's block from one row to another."""
    if groups & HAS_LASTING:
        copy_block(out, source, at)
        return
    if groups & HAS_AILMENTS:
        copy_ailments(out, source, at)
    if groups & HAS_HABITS:  # see write_fighter
        copy_life_to_shown(out, source, at)
        copy_habits(out, source, at)
        return
    if groups & (HAS_LIFE | HAS_BODY):
        copy_life_and_body(out, source, at)
    if groups & HAS_SHOWN:
        copy_shown(out, source, at)

"""A fighter's block: what everyone sees of it, wherever it stands."""

from __future__ import annotations

import numpy as np

from heartrush_env.core.rule import compiled, inlined
from heartrush_env.core.tables import Block, each, feature, flag, one_of, rows
from heartrush_env.heart_rush.engine.state import REVEALS, SHRUG_WINDOW
from heartrush_env.heart_rush.rules.space import on_map
from heartrush_env.heart_rush.rules.taking_damage import pending_hit
from heartrush_env.heart_rush.rules.terms import (
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

HP, DIE, LEVEL, BONUS, SIZES = 40, 20, 5, 10, 8  # what numbers are shown in
MOST_RUSH = 10  # points shown
MOST_HP = 25  # in units of HP


@inlined
def pending_damage(match, i):
    """The damage that fighter i is about to shrug off or take."""
    if match.window != SHRUG_WINDOW:
        return 0
    k = pending_hit(match, i)
    return 0 if k == NOBODY else np.int64(match.hits[k].amount)


@inlined
def picked_stance(fighter):
    """The stance that a fighter has picked in this window."""
    if fighter.has_choice and not fighter.pending and fighter.deed == TAKE_STANCE:
        return np.int64(fighter.detail)
    return NO_STANCE


@inlined
def share_of_a_reveal(fighter):
    """The change in the share of a stance from one more reveal."""
    taken = 0
    for stance in range(len(STANCES)):
        taken += fighter.stance_count[stance]
    return np.float32(1.0 / max(1, taken))


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
CHANGING = Block(
    one_of("", STATUSES, "status", lambda fighter: fighter.status, name="status"),
    feature("hp", -MOST_HP, MOST_HP, "hit points / {scale}", lambda fighter: fighter.hp, scale=HP, clips=True),
    feature("hp_share", -1, 1, "hit points / maximum", lambda fighter: fighter.hp / fighter.hp_max, clips=True),
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
    feature("hit", 0, MOST_HP, "damage to be shrugged off or taken now / {scale}",
            lambda match, i: pending_damage(match, i), scale=HP, clips=True),
    feature("rush", 0, 1, "rush points left / {scale}, at most 1",
            lambda fighter, memory: 0 if memory == 0 else np.int64(fighter.rush), scale=MOST_RUSH, clips=True),
    one_of("stance ", STANCES, "stance of this round, once revealed", lambda fighter: fighter.stance),
    one_of("said ", STANCES, "stance told in this round's talk, if the viewer heard it", lambda fighter: fighter.said),
    one_of("pick ", STANCES, "stance picked in this window, own side only, under control by team",
           lambda fighter: picked_stance(fighter), when=lambda match: match.team_control),
    each("", CONDITIONS, "levels / {scale}", lambda fighter, k: fighter.levels[k],
         name="conditions", scale=LEVEL),
    each("count ", STANCES, "share of rounds in which it was taken",
         lambda fighter, share, k: fighter.stance_count[k] * share,
         when=lambda memory: memory < 0, share=lambda fighter: share_of_a_reveal(fighter)),
    rows("reveal", range(1, REVEALS + 1), "reveal {number} ", STANCES, "stance revealed k rounds ago, 1 the latest",
         lambda fighter, row: fighter.reveals[row], shown=lambda memory: REVEALS if memory < 0 else memory),
)
# fmt: on
FIGHTER = LASTING + CHANGING

write_lasting = FIGHTER.writer(
    "write_lasting",
    "match, i",
    only=LASTING.lines,
    clears=True,
    compiles=compiled,
    summary="What never changes about fighter i without a map, at the fight's start.",
    fighter=lambda match, i: match.fighters[i],
)
write_changing = FIGHTER.writer(
    "write_changing",
    "match, i, memory",
    only=CHANGING.lines,
    renews=True,
    summary="What may have changed about fighter i, showing `memory` reveals, or all and their counts if negative.",
    fighter=lambda match, i: match.fighters[i],
)
write_in_hand = FIGHTER.writer(
    "write_in_hand",
    "match, i",
    only=(SHIELD, *WEAPON),
    renews=True,
    compiles=lambda function: on_map(False)(compiled(function)),
    summary="The weapon and shield in hand, which may change on a map.",
    fighter=lambda match, i: match.fighters[i],
)

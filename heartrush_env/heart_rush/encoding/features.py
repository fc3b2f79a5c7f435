"""The one table of observation features: what each number of an observation means, and the kernel that writes it.

Each fighter is described once, in a block that looks the same to everyone; an observation is the moment, the
fighter's own block, and a block with a few relations for each enemy and each ally, by place in its own view.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from heartrush_env.core.rule import compiled, inlined
from heartrush_env.heart_rush.encoding.feature import Feature, clip, flag, has_bit, one_of, put, renew
from heartrush_env.heart_rush.encoding.features_on_map import (
    features_on_map,
    state_features_on_map,
    write_on_map,
    write_weapon,
)
from heartrush_env.heart_rush.encoding.shapes import Shape
from heartrush_env.heart_rush.engine.state import REVEALS, SHRUG_WINDOW, STEP_WINDOW, WINDOWS
from heartrush_env.heart_rush.rules.special_circumstances import is_surprised
from heartrush_env.heart_rush.rules.taking_damage import pending_hit
from heartrush_env.heart_rush.rules.terms import (
    ABILITIES,
    AGGRAVATED,
    ATTACK_TYPES,
    CHARMED,
    CONDITIONS,
    DAMAGE_TYPES,
    ENRAGED,
    FRIGHTENED,
    GRAPPLED,
    GRAPPLING,
    MOST_FIGHTERS,
    N_CONDITIONS,
    NO_DAMAGE_TYPE,
    NO_STANCE,
    NOBODY,
    PHASE_ORDER,
    STANCES,
    STANDING,
    STATUSES,
    TAKE_STANCE,
)

OUT_CAUSES = ("", "unconscious", "dead", "defeated", "surprised")
SURPRISED_OUT = 4  # the first are the codes of statuses

ROUNDS_SCALE, HP_SCALE, DIE_SCALE, LEVEL_SCALE, ARMOR_SCALE, RUSH_SCALE = 200, 40, 20, 5, 10, 10
MOST_HP = 25.0  # in units of HP_SCALE


_PHASES = tuple(STANCES[stance] for stance in PHASE_ORDER)

MOMENT = [
    Feature("round", 0, 1, f"rounds begun / {ROUNDS_SCALE}, at most 1"),
    Feature("rounds_left", 0, 1, f"rounds until the cap / {ROUNDS_SCALE}, at most 1"),
    Feature("windows_left", 0, 1, "share of the round's action windows still to come"),
    *one_of("window ", WINDOWS[1:STEP_WINDOW], "the open window"),
    *one_of("phase ", _PHASES, "the phase of the engagement"),
]
LASTING = [
    flag("present", "there is a fighter in this place"),
    flag("hero", "of a heroes' team"),
    Feature("hp_max", 0, MOST_HP, f"maximum hit points / {HP_SCALE}"),
    Feature("wound_threshold", 0, MOST_HP, f"damage that marks a wound / {HP_SCALE}, 0 for never"),
    Feature("heart_max", 0, 1, f"heart die at its largest / {DIE_SCALE}"),
    *(Feature(ability, 0, 1, f"ability die / {DIE_SCALE}") for ability in ABILITIES),
    Feature("armor", 0, 5, f"armor bonus / {ARMOR_SCALE}"),
    Feature("shield", 0, 1, "shield bonus / 2"),
    Feature("attack_bonus", 0, 5, f"flat bonus on attack rolls / {ARMOR_SCALE}"),
    Feature("weapon_die", 0, 1, f"weapon die / {DIE_SCALE}"),
    *one_of("weapon ", ATTACK_TYPES, "attack type"),
    *one_of("weapon ", DAMAGE_TYPES[:NO_DAMAGE_TYPE], "damage type"),
    Feature("size", -1, 2, "size categories above medium / 8"),
]
CHANGING = [
    *one_of("", STATUSES, "status"),
    Feature("hp", -MOST_HP, MOST_HP, f"hit points / {HP_SCALE}"),
    Feature("hp_share", -1, 1, "hit points / maximum"),
    Feature("wounds", 0, MOST_HP, f"sum of wound ranks / {HP_SCALE}"),
    Feature("heart", 0, 1, f"heart die / {DIE_SCALE}"),
    flag("armed", "weapon in hand"),
    flag("action", "action of the round still there"),
    flag("interaction", "free object interaction still there"),
    flag("dash", "free dash still there"),
    Feature("helped", 0, 1, f"helps not used up / {LEVEL_SCALE}, at most 1"),
    Feature("shrugs", 0, 1, f"hits shrugged off this round / {LEVEL_SCALE}, at most 1"),
    Feature("hit", 0, MOST_HP, f"damage to be shrugged off or taken now / {HP_SCALE}"),
    Feature("rush", 0, 1, f"rush points left / {RUSH_SCALE}, at most 1"),
    *one_of("stance ", STANCES, "stance of this round, once revealed"),
    *one_of("said ", STANCES, "stance told in this round's talk, if the viewer heard it"),
    *one_of("pick ", STANCES, "stance picked in this window, own side only, under control by team"),
    *(Feature(name, 0, 1, f"levels / {LEVEL_SCALE}") for name in CONDITIONS),
    *(Feature(f"count {stance}", 0, 1, "share of rounds in which it was taken") for stance in STANCES),
    *(
        flag(f"reveal {k} {stance}", "stance revealed k rounds ago, 1 the latest")
        for k in range(1, REVEALS + 1)
        for stance in STANCES
    ),
]
RELATIONS = [
    flag("frightens_me", "source of the viewer's fear"),
    flag("enrages_me", "source of the viewer's rage or aggravation"),
    flag("charms_me", "source of the viewer's charm"),
    flag("grapples_me", "holds the viewer"),
    flag("grappled_by_me", "is held by the viewer"),
    flag("climbs_on_me", "rides the viewer"),
    flag("climbed_by_me", "is ridden by the viewer"),
]


def _place(features: list[Feature], name: str) -> int:
    return next(k for k, feature in enumerate(features) if feature.name == name)


N_MOMENT, N_LASTING, N_CHANGING, N_RELATIONS = len(MOMENT), len(LASTING), len(CHANGING), len(RELATIONS)
N_BLOCK = N_LASTING + N_CHANGING
WINDOW_AT = _place(MOMENT, "window talk")
PHASE_AT = _place(MOMENT, "phase cunning")
SHIELD_AT, WEAPON_DIE_AT = _place(LASTING, "shield"), _place(LASTING, "weapon_die")
ATTACK_TYPE_AT, DAMAGE_TYPE_AT = _place(LASTING, "weapon melee"), _place(LASTING, "weapon bludgeoning")
STANCE_AT = N_LASTING + _place(CHANGING, "stance might")
SAID_AT = N_LASTING + _place(CHANGING, "said might")
PICK_AT = N_LASTING + _place(CHANGING, "pick might")
CONDITIONS_AT = N_LASTING + _place(CHANGING, CONDITIONS[0])
COUNT_AT = N_LASTING + _place(CHANGING, "count might")
REVEAL_AT = N_LASTING + _place(CHANGING, "reveal 1 might")


def features(shape: Shape) -> list[Feature]:
    """Every feature of an observation of a shape, in order."""
    table = list(MOMENT) + _block("self", LASTING + CHANGING)
    for kind, places in (("enemy", shape.enemies), ("ally", shape.allies)):
        for place in range(1, places + 1):
            table += _block(f"{kind} {place}", LASTING + CHANGING + RELATIONS)
    return table + features_on_map(shape) if shape.on_map else table


@cache
def feature_names(shape: Shape) -> tuple[str, ...]:
    """The stable name of every feature of a shape, in order."""
    return tuple(feature.name for feature in features(shape))


def state_features(shape: Shape) -> list[Feature]:
    """Every feature of the state that a central critic may see, in order: the moment and each fighter's block."""
    table = list(MOMENT)
    for place in range(1, shape.fighters + 1):
        table += _block(f"fighter {place}", LASTING + CHANGING)
    return table + state_features_on_map(shape) if shape.on_map else table


def _block(whose: str, block: list[Feature]) -> list[Feature]:
    return [Feature(f"{whose} {feature.name}", feature.low, feature.high, feature.meaning) for feature in block]


@compiled
def write_lasting(match, i, blocks, slot):
    """What never changes about fighter i, at the fight's start."""
    fighter = match.fighters[i]
    block = block_start(slot, i)
    for k in range(N_BLOCK):
        put(blocks, block, k, 0.0)
    put(blocks, block, 0, 1.0)
    put(blocks, block, 1, fighter.hero)
    put(blocks, block, 2, clip(fighter.hp_max / HP_SCALE, 0.0, MOST_HP))
    put(blocks, block, 3, clip(fighter.wound_threshold / HP_SCALE, 0.0, MOST_HP))
    put(blocks, block, 4, fighter.heart_max / DIE_SCALE)
    for ability in range(4):
        put(blocks, block, 5 + ability, fighter.ability[ability] / DIE_SCALE)
    put(blocks, block, 9, fighter.armor / ARMOR_SCALE)
    put(blocks, block, 10, fighter.shield / 2)
    put(blocks, block, 11, fighter.attack_bonus / ARMOR_SCALE)
    put(blocks, block, 12, fighter.weapon_die / DIE_SCALE)
    put(blocks, block, 13 + fighter.attack_type, 1.0)
    if fighter.damage_type != NO_DAMAGE_TYPE:
        put(blocks, block, 17 + fighter.damage_type, 1.0)
    put(blocks, block, 20, fighter.size_rank / 8)


@inlined
def block_start(slot, i):
    """Where fighter i's block begins among all blocks."""
    return (slot * MOST_FIGHTERS + np.int64(i)) * N_BLOCK


@inlined
def write_changing(match, i, blocks, slot, memory):
    """What may have changed about fighter i, and whether it has.

    `memory` reveals are shown, all and their counts if it is negative.
    """
    fighter = match.fighters[i]
    block = block_start(slot, i)
    at = block + N_LASTING
    changed = False
    for status in range(4):
        changed |= renew(blocks, at, status, fighter.status == status)
    changed |= renew(blocks, at, 4, clip(fighter.hp / HP_SCALE, -MOST_HP, MOST_HP))
    changed |= renew(blocks, at, 5, clip(fighter.hp / fighter.hp_max, -1.0, 1.0))
    changed |= renew(blocks, at, 6, 0.0 if memory == 0 else clip(fighter.wounds / HP_SCALE, 0.0, MOST_HP))
    changed |= renew(blocks, at, 7, fighter.heart / DIE_SCALE)
    changed |= renew(blocks, at, 8, fighter.armed)
    changed |= renew(blocks, at, 9, fighter.action)
    changed |= renew(blocks, at, 10, fighter.interaction)
    changed |= renew(blocks, at, 11, fighter.dash)
    changed |= renew(blocks, at, 12, clip(fighter.helped / LEVEL_SCALE, 0.0, 1.0))
    changed |= renew(blocks, at, 13, clip(fighter.shrugs / LEVEL_SCALE, 0.0, 1.0))
    changed |= renew(blocks, at, 14, hit_feature(match, i))
    changed |= renew(blocks, at, 15, 0.0 if memory == 0 else clip(fighter.rush / RUSH_SCALE, 0.0, 1.0))
    changed |= write_weapon(match, i, blocks, block, WEAPON_DIE_AT, ATTACK_TYPE_AT, DAMAGE_TYPE_AT, SHIELD_AT)
    for stance in range(4):
        changed |= renew(blocks, block, STANCE_AT + stance, fighter.stance == stance)
        changed |= renew(blocks, block, SAID_AT + stance, fighter.said == stance)
    for condition in range(N_CONDITIONS):
        level = fighter.levels[condition] * np.float32(1 / LEVEL_SCALE)
        changed |= renew(blocks, block, CONDITIONS_AT + condition, level)
    if match.team_control:
        picked = (
            fighter.detail if fighter.has_choice and not fighter.pending and fighter.deed == TAKE_STANCE else NO_STANCE
        )
        for stance in range(4):
            changed |= renew(blocks, block, PICK_AT + stance, picked == stance)
    return changed | write_habits(fighter, blocks, block, memory)


@inlined
def hit_feature(match, i):
    """The damage that fighter i is about to shrug off or take."""
    if match.window != SHRUG_WINDOW:
        return 0.0
    k = pending_hit(match, i)
    return 0.0 if k == NOBODY else clip(match.hits[k].amount / HP_SCALE, 0.0, MOST_HP)


@inlined
def write_habits(fighter, blocks, block, memory):
    """The latest reveals, and how often each stance was taken; whether they have changed."""
    changed = False
    if memory < 0:
        taken = 0
        for stance in range(4):
            taken += fighter.stance_count[stance]
        share = np.float32(1.0 / max(1, taken))
        for stance in range(4):
            changed |= renew(blocks, block, COUNT_AT + stance, fighter.stance_count[stance] * share)
    shown = REVEALS if memory < 0 else memory
    for k in range(shown):
        revealed = fighter.reveals[k]
        for stance in range(4):
            changed |= renew(blocks, block, REVEAL_AT + 4 * k + stance, revealed == stance)
    return changed


@inlined
def write_moment(match, out, at, memory):
    """Round, window and phase, from `at` on."""
    for k in range(N_MOMENT):
        put(out, at, k, 0.0)
    if memory != 0:
        left = match.rules.max_rounds - match.round_number
        put(out, at, 0, clip(match.round_number / ROUNDS_SCALE, 0.0, 1.0))
        put(out, at, 1, clip(left / ROUNDS_SCALE, 0.0, 1.0))
    windows = max(1, match.rules.windows_per_round)
    put(out, at, 2, clip((windows - match.windows_used) / windows, 0.0, 1.0))
    if 0 < match.window < STEP_WINDOW:
        put(out, at, WINDOW_AT + match.window - 1, 1.0)
    if match.engaged:
        for k in range(3):
            put(out, at, PHASE_AT + k, match.phase == PHASE_ORDER[k])


@inlined
def write_observation(match, i, blocks, slot, observations, start, shape_enemies, memory, changed, moved):
    """What fighter i sees, from its own point of view, in the row that begins at `start`.

    What stands in the row already is left as it is: `changed` and `moved` have a bit for each fighter whose block, and
    whose place, is to be written.
    """
    write_moment(match, observations, start, memory)
    at = start + N_MOMENT
    if has_bit(changed, i):
        copy_block(blocks, block_start(slot, i), observations, at)
    at += N_BLOCK
    fighter = match.fighters[i]
    for place in range(fighter.enemy_count):
        j = fighter.enemies[place]
        if has_bit(changed, j):
            copy_block(blocks, block_start(slot, j), observations, at)
            keep_secrets(match, observations, at)
        if has_bit(changed, i) or fighter.afflicted:
            write_relations(match, i, j, observations, at + N_BLOCK)
        at += N_BLOCK + N_RELATIONS
    at = start + N_MOMENT + N_BLOCK + shape_enemies * (N_BLOCK + N_RELATIONS)
    for place in range(fighter.ally_count):
        j = fighter.allies[place]
        if has_bit(changed, j):
            copy_block(blocks, block_start(slot, j), observations, at)
        if has_bit(changed, i) or fighter.afflicted:
            write_relations(match, i, j, observations, at + N_BLOCK)
        at += N_BLOCK + N_RELATIONS
    shape_others = 2 * shape_enemies - 1  # on a map: room for one ally less than enemies
    at = start + N_MOMENT + N_BLOCK + shape_others * (N_BLOCK + N_RELATIONS)
    write_on_map(match, i, observations, at, shape_enemies, moved)


@inlined
def copy_block(blocks, block, out, at):
    """A fighter's block, as everyone sees it."""
    for k in range(N_BLOCK):
        put(out, at, k, blocks[np.uint64(block + k)])


@inlined
def keep_secrets(match, out, at):
    """What an enemy has picked, or told its own side only, is not shown."""
    if match.team_control:
        for stance in range(4):
            put(out, at, PICK_AT + stance, 0.0)
    if match.rules.talk == 1:
        for stance in range(4):
            put(out, at, SAID_AT + stance, 0.0)


@inlined
def write_relations(match, i, j, out, at):
    """What binds fighter j to the viewer i."""
    fighter, other = match.fighters[i], match.fighters[j]
    for k in range(N_RELATIONS):
        put(out, at, k, 0.0)
    if fighter.afflicted:
        put(out, at, 0, fighter.source[FRIGHTENED] == j)
        put(out, at, 1, fighter.source[ENRAGED] == j or fighter.source[AGGRAVATED] == j)
        put(out, at, 2, fighter.source[CHARMED] == j)
        put(out, at, 3, fighter.source[GRAPPLED] == j)
        put(out, at, 4, fighter.source[GRAPPLING] == j)
        put(out, at, 5, other.climbing == i)
        put(out, at, 6, fighter.climbing == j)


@inlined
def out_cause(match, i):
    """Why fighter i is out of the fight, as a place in OUT_CAUSES."""
    fighter = match.fighters[i]
    if fighter.status != STANDING:
        return np.int64(fighter.status)
    return SURPRISED_OUT if is_surprised(match, i) and not fighter.pending else 0

"""Conditions: gaining, losing and fading, and their effects on rolls.

Speed is in speed.py; the choices that a condition forbids are in action_phase.py and stances.py.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.cover import in_sight
from heartrush_env.games.heart_rush.rules.environment import space_modifiers
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.sheet import HELD, IN_EXCHANGE, SENSELESS, has, is_physical, note_cause
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.terms import (
    AGGRAVATED,
    ATTACK,
    BLINDED,
    BURNING,
    CHARMED,
    CLIMBED_ON,
    CONFUSED,
    CREATURE_CLIMBER,
    DAZED,
    DEADLY_LEVEL,
    DEFENSE,
    ENRAGED,
    ENTANGLED,
    FADING,
    FRIGHTENED,
    GRAPPLED,
    GRAPPLING,
    HELP,
    HIDDEN,
    HIGHGROUND,
    LEVEL_CAP,
    LEVELED,
    N_CONDITIONS,
    NOBODY,
    OBSCURED,
    OFF_BALANCED,
    POISONED,
    PRONE,
    RANGED,
    RESTRAINED,
    SHAKEN,
    SOURCED,
    STANDING,
    STUNNED,
    THROWN,
    UNSEEN,
    WEAKENED,
    WET,
)
from heartrush_env.tabletop.rule import compiled, inlined, rule

HIGHEST_LEVEL = np.ones(N_CONDITIONS, np.int8)
HIGHEST_LEVEL[list(LEVELED)] = LEVEL_CAP
HIGHEST_LEVEL[list(DEADLY_LEVEL)] = list(DEADLY_LEVEL.values())
NEEDS_SOURCE = np.zeros(N_CONDITIONS, np.bool_)
NEEDS_SOURCE[list(SOURCED)] = True
FADING_BITS = sum(1 << condition for condition in FADING)
# Conditions that harm the fighter that has them; the others are positions or help it.
HARMFUL = np.ones(N_CONDITIONS, np.bool_)
HARMFUL[[OBSCURED, HIDDEN, HIGHGROUND, CREATURE_CLIMBER, GRAPPLING, WET]] = False
UNSEEN_BITS = 1 << OBSCURED | 1 << HIDDEN
UNSEEN_LEVELS = 5
CLIMBER_LEVELS = 3

# The condition that impairs each ability die.
#                           MIGHT     AGILITY       CUNNING  PRESENCE
IMPAIRS = np.array([WEAKENED, OFF_BALANCED, DAZED, SHAKEN], np.int8)


@inlined
def is_impairing(condition):
    """Return whether a condition is dazed, off-balanced or weakened, which the cunning effect inflicts."""
    return condition == DAZED or condition == OFF_BALANCED or condition == WEAKENED


@rule("Conditions > Levels", "R-54")
def gain(fighter, condition, levels):
    """Add levels of a condition up to its maximum; a condition without levels is either present or absent."""
    fighter.levels[condition] = min(HIGHEST_LEVEL[condition], fighter.levels[condition] + levels)
    fighter.afflicted |= np.uint32(1) << np.uint32(condition)


@compiled
def lose(fighter, condition):
    """Remove the condition with all its levels."""
    fighter.levels[condition] = 0
    fighter.source[condition] = NOBODY
    fighter.afflicted &= ~(np.uint32(1) << np.uint32(condition))


@compiled
def lose_levels(fighter, condition, levels):
    """Reduce the condition by this many levels, and remove it at 0."""
    if fighter.levels[condition] <= levels:
        lose(fighter, condition)
    else:
        fighter.levels[condition] -= levels


@rule("Conditions > From a Source", "R-54")
def gain_from(fighter, condition, levels, source):
    """Add levels of a condition from a source, replacing levels from any other source."""
    if fighter.source[condition] != source:
        lose(fighter, condition)
    gain(fighter, condition, levels)
    fighter.source[condition] = source


@inlined
def inflict(fight, source, target, condition, levels):
    """Give the target levels of a condition, less those that its abilities refuse; return how many it is given."""
    levels += hooks.suffers(fight, target, condition, source, levels)
    levels += hooks.suffers_for(fight, target, condition, source, levels)
    if levels > 0:
        gain(fight.fighters[target], condition, levels)
    return levels


@inlined
def inflict_from(fight, source, target, condition, levels):
    """Give the target levels of a condition that has a source; the target's abilities may reduce or refuse them."""
    levels += hooks.suffers(fight, target, condition, source, levels)
    levels += hooks.suffers_for(fight, target, condition, source, levels)
    if levels > 0:
        gain_from(fight.fighters[target], condition, levels, source)


@rule("Conditions > Levels", "R-187")
def spread(fight, source, target, condition, levels):
    """Give a creature in an area levels of a condition; its abilities see that they are aimed at no single creature."""
    levels += hooks.suffers(fight, target, condition, NOBODY, levels)
    levels += hooks.suffers_for(fight, target, condition, NOBODY, levels)
    if levels > 0 and NEEDS_SOURCE[condition]:
        gain_from(fight.fighters[target], condition, levels, source)
    elif levels > 0:
        gain(fight.fighters[target], condition, levels)


@with_abilities(ENRAGED)
@compiled
def rage_condition(fight):
    """Return the condition that sets a fighter against one creature: enraged, or aggravated if a setting says so."""
    return AGGRAVATED if fight.rules.aggravates else ENRAGED


@with_abilities(None)
@compiled
def hold_levels(fight, i):
    """Raise the levels of i's conditions before they fade, so that fading leaves those that abilities preserve."""
    fighter = fight.fighters[i]
    for condition in FADING:
        level = np.int64(fighter.levels[condition])
        held = min(level, hooks.holds(fight, i, condition))
        if held > 0:
            left = level - 1 - hooks.fades(fight, i, condition)
            fighter.levels[condition] += max(0, held - left)


@with_abilities(None)
@rule("Conditions > Fading")
def fade_further(fight, i):
    """Remove the further levels of fading conditions that abilities let fighter i lose."""
    fighter = fight.fighters[i]
    if fighter.afflicted & FADING_BITS:
        for condition in FADING:
            if fighter.levels[condition] > 0:
                lose_levels(fighter, condition, hooks.fades(fight, i, condition))


@rule("Conditions > Fading", "R-27", "R-30", "R-44")
def fade(fighter, uniform):
    """Remove stunned and a level of each fading condition; unless `uniform`, fresh levels of blinded stay for now."""
    blinded_waits = fighter.fresh_blinded and not uniform
    fighter.fresh_blinded = 0
    if fighter.afflicted & FADING_BITS:
        for condition in FADING:
            if fighter.levels[condition] > 0 and not (condition == BLINDED and blinded_waits):
                lose_levels(fighter, condition, 1)
    lose(fighter, STUNNED)


@rule("Conditions > Drenched")
def drench(fighter):
    """Put out the fire on a fighter if it is wet."""
    if has(fighter, WET):
        lose(fighter, BURNING)


@rule("Conditions > Restrained", "R-53")
def restraint(fight, fighter):
    """Return the levels of restrained, grappled and entangled together, up to the cap."""
    if fighter.afflicted & HELD == 0:
        return 0
    levels = np.int64(fighter.levels[RESTRAINED]) + fighter.levels[GRAPPLED] + fighter.levels[ENTANGLED]
    if has(fighter, ENTANGLED):
        levels += hooks.net_levels(fight, fighter.source[ENTANGLED])
    if fighter.levels[GRAPPLED] > 0:
        levels += hooks.grips(fight, fighter.source[GRAPPLED])
    return min(LEVEL_CAP, levels)


@rule("Conditions > Stunned", "R-56", hot=True)
def is_senseless(fighter):
    """Return whether the fighter is stunned or incapacitated: it takes no stance or action and makes no attack."""
    return fighter.afflicted & SENSELESS != 0


@rule("Conditions > Confused", "R-47", hot=True)
def may_still_act(fighter):
    """Return whether the fighter may still act: a confused fighter may not act after moving in the same round."""
    return not (fighter.moved and fighter.levels[CONFUSED] > 0)


@rule("Conditions > Confused", "R-47", hot=True)
def may_still_move(fighter):
    """Return whether the fighter may still move: a confused fighter may not move after acting in the same round."""
    return not (fighter.acted and fighter.levels[CONFUSED] > 0)


@rule("Conditions > Charmed", "R-51", hot=True)
def is_charmed_by(fighter, source):
    """Return whether the fighter has two or more levels of charmed from this source, and so will not attack it."""
    return fighter.levels[CHARMED] >= 2 and fighter.source[CHARMED] == source


@rule("Conditions > Effects on Rolls", "R-43", hot=True)
def modifiers(fight, i, kind, ability, o, attack_type):
    """Return fighter i's net advantage from conditions and surroundings on a roll against o (which may be NOBODY).

    `kind` is attack, defense, check or save; `attack_type` is the type of the attacking weapon.
    """
    fighter = fight.fighters[i]
    net = 0
    if fighter.afflicted:
        net += _own_conditions(fight, fighter, kind, ability, o)
        if IN_EXCHANGE[kind]:
            net += _in_the_fray(fight, fighter, kind, o, attack_type)
    if IN_EXCHANGE[kind] and o != NOBODY and fight.fighters[o].afflicted & UNSEEN_BITS:
        net += note_cause(fight, UNSEEN, -UNSEEN_LEVELS)
    return net + space_modifiers(fight, i, kind, ability, o, attack_type)


@on_map(True)
@compiled
def sees(fight, i, other):
    """Return whether fighter i sees fighter `other`; always True without a map."""
    return in_sight(fight, i, other)


@compiled
def _own_conditions(fight, fighter, kind, ability, o):
    """Return the net advantage from conditions that affect any roll, or rolls of one ability."""
    net = 0
    impaired = IMPAIRS[ability]
    if fighter.levels[impaired] > 0:
        net += note_cause(fight, impaired, -fighter.levels[impaired])
    for condition in (POISONED, BLINDED, CONFUSED):
        if fighter.levels[condition] > 0:
            net += note_cause(fight, condition, -fighter.levels[condition])
    if has(fighter, FRIGHTENED) and is_haunted(fight, fighter):
        net += note_cause(fight, FRIGHTENED, -fighter.levels[FRIGHTENED])
    for condition in (ENRAGED, AGGRAVATED):
        if fighter.levels[condition] > 0 and o != NOBODY and o != fighter.source[condition]:
            net += note_cause(fight, condition, -fighter.levels[condition])
    if is_physical(kind, ability):
        held = restraint(fight, fighter)
        if held > 0:
            net += note_cause(fight, RESTRAINED, -held)
        if has(fighter, GRAPPLING):
            net += note_cause(fight, GRAPPLING, -1)
    return net


@compiled
def is_haunted(fight, fighter):
    """Return whether the source of the fighter's fear is standing and in sight."""
    source = fighter.source[FRIGHTENED]
    return fight.fighters[source].status == STANDING and sees(fight, fighter.index, source)


@rule("Conditions > Prone, High Ground, Climbing", "R-36")
def _in_the_fray(fight, fighter, kind, o, attack_type):
    """Return the net advantage on attack and defense rolls from being prone, on high ground or climbing."""
    net = 0
    if has(fighter, PRONE):
        from_range = attack_type == RANGED or attack_type == THROWN
        net += note_cause(fight, PRONE, 1 if kind == DEFENSE and from_range else -1)
    if kind == ATTACK and o != NOBODY:
        if has(fighter, HIGHGROUND) and not has(fight.fighters[o], HIGHGROUND):
            net += note_cause(fight, HIGHGROUND, 1)
        if has(fighter, CREATURE_CLIMBER) and fighter.climbing == o:
            net += note_cause(fight, CREATURE_CLIMBER, CLIMBER_LEVELS)
        if has(fighter, CLIMBED_ON) and fight.fighters[o].climbing == fighter.index:
            net += note_cause(fight, CLIMBED_ON, -CLIMBER_LEVELS)
    return net


@rule("Combat > The Action Phase > Actions You Can Take > Help", "R-45", hot=True)
def use_help(fight, fighter):
    """Use up the fighter's help and return its levels of advantage for the next roll."""
    if fighter.helped == 0:
        return 0
    levels = np.int64(fighter.helped)
    fighter.helped = 0
    return note_cause(fight, HELP, levels)

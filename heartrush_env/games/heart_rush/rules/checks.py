"""Ability checks, contested checks and saves, which roll the heart die and the ability die."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.conditions import modifiers, use_help
from heartrush_env.games.heart_rush.rules.dice import add_die, clear_pool, expected, roll
from heartrush_env.games.heart_rush.rules.hooks import there_are_abilities
from heartrush_env.games.heart_rush.rules.terms import AGILITY, MELEE, MIGHT, OF_ABILITY, OF_HEART
from heartrush_env.tabletop.arrays import fill
from heartrush_env.tabletop.rule import compiled, inlined, rule


@inlined
def clip_net(fight, net):
    """Return the net advantage, limited to the settings' cap in both directions."""
    cap = fight.rules.advantage_cap
    return max(-cap, min(cap, net))


@inlined
def forget_causes(fight):
    """Clear the causes of advantage before a roll."""
    if fight.recording:
        fill(fight.causes, 0)


@inlined
def ability_die(fight, i, ability):
    """Return fighter i's ability die for a roll, after abilities have changed it."""
    return hooks.die_of(fight, i, np.int64(ability), np.int64(fight.fighters[i].ability[ability]))


@compiled
def check_pool(fight, i, kind, ability, o, extra):
    """Fill the pool with a check: heart and ability dice, and advantage from conditions, help and `extra` levels."""
    fighter = fight.fighters[i]
    pool = fight.pool
    clear_pool(pool)
    add_die(pool, OF_HEART, fighter.phase_heart)
    add_die(pool, OF_ABILITY + ability, ability_die(fight, i, ability))
    pool.net = clip_net(fight, modifiers(fight, i, kind, ability, o, MELEE) + fighter.helped + extra)


@rule("Dice Mechanics > Checks and Saves", "R-13")
def roll_check(fight, i, kind, ability, o, extra, out):
    """Roll a check or save into `out`, with `extra` additional levels of advantage; return the total."""
    forget_causes(fight)
    fight.fighters[i].check_ability = ability
    check_pool(fight, i, kind, ability, o, extra)
    use_help(fight, fight.fighters[i])
    total = roll(fight.pool, fight, out)
    if not there_are_abilities(fight):
        return total
    hooks.checked(fight, i, kind, out)
    return np.int64(out.total)


@rule("Dice Mechanics > Might or Agility", "R-57")
def might_or_agility(fight, i, kind, o, extra):
    """Return might or agility, whichever has the higher expected roll; might if both are equal."""
    recording = fight.recording
    fight.recording = 0
    check_pool(fight, i, kind, MIGHT, o, extra)
    by_might = expected(fight.pool)
    check_pool(fight, i, kind, AGILITY, o, extra)
    by_agility = expected(fight.pool)
    fight.recording = recording
    return AGILITY if by_agility > by_might + 1e-9 else MIGHT


@rule("Dice Mechanics > Challenge Numbers", "R-58")
def challenge_number(fighter, ability):
    """Return a creature's challenge number for an ability: the highest face of that ability's die."""
    return fighter.ability[ability]

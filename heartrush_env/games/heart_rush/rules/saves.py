"""Checks and Saves: saves against the effects of abilities."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.checks import roll_check
from heartrush_env.games.heart_rush.rules.dice import copy_roll
from heartrush_env.games.heart_rush.rules.terms import NOBODY, SAVE
from heartrush_env.games.heart_rush.state.events import tell_check
from heartrush_env.tabletop.rule import compiled, rule

TO_RESIST = NOBODY  # the purpose of a save that no fighter has chosen to make


@compiled
def save_before_defense(fight, log, i, source, ability, number):
    """Roll fighter i's save right before its defense roll, and keep the attack roll that has been made."""
    copy_roll(fight.attack_roll, fight.defense_roll)
    success = roll_save(fight, log, i, source, ability, number)
    copy_roll(fight.defense_roll, fight.attack_roll)
    return success


@rule("Dice Mechanics > Checks and Saves")
def roll_save(fight, log, i, source, ability, number):
    """Roll fighter i's save against another fighter's ability; return whether the total is at least `number`."""
    success = roll_check(fight, i, SAVE, ability, source, 0, fight.attack_roll) >= number
    told = tell_check(fight, log, i, TO_RESIST, success)
    if told != NOBODY:
        log.events[told].other = source
    return success

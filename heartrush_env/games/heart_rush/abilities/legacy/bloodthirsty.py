"""Bloodthirsty."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figure
from heartrush_env.games.heart_rush.engine.strikes import is_own_attack
from heartrush_env.games.heart_rush.rules.abilities import ANY_MOMENT, note, notes, remember
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS

DICE = dice("bloodthirsty", "attack_dice")[0]
ACTIONS = figure("bloodthirsty", "extra_actions")
IN_USE, HAS_DROPPED = MOST_FIGHTERS, MOST_FIGHTERS + 1  # bits of the memo besides those for fighters attacked


@ability("bloodthirsty", on=ANY_MOMENT, rulings=["R-176", "R-177"])
class Bloodthirsty:
    """For the rest of the round, the owner has an extra die in attacks on creatures that have not been attacked yet.

    If the owner drops a creature in this time, it has one more action in the next action phase.
    """

    def may(fight, i, slot, target):
        """Return whether the ability is not in use yet."""
        return not notes(fight, i, slot, IN_USE)

    def do(fight, log, i, slot, target):
        note(fight, i, slot, IN_USE, True)

    def round_starts(fight, i, slot, log):
        if notes(fight, i, slot, HAS_DROPPED):
            fight.fighters[i].more_actions += ACTIONS
        remember(fight, i, slot, 0)

    def attack(fight, i, slot, target, stance):
        if notes(fight, i, slot, IN_USE) and not notes(fight, i, slot, target) and is_own_attack(fight, i):
            add_bonus_dice(fight.pool, DICE[0], DICE[1])
        return 0

    def attacked(fight, i, slot, striker, target, cause, damage):
        note(fight, i, slot, target, True)

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        hp = fight.fighters[victim].hp
        if striker == i and victim != i and hp <= 0 and hp + damage > 0 and notes(fight, i, slot, IN_USE):
            note(fight, i, slot, HAS_DROPPED, True)

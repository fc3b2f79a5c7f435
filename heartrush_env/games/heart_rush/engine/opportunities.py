"""Opportunity attacks as the engine plays them: by a fighter's choice, or given by an ability."""

from __future__ import annotations

from heartrush_env.games.heart_rush.engine.strikes import add_open, begin_strike_outside, finish_strike
from heartrush_env.games.heart_rush.rules.actions.opportunity import best_attack, meets_defense
from heartrush_env.games.heart_rush.rules.costs import spend_action, spend_rush
from heartrush_env.games.heart_rush.rules.hooks import there_are_abilities
from heartrush_env.games.heart_rush.rules.stances import has_action_left
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES
from heartrush_env.tabletop.rule import compiled


@compiled
def begin_open(fight, log, i, rank):
    """Begin the opportunity attack that fighter i has chosen; return whether its rolls may be answered.

    In fights without abilities, the attack is settled at once.
    """
    fighter = fight.fighters[i]
    if not meets_defense(fight, log, i, fighter.target):
        return False
    begin_strike_outside(fight, log, i, fighter.target, fighter.detail % ATTACKING_STANCES, rank)
    if there_are_abilities(fight):
        return True
    finish_strike(fight, log)
    return False


@compiled
def strike_by_ability(fight, log, i, target):
    """Add an opportunity attack by an ability, for the action or else a rush point, with the best dice (R-115)."""
    if has_action_left(fight.fighters[i]):
        spend_action(fight.fighters[i])
    else:
        spend_rush(fight, log, i)
    if meets_defense(fight, log, i, target):
        add_open(fight, i, target, best_attack(fight, i, target))

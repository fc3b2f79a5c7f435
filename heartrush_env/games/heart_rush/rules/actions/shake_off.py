"""Conditions > Climbed On and Creature Climber: shaking climbers off, hanging on, and hopping off."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.checks import might_or_agility, roll_check
from heartrush_env.games.heart_rush.rules.choices import Cost, action
from heartrush_env.games.heart_rush.rules.contests import wins_contest
from heartrush_env.games.heart_rush.rules.maneuvers.climb_on import climb_down, may_hop_off, tell_coming_off
from heartrush_env.games.heart_rush.rules.sheet import note_cause
from heartrush_env.games.heart_rush.rules.space import square_of
from heartrush_env.games.heart_rush.rules.terms import (
    BY_ABILITY,
    CHECK,
    CLIMBED_ON,
    CREATURE_CLIMBER,
    NOBODY,
    SHAKE_OFF,
)
from heartrush_env.games.heart_rush.state.events import CHECK_EVENT, tell, tell_attack_roll, tell_resistance
from heartrush_env.tabletop.arrays import copy
from heartrush_env.tabletop.rule import compiled, rule


@action(
    "shake_off",
    words="shake off whoever clings to you",
    tells="{fighter} tries to shake off whoever clings to it",
    conditions=(CLIMBED_ON,),
)
class ShakeOff:
    """The bearer makes one roll, which is compared with a roll of each climber."""

    def do(fight, log, i, target, detail):
        total = roll_to_shake_off(fight, i, first_climber(fight, i))
        if fight.recording:
            copy(fight.causes, fight.attack_causes)
        for climber in range(fight.n):
            if fight.fighters[climber].climbing == i:
                number = tell(fight, log, CHECK_EVENT, i, climber, SHAKE_OFF, 0)
                if fight.recording:
                    copy(fight.attack_causes, fight.causes)
                tell_attack_roll(fight, log, number)
                square = square_of(fight, climber)
                held = roll_to_hang_on(fight, climber, i, total)
                tell_resistance(fight, log, number, i, climber, not held)
                tell_coming_off(fight, log, climber, square)


@rule("Conditions > Climbed On > Shaking Off", "R-57")
def roll_to_shake_off(fight, i, first_climber):
    """Roll might or agility once for creature i, against all its climbers, and return the total."""
    ability = might_or_agility(fight, i, CHECK, first_climber, 0)
    return roll_check(fight, i, CHECK, ability, first_climber, 0, fight.attack_roll)


@rule("Conditions > Climbed On > Shaking Off", "R-1", "R-57")
def roll_to_hang_on(fight, climber, bearer, bearer_total):
    """Roll might or agility for a climber, which comes off if the bearer's total is higher; return whether it stays."""
    more = hooks.contest_of(fight, climber, bearer, SHAKE_OFF, False)
    ability = might_or_agility(fight, climber, CHECK, bearer, more)
    total = roll_check(fight, climber, CHECK, ability, bearer, more, fight.defense_roll)
    note_cause(fight, BY_ABILITY, more)
    if wins_contest(bearer_total, total):
        climb_down(fight, climber)
        return False
    return True


@compiled
def first_climber(fight, bearer):
    """Return the first fighter in agent order that is climbing on the bearer, or NOBODY."""
    for climber in range(fight.n):
        if fight.fighters[climber].climbing == bearer:
            return climber
    return NOBODY


@action(
    "hop_off",
    words="hop off",
    tells="{fighter} hops off",
    cost=Cost.DASH,
    conditions=(CREATURE_CLIMBER,),
)
class HopOff:
    """A climber voluntarily hops off the creature that it rides."""

    def may(fight, i, target, detail):
        return may_hop_off(fight, i)

    def do(fight, log, i, target, detail):
        square = square_of(fight, i)
        climb_down(fight, i)
        tell_coming_off(fight, log, i, square)

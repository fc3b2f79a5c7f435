"""Events of checks."""

from __future__ import annotations

from heartrush_env.games.heart_rush.engine.events import (
    CHECK_EVENT,
    tell,
    tell_abilities,
    tell_attack_roll,
    tell_defense_roll,
)
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.tabletop.rule import compiled


@compiled
def tell_check(fight, log, i, purpose, success):
    """Write an event for the check that was just made against a number; return the event's number."""
    number = tell(fight, log, CHECK_EVENT, i, NOBODY, purpose, 0)
    tell_attack_roll(fight, log, number)
    tell_abilities(fight, log, number, i, NOBODY)
    if number != NOBODY:
        log.events[number].flag = success
    return number


@compiled
def tell_resistance(fight, log, number, i, opponent, success):
    """Complete the event of a contested check with the opposing roll that was just made, and with the winner."""
    tell_defense_roll(fight, log, number)
    tell_abilities(fight, log, number, i, opponent)
    if number != NOBODY:
        log.events[number].flag = success

"""Conditions > Grappled > Breaking Free."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.checks import might_or_agility, roll_check
from heartrush_env.games.heart_rush.rules.choices import action
from heartrush_env.games.heart_rush.rules.conditions import restraint
from heartrush_env.games.heart_rush.rules.contests import wins_contest
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import let_go, size_advantage
from heartrush_env.games.heart_rush.rules.sheet import note_cause
from heartrush_env.games.heart_rush.rules.terms import (
    BREAK_FREE,
    BY_ABILITY,
    CHECK,
    GRAPPLED,
    RESTRAINED,
    SIZE_DIFFERENCE,
)
from heartrush_env.games.heart_rush.state.events import CHECK_EVENT, tell, tell_attack_roll, tell_resistance
from heartrush_env.tabletop.rule import rule


@action(
    "break_free",
    words="break free of the grapple",
    tells="{fighter} tries to break free",
    heading="Conditions > Grappled > Breaking Free",
    rulings=("R-1",),
    conditions=(GRAPPLED,),
)
class BreakFree:
    """A grappled fighter breaks free if it rolls higher than its grappler."""

    def do(fight, log, i, target, detail):
        holder = fight.fighters[i].source[GRAPPLED]
        number = tell(fight, log, CHECK_EVENT, i, holder, BREAK_FREE, 0)
        own = roll_to_break_free(fight, i)
        tell_attack_roll(fight, log, number)
        free = wins_contest(own, roll_to_keep_hold(fight, i))
        tell_resistance(fight, log, number, i, holder, free)
        if free:
            let_go(fight, holder)


@rule("Conditions > Grappled > Breaking Free", "R-57")
def roll_to_break_free(fight, i):
    """Roll might or agility for fighter i, without the grapple's penalty, but with advantage if it is larger."""
    fighter = fight.fighters[i]
    holder = fighter.source[GRAPPLED]
    size = size_advantage(fight, i, holder)
    with_grapple = restraint(fight, fighter)
    fighter.levels[GRAPPLED] = 0
    spared = with_grapple - restraint(fight, fighter)
    fighter.levels[GRAPPLED] = 1
    more = hooks.contest_of(fight, i, holder, BREAK_FREE, True)
    ability = might_or_agility(fight, i, CHECK, holder, size + spared + more)
    total = roll_check(fight, i, CHECK, ability, holder, size + spared + more, fight.attack_roll)
    if fight.recording:
        fight.causes[SIZE_DIFFERENCE] += size
        fight.causes[RESTRAINED] += spared
    note_cause(fight, BY_ABILITY, more)
    return total


@rule("Conditions > Grappled > Breaking Free", "R-57")
def roll_to_keep_hold(fight, i):
    """Roll might or agility for the grappler of fighter i, with advantage if the grappler is larger."""
    holder = fight.fighters[i].source[GRAPPLED]
    size = size_advantage(fight, holder, i)
    more = hooks.contest_of(fight, holder, i, BREAK_FREE, False)
    ability = might_or_agility(fight, holder, CHECK, i, size + more)
    total = roll_check(fight, holder, CHECK, ability, i, size + more, fight.defense_roll)
    if fight.recording:
        fight.causes[SIZE_DIFFERENCE] += size
    note_cause(fight, BY_ABILITY, more)
    return total

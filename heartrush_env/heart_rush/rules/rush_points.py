"""Rush Points: how many a round brings, what they pay for. On maps only, where there is something to spend them on."""

from __future__ import annotations

from heartrush_env.core.rule import compiled, rule
from heartrush_env.heart_rush.rules.space import on_map
from heartrush_env.heart_rush.rules.terms import CONFUSED

# Settings of rush_mode.
BY_THE_BOOK, ROUND_NUMBER, NO_RUSH = range(3)


@on_map(None)
@rule("Combat > The Action Phase > Understanding Actions and Abilities", "R-18")
def gain_rush(match, i):
    """One point in round 1, then as many as earlier rounds that the fighter was active in; unspent points are lost."""
    fighter = match.fighters[i]
    if match.round_number > 1:
        fighter.active_rounds += fighter.active
    fighter.active = 0
    if match.rush_mode == NO_RUSH:
        fighter.rush = 0
    elif match.rush_mode == ROUND_NUMBER:
        fighter.rush = match.round_number
    elif match.round_number > 1:
        fighter.rush = min(fighter.active_rounds, match.round_number)


@on_map(None)
@compiled
def be_active(match, i, target):
    """Who attacks, tries a maneuver or is the target of one was active in this round."""
    match.fighters[i].active = 1
    match.fighters[target].active = 1


@on_map(False)
@compiled
def has_rush(match, i):
    """Whether a point is left."""
    return match.fighters[i].rush > 0


@on_map(False)
@rule("Combat > The Action Phase > Actions You Can Take > Sidestep", "R-47")
def may_rush_aside(match, i):
    """A rush point pays for a movement, unless a confused fighter has acted."""
    fighter = match.fighters[i]
    return fighter.rush > 0 and not (fighter.acted and fighter.levels[CONFUSED] > 0)


@on_map(None)
@compiled
def spend_rush(match, i):
    """One rush point."""
    match.fighters[i].rush -= 1

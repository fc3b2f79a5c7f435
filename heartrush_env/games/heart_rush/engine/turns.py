"""The turns of sides and their events: which side has priority and why, and which fighters are in the engagement."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.engaging import (
    by_turns,
    first_priority,
    leave_engagement,
    pass_priority,
    turns_go_on,
)
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.games.heart_rush.state.events import (
    BY_DIE,
    BY_SURPRISE,
    ENGAGED,
    ENGAGEMENT,
    PASSED,
    PRIORITY,
    USED,
    tell,
)
from heartrush_env.tabletop.rule import compiled


@by_turns(None)
@compiled
def begin_turns(fight, log):
    """Give priority to the side that begins the round, and write the event."""
    die = first_priority(fight)
    tell_priority(fight, log, BY_DIE if die else BY_SURPRISE, die)


@by_turns(None)
@compiled
def use_turn(fight, log):
    """Pass priority on after a side has used its turn; write the event unless an engagement has begun."""
    pass_priority(fight)
    if fight.priority != NOBODY:
        tell_priority(fight, log, USED, 0)


@by_turns(None)
@compiled
def decline_turn(fight, log):
    """Count a side's pass, pass priority on, and write the event."""
    fight.passes += 1
    pass_priority(fight)
    tell_priority(fight, log, PASSED, 0)


@by_turns(None)
@compiled
def end_engagement(fight, log):
    """End the engagement, and write the event for the side that gets priority."""
    leave_engagement(fight)
    tell_priority(fight, log, ENGAGED, 0)


@by_turns(None)
@compiled
def tell_priority(fight, log, cause, die):
    """Write an event that names the side with priority, or no side once all sides have passed in a row."""
    tell(fight, log, PRIORITY, NOBODY, fight.priority if turns_go_on(fight) else NOBODY, cause, die)


@by_turns(None)
@compiled
def tell_engagement(fight, log):
    """Write an event for each fighter in the engagement."""
    for i in range(fight.n):
        if fight.fighters[i].joined:
            tell(fight, log, ENGAGEMENT, i, fight.engaged_side, 0, 0)

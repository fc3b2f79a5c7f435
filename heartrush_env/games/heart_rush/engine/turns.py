"""The turns of sides and their events: which side has priority and why, and which fighters are in the engagement."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.all import INSTANT
from heartrush_env.games.heart_rush.engine.picks import is_use
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.engaging import (
    by_turns,
    first_priority,
    leave_engagement,
    pass_priority,
    turns_go_on,
)
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.terms import NOBODY, PASS
from heartrush_env.games.heart_rush.state.choices import choose
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
from heartrush_env.tabletop.rule import compiled, rule


@by_turns(None)
@compiled
def begin_turns(fight, log):
    """Give priority to the side that begins the round, and write the event."""
    die = first_priority(fight)
    tell_priority(fight, log, BY_DIE if die else BY_SURPRISE, die)


@with_abilities(False)
@rule("Classic > Minor Abilities", "R-255")
def puts_instants_first(fight):
    """Drop all other declarations of the window if a fighter uses an instant; return whether one does."""
    found = False
    for i in range(fight.n):
        found |= uses_instant(fight, i)
    if found:
        for i in range(fight.n):
            if not uses_instant(fight, i):
                choose(fight, i, PASS, NOBODY, 0)
    return found


@compiled
def uses_instant(fight, i):
    """Return whether fighter i has declared the use of an instant."""
    fighter = fight.fighters[i]
    return is_use(fighter.deed) and INSTANT[fighter.loadout[fighter.detail]]


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


@compiled
def line_up_entrants(fight):
    """Copy the base order, which an ability may change while fighters enter the engagement, into the timing order."""
    for spot in range(fight.n):
        fight.order[spot] = fight.base_order[spot]


@by_turns(None)
@compiled
def end_engagement(fight, log):
    """End the engagement, and write the event for the side that gets priority."""
    end_for_abilities(fight)
    leave_engagement(fight)
    tell_priority(fight, log, ENGAGED, 0)


@with_abilities(None)
@compiled
def end_for_abilities(fight):
    """End what abilities do for as long as an engagement lasts, and give back those that work once in each of them."""
    for i in range(fight.n):
        hooks.engagement_ends(fight, i)


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
